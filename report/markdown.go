package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

// Markdown writes the results as GitHub-flavoured Markdown. Names and reasons cannot become markup.
func (r *Result) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Results of run %s\n\n", md(r.Run))
	for _, f := range [][2]string{{"bench", r.Bench}, {"digest", r.Digest}, {"grader", r.Grader}, {"asked", r.asked()}} {
		if v := md(f[1]); v != "" {
			fmt.Fprintf(&b, "- %s: %s\n", f[0], v)
		}
	}
	b.WriteByte('\n')
	if r.Premise != nil {
		r.premiseMarkdown(&b)
	} else {
		r.figuresMarkdown(&b)
	}
	for _, s := range r.sections() {
		fmt.Fprintf(&b, "\n## %s\n\n", md(s.title))
		for _, l := range s.lines {
			fmt.Fprintf(&b, "- %s\n", md(l))
		}
		if s.grid != nil {
			if len(s.lines) > 0 {
				b.WriteByte('\n')
			}
			mdTable(&b, s.grid)
		}
	}
	r.watchedMarkdown(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// premiseMarkdown writes the table of authoring problems in the figures' place.
func (r *Result) premiseMarkdown(b *strings.Builder) {
	mdTable(b, r.premiseGrid())
	b.WriteByte('\n')
	for _, l := range r.premiseLines() {
		fmt.Fprintf(b, "- %s\n", md(l))
	}
	for _, s := range r.premiseRules() {
		b.WriteString("\n" + md(s) + "\n")
	}
}

func (r *Result) figuresMarkdown(b *strings.Builder) {
	g := &grid{head: []string{"#", "model", "posture", "passed", "95 % interval", "remarks"}}
	for i := range r.Attempts.Settings {
		s := &r.Attempts.Settings[i]
		figures := r.figuresOf(s)
		for _, f := range figures {
			g.rows = append(g.rows, []string{fmt.Sprint(i + 1), Printable(s.Model), Printable(s.Posture), f.phrase(0), f.percent(), strings.Join(s.remarks(figures), "; ")})
			if words, interval := f.answered(0); words != "" {
				g.rows = append(g.rows, []string{fmt.Sprint(i + 1), Printable(s.Model), Printable(s.Posture), string(f.Basis) + ": " + words, interval, ""})
			}
		}
	}
	mdTable(b, g)
	for _, s := range r.rules() {
		b.WriteString("\n" + md(s) + "\n")
	}
}

func md(s string) string { return mdEscape.Replace(Printable(s)) }

func mdTable(b *strings.Builder, g *grid) {
	tw := table.NewWriter()
	row := func(cells []string) table.Row {
		out := make(table.Row, len(cells))
		for i, c := range cells {
			out[i] = md(c)
		}
		return out
	}
	style := table.StyleDefault
	style.Format = table.FormatOptions{}
	tw.SetStyle(style)
	tw.AppendHeader(row(g.head))
	for _, r := range g.rows {
		tw.AppendRow(row(r))
	}
	b.WriteString(tw.RenderMarkdown())
	b.WriteByte('\n')
}

// Markup makes untrusted text safe for a cell or a line of Markdown: it cannot become markup or break the line or the table.
func Markup(s string) string { return strings.ReplaceAll(md(s), "|", `\|`) }
