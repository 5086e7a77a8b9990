package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

// Page is what a text is written for. Whoever owns the stream knows it: 0 columns are 80, and Colour is for terminals.
type Page struct {
	Columns int
	Colour  bool
}

const (
	columnsDefault = 80
	columnsMin     = 60 // less is not laid out for; lines are then longer than the page
	modelMin       = 16 // columns that a model's name keeps beside long figures
	cellMax        = 40 // columns of a cell in the other tables
	remarkMax      = 32 // columns that a remark may claim beside a figure
)

// Text writes the results for a terminal or a pipe, in ASCII but for the names that the run brought along.
func (r *Result) Text(w io.Writer, p Page) error {
	if p.Columns == 0 {
		p.Columns = columnsDefault
	}
	p.Columns = max(p.Columns, columnsMin)
	t := &textWriter{page: p}
	t.facts([][2]string{{"run", r.Run}, {"bench", r.Bench}, {"digest", r.Digest}, {"grader", r.Grader}})
	t.wrapped("asked   ", r.asked())
	t.title("Results")
	if r.Premise != nil {
		t.premise(r)
	} else {
		t.figures(r)
		t.line("")
		for _, s := range r.rules() {
			t.wrapped("", s)
		}
	}
	sections := r.sections()
	if lines := r.watchedLines(); len(lines) > 0 {
		sections = append(sections, section{title: contentionTitle, lines: lines, plain: true})
	}
	for _, s := range sections {
		t.title(s.title)
		for _, l := range s.lines {
			if s.plain {
				t.hanging(l)
			} else {
				t.wrapped("- ", l)
			}
		}
		if s.grid != nil {
			t.grid(s.grid)
		}
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

type textWriter struct {
	page Page
	b    strings.Builder
}

func (t *textWriter) line(s string) {
	t.b.WriteString(strings.TrimRight(s, " "))
	t.b.WriteByte('\n')
}

func (t *textWriter) title(s string) {
	t.b.WriteByte('\n')
	t.line(t.paint(s, "1"))
}

func (t *textWriter) paint(s, sgr string) string {
	if !t.page.Colour {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

// facts writes names and digests, whole even where they leave the page: people copy them.
func (t *textWriter) facts(facts [][2]string) {
	for _, f := range facts {
		if v := Printable(f[1]); v != "" {
			t.line(fmt.Sprintf("%-8s%s", f[0], v))
		}
	}
}

// wrapped writes a sentence with a mark before its first line and room below it.
func (t *textWriter) wrapped(mark, s string) {
	warning := strings.HasPrefix(s, "warning:")
	for i, l := range wrap(s, t.page.Columns-len(mark)) {
		if i > 0 {
			mark = strings.Repeat(" ", len(mark))
		}
		if warning {
			l = t.paint(l, "33")
		}
		t.line(mark + l)
	}
}

// hanging writes a line that may be set in, and sets the rest of it in further.
func (t *textWriter) hanging(s string) {
	for _, l := range wrapHanging(s, t.page.Columns) {
		t.line(l)
	}
}

// figures writes the main table. Its rows are laid out here, since a figure's words, a model's name and the remarks below
// them share the page between them.
func (t *textWriter) figures(r *Result) {
	head := table.Row{"#", "model", "posture", "passed", "95 %\ninterval"}
	var fraction, model, posture, passed int
	for _, f := range r.Figures {
		fraction = max(fraction, len(fmt.Sprintf("%d/%d", f.Passed, f.Items)))
	}
	for _, f := range r.Figures {
		over, _ := f.answered(fraction)
		passed = max(passed, columns(f.phrase(fraction)), columns(over))
		model = max(model, columns(Printable(f.Model)), len("model"))
		posture = max(posture, columns(Printable(f.Posture)), len("posture"))
	}
	for i := range r.Attempts.Settings {
		s := &r.Attempts.Settings[i]
		for _, m := range s.remarks(r.figuresOf(s)) {
			passed = max(passed, min(len(m), remarkMax))
		}
	}
	number := len(fmt.Sprint(len(r.Attempts.Settings)))
	posture = min(posture, 16)
	room := t.page.Columns - number - posture - len("77.2-100.0") - 4*len(columnGap)
	if model+passed > room {
		least := fraction + len(" exact,") + hang // a figure is not broken
		model = min(model, max(modelMin, room-passed))
		model = max(1, min(model, room-least))
		passed = max(room-model, least)
	}
	var rows []table.Row
	for i := range r.Attempts.Settings {
		s := &r.Attempts.Settings[i]
		var words, intervals []string
		figures := r.figuresOf(s)
		for _, f := range figures {
			for j, l := range wrapHanging(f.phrase(fraction), passed) {
				words, intervals = append(words, l), append(intervals, "")
				if j == 0 {
					intervals[len(intervals)-1] = f.percent()
				}
			}
			if over, interval := f.answered(fraction); over != "" {
				for j, l := range wrapHanging(over, passed) {
					words, intervals = append(words, l), append(intervals, "")
					if j == 0 {
						intervals[len(intervals)-1] = interval
					}
				}
			}
		}
		for _, m := range s.remarks(figures) {
			words = append(words, wrapHanging(m, passed)...)
		}
		names, postures := breakName(Printable(s.Model), model), breakName(Printable(s.Posture), posture)
		for j := range max(len(names), len(postures), len(words)) {
			no := ""
			if j == 0 {
				no = fmt.Sprint(i + 1)
			}
			rows = append(rows, table.Row{no, at(names, j), at(postures, j), at(words, j), at(intervals, j)})
		}
	}
	t.table(head, rows)
}

// premise writes the table of authoring problems in the figures' place.
func (t *textWriter) premise(r *Result) {
	t.grid(r.premiseGrid())
	t.line("")
	for _, l := range r.premiseLines() {
		t.wrapped("- ", l)
	}
	for _, s := range r.premiseRules() {
		t.wrapped("", s)
	}
}

// grid writes a grid in as many blocks as the page needs.
func (t *textWriter) grid(g *grid) {
	lines := append([][]string{g.head}, g.rows...)
	width := g.widths(lines, t.page.Columns)
	cells := make([][]string, len(lines))
	for n, row := range lines {
		for i, c := range row {
			cells[n] = append(cells[n], strings.Join(wrap(c, width[i]), "\n"))
		}
	}
	for from := g.fixed; from < len(g.head) || from == g.fixed; {
		fixed, used := g.fixed, 0
		if from > g.fixed && g.again > 0 {
			fixed = g.again
		}
		for _, w := range width[:fixed] {
			used += w + len(columnGap)
		}
		to := from
		for to < len(g.head) && (to == from || used+width[to] <= t.page.Columns) {
			used += width[to] + len(columnGap)
			to++
		}
		if from > g.fixed {
			t.b.WriteByte('\n')
		}
		var rows []table.Row
		for _, c := range cells {
			row := table.Row{}
			for _, i := range indexes(fixed, from, to) {
				row = append(row, c[i])
			}
			rows = append(rows, row)
		}
		t.table(rows[0], rows[1:])
		from = max(to, from+1)
	}
}

// widths gives each column what its cells need, at most cellMax, and takes from the widest until the fixed columns and
// any one of the others fit the page together.
func (g *grid) widths(lines [][]string, page int) []int {
	width := make([]int, len(g.head))
	for n, row := range lines {
		for i, c := range row {
			need := columns(c)
			if n == 0 && g.narrow {
				need = 0
				for _, word := range strings.Fields(c) {
					need = max(need, columns(word))
				}
			}
			width[i] = min(cellMax, max(width[i], need))
		}
	}
	tight := slices.Clone(width[:g.fixed])
	if g.fixed < len(width) {
		tight = append(tight, slices.Max(width[g.fixed:]))
	}
	for total(tight) > page {
		widest := slices.Index(tight, slices.Max(tight))
		tight[widest]--
	}
	for i := range width {
		width[i] = min(width[i], tight[min(i, len(tight)-1)])
	}
	return width
}

// total is the width of columns side by side.
func total(width []int) int {
	n := -len(columnGap)
	for _, w := range width {
		n += w + len(columnGap)
	}
	return n
}

// indexes gives the columns of a block: the fixed ones, then from to to.
func indexes(fixed, from, to int) []int {
	var out []int
	for i := range fixed {
		out = append(out, i)
	}
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

const columnGap = "  "

// table writes rows under their heads, columns two spaces apart and no other frame: it reads the same in a pipe.
func (t *textWriter) table(head table.Row, rows []table.Row) {
	tw := table.NewWriter()
	style := table.Style{Name: "plain", Box: table.BoxStyle{MiddleHorizontal: "-", MiddleSeparator: columnGap, MiddleVertical: columnGap}}
	style.Options.SeparateColumns, style.Options.SeparateHeader = true, true
	tw.SetStyle(style)
	tw.AppendHeader(head)
	tw.AppendRows(rows)
	for l := range strings.Lines(tw.Render()) {
		t.line(strings.TrimRight(l, "\n"))
	}
}
