package modeltest

import (
	"slices"
	"testing"

	"github.com/assaybench/assay/record"
)

func TestDraw(t *testing.T) {
	for _, w := range Wires() {
		d := Draw{Wire: w, Seed: 7}
		kinds := d.Kinds()
		if len(kinds) < 40 {
			t.Errorf("%s: only %d kinds are drawn", w, len(kinds))
		}
		plan, same, other := d.Plan(), d.Plan(), Draw{Wire: w, Seed: 8}.Plan()
		seen, total, differ, places := map[Fault]int{}, 0, false, map[int64]bool{}
		for n := int64(1); n <= 10_000; n++ {
			f := plan(n)
			if f != same(n) {
				t.Fatalf("%s: call %d suffers %q and then %q", w, n, f, same(n))
			}
			differ = differ || f != other(n)
			if f != "" {
				seen[f]++
				total++
				places[n%20] = true
			}
		}
		if total != 500 || !differ || len(places) != 20 {
			t.Errorf("%s: %d faults at %d places, other seed other faults: %v", w, total, len(places), differ)
		}
		low, high := total, 0
		for _, f := range kinds {
			if outcome, _ := f.Expect(); f.Costly() || f.Terminal() || f.Shows() != "" || outcome == record.Timeout {
				t.Errorf("%s: %s is drawn", w, f)
			}
			low, high = min(low, seen[f]), max(high, seen[f])
		}
		if low == 0 || high-low > 1 || len(seen) != len(kinds) {
			t.Errorf("%s: the %d kinds come from %d to %d times", w, len(seen), low, high)
		}
		all := Draw{Wire: w, Terminal: true, Changes: true}.Kinds()
		for _, f := range FaultsOf(w) {
			if slices.Contains(all, f) == f.Costly() {
				t.Errorf("%s: %s is drawn with all: %v", w, f, !f.Costly())
			}
		}
	}
	if f := (Draw{}).Plan()(0); f != "" {
		t.Errorf("the call before the first suffers %q", f)
	}
	few := Draw{Every: 1}.Plan()
	for n := int64(1); n < 50; n++ {
		if few(n) == "" {
			t.Errorf("call %d suffers nothing", n)
		}
	}
}

func TestEveryOf(t *testing.T) {
	plan, err := EveryOf(WireOllama, "error-line:2,all:1")
	if err != nil {
		t.Fatal(err)
	}
	if plan(2) != "error-line" || !plan(1).Transient() {
		t.Errorf("%q, %q", plan(1), plan(2))
	}
	if _, err := EveryOf(WireGemini, "error-line"); err == nil {
		t.Error("a fault of another wire is taken")
	}
}
