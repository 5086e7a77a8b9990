package store

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/record"
)

// lockHelper makes the test binary take a lock and hold it until its standard input ends.
const lockHelper = "ASSAY_STORE_LOCK_HELPER"

func TestMain(m *testing.M) {
	if path := os.Getenv(lockHelper); path != "" {
		os.Exit(holdLock(path))
	}
	if path := os.Getenv(readHelper); path != "" {
		os.Exit(readAndWrite(path))
	}
	goleak.VerifyTestMain(m)
}

// readHelper makes the test binary open a database to read and to write, and say what became of it.
const readHelper = "ASSAY_STORE_READ_HELPER"

func readAndWrite(path string) int {
	ctx := context.Background()
	db, err := Open(ctx, path, Options{ReadOnly: true})
	if err == nil {
		var r *Run
		if r, err = db.FindRun(ctx, "latest"); err == nil {
			fmt.Println("read:", r.ID)
		}
		db.Close()
	}
	if err != nil {
		fmt.Printf("read: %s\n", KindOf(err))
	}
	db, err = Open(ctx, path, Options{Create: true})
	if err == nil {
		err = db.CreateRun(ctx, &Run{ID: "mine", Plan: Plan{Protocol: []byte("{}")}}, attempts(0))
		db.Close()
	}
	fmt.Printf("write: %s\n", KindOf(err))
	return 0
}

func holdLock(path string) int {
	db, err := Open(context.Background(), path, Options{})
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	if _, err := db.Lock(context.Background(), "run-x"); err != nil {
		fmt.Println("error:", err)
		return 1
	}
	fmt.Println("locked")
	os.Stdin.Read(make([]byte, 1)) // the test kills this process, or closes its input
	return 0
}

type bundle struct {
	*testing.T
	db   *DB
	path string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b#%.db") // characters that a URI would read differently
	db, err := Open(t.Context(), path, Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &bundle{T: t, db: db, path: path}
}

// run makes a run of n attempts over one model, one posture and items i000 …; odd ones are proxy.
func (b *bundle) run(id string, n int) *Run {
	b.Helper()
	r := &Run{ID: id, Created: time.Unix(1_800_000_000, 0).UTC(), Request: "req", Plan: Plan{Bench: "b", Version: "1", Digest: "d", Grader: "g",
		Protocol: []byte("{}"), Postures: []string{"plain"}, Models: []PlanModel{{Name: "p/m", Postures: []int{0}}}, Repeats: 1, Items: n, Attempts: n}}
	if err := b.db.CreateRun(b.Context(), r, attempts(n)); err != nil {
		b.Fatal(err)
	}
	return r
}

func attempts(n int) iter.Seq[Attempt] {
	return func(yield func(Attempt) bool) {
		for i := range n {
			basis := record.Exact
			if i%2 == 1 {
				basis = record.Proxy
			}
			if !yield(Attempt{Repeat: 1, Item: fmt.Sprintf("i%03d", i), Family: "f", Basis: basis}) {
				return
			}
		}
	}
}

func (b *bundle) try(n, try int, o record.Outcome, answer string) Try {
	b.Helper()
	tokens := int64(len(answer))
	t, err := NewTry(n, try, record.Transcript{Outcome: o, Reason: "why " + string(o), Answer: answer, Usage: record.Usage{Output: &tokens},
		Timing: record.Timing{Started: time.Unix(1_800_000_001, 5).UTC(), Total: 42}, Delivery: record.Delivery{State: "delivered"}, Calls: []record.Exchange{}})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

func (b *bundle) verdict(n int, grader string, letter record.Letter, state record.State) Verdict {
	b.Helper()
	v, err := NewVerdict(n, record.Verdict{Grader: grader, Pass: letter == record.LetterPass, Letter: letter, State: state, Basis: record.Exact}, "d", 7)
	if err != nil {
		b.Fatal(err)
	}
	return v
}

func (b *bundle) record(r *Run, batch Batch) {
	b.Helper()
	if err := b.db.Record(b.Context(), r, batch); err != nil {
		b.Fatal(err)
	}
}

func wantKind(t *testing.T, err error, want Kind) *Error {
	t.Helper()
	if KindOf(err) != want {
		t.Fatalf("got the kind %q (%v), want %q", KindOf(err), err, want)
	}
	e, _ := err.(*Error)
	if e == nil {
		t.Fatalf("the error is a %T, want an *Error", err)
	}
	return e
}
