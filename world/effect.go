package world

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Table is a table of a world.
type Table struct {
	Name    string
	Columns []Column
	Key     []string // the primary key's columns
}

// Column is a column of a table. Type is INTEGER, INT, REAL, TEXT, BLOB or ANY.
type Column struct {
	Name    string
	Type    string
	NotNull bool
}

// Has says whether a table has a column.
func (t *Table) Has(column string) bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Name == column })
}

func (t *Table) row(values []any) Row {
	r := make(Row, len(t.Columns))
	for i, c := range t.Columns {
		v := values[i]
		switch x := v.(type) {
		case []byte:
			v = Blob(slices.Clone(x))
		case int64:
			if c.Type == "REAL" { // the store reports whole ones as it packs them
				v = float64(x)
			}
		}
		r[c.Name] = v
	}
	return r
}

// check says why a row cannot be written as JSON: texts that are no texts and numbers that are none, which only a world's
// own statements can make.
func (t *Table) check(r Row) error {
	for _, c := range t.Columns {
		switch x := r[c.Name].(type) {
		case string:
			if !utf8.ValidString(x) {
				return fmt.Errorf("the column %s of %s would hold a text that is not UTF-8", c.Name, t.Name)
			}
		case float64:
			if math.IsInf(x, 0) || math.IsNaN(x) {
				return fmt.Errorf("the column %s of %s would hold a number that is not finite", c.Name, t.Name)
			}
		}
	}
	return nil
}

func (t *Table) key(r Row) Row {
	k := make(Row, len(t.Key))
	for _, c := range t.Key {
		k[c] = r[c]
	}
	return k
}

// ident is a key's text, by which rows of one table are told apart and sorted.
func ident(k Row) string {
	b := []byte{'{'}
	for i, name := range keys(k) {
		if i > 0 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, name)
		b = append(b, ':')
		switch x := k[name].(type) {
		case string: // nearly all; the general way takes ten times as long
			b, _ = jsontext.AppendQuote(b, x)
		case int64:
			b = strconv.AppendInt(b, x, 10)
		default:
			v, _ := json.Marshal(x, json.Deterministic(true))
			b = append(b, v...)
		}
	}
	if k == nil {
		return "null"
	}
	return string(append(b, '}'))
}

// collector gathers what one call changes, as the store reports it.
type collector struct {
	tables map[string]*Table
	rows   map[string]*Change // by table and key
	size   int                // bytes of the rows so far
	stop   func()             // ends the statement that is at work
	err    error
}

// maxEffect bounds what one call changes, in bytes of the rows before and after.
const maxEffect = 64 << 20

var errMuch = &CallError{Code: Limit, Message: fmt.Sprintf("one call would change more than %d MiB of records; make it smaller", maxEffect>>20)}

func newCollector(tables []*Table) *collector {
	c := &collector{tables: map[string]*Table{}, rows: map[string]*Change{}}
	for _, t := range tables {
		c.tables[t.Name] = t
	}
	return c
}

func (c *collector) add(u sqlite.SQLitePreUpdateData) {
	if c.size > maxEffect { // nothing of it will stand
		return
	}
	t := c.tables[u.TableName]
	if t == nil {
		if !strings.HasPrefix(u.TableName, "assay_") && !strings.HasPrefix(u.TableName, "sqlite_") {
			c.err = errors.Join(c.err, fmt.Errorf("a change of the unknown table %s", u.TableName))
		}
		return
	}
	var before, after Row
	values := make([]any, u.Count())
	if len(values) != len(t.Columns) {
		c.err = errors.Join(c.err, fmt.Errorf("a change of %s has %d columns", t.Name, len(values)))
		return
	}
	if u.Op != sqlite3.SQLITE_INSERT {
		c.err = errors.Join(c.err, u.Old(values...))
		c.size += sizeOf(values) + 64
		before = t.row(values)
	}
	if u.Op != sqlite3.SQLITE_DELETE {
		c.err = errors.Join(c.err, u.New(values...))
		c.size += sizeOf(values) + 64
		after = t.row(values)
		c.err = errors.Join(c.err, t.check(after))
	}
	if c.size > maxEffect {
		c.err = errMuch
		clear(c.rows)
		if c.stop != nil {
			c.stop()
		}
		return
	}
	if before != nil && after != nil && !sameRow(t.key(before), t.key(after)) {
		c.merge(t, t.key(before), before, nil)
		c.merge(t, t.key(after), nil, after)
		return
	}
	if after != nil {
		c.merge(t, t.key(after), before, after)
	} else {
		c.merge(t, t.key(before), before, after)
	}
}

// merge joins a change to what was changed of that row before: a call's effect is what it comes to.
func (c *collector) merge(t *Table, key, before, after Row) {
	at := t.Name + "\x00" + ident(key)
	if old := c.rows[at]; old != nil {
		before = old.Before
	}
	c.rows[at] = &Change{Table: t.Name, Key: key, Before: before, After: after}
}

// effect gives the changes, ordered by table and key, and forgets them.
func (c *collector) effect() ([]Change, error) {
	var out []Change
	for _, at := range slices.Sorted(maps.Keys(c.rows)) {
		if ch := c.rows[at]; ch.name() {
			out = append(out, *ch)
		}
	}
	err := c.err
	clear(c.rows)
	c.err, c.size, c.stop = nil, 0, nil
	return out, err
}

// name says which op a change is; false for none.
func (c *Change) name() bool {
	switch {
	case c.Before == nil && c.After == nil:
		return false
	case c.Before == nil:
		c.Op = Insert
	case c.After == nil:
		c.Op = Delete
	case sameRow(c.Before, c.After):
		return false
	default:
		c.Op = Update
	}
	return true
}

// Net joins the effects of events in their order to what they come to, ordered by table and key: the changes between the
// state before the first and the state after the last.
func Net(events []Event) []Change {
	rows := map[string]*Change{}
	for _, e := range events {
		for _, ch := range e.Effect {
			at := ch.Table + "\x00" + ident(ch.Key)
			before := ch.Before
			if old := rows[at]; old != nil {
				before = old.Before
			}
			rows[at] = &Change{Table: ch.Table, Key: ch.Key, Before: before, After: ch.After}
		}
	}
	out := []Change{}
	for _, at := range slices.Sorted(maps.Keys(rows)) {
		if ch := rows[at]; ch.name() {
			out = append(out, *ch)
		}
	}
	return out
}
