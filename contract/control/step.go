package control

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// Step is one call of a control. Args are values as package exact holds them.
type Step struct {
	Tool string
	Args map[string]any
	ref  int // the number of the reference's call that it comes from, 0 for none
}

// Ran is a control as a world of its own answered it.
type Ran struct {
	Events  []world.Event
	Final   []world.Change
	Episode *record.Episode
	Verdict record.Verdict
}

// calls makes the calls of a control in a fresh world, and gives the session for the caller to close. Ids that the world makes
// are followed: where a write made another id than it did in the reference, later calls name that one.
func (s *Subject) calls(ctx context.Context, steps []Step) (*world.Session, error) {
	sess, err := s.task.Session(ctx, "qualify")
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for _, st := range steps {
		args := renamed(st.Args, ids).(map[string]any)
		e, err := sess.Call(ctx, world.Call{Actor: world.Agent, Surface: "replay", Tool: st.Tool, Args: exact.JSON(args)})
		if err == nil && e.Status == world.Fault {
			err = fmt.Errorf("%s: the world failed at %s: %s", s.task.ID, st.Tool, e.Error.Message)
		}
		if err != nil {
			return nil, errors.Join(err, sess.Close())
		}
		if st.ref > 0 && len(s.ref) >= st.ref {
			follow(ids, s.ref[st.ref-1].Effect, e.Effect)
		}
	}
	return sess, nil
}

// events gives what a world answers to the calls of a control.
func (s *Subject) events(ctx context.Context, steps []Step) ([]world.Event, error) {
	sess, err := s.calls(ctx, steps)
	if err != nil {
		return nil, err
	}
	return sess.Events(), sess.Close()
}

// run plays a control and has the bench's own grader judge the episode, as that of any agent.
func (s *Subject) run(ctx context.Context, steps []Step) (*Ran, error) {
	sess, err := s.calls(ctx, steps)
	if err != nil {
		return nil, err
	}
	defer sess.Close()
	r := &Ran{Events: sess.Events()}
	if r.Episode, err = world.Bundle(ctx, sess, "replay"); err != nil {
		return nil, err
	}
	if err := jsonv2.Unmarshal(r.Episode.Changes, &r.Final); err != nil {
		return nil, err
	}
	r.Verdict, err = s.set.Grade(ctx, s.task.ID, record.Transcript{Outcome: record.Answered, Episode: r.Episode})
	if err == nil && r.Verdict.State != record.Graded {
		err = fmt.Errorf("%s: a control could not be graded: %s", s.task.ID, r.Verdict.Reason)
	}
	return r, err
}

// probe finds the first of some calls that a world takes after others and that will do; -1 for none. A call that is refused
// leaves no trace in a world, so that the next is tried in the same one.
func (s *Subject) probe(ctx context.Context, before, tries []Step, will func(*world.Event) bool) (int, error) {
	var sess *world.Session
	defer func() {
		if sess != nil {
			sess.Close()
		}
	}()
	for i := range tries {
		if sess == nil {
			var err error
			if sess, err = s.task.Session(ctx, "qualify"); err != nil {
				return -1, err
			}
			for _, st := range before {
				if _, err := sess.Call(ctx, world.Call{Actor: world.Agent, Surface: "replay", Tool: st.Tool, Args: exact.JSON(st.Args)}); err != nil {
					return -1, err
				}
			}
		}
		e, err := sess.Call(ctx, world.Call{Actor: world.Agent, Surface: "replay", Tool: tries[i].Tool, Args: exact.JSON(tries[i].Args)})
		switch {
		case err != nil:
			return -1, err
		case e.OK() && will(e):
			return i, nil
		case len(e.Effect) > 0:
			err = sess.Close()
			if sess = nil; err != nil {
				return -1, err
			}
		}
	}
	return -1, nil
}

// follow remembers which ids a write made in place of those that it made in the reference.
func follow(ids map[string]string, ref, now []world.Change) {
	for i := range ref {
		if ref[i].Op != world.Insert || i >= len(now) || now[i].Op != world.Insert || now[i].Table != ref[i].Table {
			continue
		}
		for k, v := range ref[i].Key {
			a, ok := v.(string)
			b, ok2 := now[i].Key[k].(string)
			if ok && ok2 && a != b {
				ids[a] = b
			}
		}
	}
}

// renamed gives a value with ids replaced, as whole texts and as words of longer ones.
func renamed(v any, ids map[string]string) any {
	if len(ids) == 0 {
		return v
	}
	return mapped(v, func(x any) any {
		s, ok := x.(string)
		if !ok {
			return x
		}
		for _, from := range slices.Sorted(maps.Keys(ids)) {
			if s == from {
				return ids[from]
			}
		}
		if strings.ContainsRune(s, ' ') {
			for _, from := range slices.Sorted(maps.Keys(ids)) {
				s = strings.ReplaceAll(s, from, ids[from])
			}
		}
		return s
	})
}

// mapped gives a copy of a value with every scalar replaced.
func mapped(v any, f func(any) any) any {
	switch x := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(x))
		for k, e := range x {
			m[k] = mapped(e, f)
		}
		return m
	case []any:
		l := make([]any, len(x))
		for i, e := range x {
			l[i] = mapped(e, f)
		}
		return l
	}
	return f(v)
}

// digest binds what a control calls: the SHA-256 over its calls, a line each.
func digest(steps []Step) string {
	h := sha256.New()
	for _, st := range steps {
		fmt.Fprintf(h, "%s %s\n", st.Tool, exact.JSON(st.Args))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func decodeArgs(raw jsontext.Value) (map[string]any, error) {
	if len(raw) == 0 {
		return map[string]any{}, nil
	}
	v, err := exact.Decode(raw)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the arguments are no object")
	}
	return m, nil
}

// with gives a copy of a step with one argument replaced; nil takes it out.
func (st Step) with(arg string, v any) Step {
	args := maps.Clone(st.Args)
	if args == nil {
		args = map[string]any{}
	}
	if v == nil {
		delete(args, arg)
	} else {
		args[arg] = v
	}
	return Step{Tool: st.Tool, Args: args, ref: st.ref}
}
