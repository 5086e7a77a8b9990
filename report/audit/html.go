package audit

import (
	_ "embed"
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
