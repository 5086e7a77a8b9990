package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// policy is what a connection lets statements do. SQLite asks while it compiles each of them, so a statement that passes
// cannot do more later, whatever its parameters hold.
type policy int

const (
	engine  policy = iota // the package's own statements
	schemas               // CREATE of tables, indexes, views and triggers
	reads                 // SELECT on the world's tables
	writes                // reads, and INSERT, UPDATE, DELETE on the world's tables
)

// database is one connection to one world's store. It is not safe for concurrent use.
type database struct {
	db     *sql.DB
	conn   *sql.Conn
	policy policy
	only   bool // query_only is on
	stmts  map[string]*sql.Stmt
	denied string          // what the authorizer refused last
	alters bool            // the statement compiled last changes a table by itself
	read   map[string]bool // the tables that statements read or change since it was emptied
	hook   *collector
}

// driverName is the store's driver; tests put one that writes down every statement in its place.
var driverName = "sqlite"

// maxText bounds a text, a blob and a stored row, in bytes. A statement holds as many of them at once as a row has columns, so
// this bounds the memory that a call can take.
const maxText = 20 << 20

// openDatabase opens a database; content, where it is not nil, becomes an in-memory database's first state.
func openDatabase(ctx context.Context, dsn string, content []byte) (*database, error) {
	db, err := sql.Open(driverName, dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	d := &database{db: db, stmts: map[string]*sql.Stmt{}}
	if d.conn, err = db.Conn(ctx); err != nil {
		db.Close()
		return nil, err
	}
	err = d.conn.Raw(func(c any) error {
		if content != nil {
			if err := c.(interface{ Deserialize([]byte) error }).Deserialize(content); err != nil {
				return err
			}
		}
		c.(sqlite.HookRegisterer).RegisterPreUpdateHook(d.changed)
		return c.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(d.authorize)
	})
	if err == nil {
		_, err = sqlite.Limit(d.conn, sqlite3.SQLITE_LIMIT_LENGTH, maxText)
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *database) close() error {
	var errs []error
	for _, s := range d.stmts {
		errs = append(errs, s.Close())
	}
	d.stmts = nil
	return errors.Join(append(errs, d.conn.Close(), d.db.Close())...)
}

// serialize gives the bytes of the whole database.
func (d *database) serialize() (b []byte, err error) {
	err = d.conn.Raw(func(c any) error {
		b, err = c.(interface{ Serialize() ([]byte, error) }).Serialize()
		return err
	})
	return b, err
}

func (d *database) changed(u sqlite.SQLitePreUpdateData) {
	if d.hook != nil {
		d.hook.add(u)
	}
}

// prepare compiles a statement under a policy and keeps it.
func (d *database) prepare(ctx context.Context, p policy, text string) (*sql.Stmt, error) {
	d.policy = p
	if s, ok := d.stmts[text]; ok {
		return s, nil
	}
	d.denied, d.alters = "", false
	s, err := d.conn.PrepareContext(ctx, text)
	if err != nil {
		if d.denied != "" {
			return nil, errors.New(d.denied)
		}
		return nil, sqlError(err)
	}
	d.stmts[text] = s
	return s, nil
}

// sqlError leaves of a driver's message what an author can use.
func sqlError(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	text := strings.TrimPrefix(e.Error(), "SQL logic error: ")
	text = strings.TrimPrefix(text, "constraint failed: ")
	if i := strings.LastIndex(text, " ("); i > 0 {
		text = text[:i]
	}
	return &storeError{text, e}
}

type storeError struct {
	text string
	err  *sqlite.Error
}

func (e *storeError) Error() string { return e.text }
func (e *storeError) Unwrap() error { return e.err }

func (d *database) exec(ctx context.Context, text string, args ...any) error {
	s, err := d.prepare(ctx, engine, text)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(ctx, args...)
	return sqlErrorOrNil(err)
}

func sqlErrorOrNil(err error) error {
	if err == nil {
		return nil
	}
	return sqlError(err)
}

// queryOnly makes the store refuse every change, or lets changes in again.
func (d *database) queryOnly(ctx context.Context, on bool) error {
	if d.only == on {
		return nil
	}
	text := "PRAGMA query_only = 0"
	if on {
		text = "PRAGMA query_only = 1"
	}
	if err := d.exec(ctx, text); err != nil {
		return err
	}
	d.only = on
	return nil
}

func (d *database) authorize(action sqlite.AuthorizerActionCode, arg1, arg2, _, inside string) sqlite.AuthorizerReturnCode {
	if d.policy == engine {
		return sqlite.AuthorizerOK
	}
	if why := d.refuses(action, arg1, arg2, inside); why != "" {
		d.denied = why
		return sqlite.AuthorizerDeny
	}
	return sqlite.AuthorizerOK
}

// triggersOf names a table's triggers, for what is said of a change that does not end.
func (d *database) triggersOf(t *Table) string {
	ctx := context.Background() // the caller's is over
	all, err := d.catalogue(ctx)
	var names []string
	for _, c := range all {
		if c.kind == "trigger" && strings.EqualFold(c.table, t.Name) {
			names = append(names, c.name)
		}
	}
	if err != nil || len(names) == 0 {
		return ""
	}
	return "; look at the table's triggers: " + strings.Join(names, ", ")
}

func (d *database) refuses(action sqlite.AuthorizerActionCode, arg1, arg2, inside string) string {
	lower := strings.ToLower(arg1)
	own := strings.HasPrefix(lower, "assay_")
	// The catalogue says more of the store than of the world, and is another in files.
	hidden := own || strings.HasPrefix(lower, "sqlite_") || strings.HasPrefix(lower, "pragma_") || slices.Contains([]string{"dbstat", "bytecode", "tables_used"}, lower)
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRecursive:
		return ""
	case sqlite.AuthFunction:
		if !slices.Contains(functions, arg2) && !strings.HasPrefix(arg2, "json") {
			return fmt.Sprintf("the function %s is not for worlds: it depends on something else than the world, or is unknown", arg2)
		}
		return ""
	case sqlite.AuthRead:
		if own || hidden && d.policy != schemas {
			return fmt.Sprintf("the table %s is not the world's", arg1)
		}
		if d.read != nil && d.policy != schemas {
			d.read[arg1] = true
		}
		return ""
	}
	if d.policy == schemas {
		switch action {
		case sqlite.AuthCreateTable, sqlite.AuthCreateIndex, sqlite.AuthCreateView, sqlite.AuthCreateTrigger, sqlite.AuthReindex:
			if own || arg2 != "" && strings.HasPrefix(strings.ToLower(arg2), "assay_") {
				return fmt.Sprintf("the name %s is kept for the program's own tables", arg1)
			}
			return ""
		case sqlite.AuthInsert, sqlite.AuthUpdate, sqlite.AuthDelete:
			if strings.HasPrefix(arg1, "sqlite_") {
				return "" // the catalogue, as a part of CREATE
			}
		}
		return "schema.sql holds CREATE TABLE, CREATE INDEX, CREATE VIEW and CREATE TRIGGER alone"
	}
	switch action {
	case sqlite.AuthInsert, sqlite.AuthUpdate, sqlite.AuthDelete:
		switch {
		case d.policy == reads && inside == "":
			return "a statement that reads must not change the world"
		case own || strings.HasPrefix(arg1, "sqlite_"):
			return fmt.Sprintf("the table %s is not the world's", arg1)
		case d.policy == writes:
			if d.read != nil {
				d.read[arg1] = true
			}
			d.alters = d.alters || inside == ""
			return ""
		}
	}
	return "only SELECT, INSERT, UPDATE and DELETE are for tools"
}

// functions are those whose value depends on their arguments alone. Functions of date and time are not among them, since
// they can be asked for the machine's clock; add_days and days_between stand for them.
var functions = []string{
	"abs", "avg", "ceil", "ceiling", "char", "coalesce", "count", "cume_dist", "dense_rank", "first_value", "floor", "format", "glob",
	"group_concat", "hex", "ifnull", "iif", "if", "instr", "lag", "last_value", "lead", "length", "like", "lower", "ltrim", "max", "min", "mod",
	"nth_value", "ntile", "nullif", "octet_length", "percent_rank", "printf", "quote", "rank", "replace", "round", "row_number", "rtrim",
	"sign", "string_agg", "substr", "substring", "sum", "total", "trim", "typeof", "unicode", "upper", "->", "->>",
	"search", "add_days", "days_between",
}
