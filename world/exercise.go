package world

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// Trial is a task with calls through its world: a reference, a control, anything that is known to work.
type Trial struct {
	Name   string // where the calls come from, for messages
	Task   *Task
	Staged *Staged
	Trace  []TraceCall
}

// Use is what a tool was seen to do over all trials.
type Use struct {
	Tool    *Tool
	Calls   int    // that its schema let through
	OK      int    // of those, answered
	Changed int    // of those, with rows changed
	Said    string // what it last said instead of an answer
}

// Exercise measures what a world's tools do: it makes the trials' calls, and then calls every tool with arguments that its
// schema, the seed rows and the trials suggest. A tool declared read that changes the state by a single byte, one declared
// write that never changed a row, and one that broke its own schema are errors (*bench.Error at the tool, joined). Calls
// by suggestion are for finding that a tool works; that none of them succeeds is an error of a write tool only, and a
// trial with a call of it ends that.
func (w *World) Exercise(ctx context.Context, trials []Trial) ([]Use, error) {
	x := &exercise{w: w, uses: map[string]*Use{}, broken: map[string]error{}, hints: map[string][]any{}}
	for _, t := range w.Tools {
		x.uses[t.Name] = &Use{Tool: t}
	}
	for _, tr := range trials {
		if err := x.trace(ctx, tr); err != nil {
			return nil, fmt.Errorf("%s: %w", tr.Name, err)
		}
	}
	var seen []seedOf
	for _, tr := range trials {
		if key := (seedOf{tr.Task, tr.Staged}); !slices.Contains(seen, key) {
			seen = append(seen, key)
			if err := x.suggested(ctx, tr); err != nil {
				return nil, fmt.Errorf("%s: %w", tr.Name, err)
			}
		}
	}
	var uses []Use
	var errs []error
	for _, t := range w.Tools {
		u := x.uses[t.Name]
		uses = append(uses, *u)
		at := &bench.Error{File: t.File, Line: t.Line}
		switch {
		case x.broken[t.Name] != nil:
			at.Msg = x.broken[t.Name].Error()
		case t.Access == Write && u.Changed == 0 && u.OK > 0:
			at.Msg = fmt.Sprintf("the tool %s is declared write and changed nothing in %d calls that it answered", t.Name, u.OK)
		case t.Access == Write && u.Changed == 0:
			at.Msg = fmt.Sprintf("the tool %s is declared write and no call of it was answered (%d tried); make one in a reference or control", t.Name, u.Calls)
			if u.Said != "" {
				at.Msg += ": it last said: " + u.Said
			}
		default:
			continue
		}
		errs = append(errs, at)
	}
	return uses, errors.Join(errs...)
}

type exercise struct {
	w      *World
	uses   map[string]*Use
	broken map[string]error
	hints  map[string][]any // by property, the values that trials gave it
}

// trace makes a trial's calls, and holds the whole database before and after each read against each other.
func (x *exercise) trace(ctx context.Context, tr Trial) error {
	s, err := x.w.NewSession(ctx, Spec{ID: "exercise", Task: tr.Task, Staged: tr.Staged})
	if err != nil {
		return err
	}
	defer s.Close()
	for _, c := range tr.Trace {
		if args, err := decodeArgs(c.Args); err == nil {
			for k, v := range args {
				if len(x.hints[k]) < 20 {
					x.hints[k] = append(x.hints[k], v)
				}
			}
		}
		if err := x.measured(ctx, s, c.Tool, c.Args); err != nil {
			return err
		}
	}
	_, err = s.Changes(ctx)
	return err
}

// measured makes one call and takes down what it did.
func (x *exercise) measured(ctx context.Context, s *Session, tool string, args []byte) error {
	u := x.uses[tool]
	read := u != nil && u.Tool.Access == Read
	var before []byte
	var err error
	if read {
		if before, err = s.d.serialize(); err != nil {
			return err
		}
	}
	e, err := s.Call(ctx, Call{Actor: Agent, Surface: "replay", Tool: tool, Args: args})
	if err != nil || u == nil {
		return err
	}
	x.took(u, e)
	if !read {
		return nil
	}
	after, err := s.d.serialize()
	if err == nil && !bytes.Equal(before, after) {
		x.broken[tool] = fmt.Errorf("the tool %s is declared read and changed the state", tool)
	}
	return err
}

func (x *exercise) took(u *Use, e *Event) {
	if e.Status == Rejected || e.Error != nil && e.Error.Code == Transient {
		return
	}
	u.Calls++
	switch {
	case e.Status == Fault:
		x.broken[u.Tool.Name] = errors.New(e.Error.Message)
	case e.OK():
		u.OK++
		if len(e.Effect) > 0 {
			u.Changed++
		}
	default:
		u.Said = e.Error.Message
	}
}

// tries is how many suggested calls a tool gets of each trial.
const tries = 150

// suggested calls tools with arguments made up. Reads share a session, whose database must be the same at the end; a write
// that changed something has shown what it is to show.
func (x *exercise) suggested(ctx context.Context, tr Trial) error {
	spec := Spec{ID: "exercise", Task: tr.Task, Staged: tr.Staged}
	seed, err := x.w.Seed(ctx, tr.Task, tr.Staged)
	if err != nil {
		return err
	}
	for _, t := range x.w.Mounted(tr.Task) {
		u := x.uses[t.Name]
		if t.Access == Write && u.Changed > 0 {
			continue
		}
		s, err := x.w.NewSession(ctx, spec)
		if err != nil {
			return err
		}
		before, err := s.d.serialize()
		for i := 0; err == nil && i < tries; i++ {
			args, ok := x.suggest(t, tr.Task, seed, i)
			if !ok {
				break
			}
			var e *Event
			if e, err = s.Call(ctx, Call{Actor: Harness, Surface: "replay", Tool: t.Name, Args: args}); err == nil {
				x.took(u, e)
			}
			if u.Changed > 0 || x.broken[t.Name] != nil || t.Access == Read && u.OK >= 20 {
				break
			}
		}
		if err == nil && t.Access == Read {
			var after []byte
			if after, err = s.d.serialize(); err == nil && !bytes.Equal(before, after) {
				x.broken[t.Name] = fmt.Errorf("the tool %s is declared read and changed the state", t.Name)
			}
		}
		if err == nil {
			_, err = s.Changes(ctx)
		}
		if err = errors.Join(err, s.Close()); err != nil {
			return err
		}
	}
	return nil
}

// suggest makes the i-th arguments for a tool: values that belong together from one row of the seed, what trials gave a
// property of that name, and what its schema says, in turn.
func (x *exercise) suggest(t *Tool, task *Task, seed *Seed, i int) ([]byte, bool) {
	row := Row{}
	var bound []binding
	for k := range t.steps {
		if s := t.steps[k].guard; s != nil {
			bound = append(bound, x.w.bindings(s)...)
		} else {
			bound = append(bound, x.w.bindings(t.steps[k].run)...)
		}
	}
	for _, s := range []*statement{t.result.row, t.result.rows} {
		if s != nil {
			bound = append(bound, x.w.bindings(s)...)
		}
	}
	var tables []TableRows // those with a column that the tool asks for
	for _, tr := range seed.base {
		if len(tr.Rows) > 0 && slices.ContainsFunc(bound, func(b binding) bool { _, ok := tr.Rows[0][b.column]; return ok }) {
			tables = append(tables, tr)
		}
	}
	if len(tables) > 0 {
		rows := tables[i%len(tables)].Rows
		row = rows[(i/len(tables))%len(rows)]
	}
	args := map[string]any{}
	for n, name := range t.Input.names {
		required := slices.Contains(t.Input.required, name)
		if !required && (i+n)%3 != 0 {
			continue
		}
		var options []any
		for _, b := range bound {
			if v, ok := row[b.column]; ok && b.param == name && v != nil {
				options = append(options, v)
			}
		}
		if v, ok := row[name]; ok && v != nil {
			options = append(options, v)
		}
		if len(options) == 0 || i%4 == 3 {
			options = append(options, x.hints[name]...)
		}
		p := t.Input.property(name)
		options = append(options, samples(p, task)...)
		options = slices.DeleteFunc(options, func(v any) bool { return !t.Input.compiled.props[name].takes(v) })
		if len(options) > 0 {
			args[name] = options[(i/7)%len(options)]
		} else if required {
			return nil, false
		}
	}
	b, err := record.Canonical(args)
	return b, err == nil
}

// property gives a property's own schema, decoded.
func (s *Schema) property(name string) map[string]any {
	var doc struct {
		Properties map[string]map[string]any `json:"properties"`
	}
	dec := json.NewDecoder(strings.NewReader(string(s.JSON)))
	dec.UseNumber()
	if dec.Decode(&doc) != nil {
		return nil
	}
	return doc.Properties[name]
}

// samples gives values that a schema takes, as far as its simple keywords say.
func samples(p map[string]any, task *Task) []any {
	if list, ok := p["enum"].([]any); ok {
		return list
	}
	if c, ok := p["const"]; ok {
		return []any{c}
	}
	types, _ := p["type"].([]any)
	if t, ok := p["type"].(string); ok {
		types = []any{t}
	}
	if len(types) == 0 {
		return nil
	}
	switch types[0] {
	case "boolean":
		return []any{true, false}
	case "integer", "number":
		out := []any{}
		for _, key := range []string{"minimum", "maximum"} {
			if v, ok := p[key].(json.Number); ok {
				out = append(out, v)
			}
		}
		return append(out, json.Number("1"), json.Number("2"), json.Number("10"))
	case "string":
		least := 1
		if n, ok := p["minLength"].(json.Number); ok {
			if v, err := n.Int64(); err == nil && v < 10_000 {
				least = max(least, int(v))
			}
		}
		out := []any{strings.Repeat("x", least), task.AsOf, task.AsOf + "T10:00:00", task.AsOf + "T10:00:00Z", "10:00", "someone@example.org", strings.Repeat("some words ", 1+least/11)}
		if task.User != "" {
			out = append(out, task.User)
		}
		return out
	case "array":
		items, _ := p["items"].(map[string]any)
		out := []any{}
		for _, v := range samples(items, task) {
			out = append(out, []any{v})
		}
		return append(out, []any{})
	case "object":
		props, _ := p["properties"].(map[string]any)
		out := map[string]any{}
		for k, v := range props {
			m, _ := v.(map[string]any)
			if s := samples(m, task); len(s) > 0 {
				out[k] = s[0]
			}
		}
		return []any{out}
	}
	return nil
}
