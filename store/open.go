package store

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// DB is a store in one SQLite file, in write-ahead mode: one writing connection, readers beside it that never block it.
type DB struct {
	path string // as the user named it
	busy time.Duration
	w    *sql.DB // one connection; nil for a store opened to read
	r    *sql.DB
	kept sync.Map // query -> *sql.Stmt of w, which closes them with itself
}

// Options say how a store is opened. The zero value opens an existing file to read and write.
type Options struct {
	// Create makes the file if it does not exist, and its folder if that is named .assay and is the only one missing.
	Create bool
	// ReadOnly opens an existing file to read, even in a folder that cannot be written.
	ReadOnly bool
	// Busy is how long to wait for another process's lock; 0 means 10 s.
	Busy time.Duration
	// MaxPages bounds the file at so many pages of 4096 bytes; 0 means no bound. It stands in for a full disk.
	MaxPages int
}

// Open opens the store in a file. Kinds: NoRuns (without Create), NoFolder, ReadOnly, Locked, Full, Corrupt, Foreign,
// Newer.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	if o.Busy == 0 {
		o.Busy = 10 * time.Second
	}
	db := &DB{path: path, busy: o.Busy}
	if err := db.checkFile(o); err != nil {
		return nil, err
	}
	if err := db.connectInTurn(ctx, o); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// connectInTurn connects one process after another: SQLite waits for nobody while a file is made, turned to WAL or, by the
// last one that closes it, turned back.
func (db *DB) connectInTurn(ctx context.Context, o Options) error {
	if o.ReadOnly {
		return db.connect(ctx, o)
	}
	deadline := time.Now().Add(o.Busy)
	for {
		unlock, err := db.Lock(ctx, "open")
		if err == nil {
			err = db.connect(ctx, o)
			if uerr := unlock(); err == nil {
				err = uerr
			}
		}
		kind := KindOf(err)
		if kind != Held && kind != Locked || time.Now().After(deadline) || ctx.Err() != nil {
			return err
		}
		db.Close()
		db.w, db.r = nil, nil
		time.Sleep(openAgain)
	}
}

// openAgain is how long to wait before another process is expected to be through.
const openAgain = 10 * time.Millisecond

// checkFile sees to what SQLite would only call "unable to open".
func (db *DB) checkFile(o Options) error {
	dir := filepath.Dir(db.path)
	st, err := os.Stat(db.path)
	switch {
	case err == nil && st.IsDir():
		return &Error{Kind: Corrupt, Path: db.path, Msg: "a folder, not a database; name a file with --db"}
	case err == nil && !st.Mode().IsRegular():
		return &Error{Kind: NoFolder, Path: db.path, Msg: "not a plain file; name a file with --db"}
	case err == nil:
		return nil
	case !isNotExist(err):
		return db.fault("open the database", err)
	case !o.Create:
		return &Error{Kind: NoRuns, Msg: fmt.Sprintf("no runs here (%s does not exist); make one with: assay run BENCH --model M", db.path)}
	}
	if st, err := os.Stat(dir); err == nil && st.IsDir() {
		return nil
	}
	if filepath.Base(dir) == ".assay" {
		err := os.Mkdir(dir, 0o755)
		if err == nil || !isNotExist(err) {
			return db.fault("make the folder "+dir, err)
		}
	}
	return &Error{Kind: NoFolder, Path: db.path, Msg: fmt.Sprintf("the folder %s does not exist; make it, or name another with --db", dir)}
}

func (db *DB) connect(ctx context.Context, o Options) error {
	q := url.Values{}
	pragma := func(s string, a ...any) { q.Add("_pragma", fmt.Sprintf(s, a...)) }
	pragma("busy_timeout(%d)", o.Busy.Milliseconds())
	// A small page cache: every access pattern here is by key or in key order.
	pragma("cache_size(-2000)")
	pragma("foreign_keys(1)")
	if o.ReadOnly {
		return db.connectReader(ctx, q)
	}
	q.Set("mode", "rw")
	if o.Create {
		q.Set("mode", "rwc")
	}
	q.Set("_txlock", "immediate")
	pragma("journal_mode(WAL)")
	// FULL, so that a commit outlives a power cut; the group commit above makes it cheap.
	pragma("synchronous(FULL)")
	pragma("fullfsync(1)")
	pragma("journal_size_limit(%d)", 16<<20)
	// The log is worked off in small portions, while answers are waited for, and not all at the end.
	pragma("wal_autocheckpoint(200)")
	if o.MaxPages > 0 {
		pragma("max_page_count(%d)", o.MaxPages)
	}
	db.w = open(db.path, q)
	db.w.SetMaxOpenConns(1)
	if err := db.migrate(ctx); err != nil {
		return err
	}
	q.Set("mode", "rw") // the shared-memory file of WAL must be writable, even to readers
	pragma("query_only(1)")
	pragma("cache_size(-500)") // the last one counts; readers go through the tables in their order
	db.r = open(db.path, q)
	db.r.SetMaxIdleConns(1)
	return nil
}

// connectReader opens an existing database to read. Even a reader of a WAL database writes the shared-memory file beside
// it, and clears it away at the end (which mode=ro would not); where the folder forbids that, a database without a
// pending log can be read as immutable.
func (db *DB) connectReader(ctx context.Context, q url.Values) error {
	q.Set("mode", "rw")
	q.Add("_pragma", "query_only(1)")
	db.r = open(db.path, q)
	id, version, err := db.header(ctx, db.r)
	if KindOf(err) == ReadOnly {
		if st, serr := os.Stat(db.path + "-wal"); serr == nil && st.Size() > 0 {
			return &Error{Kind: ReadOnly, Path: db.path, Err: err,
				Msg: "its log (-wal) holds changes and the folder cannot be written; copy the database with its log to a folder that can"}
		}
		db.r.Close()
		q.Set("mode", "ro")
		q.Set("immutable", "1")
		db.r = open(db.path, q)
		id, version, err = db.header(ctx, db.r)
	}
	if err != nil {
		return err
	}
	if err := db.checkHeader(id, version); err != nil {
		return err
	}
	if version < len(migrations) {
		return &Error{Kind: ReadOnly, Path: db.path,
			Msg: fmt.Sprintf("has the schema %d of an older Assay, and this one reads %d; open it once with assay run, which brings it up to date", version, len(migrations))}
	}
	db.r.SetMaxIdleConns(1)
	return nil
}

// open never fails by itself: the driver connects at the first use.
func open(path string, q url.Values) *sql.DB {
	d, err := sql.Open("sqlite", uri(path)+"?"+q.Encode())
	if err != nil {
		panic("store: the driver is linked in: " + err.Error())
	}
	return d
}

// uri writes a file name as SQLite's URI form takes it, drive letters and odd characters included.
func uri(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/x becomes file:///C:/x
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// Path is the database's file as the user named it.
func (db *DB) Path() string { return db.path }

// Close closes the store; what is recorded is on the disk already.
func (db *DB) Close() error {
	var err error
	if db.r != nil {
		err = db.r.Close()
	}
	if db.w != nil {
		if e := db.w.Close(); err == nil {
			err = e
		}
	}
	return db.fault("close the database", err)
}

// Check reads the whole file and reports the first damage that it finds (kind Corrupt). It takes seconds for a large one.
func (db *DB) Check(ctx context.Context) error {
	var first string
	if err := db.r.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&first); err != nil {
		return db.fault("check the database", err)
	}
	if first != "ok" {
		return &Error{Kind: Corrupt, Path: db.path, Msg: "damaged: " + strings.ReplaceAll(first, "\n", " ") + "; keep a copy, and save what can be read with: sqlite3 FILE .recover"}
	}
	return nil
}
