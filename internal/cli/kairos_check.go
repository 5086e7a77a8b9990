package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/assaybench/assay/kairos"
)

// finding is something that check has to say of a program.
type finding struct {
	Severity string `json:"severity"` // "error" or "warning"
	Code     string `json:"code"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitzero"`
	Line     int    `json:"line"` // 0 where it has no place in the source
	Column   int    `json:"column"`
}

func newKairosCheck(p *Process) *cobra.Command {
	s := &schedule{}
	var strict bool
	c := &cobra.Command{
		Use: "check FILE", Short: "Is a program right? What is wrong with it, where, and what to do",
		Long: `Says what is wrong with a program: what reading it finds, and what evaluating it over a range finds, since much of what a program
means depends on what it uses. Warnings, which say that points far before or behind the range were left out, are told.

The range is from --from up to, not including, --to; where they say nothing, this year in the zone of --tz.` + supplyHelp + `

Exit status:
  0  good, warnings or not
  1  the program is wrong, or there are warnings and --strict
  2  the command line or a file is wrong
  3  a fault of the environment or of ours, or an interrupt`,
		Args: args(1, 1, "one FILE"),
	}
	s.flags(c, true)
	c.Flags().BoolVar(&strict, "strict", false, "end with 1 when there are warnings, too")
	c.RunE = func(_ *cobra.Command, a []string) error {
		o, err := p.openSchedule(s, a[0])
		var r kairos.Range
		if err == nil {
			thisYear := func(today kairos.Date) kairos.Date { return kairos.Date{Year: today.Year, Month: 1, Day: 1} }
			r, err = o.days(thisYear, yearLater, p)
		}
		var res *kairos.Result
		if err == nil {
			if res, err = o.prog.Eval(p.Context, r, o.opts); err != nil {
				err = o.failure(err)
			}
		}
		e, diagnosed := errors.AsType[*programError](err)
		if err != nil && !diagnosed {
			return err
		}
		found := []finding{}
		if diagnosed {
			k := e.err
			found = append(found, finding{"error", k.Code, message(k, s.lang), k.Hint, k.Line, k.Column})
		} else {
			for _, w := range res.Warnings {
				found = append(found, finding{Severity: "warning", Code: w.Code, Message: warning(w, s.lang)})
			}
		}
		if s.json {
			err = writeSafeJSON(p.Stdout, map[string]any{"file": a[0], "findings": found}, true)
		} else {
			err = p.writeFindings(a[0], e, found)
		}
		if err != nil {
			return fault(err)
		}
		if diagnosed || strict && len(found) > 0 {
			return silent(exitFail)
		}
		return nil
	}
	return c
}

func (p *Process) writeFindings(name string, e *programError, found []finding) error {
	var b strings.Builder
	for _, f := range found {
		place := name
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", name, f.Line, f.Column)
		}
		if f.Severity == "warning" {
			f.Message = "warning: " + f.Message
		}
		fmt.Fprintf(&b, "%s: %s [%s]\n", shown(place), shown(f.Message), f.Code)
		if f.Line > 0 {
			line, caret := excerpt(e.src, f.Line, f.Column, p.Width)
			fmt.Fprintf(&b, "  %s\n  %s\n", line, caret)
		}
		if f.Hint != "" {
			fmt.Fprintf(&b, "  %s\n", shown(f.Hint))
		}
	}
	_, err := p.Stdout.Write([]byte(b.String()))
	return err
}

// excerpt gives a line of a source for a terminal of a width, cut around a column in UTF-16 code units, and a line that has a
// caret below it.
func excerpt(src string, line, column, width int) (shownLine, caret string) {
	for range line - 1 {
		_, after, _ := strings.Cut(src, "\n")
		src = after
	}
	src, _, _ = strings.Cut(src, "\n")
	src = strings.TrimSuffix(src, "\r")
	at, units := 0, 1
	for at < len(src) && units < column {
		r, size := utf8.DecodeRuneInString(src[at:])
		units += max(utf16.RuneLen(r), 1)
		at += size
	}
	if width < 40 {
		width = 100
	}
	room := width - 4
	before, after := printable(src[max(at-4*room, 0):at]), printable(src[at:min(at+4*room, len(src))])
	before = strings.TrimLeft(before, " ")
	cut := ""
	for text.StringWidth(before) > room*2/3 {
		_, size := utf8.DecodeRuneInString(before)
		before, cut = before[size:], "…"
	}
	before = cut + before
	return clipWidth(before+after, room), strings.Repeat(" ", text.StringWidth(before)) + "^"
}

// printable makes a part of a source safe for a terminal, tabs as spaces, with nothing else taken away.
func printable(s string) string {
	return shown(strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\t", " "))
}

// clipWidth cuts a text to so many columns.
func clipWidth(s string, columns int) string {
	if text.StringWidth(s) <= columns {
		return s
	}
	w := 1 // the mark of the cut
	for i, r := range s {
		if w += text.RuneWidth(r); w > columns {
			return s[:i] + "…"
		}
	}
	return s
}
