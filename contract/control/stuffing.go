package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/prose"
)

// stuffed gives the six ways to name facts and to tell nobody anything, for each message: the facts alone, the facts repeated,
// the reference's own words in another order, every fact denied, the facts in another field, and what another option would
// have said.
func (s *Subject) stuffed(ctx context.Context) ([]plan, error) {
	var out []plan
	for _, t := range s.messages() {
		facts, _ := s.c.FactsUnder(t.m, s.x, s.roles)
		body, _ := s.steps[t.at].Args[t.m.Body].(string)
		names := factNames(facts)
		one := func(form, text string) {
			steps := slices.Clone(s.steps)
			steps[t.at] = steps[t.at].with(t.m.Body, text)
			out = append(out, plan{name: "keyword_stuffing", form: form + " in " + t.m.ID, steps: steps, breaks: []string{"message." + t.m.ID}})
		}
		one("KS1: facts alone", strings.Join(names, " "))
		one("KS2: facts repeated", repeated(names, t.m.Form.Words, t.m.Form.Sentences))
		one("KS3: words in another order", jumbled(body))
		one("KS4: facts denied", denied(names))
		if field := s.otherText(t); field != "" {
			steps := slices.Clone(s.steps)
			steps[t.at] = steps[t.at].with(field, s.within(steps[t.at].Tool, field, strings.Join(names, ", "))).with(t.m.Body, rendered(nil, nil, t.m.Form, nil, 0, 0))
			out = append(out, plan{name: "keyword_stuffing", form: "KS5: facts in " + field + " of " + t.m.ID, steps: steps, breaks: []string{"message." + t.m.ID}})
		} else {
			one("KS5: facts in no field", rendered(nil, nil, t.m.Form, nil, 0, 0))
		}
		if s.c.Decision != nil {
			out = append(out, s.otherOption(t))
		}
	}
	return out, nil
}

// otherOption writes what another option would have been told.
func (s *Subject) otherOption(t told) plan {
	p := plan{name: "keyword_stuffing", form: "KS6: text of another option in " + t.m.ID, breaks: []string{"message." + t.m.ID}}
	right := s.text(t, s.x, 0)
	for _, o := range s.others() {
		if text := s.text(t, s.x.Choose(o), 0); text != right {
			p.steps, p.form = slices.Clone(s.steps), fmt.Sprintf("KS6: text of %s in %s", o, t.m.ID)
			p.steps[t.at] = p.steps[t.at].with(t.m.Body, text)
			return p
		}
	}
	p.why = fmt.Sprintf("the message %s says the same whatever was decided: name a fact of it that follows from the decision", t.m.ID)
	return p
}

func factNames(facts []prose.Fact) []string {
	var out []string
	for _, f := range facts {
		if !slices.Contains(out, f.Text) {
			out = append(out, f.Text)
		}
	}
	return out
}

func repeated(names []string, words, sentences int) string {
	line := strings.Join(names, ", ") + "."
	n := max(4, sentences+1, words)
	return strings.TrimSpace(strings.Repeat(line+" ", n))
}

// denied says of every fact, in a sentence of its own, that it is not so.
func denied(names []string) string {
	var parts []string
	for _, n := range names {
		parts = append(parts, fmt.Sprintf("I must tell you that it is not %s, whatever you may have heard from the others.", n))
	}
	return strings.Join(parts, " ")
}

// jumbled gives a text's words in another order, with every mark left in its place: of a few shuffles the one that is furthest
// from sentences, since a shuffle that happens to read as one is one to whoever judges by structure.
func jumbled(text string) string {
	best, most := text, -1
	for seed := uint32(1); seed <= 8; seed++ {
		s := shuffled(text, seed)
		if n := prose.Prepare(s).Disorder(); s != text && n > most {
			best, most = s, n
		}
	}
	return best
}

// shuffled is the same on every machine: its chance is a small generator of its own.
func shuffled(text string, seed uint32) string {
	var bare, marks []string
	for _, w := range strings.Fields(text) {
		t := strings.TrimRight(w, ".,;:!?")
		bare, marks = append(bare, t), append(marks, w[len(t):])
	}
	state := seed * 2654435761
	for i := len(bare) - 1; i > 0; i-- {
		state = state*1664525 + 1013904223
		k := int(state>>8) % (i + 1)
		bare[i], bare[k] = bare[k], bare[i]
	}
	for i := range bare {
		bare[i] += marks[i]
	}
	return strings.Join(bare, " ")
}

// otherText gives another field of a message's tool that the reference worded, "" without one.
func (s *Subject) otherText(t told) string {
	st := s.steps[t.at]
	for _, arg := range sortedKeys(st.Args) {
		if text, ok := st.Args[arg].(string); ok && arg != t.m.Body && !s.pinned(t.change, arg) {
			prop := s.property(st.Tool, arg)
			if prop["enum"] == nil && prop["format"] == nil && prop["pattern"] == nil && prop["const"] == nil && !s.own(st.Tool, arg) && !slices.Contains(s.users, text) {
				return arg
			}
		}
	}
	return ""
}
