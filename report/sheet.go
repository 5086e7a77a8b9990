package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assaybench/assay/record"
)

// section is a part of the printed results, the same for every printed form: sentences, a grid, or both.
type section struct {
	title string
	lines []string
	plain bool // the lines are laid out already, and stand without a mark
	grid  *grid
}

// grid is a table whose first columns say what a row is, and whose others have one value for each setting. A narrow page
// breaks it between settings and repeats the first columns.
type grid struct {
	head  []string
	rows  [][]string
	fixed int
	// again is how many of the fixed columns are repeated where the page breaks the grid; 0 is all of them.
	again  int
	narrow bool // a column need not be wider than the longest word of its head
}

// unstableShown is how many unstable items a printed page lists; the JSON has more.
const unstableShown = 20

// reasonPrinted is how many bytes of a reason stand beside a figure; the JSON has more.
const reasonPrinted = 80

// sections gives everything printed but the figures, which each form lays out by itself.
func (r *Result) sections() []section {
	out := []section{}
	if len(r.Notes) > 0 {
		out = append(out, section{title: "Notes", lines: r.Notes})
	}
	if sec := r.conductSection(); len(sec.lines) > 0 {
		out = append(out, sec)
	}
	if r.Premise != nil && len(r.Premise.Readings) > 0 {
		if sec := r.readingSection(); len(sec.grid.rows) > 0 {
			out = append(out, sec)
		}
	}
	out = append(out, r.familySection())
	if len(r.Items) > 0 {
		out = append(out, r.itemSection())
	}
	if len(r.Unstable) > 0 {
		out = append(out, r.unstableSection())
	}
	if len(r.Letters) > 0 {
		var lines []string
		for _, m := range r.Letters {
			lines = append(lines, fmt.Sprintf("%s  %s", m.Letter, m.Meaning))
		}
		out = append(out, section{title: "Letters", lines: lines, plain: true})
	}
	return append(out, r.attemptSection())
}

// asked says what the figures stand on.
func (r *Result) asked() string {
	var parts []string
	for i, n := range r.items {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, bases[i]))
		}
	}
	s := strings.Join(parts, ", ") + " item"
	if r.items[0]+r.items[1] != 1 {
		s += "s"
	}
	if r.repeats == 1 {
		s += "; single run"
	} else {
		s += fmt.Sprintf("; %d repeats", r.repeats)
	}
	plural := "s"
	if r.Attempts.Planned == 1 {
		plural = ""
	}
	return s + fmt.Sprintf("; %s attempt%s planned", thousands(int64(r.Attempts.Planned)), plural)
}

// rules says how to read the figures.
func (r *Result) rules() []string {
	rule := "An item passes if its one attempt passes: a single run, which says nothing of how far repeats agree."
	if r.repeats > 1 {
		rule = fmt.Sprintf("An item passes only if all %d of its repeats pass (pass^%d).", r.repeats, r.repeats)
	}
	return []string{
		rule + " Exact: the rules decide correctness. Proxy: the rules only measure shape. The two are never added.",
		"Intervals are Wilson's, in percent, over the items that could be judged; items that could not are named beside the figure.",
	}
}

// remarks are what must stand beside every figure of a setting.
func (s *Setting) remarks(figures []Figure) []string {
	var out []string
	complete := true
	for _, f := range figures {
		complete = complete && f.Complete
	}
	if s.Control {
		out = append(out, "control, not ranked")
	}
	if len(figures) > 0 && figures[0].Unsealed {
		out = append(out, "unsealed, not ranked")
	}
	switch n := s.Missing + s.Error; {
	case n > 0:
		out = append(out, fmt.Sprintf("incomplete: %s of %s missing or in error, not a result to rank", thousands(int64(n)), thousands(int64(s.Planned))))
	case !complete && (s.Control || len(figures) > 0 && figures[0].Unsealed):
		out = append(out, "incomplete")
	case !complete:
		out = append(out, "incomplete, not ranked")
	}
	if len(figures) > 0 && figures[0].SingleRun {
		out = append(out, "single run")
	}
	return out
}

// figuresOf gives the figures of a setting, exact before proxy.
func (r *Result) figuresOf(s *Setting) []Figure {
	var out []Figure
	for _, f := range r.Figures {
		if f.Model == s.Model && f.Posture == s.Posture {
			out = append(out, f)
		}
	}
	return out
}

// phrase is a figure in words: "12/13 exact, 1 not graded: no python3". Width pads the fraction on the left.
func (f *Figure) phrase(width int) string {
	s := fmt.Sprintf("%*s %s", width, fmt.Sprintf("%d/%d", f.Passed, f.Items), f.Basis)
	rest := 0
	for i, o := range f.Open {
		if i >= 3 {
			rest += o.Items
			continue
		}
		s += fmt.Sprintf(", %d %s", o.Items, o.Kind)
		if o.Reason != "" {
			s += ": " + clip(o.Reason, reasonPrinted)
		}
	}
	if rest > 0 {
		s += fmt.Sprintf(", %d for other reasons", rest)
	}
	return s
}

// answered is the score over the answered items in words, where it says something else than the figure: "10/12 of those
// answered". Width pads the fraction on the left.
func (f *Figure) answered(width int) (words, interval string) {
	if f.Answered.Items == f.Judged {
		return "", ""
	}
	s := Score{Judged: f.Answered.Items, Interval: f.Answered.Interval}
	return fmt.Sprintf("%*s of those answered", width, fmt.Sprintf("%d/%d", f.Answered.Passed, f.Answered.Items)), s.percent()
}

// percent is an interval in percent, or "-" where nothing was judged.
func (s *Score) percent() string {
	if s.Judged == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f-%.1f", 100*s.Interval[0], 100*s.Interval[1])
}

// heads names the columns of the settings: by number where there are several.
func (r *Result) heads(one string, fixed ...string) []string {
	if len(r.Attempts.Settings) == 1 {
		return append(fixed, one)
	}
	for i := range r.Attempts.Settings {
		fixed = append(fixed, "#"+strconv.Itoa(i+1))
	}
	return fixed
}

func (r *Result) familySection() section {
	g := &grid{head: r.heads("passed (95 % interval)", "family", "basis"), fixed: 2}
	rows := map[[2]string][]string{}
	var order [][2]string
	for _, f := range r.Families { // each setting has the same families in the same order
		key := [2]string{f.Family, string(f.Basis)}
		if rows[key] == nil {
			rows[key] = []string{Printable(f.Family), string(f.Basis)}
			order = append(order, key)
		}
		cell := fmt.Sprintf("%d/%d (%s)", f.Passed, f.Items, f.percent())
		if open := f.Items - f.Judged; open > 0 {
			cell += fmt.Sprintf(", %d not judged", open)
		}
		rows[key] = append(rows[key], cell)
	}
	for _, key := range order {
		g.rows = append(g.rows, rows[key])
	}
	return section{title: "Families", grid: g}
}

func (r *Result) itemSection() section {
	title := "Items, a letter for each repeat"
	if r.repeats == 1 {
		title = "Items"
	}
	g := &grid{head: r.heads("letters", "item", "family", "basis"), fixed: 3}
	for _, it := range r.Items {
		row := []string{Printable(it.Item), Printable(it.Family), string(it.Basis)}
		for _, s := range it.Settings {
			row = append(row, joinLetters(s.Letters))
		}
		g.rows = append(g.rows, row)
	}
	return section{title: title, grid: g}
}

func joinLetters(letters []record.Letter) string {
	var b strings.Builder
	for i, l := range letters {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(string(l))
	}
	return b.String()
}

func (r *Result) unstableSection() section {
	g := &grid{head: []string{"item", "basis", "model", "posture", "letters"}, fixed: 5}
	sec := section{title: "Unstable items: repeats disagree", grid: g}
	total := 0
	for _, f := range r.Figures {
		total += f.Unstable // items by setting to look at, not a result
	}
	for i, u := range r.Unstable {
		if i == unstableShown {
			break
		}
		g.rows = append(g.rows, []string{Printable(u.Item), string(u.Basis), Printable(u.Model), Printable(u.Posture), joinLetters(u.Letters)})
	}
	if total > len(g.rows) {
		sec.lines = []string{fmt.Sprintf("The first %d of %d.", len(g.rows), total)}
	}
	return sec
}
