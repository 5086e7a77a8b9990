package foreign

import (
	"cmp"
	"encoding/base64"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/compat"
	"github.com/assaybench/assay/contract/exact"
)

func (j *judge) assertion(a *Assertion) {
	rows, known := j.e.Tables[a.Table]
	switch {
	case a.Opaque != "":
		j.open(a.ID, "assertion", a.Opaque)
		return
	case j.e.Tables == nil:
		j.open(a.ID, "assertion", "only the calls are known, and not the final state")
		return
	case !known:
		j.say(a.ID, "assertion", false, "the final state has no table %.80q", a.Table)
		return
	}
	var found []Row
	for _, r := range rows {
		if r.holds(a.Where) {
			found = append(found, r)
		}
	}
	switch {
	case a.Count != nil && len(found) != *a.Count:
		j.say(a.ID, "assertion", false, "%d rows of %s, and %d are asked", len(found), a.Table, *a.Count)
	case a.Values != nil && len(found) != 1:
		j.say(a.ID, "assertion", false, "%d rows of %s where one is asked", len(found), a.Table)
	case a.Values != nil && !found[0].holds(a.Values):
		j.say(a.ID, "assertion", false, "the row of %s has other values: %s", a.Table, found[0].differs(a.Values))
	case a.Payload.asked() && len(found) == 1:
		why := a.Payload.wrong(found[0])
		j.say(a.ID, "assertion", why == "", "%s", cmp.Or(why, "the row of "+a.Table+" is as asked"))
	case a.Payload.asked() && a.Count == nil && a.Values == nil:
		j.say(a.ID, "assertion", false, "%d rows of %s where one is asked", len(found), a.Table)
	default:
		j.say(a.ID, "assertion", true, "%d rows of %s", len(found), a.Table)
	}
}

func (r Row) holds(want map[string]any) bool { return r.differs(want) == "" }

// differs names the first column, by name, that is not as asked.
func (r Row) differs(want map[string]any) string {
	names := make([]string, 0, len(want))
	for k := range want {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, k := range names {
		v, ok := r[k]
		if !ok || !same(v, want[k]) {
			return k
		}
	}
	return ""
}

var tolerance = big.NewRat(1, 1_000_000)

// same compares a column with a value of the contract: "floats within 1e-6"; a truth value is stored as 0 or 1.
func same(have, want any) bool {
	if b, ok := want.(bool); ok {
		want = new(big.Rat)
		if b {
			want = big.NewRat(1, 1)
		}
	}
	a, aok := have.(*big.Rat)
	b, bok := want.(*big.Rat)
	if aok && bok && !(a.IsInt() && b.IsInt()) {
		d := new(big.Rat).Sub(a, b)
		return d.Abs(d).Cmp(tolerance) <= 0
	}
	return exact.Equal(have, want)
}

// wrong says what of a row's payload is not as asked; "" where all is.
func (p *payload) wrong(r Row) string {
	text, _ := r["payload_json"].(string)
	v, err := exact.Decode([]byte(text))
	m, ok := v.(map[string]any)
	switch {
	case p.bad != "":
		return p.bad
	case err != nil || !ok:
		return "its payload is no JSON object"
	case p.has && !subset(v, p.contains):
		return "its payload does not hold what is asked"
	}
	args, _ := m["arguments"].(map[string]any)
	for _, name := range sortedKeys(p.facts) {
		s, ok := args[name].(string)
		if !ok || !compat.FactsMatch(s, p.facts[name]) {
			return "the argument " + name + " does not state what is asked"
		}
	}
	joined := ""
	if p.texts != nil || p.anyText != nil {
		joined = joinedText(args)
	}
	for _, t := range p.texts {
		if !strings.Contains(joined, loose(t)) {
			return "its texts lack " + t
		}
	}
	if p.anyText != nil && !slices.ContainsFunc(p.anyText, func(t string) bool { return strings.Contains(joined, loose(t)) }) {
		return "its texts have none of what is asked"
	}
	if p.closed {
		for _, leaf := range leaves("", args) {
			if !slices.Contains(p.paths, leaf) {
				return "the argument " + leaf + " is not allowed"
			}
		}
	}
	return ""
}

func sortedKeys(m map[string][]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// subset is nested at exact paths: lists must have equal length and match element by element, scalars are strictly equal.
func subset(have, want any) bool {
	switch w := want.(type) {
	case map[string]any:
		h, ok := have.(map[string]any)
		for k, v := range w {
			e, is := h[k]
			if !ok || !is || !subset(e, v) {
				return false
			}
		}
		return ok
	case []any:
		h, ok := have.([]any)
		if !ok || len(h) != len(w) {
			return false
		}
		for i := range w {
			if !subset(h[i], w[i]) {
				return false
			}
		}
		return true
	}
	return exact.Equal(have, want)
}

// joinedText is every text of the arguments, and what those that are base64 of the URL kind hold, loosely written.
func joinedText(args map[string]any) string {
	var b strings.Builder
	exact.Scalars(args, func(v any) {
		s, ok := v.(string)
		if !ok {
			return
		}
		b.WriteString(s + " ")
		if raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "=")); err == nil {
			b.WriteString(string(raw) + " ")
		}
	})
	return loose(b.String())
}

// loose turns everything but small letters, digits and full stops into single spaces.
func loose(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.')
	}), " ")
}

func leaves(at string, v any) (out []string) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			out = append(out, leaves(strings.TrimPrefix(at+"."+k, "."), e)...)
		}
	case []any:
		for _, e := range v {
			out = append(out, leaves(at, e)...) // a list has the path of its own
		}
	default:
		return []string{at}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// answer compares one field: a text to the letter, a number by value.
func (j *judge) answer(a *Answer) {
	if a.Opaque != "" {
		j.open(a.ID, "answer", a.Opaque)
		return
	}
	have, ok := j.submitted(a.Field)
	if !ok {
		j.say(a.ID, "answer", false, "%s was not submitted", a.Field)
		return
	}
	j.say(a.ID, "answer", equalAnswer(have, a.Want), "%s is %.80q", a.Field, exact.Text(have))
}

// submitted is a field of the last answer that was accepted: "the last submission wins".
func (j *judge) submitted(field string) (any, bool) {
	if rows, ok := j.e.Tables["answers"]; ok {
		for _, r := range rows {
			if r["field"] == field {
				return r["value"], true
			}
		}
		return nil, false
	}
	for i := len(j.e.Calls) - 1; i >= 0; i-- {
		if c := &j.e.Calls[i]; c.Success && answers(c.Tool) {
			m, _ := c.Args.(map[string]any)
			v, ok := m[field]
			return v, ok
		}
	}
	return nil, false
}

func equalAnswer(have, want any) bool {
	w, ok := want.(*big.Rat)
	if !ok {
		return exact.Equal(have, want)
	}
	switch h := have.(type) {
	case *big.Rat:
		return h.Cmp(w) == 0
	case string: // canonical text, or a number that was handed in as text
		r, ok := exact.Rat(h)
		return ok && r.Cmp(w) == 0
	}
	return false
}
