package audit

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/assaybench/assay/realism"
	"github.com/assaybench/assay/report"
)

//go:embed page.html
var pageText string

// page is one whole file: no script, no picture and no style from elsewhere.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"value":    Value,
	"show":     report.Printable,
	"place":    Place,
	"mark":     mark,
	"class":    class,
	"material": Material,
	"draw":     draw,
	"clip":     func(n int, s string) string { return clip(s, n) },
	"join":     func(list []string) string { return strings.Join(list, ", ") },
	"anchor":   anchor,
	"cells":    cells,
}).Parse(pageText))

// HTML writes a report as one page that needs nothing else.
func HTML(w io.Writer, rep *realism.Report) error {
	open := make([]realism.Row, 0, len(rep.Keys))
	for _, r := range sorted(rep) {
		if r.Result != realism.Pass {
			open = append(open, r)
		}
	}
	return page.Execute(w, map[string]any{"R": rep, "Verdict": rep.Verdict(), "Open": open, "Matrix": matrix(rep), "Groups": groups(rep)})
}

// class is a result's name in the style sheet.
func class(r realism.Result) string {
	switch r {
	case realism.Pass:
		return "pass"
	case realism.Fail:
		return "fail"
	case realism.Warn:
		return "warn"
	}
	return "none"
}

// anchor makes an id of a key or a task's name.
func anchor(kind, s string) string {
	return kind + "-" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, s)
}

// group is the rows of one part of the standard.
type group struct {
	Name string
	Rows []realism.Row
	Good int
}

// groups divides the rows by the first part of their keys, in the standard's order.
func groups(rep *realism.Report) []*group {
	var out []*group
	at := map[string]*group{}
	for _, r := range rep.Keys {
		name, _, dotted := strings.Cut(r.Key, ".")
		if !dotted {
			name = "the standard itself"
		}
		g := at[name]
		if g == nil {
			g = &group{Name: name}
			at[name] = g
			out = append(out, g)
		}
		g.Rows = append(g.Rows, r)
		if r.Result == realism.Pass {
			g.Good++
		}
	}
	return out
}

// cells gives a matrix row's results beside the bench's tasks; a task without one is not measured.
func cells(r realism.Row, tasks []string) []realism.Result {
	out := make([]realism.Result, len(tasks))
	for i, id := range tasks {
		out[i] = realism.NotMeasured
		for _, t := range r.Tasks {
			if t.Task == id {
				out[i] = t.Result
			}
		}
	}
	return out
}

// drawing is a derivation graph with places: layers from left to right, by how far a node is from what is read.
type drawing struct {
	W, H  int
	Boxes []box
	Lines []line
}

type box struct {
	X, Y, W, H        int
	Name, Kind, Under string
	Graded            bool
	Title             string
}

type line struct{ Path string }

// Measures of a drawing, in pixels.
const (
	boxWide   = 150
	boxHigh   = 36
	layerWide = 200
	rowHigh   = 48
	border    = 12
)

func draw(g realism.Graph) *drawing {
	if len(g.Nodes) == 0 {
		return nil
	}
	depth := g.Depth()
	used := map[int]int{}
	d := &drawing{}
	for i, n := range g.Nodes {
		x, y := border+depth[i]*layerWide, border+used[depth[i]]*rowHigh
		used[depth[i]]++
		under := n.Op
		if n.Value != "" {
			under = n.Value
		}
		d.Boxes = append(d.Boxes, box{X: x, Y: y, W: boxWide, H: boxHigh, Name: clip(report.Printable(n.Name), 20), Kind: n.Kind, Under: clip(report.Printable(under), 22), Graded: n.Graded,
			Title: report.Printable(fmt.Sprintf("%s: %s, %s", n.Name, n.Kind, n.Op))})
		d.W, d.H = max(d.W, x+boxWide+border), max(d.H, y+boxHigh+border)
	}
	for _, e := range g.Edges {
		a, b := d.Boxes[e[0]], d.Boxes[e[1]]
		x1, y1, x2, y2 := a.X+a.W, a.Y+a.H/2, b.X, b.Y+b.H/2
		bend := max(20, (x2-x1)/2)
		d.Lines = append(d.Lines, line{fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, x1+bend, y1, x2-bend, y2, x2, y2)})
	}
	return d
}
