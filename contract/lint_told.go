package contract

import (
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/contract/prose"
)

// forms finds rules of form that the agent is not told: how many sentences and words a text must have stands where the agent reads
// it, in the description of the tool or of the argument, or in the request.
func (l *linter) forms() {
	for _, m := range l.c.Messages {
		t := l.c.tools[l.c.change(m.Change).Tool]
		if t == nil {
			continue
		}
		sub, _, _ := schemaAt(t.input, pointer.Pointer{{Name: m.Body}})
		l.toldForm(m.node, m.Form, t.Description+"\n"+descriptions(sub), t.Name+" and of its argument "+m.Body)
	}
	for _, ch := range l.c.Changes {
		t := l.c.tools[ch.Tool]
		if t == nil {
			continue
		}
		for _, a := range ch.Args {
			sub, _, _ := schemaAt(t.input, a.At)
			name := strings.TrimPrefix(a.At.String(), "/")
			l.toldWords(a.Want, t.Description+"\n"+descriptions(sub), t.Name+" and of its argument "+name)
		}
		for _, r := range ch.Rows {
			for _, p := range r.Pins {
				l.toldWords(p.Want, t.Description+"\n"+descriptions(t.input), t.Name)
			}
		}
	}
	for _, r := range l.c.Answer {
		if r.Want != nil {
			l.toldWords(r.Want, r.Field.Description, "the answer's field "+r.Field.Name)
		}
	}
}

func (l *linter) toldWords(p *Predicate, text, what string) {
	for _, t := range p.Tests {
		if t.Op == "words" && t.Words > 1 {
			l.toldForm(p.node, Form{Words: t.Words}, text, what)
		}
	}
}

func (l *linter) toldForm(n *bench.Node, f Form, text, what string) {
	text += "\n" + l.c.task.Request
	var missing []string
	if f.Sentences > 0 && !prose.Counts(text, f.Sentences, "sentence") {
		missing = append(missing, "at least "+plural(f.Sentences, "sentence"))
	}
	if f.Words > 1 && !prose.Counts(text, f.Words, "word") {
		missing = append(missing, "at least "+plural(f.Words, "word"))
	}
	if len(missing) > 0 {
		l.fault("form-untold", n, "the text must have %s, and neither the description of %s nor the request says so: an agent cannot keep a rule that it was not told", strings.Join(missing, " and "), what)
	}
}
