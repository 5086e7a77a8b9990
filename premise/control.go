package premise

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// control is a reply whose letter is known.
type control struct {
	bench.Control
	letter record.Letter
	over   int    // kinds declared too many; -1 where it is not said
	of     string // the key of the reading whose body it has, "" for a body of its own
}

var controlLetters = []string{".", "S", "W", "X", "i"}

// breaks are the findings that a letter means.
var breaks = map[record.Letter][]string{
	record.LetterPass: {}, record.LetterSilent: {findDeclared}, record.LetterDeclaredWrong: {findMatched},
	record.LetterUndeclaredWrong: {findDeclared, findMatched}, record.LetterInvalid: {findValid},
}

// readControls reads a list of {name, letter, reading|body|answer, declare, over}.
func (p *Problem) readControls(f *bench.Fields, n *bench.Node) {
	if n.Kind != bench.List {
		f.Fault(n.Errorf("%s: controls is a list of {name, letter, …}", p.ID))
		return
	}
	seen := map[string]bool{}
	for _, v := range n.Values {
		cf := bench.NewFields(v)
		c := p.readControl(cf, v)
		if seen[c.Name] {
			cf.Fault(v.Errorf("%s: two controls are named %q", p.ID, c.Name))
		}
		seen[c.Name] = true
		f.Fault(cf.Done())
		p.controls = append(p.controls, c)
	}
}

func (p *Problem) readControl(f *bench.Fields, n *bench.Node) control {
	c := control{Control: bench.Control{Name: f.NeedText("name"), File: n.File, Line: n.Line}, letter: record.Letter(f.NeedText("letter")), over: -1}
	if c.Name != "" && (!bench.ValidID(c.Name) || c.Name == "empty") {
		f.Fault(n.Errorf("%s: the control's name %q is malformed, or taken by the built-in empty answer", p.ID, c.Name))
	}
	if !slices.Contains(controlLetters, string(c.letter)) && c.letter != "" {
		f.Fault(n.Errorf("%s, control %s: the letter %q is none of %s", p.ID, c.Name, c.letter, strings.Join(controlLetters, " ")))
	}
	if f.Node("over") != nil {
		c.over = f.Int("over")
	}
	c.Accept, c.Breaks = c.letter == record.LetterPass, breaks[c.letter]
	var topics []string
	if d := f.Node("declare"); d != nil {
		if d.Kind != bench.List {
			f.Fault(d.Errorf("%s, control %s: declare is a list of kinds", p.ID, c.Name))
		}
		for _, v := range d.Values {
			t, err := v.AsText()
			f.Fault(err)
			topics = append(topics, t)
		}
	}
	statement, given := "", 0
	reply := Reply{Assumptions: []Assumption{}}
	if key := f.Text("reading"); f.Node("reading") != nil {
		given++
		if r := p.reading(key); r != nil {
			reply.Body, statement, c.of = r.Body, r.Assumption, key
		} else {
			f.Fault(n.Errorf("%s, control %s: there is no reading %q", p.ID, c.Name, key))
		}
	}
	if f.Node("body") != nil {
		given++
		reply.Body = f.Text("body")
	}
	for _, t := range topics {
		reply.Assumptions = append(reply.Assumptions, Assumption{Topic: t, Statement: statement})
	}
	if f.Node("answer") != nil {
		given++
		c.Answer = f.Text("answer")
		if len(topics) > 0 {
			f.Fault(n.Errorf("%s, control %s: a whole answer declares by itself; leave declare out", p.ID, c.Name))
		}
	} else {
		c.Answer = reply.text()
	}
	if given != 1 {
		f.Fault(n.Errorf("%s, control %s: one of reading, body and answer is wanted", p.ID, c.Name))
	}
	return c
}

// text is the reply as JSON.
func (r Reply) text() string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		panic(err) // strings are always JSON
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// mutants makes near-misses of a reference reply.
func (p *Problem) mutants() []bench.Mutant {
	i := slices.IndexFunc(p.controls, func(c control) bool { return c.Accept })
	if i < 0 {
		return nil
	}
	ref, err := ReadReply(p.controls[i].Answer)
	if err != nil {
		return nil // the control's own fault is told
	}
	// with gives the reply after a change, without a part of its text.
	with := func(change func(*Reply), without ...string) string {
		r := ref
		r.Assumptions = slices.Clone(ref.Assumptions)
		change(&r)
		text := r.text()
		for _, part := range without {
			text = strings.Replace(text, part, "", 1)
		}
		return text
	}
	text := ref.text()
	inside := strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	out := []bench.Mutant{
		{Name: "empty", Answer: "", Breaks: findValid},
		{Name: "fenced", Answer: "```json\n" + text + "\n```", Breaks: findValid},
		{Name: "text-behind", Answer: text + "\nThat is all.", Breaks: findValid},
		{Name: "unknown-member", Answer: "{" + inside + `,"note":""}`, Breaks: findValid},
		{Name: "member-twice", Answer: "{" + inside + `,"body":"everyDay"}`, Breaks: findValid},
		{Name: "no-explanation", Answer: with(func(r *Reply) { r.Explanation = "" }, `"explanation":"",`), Breaks: findValid},
		{Name: "topic-misspelt", Answer: with(func(r *Reply) { r.Assumptions = append(r.Assumptions, Assumption{Topic: "holiday"}) }), Breaks: findValid},
		{Name: "body-cut", Answer: with(func(r *Reply) { r.Body += "\n|>" }), Breaks: findValid},
		{Name: "no-body", Answer: with(func(r *Reply) { r.Body = "# nothing" }), Breaks: findValid},
		{Name: "no-points", Answer: with(func(r *Reply) { r.Body = pointless }), Breaks: findMatched},
		{Name: "white-space", Answer: "\n " + text + "\n", Breaks: bench.NoRule},
		{Name: "explained", Answer: with(func(r *Reply) { r.Explanation = "Explained." }), Breaks: bench.NoRule},
		{Name: "commented", Answer: with(func(r *Reply) { r.Body = "# a comment\n" + r.Body + "\n" }), Breaks: bench.NoRule},
	}
	if !p.plain() {
		out = append(out, bench.Mutant{Name: "undeclared", Answer: with(func(r *Reply) { r.Assumptions = nil }), Breaks: findValid},
			bench.Mutant{Name: "declares-nothing", Answer: with(func(r *Reply) { r.Assumptions = []Assumption{} }), Breaks: findDeclared})
	}
	return out
}
