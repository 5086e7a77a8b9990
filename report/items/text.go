package items

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/report"
)

// itemsShown is how many items a printed list has; the JSON has all of them.
const itemsShown = 200

// JSON writes the report as one value and a line feed.
func (r *Report) JSON(w io.Writer) error {
	b, err := json.Marshal(r, json.Deterministic(true), json.FormatNilSliceAsNull(false), jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	if err != nil {
		return fmt.Errorf("the report on items does not fit JSON: %w", err)
	}
	_, err = w.Write(append(report.EscapeHidden(b), '\n'))
	return err
}

// list is one kind of items, and what is said of each.
type list struct {
	title string
	has   func(*Item) bool
	say   func(*Item) string
}

func (r *Report) lists() []list {
	none := func(*Item) string { return "" }
	sides := counted(len(r.Sides), "model")
	out := []list{
		{"Passed by none of " + sides, func(it *Item) bool { return it.Judged > 0 && it.Passed == 0 }, judged},
		{"Passed by all of " + sides, func(it *Item) bool { return it.Judged > 0 && it.Passed == it.Judged }, judged},
		{"No result yet", func(it *Item) bool { return it.Judged == 0 }, none},
		{"Repeats disagree", func(it *Item) bool { return it.Unstable > 0 }, func(it *Item) string { return fmt.Sprintf("with %d of %d", it.Unstable, it.Judged) }},
		{"Not passed, but would be by the tolerant reading", func(it *Item) bool { return it.Tolerant > 0 }, func(it *Item) string { return fmt.Sprintf("%d of %d attempts", it.Tolerant, it.Attempts) }},
	}
	if len(r.Sides) > 1 {
		out = append(out, list{"Discrimination (1: who passes it is better on the others; -1: worse)", func(it *Item) bool { return it.Discrimination != nil },
			func(it *Item) string {
				return fmt.Sprintf("%+.2f, of %s", *it.Discrimination, counted(it.Agreeing+it.Opposed+it.Tied, "pair"))
			}})
	}
	return out
}

func judged(it *Item) string { return fmt.Sprintf("%d judged", it.Judged) }

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// Text writes the report for a terminal or a pipe.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "bench   %s\ndigest  %s\ngrader  %s\n", report.Printable(r.Bench), report.Printable(r.Digest), report.Printable(r.Grader))
	for _, s := range r.Sides {
		fmt.Fprintf(&b, "model   %s\n", report.Printable(fmt.Sprintf("%s at %s, run %s", s.Model, s.Posture, s.Run)))
	}
	for _, l := range r.lists() {
		var found []*Item
		for i := range r.Items {
			if l.has(&r.Items[i]) {
				found = append(found, &r.Items[i])
			}
		}
		fmt.Fprintf(&b, "\n%s (%s)\n", l.title, counted(len(found), "item"))
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, it := range found[:min(len(found), itemsShown)] {
			fmt.Fprintln(t, strings.TrimRight(fmt.Sprintf("  %s\t%s\t%s\t%s\t%s", report.Printable(it.Item), report.Printable(it.Family), it.Basis, it.marks(), l.say(it)), "\t "))
		}
		t.Flush()
		if n := len(found) - itemsShown; n > 0 {
			fmt.Fprintf(&b, "  … and %d more; --json has all of them\n", n)
		}
	}
	if len(r.Sides) > 1 && len(r.Sides) < 5 {
		fmt.Fprintf(&b, "\nDiscrimination rests on %d models only and says little.\n", len(r.Sides))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// marks are the letters of all sides, each side's together.
func (it *Item) marks() string {
	var b strings.Builder
	for i, l := range it.Letters[:min(len(it.Letters), 12)] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(l.String())
	}
	return b.String()
}
