package report

import (
	"fmt"
	"strings"

	"github.com/assaybench/assay/record"
)

// premiseColumns are the table of authoring problems: first as such results are published, then what a reader wants beside.
var premiseColumns = []struct {
	head string
	cell func(*PremiseFigure) string
}{
	{"pass", func(p *PremiseFigure) string { return Part{p.Passed, p.Items}.String() }},
	{"silent", func(p *PremiseFigure) string { return p.Silent.String() }},
	{"declared wrong", func(p *PremiseFigure) string { return p.DeclaredWrong.String() }},
	{"undeclared wrong", func(p *PremiseFigure) string { return p.UndeclaredWrong.String() }},
	{"not validated", func(p *PremiseFigure) string { return p.NotValidated.String() }},
	{"declared on control", func(p *PremiseFigure) string { return p.DeclaredOnControl.String() }},
	{"private pass", func(p *PremiseFigure) string { return p.Private.String() }},
	{"regression pass", func(p *PremiseFigure) string { return p.Regression.String() }},
	{"failed", (*PremiseFigure).failed},
	{"95 % interval", func(p *PremiseFigure) string { return p.percent() }},
	{"first-try pass", func(p *PremiseFigure) string { return p.FirstTry.String() }},
	{"after 1 repair", func(p *PremiseFigure) string { return p.AfterOne.String() }},
	{"after 2 repairs", func(p *PremiseFigure) string { return p.AfterTwo.String() }},
	{"repairs used", func(p *PremiseFigure) string { return p.Repairs.String() }},
	{"declared too much", func(p *PremiseFigure) string { return p.OverDeclared.String() }},
	{"prompt tokens", func(p *PremiseFigure) string { return p.Prompt.brief() }},
	{"output tokens", func(p *PremiseFigure) string { return p.Output.brief() }},
}

// String is the count with what it is out of; "-" where it is out of nothing.
func (p Part) String() string {
	if p.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", p.N, p.Of)
}

// brief is like "12,345 in 21", the number of attempts that reported any; "-" where none did.
func (t Tokens) brief() string {
	if t.Reported == 0 {
		return "-"
	}
	return thousands(t.Sum) + " in " + thousands(int64(t.Reported))
}

// String is the score, "-" where there is no such run.
func (l *Linked) String() string {
	if l == nil {
		return "-"
	}
	s := Part{l.Passed, l.Items}.String()
	if open := l.Items - l.Judged; open > 0 {
		s += fmt.Sprintf(" (%d open)", open)
	}
	return s
}

// String is like "P-13:S", with a letter for each repeat.
func (f FailedItem) String() string {
	var b strings.Builder
	for _, l := range f.Letters {
		b.WriteString(string(l))
	}
	return Printable(f.Item) + ":" + b.String()
}

// failed lists what did not pass, and behind a comma what of the private set did not.
func (p *PremiseFigure) failed() string {
	join := func(list []FailedItem) string {
		var words []string
		for _, f := range list {
			words = append(words, f.String())
		}
		return strings.Join(words, " ")
	}
	var parts []string
	if s := join(p.Failed); s != "" {
		parts = append(parts, s)
	}
	if p.Private != nil && len(p.Private.Failed) > 0 {
		parts = append(parts, join(p.Private.Failed))
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

// posture names the posture and its effort, and says where a model had no such setting.
func (p *PremiseFigure) posture() string {
	s := Printable(p.Posture)
	if p.Effort != "" && !strings.Contains(p.Posture, p.Effort) {
		s += " (" + Printable(p.Effort) + ")"
	}
	if p.EffortState != "" {
		s += ", " + p.EffortState
	}
	return s
}

// premiseGrid is the table, a row for each model at a posture.
func (r *Result) premiseGrid() *grid {
	g := &grid{head: []string{"#", "model", "posture"}, fixed: 3, again: 1, narrow: true}
	for _, c := range premiseColumns {
		g.head = append(g.head, c.head)
	}
	for i := range r.Premise.Settings {
		p := &r.Premise.Settings[i]
		row := []string{fmt.Sprint(i + 1), Printable(p.Model), p.posture()}
		for _, c := range premiseColumns {
			row = append(row, c.cell(p))
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// premiseLines are what must stand beside the table.
func (r *Result) premiseLines() []string {
	said := map[string][]int{}
	var order []string
	say := func(line string, setting int) {
		if said[line] == nil {
			order = append(order, line)
		}
		said[line] = append(said[line], setting)
	}
	for i := range r.Attempts.Settings {
		s := &r.Attempts.Settings[i]
		if m := s.remarks(r.figuresOf(s)); len(m) > 0 {
			say(strings.Join(m, "; "), i)
		}
	}
	for i := range r.Premise.Settings {
		p := &r.Premise.Settings[i]
		for _, f := range []struct {
			what string
			l    *Linked
		}{{"private", p.Private}, {"regression", p.Regression}} {
			if f.l != nil {
				say(fmt.Sprintf("%s pass: from run %s (%s)", f.what, Printable(f.l.Run), Printable(f.l.Bench)), i)
			}
		}
	}
	var out []string
	for _, l := range order {
		out = append(out, r.prefix(said[l], false)+l)
	}
	return out
}

// premiseRules says how to read the table.
func (r *Result) premiseRules() []string {
	rule := "A problem passes if its one attempt passes: a single run, which says nothing of how far repeats agree."
	if r.repeats > 1 {
		rule = fmt.Sprintf("A problem passes only if all %d of its repeats pass; other counts are of attempts.", r.repeats)
	}
	return []string{
		rule + " Pass: what the requirement leaves open is declared, and the program's points are those of an accepted reading.",
		"Silent and undeclared wrong are out of the attempts at problems that leave something open, declared on control out of those at problems that leave nothing open. " +
			"First-try pass and after 1 or 2 repairs say what passed with so many repairs at the most. The interval is Wilson's, in percent, over the problems that could be judged.",
	}
}

// readingSection says which accepted readings were chosen, a row for each that somebody chose.
func (r *Result) readingSection() section {
	sec := section{title: "Readings chosen, of the attempts judged", grid: &grid{head: r.heads("share", "problem", "reading"), fixed: 2}}
	type row struct{ item, reading string }
	cells := map[row][]int{}
	of := map[string][]int{}
	var order []row
	n := len(r.Premise.Settings)
	at := map[[2]string]int{}
	for i := range r.Premise.Settings {
		at[[2]string{r.Premise.Settings[i].Model, r.Premise.Settings[i].Posture}] = i
	}
	var items []string
	for i := range r.Premise.Readings {
		x := &r.Premise.Readings[i]
		s := at[[2]string{x.Model, x.Posture}]
		if of[x.Item] == nil {
			of[x.Item] = make([]int, n)
			items = append(items, x.Item)
		}
		of[x.Item][s] = x.Attempts
		add := func(reading string, count int) {
			if count == 0 {
				return
			}
			k := row{x.Item, reading}
			if cells[k] == nil {
				cells[k] = make([]int, n)
				order = append(order, k)
			}
			cells[k][s] = count
		}
		for _, c := range x.Chosen {
			add(Printable(c.Reading), c.Attempts)
		}
		add("(none accepted)", x.None)
		add("("+string(record.LetterInvalid)+": not validated)", x.NotValidated)
	}
	for _, item := range items {
		for _, k := range order {
			if k.item != item {
				continue
			}
			line := []string{Printable(item), k.reading}
			for s := range n {
				line = append(line, Part{cells[k][s], of[item][s]}.String())
			}
			sec.grid.rows = append(sec.grid.rows, line)
		}
	}
	return sec
}
