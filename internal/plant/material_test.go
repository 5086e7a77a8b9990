package main

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/perturb"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/world"
)

// What the standard asks of a task's reads.
const (
	leastReads = 26
	leastLive  = 17
)

// TestEveryReadMatters changes what each read of a reference shows, one cell at a time, and counts those by which something
// that is graded moves.
func TestEveryReadMatters(t *testing.T) {
	if os.Getenv("ASSAY_SLOW") == "" {
		t.Skip("takes half a minute for each task; ASSAY_SLOW=1 runs it, and assay audit measures the same")
	}
	b, err := bench.Load(os.DirFS(shipped), "shopfloor")
	if err != nil {
		t.Fatal(err)
	}
	set, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	p, list := built(t)
	for _, k := range list {
		t.Run(k.ID, func(t *testing.T) {
			t.Parallel()
			tk, err := set.Task(k.ID)
			if err != nil {
				t.Fatal(err)
			}
			trace, err := world.ReadTrace(k.referenceJSONL(p))
			if err != nil {
				t.Fatal(err)
			}
			var reads []perturb.Read
			for _, c := range trace {
				if tool := tk.World.Tool(c.Tool); tool != nil && tool.Access == world.Write {
					break
				} else if tool != nil {
					reads = append(reads, perturb.Read{Tool: c.Tool, Args: c.Args})
				}
			}
			s, err := tk.Session(context.Background(), "trials")
			if err != nil {
				t.Fatal(err)
			}
			l, err := perturb.New(context.Background(), s, tk.Contract())
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			found, err := l.Materials(context.Background(), reads)
			if err != nil {
				t.Fatal(err)
			}
			material, live := 0, 0
			for _, f := range found {
				if !f.Material() {
					t.Logf("padding: %s (%d trials)", f.Read, f.Tried)
					continue
				}
				material++
				if !slices.Equal(f.Tables, []string{"drive_files"}) {
					live++
				}
			}
			if material < leastReads || live < leastLive {
				t.Errorf("%d reads matter, %d of them live; at least %d and %d are wanted", material, live, leastReads, leastLive)
			}
			t.Logf("%d of %d reads matter, %d of them live", material, len(reads), live)
		})
	}
}
