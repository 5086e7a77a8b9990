package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// logTables are the tables of the log and the trigger that counts its events, as the store keeps them behind CREATE.
var logTables = []string{
	"assay_log (one INTEGER PRIMARY KEY CHECK (one = 1), events INTEGER NOT NULL, last TEXT NOT NULL) STRICT",
	"assay_events (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, event TEXT NOT NULL) STRICT",
	"assay_count AFTER INSERT ON assay_events BEGIN UPDATE assay_log SET events = NEW.seq, last = NEW.hash; END",
}

// openLog makes the tables of the log where they are not there yet. assay_log holds how many events were recorded and the
// hash of the last one; the store itself writes it with each event, in the same transaction, so that a log whose end was
// taken off, which is a whole chain still, is told from one that ends there.
func (d *database) openLog(ctx context.Context) error {
	for _, text := range []string{
		"CREATE TABLE IF NOT EXISTS " + logTables[0],
		// Where there was a log already, a missing count is for checkEnd to find.
		"INSERT INTO assay_log (one, events, last) SELECT 1, 0, '' WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'assay_events')",
		"CREATE TABLE IF NOT EXISTS " + logTables[1],
		"CREATE TRIGGER IF NOT EXISTS " + logTables[2],
	} {
		if err := d.exec(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// reload reads the log, checks it whole, and checks that the state is what the log made of the seed.
func (s *Session) reload(ctx context.Context) error {
	st, err := s.d.prepare(ctx, engine, "SELECT event FROM assay_events ORDER BY seq")
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx)
	if err != nil {
		return sqlError(err)
	}
	defer rows.Close()
	var events []Event
	size := 0
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		e, err := ParseEvent([]byte(text))
		if err != nil {
			return fmt.Errorf("event %d: %w", len(events)+1, err)
		}
		if size += len(text); size > maxBundle {
			return fmt.Errorf("the log is larger than %d bytes", maxBundle)
		}
		events = append(events, *e)
	}
	if err := sqlErrorOrNil(rows.Err()); err != nil {
		return err
	}
	if err := VerifyChain(s.Genesis(), events); err != nil {
		return err
	}
	if err := s.checkEnd(ctx, events); err != nil {
		return err
	}
	for i := range events {
		s.append(&events[i])
		s.countFault(&events[i])
	}
	_, err = s.Changes(ctx)
	return err
}

// checkEnd holds a log against what was counted as its events were recorded.
func (s *Session) checkEnd(ctx context.Context, events []Event) error {
	st, err := s.d.prepare(ctx, engine, "SELECT events, last FROM assay_log")
	if err != nil {
		return err
	}
	var n int
	var last string
	switch err := st.QueryRowContext(ctx).Scan(&n, &last); {
	case errors.Is(err, sql.ErrNoRows):
		return errors.New("nothing says any more how many events were recorded: the log was altered")
	case err != nil:
		return sqlError(err)
	}
	return endsAt(s.Genesis(), events, n, last)
}

// endsAt says why a whole chain is not the log that was recorded: its end was taken off, or another put on.
func endsAt(genesis string, events []Event, n int, last string) error {
	have := genesis
	if len(events) > 0 {
		have = events[len(events)-1].Hash
	}
	switch {
	case len(events) < n:
		return fmt.Errorf("the log ends with event %d, and %d were recorded: events %d to %d were removed", len(events), n, len(events)+1, n)
	case len(events) > n:
		return fmt.Errorf("the log has %d events, and %d were recorded: it was altered", len(events), n)
	case n > 0 && have != last:
		return fmt.Errorf("event %d, the last one, is another than was recorded (%.12s, not %.12s): the log was altered", n, have, last)
	}
	return nil
}

// countFault counts a staged fault that came before the session was opened again.
func (s *Session) countFault(e *Event) {
	if e.Error == nil || e.Error.Code != Transient {
		return
	}
	args, err := decodeArgs(e.Args)
	if err != nil {
		return
	}
	for i := range s.failed {
		f := &s.staged.faults[i]
		if s.failed[i] < f.failures && f.matches(e.Tool, args) {
			s.failed[i]++
			return
		}
	}
}

// store writes an event into the session's file, where it has one.
func (s *Session) store(ctx context.Context, e *Event) error {
	if s.file == "" {
		return nil
	}
	b, err := e.Canonical()
	if err != nil {
		return err
	}
	if err := s.d.queryOnly(ctx, false); err != nil {
		return err
	}
	st, err := s.d.prepare(ctx, engine, "INSERT INTO assay_events (seq, hash, event) VALUES (?, ?, ?)")
	if err != nil {
		return err
	}
	_, err = st.ExecContext(ctx, e.Seq, e.Hash, string(b))
	return sqlErrorOrNil(err)
}
