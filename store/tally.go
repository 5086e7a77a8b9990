package store

import (
	"context"
	"database/sql"

	"github.com/assaybench/assay/record"
)

// Line counts the attempts that share a model, posture, basis, family, outcome and letter. Tokens are summed where the
// server reported them.
type Line struct {
	Model, Posture, Family string
	Basis                  record.Basis
	Outcome                record.Outcome // "" for attempts without a try
	Letter                 record.Letter
	Attempts               int
	Tries                  int   // all of them, retries included
	OutputTokens           int64 // of the last tries
}

// Tally is a run's attempts, counted from rows. Its lines keep exact and proxy apart, and nothing here adds passes of the
// two together.
type Tally []Line

// Planned is the number of all attempts.
func (t Tally) Planned() int {
	return t.count(func(*Line) bool { return true })
}

// Done is the number of attempts with a final try: those whose outcome is the model's, and undelivered ones.
func (t Tally) Done() int {
	return t.count(func(l *Line) bool { return l.Outcome != "" && l.Outcome != record.Error })
}

// Outcome is the number of attempts that ended so; "" counts those without a try.
func (t Tally) Outcome(o record.Outcome) int {
	return t.count(func(l *Line) bool { return l.Outcome == o })
}

// Letter is the number of attempts of one basis with a letter.
func (t Tally) Letter(b record.Basis, x record.Letter) int {
	return t.count(func(l *Line) bool { return l.Basis == b && l.Letter == x })
}

func (t Tally) count(is func(*Line) bool) int {
	n := 0
	for i := range t {
		if is(&t[i]) {
			n += t[i].Attempts
		}
	}
	return n
}

// Tally implements Store.
func (db *DB) Tally(ctx context.Context, r *Run, grader string) (Tally, error) {
	rows, err := db.r.QueryContext(ctx, `SELECT a.model, a.posture, a.basis, a.family, t.outcome, v.letter, count(*), coalesce(sum(t.try - t.life), 0), coalesce(sum(t.output_tokens), 0)
FROM attempts a `+lastTry+`
LEFT JOIN verdicts v ON v.set_id = (SELECT id FROM sets WHERE run = ?1 AND grader = ?2) AND v.n = a.n AND v.try = t.try AND t.outcome = 'answered'
WHERE a.run = ?1 GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`, r.key, grader)
	if err != nil {
		return nil, db.fault("count the attempts", err)
	}
	defer rows.Close()
	var out Tally
	for rows.Next() {
		var l Line
		var model, posture int
		var outcome, letter sql.NullString
		if err := rows.Scan(&model, &posture, &l.Basis, &l.Family, &outcome, &letter, &l.Attempts, &l.Tries, &l.OutputTokens); err != nil {
			return nil, db.fault("count the attempts", err)
		}
		k, ok := r.attemptKey(model, posture, "", 0)
		if !ok {
			return nil, db.unplanned(r, 0)
		}
		l.Model, l.Posture, l.Outcome = k.Model, k.Posture, record.Outcome(outcome.String)
		l.Letter = letterOf(l.Outcome, letter.String)
		out = append(out, l)
	}
	return out, db.fault("count the attempts", rows.Err())
}
