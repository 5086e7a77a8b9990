package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/record"
)

// messages judges what colleagues are told: facts as whole tokens in sentences, not denied; no forbidden claim; the form
// that the tool's description asks.
func (j *judge) messages() {
	late := 0
	for _, m := range j.c.Messages {
		f := record.Finding{Rule: "message." + m.ID, Category: "communication", Expected: j.wanted(m.Facts, m.Form)}
		call := j.s.calls[m.Change]
		if call == nil {
			f.Why = "the message " + m.Change + " was not written"
			j.add(f)
			continue
		}
		late = max(late, call.Seq)
		f.Events = []int{call.Seq}
		body, ok := j.body(m, call)
		f.Got = clip(body)
		var faults []string
		if !ok {
			faults = append(faults, "it has no text in "+m.Body)
		} else {
			faults = j.faults(m, body)
		}
		faults = append(faults, j.claims(m, call, body)...)
		f.Pass, f.Why = len(faults) == 0, "it says what it must"
		if !f.Pass {
			f.Why = strings.Join(faults, "; ")
		}
		j.add(f)
	}
	if j.c.MessageFirst {
		j.before(ruleMessageFirst, "the message", late)
	}
}

// body gives the text that stands at the end: what the column holds then, or the argument where the world keeps it nowhere.
func (j *judge) body(m *Message, call *call) (string, bool) {
	v, _ := pointer.Pointer{{Name: m.Body}}.Get(call.args)
	written, ok := v.(string)
	c := j.column(m, call)
	if c == nil {
		return written, ok
	}
	for _, e := range call.effect {
		if e.table != c.Table {
			continue
		}
		f := j.finalOf(e)
		if f == nil { // the row is gone, or as it was before
			return "", false
		}
		s, ok := f.row()[c.Column].(string)
		if m.Column == nil && ok && strings.Contains(s, written) {
			s = written // without what the tool puts around it
		}
		return s, ok
	}
	return "", false
}

// column says where a message's text stands in the world: where the contract says so, else the column that its call wrote the
// text into, so that a text which another call changes later is judged as it is at the end.
func (j *judge) column(m *Message, call *call) *ColumnRef {
	if m.Column != nil {
		return m.Column
	}
	v, _ := pointer.Pointer{{Name: m.Body}}.Get(call.args)
	written, ok := v.(string)
	if !ok || prose.Blank(written) {
		return nil
	}
	for _, e := range call.effect {
		for _, name := range slices.Sorted(maps.Keys(e.after)) {
			if s, ok := e.after[name].(string); ok && strings.Contains(s, written) {
				return &ColumnRef{e.table, name}
			}
		}
	}
	return nil
}

func (j *judge) faults(m *Message, body string) []string {
	if prose.Blank(body) {
		return []string{"the text is blank"}
	}
	if prose.Serialized(body) {
		return []string{"the text is data and no sentences"}
	}
	t := prose.Prepare(body)
	var out []string
	if n := t.Words(); n < m.Form.Words {
		out = append(out, fmt.Sprintf("it has %s and must have %d", plural(n, "word"), m.Form.Words))
	}
	if n := t.Sentences(); n < m.Form.Sentences {
		out = append(out, fmt.Sprintf("it has %s and must have %d", plural(n, "sentence"), m.Form.Sentences))
	}
	if t.Jumbled() {
		out = append(out, "its words stand in no order that sentences have")
	}
	return append(out, j.factFaults(m.Facts, t)...)
}

// factFaults says which facts do not stand in a text as they must.
func (j *judge) factFaults(facts []Fact, t *prose.Text) []string {
	var out []string
	all := make([]prose.Fact, 0, len(facts))
	for i := range facts {
		if w, ok := facts[i].resolve(j.s); ok {
			all = append(all, w)
		}
	}
	for i := range facts {
		w, ok := facts[i].resolve(j.s)
		if !ok {
			out = append(out, "what "+facts[i].Term.String()+" is cannot be known, since its change was not made")
			continue
		}
		switch st := prose.Look(t, w, all); {
		case st.Asserted:
		case st.Count == 0:
			out = append(out, "it does not say "+w.Text)
		case st.Hedged:
			out = append(out, "it says "+w.Text+" only as one of several that could be meant")
		case st.InProse:
			out = append(out, "it says "+w.Text+" only to deny it")
		default:
			out = append(out, "it names "+w.Text+" in no sentence")
		}
	}
	return out
}

// claims says which forbidden claims were made, in any message by the tool: a wrong one that a right one follows was sent
// all the same.
func (j *judge) claims(m *Message, sent *call, body string) []string {
	texts := []string{body}
	c := j.c.change(m.Change)
	for _, call := range j.calls {
		if call.Tool == c.Tool && call.OK() {
			if v, ok := (pointer.Pointer{{Name: m.Body}}).Get(call.args); ok {
				if s, ok := v.(string); ok {
					texts = append(texts, s)
				}
			}
		}
	}
	// And in every value that the column had: a text that another call wrote anew stood there all the same.
	if at := j.column(m, sent); at != nil {
		for _, call := range j.calls {
			for _, e := range call.effect {
				if v, ok := e.after[at.Column].(string); ok && e.table == at.Table {
					texts = append(texts, v)
				}
			}
		}
	}
	var out []string
	for _, text := range texts {
		for _, why := range j.forbidden(m.Forbid, text) {
			if !slices.Contains(out, why) {
				out = append(out, why)
			}
		}
	}
	return out
}

func (j *judge) forbidden(facts []Fact, text string) []string {
	var out []string
	t := prose.Prepare(text)
	for i := range facts {
		w, ok := facts[i].resolve(j.s)
		if !ok {
			continue // a record that was never made cannot be spoken of
		}
		if facts[i].Mention && prose.Mentioned(t, w) || !facts[i].Mention && prose.Claimed(t, w) {
			out = append(out, "it says "+w.Text+", which it must not")
		}
	}
	return out
}

// resolve gives what a fact looks for, in the form that its value has or the contract asks.
func (f *Fact) resolve(s *scope) (prose.Fact, bool) {
	r, ok := s.resolve(f.Term)
	if !ok {
		return prose.Fact{}, false
	}
	w := prose.Fact{Text: r.text()}
	form := f.Form
	if form == "" {
		switch r.typed.Kind() {
		case derive.Date:
			form = "date"
		case derive.Number:
			form = "number"
		}
	}
	switch form {
	case "date":
		day := w.Text
		if len(day) > 10 {
			day = day[:10]
		}
		if d, ok := derive.ParseDay(day); ok {
			w.Day = &d
		}
	case "number":
		if v, err := derive.Read(r.json, derive.Type{Kind: derive.Number}); err == nil {
			w.Number = v.Rat()
		}
	}
	return w, len(prose.Tokens(w.Text)) > 0
}

// wanted says in words what a text must say.
func (j *judge) wanted(facts []Fact, form Form) string {
	names := make([]string, len(facts))
	for i := range facts {
		names[i] = facts[i].Term.String()
		if w, ok := facts[i].resolve(j.s); ok {
			names[i] = w.Text
		}
	}
	return fmt.Sprintf("%s of %s or more that say %s", plural(form.Sentences, "sentence"), plural(form.Words, "word"), strings.Join(names, ", "))
}
