package derive

import (
	"errors"
	"maps"
	"slices"

	"github.com/assaybench/assay/bench"
)

// Input is a value that comes from a read.
type Input struct {
	Name string
	Type Type
	Deps []string // names that its own arguments use
	Node *bench.Node
}

// Def is a derivation.
type Def struct {
	Name string
	Expr *Expr
	Unit *Unit // declared; nil: whatever comes out
	Node *bench.Node
}

const maxNames = 2000

// Program is a set of inputs and derivations without cycles, every operator of which fits its operands.
type Program struct {
	sealed
	inputs map[string]*Input
	defs   map[string]*Def
	types  map[string]Type
	order  []string // inputs and derivations, each after what it needs
}

// Compile checks names, cycles, kinds and units. The error joins every fault, each an *bench.Error.
func Compile(inputs []Input, defs []Def) (*Program, error) {
	p := &Program{inputs: map[string]*Input{}, defs: map[string]*Def{}, types: map[string]Type{}}
	var errs []error
	if len(inputs)+len(defs) > maxNames {
		var n *bench.Node
		if len(defs) > 0 {
			n = defs[0].Node
		} else {
			n = inputs[maxNames].Node
		}
		return nil, n.Errorf("more than %d inputs and derivations", maxNames)
	}
	for i := range inputs {
		p.inputs[inputs[i].Name] = &inputs[i]
	}
	for i := range defs {
		d := &defs[i]
		if in := p.inputs[d.Name]; in != nil {
			errs = append(errs, d.Node.Errorf("%q is an input already (line %d); give the derivation another name", d.Name, in.Node.Line))
			continue
		}
		p.defs[d.Name] = d
	}
	c := checker{p: p, state: map[string]int{}}
	for _, in := range inputs {
		c.resolve(in.Name, in.Node)
	}
	for _, d := range defs {
		c.resolve(d.Name, d.Node)
	}
	if errs = append(errs, c.errs...); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return p, nil
}

// Names gives inputs and derivations, each after what it needs.
func (p *Program) Names() []string { return slices.Clone(p.order) }

// Has says whether there is such an input or derivation.
func (p *Program) Has(name string) bool { _, ok := p.types[name]; return ok }

// Type gives the type of an input or derivation.
func (p *Program) Type(name string) (Type, bool) { t, ok := p.types[name]; return t, ok }

// IsInput says whether the name is that of an input.
func (p *Program) IsInput(name string) bool { return p.inputs[name] != nil }

// Expr gives a derivation's tree, nil of an input.
func (p *Program) Expr(name string) *Expr {
	if d := p.defs[name]; d != nil {
		return d.Expr
	}
	return nil
}

// Needs gives the names that an input or derivation uses directly, sorted.
func (p *Program) Needs(name string) []string {
	seen := map[string]bool{}
	if in := p.inputs[name]; in != nil {
		for _, d := range in.Deps {
			seen[d] = true
		}
	}
	if d := p.defs[name]; d != nil {
		d.Expr.Walk(func(e *Expr) {
			if e.Op == "name" {
				seen[e.Name] = true
			}
		})
	}
	return slices.Sorted(maps.Keys(seen))
}

// Inputs gives the inputs that a name stands on, directly or not, sorted.
func (p *Program) Inputs(name string) []string {
	seen := p.Reach(name)
	return slices.DeleteFunc(seen, func(s string) bool { return p.inputs[s] == nil })
}

// Reach gives the names and everything that they stand on, sorted.
func (p *Program) Reach(names ...string) []string {
	seen := map[string]bool{}
	for len(names) > 0 {
		n := names[len(names)-1]
		names = names[:len(names)-1]
		if !seen[n] && p.Has(n) {
			seen[n] = true
			names = append(names, p.Needs(n)...)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Run evaluates lazily: a name is computed once, when it is asked for.
type Run struct {
	sealed
	p     *Program
	read  func(input string) (Value, error)
	done  map[string]Value
	fails map[string]error

	// Compared, where it is set, is told of every two values that an operator or a condition compares: what a value must
	// cross for another outcome. It decides nothing.
	Compared func(a, b Value)
}

// Run starts an evaluation. read gives the value of an input, of the input's type.
func (p *Program) Run(read func(input string) (Value, error)) *Run {
	return &Run{p: p, read: read, done: map[string]Value{}, fails: map[string]error{}}
}

// Value gives the value of an input or derivation. Errors are *bench.Error with the place that could not be computed.
func (r *Run) Value(name string) (Value, error) {
	if v, ok := r.done[name]; ok {
		return v, nil
	}
	if err, ok := r.fails[name]; ok {
		return Value{}, err
	}
	var v Value
	var err error
	switch {
	case r.p.inputs[name] != nil:
		v, err = r.read(name)
	case r.p.defs[name] != nil:
		v, err = r.eval(r.p.defs[name].Expr)
	default:
		err = &bench.Error{Msg: "there is no input or derivation " + name}
	}
	if err != nil {
		r.fails[name] = err
		return Value{}, err
	}
	r.done[name] = v
	return v, nil
}
