package store

import (
	"errors"
	"runtime"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Most of what is recorded is first tries and their verdicts, and nothing is wrong with them: many of them go into one
// statement, in less than half of the time. Where the database refuses one, or something is amiss, the whole batch is recorded
// again row by row, which decides each case and finds out which row it is.

// errOneByOne ends a transaction that is to be made again, row by row.
var errOneByOne = errors.New("row by row")

const tryParameters = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

// insertTries inserts so many first tries of attempts that have none, which begin the attempts' first lives.
func insertTries(n int) string {
	return "INSERT INTO tries (" + tryFields + ") VALUES " + rows("("+tryParameters+", 0)", n)
}

// countTries counts the tries of so many attempts.
func countTries(n int) string {
	return "SELECT count(*) FROM tries WHERE run = ? AND n IN (" + rows("?", n) + ")"
}

// insertVerdicts inserts so many verdicts under the rule of insertVerdict, which skips those that it does not let in.
func insertVerdicts(n int) string {
	return `INSERT INTO verdicts (set_id, n, try, pass, state, letter, body)
SELECT ?, t.n, t.try, v.column2, v.column3, v.column4, v.column5
FROM (VALUES ` + rows("(?, ?, ?, ?, ?)", n) + `) v CROSS JOIN tries t ON t.run = ? AND t.n = v.column1
AND t.try = (SELECT max(x.try) FROM tries x WHERE x.run = t.run AND x.n = t.n)
WHERE t.outcome <> 'error' AND (t.outcome = 'answered' OR v.column2 = 0)`
}

// firstTries is how many tries at the head of a list one statement can insert; 1 where it is none of insertTries.
func firstTries(tries []Try) int {
	n := 0
	for n < min(len(tries), manyAtOnce[0]) && tries[n].Try == 1 {
		n++
	}
	return portion(n)
}

// tryRows inserts first tries, whose transcripts lie under ids from first on.
func (s *statements) tryRows(r *Run, tries []Try, first int64) error {
	count, insert := s.prepare(countTries(len(tries))), s.prepare(insertTries(len(tries)))
	if s.err != nil {
		return s.err
	}
	runtime.Gosched() // calls that are ready to go on come first
	args := append(make([]any, 0, len(tries)+1), r.key)
	for i := range tries {
		args = append(args, tries[i].N)
	}
	var there int
	if err := count.QueryRowContext(s.ctx, args...).Scan(&there); err != nil {
		return err
	}
	if there > 0 {
		return errOneByOne
	}
	runtime.Gosched()
	args = make([]any, 0, 20*len(tries))
	for i := range tries {
		args = tries[i].appendRow(args, r, first+int64(i))
	}
	_, err := insert.ExecContext(s.ctx, args...)
	return refused(err)
}

// verdictRows inserts verdicts of one set, whose bodies lie under ids from first on.
func (s *statements) verdictRows(r *Run, set int64, verdicts []Verdict, first int64) error {
	insert := s.prepare(insertVerdicts(len(verdicts)))
	if s.err != nil {
		return s.err
	}
	runtime.Gosched()
	args := append(make([]any, 0, 5*len(verdicts)+2), set)
	for i := range verdicts {
		v := &verdicts[i]
		args = append(args, v.N, v.Pass, string(v.State), string(v.Letter), first+int64(i))
	}
	res, err := insert.ExecContext(s.ctx, append(args, r.key)...)
	if err != nil {
		return refused(err)
	}
	if n, err := res.RowsAffected(); err != nil || n != int64(len(verdicts)) {
		return errors.Join(err, errOneByOne)
	}
	return nil
}

// sameSet is how many verdicts at the head of a list one statement can insert.
func sameSet(verdicts []Verdict) int {
	n := 0
	for n < min(len(verdicts), manyAtOnce[0]) && verdicts[n].Grader == verdicts[0].Grader {
		n++
	}
	return portion(n)
}

// refused turns a broken constraint into errOneByOne.
func refused(err error) error {
	if se, ok := errors.AsType[*sqlite.Error](err); ok && se.Code()&0xff == sqlite3.SQLITE_CONSTRAINT {
		return errOneByOne
	}
	return err
}

// appendRow appends what insertTry and insertTries take of a try.
func (t *Try) appendRow(args []any, r *Run, transcript int64) []any {
	tm := &t.Timing
	return append(args, r.key, t.N, t.Try, string(t.Outcome), t.Reason,
		null(t.Usage.Prompt), null(t.Usage.Output), null(t.Usage.Thinking), null(t.Usage.Cached),
		nanos(tm.Started), tm.Total, tm.Load, tm.Queue, tm.Prompt, tm.Output,
		t.Delivery, t.AnswerBytes, t.ThinkingBytes, t.AnswerSum[:], transcript)
}

// oneByOne runs a transaction with many rows at once and, where that is refused, again row by row.
func oneByOne(write func(many bool) error) error {
	err := write(true)
	if errors.Is(err, errOneByOne) {
		err = write(false)
	}
	return err
}
