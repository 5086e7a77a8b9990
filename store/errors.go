package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Kind sorts the errors of a store.
type Kind string

const (
	NoRuns    Kind = "no runs"   // a reading command, and the file does not exist
	NoFolder  Kind = "no folder" // the file's folder does not exist
	ReadOnly  Kind = "read-only" // the file or its folder cannot be written
	Locked    Kind = "locked"    // another process kept the database locked for the whole busy timeout
	Full      Kind = "full"      // no room on the disk
	Corrupt   Kind = "corrupt"   // damaged, or not a database at all
	Foreign   Kind = "foreign"   // a database of another program
	Newer     Kind = "newer"     // a schema of a newer version of this program
	NotFound  Kind = "not found" // no such run, attempt, try or verdict
	Ambiguous Kind = "ambiguous" // a prefix of several runs' ids
	Duplicate Kind = "duplicate" // recorded before; nothing of the batch was
	Misuse    Kind = "misuse"    // a call that breaks a rule of the record; a bug of the caller
	Held      Kind = "held"      // another process has the lock; PID is its number
	Cancelled Kind = "cancelled" // the caller's context ended
	Failed    Kind = "failed"    // anything else from below
	TooLarge  Kind = "too large" // a transcript beyond MaxTranscript
)

// Error is an error of the store: one line that says what, where and what to do.
type Error struct {
	Kind Kind
	Path string // the database's file, as the user named it; "" where none is concerned
	Msg  string
	PID  int // of Held
	Err  error
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Msg
	}
	return e.Path + ": " + e.Msg
}

func (e *Error) Unwrap() error { return e.Err }

// KindOf gives the kind of the *Error inside err, "" when there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// fault turns any error from below into an *Error; doing says what was being done, for errors with no better text.
func (db *DB) fault(doing string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	e := &Error{Kind: Failed, Path: db.path, Msg: fmt.Sprintf("%s: %v", doing, err), Err: err}
	if se, ok := errors.AsType[*sqlite.Error](err); ok {
		db.sqliteFault(e, se.Code())
		return e
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Msg = Cancelled, doing+": interrupted"
	case errors.Is(err, syscall.ENOSPC):
		db.full(e)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		db.readOnly(e)
	}
	return e
}

// sqliteFault puts SQLite's result code into words. The low byte is the primary code.
func (db *DB) sqliteFault(e *Error, code int) {
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		e.Kind = Locked
		e.Msg = fmt.Sprintf("locked by another process for more than %v; wait until it ends, or close the program that has the file open", db.busy)
	case sqlite3.SQLITE_FULL:
		db.full(e)
	case sqlite3.SQLITE_NOTADB:
		e.Kind = Corrupt
		e.Msg = "not a database, or damaged at its beginning; move the file away, or name another with --db"
	case sqlite3.SQLITE_CORRUPT:
		e.Kind = Corrupt
		e.Msg = fmt.Sprintf("damaged (%v); keep a copy, and save what can be read with: sqlite3 FILE .recover", e.Err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		db.readOnly(e)
	case sqlite3.SQLITE_CANTOPEN:
		e.Kind = ReadOnly
		e.Msg = "cannot be opened; it must be a plain file that may be written, in a folder that may be written"
	case sqlite3.SQLITE_INTERRUPT:
		e.Kind, e.Msg = Cancelled, "interrupted"
	case sqlite3.SQLITE_IOERR:
		e.Msg = fmt.Sprintf("the disk failed (%v); see whether it is full or gone, then run the same command again", e.Err)
	}
}

func (db *DB) full(e *Error) {
	e.Kind = Full
	e.Msg = "no room left on the disk (or its quota is used up); make room and run the same command again, what is recorded stays"
}

func (db *DB) readOnly(e *Error) {
	e.Kind = ReadOnly
	e.Msg = "cannot be written; make the file and its folder writable, or name another with --db"
}

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
