package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// errHeld is what lockFile gives when another open file holds the lock.
var errHeld = errors.New("held")

// Lock implements Store. The lock is the operating system's, on a file beside the database (DB.NAME.lock) that holds
// the owner's pid, so that the end of a process, kill -9 included, frees it.
func (db *DB) Lock(ctx context.Context, name string) (unlock func() error, err error) {
	path := db.path + "." + name + ".lock"
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, db.fault("lock "+name, err)
		}
		if err := lockFile(f); err != nil {
			f.Close()
			if errors.Is(err, errHeld) {
				return nil, db.held(ctx, name, path)
			}
			return nil, db.fault("lock "+name, err)
		}
		if !current(f, path) {
			f.Close() // its owner removed it between our opening and our locking; make another
			continue
		}
		if err := errors.Join(f.Truncate(0), writePID(f)); err != nil {
			f.Close()
			return nil, db.fault("lock "+name, err)
		}
		return sync.OnceValue(func() error { return removeLocked(f, path) }), nil
	}
}

func writePID(f *os.File) error {
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// current reports whether f is still the file of that name.
func current(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}

// held names the owner. Its pid is written just after it takes the lock, so a file that is still empty is read again.
func (db *DB) held(ctx context.Context, name, path string) error {
	pid := 0
	for range 20 {
		b, _ := os.ReadFile(path)
		if n, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
			pid = n
			break
		}
		select {
		case <-ctx.Done():
			return db.fault("lock "+name, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
	who := "another process"
	if pid > 0 {
		who = fmt.Sprintf("process %d", pid)
	}
	return &Error{Kind: Held, Path: db.path, PID: pid, Msg: fmt.Sprintf("%s is working on %s; wait for it, or stop it", who, strings.Replace(name, "-", " ", 1))}
}
