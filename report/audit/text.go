// Package audit writes what an audit of a release found, for terminals, as Markdown, and as one page of HTML.
package audit

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/assaybench/assay/realism"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// order is in which results are told: what must be looked at first.
var order = map[realism.Result]int{realism.Fail: 0, realism.NotMeasured: 1, realism.Warn: 2, realism.Pass: 3}

// sorted gives the rows with the failures first, each group in the standard's order.
func sorted(rep *realism.Report) []realism.Row {
	list := slices.Clone(rep.Keys)
	slices.SortStableFunc(list, func(a, b realism.Row) int { return cmp.Compare(order[a.Result], order[b.Result]) })
	return list
}

// Value writes what was measured, or a threshold, in a few words.
func Value(v any) string {
	switch x := v.(type) {
	case nil:
		return "-"
	case string:
		return report.Printable(x)
	case bool:
		return fmt.Sprint(x)
	case []string:
		return report.Printable(strings.Join(x, ", "))
	case map[string]any:
		if len(x) == 2 && x["min"] != nil && x["max"] != nil {
			return Value(x["min"]) + " to " + Value(x["max"])
		}
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(x)) {
			parts = append(parts, report.Printable(k)+" "+Value(x[k]))
		}
		return strings.Join(parts, ", ")
	}
	b, err := record.Canonical(v)
	if err != nil {
		return "?"
	}
	return report.Printable(strings.Trim(string(b), `"`))
}

func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// shownPlaces is how many places of a failure the terminal shows.
const shownPlaces = 4

// Text writes a report for a terminal of so many columns (0: not a terminal). Failures come first, each with its places;
// what passes is one line each, and only where all is asked for.
func Text(w io.Writer, rep *realism.Report, columns int, all bool) error {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.SeparateColumns = false
	t.Style().Options.DrawBorder = false
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"result", "requirement", "measured", "threshold", "how"})
	key := 80 // the longest key; what is no terminal has room
	if columns > 0 {
		key = max(30, columns-70)
	}
	shown := 0
	for _, r := range sorted(rep) {
		if r.Result == realism.Pass && !all {
			continue
		}
		shown++
		t.AppendRow(table.Row{string(r.Result), text.WrapHard(report.Printable(r.Key), key), clip(Value(r.Measured), 22), clip(Value(r.Threshold), 16), r.How})
	}
	if shown > 0 {
		if _, err := fmt.Fprintln(w, t.Render()); err != nil {
			return err
		}
	}
	for _, r := range sorted(rep) {
		if r.Result == realism.Fail || r.Result == realism.Warn {
			finding(w, r)
		}
	}
	unmeasured(w, rep)
	if len(rep.Keys) > 0 && shown > 0 {
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintf(w, "%s against %s: %d PASS, %d FAIL, %d WARN, %d NOT_MEASURED\n  bench %s\n  standard %s (%s)\n",
		report.Printable(rep.Bench.Name), report.Printable(rep.Standard.Version), rep.Pass, rep.Fail, rep.Warn, rep.NotMeasured,
		rep.Bench.Digest, rep.Standard.SHA256, report.Printable(rep.Standard.Source))
	return err
}

func finding(w io.Writer, r realism.Row) {
	fmt.Fprintf(w, "\n%s %s\n", r.Result, report.Printable(r.Key))
	if r.Reason != "" {
		fmt.Fprintf(w, "  %s\n", clip(report.Printable(r.Reason), 400))
	}
	for i, e := range r.Evidence {
		if i == shownPlaces && len(r.Evidence) > shownPlaces+1 {
			fmt.Fprintf(w, "  … and %d places more (--json has them)\n", len(r.Evidence)-i)
			break
		}
		fmt.Fprintf(w, "  %s\n", clip(report.Printable(Place(e)), 300))
	}
	fmt.Fprintf(w, "  again: %s\n", report.Printable(r.Reproduce))
}

// unmeasured tells why what was not measured was not, each reason once.
func unmeasured(w io.Writer, rep *realism.Report) {
	keys := map[string][]string{}
	var reasons []string
	for _, r := range rep.Keys {
		if r.Result != realism.NotMeasured {
			continue
		}
		if keys[r.Reason] == nil {
			reasons = append(reasons, r.Reason)
		}
		keys[r.Reason] = append(keys[r.Reason], report.Printable(r.Key))
	}
	for _, reason := range reasons {
		list := keys[reason]
		what := list[0]
		if len(list) > 1 {
			what = fmt.Sprintf("%d requirements", len(list))
		}
		fmt.Fprintf(w, "\nNOT_MEASURED %s\n  %s\n", what, clip(report.Printable(reason), 400))
	}
}

// Place writes where something was seen, in one line.
func Place(e realism.Evidence) string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	file := e.File
	if file != "" && e.Line > 0 {
		file = fmt.Sprintf("%s:%d", file, e.Line)
	}
	add(e.Pair)
	if file == "" || !strings.Contains(file, e.Task) {
		add(e.Task)
	}
	add(file)
	add(e.Cell)
	if e.Span != "" {
		add("“" + e.Span + "”")
	}
	out := strings.Join(parts, " ")
	switch {
	case e.Note == "":
		return out
	case out == "":
		return e.Note
	}
	return out + ": " + e.Note
}
