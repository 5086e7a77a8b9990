package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// Subject is a task with its reference as it ran: what controls are made from. It is used by one caller at a time.
type Subject struct {
	set   *tasks.Set
	task  *tasks.Task
	c     *contract.Contract
	x     *contract.Expected
	roles *contract.Roles
	steps []Step        // the reference's calls
	ref   []world.Event // beside steps
	final []world.Change
	rules []string // every criterion, as the oracle's verdict names them
	first int      // the index of the first call that changed the world; len(steps) without one
	rows  []world.TableRows
	users []string
	reads *cachedReads
	asked []Step                        // the reads that the contract derives from
	under map[string]*contract.Expected // what follows under decoys that were looked at
}

// open runs the reference and finds what each of its calls does. The error is a fault of ours.
func open(ctx context.Context, set *tasks.Set, task *tasks.Task) (*Subject, *Ran, error) {
	s := &Subject{set: set, task: task, c: task.Contract(), x: task.Expected()}
	trace, err := task.Reference()
	if err != nil {
		return nil, nil, err
	}
	for i, call := range trace {
		args, err := decodeArgs(call.Args)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: the reference's line %d: %w", task.ID, call.Line, err)
		}
		s.steps = append(s.steps, Step{Tool: call.Tool, Args: args, ref: i + 1})
	}
	ran, err := s.run(ctx, s.steps)
	if err != nil {
		return nil, nil, err
	}
	s.ref, s.final = ran.Events, ran.Final
	s.roles = s.c.Roles(s.x, &contract.Episode{Events: ran.Events, Final: ran.Final, Outcome: record.Answered})
	for _, f := range ran.Verdict.Findings {
		s.rules = append(s.rules, f.Rule)
	}
	s.first = len(s.steps)
	for i := range s.ref {
		if len(s.ref[i].Effect) > 0 {
			s.first = i
			break
		}
	}
	if err := s.look(ctx); err != nil {
		return nil, nil, err
	}
	return s, ran, nil
}

// look takes the rows that the task's world begins with.
func (s *Subject) look(ctx context.Context) error {
	sess, err := s.task.Session(ctx, "qualify")
	if err != nil {
		return err
	}
	defer sess.Close()
	s.rows, err = sess.State(ctx)
	for _, u := range s.task.World.Users {
		s.users = append(s.users, u.ID)
	}
	reads, end, err2 := s.task.Reads()
	if err2 != nil {
		return err2
	}
	s.reads, s.under = &cachedReads{under: reads, end: end, seen: map[string]answered{}}, map[string]*contract.Expected{}
	s.derive(func(tool string, raw jsontext.Value) (string, jsontext.Value) {
		if args, err := decodeArgs(raw); err == nil {
			s.asked = append(s.asked, Step{Tool: tool, Args: args})
		}
		return tool, raw
	}, nil)
	return err
}

func (s *Subject) close() {
	if s.reads != nil {
		s.reads.end()
	}
}

// cachedReads makes each read on the seed once: a search for decoys derives a contract many times.
type cachedReads struct {
	under contract.Reads
	end   func()
	seen  map[string]answered
	swap  func(tool string, args jsontext.Value) (string, jsontext.Value) // what is read in place of what was asked
	bend  func(tool string, result jsontext.Value) jsontext.Value         // what is believed in place of what was read
}

type answered struct {
	result jsontext.Value
	err    error
}

// Read reads, or gives what the same read gave before.
func (r *cachedReads) Read(tool string, args jsontext.Value) (jsontext.Value, error) {
	if r.swap != nil {
		tool, args = r.swap(tool, args)
	}
	key := tool + " " + string(args)
	a, ok := r.seen[key]
	if !ok {
		a.result, a.err = r.under.Read(tool, args)
		r.seen[key] = a
	}
	if a.err == nil && r.bend != nil {
		return r.bend(tool, a.result), nil
	}
	return a.result, a.err
}

// derive gives the expected values of a world in which other reads stand for some. ok is false where nothing follows.
func (s *Subject) derive(swap func(string, jsontext.Value) (string, jsontext.Value), bend func(string, jsontext.Value) jsontext.Value) (*contract.Expected, bool) {
	r := *s.reads
	r.swap, r.bend = swap, bend
	x, err := s.c.Derive(&r)
	return x, err == nil
}

// isWrite says whether a step of the reference changes the world or is meant to.
func (s *Subject) isWrite(i int) bool {
	t := s.task.World.Tool(s.steps[i].Tool)
	return t != nil && t.Access == world.Write
}

func (s *Subject) isSubmit(i int) bool { return s.steps[i].Tool == world.ToolSubmit }

func (s *Subject) isRead(i int) bool { return !s.isWrite(i) && !s.isSubmit(i) }

// keep gives the reference's steps for which f holds.
func (s *Subject) keep(f func(i int) bool) []Step {
	var out []Step
	for i, st := range s.steps {
		if f(i) {
			out = append(out, st)
		}
	}
	return out
}

// primaries gives the changes that the task is about, with the indexes of the calls that made them, in the order of the calls.
func (s *Subject) primaries() []made {
	var out []made
	for _, ch := range s.c.Changes {
		if seq := s.roles.Changes[ch.ID]; seq > 0 && ch.Role == contract.Primary {
			out = append(out, made{ch, seq - 1})
		}
	}
	slices.SortFunc(out, func(a, b made) int { return a.at - b.at })
	return out
}

type made struct {
	change *contract.Change
	at     int
}

// madeBy gives the change that a step of the reference made, nil for none.
func (s *Subject) madeBy(i int) *contract.Change {
	for _, ch := range s.c.Changes {
		if s.roles.Changes[ch.ID] == i+1 {
			return ch
		}
	}
	return nil
}

// named gives the criteria with one of the prefixes, in the order in which they are judged.
func (s *Subject) named(prefixes ...string) []string {
	out := []string{}
	for _, r := range s.rules {
		if slices.ContainsFunc(prefixes, func(p string) bool { return r == p || strings.HasSuffix(p, ".") && strings.HasPrefix(r, p) }) {
			out = append(out, r)
		}
	}
	return out
}

// shownOnlyBy gives the investigations that no call shows but those of the steps.
func (s *Subject) shownOnlyBy(steps []int) []string {
	out := []string{}
	for _, v := range s.c.Investigations {
		seqs := s.roles.Shows[v.ID]
		if len(seqs) > 0 && !slices.ContainsFunc(seqs, func(q int) bool { return !slices.Contains(steps, q-1) }) {
			out = append(out, "investigation."+v.ID)
		}
	}
	return out
}

// material is a read of the reference that a graded value or a criterion stands on: one call, or several that ask the same.
type material struct {
	steps  []int
	shows  []string // the investigations that it alone shows
	inputs []string // the material inputs that it alone reads
}

// materials gives the material reads before the first change of the world, in the reference's order.
func (s *Subject) materials() []material {
	inputs := s.c.MaterialInputs()
	groups := map[string][]int{}
	var order []string
	for i := range s.first {
		if s.isRead(i) && s.ref[i].OK() {
			key := s.steps[i].Tool + " " + string(exact.JSON(s.steps[i].Args))
			if groups[key] == nil {
				order = append(order, key)
			}
			groups[key] = append(groups[key], i)
		}
	}
	var out []material
	for _, key := range order {
		m := material{steps: groups[key]}
		m.shows = s.shownOnlyBy(m.steps)
		for _, in := range inputs {
			seqs := s.roles.Reads[in]
			if len(seqs) > 0 && !slices.ContainsFunc(seqs, func(q int) bool { return !slices.Contains(m.steps, q-1) }) {
				m.inputs = append(m.inputs, in)
			}
		}
		if len(m.shows)+len(m.inputs) > 0 {
			out = append(out, m)
		}
	}
	return out
}
