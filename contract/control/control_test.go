package control

import (
	"context"
	"os"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
)

func benchSet(t *testing.T, dir string) *tasks.Set {
	b, err := bench.Load(os.DirFS(dir), "bench")
	if err != nil {
		t.Fatal(err)
	}
	s, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestShow(t *testing.T) {
	for _, dir := range []string{"../../examples/mooring", "../../internal/cli/starter"} {
		s := benchSet(t, dir)
		p, err := Qualify(context.Background(), s, s.Tasks()[0])
		if err != nil {
			t.Fatal(err)
		}
		t.Log(dir, p.Oracle, p.Replay)
		for _, o := range p.Omissions {
			t.Logf("omit %d %s %s flipped %v %s", o.Step, o.What, o.Call, o.Flipped, o.Fault)
		}
		for _, r := range append(p.Controls, p.Beside...) {
			t.Logf("%s (%s) steps %d strict %v gated %d breaks %v broke %v [%s] FAULT %s %s", r.Name, r.Form, r.Steps, r.Strict, r.Gated, r.Breaks, r.Broke, r.Effect, r.Kind, r.Fault)
		}
	}
}
