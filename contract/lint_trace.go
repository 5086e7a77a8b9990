package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/world"
)

// TraceFault is a call of a reference that knows more than an agent can. Seq is the event's number.
type TraceFault struct {
	Seq int
	Msg string
}

// LintTrace looks for figures, ids and dates that a reference gives although nothing before the call shows them: neither the
// request, nor a schema or description, nor an earlier result, nor a derivation whose inputs were read. Such a reference
// passes by the key that it was written from, and shows nothing of whether the task can be done.
//
// What an agent words by itself is its own: of a text of several words only the parts with digits are looked at, and of a
// read neither numbers nor dates, which say where to begin and how much to list.
func (c *Contract) LintTrace(x *Expected, events []world.Event) []TraceFault {
	told := newTold()
	told.text(c.task.Request)
	for _, f := range c.task.Answer {
		told.text(f.Description)
	}
	for _, name := range slices.Sorted(maps.Keys(c.tools)) {
		told.text(c.tools[name].text)
	}
	derived := map[string]bool{}
	var out []TraceFault
	for i := range events {
		e := &events[i]
		for _, name := range c.Program.Names() {
			if !derived[name] && c.standsRead(name, x, told, events[:i]) {
				derived[name] = true
				told.value(x.Values[name].JSON())
			}
		}
		if args, err := exact.Decode(e.Args); err == nil {
			seen := map[string]bool{}
			unread := map[string]bool{}
			if e.Tool == world.ToolSubmit {
				for _, r := range c.Answer {
					if r.Term == nil || !c.Program.Has(r.Term.Ref) || derived[r.Term.Ref] {
						continue
					}
					unread[r.Field.Name] = true
					out = append(out, TraceFault{e.Seq, fmt.Sprintf("%s gives %s, which follows from %s, and not all of that was read before: a reference that knows the key shows nothing of it",
						e.Tool, r.Field.Name, strings.Join(c.inputsOf(r.Term.Ref), ", "))})
				}
			}
			c.eachGiven(e.Tool, args, func(where string, v any) {
				if unread[where] {
					return
				}
				if what := told.unknown(v, c.reads(e.Tool), c.words(e.Tool, where)); what != "" && !seen[what] {
					seen[what] = true
					out = append(out, TraceFault{e.Seq, fmt.Sprintf("%s gives %s as %s, which stood neither in the request nor in any result before it, and follows from nothing that was read: an agent could not know it; read it first, or derive it from an input", e.Tool, clip(what), where)})
				}
			})
		}
		switch {
		case e.OK():
			if v, err := exact.Decode(e.Result); err == nil {
				told.value(v)
			}
		case e.Error != nil:
			told.text(e.Error.Message)
		}
	}
	return out
}

// standsRead says whether every input that a value stands on was read: by the input's own read, however it was narrowed, or by
// others that showed all of it.
func (c *Contract) standsRead(name string, x *Expected, told *told, before []world.Event) bool {
	for _, n := range c.inputsOf(name) {
		i := slices.IndexFunc(c.Inputs, func(in *Input) bool { return in.Name == n })
		if i < 0 || !c.Inputs[i].read(x, before) && !told.all(x.Values[n].JSON()) {
			return false
		}
	}
	return true
}

func (c *Contract) inputsOf(name string) []string {
	if c.Program.IsInput(name) {
		return []string{name}
	}
	return c.Program.Inputs(name)
}

// read says whether the input's own read was made, with further arguments or without.
func (in *Input) read(x *Expected, before []world.Event) bool {
	s := &scope{x: x, calls: map[string]*call{}}
	return slices.ContainsFunc(before, func(e world.Event) bool {
		if !e.OK() || e.Tool != in.Tool {
			return false
		}
		args, err := exact.Decode(e.Args)
		return err == nil && pattern(in.Args, s).Match(args)
	})
}

// words says whether an argument is one that people write sentences into, or a field of the answer that is a text: one word of it
// is the agent's own.
func (c *Contract) words(tool, name string) bool {
	if tool != world.ToolSubmit {
		return slices.Contains(proseNames, name)
	}
	return slices.ContainsFunc(c.task.Answer, func(f Field) bool { return f.Name == name && (f.Type == TextField || f.Type == NoneField) })
}

// eachGiven goes through what a call gives that the caller had to know: no truth values, and nothing that the schema lists.
func (c *Contract) eachGiven(tool string, args any, yield func(where string, v any)) {
	m, _ := args.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		var sub any
		if t := c.tools[tool]; t != nil {
			if slices.Contains(t.Own, name) {
				continue
			}
			sub, _, _ = schemaAt(t.input, pointer.Pointer{{Name: name}})
		}
		var lists []string
		if tool == world.ToolSubmit {
			for _, f := range c.task.Answer {
				if f.Name == name {
					lists = f.Values
					if f.Of != nil {
						lists = f.Of.Values
					}
				}
			}
		}
		eachOpen(m[name], sub, func(v any) {
			if s, ok := v.(string); !ok || !slices.Contains(lists, s) {
				yield(name, v)
			}
		})
	}
}

// eachOpen goes through the numbers and texts of an argument whose schema does not list what they may be.
func eachOpen(v, schema any, yield func(any)) {
	s, _ := schema.(map[string]any)
	if enumOf(schema) != nil || s["const"] != nil {
		return
	}
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			eachOpen(e, s["items"], yield)
		}
	case map[string]any:
		props, _ := s["properties"].(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(x)) {
			eachOpen(x[k], props[k], yield)
		}
	case nil, bool: // one of two: nothing to learn
	default:
		yield(v)
	}
}
