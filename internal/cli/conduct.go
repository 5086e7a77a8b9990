package cli

import (
	"cmp"
	"errors"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/store"
)

// part is one run of a command: that of the bench, or that of a private set beside it.
type part struct {
	engine *run.Engine
	spec   run.Spec
	lack   string  // what this machine lacks for grading
	budget *budget // nil: nothing is known to cost
	close  func()  // of the models
}

// part opens the models for a bench and sees what its run may cost; nothing is asked yet.
func (p *Process) part(o *opened, specs []model.Spec, db store.Store, f runFlags, spec run.Spec) (*part, error) {
	if o.private != nil {
		f.only = nil
	}
	entrants, closeModels, specs, err := p.enter(o, specs, db, f)
	if err != nil {
		return nil, err
	}
	x := &part{engine: p.engine(db), spec: spec, close: closeModels}
	s := &x.spec
	s.Set, s.Digest, s.Models, s.Postures, s.Repeats, s.Concurrency = o.set, o.state.Digest, entrants, f.postures, f.repeats, f.concurrency
	s.New, s.NoProbe, s.NoSchema, s.Assay = f.again, f.noProbe, f.noSchema, version()
	if f.worker != nil {
		f.worker.mark(p, s, f.quiet)
	}
	if f.unsafe {
		s.Flags = append(s.Flags, "unsafe-no-sandbox")
	}
	if f.noSchema {
		s.Flags = append(s.Flags, "no-schema")
	}
	if err := p.boundCost(o, s, specs, f); err != nil {
		closeModels()
		return nil, err
	}
	if f.beside() {
		if err := p.besides(f).Check(*s); err != nil {
			closeModels()
			return nil, explainRun(err)
		}
	}
	if !f.quiet && o.private == nil { // what a server says of a private set's prompts is not shown
		x.engine.Note = func(line string) { p.notef("%s", line) }
	}
	if x.budget, err = p.afford(x.engine, s, specs, f, o.private == nil); err != nil {
		closeModels()
		return nil, err
	}
	return x, nil
}

// carryOut starts or resumes the run and, where there is one, that of a private set after it, and prints what they came to.
func (p *Process) carryOut(main, private *part, f runFlags) error {
	// What the private set's run spent in earlier sessions counts before the bench's own goes on: they share one limit.
	spent := price.Amount(0)
	if private != nil && private.budget != nil {
		spent = private.budget.spent
	}
	r, tally, own, err := p.conduct(main, f, nil, spent)
	if err != nil {
		return err
	}
	var other *store.Run
	var rest store.Tally
	if private != nil {
		if other, rest, _, err = p.conduct(private, f, r, own); err != nil {
			return hushed(err)
		}
	}
	db := main.engine.Store
	if f.quiet {
		db = nil
	} else if err := p.printResult(r, db, "", f.asJSON, f.markdown); err != nil {
		return err
	}
	err = p.left(r, tally, db)
	if other != nil {
		err = cmp.Or(err, p.left(other, rest, db))
	}
	return cmp.Or(p.gated(r, main.engine.Store, "", f.conditions), err) // a gate that fails is what was asked for
}

// conduct starts or resumes one run and executes it. of is the run that a private set's is joined with, and others what the
// other run of the command cost; own is what this one cost, in all its sessions.
func (p *Process) conduct(x *part, f runFlags, of *store.Run, others price.Amount) (r *store.Run, tally store.Tally, own price.Amount, err error) {
	meter, err := x.budget.meter(others)
	if err != nil {
		return nil, nil, 0, err
	}
	if meter != nil {
		x.spec.Allow = meter.Add
	}
	s, err := x.engine.Start(p.Context, x.spec)
	if err != nil {
		return nil, nil, 0, explainRun(err)
	}
	defer s.Close()
	if of != nil {
		if err := p.link(x.engine.Store, of, s.Run, f.private); err != nil {
			return nil, nil, 0, storeError(err)
		}
	}
	if !f.quiet {
		p.announce(s, x.spec.Set, x.lack)
	}
	tally = s.Begin
	if s.Status != run.Finished {
		if tally, err = p.executePart(x, s, f, meter, of != nil); err != nil {
			return nil, nil, 0, err
		}
	}
	if meter != nil {
		own = meter.Spent() - others
	}
	return s.Run, tally, own, nil
}

// executePart carries out what is left of a run. Of a private set's nothing is told but counts.
func (p *Process) executePart(x *part, s *run.Session, f runFlags, meter *price.Meter, private bool) (store.Tally, error) {
	finish := func() {}
	if !f.quiet {
		g := p.progress()
		x.engine.Observe, finish = g.observe, g.finish
		if !private {
			x.engine.Note = g.note
		}
	}
	sum, err := p.execute(s, f)
	if _, ok := errors.AsType[*price.Limit](err); ok && sum.Done == sum.Planned {
		sum, err = s.Execute(p.Context) // it was the last call: what it left ungraded is graded, and no other is made
	}
	finish()
	if meter != nil {
		if cerr := s.Keep(p.Context, store.FactCost, meter.Account()); err == nil {
			err = cerr
		}
	}
	if err != nil {
		return nil, explainRun(err)
	}
	switch {
	case sum.GraderFaults > 0 && private:
		p.notef("the grader failed on %d answers", sum.GraderFaults)
	case sum.GraderFaults > 0:
		p.notef("the grader failed on %d answers, first: %s", sum.GraderFaults, sum.GraderFault)
	}
	for _, d := range sum.Drift {
		p.notef("warning: %s", d)
	}
	return sum.Tally, nil
}
