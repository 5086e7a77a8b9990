-- Stock.
CREATE TABLE lots (
  lot_id TEXT PRIMARY KEY, part TEXT NOT NULL, qty INTEGER NOT NULL CHECK (qty >= 0),
  status TEXT NOT NULL CHECK (status IN ('FREE', 'HELD')), received TEXT NOT NULL, price TEXT, revision INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE road_slots (road TEXT NOT NULL, day TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (road, day)) STRICT;
CREATE TABLE road_bookings (
  booking_id TEXT PRIMARY KEY, road TEXT NOT NULL, day TEXT NOT NULL, unit TEXT NOT NULL, made_at TEXT NOT NULL, made_by TEXT,
  FOREIGN KEY (road, day) REFERENCES road_slots (road, day)
) STRICT;
CREATE TABLE notes (note_id TEXT PRIMARY KEY, recipient TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE files (file_id TEXT PRIMARY KEY, path TEXT NOT NULL, title TEXT NOT NULL, content TEXT) STRICT;
CREATE TABLE log_lines (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TRIGGER booked AFTER INSERT ON road_bookings BEGIN
  INSERT INTO log_lines (text) VALUES ('booked ' || NEW.booking_id);
END;
