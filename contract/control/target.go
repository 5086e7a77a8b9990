package control

import (
	"context"
	"fmt"
	"slices"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

// write is a call that changes the world, tried in the place of another.
type write struct {
	step Step
	form string
	arg  string // the argument that was replaced, "" for several
	id   bool   // which names a record
}

// optionWrites gives the primary write with the arguments that other options ask, those without authority first.
func (s *Subject) optionWrites(m made) []write {
	var out []write
	list := s.others()
	slices.Reverse(list)
	for _, o := range list {
		if st, ok := s.stepUnder(m, s.x.Choose(o)); ok {
			form := "what " + o + " asks"
			if v := s.x.Option(o); v != nil && v.Authority != contract.Approved {
				form += fmt.Sprintf(", which is %s", v.Authority)
			}
			out = append(out, write{step: st, form: form})
		}
	}
	return out
}

// stepUnder gives a change's call with the arguments that other expected values ask; ok is false where it is the same call.
func (s *Subject) stepUnder(m made, x *contract.Expected) (Step, bool) {
	st := s.steps[m.at]
	args, changed := st.Args, false
	was := s.c.ArgsUnder(m.change, s.x, s.roles)
	for i, g := range s.c.ArgsUnder(m.change, x, s.roles) {
		if exact.Equal(g.Value, was[i].Value) {
			continue
		}
		if next, ok := set(args, g.At, g.Value); ok {
			args, changed = next, true
		}
	}
	st.Args = args
	return st, changed
}

// siblingWrites gives a write with one of its arguments replaced by a value that stands in its place elsewhere.
func (s *Subject) siblingWrites(at int) []write {
	st := s.steps[at]
	var out []write
	for _, arg := range sortedKeys(st.Args) {
		if s.own(st.Tool, arg) {
			continue
		}
		vals, id := s.siblings(st.Tool, arg, st.Args[arg])
		for _, v := range vals {
			out = append(out, write{step: st.with(arg, v), form: fmt.Sprintf("%s %s in place of %s", arg, exact.Text(v), exact.Text(st.Args[arg])), arg: arg, id: id})
		}
	}
	return out
}

// pairWrites gives a write with two of its arguments replaced, each by what stands most nearly in its place: where the reference
// took a place, the same on another record needs another place.
func (s *Subject) pairWrites(at int) []write {
	const most = 4
	st := s.steps[at]
	var out []write
	args := slices.DeleteFunc(sortedKeys(st.Args), func(a string) bool { return s.own(st.Tool, a) })
	for i, a := range args {
		for _, b := range args[i+1:] {
			va, _ := s.siblings(st.Tool, a, st.Args[a])
			vb, _ := s.siblings(st.Tool, b, st.Args[b])
			for _, v := range va[:min(len(va), most)] {
				for _, w := range vb[:min(len(vb), most)] {
					out = append(out, write{step: st.with(a, v).with(b, w), form: fmt.Sprintf("%s %s and %s %s", a, exact.Text(v), b, exact.Text(w))})
				}
			}
		}
	}
	return out
}

// own says whether an argument is one that a caller makes up: the key of a repeated call.
func (s *Subject) own(tool, arg string) bool {
	t := s.task.World.Tool(tool)
	return t != nil && t.Idempotency == arg
}

// again gives a step as a call of its own: a repeated key would be answered and not done.
func (s *Subject) again(st Step) Step {
	if t := s.task.World.Tool(st.Tool); t != nil && t.Idempotency != "" && st.Args[t.Idempotency] != nil {
		return st.with(t.Idempotency, fmt.Sprint(st.Args[t.Idempotency])+"-b")
	}
	return st
}

// unauthorised adds a write to a perfect run that the world takes and nobody allowed: what an option without authority asks,
// or the same on a record that the reference leaves alone.
func (s *Subject) unauthorised(ctx context.Context) (plan, error) {
	p := plan{name: "unauthorized_write", breaks: []string{"containment"}, changes: true}
	prim := s.primaries()
	if len(prim) == 0 {
		p.why = "the contract has no primary change"
		return p, nil
	}
	var tries []write
	for _, m := range prim {
		tries = append(tries, s.optionWrites(m)...)
	}
	for _, m := range prim {
		tries = append(tries, s.siblingWrites(m.at)...)
	}
	for _, m := range prim {
		tries = append(tries, s.pairWrites(m.at)...)
	}
	for i := range s.steps {
		if s.isWrite(i) && !slices.ContainsFunc(prim, func(m made) bool { return m.at == i }) {
			tries = append(tries, s.siblingWrites(i)...)
		}
	}
	touched := map[string]bool{}
	for _, c := range s.final {
		touched[c.Table+" "+rowText(c.Key)] = true
	}
	at := len(s.steps)
	if s.roles.Submit > 0 {
		at = s.roles.Submit - 1
	}
	extras := make([]Step, len(tries))
	for i, w := range tries {
		extras[i] = s.again(w.step)
		extras[i].ref = 0
	}
	i, err := s.probe(ctx, s.steps[:at], extras, func(e *world.Event) bool {
		// Only a row that the reference leaves alone shows that containment is judged: another value in its own row breaks
		// the change itself.
		return slices.ContainsFunc(e.Effect, func(c world.Change) bool { return !touched[c.Table+" "+rowText(c.Key)] })
	})
	if err != nil {
		return p, err
	}
	if i >= 0 {
		p.steps, p.form = slices.Insert(slices.Clone(s.steps), at, extras[i]), extras[i].Tool+", "+tries[i].form
		return p, nil
	}
	p.why = fmt.Sprintf("the world takes none of %d writes beyond what is right: it refuses everything that the contract would have to forbid, so that containment is never put to the test", len(tries))
	return p, nil
}

// refusedWrite tries what an option without authority asks and is refused for that reason, beside a perfect run. Where the world
// takes such writes, or knows no authority, there is none.
func (s *Subject) refusedWrite(ctx context.Context) ([]plan, error) {
	at := len(s.steps)
	if s.roles.Submit > 0 {
		at = s.roles.Submit - 1
	}
	for _, m := range s.primaries() {
		for _, w := range s.optionWrites(m) {
			extra := s.again(w.step)
			extra.ref = 0
			steps := slices.Insert(slices.Clone(s.steps), at, extra)
			events, err := s.events(ctx, steps)
			if err != nil {
				return nil, err
			}
			if e := events[at]; e.Error != nil && e.Error.Code == world.Unauthorised {
				return []plan{{name: "refused_write", form: extra.Tool + ", " + w.form, steps: steps, breaks: []string{"authority", "containment"}, exact: true}}, nil
			}
		}
	}
	return nil, nil
}
