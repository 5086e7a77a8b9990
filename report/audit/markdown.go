package audit

import (
	"fmt"
	"io"
	"strings"

	"github.com/assaybench/assay/realism"
	"github.com/assaybench/assay/report"
)

// md takes the meaning from what Markdown would read in a foreign text.
var md = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "~", `\~`, "#", `\#`, "|", `\|`)

func cell(s string) string { return md.Replace(report.Printable(s)) }

// Markdown writes a report as Markdown: the count, what does not pass with its places, the matrix of tasks and requirements,
// the pairs most alike, and each task.
func Markdown(w io.Writer, rep *realism.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Audit of %s\n\n%s\n\n", cell(rep.Bench.Name), cell(rep.Bench.Title))
	fmt.Fprintf(&b, "| | |\n|---|---|\n| verdict | **%s** |\n| requirements | %d PASS, %d FAIL, %d WARN, %d NOT_MEASURED |\n| bench | `%s` |\n| grader | `%s` |\n| standard | %s, `%s` |\n| auditor | %s, %s, assay %s |\n\n",
		rep.Verdict(), rep.Pass, rep.Fail, rep.Warn, rep.NotMeasured, rep.Bench.Digest, rep.Bench.Grader, cell(rep.Standard.Version), rep.Standard.SHA256,
		cell(rep.Auditor.Checks), cell(rep.Auditor.Contract), cell(rep.Auditor.Program))
	b.WriteString("## What does not pass\n\n")
	open := 0
	for _, r := range sorted(rep) {
		if r.Result == realism.Pass {
			continue
		}
		open++
		fmt.Fprintf(&b, "### %s: %s\n\n%s\n\nMeasured: %s; threshold: %s; %s.\n\n", r.Result, cell(r.Key), cell(r.Reason), cell(Value(r.Measured)), cell(Value(r.Threshold)), r.How)
		for _, e := range r.Evidence {
			fmt.Fprintf(&b, "- %s\n", cell(Place(e)))
		}
		fmt.Fprintf(&b, "\nAgain: `%s`\n\n", strings.ReplaceAll(report.Printable(r.Reproduce), "`", "'"))
	}
	if open == 0 {
		b.WriteString("Everything passes.\n\n")
	}
	matrixMarkdown(&b, rep)
	b.WriteString("## All requirements\n\n| requirement | result | measured | threshold | how |\n|---|---|---|---|---|\n")
	for _, r := range rep.Keys {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(r.Key), r.Result, cell(clip(Value(r.Measured), 80)), cell(clip(Value(r.Threshold), 80)), r.How)
	}
	pairsMarkdown(&b, rep)
	for i := range rep.Pages {
		pageMarkdown(&b, &rep.Pages[i])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Matrix gives the rows of the summary: those requirements that have a result for each task.
func matrix(rep *realism.Report) []realism.Row {
	var out []realism.Row
	for _, r := range rep.Keys {
		if len(r.Tasks) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// mark is a result in one sign.
func mark(r realism.Result) string {
	switch r {
	case realism.Pass:
		return "✓"
	case realism.Fail:
		return "✗"
	case realism.Warn:
		return "!"
	}
	return "?"
}

func matrixMarkdown(b *strings.Builder, rep *realism.Report) {
	rows := matrix(rep)
	if len(rows) == 0 {
		return
	}
	b.WriteString("## Tasks and requirements\n\n✓ passes, ✗ fails, ! passes with a warning, ? not measured.\n\n| requirement |")
	for _, t := range rep.Bench.Tasks {
		b.WriteString(" " + cell(t) + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(rep.Bench.Tasks)) + "\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| %s |", cell(r.Key))
		for _, t := range r.Tasks {
			b.WriteString(" " + mark(t.Result) + " |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

func pairsMarkdown(b *strings.Builder, rep *realism.Report) {
	if len(rep.Pairs) == 0 {
		return
	}
	b.WriteString("\n## Pairs most alike\n\n| pair | requests | without names | calls | own calls | graph | job | clone |\n|---|---|---|---|---|---|---|---|\n")
	for _, p := range rep.Pairs {
		fmt.Fprintf(b, "| %s / %s | %s | %s | %s | %s | %s | %s | %v |\n", cell(p.A), cell(p.B), p.Wording, p.Neutral, p.Sequence, p.Domain, p.Graph, p.Job, p.Clone)
	}
}

func pageMarkdown(b *strings.Builder, p *realism.TaskPage) {
	fmt.Fprintf(b, "\n## %s: %s\n\n", cell(p.Task), cell(p.Title))
	for _, s := range p.Request {
		if s.Rule == "" {
			b.WriteString(cell(s.Text))
			b.WriteByte(' ')
		} else {
			fmt.Fprintf(b, "**%s** (%s) ", cell(s.Text), cell(s.Rule))
		}
	}
	b.WriteString("\n")
	if len(p.Reads) > 0 {
		b.WriteString("\n| read | serves | live | material |\n|---|---|---|---|\n")
		for _, r := range p.Reads {
			fmt.Fprintf(b, "| %d %s %s | %s | %v | %s |\n", r.Seq, cell(r.Tool), cell(clip(r.Args, 60)), cell(r.Serves), r.Live, cell(Material(r)))
		}
	}
	if len(p.Hops) > 0 {
		b.WriteString("\n| hop | by name | pattern | confirmed | path |\n|---|---|---|---|---|\n")
		for _, h := range p.Hops {
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", cell(h.Class), cell(h.Named), h.Pattern, h.Confirmed, cell(h.Path))
		}
	}
	if len(p.Graph.Nodes) > 0 {
		b.WriteString("\nDerivations:\n\n")
		for i, n := range p.Graph.Nodes {
			var from []string
			for _, e := range p.Graph.Edges {
				if e[1] == i {
					from = append(from, p.Graph.Nodes[e[0]].Name)
				}
			}
			fmt.Fprintf(b, "- %s (%s, %s) %s\n", cell(n.Name), cell(n.Kind), cell(n.Op), cell(suffix(from)))
		}
	}
	if len(p.Controls) > 0 {
		b.WriteString("\n| control | accepted | score | breaks | broke |\n|---|---|---|---|---|\n")
		for _, c := range p.Controls {
			fmt.Fprintf(b, "| %s | %v | %s | %s | %s |\n", cell(c.Name), c.Strict, cell(c.Score), cell(strings.Join(c.Breaks, ", ")), cell(strings.Join(c.Broke, ", ")))
		}
	}
	for i, e := range p.Leaks {
		if i == 0 {
			b.WriteString("\nLeaks:\n\n")
		}
		fmt.Fprintf(b, "- %s\n", cell(Place(e)))
	}
	if len(p.Files) > 0 {
		b.WriteString("\n| file | kind | format | bytes | |\n|---|---|---|---|---|\n")
		for _, f := range p.Files {
			fmt.Fprintf(b, "| %s | %s | %s | %d | %s |\n", cell(f.Path), cell(f.Kind), cell(f.Format), f.Size, cell(f.Problem))
		}
	}
}

func suffix(from []string) string {
	if len(from) == 0 {
		return ""
	}
	return "from " + strings.Join(from, ", ")
}

// Material says whether a read matters.
func Material(r realism.Read) string {
	switch {
	case r.Material == nil:
		return "not measured"
	case *r.Material:
		return "material: " + r.Edit
	}
	return "padding"
}
