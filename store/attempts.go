package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"github.com/assaybench/assay/record"
)

const selectTask = `SELECT a.n, a.model, a.posture, a.repeat, a.item, a.family, a.basis,
	(SELECT coalesce(max(t.try), 0) FROM tries t WHERE t.run = a.run AND t.n = a.n)
FROM attempts a `

// Pending implements Store.
func (db *DB) Pending(ctx context.Context, r *Run, after, limit int) ([]Task, error) {
	return db.tasks(ctx, r, selectTask+`WHERE a.run = ?1 AND a.n > ?2
AND NOT EXISTS (SELECT 1 FROM tries t WHERE t.run = a.run AND t.n = a.n AND `+isLast+` AND t.outcome <> 'error')
ORDER BY a.n LIMIT ?3`, r.key, after, limit)
}

// Ungraded implements Store.
func (db *DB) Ungraded(ctx context.Context, r *Run, grader string, heal bool, after, limit int) ([]Task, error) {
	return db.tasks(ctx, r, selectTask+`WHERE a.run = ?1 AND a.n > ?2
AND EXISTS (SELECT 1 FROM tries t WHERE t.run = a.run AND t.n = a.n AND `+isLast+` AND t.outcome <> 'error' AND (t.outcome = 'answered' OR t.answer_bytes > 0)
	AND NOT EXISTS (SELECT 1 FROM verdicts v WHERE v.set_id = (SELECT id FROM sets WHERE run = ?1 AND grader = ?4) AND v.n = t.n AND v.try = t.try AND (v.state <> 'ungradable' OR NOT ?5)))
ORDER BY a.n LIMIT ?3`, r.key, after, limit, grader, heal)
}

// FindTask implements Store.
func (db *DB) FindTask(ctx context.Context, r *Run, key record.Key) (Task, error) {
	found, err := db.tasks(ctx, r, selectTask+"WHERE a.run = ?1 AND a.item = ?2 AND a.repeat = ?3 ORDER BY a.n", r.key, key.Item, key.Repeat)
	if err != nil {
		return Task{}, err
	}
	for _, t := range found {
		if t.Key == key {
			return t, nil
		}
	}
	return Task{}, &Error{Kind: NotFound, Path: db.path,
		Msg: fmt.Sprintf("run %s has no attempt at item %q by %q, posture %q, repeat %d", r.ID, key.Item, key.Model, key.Posture, key.Repeat)}
}

func (db *DB) tasks(ctx context.Context, r *Run, query string, args ...any) ([]Task, error) {
	rows, err := db.r.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, db.fault("read the attempts", err)
	}
	defer rows.Close()
	var out []Task
	for rows.Next() {
		var t Task
		var posture, repeat int
		var item string
		if err := rows.Scan(&t.N, &t.Model, &posture, &repeat, &item, &t.Family, &t.Basis, &t.Tries); err != nil {
			return nil, db.fault("read the attempts", err)
		}
		var ok bool
		if t.Key, ok = r.attemptKey(t.Model, posture, item, repeat); !ok {
			return nil, db.unplanned(r, t.N)
		}
		out = append(out, t)
	}
	return out, db.fault("read the attempts", rows.Err())
}

func (db *DB) unplanned(r *Run, n int) error {
	return &Error{Kind: Corrupt, Path: db.path, Msg: fmt.Sprintf("attempt %d of run %s names a model or posture that its plan does not have", n, r.ID)}
}

// tryColumns are the columns of a try in TryRow's order.
const tryColumns = `t.try, t.outcome, t.reason, t.prompt_tokens, t.output_tokens, t.thinking_tokens, t.cached_tokens,
	t.started, t.total_ns, t.load_ns, t.queue_ns, t.prompt_ns, t.output_ns, t.delivery, t.answer_bytes, t.thinking_bytes, t.answer_sum`

// isLast says of a try of the attempt a that it is the last one, which decides what the attempt is. lastTry joins it.
const (
	isLast  = `t.try = (SELECT max(x.try) FROM tries x WHERE x.run = a.run AND x.n = a.n)`
	lastTry = `LEFT JOIN tries t ON t.run = a.run AND t.n = a.n AND ` + isLast + ` `
)

// pageRows is how many attempts Rows holds at once.
const pageRows = 256

// Rows implements Store.
func (db *DB) Rows(ctx context.Context, r *Run, grader string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		page := make([]Row, 0, pageRows)
		for after := -1; ; after = page[len(page)-1].N {
			var err error
			if page, err = db.rowsPage(ctx, r, grader, after, page[:0]); err != nil {
				yield(Row{}, db.fault("read the attempts", err))
				return
			}
			for i := range page {
				if !yield(page[i], nil) {
					return
				}
			}
			if len(page) < pageRows {
				return
			}
		}
	}
}

// rowColumns are what scanRow reads of the attempt a, its last try t and the verdict v.
const rowColumns = `a.n, a.model, a.posture, a.repeat, a.item, a.family, a.basis, v.pass, v.state, v.letter, ` + tryColumns

func (db *DB) rowsPage(ctx context.Context, r *Run, grader string, after int, page []Row) ([]Row, error) {
	return db.appendRows(ctx, r, page, `SELECT `+rowColumns+`
FROM attempts a `+judged+`WHERE a.run = ?1 AND a.n > ?3 ORDER BY a.n LIMIT ?4`, r.key, grader, after, pageRows)
}

// appendRows appends what a statement gives, which selects rowColumns.
func (db *DB) appendRows(ctx context.Context, r *Run, page []Row, query string, args ...any) ([]Row, error) {
	rows, err := db.r.QueryContext(ctx, query, args...)
	if err != nil {
		return page, err
	}
	defer rows.Close()
	for rows.Next() {
		var row Row
		var model, posture, repeat int
		var item string
		var pass sql.NullBool
		var state, letter sql.NullString
		var c tryScan
		dest := append([]any{&row.N, &model, &posture, &repeat, &item, &row.Family, &row.Basis, &pass, &state, &letter}, c.dest()...)
		if err := rows.Scan(dest...); err != nil {
			return page, err
		}
		var ok bool
		if row.Key, ok = r.attemptKey(model, posture, item, repeat); !ok {
			return page, db.unplanned(r, row.N)
		}
		row.TryRow = c.row()
		row.State = record.State(state.String)
		row.Letter = letterOf(row.Outcome, letter.String)
		row.Pass = pass.Bool && row.Outcome == record.Answered
		page = append(page, row)
	}
	return page, rows.Err()
}

// letterOf is an attempt's letter: the outcome's own, or the verdict's for one that answered; "?" while it has none.
func letterOf(o record.Outcome, verdict string) record.Letter {
	switch {
	case o == "":
		return record.LetterMissing
	case o != record.Answered:
		return record.LetterOf(o)
	case verdict == "":
		return record.LetterUngradable
	}
	return record.Letter(verdict)
}

// tryScan reads tryColumns where there may be no try.
type tryScan struct {
	try                        sql.NullInt64
	outcome, reason, delivery  sql.NullString
	usage                      [4]sql.NullInt64
	started                    sql.NullInt64
	timing                     [5]sql.NullInt64
	answerBytes, thinkingBytes sql.NullInt64
	sum                        sql.RawBytes
}

func (c *tryScan) dest() []any {
	d := []any{&c.try, &c.outcome, &c.reason}
	for i := range c.usage {
		d = append(d, &c.usage[i])
	}
	d = append(d, &c.started)
	for i := range c.timing {
		d = append(d, &c.timing[i])
	}
	return append(d, &c.delivery, &c.answerBytes, &c.thinkingBytes, &c.sum)
}

func (c *tryScan) row() TryRow {
	t := TryRow{Try: int(c.try.Int64), Outcome: record.Outcome(c.outcome.String), Reason: c.reason.String, Delivery: c.delivery.String,
		AnswerBytes: c.answerBytes.Int64, ThinkingBytes: c.thinkingBytes.Int64}
	for i, p := range []**int64{&t.Usage.Prompt, &t.Usage.Output, &t.Usage.Thinking, &t.Usage.Cached} {
		if c.usage[i].Valid {
			v := c.usage[i].Int64
			*p = &v
		}
	}
	t.Timing.Started = fromNanos(c.started.Int64)
	for i, p := range []*int64{&t.Timing.Total, &t.Timing.Load, &t.Timing.Queue, &t.Timing.Prompt, &t.Timing.Output} {
		*p = c.timing[i].Int64
	}
	copy(t.AnswerSum[:], c.sum)
	return t
}

// Tries implements Store.
func (db *DB) Tries(ctx context.Context, r *Run, n int) ([]TryRow, error) {
	rows, err := db.r.QueryContext(ctx, "SELECT "+tryColumns+" FROM tries t WHERE t.run = ? AND t.n = ? ORDER BY t.try", r.key, n)
	if err != nil {
		return nil, db.fault("read the tries", err)
	}
	defer rows.Close()
	var out []TryRow
	for rows.Next() {
		var c tryScan
		if err := rows.Scan(c.dest()...); err != nil {
			return nil, db.fault("read the tries", err)
		}
		out = append(out, c.row())
	}
	return out, db.fault("read the tries", rows.Err())
}

// Transcript implements Store.
func (db *DB) Transcript(ctx context.Context, r *Run, n, try int) (record.Transcript, error) {
	var body []byte
	err := db.r.QueryRowContext(ctx, `SELECT x.body FROM tries t JOIN transcripts x ON x.id = t.transcript
WHERE t.run = ?1 AND t.n = ?2 AND t.try = CASE ?3 WHEN 0 THEN (SELECT max(try) FROM tries WHERE run = ?1 AND n = ?2) ELSE ?3 END`, r.key, n, try).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return record.Transcript{}, &Error{Kind: NotFound, Path: db.path, Msg: fmt.Sprintf("attempt %d of run %s has no such transcript", n, r.ID)}
	}
	if err != nil {
		return record.Transcript{}, db.fault("read a transcript", err)
	}
	t, err := unpack(body)
	if err != nil {
		return t, &Error{Kind: Corrupt, Path: db.path, Msg: fmt.Sprintf("the transcript of attempt %d of run %s is damaged (%v); restore the file from a copy", n, r.ID, err), Err: err}
	}
	return t, nil
}

// VerdictJSON implements Store.
func (db *DB) VerdictJSON(ctx context.Context, r *Run, n int, grader string) ([]byte, error) {
	var body []byte
	err := db.r.QueryRowContext(ctx, `SELECT b.body FROM sets s JOIN verdicts v ON v.set_id = s.id JOIN verdict_bodies b ON b.id = v.body
WHERE s.run = ?1 AND s.grader = ?2 AND v.n = ?3 AND v.try = (SELECT max(try) FROM tries WHERE run = ?1 AND n = ?3)`, r.key, grader, n).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &Error{Kind: NotFound, Path: db.path, Msg: fmt.Sprintf("attempt %d of run %s has no verdict under the grader %.12s", n, r.ID, grader)}
	}
	return body, db.fault("read a verdict", err)
}
