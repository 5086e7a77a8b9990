package world

import (
	"context"
	"fmt"
	"strings"
)

// wholeSchema compiles what SQLite leaves until it is used: the bodies of triggers first, since every change of a table
// compiles them too, then tables with their defaults, and views. They come under the same rules as the statements of tools.
func (d *database) wholeSchema(ctx context.Context, w *World) error {
	d.policy = engine
	rows, err := d.conn.QueryContext(ctx, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type <> 'trigger', rowid")
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
