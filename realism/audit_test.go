package realism

import (
	"context"
	"os"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
)

// release opens a bench of this repository.
func release(t testing.TB, dir string) *Release {
	t.Helper()
	b, err := bench.Load(os.DirFS("../"+dir), dir)
	if err != nil {
		t.Fatal(err)
	}
	set, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	st, err := b.Inspect()
	if err != nil {
		t.Fatal(err)
	}
	return Open(set, Embedded(), "./"+dir, st, "test")
}

func audited(t testing.TB, dir string) *Report {
	t.Helper()
	rep, err := Audit(context.Background(), release(t, dir), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestAuditOfMooring(t *testing.T) {
	rep := audited(t, "examples/mooring")
	if len(rep.Keys) != 125 {
		t.Fatalf("%d rows, want 125", len(rep.Keys))
	}
	for _, r := range rep.Keys {
		t.Logf("%-12s %-70s %v | %s", r.Result, r.Key, r.Measured, r.Reason)
		for _, e := range r.Evidence {
			t.Logf("      %+v", e)
		}
	}
}
