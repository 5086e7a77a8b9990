package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/number"
	"github.com/assaybench/assay/check/token"
	"github.com/assaybench/assay/record"
)

// answerRule reads the answer line: "the last line that begins with ANSWER: binds, wherever it stands; text after it is a
// diagnostic, not a failure". The line's value is a number, a date and weekday, one of several choices, or a text.
type answerRule struct {
	Number    string   `json:"number,omitempty"`
	Tolerance string   `json:"tolerance,omitempty"`
	Date      string   `json:"date,omitempty"`
	Weekday   string   `json:"weekday,omitempty"`
	AnyOrder  bool     `json:"any_order,omitempty"` // the date and the weekday in any usual form and order
	Choice    string   `json:"choice,omitempty"`
	Of        []string `json:"of,omitempty"`
	Texts     []string `json:"texts,omitempty"` // compared case-folded

	value, tolerance number.Decimal
	date             civil
}

// params writes numbers and the weekday in one way, so that "71.5" and "71.50", and a tolerance of 0 and none, are one rule.
func (r *answerRule) params() any {
	c := *r
	if r.Number != "" {
		c.Number, c.Tolerance = r.value.Plain(), r.tolerance.Plain()
	}
	if r.Date != "" {
		c.Weekday = r.date.weekday()
	}
	return &c
}

const answerMark = "ANSWER:"

func (r *answerRule) words() string {
	return `the last line that begins with "ANSWER:" gives ` + r.wanted()
}

func (r *answerRule) wanted() string {
	switch {
	case r.Number != "" && r.Tolerance != "":
		return fmt.Sprintf("the number %s, give or take %s (bounds included)", r.Number, r.Tolerance)
	case r.Number != "":
		return "the number " + r.Number
	case r.Date != "" && r.AnyOrder:
		return fmt.Sprintf("the date %s and the weekday %s, in any usual form", r.Date, r.Weekday)
	case r.Date != "":
		return fmt.Sprintf("%s %s, in this form", r.Date, r.Weekday)
	case r.Choice != "":
		return fmt.Sprintf("%s, one of %s", r.Choice, strings.Join(r.Of, ", "))
	}
	return quoteList(r.Texts, "or") + " (upper or lower case)"
}

func (r *answerRule) judge(_ context.Context, in *input) result {
	line, ok := answerLine(in.text)
	if !ok {
		return unread(`no line begins with "ANSWER:"`, r.wanted(), "no such line")
	}
	value := token.TrimSpan(in.text, token.Span{Start: line.Start + afterMark(line.Of(in.text)), End: line.End})
	got := token.Visible(value.Of(in.text))
	res := r.compare(got)
	res.where, res.want, res.got = &value, r.wanted(), fmt.Sprintf("%q", clip(got))
	if res.state == record.Unread && got == "" {
		res.where, res.why = &line, "the answer line is empty"
	}
	if after := token.TrimSpan(in.text, token.Span{Start: line.End, End: len(in.text)}); after.End > after.Start {
		res.diag = map[string]any{"text_after_answer_line": clip(after.Of(in.text))}
	}
	if res.pass {
		res.where = &value
	}
	return res
}

// answerLine gives the last line that begins with the mark, from the mark on. White space before the mark and invisible
// characters before and in it show nothing and are passed over.
func answerLine(s string) (token.Span, bool) {
	lines := token.Lines(s)
	for _, l := range slices.Backward(lines) {
		l = token.TrimSpan(s, l)
		if afterMark(l.Of(s)) > 0 {
			return l, true
		}
	}
	return token.Span{}, false
}

// afterMark gives the offset behind the mark that a line begins with, 0 where it begins otherwise.
func afterMark(line string) int {
	left := answerMark
	for i, r := range line {
		switch {
		case token.Invisible(r):
		case rune(left[0]) != r:
			return 0
		case len(left) == 1:
			return i + 1
		default:
			left = left[1:]
		}
	}
	return 0
}

func (r *answerRule) compare(got string) result {
	switch {
	case r.Number != "":
		n, err := number.Parse(got)
		if err != nil {
			return unread("the answer line holds no number in the asked form", "", "")
		}
		if !n.Within(r.value, r.tolerance) {
			return fail("another number", "", "")
		}
	case r.Date != "":
		d, day, ok := readDate(got, r.AnyOrder)
		if !ok {
			return unread("the answer line holds no date and weekday in the asked form", "", "")
		}
		if d != r.date || !strings.EqualFold(day, r.Weekday) {
			return fail("another date or weekday", "", "")
		}
	case r.Choice != "":
		i := slices.IndexFunc(r.Of, func(o string) bool { return strings.EqualFold(o, got) })
		if i < 0 {
			return unread("the answer line names none of the choices, or more than one", "", "")
		}
		if r.Of[i] != r.Choice {
			return fail("another choice", "", "")
		}
	default:
		folded := token.Fold(got, true).Text
		if folded == "" {
			return unread("", "", "")
		}
		if !slices.ContainsFunc(r.Texts, func(t string) bool { return token.Fold(token.Trim(t), true).Text == folded }) {
			return fail("another text", "", "")
		}
	}
	return pass("", "")
}

func init() {
	register(kind{name: "answer", version: 1, mutate: mutateAnswer,
		doc: `reads the last line that begins with "ANSWER:": {number: N, tolerance: T}, {date: YYYY-MM-DD, weekday: W, any_order: false}, {choice: B, of: [A, B, C]} or {text: [T…]}`,
		compile: func(_ *compiler, n *bench.Node) (rule, error) {
			f := bench.NewFields(n)
			r := &answerRule{Number: f.Text("number"), Tolerance: f.Text("tolerance"), Date: f.Text("date"), Weekday: f.Text("weekday"),
				AnyOrder: f.Bool("any_order", false), Choice: f.Text("choice"), Of: f.Texts("of"), Texts: f.Texts("text")}
			f.Fault(r.complete(n))
			return r, f.Done()
		}})
}

func (r *answerRule) complete(n *bench.Node) error {
	forms := 0
	for _, given := range []bool{r.Number != "", r.Date != "", r.Choice != "", len(r.Texts) > 0} {
		if given {
			forms++
		}
	}
	if forms != 1 {
		return n.Errorf("give exactly one of number, date, choice, text")
	}
	if (r.Tolerance != "" && r.Number == "") || (r.Weekday != "" || r.AnyOrder) && r.Date == "" || len(r.Of) > 0 && r.Choice == "" {
		return n.Errorf("tolerance goes with number, weekday and any_order with date, of with choice")
	}
	var err error
	switch {
	case r.Number != "":
		if r.value, err = number.Parse(r.Number); err != nil {
			return n.Get("number").Errorf("%v", err)
		}
		if r.Tolerance == "" {
			r.tolerance, _ = number.Parse("0")
		} else if r.tolerance, err = number.Parse(r.Tolerance); err != nil || r.tolerance.Negative() {
			return n.Get("tolerance").Errorf("a tolerance is a number of at least 0")
		}
	case r.Date != "":
		d, ok := parseISO(r.Date)
		if !ok {
			return n.Get("date").Errorf("%q is no date of the form YYYY-MM-DD", r.Date)
		}
		if !strings.EqualFold(d.weekday(), r.Weekday) {
			return n.Errorf("%s is a %s, and the item says %q", r.Date, d.weekday(), r.Weekday)
		}
		r.date = d
	case r.Choice != "":
		if len(r.Of) < 2 || !slices.Contains(r.Of, r.Choice) {
			return n.Errorf("of lists at least two choices, the right one among them")
		}
		for i, o := range r.Of {
			if o != token.Trim(token.Visible(o)) || o == "" || slices.ContainsFunc(r.Of[:i], func(p string) bool { return strings.EqualFold(o, p) }) {
				return n.Get("of").Errorf("the choice %q is empty, has white space around it or stands twice", o)
			}
		}
	default:
		return notBlank(n.Get("text"), r.Texts)
	}
	return nil
}
