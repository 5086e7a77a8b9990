package control

import (
	"context"
	"slices"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

// Omission is one required step of the reference left out, with the criteria that flip.
type Omission struct {
	Step    int      `json:"step"` // the number of the reference's call, from 1
	What    string   `json:"what"` // write, read or readback
	Call    string   `json:"call"`
	Breaks  []string `json:"breaks"`
	Flipped []string `json:"flipped"`
	Strict  bool     `json:"strict"`
	Gated   int      `json:"gated"`
	Fault   string   `json:"fault"`
	Kind    string   `json:"kind"`
}

// omit leaves steps out and holds what flips against what must.
func (s *Subject) omit(ctx context.Context, what string, steps []int, breaks []string) (Omission, error) {
	o := Omission{Step: steps[0] + 1, What: what, Call: s.callText(steps[0]), Breaks: breaks}
	if o.Breaks == nil {
		o.Breaks = []string{}
	}
	r, err := s.judge(ctx, plan{steps: s.keep(func(i int) bool { return !slices.Contains(steps, i) }), breaks: breaks, loose: true}, false)
	o.Flipped, o.Strict, o.Gated, o.Fault, o.Kind = r.Broke, r.Strict, r.Gated, r.Fault, r.Kind
	if r.Strict {
		o.Fault = "it flips nothing: the step is needed by nobody, or nobody judges it"
	}
	return o, err
}

// omitReads leaves out each material read.
func (s *Subject) omitReads(ctx context.Context) ([]Omission, error) {
	var out []Omission
	for _, m := range s.materials() {
		o, err := s.omit(ctx, "read", m.steps, m.shows)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// omitWork leaves out each write, with the calls that need what it made, and each look at what was changed.
func (s *Subject) omitWork(ctx context.Context) ([]Omission, error) {
	var out []Omission
	for i := range s.steps {
		if !s.isWrite(i) || !s.ref[i].OK() || len(s.ref[i].Effect) == 0 {
			continue
		}
		var breaks []string
		if ch := s.madeBy(i); ch != nil {
			breaks = []string{"change." + ch.ID}
		}
		o, err := s.omit(ctx, "write", append([]int{i}, s.dependents(i)...), breaks)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	looks := map[int][]string{}
	for _, r := range s.c.Readbacks {
		if seqs := s.roles.Looks[r.ID]; len(seqs) == 1 {
			looks[seqs[0]-1] = append(looks[seqs[0]-1], "readback."+r.ID)
		}
	}
	for i := range s.steps {
		if looks[i] == nil {
			continue
		}
		o, err := s.omit(ctx, "readback", []int{i}, looks[i])
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// dependents gives the later calls, but for messages and the answer, that ask by an id which a write made.
func (s *Subject) dependents(at int) []int {
	var made []any
	for _, c := range s.ref[at].Effect {
		if c.Op == world.Insert {
			for _, v := range c.Key {
				made = append(made, exact.Column(v))
			}
		}
	}
	var out []int
	for i := at + 1; i < len(s.steps); i++ {
		needs := false
		exact.Scalars(s.steps[i].Args, func(v any) { needs = needs || among(made, v) })
		if needs && !s.isSubmit(i) {
			out = append(out, i)
		}
	}
	return out
}

// early looks before the change instead of after it.
func (s *Subject) early() plan {
	p := plan{name: "early_readback", loose: true}
	var looks []int
	for _, r := range s.c.Readbacks {
		for _, q := range s.roles.Looks[r.ID] {
			looks = append(looks, q-1)
		}
		if len(s.roles.Looks[r.ID]) > 0 {
			p.breaks = append(p.breaks, "readback."+r.ID)
		}
	}
	if len(looks) == 0 {
		p.why = "the reference does not look at what it changed"
		return p
	}
	for i, st := range s.steps {
		if i == s.first {
			p.steps = append(p.steps, s.keep(func(k int) bool { return slices.Contains(looks, k) })...)
		}
		if !slices.Contains(looks, i) {
			p.steps = append(p.steps, st)
		}
	}
	return p
}

// messageFirst tells a colleague of the change before it is made.
func (s *Subject) messageFirst() (plan, bool) {
	p := plan{name: "message_before_change", breaks: []string{"order"}, exact: true}
	prim := s.primaries()
	at := -1
	for _, ch := range s.c.Changes {
		told := slices.ContainsFunc(s.c.Messages, func(m *contract.Message) bool { return m.Change == ch.ID })
		if (ch.Role == contract.Communication || ch.Role != contract.Primary && told) && s.roles.Changes[ch.ID] > 0 {
			at = s.roles.Changes[ch.ID] - 1
			break
		}
	}
	if at < 0 {
		return p, false
	}
	if len(prim) == 0 || prim[0].at > at {
		p.why = "the reference makes no primary change before its message"
		return p, true
	}
	for i, st := range s.steps {
		if i == prim[0].at {
			p.steps = append(p.steps, s.steps[at])
		}
		if i != at {
			p.steps = append(p.steps, st)
		}
	}
	return p, true
}
