package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/record"
)

func (b *bundle) mark() int64 {
	b.Helper()
	m, err := b.db.Mark(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return m
}

func (b *bundle) invalidate(r *Run, after, upto int64) *Invalidity {
	b.Helper()
	inv := &Invalidity{After: after, Upto: upto, Reason: "the model changed", Differences: []string{"digest: a -> b"}}
	if err := b.db.Invalidate(b.Context(), r, inv, time.Unix(9, 0)); err != nil {
		b.Fatal(err)
	}
	return inv
}

func TestInvalidAttempts(t *testing.T) {
	b := setup(t)
	r, other := b.run("r1", 6), b.run("r2", 2)
	b.record(r, Batch{Tries: []Try{b.try(0, 1, record.Answered, "zero")}, Verdicts: []Verdict{b.verdict(0, "g", ".", record.Graded)}})
	good := b.mark()
	b.record(r, Batch{Tries: []Try{b.try(1, 1, record.Answered, "one"), b.try(2, 1, record.Error, ""), b.try(2, 2, record.Answered, "two"), b.try(3, 1, record.Refused, ""), b.try(4, 1, record.Error, "")},
		Verdicts: []Verdict{b.verdict(1, "g", ".", record.Graded), b.verdict(2, "g", record.LetterUngradable, record.Ungradable)}})
	b.record(other, Batch{Tries: []Try{b.try(0, 1, record.Answered, "of another run")}})
	bad := b.mark()
	for _, c := range []struct {
		after, upto int64
		want        int
	}{{0, good, 1}, {good, bad, 3}, {0, bad, 4}, {bad, bad + 1, 0}} {
		if n, err := b.db.Recorded(t.Context(), r, 0, c.after, c.upto); err != nil || n != c.want {
			t.Errorf("recorded after %d up to %d: %d, %v, want %d", c.after, c.upto, n, err, c.want)
		}
	}
	inv := b.invalidate(r, good, bad)
	if inv.Attempts != 3 || !inv.From.Equal(time.Unix(1_800_000_001, 5)) || !inv.To.Equal(inv.From) {
		t.Errorf("%+v", inv)
	}
	if again := b.invalidate(r, good, bad); again.Attempts != 0 {
		t.Errorf("a second time: %+v", again)
	}
	if facts, err := b.db.Facts(t.Context(), r, FactInvalid); err != nil || len(facts) != 1 || facts[0].Model != 0 {
		t.Errorf("facts: %v, %v", facts, err)
	} else {
		var back Invalidity
		if err := facts[0].Decode(&back); err != nil || back.Attempts != 3 || back.Differences[0] != "digest: a -> b" || back.After != good || back.Upto != bad {
			t.Errorf("%+v, %v", back, err)
		}
	}
	if d := cmp.Diff([]string{"0 answered . try 1", "1 error E try 2", "2 error E try 3", "3 error E try 2", "4 error E try 1", "5  - try 0"}, b.letters(r, "g")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"0 answered ? try 1", "1  - try 0"}, b.letters(other, "g")); d != "" {
		t.Errorf("another run: %s", d)
	}
	tally, err := b.db.Tally(t.Context(), r, "g")
	if err != nil || tally.Done() != 1 || tally.Outcome(record.Error) != 4 || tally.Letter(record.Exact, ".") != 1 || tally.Letter(record.Proxy, ".") != 0 {
		t.Errorf("tally %+v, %v", tally, err)
	}
	tries := 0
	for _, l := range tally {
		tries += l.Tries
	}
	if tries != 6 {
		t.Errorf("%d calls are counted, want 6: declaring an attempt invalid is none", tries)
	}
	pending, err := b.db.Pending(t.Context(), r, -1, 9)
	if err != nil || len(pending) != 5 || pending[0].N != 1 || pending[0].Tries != 2 {
		t.Errorf("pending %+v, %v", pending, err)
	}
	for _, heal := range []bool{false, true} {
		if u, err := b.db.Ungraded(t.Context(), r, "g", heal, -1, 9); err != nil || len(u) != 0 {
			t.Errorf("an invalid attempt is to be graded: %v, %v", u, err)
		}
	}
	if _, err := b.db.VerdictJSON(t.Context(), r, 1, "g"); KindOf(err) != NotFound {
		t.Errorf("an invalid attempt has a verdict: %v", err)
	}
	if tr, err := b.db.Transcript(t.Context(), r, 1, 0); err != nil || tr.Outcome != record.Error || tr.Reason != "the model changed" {
		t.Errorf("%+v, %v", tr, err)
	}
	if tr, err := b.db.Transcript(t.Context(), r, 1, 1); err != nil || tr.Answer != "one" {
		t.Errorf("what was said before is kept: %+v, %v", tr, err)
	}
	wantKind(t, b.db.Record(t.Context(), r, Batch{Verdicts: []Verdict{b.verdict(1, "g", "F", record.Graded)}}), Misuse)

	// Made again, each exactly once, and graded anew beside the old verdicts.
	b.record(r, Batch{Tries: []Try{b.try(1, 3, record.Answered, "one again"), b.try(2, 4, record.Error, ""), b.try(2, 5, record.Answered, "two again")},
		Verdicts: []Verdict{b.verdict(1, "g", "F", record.Graded), b.verdict(2, "g", record.LetterUngradable, record.Ungradable)}})
	b.record(r, Batch{Verdicts: []Verdict{b.verdict(2, "g", ".", record.Graded)}})
	for _, batch := range []Batch{
		{Tries: []Try{b.try(1, 4, record.Answered, "twice")}}, {Tries: []Try{b.try(1, 4, record.Error, "")}}, {Tries: []Try{b.try(2, 6, record.Refused, "")}},
		{Verdicts: []Verdict{b.verdict(1, "g", ".", record.Graded)}}, {Tries: []Try{b.try(4, 1, record.Answered, "under a number that was")}},
	} {
		wantKind(t, b.db.Record(t.Context(), r, batch), Duplicate)
	}
	if d := cmp.Diff([]string{"0 answered . try 1", "1 answered F try 3", "2 answered . try 5", "3 error E try 2", "4 error E try 1", "5  - try 0"}, b.letters(r, "g")); d != "" {
		t.Error(d)
	}
	if inv := b.invalidate(r, good, bad); inv.Attempts != 0 {
		t.Errorf("what was made again is not of that time: %+v", inv)
	}
	if inv := b.invalidate(r, bad, b.mark()); inv.Attempts != 2 {
		t.Errorf("a second invalidity: %+v", inv)
	}
	b.record(r, Batch{Tries: []Try{b.try(1, 5, record.Answered, "a third time")}})
	var n int
	if err := b.db.r.QueryRowContext(t.Context(), "SELECT count(*) FROM verdicts").Scan(&n); err != nil || n != 5 {
		t.Errorf("%d verdicts are kept (%v), want 5", n, err)
	}
	wantKind(t, b.db.Invalidate(t.Context(), r, &Invalidity{Model: 1, Reason: "x"}, time.Now()), Misuse)
	wantKind(t, b.db.Invalidate(t.Context(), r, &Invalidity{}, time.Now()), Misuse)
}

// TestExactlyOnceWhateverHappens makes tries, verdicts and invalidities at random, sensible or not, and holds the record
// against a plain model of what may be recorded.
func TestExactlyOnceWhateverHappens(t *testing.T) {
	rounds := 15
	if testing.Short() {
		rounds = 3
	}
	for seed := range uint64(rounds) {
		b := setup(t)
		r := b.run("r1", 4)
		rnd := rand.New(rand.NewPCG(seed, 1))
		type attempt struct {
			last, mark int // number and mark of the last try
			state      record.Outcome
			verdict    bool
		}
		at := make([]attempt, 4)
		marks := []int64{0}
		for range 60 {
			n := rnd.IntN(4)
			a := &at[n]
			switch rnd.IntN(5) {
			case 0, 1:
				o := []record.Outcome{record.Error, record.Answered, record.Truncated}[rnd.IntN(3)]
				try := max(1, a.last+rnd.IntN(3)-1)
				err := b.db.Record(t.Context(), r, Batch{Tries: []Try{b.try(n, try, o, "x")}})
				if ok := try > a.last && (a.state == "" || a.state == record.Error); ok != (err == nil) || err != nil && KindOf(err) != Duplicate {
					t.Fatalf("seed %d: try %d of %+v: %v", seed, try, a, err)
				} else if ok {
					*a = attempt{last: try, state: o, mark: int(b.mark())}
				}
			case 2:
				err := b.db.Record(t.Context(), r, Batch{Verdicts: []Verdict{b.verdict(n, "g", "F", record.Graded)}})
				ok := a.state != "" && a.state != record.Error && !a.verdict
				if ok != (err == nil) {
					t.Fatalf("seed %d: a verdict of %+v: %v", seed, a, err)
				}
				a.verdict = a.verdict || ok
			case 3:
				marks = append(marks, b.mark())
			case 4:
				i, j := rnd.IntN(len(marks)), rnd.IntN(len(marks))
				after, upto := marks[min(i, j)], marks[max(i, j)]
				want := 0
				for k := range at {
					if a := &at[k]; a.state != "" && a.state != record.Error && int64(a.mark) > after && int64(a.mark) <= upto {
						*a = attempt{last: a.last + 1, state: record.Error}
						want++
					}
				}
				if inv := b.invalidate(r, after, upto); inv.Attempts != want {
					t.Fatalf("seed %d: %d attempts are invalid, want %d", seed, inv.Attempts, want)
				}
			}
		}
		var want []string
		for n, a := range at {
			letter := record.LetterOf(a.state)
			switch {
			case a.state == "":
				letter = record.LetterMissing
			case a.state == record.Answered && a.verdict:
				letter = "F"
			case a.state == record.Answered:
				letter = record.LetterUngradable
			}
			want = append(want, fmt.Sprintf("%d %s %s try %d", n, a.state, letter, a.last))
		}
		if d := cmp.Diff(want, b.letters(r, "g")); d != "" {
			t.Errorf("seed %d: %s", seed, d)
		}
		var twice int
		if err := b.db.r.QueryRowContext(t.Context(), "SELECT count(*) FROM (SELECT 1 FROM tries WHERE outcome <> 'error' GROUP BY run, n, life HAVING count(*) > 1)").Scan(&twice); err != nil || twice != 0 {
			t.Errorf("%d lives have two final tries (%v)", twice, err)
		}
	}
}
