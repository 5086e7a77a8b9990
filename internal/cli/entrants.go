package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/control"
	"github.com/assaybench/assay/model/providers"
	"github.com/assaybench/assay/qualify"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/sandbox"
	"github.com/assaybench/assay/store"
)

func parseModels(names []string) ([]model.Spec, error) {
	var out []model.Spec
	for _, n := range names {
		s, err := model.ParseSpec(strings.TrimSpace(n))
		if err != nil {
			return nil, usage("%v", err)
		}
		if slices.ContainsFunc(out, func(t model.Spec) bool { return t.Raw == s.Raw }) {
			return nil, usage("the model %s is named twice", s.Raw)
		}
		out = append(out, s)
	}
	return out, nil
}

// canRun refuses a bench some of whose items cannot run, unless --only leaves them out.
func (p *Process) canRun(o *opened, only []string) error {
	var bad []string
	frozen := map[string]bool{}
	for h := range o.set.Heads() {
		if h.Frozen && len(o.set.Blocked()) > 0 {
			frozen[h.ID] = true
		}
	}
	for _, b := range o.set.Blocked() {
		if !frozen[b.Item] {
			continue // a draft is never run
		}
		if len(only) == 0 || slices.Contains(only, b.Item) {
			bad = append(bad, fmt.Sprintf("%s: %s cannot run: %s", o.bench.Name(), b.Item, b.Why))
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return usage("%s\n%s: --only ITEM,... runs the others", strings.Join(bad, "\n"), o.bench.Name())
}

// standing decides whether the bench is proven on this machine. Where the rules are proven and only what executes answers
// differs (another sandbox, another python), the controls of those items are judged here and now.
func (p *Process) standing(o *opened, box *sandbox.Box, m qualify.Machine, f runFlags) (string, error) {
	items, _ := o.set.Executes()
	engine, prove := "", "check"
	if o.bench.Shape == bench.ShapeAgent {
		engine, prove = qualify.Engine, "qualify"
	}
	stand := qualify.Stand(o.state.Digest, o.set.Digest(), engine, m, len(items) > 0, o.proofs)
	switch {
	case stand == qualify.Proven:
		return "proven", nil
	case stand == qualify.Elsewhere && box == nil:
		return "proven", nil // nothing is executed, so nothing unproven is graded; the results say what is not
	case stand == qualify.Elsewhere && !f.unsafe:
		return "proven", p.proveHere(o, m, items, f)
	case stand == qualify.Unproven && !f.unproven:
		return "", usage("%s: its graders are not proven as its files now are; run assay %s %s first, or run with --unproven and have the results say so", o.bench.Name(), prove, o.bench.Source)
	}
	return "unproven", nil
}

// proveHere judges the controls of the items that execute answers. Those that this machine cannot judge (no python3) it
// cannot grade either.
func (p *Process) proveHere(o *opened, m qualify.Machine, items []string, f runFlags) error {
	if !f.quiet {
		p.notef("judging the controls of %s with this machine's sandbox (%s) and python (%s)", strings.Join(items, ", "), m.Tier, m.Python)
	}
	r, err := qualify.Check(p.Context, o.set, qualify.Options{Only: items})
	if err != nil {
		return fault(err)
	}
	r.Digest = o.state.Digest
	if len(r.Faults) > r.NotGraded {
		return p.notProven(r)
	}
	if r.NotGraded > 0 {
		return nil
	}
	if err := p.prove(r, m, false, p.proofDir()); err != nil && !f.quiet {
		p.notef("warning: the proof could not be kept: %v", err)
	}
	return nil
}

func (p *Process) notProven(r *qualify.Report) error {
	var lines []string
	for _, x := range r.Faults {
		lines = append(lines, x.String())
	}
	return fault(fmt.Errorf("%s\nthe graders of %s fail their controls on this machine; see assay check", strings.Join(lines, "\n"), r.Bench))
}

// enter opens who works on a bench: models, or a program of an agent's with them. The specs are those that costs go by: what a
// program spends is not known here.
func (p *Process) enter(o *opened, specs []model.Spec, db store.Store, f runFlags) ([]run.Entrant, func(), []model.Spec, error) {
	if f.worker == nil {
		out, closeAll, err := p.entrants(o, specs, db, f)
		return out, closeAll, specs, err
	}
	out, closeAll, err := f.worker.entrants(p, specs)
	if err != nil {
		return nil, nil, nil, err
	}
	programs := make([]model.Spec, len(out))
	for i := range out {
		name := strings.TrimPrefix(out[i].Model.Name(), "command/")
		programs[i] = model.Spec{Raw: "command/" + name, Provider: "command", Name: name}
	}
	return out, closeAll, programs, nil
}

// entrants opens the models.
func (p *Process) entrants(o *opened, specs []model.Spec, db store.Store, f runFlags) ([]run.Entrant, func(), error) {
	env := providers.Env{Getenv: p.Getenv, Dial: p.Dial, Concurrency: max(f.concurrency, 8), Replay: func(ref string) (providers.Recorded, error) { return p.replay(db, ref) },
		ControlAnswer: func(name, item string) (string, error) { return controlAnswer(o, name, item) }}
	var out []run.Entrant
	closeAll := func() {
		for _, e := range out {
			if c, ok := e.Model.(model.Closer); ok {
				c.Close()
			}
		}
	}
	for _, s := range specs {
		if s.Provider == "replay" {
			r, err := p.replayed(o, db, s.Name)
			if err != nil {
				closeAll()
				return nil, nil, err
			}
			s.Name, s.Raw = r.ID, "replay/"+r.ID // "latest" is another run tomorrow
		}
		if s.Provider == "control" && s.Name != control.Empty {
			if err := p.haveControl(o, s.Name, f.only); err != nil {
				closeAll()
				return nil, nil, err
			}
		}
		m, err := providers.Open(s, env)
		if err != nil {
			closeAll()
			return nil, nil, usage("%v", err)
		}
		out = append(out, run.Entrant{Model: m, BenchName: s.BenchName()})
	}
	return out, closeAll, nil
}

// haveControl refuses a control that some planned item lacks, and lists the items.
func (p *Process) haveControl(o *opened, name string, only []string) error {
	var lacking, having, names []string
	for h := range o.set.Heads() {
		if !h.Frozen || len(only) > 0 && !slices.Contains(only, h.ID) {
			continue
		}
		if _, err := controlAnswer(o, name, h.ID); err != nil {
			lacking = append(lacking, h.ID)
			controls, err := o.set.Controls(h.ID)
			if err != nil {
				return err
			}
			for _, c := range controls {
				names = append(names, c.Name)
			}
		} else {
			having = append(having, h.ID)
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	slices.Sort(names)
	how := bench.Nearest(name, slices.Compact(names))
	if len(having) > 0 {
		how = "; run those that have one with --only " + some(having, ",")
	}
	return usage("control/%s: no control of that name in %s%s", name, some(lacking, ", "), how)
}

// someMost is how many names an error lists.
const someMost = 40

// some lists names, and of many how many there are beside those listed.
func some(names []string, between string) string {
	if n := len(names) - someMost; n > 0 {
		return fmt.Sprintf("%s … (and %d more)", strings.Join(names[:someMost], between), n)
	}
	return strings.Join(names, between)
}

func controlAnswer(o *opened, name, item string) (string, error) {
	controls, err := o.set.Controls(item)
	if err != nil {
		return "", err
	}
	for _, c := range controls {
		if c.Name == name || name == "reference" && c.Accept {
			return c.Answer, nil
		}
	}
	return "", fmt.Errorf("the item %s has no control %q", item, name)
}
