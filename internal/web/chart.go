package web

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// chart is a drawing that is made here, as SVG with a title, a description and, beside it, a table with the same numbers. Its
// coordinates are those of its own box; the style sheet colours its classes.
type chart struct {
	ID, Title, Desc string
	W, H            int
	Marks           []mark
	Head            []string
	Rows            [][]string
}

// mark is one shape of a chart; Kind says which members it has.
type mark struct {
	Kind       string // "line", "rect", "dot", "text", "path"
	Class      string
	X, Y, W, H string
	Text, Path string
}

func num(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

func (c *chart) line(class string, x1, y1, x2, y2 float64) {
	c.Marks = append(c.Marks, mark{Kind: "line", Class: class, X: num(x1), Y: num(y1), W: num(x2), H: num(y2)})
}

func (c *chart) rect(class string, x, y, w, h float64) {
	c.Marks = append(c.Marks, mark{Kind: "rect", Class: class, X: num(x), Y: num(y), W: num(max(w, 0)), H: num(max(h, 0))})
}

func (c *chart) dot(class string, x, y, r float64) {
	c.Marks = append(c.Marks, mark{Kind: "dot", Class: class, X: num(x), Y: num(y), W: num(r)})
}

func (c *chart) text(class string, x, y float64, s string) {
	c.Marks = append(c.Marks, mark{Kind: "text", Class: class, X: num(x), Y: num(y), Text: s})
}

func (c *chart) path(class, d string) {
	c.Marks = append(c.Marks, mark{Kind: "path", Class: class, Path: d})
}

// clipped shortens a name to what has room in a chart; the table has it whole.
func clipped(s string, runes int) string {
	s = report.Printable(s)
	if r := []rune(s); len(r) > runes {
		return string(r[:runes-1]) + "…"
	}
	return s
}

// modelName is a model's name without its server's address, for which a chart has no room.
func modelName(s string) string {
	name, _, _ := strings.Cut(s, "@")
	return name
}

// Measures of a chart of rates, in its own box.
const (
	ratesLeft, ratesWide, ratesRow = 10.0, 520.0, 40.0
	ratesMost                      = 24 // figures that are drawn; the table has them all
)

// rates draws the main figures with their intervals: a dot for what passed of what is judged, a bar for the 95 % interval. Exact
// and proxy figures are told apart by their words and never stand on one line.
func rates(res *report.Result) *chart {
	c := &chart{ID: "rates", Title: "Items passed, with 95 % intervals", W: int(ratesWide + 2*ratesLeft),
		Desc: "One row for each model at each posture. The dot is the share of judged items that passed, the bar its 95 % Wilson interval; the table below has the numbers.",
		Head: []string{"model", "posture", "basis", "passed", "judged", "items", "95 % interval", "repeats"}}
	y := 8.0
	for i := range res.Figures {
		f := &res.Figures[i]
		repeats := fmt.Sprint(f.Repeats)
		if f.SingleRun {
			repeats = "single run"
		}
		c.Rows = append(c.Rows, []string{f.Model, f.Posture, string(f.Basis), fmt.Sprint(f.Passed), fmt.Sprint(f.Judged), fmt.Sprint(f.Items), interval(f.Interval), repeats})
		if i >= ratesMost {
			continue
		}
		name := fmt.Sprintf("%s, %s, %s", clipped(modelName(f.Model), 40), clipped(f.Posture, 14), f.Basis)
		if f.Control {
			name += " (control)"
		}
		value := "nothing judged"
		if f.Judged > 0 {
			value = fmt.Sprintf("%d of %d", f.Passed, f.Judged)
		}
		c.text("label", ratesLeft, y+12, name)
		c.text("value", ratesLeft+ratesWide, y+12, value)
		c.rate(string(f.Basis), ratesLeft, y+24, ratesWide, f.Passed, f.Judged, f.Interval)
		y += ratesRow
	}
	c.scale(ratesLeft, 8, ratesWide, y-4)
	c.H = int(y + 18)
	return c
}

// rate draws one figure on a line of its own.
func (c *chart) rate(class string, x, y, wide float64, passed, of int, ci [2]float64) {
	c.line("track", x, y, x+wide, y)
	if of == 0 {
		return
	}
	c.rect("interval "+class, x+wide*ci[0], y-4, wide*(ci[1]-ci[0]), 8)
	c.dot("rate "+class, x+wide*float64(passed)/float64(of), y, 5)
}

// scale draws the shares below rates.
func (c *chart) scale(x, top, wide, bottom float64) {
	for i := range 5 {
		at := x + wide*float64(i)/4
		c.line("grid", at, top, at, bottom)
		class := "tick"
		if i == 0 {
			class = "tick first"
		} else if i == 4 {
			class = "tick last"
		}
		c.text(class, at, bottom+14, fmt.Sprintf("%d %%", 25*i))
	}
}

func interval(ci [2]float64) string { return fmt.Sprintf("%.1f to %.1f %%", 100*ci[0], 100*ci[1]) }

// Measures of one of the small charts of families.
const (
	smallWide = 240.0
	smallRow  = 34.0
	smallMost = 12
)

// families draws a small chart for each family, all with the same scale and the models in the same order.
func families(res *report.Result) []*chart {
	var out []*chart
	at := map[string]*chart{}
	for i := range res.Families {
		f := &res.Families[i]
		c := at[f.Family]
		if c == nil {
			title := f.Title
			if title == "" {
				title = f.Family
			}
			c = &chart{ID: fmt.Sprintf("family-%d", len(out)), Title: report.Printable(title), W: int(smallWide + 20), H: 8, Desc: "Items passed in this family, one row for each model at each posture, with 95 % intervals.",
				Head: []string{"model", "posture", "basis", "passed", "judged", "items", "95 % interval"}}
			at[f.Family] = c
			out = append(out, c)
		}
		c.Rows = append(c.Rows, []string{f.Model, f.Posture, string(f.Basis), fmt.Sprint(f.Passed), fmt.Sprint(f.Judged), fmt.Sprint(f.Items), interval(f.Interval)})
		if len(c.Rows) > smallMost || f.Items == 0 {
			continue
		}
		y := float64(c.H)
		name := clipped(modelName(f.Model), 16) + " " + clipped(f.Posture, 6)
		if f.Basis == record.Proxy {
			name += " (proxy)"
		}
		c.text("label", 10, y+10, name)
		c.text("value", 10+smallWide, y+10, fmt.Sprintf("%d/%d", f.Passed, f.Judged))
		c.rate(string(f.Basis), 10, y+20, smallWide, f.Passed, f.Judged, f.Interval)
		c.H += int(smallRow)
	}
	for _, c := range out {
		c.scale(10, 4, smallWide, float64(c.H)-4)
		c.H += 18
	}
	return out
}
