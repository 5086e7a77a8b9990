package world

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// openWorldFile opens an episode's file and begins a transaction. One process owns a session: the lock is the database's own, and the
// end of the process frees it. The log is written ahead of the file, which a killed process cannot tear.
func openWorldFile(ctx context.Context, dir string) (path string, d *database, err error) {
	if path, err = filepath.Abs(filepath.Join(dir, worldFile)); err != nil {
		return "", nil, err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm", path + "-journal"} { // the store would wait for a pipe
		if st, err := os.Lstat(name); err == nil && !st.Mode().IsRegular() {
			return "", nil, fmt.Errorf("%s is no file", name)
		}
	}
	dsn := (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}).String() +
		"?mode=rw&_pragma=locking_mode(EXCLUSIVE)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-256)"
	if d, err = openDatabase(ctx, dsn, nil); err == nil {
		if err = d.exec(ctx, "BEGIN IMMEDIATE"); err == nil { // takes the lock now
			return path, d, nil
		}
		d.close()
	}
	if se := (*sqlite.Error)(nil); errors.As(err, &se) && se.Code()&0xff == sqlite3.SQLITE_BUSY {
		return "", nil, fmt.Errorf("another process works on the episode %s; wait for it, or stop it", dir)
	}
	return "", nil, fmt.Errorf("%s: %w", path, err)
}

// Idle says whether nobody works on the episode in a folder, whatever its world is now; the error says why not.
func Idle(ctx context.Context, dir string) error {
	_, d, err := openWorldFile(ctx, dir)
	if err != nil {
		return err
	}
	return errors.Join(d.exec(ctx, "ROLLBACK"), d.close())
}

func (w *World) open(ctx context.Context, sp Spec, seed *Seed, dir string) (*Session, error) {
	path, d, err := openWorldFile(ctx, dir)
	if err != nil {
		return nil, err
	}
	if err = d.sameSchema(ctx, seed); err == nil {
		err = d.openLog(ctx)
	}
	if err == nil {
		err = d.exec(ctx, "COMMIT")
	}
	if err != nil {
		d.close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s, err := w.session(ctx, sp, seed, d)
	if err != nil {
		return nil, err
	}
	s.file = path
	return s, nil
}

// sameSchema holds a file's catalogue against the seed's, before anything else of the file is read: a table that became a view
// could hold rows without end, and a trigger could change what calls do.
func (d *database) sameSchema(ctx context.Context, seed *Seed) error {
	have, err := d.catalogue(ctx)
	if err != nil {
		return err
	}
	left := slices.Clone(seed.schema)
	for _, entry := range have {
		if i := slices.Index(left, entry); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		if !slices.ContainsFunc(logTables, func(text string) bool {
			return entry.text == "CREATE TABLE "+text || entry.text == "CREATE TRIGGER "+text
		}) {
			return fmt.Errorf("the file holds the %s %q, which the world's schema does not have as it is there; the file was altered", oneLine(entry.kind, 40), oneLine(entry.name, 100))
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("the file lacks the %s %q of the world's schema; the file was altered", left[0].kind, left[0].name)
	}
	return nil
}

// catalogued is one entry of a store's catalogue; text is "" of the indexes that the store makes by itself.
type catalogued struct{ kind, name, table, text string }

// maxCatalogue bounds what is read of a file's catalogue; schema.sql has at most 4 MiB.
const maxCatalogue = 20_000

func (d *database) catalogue(ctx context.Context) ([]catalogued, error) {
	d.policy = engine
	rows, err := d.conn.QueryContext(ctx, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT GLOB 'sqlite_stat*' LIMIT ?", maxCatalogue+1)
	if err != nil {
		return nil, sqlError(err)
	}
	defer rows.Close()
	var out []catalogued
	for rows.Next() {
		var c catalogued
		if err := rows.Scan(&c.kind, &c.name, &c.table, &c.text); err != nil {
			return nil, err
		}
		if out = append(out, c); len(out) > maxCatalogue {
			return nil, fmt.Errorf("the catalogue has more than %d entries", maxCatalogue)
		}
	}
	return out, sqlErrorOrNil(rows.Err())
}
