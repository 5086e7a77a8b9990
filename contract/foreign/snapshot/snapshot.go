// Package snapshot reads the tables of a foreign world's database file. The file is hostile input: it is read in memory, tables
// alone are looked at and no view, trigger or virtual table of it runs.
package snapshot

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/assaybench/assay/contract/foreign"
)

// Max bounds a file, in bytes; maxValue a text or blob in it.
const (
	Max      = 256 << 20
	maxValue = 32 << 20
)

// Magic begins every file of SQLite's.
const Magic = "SQLite format 3\x00"

// Read gives every plain table, rows in the order of their keys.
func Read(ctx context.Context, file []byte) (map[string][]foreign.Row, error) {
	if !strings.HasPrefix(string(file[:min(len(file), len(Magic))]), Magic) {
		return nil, errors.New("it is no database of SQLite")
	}
	if len(file) > Max {
		return nil, fmt.Errorf("it has more than %d bytes", Max)
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.Raw(func(c any) error {
		if err := c.(interface{ Deserialize([]byte) error }).Deserialize(file); err != nil {
			return err
		}
		return c.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(allow)
	}); err != nil {
		return nil, fmt.Errorf("it cannot be opened: %w", err)
	}
	if _, err := sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, maxValue); err != nil {
		return nil, err
	}
	names, err := tables(ctx, conn)
	if err != nil {
		return nil, err
	}
	out, left := map[string][]foreign.Row{}, foreign.MaxRows
	for _, n := range names {
		rows, err := read(ctx, conn, n, left)
		if err != nil {
			return nil, fmt.Errorf("table %.80q: %w", n, err)
		}
		out[n], left = rows, left-len(rows)
	}
	return out, nil
}

// allow lets statements read, and do nothing else.
func allow(action sqlite.AuthorizerActionCode, _, _, _, inside string) sqlite.AuthorizerReturnCode {
	if inside == "" && (action == sqlite3.SQLITE_SELECT || action == sqlite3.SQLITE_READ) {
		return sqlite.AuthorizerOK
	}
	return sqlite.AuthorizerDeny
}

func tables(ctx context.Context, conn *sql.Conn) ([]string, error) {
	rows, err := conn.QueryContext(ctx, `SELECT name, sql FROM sqlite_master WHERE type = 'table'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var name string
		var text sql.NullString
		if err := rows.Scan(&name, &text); err != nil {
			return nil, err
		}
		words := strings.Fields(strings.ToLower(text.String))
		if strings.HasPrefix(name, "sqlite_") || len(words) < 2 || words[1] == "virtual" {
			continue
		}
		out = append(out, name)
	}
	return out, rows.Err()
}

func read(ctx context.Context, conn *sql.Conn, table string, most int) ([]foreign.Row, error) {
	order := ""
	if table == foreign.TraceTable {
		order = " ORDER BY trace_index"
	}
	rows, err := conn.QueryContext(ctx, `SELECT * FROM "`+strings.ReplaceAll(table, `"`, `""`)+`"`+order)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	out := []foreign.Row{}
	for rows.Next() {
		if len(out) >= most {
			return nil, fmt.Errorf("there are more than %d rows", foreign.MaxRows)
		}
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		r := foreign.Row{}
		for i, n := range names {
			r[n] = exactly(values[i])
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// exactly takes a column's value as contracts compare it. A blob is no value that a contract speaks of.
func exactly(v any) any {
	switch x := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(x)
	case float64:
		if r := new(big.Rat).SetFloat64(x); r != nil {
			return r
		}
		return fmt.Sprint(x)
	case string:
		return x
	case bool:
		return new(big.Rat).SetInt64(map[bool]int64{true: 1}[x])
	case []byte:
		return "blob of " + fmt.Sprint(len(x)) + " bytes"
	}
	return nil
}
