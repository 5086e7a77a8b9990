package realism

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/realism/wording"
	"github.com/assaybench/assay/world"
)

// leaks finds every place where a derived value lies ready.
func (s *Subject) leaks(ctx context.Context) ([]Evidence, int, error) {
	type found struct {
		ev     []Evidence
		values int
	}
	f, err := once(&s.facts, "leaks", func() (found, error) {
		list := s.derived()
		var out found
		out.values = len(list)
		told, err := s.public()
		if err != nil {
			return out, err
		}
		for _, t := range told {
			if err := context.Cause(ctx); err != nil {
				return out, err
			}
			out.ev = append(out.ev, leaksIn(t, list)...)
		}
		out.ev = append(out.ev, s.choiceTold(told)...)
		cells, err := s.cells(ctx)
		if err != nil {
			return out, err
		}
		for _, c := range cells {
			out.ev = append(out.ev, s.leaksInCell(c, list)...)
		}
		before, err := s.doneBefore(ctx)
		out.ev = append(out.ev, before...)
		return out, err
	})
	return f.ev, f.values, err
}

// contextWithin is how many words around a figure may say what it is.
const contextWithin = 8

// leaksIn looks line by line, so that a finding has its line; dates do not break over lines in what is rendered here.
func leaksIn(t text, list []derived) []Evidence {
	var out []Evidence
	n := 0
	for line := range strings.Lines(t.Text) {
		n++
		if strings.TrimSpace(line) == "" {
			continue
		}
		var p *prose.Text
		for i := range list {
			d := &list[i]
			if !mayHold(line, d) {
				continue
			}
			if p == nil {
				p = prose.Prepare(line)
			}
			if !prose.Mentioned(p, d.fact) || !d.plain && !d.near(line) || d.listed && !d.singled(&t, line) {
				continue
			}
			at := t.Line
			if t.Field == "" {
				at = n
			}
			out = append(out, Evidence{File: t.Where, Line: at, Cell: t.Field, Span: clip(strings.TrimSpace(line), 160), Note: d.name + " is " + d.fact.Text})
		}
	}
	return out
}

// manyDays is from how many different days on a text is a calendar, in which none is singled out.
const manyDays = 12

var writtenDay = regexp.MustCompile(`\b\d{4}-?\d{2}-?\d{2}\b|\b\d{1,2} [A-Z][a-z]{2,8} \d{4}\b`)

// singled says whether a text singles a value out that stands among others in what it is derived from. Whatever is said of the
// task and its tools does. A paper does unless it is one of those, or a calendar; a row of a table, where its words are those of
// the value.
func (d *derived) singled(t *text, line string) bool {
	switch {
	case t.Said:
		return true
	case d.fact.Day == nil || !d.told || d.from[t.Where]:
		return false
	case t.Table:
		return d.shares(line)
	}
	days := map[string]bool{}
	for _, m := range writtenDay.FindAllString(t.Text, -1) {
		days[m] = true
	}
	return len(days) < manyDays
}

// shares says whether two words of a line, or all of them where there are fewer, are those of the value.
func (d *derived) shares(line string) bool {
	have := wording.Words(line)
	n := 0
	for _, w := range d.words {
		if slices.Contains(have, w) {
			n++
		}
	}
	return n >= min(2, len(d.words)) && n > 0
}

// doneBefore finds changes that ask for a row which the world begins with: what should be worked out stands there already, and
// what is done changes nothing.
func (s *Subject) doneBefore(ctx context.Context) ([]Evidence, error) {
	base, err := s.seedRows(ctx)
	if err != nil {
		return nil, err
	}
	var out []Evidence
	for _, ch := range s.Contract().Changes {
		for _, spec := range ch.Rows {
			i := slices.IndexFunc(base, func(tr world.TableRows) bool { return tr.Table == spec.Table })
			if i < 0 || spec.Op != "update" {
				continue
			}
			for _, row := range base[i].Rows {
				told, all := "", len(spec.Pins) > 0
				for _, p := range spec.Pins {
					want, ok := s.pinned(p)
					all = all && ok && sameValue(exact.Column(row[p.Column]), want)
					told = p.Column + " is " + strings.Trim(exact.Text(want), `"`)
				}
				if all {
					out = append(out, Evidence{File: "world/seed/" + spec.Table, Cell: "change." + ch.ID, Span: told, Note: "change." + ch.ID + " is there before anybody does it"})
				}
			}
		}
	}
	return out, nil
}

// pinned gives the one value that a column must hold.
func (s *Subject) pinned(p contract.Pin) (any, bool) {
	if p.Want == nil || len(p.Want.Tests) != 1 || p.Want.Tests[0].Op != "is" || len(p.Want.Tests[0].Terms) != 1 {
		return nil, false
	}
	t := p.Want.Tests[0].Terms[0]
	if t.Ref == "" {
		return t.Literal, true
	}
	name := t.Ref
	if part, ok := strings.CutPrefix(name, "chosen."); ok {
		name = s.Expected().Chosen + "." + part
	}
	v, ok := s.Expected().Values[name]
	return v.JSON(), ok
}

// choiceTold finds words that say which option is right, where something is said of the task or of its tools: by a sentence, or
// by a field or an argument that can have no other value.
func (s *Subject) choiceTold(list []text) []Evidence {
	c := s.Contract()
	if c.Decision == nil || s.Expected().Chosen == "" {
		return nil
	}
	id := regexp.QuoteMeta(s.Expected().Chosen)
	const right = `(?:recommended|correct|right|chosen|preferred|expected|best)`
	says := regexp.MustCompile(`\b` + right + `\b[^.;:\n]{0,24}\b(?:is|be|option|answer)[^.;:\n]{0,12}\b` + id + `\b|\b` + id + `\b[^.;:\n]{0,12}\bis (?:the )?` + right + `\b`)
	var out []Evidence
	for _, t := range list {
		if !t.Said {
			continue
		}
		if m := says.FindString(t.Text); m != "" {
			out = append(out, Evidence{File: t.Where, Line: t.Line, Cell: t.Field, Span: m, Note: "decision is " + s.Expected().Chosen})
		}
	}
	for _, f := range s.Public.Answer {
		if len(f.Values) == 1 && slices.ContainsFunc(s.fields(), func(g field) bool { return g.name == f.Name }) {
			out = append(out, Evidence{File: s.File, Line: f.Line, Cell: "answer." + f.Name, Span: f.Values[0], Note: f.Name + " is " + f.Values[0] + ": the form allows nothing else"})
		}
	}
	return out
}

// mayHold is a quick look before the real one: some digit group of the value stands in the line.
func mayHold(line string, d *derived) bool {
	if d.fact.Day != nil {
		y, _, day := d.fact.Day.Date()
		return strings.Contains(line, fmt.Sprint(y)) || strings.Contains(line, fmt.Sprint(day))
	}
	return strings.ContainsAny(line, "0123456789")
}

// near says whether words around the figure are those of the value.
func (d *derived) near(line string) bool {
	tokens := wording.Words(line)
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, d.fact.Text)
	for i, t := range tokens {
		if t != digits && t != d.fact.Text {
			continue
		}
		around := tokens[max(0, i-contextWithin):min(len(tokens), i+contextWithin+1)]
		hits := 0
		for _, w := range d.words {
			if slices.Contains(around, w) {
				hits++
			}
		}
		if hits >= 2 || hits >= 1 && len(d.words) == 1 {
			return true
		}
	}
	return false
}

// leaksInCell finds a derived value in a live record: where the column is named as the value is, and texts as any text.
func (s *Subject) leaksInCell(c liveCell, list []derived) []Evidence {
	where := c.table + " " + c.key
	if t, ok := c.value.(string); ok && strings.ContainsAny(strings.TrimSpace(t), " \n") {
		out := leaksIn(text{Where: where, Field: c.column, Text: t}, list)
		for i := range out {
			out[i].Line = 0
		}
		return out
	}
	var out []Evidence
	named := wording.Words(strings.ReplaceAll(c.column, "_", " "))
	for i := range list {
		d := &list[i]
		if d.listed || !sameValue(c.value, d.json) {
			continue
		}
		if slices.ContainsFunc(d.words, func(w string) bool { return slices.Contains(named, w) }) && s.ofSubject(c.row) {
			out = append(out, Evidence{File: where, Cell: c.column, Span: strings.Trim(exact.Text(c.value), `"`), Note: d.name + " is " + d.fact.Text})
		}
	}
	return out
}

// ofSubject says whether a row names what the task is about.
func (s *Subject) ofSubject(r world.Row) bool {
	for _, h := range s.Public.Handles {
		for _, v := range r {
			if v == h.Value {
				return true
			}
		}
	}
	return false
}
