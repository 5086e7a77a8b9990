package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/command"
	"github.com/assaybench/assay/model/providers"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/sandbox"
	"github.com/assaybench/assay/store"
)

const builtinAgent = "builtin"

// agentFlags say which agent works on the tasks of a bench, and how.
type agentFlags struct {
	name     string
	unsealed bool
	env      []string
	see      []string
}

// worker is a program that works on tasks, as it was asked for.
type worker struct {
	path   string
	agent  command.Agent // without its box and its model, of which each entrant has its own
	sealed bool
	why    string // it is not sealed
}

// worker reads --agent and what goes with it; nil is the loop of this program's own.
func (p *Process) worker(o *opened, ref string, specs []model.Spec, f runFlags) (*worker, error) {
	a := f.agent
	if a.name == "" || a.name == builtinAgent {
		if a.unsealed || len(a.env) > 0 || len(a.see) > 0 {
			return nil, usage("--agent-unsealed, --agent-env and --agent-see are of a program: --agent command/PATH")
		}
		if a.name != "" && o.bench.Shape != bench.ShapeAgent {
			return nil, usage("--agent: %s is no bench of agent tasks; leave it off", o.bench.Name())
		}
		for _, s := range specs {
			if s.Provider == "command" && o.bench.Shape == bench.ShapeAgent {
				return nil, usage("--model %s: a program in a model's place calls no tools; let it work by itself: --agent %s", s.Raw, s.Raw)
			}
		}
		return nil, nil
	}
	path, ok := strings.CutPrefix(a.name, "command/")
	if !ok {
		path, ok = strings.CutPrefix(a.name, "command:")
	}
	switch {
	case !ok || path == "":
		return nil, usage("--agent %q: write %s, or command/PATH for a program of yours", a.name, builtinAgent)
	case o.bench.Shape != bench.ShapeAgent:
		return nil, usage("--agent: %s is no bench of agent tasks; there a program takes a model's place: --model command/%s", o.bench.Name(), path)
	case a.unsealed && len(a.env)+len(a.see) > 0:
		return nil, usage("--agent-env and --agent-see are of a sealed program; with --agent-unsealed it has your environment and sees your files")
	}
	w := &worker{path: path}
	if a.unsealed {
		w.why = "--agent-unsealed was asked for"
		return w, nil
	}
	var err error
	if w.agent.Env, err = p.handedDown(a.env); err != nil {
		return nil, err
	}
	for _, dir := range a.see {
		abs := p.path(dir)
		if st, err := os.Stat(abs); err != nil || !st.IsDir() {
			return nil, usage("--agent-see %s is no folder", dir)
		}
		w.agent.Folders = append(w.agent.Folders, abs)
	}
	w.agent.Hidden = p.kept(ref, f.db)
	box, err := p.seal()
	if lack, ok := errors.AsType[*sandbox.Unavailable](err); ok {
		w.why = lack.Error()
		return w, nil
	} else if err != nil {
		return nil, fault(err)
	}
	w.sealed = true
	if err := box.Close(); err != nil {
		return nil, fault(err)
	}
	return w, nil
}

func (p *Process) seal() (*sandbox.Box, error) {
	if p.Sealing != nil {
		return p.Sealing(p.Context)
	}
	return sandbox.OpenAgents(p.Context, sandbox.Options{})
}

// handedDown reads --agent-env: NAME=VALUE, or the NAME of one of the process's own variables.
func (p *Process) handedDown(names []string) ([]string, error) {
	var out []string
	for _, n := range names {
		name, value, given := strings.Cut(n, "=")
		if name == "" || strings.HasPrefix(name, "ASSAY_") {
			return nil, usage("--agent-env %q is neither NAME nor NAME=VALUE, or a name of this program's own", name)
		}
		if !given {
			if value = p.Getenv(name); value == "" {
				return nil, usage("--agent-env %s: it is not set here", name)
			}
		}
		out = append(out, name+"="+value)
	}
	return out, nil
}

// kept are the files and folders that no agent may see, wherever they lie: the bench, what runs and episodes are kept in, and
// the proofs.
func (p *Process) kept(ref, db string) []string {
	file := p.path(p.dbPath(db))
	out := []string{file, file + "-wal", file + "-shm", p.path(".assay"), p.stateDir()}
	if isPath(ref) {
		out = append(out, p.path(ref))
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}

// entrants makes the entrants: the program with each of the models, or with none that this program knows of.
func (w *worker) entrants(p *Process, specs []model.Spec) (out []run.Entrant, closeAll func(), err error) {
	closeAll = func() {
		for _, e := range out {
			if c, ok := e.Model.(model.Closer); ok {
				c.Close()
			}
		}
	}
	if len(specs) == 0 {
		specs = []model.Spec{{}}
	}
	for _, s := range specs {
		a := w.agent
		if s.Raw != "" {
			if err := w.thinksWith(p, s, &a); err != nil {
				closeAll()
				return nil, nil, err
			}
		}
		if w.sealed {
			if a.Box, err = p.seal(); err != nil {
				closeAll()
				return nil, nil, fault(err)
			}
		}
		m, err := command.NewAgent(w.path, a)
		if err != nil {
			closeAll()
			return nil, nil, usage("--agent: %v", err)
		}
		out = append(out, run.Entrant{Model: m, BenchName: s.BenchName()})
	}
	return out, closeAll, nil
}

// thinksWith finds a model's server, to which the program is let through, and hands its key down.
func (w *worker) thinksWith(p *Process, s model.Spec, a *command.Agent) error {
	none := usage("--model %s: an agent's program thinks with a model of a server; %s has none", s.Raw, s.Provider)
	if slices.Contains([]string{"command", "control", "replay"}, s.Provider) {
		return none
	}
	m, err := providers.Open(s, providers.Env{Getenv: p.Getenv, Dial: p.Dial})
	if err != nil {
		return usage("%v", err)
	}
	if c, ok := m.(model.Closer); ok {
		defer c.Close()
	}
	served, ok := m.(model.Served)
	if !ok {
		return none
	}
	a.Model = command.Thinker{Spec: s, Endpoint: served.Endpoint(), Dial: p.Dial}
	a.Env = slices.Clone(a.Env)
	for _, name := range served.KeyNames() {
		if v := p.Getenv(name); v != "" {
			a.Env = append(a.Env, name+"="+v)
		}
	}
	return nil
}

// mark says in a run's plan how its agent works, and tells people where it is not sealed.
func (w *worker) mark(p *Process, s *run.Spec, quiet bool) {
	if w.sealed {
		s.Flags, s.Sandbox = append(s.Flags, store.FlagSealed), string(sandbox.TierBwrap)
		return
	}
	s.Sandbox = "none"
	if !quiet {
		p.notef("warning: %s works unsealed, and its episodes are never ranked: %s", filepath.Base(w.path), w.why)
	}
}
