package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/assaybench/assay/record"
)

// PageMost is how many attempts or items one page can hold.
const PageMost = 1000

// Order is what a page is sorted by. Equal ones stand in the plan's order.
type Order string

// Orders of attempts, and of items (ByPlan and ByName alone).
const (
	ByPlan    Order = ""
	ByName    Order = "name"    // the item's
	ByLatency Order = "latency" // the longest first, load time left out
	ByTokens  Order = "tokens"  // the most output first
	ByStart   Order = "start"   // the last one first
)

// Filter chooses attempts; zero members choose all. Model and Posture are indexes into the plan, NoIndex for any.
type Filter struct {
	Model, Posture int
	Family         string
	Letter         record.Letter
	Outcome        record.Outcome
	Search         string // stands anywhere in the item's name
}

// All is the filter that lets everything through.
func All() Filter { return Filter{Model: NoIndex, Posture: NoIndex} }

// Any says whether everything is let through.
func (f Filter) Any() bool { return f == All() }

// letterSQL is letterOf for the last try t and the verdict v.
var letterSQL = func() string {
	b := new(strings.Builder)
	fmt.Fprintf(b, "CASE WHEN t.outcome IS NULL THEN '%s' WHEN t.outcome = 'answered' THEN coalesce(v.letter, '%s')", record.LetterMissing, record.LetterUngradable)
	for _, o := range []record.Outcome{record.Refused, record.Truncated, record.Timeout, record.Undelivered, record.Error} {
		fmt.Fprintf(b, " WHEN t.outcome = '%s' THEN '%s'", o, record.LetterOf(o))
	}
	return b.String() + " END"
}()

// judged joins the last try and its verdict; its parameters are those of where.
const judged = lastTry + `LEFT JOIN verdicts v ON v.set_id = (SELECT id FROM sets WHERE run = ?1 AND grader = ?2) AND v.n = a.n AND v.try = t.try `

// ofItem is judged for the attempts at one item, which the index finds; the order alone would have them looked for in all.
const ofItem = " FROM attempts a INDEXED BY attempts_item " + judged

// where writes a filter's condition on attempts of a name in the statement. Parameters 1 and 2 are the run and the grader.
func (f Filter) where(name string, args *[]any) string {
	cond := name + ".run = ?1 AND ?2 = ?2"
	add := func(c string, v any) {
		*args = append(*args, v)
		cond += fmt.Sprintf(" AND "+c, len(*args))
	}
	if f.Model >= 0 {
		add(name+".model = ?%d", f.Model)
	}
	if f.Posture >= 0 {
		add(name+".posture = ?%d", f.Posture)
	}
	if f.Family != "" {
		add(name+".family = ?%d", f.Family)
	}
	if f.Search != "" {
		add("instr(lower("+name+".item), lower(?%d)) > 0", f.Search)
	}
	if f.Outcome != "" {
		add("t.outcome = ?%d", string(f.Outcome))
	}
	if f.Letter != "" {
		add(letterSQL+" = ?%d", string(f.Letter))
	}
	return cond
}

// Page gives the attempts that a filter chooses, from the place from on (0 is the first), at most PageMost.
func (db *DB) Page(ctx context.Context, r *Run, grader string, f Filter, by Order, from, limit int) ([]Row, error) {
	args := []any{r.key, grader}
	cond := f.where("a", &args)
	order := map[Order]string{ByPlan: "a.n", ByName: "a.item, a.n", ByLatency: "t.total_ns - t.load_ns DESC, a.n", ByTokens: "t.output_tokens DESC, a.n", ByStart: "t.started DESC, a.n"}[by]
	if order == "" {
		return nil, &Error{Kind: Misuse, Path: db.path, Msg: fmt.Sprintf("attempts have no order %q", by)}
	}
	args = append(args, min(limit, PageMost), from)
	return db.readRows(ctx, r, fmt.Sprintf("SELECT "+rowColumns+" FROM attempts a "+judged+" WHERE %s ORDER BY %s LIMIT ?%d OFFSET ?%d", cond, order, len(args)-1, len(args)), args...)
}

// Count counts the attempts that a filter chooses.
func (db *DB) Count(ctx context.Context, r *Run, grader string, f Filter) (int, error) {
	args := []any{r.key, grader}
	cond := f.where("a", &args)
	join := ""
	if f.Outcome != "" || f.Letter != "" {
		join = judged
	}
	var n int
	err := db.r.QueryRowContext(ctx, "SELECT count(*) FROM attempts a "+join+" WHERE "+cond, args...).Scan(&n)
	return n, db.fault("count the attempts", err)
}

// At gives the attempt with a number in the plan. Kind NotFound when the plan has none.
func (db *DB) At(ctx context.Context, r *Run, grader string, n int) (Row, error) {
	rows, err := db.readRows(ctx, r, "SELECT "+rowColumns+" FROM attempts a "+judged+" WHERE a.run = ?1 AND a.n = ?3", r.key, grader, n)
	if err != nil {
		return Row{}, err
	}
	if len(rows) == 0 {
		return Row{}, &Error{Kind: NotFound, Path: db.path, Msg: fmt.Sprintf("run %s has no attempt %d", r.ID, n)}
	}
	return rows[0], nil
}

// readRows is appendRows for a page of its own.
func (db *DB) readRows(ctx context.Context, r *Run, query string, args ...any) ([]Row, error) {
	rows, err := db.appendRows(ctx, r, nil, query, args...)
	return rows, db.fault("read the attempts", err)
}

// ItemRows is an item with its attempts, in the plan's order.
type ItemRows struct {
	Item, Family string
	Basis        record.Basis
	Rows         []Row
}

// Items gives a page of items that have an attempt which the filter chooses, each with all its attempts, and whether there are more.
func (db *DB) Items(ctx context.Context, r *Run, grader string, f Filter, by Order, from, limit int) (items []ItemRows, more bool, err error) {
	limit = min(limit, PageMost)
	args := []any{r.key, grader}
	// The plan lists each item once before it repeats any.
	cond := Filter{Model: NoIndex, Posture: NoIndex, Family: f.Family, Search: f.Search}.where("o", &args)
	args = append(args, r.Plan.Items)
	cond += fmt.Sprintf(" AND o.n < ?%d", len(args))
	if inner := (Filter{Model: f.Model, Posture: f.Posture, Letter: f.Letter, Outcome: f.Outcome}); !inner.Any() {
		cond += " AND EXISTS (SELECT 1" + ofItem + "WHERE a.item = o.item AND " + inner.where("a", &args) + ")"
	}
	order := map[Order]string{ByPlan: "o.n", ByName: "o.item"}[by]
	if order == "" {
		return nil, false, &Error{Kind: Misuse, Path: db.path, Msg: fmt.Sprintf("items have no order %q", by)}
	}
	args = append(args, limit+1, from)
	rows, err := db.r.QueryContext(ctx, fmt.Sprintf("SELECT o.item, o.family, o.basis FROM attempts o WHERE %s ORDER BY %s LIMIT ?%d OFFSET ?%d", cond, order, len(args)-1, len(args)), args...)
	if err != nil {
		return nil, false, db.fault("list the items", err)
	}
	defer rows.Close()
	for rows.Next() {
		var i ItemRows
		if err := rows.Scan(&i.Item, &i.Family, &i.Basis); err != nil {
			return nil, false, db.fault("list the items", err)
		}
		items = append(items, i)
	}
	if err := rows.Err(); err != nil {
		return nil, false, db.fault("list the items", err)
	}
	rows.Close()
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	for i := range items {
		items[i].Rows, err = db.readRows(ctx, r, "SELECT "+rowColumns+ofItem+"WHERE a.run = ?1 AND a.item = ?3 ORDER BY a.n", r.key, grader, items[i].Item)
		if err != nil {
			return nil, false, err
		}
	}
	return items, more, nil
}
