package store

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/record"
)

// recordSlowly is Record row by row.
func (b *bundle) recordSlowly(r *Run, batch Batch) error {
	return b.db.write(b.Context(), "record a batch", func(ctx context.Context, tx *sql.Tx) error {
		if err := b.db.recordTries(ctx, tx, r, batch.Tries, false); err != nil {
			return err
		}
		return b.db.recordVerdicts(ctx, tx, r, batch.Verdicts, false)
	})
}

// TestManyRowsAtOnce: whatever is in a batch, many rows in a statement come to what single ones come to, the error that names
// the row included.
func TestManyRowsAtOnce(t *testing.T) {
	fast, slow := setup(t), setup(t)
	const n = 300
	var rf, rs *Run
	random := rand.New(rand.NewPCG(1, 2))
	outcomes := []record.Outcome{record.Answered, record.Answered, record.Answered, record.Answered, record.Refused}
	refused, taken := map[Kind]int{}, 0
	for round := range 400 {
		if round%10 == 0 {
			rf, rs = fast.run(fmt.Sprint("r", round), n), slow.run(fmt.Sprint("r", round), n)
		}
		var batch Batch
		from, count := random.IntN(n), 1+random.IntN(50)
		for i := range count {
			try := 1
			if random.IntN(200) == 0 {
				try = 1 + random.IntN(3)
			}
			outcome := outcomes[random.IntN(len(outcomes))]
			if random.IntN(100) == 0 {
				outcome = record.Error
			}
			batch.Tries = append(batch.Tries, fast.try((from+i)%n, try, outcome, "answer"))
		}
		if random.IntN(4) == 0 {
			batch.Tries = nil // verdicts over what is there
		}
		for i := range random.IntN(count + 1) {
			letter, state := record.LetterWrong, record.Graded
			if random.IntN(20) == 0 {
				letter, state = record.LetterUngradable, record.Ungradable
			}
			if random.IntN(200) == 0 {
				letter = record.LetterPass
			}
			batch.Verdicts = append(batch.Verdicts, fast.verdict((from+i)%n, []string{"g", "h"}[random.IntN(20)/19], letter, state))
		}
		if len(batch.Tries)+len(batch.Verdicts) == 0 {
			continue
		}
		ef, es := fast.db.Record(t.Context(), rf, batch), slow.recordSlowly(rs, batch)
		if KindOf(ef) != KindOf(es) || (ef == nil) != (es == nil) {
			t.Fatalf("at once: %v; row by row: %v", ef, es)
		}
		if ef != nil {
			_, mf, _ := strings.Cut(ef.Error(), ": ")
			_, ms, _ := strings.Cut(es.Error(), ": ")
			if mf != ms {
				t.Fatalf("at once: %s; row by row: %s", mf, ms)
			}
			refused[KindOf(ef)]++
			continue
		}
		taken++
		for _, g := range []string{"g", "h"} {
			if d := cmp.Diff(slow.letters(rs, g), fast.letters(rf, g)); d != "" {
				t.Fatal(d)
			}
		}
		if d := cmp.Diff(dump(t, slow.db), dump(t, fast.db)); d != "" {
			t.Fatal(d)
		}
	}
	if taken < 10 || refused[Duplicate] < 10 || refused[Misuse] < 10 {
		t.Errorf("%d batches were taken and %v refused, which shows little", taken, refused)
	}
}

// TestManyClean: a large batch of first tries and verdicts with nothing wrong in it is recorded whole.
func TestManyClean(t *testing.T) {
	b := setup(t)
	r := b.run("r1", 107)
	var batch Batch
	for i := range 107 {
		batch.Tries = append(batch.Tries, b.try(i, 1, record.Answered, "answer"))
	}
	b.record(r, batch)
	batch = Batch{}
	for i := range 107 {
		batch.Verdicts = append(batch.Verdicts, b.verdict(i, "g", record.LetterPass, record.Graded))
	}
	b.record(r, batch)
	rows := b.letters(r, "g")
	for i, row := range rows {
		if !strings.HasSuffix(row, " answered . try 1") {
			t.Errorf("attempt %d: %s", i, row)
		}
	}
	if len(rows) != 107 {
		t.Errorf("%d rows", len(rows))
	}
	// One more of the same is refused, and nothing of its batch is kept.
	again := Batch{Tries: []Try{b.try(40, 1, record.Answered, "again")}}
	wantKind(t, b.db.Record(t.Context(), r, again), Duplicate)
}
