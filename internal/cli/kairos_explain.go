package cli

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/kairos/explain"
)

func newKairosExplain(p *Process) *cobra.Command {
	s := &schedule{}
	c := &cobra.Command{
		Use: "explain FILE", Short: "What each stage of a program gave: where a day went missing",
		Long: `Evaluates a program and prints, for each body expression and for each definition that was used, what its head, its stages and its
operands gave: how many points in all that is computed (from 1970 to 400 days behind the range), how many within the range, how
many of these the stage took out and put in, and the first of them. When the program has an error, what was computed before it
is printed, and then the error.

The range is from --from up to, not including, --to: today and a year later where they say nothing, in the zone of --tz.` + supplyHelp + `

Exit status:
  0  good
  1  the program is wrong
  2  the command line or a file is wrong
  3  a fault of the environment or of ours, or an interrupt`,
		Args: args(1, 1, "one FILE"),
	}
	s.flags(c, true)
	c.RunE = func(_ *cobra.Command, a []string) error {
		o, err := p.openSchedule(s, a[0])
		if err != nil {
			return err
		}
		r, err := o.days(sameDay, yearLater, p)
		if err != nil {
			return err
		}
		rep, failure := explain.Run(p.Context, o.prog, r, o.opts)
		if s.json {
			err = writeSafeJSON(p.Stdout, o.jsonReport(rep, r, failure), true)
		} else {
			err = p.writeReport(o, rep, r)
		}
		if err != nil {
			return fault(err)
		}
		if failure != nil {
			return o.failure(failure)
		}
		return nil
	}
	return c
}

func (p *Process) writeReport(o *openedSchedule, rep *explain.Report, r kairos.Range) error {
	w := bufio.NewWriter(p.Stdout)
	width := p.Width
	if width < 60 {
		width = 100
	}
	t := stepTable{w: w, o: o}
	widest := 0
	for _, part := range append(slices.Clone(rep.Bodies), rep.Defs...) {
		for _, s := range part.Steps {
			widest = max(widest, text.StringWidth(t.label(s)))
			t.again, t.differ = t.again || s.Times > 1 && !s.Differ, t.differ || s.Differ
		}
	}
	t.room = max(min(widest+2, width-numbersWide-daysWide), 30)
	t.days = width - t.room - numbersWide
	fmt.Fprintf(w, "%s from %s to %s\n", shown(o.name), r.From, r.To)
	for i, b := range rep.Bodies {
		head := fmt.Sprintf("expression %d (line %d)", i+1, b.Line)
		if rep.Result != nil {
			head += fmt.Sprintf(": %d point%s", len(b.Points), plural(int64(len(b.Points))))
		}
		t.part(head, b)
	}
	for _, d := range rep.Defs {
		t.part(fmt.Sprintf("%s (line %d)", d.Name, d.Line), d)
	}
	if t.again || t.differ {
		fmt.Fprintln(w)
	}
	if t.again {
		fmt.Fprintln(w, "[N×]   evaluated N times, to the same points")
	}
	if t.differ {
		fmt.Fprintln(w, "[1/N]  the first of N evaluations, which differ: by argument, preamble or, in a predicate, point")
	}
	return w.Flush()
}

// stepTable prints the steps of an expression: the text on the left, then numbers, then days.
type stepTable struct {
	w    *bufio.Writer
	o    *openedSchedule
	room int // columns for the text
	days int // columns for days
	// Some step was evaluated several times, to the same or to different points.
	again, differ bool
}

// Columns of the table behind the text: points in all, in the range, lost, gained, and room for days.
const (
	stepNumbers = " %9s  %8s  %6s  %6s  "
	numbersWide = 38
	daysWide    = 26
)

func (t *stepTable) part(head string, part explain.Part) {
	fmt.Fprintf(t.w, "\n%s"+stepNumbers+"%s\n", pad(clipWidth(shown(head), t.room), t.room), "in all", "in range", "lost", "new", "first in range")
	for _, s := range part.Steps {
		lost, gained := "", ""
		if s.Lost > 0 {
			lost = fmt.Sprintf("-%d", s.Lost)
		}
		if s.Gained > 0 {
			gained = fmt.Sprintf("+%d", s.Gained)
		}
		line := pad(clipWidth("  "+t.label(s), t.room), t.room) + fmt.Sprintf(stepNumbers, fmt.Sprint(s.Points), fmt.Sprint(len(s.InRange)), lost, gained) + t.first(s.InRange)
		fmt.Fprintln(t.w, strings.TrimRight(line, " "))
	}
}

// label is a step's text, indented, with a note when it was evaluated more than once.
func (t *stepTable) label(s explain.Step) string {
	text := strings.Repeat("  ", min(s.Depth, 10)) + shown(s.Text)
	switch {
	case s.Differ:
		return fmt.Sprintf("[1/%d] %s", s.Times, text)
	case s.Times > 1:
		return fmt.Sprintf("[%d×] %s", s.Times, text)
	}
	return text
}

// first prints the first points, as many as there is room for.
func (t *stepTable) first(points []int64) string {
	var b strings.Builder
	for _, p := range points {
		s := t.o.zone.Text(p)
		if b.Len() > 0 {
			s = " " + s
		}
		if b.Len()+len(s)+2 > t.days {
			return b.String() + " …"
		}
		b.WriteString(s)
	}
	return b.String()
}

// pad fills a text up to so many columns.
func pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(columns-text.StringWidth(s), 0))
}

// firstPoints is how many points of a step are printed with --json.
const firstPoints = 10

type jsonReport struct {
	File        string       `json:"file"`
	From        string       `json:"from"`
	To          string       `json:"to"`
	Expressions []jsonPart   `json:"expressions"`
	Definitions []jsonPart   `json:"definitions"`
	Error       *jsonProblem `json:"error,omitzero"`
}

type jsonProblem = finding

type jsonPart struct {
	Name  string     `json:"name,omitzero"`
	Line  int        `json:"line"`
	Steps []jsonStep `json:"steps"`
}

type jsonStep struct {
	Text    string   `json:"text"`
	Stage   string   `json:"stage,omitzero"`
	Depth   int      `json:"depth"`
	Points  int      `json:"points"`
	InRange int      `json:"inRange"`
	Lost    int      `json:"lost"`
	Gained  int      `json:"gained"`
	First   []string `json:"first"`
	Times   int      `json:"times"`
	Differ  bool     `json:"differ"`
}

func (o *openedSchedule) jsonReport(rep *explain.Report, r kairos.Range, failure error) jsonReport {
	out := jsonReport{File: o.name, From: r.From.String(), To: r.To.String(), Expressions: o.jsonParts(rep.Bodies), Definitions: o.jsonParts(rep.Defs)}
	if e, ok := errors.AsType[*kairos.Error](failure); ok {
		out.Error = &jsonProblem{"error", e.Code, message(e, o.lang), e.Hint, e.Line, e.Column}
	}
	return out
}

func (o *openedSchedule) jsonParts(parts []explain.Part) []jsonPart {
	out := make([]jsonPart, 0, len(parts))
	for _, p := range parts {
		j := jsonPart{Name: p.Name, Line: p.Line}
		for _, s := range p.Steps {
			first := []string{}
			for _, ms := range s.InRange[:min(firstPoints, len(s.InRange))] {
				first = append(first, o.zone.Text(ms))
			}
			j.Steps = append(j.Steps, jsonStep{s.Text, s.Stage, s.Depth, s.Points, len(s.InRange), s.Lost, s.Gained, first, s.Times, s.Differ})
		}
		out = append(out, j)
	}
	return out
}
