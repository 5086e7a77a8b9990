package world

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"modernc.org/sqlite"
)

// writtenDown is a driver that keeps the text of every statement that reaches the store, below everything that this
// package does.
type writtenDown struct {
	driver.Driver
	mu    sync.Mutex
	texts map[string]bool
}

var tracing = func() *writtenDown {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		panic(err)
	}
	defer db.Close()
	d := &writtenDown{Driver: db.Driver(), texts: map[string]bool{}}
	sql.Register("sqlite-written-down", d)
	return d
}()

func (d *writtenDown) note(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.texts[text] = true
}

// take gives the texts so far, sorted, and forgets them.
func (d *writtenDown) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := slices.Sorted(maps.Keys(d.texts))
	d.texts = map[string]bool{}
	return out
}

func (d *writtenDown) Open(name string) (driver.Conn, error) {
	c, err := d.Driver.Open(name)
	if err != nil {
		return nil, err
	}
	return &writtenConn{c.(storeConn), d}, nil
}

// storeConn is what the store's connections do.
type storeConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.ConnBeginTx
	sqlite.HookRegisterer
	sqlite.AuthorizerRegisterer
	Serialize() ([]byte, error)
	Deserialize([]byte) error
}

type writtenConn struct {
	storeConn
	d *writtenDown
}

// Unwrap lets the store's own functions at the connection beneath.
func (c *writtenConn) Unwrap() driver.Conn { return c.storeConn }

func (c *writtenConn) Prepare(text string) (driver.Stmt, error) {
	c.d.note(text)
	return c.storeConn.Prepare(text)
}

func (c *writtenConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	c.d.note(text)
	return c.storeConn.PrepareContext(ctx, text)
}

func (c *writtenConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	c.d.note(text)
	return c.storeConn.ExecContext(ctx, text, args)
}

func (c *writtenConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	c.d.note(text)
	return c.storeConn.QueryContext(ctx, text, args)
}

// written lets the sessions of a test run on the driver that writes down.
func written(t testing.TB) {
	t.Helper()
	driverName = "sqlite-written-down"
	tracing.take()
	t.Cleanup(func() { driverName = "sqlite" })
}

// declared gives every statement that a session of a world may run: those of its tools, as they are put to the store, and
// the program's own fixed ones.
func declared(w *World) map[string]bool {
	out := map[string]bool{}
	for _, text := range []string{"BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", "PRAGMA query_only = 0", "PRAGMA query_only = 1", "PRAGMA foreign_keys = 1",
		"INSERT INTO assay_events (seq, event) VALUES (?, ?)", "SELECT event FROM assay_events ORDER BY seq",
		"CREATE TABLE IF NOT EXISTS assay_events (seq INTEGER PRIMARY KEY, event TEXT NOT NULL) STRICT"} {
		out[text] = true
	}
	for _, t := range w.Tables { // the state as it is compared with the events
		var cols []string
		for _, c := range t.Columns {
			cols = append(cols, quoteName(c.Name))
		}
		out["SELECT "+strings.Join(cols, ", ")+" FROM "+quoteName(t.Name)] = true
	}
	for _, t := range w.Tools {
		for _, id := range t.ids {
			out[id.sql.text] = true
		}
		for _, s := range t.steps {
			if s.guard != nil {
				out[s.guard.text] = true
			} else {
				out[s.run.text] = true
			}
		}
		results := []*result{&t.result}
		for i := range t.result.with {
			results = append(results, &t.result.with[i].result)
		}
		for _, r := range results {
			if r.row != nil {
				out[r.row.text] = true
				continue
			}
			out[r.sorted(r.order)] = true
			for _, s := range r.sorts {
				out[r.sorted(s.order)] = true
			}
			if r.total {
				out["SELECT count(*) FROM ("+r.rows.text+"\n)"] = true
			}
		}
	}
	return out
}
