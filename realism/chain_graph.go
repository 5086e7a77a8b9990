package realism

import (
	"context"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/perturb"
	"github.com/assaybench/assay/world"
)

// source is one input of a contract: the read that it is, and what kind of record it reads. Kinds are the world's own words for
// its tables, and the release's for its files; a task cannot say of itself what its evidence is.
type source struct {
	in     *contract.Input
	read   perturb.Read
	server string
	kinds  []string
	file   string // the evidence file's path, of a read of one
}

func (src *source) is(kinds ...string) bool {
	return slices.ContainsFunc(src.kinds, func(k string) bool { return slices.Contains(kinds, k) })
}

// sources gives every input of the task's contract, by name.
func (s *Subject) sources() (map[string]*source, error) {
	return once(&s.facts, "sources", func() (map[string]*source, error) {
		out := map[string]*source{}
		c := s.Contract()
		for _, in := range c.Inputs {
			args, err := c.Asked(s.Expected(), in)
			if err != nil {
				return nil, err
			}
			src := &source{in: in, read: perturb.Read{Tool: in.Tool, Args: args}}
			src.server, _, _ = strings.Cut(in.Tool, ".")
			src.kinds, src.file = s.kindsOf(in.Tool, args)
			out[in.Name] = src
		}
		return out, nil
	})
}

// kindsOf gives the kinds of record that a read shows. A read of one evidence file shows what that file is.
func (s *Subject) kindsOf(tool string, args []byte) (kinds []string, file string) {
	live := s.liveTables(tool)
	for _, table := range live {
		if k := s.World.Records[table]; k != "" && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	if len(live) == len(s.tables(tool)) && tool != world.ToolEvidence {
		return kinds, ""
	}
	doc, err := exact.Decode(args)
	if err != nil {
		return kinds, ""
	}
	exact.Scalars(doc, func(v any) {
		for i := range s.Public.Evidence {
			if f := &s.Public.Evidence[i]; v == f.ID || v == f.Path {
				file = f.Path
				kinds = append(kinds, fileKind(f.Kind))
			}
		}
	})
	return kinds, file
}

// fileKind gives the kind of record of a file: "policy_superseded" is a policy still, and an authority an approval.
func fileKind(kind string) string {
	base, _, _ := strings.Cut(kind, "_")
	if base == "authority" {
		return "approval"
	}
	return base
}

// field is one field of the answer with the value that it asks for.
type field struct {
	rule *contract.AnswerRule
	name string // of the field
	ref  string // the derivation, input or part of an option; "" for a literal or a part of a call
}

// fields gives the graded fields of the answer. chosen.X is named as the chosen option's part.
func (s *Subject) fields() []field {
	var out []field
	for _, r := range s.Contract().Answer {
		if r.Free {
			continue
		}
		f := field{rule: r, name: r.Field.Name}
		if r.Term != nil {
			f.ref = r.Term.Ref
			if part, ok := strings.CutPrefix(f.ref, "chosen."); ok {
				f.ref = s.Expected().Chosen + "." + part
			}
		}
		out = append(out, f)
	}
	if d := s.decisionField(); d != "" && !slices.ContainsFunc(out, func(f field) bool { return f.name == d }) {
		out = append(out, field{name: d, ref: "decision"})
	}
	return out
}

// gradedBy gives the fields that ask for a value, by the value's name. Two names of one value, such as a derivation and the
// option's part that is it, are one.
func (s *Subject) gradedBy(name string) []string {
	var out []string
	for _, f := range s.fields() {
		if f.ref == name || f.ref != "" && s.alias(f.ref) == s.alias(name) {
			out = append(out, f.name)
		}
	}
	return out
}

// alias follows an option's part to the derivation that it merely names.
func (s *Subject) alias(name string) string {
	for range 10 {
		e := s.Contract().Program.Expr(name)
		if e == nil || e.Op != "name" {
			return name
		}
		name = e.Name
	}
	return name
}

// stands says whether a value stands on an input, and reach gives all that it stands on.
func (s *Subject) stands(name string) ([]*source, error) {
	all, err := s.sources()
	if err != nil {
		return nil, err
	}
	var out []*source
	for _, in := range inputsOf(s.Contract(), name) {
		if src := all[in]; src != nil {
			out = append(out, src)
		}
	}
	return out, nil
}

// ops gives the operators in one derivation's own expression.
func (s *Subject) ops(name string) []string {
	var out []string
	if e := s.Contract().Program.Expr(s.alias(name)); e != nil {
		e.Walk(func(e *derive.Expr) { out = append(out, e.Op) })
	}
	return out
}

// moved says whether some change of one of the sources moves a name that is wanted, and which.
func (s *Subject) anyMoves(ctx context.Context, list []*source, what string, want func(name string) bool) (string, error) {
	for _, src := range list {
		e, names, err := s.moves(ctx, src.read, what, want)
		if err != nil {
			return "", err
		}
		if e != nil {
			names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !want(n) })
			return clip(e.Says+" moves "+strings.Join(names, ", "), 240), nil
		}
	}
	return "", nil
}

// answers makes a want of fields of the answer.
func answers(fields ...string) func(string) bool {
	return func(name string) bool {
		f, ok := strings.CutPrefix(name, "answer.")
		return ok && slices.Contains(fields, f)
	}
}

// part makes a want of one part of any option.
func part(which string) func(string) bool {
	return func(name string) bool {
		return strings.HasPrefix(name, "option.") && strings.HasSuffix(name, "."+which)
	}
}

// arrows writes how a value comes about: names joined by arrows.
func arrows(names ...string) string { return strings.Join(names, " → ") }

func sourceNames(list []*source) string {
	var out []string
	for _, src := range list {
		out = append(out, src.in.Name)
	}
	return strings.Join(out, ", ")
}
