package harbor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// Prove runs a package from its bytes and says what it did. exported is the folder that it was written to: it is read there, published to a registry of its own, fetched into an empty folder, compared, and then run
// twice from what was fetched, each time with a fresh world by the program that the package holds: once with the package's own
// solution, once with an agent that does nothing, each judged by the package's verifier. All of it runs as processes of this
// machine, since no container may be at hand; the receipt says so. work is a folder for what is unpacked, "" the system's.
//
// The error is of what could not be tried: no program inside, another machine than linux/amd64. What was tried and went wrong stands
// in the receipt.
func Prove(ctx context.Context, p *Package, exported, work string) (r *Receipt, err error) {
	name, want := p.Name, p.Files
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return nil, errors.New("a package holds a program for linux/amd64, and is proven there alone")
	}
	if want[programFile].Data == nil {
		return nil, fmt.Errorf("%s holds no program, so nothing of it can be run", name)
	}
	dir, err := os.MkdirTemp(work, "assay-proof-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o711); err != nil { // the agent's user passes through
		return nil, err
	}
	have := sumsOf(want)
	r = &Receipt{Format: ReceiptFormat, Package: name, Content: have.content(), Tree: have.tree(), Manifest: "sha256:" + sum(have.manifest()),
		Program: "sha256:" + have.of[programFile], Way: ByProcess, Private: "not-measured", AgentUser: "same", Missing: p.Missing, Problems: []string{}}
	away := filepath.Join(dir, "away") // what the agent's user does not pass through
	if err := os.Mkdir(away, 0o700); err != nil {
		return nil, err
	}
	fetched := filepath.Join(away, "package")
	files, err := roundTrip(r, name, exported, want, Registry{filepath.Join(away, "registry")}, fetched)
	if err != nil || files == nil {
		return r, err
	}
	agent := agentUser(ctx, dir)
	if agent.uid != 0 {
		r.AgentUser = "own"
	}
	for _, t := range []struct {
		name string
		to   *Trial
	}{{"oracle", &r.Oracle}, {"noop", &r.Noop}} {
		b := &bed{dir: filepath.Join(dir, t.name), from: fetched, files: files, agent: agent}
		*t.to = Trial{Calls: map[string]int{}}
		if err := r.trial(ctx, b, t.name, t.to); err != nil {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			r.Problems = append(r.Problems, t.name+": "+oneLine(err))
		}
		if err := b.remove(); err != nil {
			return nil, err
		}
	}
	if r.Oracle.Verdict != "" && r.Oracle.Reward != 1 {
		r.Problems = append(r.Problems, "oracle: the package's own solution is not rewarded")
	}
	if r.Noop.Verdict != "" && r.Noop.Reward != 0 {
		r.Problems = append(r.Problems, "noop: an agent that does nothing is rewarded")
	}
	return r, nil
}

// ProveTask exports a task twice, which must give the same bytes, and proves the package from a folder of its own, as Prove does.
func ProveTask(ctx context.Context, set *tasks.Set, id string, o Options, work string) (r *Receipt, err error) {
	p, err := Export(set, id, o)
	if err != nil {
		return nil, err
	}
	again, err := Export(set, id, o)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(work, "assay-export-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := WriteFolder(dir, p.Files); err != nil {
		return nil, err
	}
	if r, err = Prove(ctx, p, dir, work); err != nil {
		return nil, err
	}
	if d := Differences(p.Files, again.Files); len(d) > 0 {
		r.Problems = append(r.Problems, "another export of the task is not the same: "+d[0])
	}
	return r, nil
}

// roundTrip publishes and fetches, and notes what came back. No files are given where that is not what was exported.
func roundTrip(r *Receipt, name, exported string, want Files, reg Registry, into string) (Files, error) {
	r.RoundTrip = RoundTrip{Files: len(want), Differ: []string{}}
	for _, f := range want {
		r.RoundTrip.Bytes += int64(len(f.Data))
		if f.Exec {
			r.RoundTrip.Exec++
		}
	}
	written, err := readExact(exported)
	digest := ""
	if err == nil {
		if digest, err = reg.Publish(name, written); err == nil {
			written, err = reg.Fetch(name, digest, into)
		}
	}
	if err != nil {
		r.Problems = append(r.Problems, "round trip: "+oneLine(err))
		return nil, nil
	}
	if r.RoundTrip.Differ = append(r.RoundTrip.Differ, Differences(want, written)...); len(r.RoundTrip.Differ) > 0 {
		r.Problems = append(r.Problems, "round trip: "+r.RoundTrip.Differ[0])
		return nil, nil
	}
	if digest != r.Content {
		return nil, errors.New("equal files have other digests")
	}
	r.RoundTrip.Same = true
	return written, nil
}

// trial runs one agent in a fresh world and has it judged.
func (r *Receipt) trial(ctx context.Context, b *bed, name string, t *Trial) (err error) {
	if err := b.lay(); err != nil {
		return err
	}
	if err := b.start(ctx); err != nil {
		return errors.Join(err, b.stop())
	}
	defer func() { err = errors.Join(err, b.stop()) }()
	switch {
	case name == "oracle":
		if err := b.solve(ctx); err != nil {
			return err
		}
	case b.agent.uid != 0:
		reached, err := b.peek(ctx)
		if err != nil {
			return err
		}
		if r.Private = "denied"; len(reached) > 0 {
			r.Private = "reached"
			r.Problems = append(r.Problems, "the agent's user comes to "+reached[0])
		}
	}
	if err := b.verify(ctx); err != nil {
		return err
	}
	return r.readTrial(b, t)
}

// readTrial reads what a verifier left, and holds its parts against each other.
func (r *Receipt) readTrial(b *bed, t *Trial) error {
	verdict, err := os.ReadFile(b.path("logs/" + VerdictFile))
	if err != nil {
		return err
	}
	var v record.Verdict
	if err := jsonv2.Unmarshal(verdict, &v); err != nil {
		return err
	}
	reward, details, err := RewardOf(&v)
	if err != nil {
		return err
	}
	for name, want := range map[string]any{VerdictFile: v, RewardFile: reward, DetailsFile: details, RewardText: reward.Reward} {
		b1, err := record.Canonical(want)
		if err != nil {
			return err
		}
		b2, err := os.ReadFile(b.path("logs/" + name))
		if err != nil {
			return err
		}
		if !bytes.Equal(append(b1, '\n'), b2) {
			return fmt.Errorf("%s is not what the verdict says", name)
		}
	}
	episode, err := world.ReadBundle(os.DirFS(b.path("logs/" + EpisodeDir)))
	if err != nil {
		return err
	}
	var events []world.Event
	if err := jsonv2.Unmarshal(episode.Episode.Events, &events); err != nil {
		return err
	}
	for i := range events {
		if events[i].Actor == world.Agent {
			t.Calls[events[i].Surface]++
		}
	}
	t.Reward, t.Gated, t.Process, t.Verdict = reward.Reward, details.Gated, details.Process, "sha256:"+sum(verdict)
	t.Criteria = len(details.Criteria)
	for _, c := range details.Criteria {
		if !c.Pass {
			t.Failed++
		}
	}
	same := []*string{&r.Task, &r.Contract, &r.Engine}
	for i, s := range []string{details.TaskSHA, details.Contract, details.Engine} {
		if *same[i] == "" {
			*same[i] = s
		} else if *same[i] != s {
			return fmt.Errorf("the verdicts of one package are of %s and of %s", *same[i], s)
		}
	}
	if slices.Contains([]string{r.Task, r.Contract, r.Engine}, "") {
		return errors.New("the verdict does not say what it is of")
	}
	return nil
}
