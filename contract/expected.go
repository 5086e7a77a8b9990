package contract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
)

// Authority of an option: whether it may be taken without asking.
type Authority string

// Authorities. An option whose cost is within its limit is approved; one without a limit too; one that no evidence supports
// may not be taken at all.
const (
	Approved      Authority = "approved"
	NeedsApproval Authority = "needs_approval"
	Unsupported   Authority = "unsupported"
)

// Expected holds everything that a contract derives from the world: values by name, the options with their authority, the
// option that is right.
type Expected struct {
	sealed
	Values  map[string]derive.Value // inputs, derivations, and parts of options (A.outcome)
	Options []OptionValue
	Chosen  string // the option that the decision chooses; "" without one

	contract string // the digest of the contract that they belong to
}

// OptionValue is an option with what it comes to.
type OptionValue struct {
	sealed
	ID        string
	Authority Authority
}

// Derive computes every value of the contract by reads on the seed. The error joins everything that could not be computed,
// each with file and line.
func (c *Contract) Derive(reads Reads) (*Expected, error) {
	x := &Expected{Values: map[string]derive.Value{}, contract: c.digest}
	inputs := map[string]*Input{}
	for _, in := range c.Inputs {
		inputs[in.Name] = in
	}
	var run *derive.Run
	run = c.Program.Run(func(name string) (derive.Value, error) { return inputs[name].value(run, reads) })
	var errs []error
	failed := map[string]bool{}
	for _, name := range c.Program.Names() {
		v, err := run.Value(name)
		if err != nil {
			if !failed[err.Error()] { // one fault, not one for each that stands on it
				errs = append(errs, err)
			}
			failed[err.Error()] = true
			continue
		}
		x.Values[name] = v
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	for _, o := range c.Options {
		x.Options = append(x.Options, OptionValue{ID: o.ID, Authority: x.authority(o)})
	}
	if c.Decision != nil {
		chosen, err := c.decide(x)
		if err != nil {
			return nil, err
		}
		x.Chosen = chosen
	}
	return x, nil
}

// value reads an input.
func (in *Input) value(run *derive.Run, reads Reads) (derive.Value, error) {
	args, err := in.asked(run)
	if err != nil {
		return derive.Value{}, err
	}
	doc, err := document(reads, in.Tool, args)
	if err != nil {
		return derive.Value{}, in.node.Errorf("the input %q: the read %s %s on the seed fails: %s", in.Name, in.Tool, args, err)
	}
	var got any
	if in.At.Stars() > 0 {
		got = in.At.All(doc)
	} else {
		there := false
		if got, there = in.At.Get(doc); !there {
			return derive.Value{}, in.node.Errorf("the input %q: the result of %s %s has nothing at %s", in.Name, in.Tool, args, in.At)
		}
	}
	if in.In != nil {
		if got, err = in.In.take(got, in.Type); err != nil {
			return derive.Value{}, in.node.Errorf("the input %q at %s of %s %s: %s", in.Name, in.At, in.Tool, args, err)
		}
	}
	v, err := derive.Read(got, in.Type)
	if err != nil {
		return derive.Value{}, in.node.Errorf("the input %q at %s of %s %s: %s", in.Name, in.At, in.Tool, args, err)
	}
	return v, nil
}

// document gives a read's result as package exact holds it.
func document(reads Reads, tool string, args jsontext.Value) (any, error) {
	if d, ok := reads.(Documents); ok {
		return d.Document(tool, args)
	}
	raw, err := reads.Read(tool, args)
	if err != nil {
		return nil, err
	}
	return exact.Decode(raw)
}

// asked gives the arguments of an input's read.
func (in *Input) asked(run *derive.Run) (jsontext.Value, error) {
	args := map[string]any{}
	for _, a := range in.Args {
		term := a.Want.Tests[0].Terms[0]
		v := term.Literal
		if term.Ref != "" {
			d, err := run.Value(term.Ref)
			if err != nil {
				return nil, err
			}
			v = d.JSON()
		}
		put(args, a, v)
	}
	return encode(args)
}

// put sets an argument, making the objects on its way.
func put(m map[string]any, a Arg, v any) {
	for _, part := range a.At[:len(a.At)-1] {
		next, ok := m[part.Name].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[part.Name] = next
		}
		m = next
	}
	m[a.At[len(a.At)-1].Name] = v
}

func encode(v any) (jsontext.Value, error) {
	raw := jsontext.Value(exact.JSON(v))
	if !raw.IsValid() {
		return nil, fmt.Errorf("arguments that are no JSON: %s", raw)
	}
	return raw, nil
}

// authority computes whether an option may be taken.
func (x *Expected) authority(o *Option) Authority {
	if o.Supported != "" {
		if yes, _ := x.Values[o.Supported].Truth(); !yes {
			return Unsupported
		}
	}
	if o.Limit != "" && x.Values[o.Cost].Rat().Cmp(x.Values[o.Limit].Rat()) > 0 {
		return NeedsApproval
	}
	return Approved
}

// decide gives the first option by the decision's order among those that may be taken. Two that are equal in everything are
// a fault of the contract.
func (c *Contract) decide(x *Expected) (string, error) {
	d := c.Decision
	best, tie := -1, -1
	for i, o := range x.Options {
		if d.Among == "approved" && o.Authority != Approved || d.Among == "supported" && o.Authority == Unsupported {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		switch cmp := c.compareOptions(x, i, best); {
		case cmp < 0:
			best, tie = i, -1
		case cmp == 0:
			tie = i
		}
	}
	switch {
	case best < 0:
		return "", d.node.Errorf("no option is %s: the decision has nothing to choose from", d.Among)
	case tie >= 0:
		return "", d.node.Errorf("the options %q and %q are equal by %s; order by something that differs", x.Options[best].ID, x.Options[tie].ID, strings.Join(d.Order, ", "))
	}
	return x.Options[best].ID, nil
}

func (c *Contract) compareOptions(x *Expected, i, j int) int {
	for _, by := range c.Decision.Order {
		name := strings.TrimPrefix(by, "-")
		cmp := derive.Order(x.Values[x.Options[i].ID+"."+name], x.Values[x.Options[j].ID+"."+name])
		if name != by {
			cmp = -cmp
		}
		if cmp != 0 {
			return cmp
		}
	}
	return 0
}

// Option gives what an option comes to, nil when there is none of the id.
func (x *Expected) Option(id string) *OptionValue {
	for i := range x.Options {
		if x.Options[i].ID == id {
			return &x.Options[i]
		}
	}
	return nil
}

// resolved is a value that a term stands for.
type resolved struct {
	json  any
	typed derive.Value // nothing for literals and parts of calls
}

func (r resolved) text() string {
	if r.typed.Kind() == derive.Number {
		return exact.Decimal(r.typed.Rat())
	}
	if s, ok := r.json.(string); ok {
		return s
	}
	return exact.Text(r.json)
}

// scope is where names are looked up: the expected values, and the calls that satisfied changes.
type scope struct {
	x     *Expected
	calls map[string]*call
}

// resolve gives what a term stands for; ok is false for a part of a change that did not happen.
func (s *scope) resolve(t Term) (resolved, bool) {
	if t.Ref == "" {
		return resolved{json: t.Literal}, true
	}
	if v, ok := s.x.Values[t.Ref]; ok {
		return resolved{json: v.JSON(), typed: v}, true
	}
	head, part, _ := strings.Cut(t.Ref, ".")
	if head == "chosen" {
		head = s.x.Chosen
	}
	if o := s.x.Option(head); o != nil {
		switch part {
		case "id":
			return resolved{json: o.ID, typed: derive.TextOf(o.ID)}, true
		case "authority":
			return resolved{json: string(o.Authority), typed: derive.TextOf(string(o.Authority))}, true
		}
		v, ok := s.x.Values[head+"."+part]
		return resolved{json: v.JSON(), typed: v}, ok
	}
	c := s.calls[head]
	if c == nil {
		return resolved{}, false
	}
	v, ok := c.part(part)
	return resolved{json: v}, ok
}

// Digest gives the contract's digest: of its file's content, whatever its layout.
func (c *Contract) Digest() string { return c.digest }
