package benches_test

import (
	"os"
	"slices"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/benches"
	"github.com/assaybench/assay/fixture"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/qualify"
	"github.com/assaybench/assay/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

func TestNames(t *testing.T) {
	want := []string{"chair-trials", "premise", "premise-en", "premise-regression", "shopfloor"}
	if got := benches.Names(); !slices.Equal(got, want) {
		t.Errorf("%v are shipped, and should be %v", got, want)
	}
	for _, name := range want {
		if _, version, ok := benches.Open(name); !ok || version != "1" {
			t.Errorf("%s opens as version %q, %v", name, version, ok)
		}
	}
	for _, name := range []string{"premise-fr", "proofs", ".", "premise/items"} {
		if _, _, ok := benches.Open(name); ok {
			t.Errorf("%q opens", name)
		}
	}
}

// TestShipped proves the graders of each frozen bench, slow controls included, and looks for its freeze, its fixtures and the
// proof that ships with it.
func TestShipped(t *testing.T) {
	want := map[string]struct{ items, drafts, controls int }{
		"chair-trials": {20, 2, 300}, "premise": {21, 0, 300}, "premise-en": {21, 0, 300}, "premise-regression": {25, 0, 200}, "shopfloor": {8, 0, 8},
	}
	if have := benches.Names(); len(have) != len(want) {
		t.Errorf("%d benches ship, and %d are proven here", len(have), len(want))
	}
	for name := range want {
		t.Run(name, func(t *testing.T) {
			fsys, version, ok := benches.Open(name)
			if !ok {
				t.Fatal("cannot be opened")
			}
			b, err := bench.Load(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			if b.Version != version {
				t.Errorf("the version is %q and %q", b.Version, version)
			}
			st, err := b.Inspect()
			if err != nil {
				t.Fatal(err)
			}
			set, err := grade.Compile(b)
			if err != nil {
				t.Fatal(err)
			}
			if st.Freeze == nil || st.Freeze.Grader != set.Digest() {
				t.Fatal("it is not frozen with this grader: assay freeze benches/" + name + " --again")
			}
			if b.Shape == bench.ShapePrompt {
				if err := fixture.Check(fsys); err != nil {
					t.Error(err)
				}
			}
			proofs, problems, err := qualify.LoadProofs(benches.Proofs(), st.Digest)
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			how, engine := "check benches/"+name+" --slow", ""
			if b.Shape == bench.ShapeAgent {
				how, engine = "qualify benches/"+name, qualify.Engine
				if a, err := qualify.LoadAgents(benches.Proofs(), st.Digest, set.Digest()); err != nil || a == nil || !a.Clean() {
					t.Error("no qualification of this state ships, or it has faults: ", err)
				}
			}
			if len(proofs) != 1 || proofs[0].Grader != set.Digest() || proofs[0].Engine != engine || len(proofs[0].Only) > 0 || !proofs[0].Slow && b.Shape != bench.ShapeAgent {
				t.Error("no proof of this state ships: assay " + how + " --proofs benches/proofs")
			}
			if items, _ := set.Executes(); len(items) > 0 {
				box, err := sandbox.Open(t.Context(), sandbox.Options{})
				if err != nil {
					if os.Getenv("ASSAY_REQUIRE_SANDBOX") == "1" {
						t.Fatal(err)
					}
					t.Skip("the controls of items that execute answers need a sandbox: ", err)
				}
				defer box.Close()
				if _, err := box.Python(t.Context()); err != nil {
					t.Skip("some controls need python3: ", err)
				}
				set.Use(box, "")
			}
			r, err := qualify.Check(t.Context(), set, qualify.Options{Slow: !testing.Short()})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Faults {
				t.Error(f)
			}
			if w := want[name]; r.Items != w.items || r.Drafts != w.drafts || r.FalseAccepts != 0 || r.FalseRejects != 0 || r.Controls < w.controls || r.Generated < w.controls {
				t.Errorf("%d items, %d drafts, %d false accepts, %d false rejects, %d controls, %d generated", r.Items, r.Drafts, r.FalseAccepts, r.FalseRejects, r.Controls, r.Generated)
			}
		})
	}
}
