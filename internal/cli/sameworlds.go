package cli

import (
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/store"
)

// sameWorlds refuses to grade a run's episodes by a bench whose worlds or tasks are others than those that they happened in:
// what was done in one world says nothing about another. A bench whose contracts alone were changed passes; other benches
// have no worlds.
func (p *Process) sameWorlds(db store.Store, r *store.Run, o *opened) error {
	set, ok := o.set.(*tasks.Set)
	if !ok || r.Plan.Bench != o.bench.ID {
		return nil
	}
	for row, err := range db.Rows(p.Context, r, r.Plan.Grader) {
		if err != nil {
			return storeError(err)
		}
		if row.Try == 0 {
			continue
		}
		t, err := db.Transcript(p.Context, r, row.N, row.Try)
		if err != nil {
			return storeError(err)
		}
		ep := t.Episode
		if ep == nil {
			continue
		}
		tk, err := set.Task(ep.Task)
		if err != nil {
			return usage("run %s has an episode of the task %s, which %s has not; grade by the bench as it was (digest %.12s, not %.12s)", r.ID, plain(ep.Task), o.bench.Name(), r.Plan.Digest, o.state.Digest)
		}
		sp := tk.Spec(ep.Session)
		seed, err := tk.World.Seed(p.Context, sp.Task, sp.Staged)
		if err != nil {
			return fault(err)
		}
		what, was, now := "began as another state", ep.Seed, seed.SHA256
		if was == now {
			what, was, now = "was worked under another definition", ep.Rules, tk.World.Definition(sp)
		}
		if was != now {
			return usage("run %s was made on another bench (digest %.12s, not %.12s): its episode of %s %s of the world %s than %s has now (%.12s, not %.12s); grade by the bench as it was, or run it anew",
				r.ID, r.Plan.Digest, o.state.Digest, plain(ep.Task), what, plain(ep.World), o.bench.Name(), was, now)
		}
	}
	return nil
}
