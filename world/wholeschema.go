package world

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assaybench/assay/bench"
)

// wholeSchema compiles what SQLite leaves until it is used: views, the bodies of triggers, and the defaults of columns.
// They come under the same rules as the statements of tools.
func (d *database) wholeSchema(ctx context.Context, w *World) error {
	d.policy = engine
	rows, err := d.conn.QueryContext(ctx, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
	if err != nil {
		return sqlError(err)
	}
	type object struct{ kind, name, table, sql string }
	var all []object
	for rows.Next() {
		var o object
		if err := rows.Scan(&o.kind, &o.name, &o.table, &o.sql); err != nil {
			rows.Close()
			return err
		}
		all = append(all, o)
	}
	if err := rows.Err(); err != nil {
		return sqlError(err)
	}
	for _, o := range all {
		text, p := "", writes
		switch o.kind {
		case "view":
			text, p = "SELECT * FROM "+quoteName(o.name), reads
		case "table":
			text = "INSERT INTO " + quoteName(o.name) + " DEFAULT VALUES"
		case "trigger":
			text, err = d.fires(ctx, o.table, o.sql)
		}
		if text == "" && err == nil {
			continue
		}
		if err == nil {
			_, err = d.prepare(ctx, p, text)
		}
		if err != nil {
			return &pieceError{w.lineOf(o.kind, o.name), fmt.Sprintf("the %s %s: %v", o.kind, o.name, err)}
		}
	}
	for _, p := range w.script {
		if err := d.fixedDefaults(p); err != nil {
			return err
		}
	}
	return nil
}

// fires gives a statement that makes a trigger fire.
func (d *database) fires(ctx context.Context, table, sql string) (string, error) {
	event := ""
	_ = scanSQL(sql, func(kind byte, token string) error {
		if word := strings.ToUpper(token); kind == 'w' && event == "" && (word == "INSERT" || word == "UPDATE" || word == "DELETE") {
			event = word
		}
		return nil
	})
	switch event {
	case "INSERT":
		return "INSERT INTO " + quoteName(table) + " DEFAULT VALUES", nil
	case "DELETE":
		return "DELETE FROM " + quoteName(table), nil
	}
	d.policy = engine
	rows, err := d.conn.QueryContext(ctx, "SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return "", sqlError(err)
	}
	defer rows.Close()
	var sets []string
	for rows.Next() {
		var c string
		if err := rows.Scan(&c); err != nil {
			return "", err
		}
		sets = append(sets, quoteName(c)+" = "+quoteName(c))
	}
	return "UPDATE " + quoteName(table) + " SET " + strings.Join(sets, ", "), rows.Err()
}

// fixedDefaults refuses defaults that the authorizer is not asked about: the machine's clock and chance.
func (d *database) fixedDefaults(p piece) error {
	last, after, depth := "", false, 0
	return scanSQL(p.text, func(kind byte, token string) error {
		word := strings.ToUpper(token)
		switch {
		case kind == ' ':
			return nil
		case kind == '(' && after:
			depth++
		case kind == ')' && depth > 0:
			depth--
			after = depth > 0
		case kind == 'w' && last == "DEFAULT" && strings.HasPrefix(word, "CURRENT_"):
			return &pieceError{p.line, fmt.Sprintf("the default %s is the machine's clock; the world's is :now", token)}
		case kind == 'w' && depth > 0 && !permitted(strings.ToLower(token)):
			return &pieceError{p.line, fmt.Sprintf("the default names %s, and a default of a world is a value or made of functions that depend on nothing else", token)}
		}
		after = depth > 0 || kind == 'w' && word == "DEFAULT"
		last = word
		return nil
	})
}

// permitted says whether a word of a default's expression is harmless: a number, a keyword of expressions, or a function
// that worlds may use.
func permitted(word string) bool {
	if word[0] >= '0' && word[0] <= '9' || strings.HasPrefix(word, "json") {
		return true
	}
	for _, list := range [][]string{functions, {"null", "true", "false", "case", "when", "then", "else", "end", "and", "or", "not", "is", "in", "between", "cast", "as", "text", "integer", "int", "real", "blob", "any", "collate", "nocase", "rtrim", "binary", "e"}} {
		for _, w := range list {
			if w == word {
				return true
			}
		}
	}
	return false
}

// lineOf finds where the schema makes an object; 0 where that is not to be seen.
func (w *World) lineOf(kind, name string) int {
	for _, p := range w.script {
		at, found := 0, false
		_ = scanSQL(p.text, func(k byte, token string) error {
			if k == ' ' {
				return nil
			}
			at++
			if at <= 8 && strings.EqualFold(strings.Trim(token, "\"`[]'"), name) {
				found = true
			}
			return nil
		})
		if found && strings.Contains(strings.ToUpper(p.text[:min(len(p.text), 60)]), strings.ToUpper(kind)) {
			return p.line
		}
	}
	return 0
}

// oneByOne gives each of joined errors the file that it is about.
func oneByOne(file string, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return &bench.Error{File: file, Msg: err.Error()}
	}
	var out []error
	for _, e := range joined.Unwrap() {
		out = append(out, oneByOne(file, e))
	}
	return errors.Join(out...)
}
