package perturb_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/perturb"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/world"
)

func lab(t *testing.T, dir, task string) (*perturb.Lab, []perturb.Read) {
	t.Helper()
	b, err := bench.Load(os.DirFS(dir), dir)
	if err != nil {
		t.Fatal(err)
	}
	set, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	tk, err := set.Task(task)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	controls, err := set.Controls(task)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := world.ReadTrace([]byte(controls[0].Answer))
	if err != nil {
		t.Fatal(err)
	}
	var reads []perturb.Read
	for _, c := range trace {
		if tool := tk.World.Tool(c.Tool); tool != nil && tool.Access == world.Read {
			reads = append(reads, perturb.Read{Tool: c.Tool, Args: c.Args})
		}
	}
	s, err := tk.Session(ctx, "lab")
	if err != nil {
		t.Fatal(err)
	}
	l, err := perturb.New(ctx, s, tk.Contract())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, reads
}

// TestMaterialsOfTheExample holds the trials against what a reader of the example's contract knows: what the reads are
// worth that a derivation stands on, and that searching, and looking again, move nothing.
func TestMaterialsOfTheExample(t *testing.T) {
	l, reads := lab(t, "../../examples/mooring", "ferry-217")
	before := fmt.Sprint(l.Stakes())
	found, err := l.Materials(context.Background(), reads)
	if err != nil {
		t.Fatal(err)
	}
	moves := map[string]string{ // one of the names that each must move; "" for padding
		"maint.orders.search": "", "files.search": "", "slips.bookings.get": "",
		"maint.orders.get": "answer.required_quantity", "files.read": "answer.required_quantity", "stores.lots.list": "answer.usable_quantity",
		"vendors.offers.list": "option.A.cost", "approvals.limits.get": "option.A.authority", "slips.slots.list": "option.B.outcome",
	}
	seen := 0
	for _, f := range found {
		want, ok := moves[f.Read.Tool]
		if !ok {
			continue
		}
		seen++
		if f.Material() != (want != "") {
			t.Errorf("%s: material %v, moved %v after %d trials", f.Read, f.Material(), f.Moved, f.Tried)
		}
		if want != "" && !slices.Contains(f.Moved, want) {
			t.Errorf("%s: %s moves %v, want %s", f.Read, f.Edit.Says, f.Moved, want)
		}
	}
	if seen < len(moves) {
		t.Errorf("only %d of the %d reads were tried", seen, len(moves))
	}
	again, err := l.Materials(context.Background(), reads)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(l.Stakes()) != before || fmt.Sprint(again) == "" {
		t.Error("the trials changed the lab")
	}
	for i := range again {
		if again[i].Material() != found[i].Material() || again[i].Tried != found[i].Tried {
			t.Errorf("%s: a second time it is decided otherwise", again[i].Read)
		}
	}
}

func TestAThresholdIsCrossed(t *testing.T) {
	l, reads := lab(t, "../../examples/mooring", "ferry-217")
	found, err := l.Materials(context.Background(), reads)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		// A limit of 250 is far above the cost of 80: only a change that crosses the cost can show that it was weighed.
		if f.Read.Tool == "approvals.limits.get" && (f.Edit == nil || f.Edit.Kind != "threshold") {
			t.Errorf("the limit is decided by %v", f.Edit)
		}
	}
}
