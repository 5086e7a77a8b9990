package realism

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/realism/likeness"
	"github.com/assaybench/assay/world"
)

// sequence gives the names of the reference's calls in order, repetitions collapsed; domain leaves out those of the engine.
func (s *Subject) sequence(ctx context.Context, domain bool) ([]string, error) {
	p, err := s.Reference(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range p.Events {
		if server, _, _ := strings.Cut(p.Events[i].Tool, "."); !domain || server != world.BuiltinServer {
			names = append(names, p.Events[i].Tool)
		}
	}
	return likeness.Collapsed(names), nil
}

// action is the task's semantic action graph: what is called, derived, weighed, changed and answered, in labels without names,
// figures or order, and how one leads to another.
func (s *Subject) action(ctx context.Context) (*likeness.Graph, error) {
	return once(&s.facts, "action", func() (*likeness.Graph, error) {
		p, err := s.Reference(ctx)
		if err != nil {
			return nil, err
		}
		g := likeness.NewGraph()
		s.callNodes(g, p.Events)
		s.derivationNodes(g)
		s.optionNodes(g)
		for _, c := range p.Final {
			g.Nodes.Add(fmt.Sprintf("write %s %s %s", c.Table, c.Op, strings.Join(c.Columns(), ",")))
		}
		for i := range s.Public.Answer {
			f := &s.Public.Answer[i]
			g.Nodes.Add(fmt.Sprintf("answer %s %s %s", f.Type, f.Unit, s.filledBy(f.Name)))
		}
		return g, nil
	})
}

// callNodes adds the reference's calls, and an edge where an argument first appeared in an earlier result.
func (s *Subject) callNodes(g *likeness.Graph, events []world.Event) {
	phase := "before"
	origin := map[string]string{} // of a value that only a result showed: the label of its call
	for i := range events {
		e := &events[i]
		args, _ := exact.Decode(e.Args)
		label := s.callLabel(phase, e, args)
		g.Nodes.Add(label)
		from := map[string]bool{}
		exact.Scalars(args, func(v any) {
			if k := telling(v); k != "" && origin[k] != "" {
				from[origin[k]] = true
			}
		})
		for f := range from {
			g.Edges.Add(f + " -> " + label)
		}
		if result, err := exact.Decode(e.Result); err == nil && e.OK() {
			exact.Scalars(result, func(v any) {
				if k := telling(v); k != "" && origin[k] == "" {
					origin[k] = label
				}
			})
		}
		if len(e.Effect) > 0 && e.OK() {
			phase = "after"
		}
	}
}

// telling gives a value that can be followed from a result to an argument: texts, and numbers of three digits or more.
func telling(v any) string {
	switch x := v.(type) {
	case string:
		if len(x) >= 2 {
			return x
		}
	case *big.Rat:
		if x.Cmp(big.NewRat(100, 1)) >= 0 {
			return x.RatString()
		}
	}
	return ""
}

func (s *Subject) callLabel(phase string, e *world.Event, args any) string {
	parts := strings.Split(e.Tool, ".")
	server, resource, op := parts[0], "", parts[len(parts)-1]
	if len(parts) == 3 {
		resource = parts[1]
	}
	m, _ := args.(map[string]any)
	var names, listed []string
	t := s.World.Tool(e.Tool)
	for k, v := range m {
		names = append(names, k)
		if text, ok := v.(string); ok && t != nil && schemaLists(t, k, text) && e.Tool != world.ToolSubmit {
			listed = append(listed, k+"="+text)
		}
	}
	slices.Sort(names)
	slices.Sort(listed)
	gives := ""
	if t != nil {
		gives = strings.Join(t.Output.Properties(), ",")
	}
	return fmt.Sprintf("call %s %s %s %s (%s) [%s] {%s}", phase, server, resource, op, strings.Join(names, ","), strings.Join(listed, ","), gives)
}

// schemaLists says whether a tool's schema lists a value among those that an argument may have. People are no vocabulary.
func schemaLists(t *world.Tool, arg, value string) bool {
	doc, err := exact.Decode(t.Input.JSON)
	if err != nil {
		return false
	}
	props, _ := doc.(map[string]any)["properties"].(map[string]any)
	p, _ := props[arg].(map[string]any)
	list, _ := p["enum"].([]any)
	return slices.ContainsFunc(list, func(v any) bool { return exact.Equal(v, value) }) && strings.ToUpper(value) == value
}

// derivationNodes adds each derivation by its operator, the kinds of what it takes, its unit, and whether it is graded.
func (s *Subject) derivationNodes(g *likeness.Graph) {
	c := s.Contract()
	d := s.Derivations()
	labels := make([]string, len(d.Nodes))
	for i, n := range d.Nodes {
		var kinds []string
		if n.Kind != "decision" {
			for _, need := range c.Program.Needs(n.Name) {
				t, _ := c.Program.Type(need)
				kinds = append(kinds, t.Kind.String())
			}
			slices.Sort(kinds)
			t, _ := c.Program.Type(n.Name)
			labels[i] = fmt.Sprintf("%s %s (%s) %s %s graded=%v", n.Kind, shape(c, n), strings.Join(kinds, ","), t.Kind, t.Unit, n.Graded)
		} else {
			labels[i] = "decision " + strings.Join(c.Decision.Order, ",") + " " + c.Decision.Among
		}
		g.Nodes.Add(labels[i])
	}
	for _, e := range d.Edges {
		g.Edges.Add(labels[e[0]] + " -> " + labels[e[1]])
	}
}

// shape is an expression's operators from the outside in; of an input the tool that it is read by.
func shape(c *contract.Contract, n GraphNode) string {
	if e := c.Program.Expr(n.Name); e != nil {
		var ops []string
		e.Walk(func(e *derive.Expr) {
			if e.Op != "name" {
				ops = append(ops, e.Op)
			}
		})
		return strings.Join(ops, ".")
	}
	for _, in := range c.Inputs {
		if in.Name == n.Name {
			return in.Tool + in.At.String()
		}
	}
	return n.Op
}

// optionNodes adds each option by its authority, and by where its cost and its outcome lie from those of the right one.
func (s *Subject) optionNodes(g *likeness.Graph) {
	c, x := s.Contract(), s.Expected()
	for _, o := range c.Options {
		v := x.Option(o.ID)
		g.Nodes.Add(fmt.Sprintf("option %s cost%s outcome%s recommended=%v", v.Authority, s.side(o.Cost, x.Chosen+".cost"), s.side(o.Outcome, x.Chosen+".outcome"), o.ID == x.Chosen))
	}
}

// side says whether a value is more or less than another.
func (s *Subject) side(name, other string) string {
	a, okA := s.Expected().Values[name]
	b, okB := s.Expected().Values[other]
	if !okA || !okB || a.Kind() != b.Kind() || a.Kind() != derive.Number && a.Kind() != derive.Date {
		return "?"
	}
	return map[int]string{-1: "-", 0: "=", 1: "+"}[derive.Order(a, b)]
}

// filledBy says what fills a field of the answer: the operators of its value.
func (s *Subject) filledBy(field string) string {
	c := s.Contract()
	if c.Decision != nil && c.Decision.Answer == field {
		return "decision"
	}
	for _, r := range c.Answer {
		if r.Field.Name != field || r.Term == nil {
			continue
		}
		if part, ok := strings.CutPrefix(r.Term.Ref, "chosen."); ok {
			return "chosen." + part
		}
		if e := c.Program.Expr(r.Term.Ref); e != nil {
			return e.Op
		}
		if r.Term.Ref == "" {
			return "literal"
		}
		return "call"
	}
	return "free"
}
