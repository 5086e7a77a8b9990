package realism

import (
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/derive"
)

// Derivations gives the task's derivations as a graph: inputs, derivations, the parts of options, and the decision. Nodes
// stand after what they need.
func (s *Subject) Derivations() *Graph {
	g, _ := once(&s.facts, "derivations", func() (*Graph, error) { return s.derivations(), nil })
	return g
}

func (s *Subject) derivations() *Graph {
	c, x := s.Contract(), s.Expected()
	g := &Graph{Nodes: []GraphNode{}, Edges: [][2]int{}}
	at := map[string]int{}
	graded := s.gradedNames()
	parts := map[string]bool{}
	for _, o := range c.Options {
		for _, name := range optionParts(o) {
			parts[name] = true
		}
	}
	used := map[string]bool{}
	for _, name := range c.Program.Names() {
		for _, need := range c.Program.Needs(name) {
			used[need] = true
		}
	}
	for _, d := range c.Derivations {
		used[d.Name] = true
	}
	for _, name := range c.Program.Names() {
		if !used[name] && !parts[name] && !c.Program.IsInput(name) {
			continue // what every program knows, such as the task's day, where nothing is computed with it
		}
		n := GraphNode{Name: name, Kind: "derivation", Graded: graded[name], Value: clip(x.Values[name].String(), 60)}
		switch {
		case c.Program.IsInput(name):
			n.Kind, n.Op = "input", "read"
		case parts[name]:
			n.Kind = "option"
		}
		if e := c.Program.Expr(name); e != nil {
			n.Op = e.Op
		}
		at[name] = len(g.Nodes)
		g.Nodes = append(g.Nodes, n)
		for _, need := range c.Program.Needs(name) {
			if from, ok := at[need]; ok {
				g.Edges = append(g.Edges, [2]int{from, at[name]})
			}
		}
	}
	if c.Decision != nil {
		g.Nodes = append(g.Nodes, GraphNode{Name: "decision", Kind: "decision", Op: "choose", Graded: c.Decision.Answer != "", Value: x.Chosen})
		to := len(g.Nodes) - 1
		for _, name := range slices.Sorted(maps.Keys(parts)) {
			if from, ok := at[name]; ok {
				g.Edges = append(g.Edges, [2]int{from, to})
			}
		}
	}
	return g
}

// optionParts are the names of the values that an option comes to.
func optionParts(o *contract.Option) []string {
	var out []string
	for _, name := range append([]string{o.Outcome, o.Cost, o.Limit, o.Supported}, slices.Sorted(maps.Values(o.Measures))...) {
		if name != "" {
			out = append(out, name)
		}
	}
	return out
}

// gradedNames are the values that a criterion holds the episode against: fields of the answer, and what is chosen.
func (s *Subject) gradedNames() map[string]bool {
	c := s.Contract()
	out := map[string]bool{}
	for _, r := range c.Answer {
		if r.Free || r.Term == nil || r.Term.Ref == "" {
			continue
		}
		name := r.Term.Ref
		if part, ok := strings.CutPrefix(name, "chosen."); ok {
			name = s.Expected().Chosen + "." + part
		}
		out[name] = true
	}
	return out
}

// Components gives, for each node, the number of the part of the graph that it hangs together with, counted from 0.
func (g *Graph) Components() (of []int, count int) {
	near := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		near[e[0]] = append(near[e[0]], e[1])
		near[e[1]] = append(near[e[1]], e[0])
	}
	of = make([]int, len(g.Nodes))
	for i := range of {
		of[i] = -1
	}
	for i := range of {
		if of[i] >= 0 {
			continue
		}
		todo := []int{i}
		of[i] = count
		for len(todo) > 0 {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, m := range near[n] {
				if of[m] < 0 {
					of[m] = count
					todo = append(todo, m)
				}
			}
		}
		count++
	}
	return of, count
}

// Depth gives the longest path to each node, in edges. The nodes stand after what they need.
func (g *Graph) Depth() []int {
	into := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		into[e[1]] = append(into[e[1]], e[0])
	}
	depth := make([]int, len(g.Nodes))
	for i := range g.Nodes {
		for _, from := range into[i] {
			depth[i] = max(depth[i], depth[from]+1)
		}
	}
	return depth
}

// Node gives a node's place by its name, -1 where there is none.
func (g *Graph) Node(name string) int {
	return slices.IndexFunc(g.Nodes, func(n GraphNode) bool { return n.Name == name })
}

// exprs gives every expression of the task's derivations, by the name of the derivation.
func (s *Subject) exprs(yield func(name string, e *derive.Expr)) {
	c := s.Contract()
	for _, name := range c.Program.Names() {
		if e := c.Program.Expr(name); e != nil {
			e.Walk(func(e *derive.Expr) { yield(name, e) })
		}
	}
}
