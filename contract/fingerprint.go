package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
)

// Digest gives the digest of every expected value. Kept beside a proof, it shows values that have gone stale: a seed whose
// change moves one of them moves it too.
func (x *Expected) Digest() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(x.Values)) {
		b.WriteString(name + "\x00" + x.Values[name].String() + "\x00" + exact.Text(x.Values[name].JSON()) + "\n")
	}
	for _, o := range x.Options {
		b.WriteString(o.ID + "\x00" + string(o.Authority) + "\n")
	}
	b.WriteString(x.Chosen)
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

// Fingerprint gives a digest of what is graded, whatever it is called: tools, arguments, rows and answers with their
// expected values, without ids, names, weights and prose. Two tasks of one fingerprint are one task told twice.
func (c *Contract) Fingerprint(x *Expected) string {
	s := &scope{x: x, calls: map[string]*call{}}
	ids := map[string]string{}
	for _, ch := range c.Changes {
		ids[ch.ID] = ch.Role + " " + ch.Tool
	}
	term := func(t Term) string {
		if r, ok := s.resolve(t); ok {
			return exact.Text(r.json)
		}
		head, part, _ := strings.Cut(t.Ref, ".")
		return "‹" + ids[head] + "." + part + "›"
	}
	pred := func(p *Predicate) string {
		var parts []string
		for _, t := range p.Tests {
			var terms []string
			for _, m := range t.Terms {
				terms = append(terms, term(m))
			}
			slices.Sort(terms)
			parts = append(parts, t.Op+strings.Join(terms, ","))
		}
		slices.Sort(parts)
		return strings.Join(parts, "&")
	}
	var lines []string
	line := func(parts ...string) { lines = append(lines, strings.Join(parts, "\x00")) }
	args := func(list []Arg) string {
		var parts []string
		for _, a := range list {
			parts = append(parts, a.At.String()+"="+pred(a.Want))
		}
		slices.Sort(parts)
		return strings.Join(parts, ";")
	}
	pins := func(list []Pin) string {
		var parts []string
		for _, a := range list {
			parts = append(parts, a.Column+"="+pred(a.Want))
		}
		slices.Sort(parts)
		return strings.Join(parts, ";")
	}
	for _, ch := range c.Changes {
		line("change", ch.Role, ch.Tool, args(ch.Args))
		for _, r := range ch.Rows {
			line("row", r.Table, r.Op, pins(r.Pins))
		}
	}
	for _, m := range c.Messages {
		var facts []string
		for _, f := range m.Facts {
			facts = append(facts, term(f.Term))
		}
		slices.Sort(facts)
		line("message", ids[m.Change], strings.Join(facts, ";"))
	}
	var answers []string
	for _, r := range c.Answer {
		if r.Term != nil {
			answers = append(answers, string(r.Field.Type)+term(*r.Term))
		} else if r.None {
			answers = append(answers, string(r.Field.Type)+"none")
		}
	}
	slices.Sort(answers)
	line("answer", strings.Join(answers, ";"), x.Chosen)
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}
