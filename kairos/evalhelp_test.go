package kairos

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Heads that the programs of the tests stand behind.
const (
	jp  = "premise JP { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; wkst: Mon }\n@JP\n"
	ny  = "premise NY { calendar-system: Gregorian; tz: \"America/New_York\"; wkst: Sun }\n@NY\n"
	utc = "premise U { calendar-system: Gregorian; tz: \"UTC\"; wkst: Mon }\n@U\n"
	// biz is a calendar with three holidays in January 2026 (1st, 12th) and February 2026 (11th), known for 2026.
	biz = `premise C {
  calendar-system: Gregorian
  tz: "Asia/Tokyo"
  asof: 2026-01-05
  holidays = [2026-01-01, 2026-01-12, 2026-02-11] covering: 2026..2026
  nonWorking = (everyDay |> filter(d => weekday(d) in [Sat, Sun])) | holidays
}
premise B { calendar-system: Gregorian; calendar: C; tz: "Asia/Tokyo"; wkst: Mon }
@B
`
)

// evalCase is a program and what it gives over a range.
type evalCase struct {
	name string
	head string // in front of src; "-" for none, jp when empty
	src  string // a ^ marks where the error is
	rng  string // from and to; January 2026 when empty
	tz   string // of the run; Asia/Tokyo when empty
	// want are the points of the last body expression as printed, with blanks between.
	want string
	// notes are the annotations of the last body expression, as noteLine writes them; cover is the coverage summary, as
	// coverLine does; warn are the code, stage and instant of the warnings.
	notes, cover, warn []string
	err                string // the code, when the program fails; with ^ in src, its place is checked too
	supply             Supplier
	opts               Options
}

func runCases(t *testing.T, cases []evalCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			t.Helper()
			c.check(t)
		})
	}
}

func (c *evalCase) source() (src string, mark int) {
	head := c.head
	switch head {
	case "":
		head = jp
	case "-":
		head = ""
	}
	src = head + c.src
	mark = strings.IndexByte(src, '^')
	return strings.Replace(src, "^", "", 1), mark
}

func (c *evalCase) eval() (*Result, error) {
	src, _ := c.source()
	o := c.opts
	o.TZ, o.Supply = c.tz, c.supply
	return evalSource(src, c.rng, o)
}

func evalSource(src, rng string, o Options) (*Result, error) {
	p, err := Compile(src)
	if err != nil {
		return nil, err
	}
	if rng == "" {
		rng = "2026-01-01 2026-02-01"
	}
	return p.Eval(context.Background(), rangeOf(rng), o)
}

func rangeOf(s string) Range {
	from, to, _ := strings.Cut(s, " ")
	var r Range
	var ok, ok2 bool
	r.From, ok = ParseDate(from)
	r.To, ok2 = ParseDate(to)
	if !ok || !ok2 {
		panic("a test's range is wrong: " + s)
	}
	return r
}

func (c *evalCase) check(t *testing.T) {
	t.Helper()
	r, err := c.eval()
	if c.err != "" || err != nil {
		c.checkError(t, err)
		return
	}
	if len(r.Listings) == 0 {
		t.Fatal("no result")
	}
	l := r.Listings[len(r.Listings)-1]
	if got := strings.Join(r.Texts(l.Points), " "); got != c.want {
		t.Errorf("points\n %s\nwant\n %s", got, c.want)
	} else {
		checkInstants(t, c.tz, c.want, l.Points)
	}
	var notes, cover, warn []string
	for _, a := range l.Annotations {
		notes = append(notes, noteLine(a))
	}
	for _, k := range r.Coverage {
		cover = append(cover, coverLine(k))
	}
	for _, w := range r.Warnings {
		warn = append(warn, warnLine(w))
	}
	wantLines(t, "annotations", notes, c.notes)
	if c.cover != nil {
		wantLines(t, "coverage", cover, c.cover)
	}
	wantLines(t, "warnings", warn, c.warn)
}

// checkInstants compares instants with what the time package makes of the printed points; points that a clock shows
// twice, and those with a part of a second, are not told apart by their printed form.
func checkInstants(t *testing.T, tz, printed string, got []int64) {
	t.Helper()
	if tz == "" {
		tz = DefaultTZ
	}
	loc, err := time.LoadLocation(tz)
	if err != nil {
		return // an offset: its points are checked by those of a named zone
	}
	for i, s := range strings.Fields(printed) {
		layout := "2006-01-02T15:04:05"[:len(s)]
		want, err := time.ParseInLocation(layout, s, loc)
		if err != nil {
			t.Fatalf("a test's point is wrong: %v", err)
		}
		if d := got[i] - want.UnixMilli(); d != 0 && d != 3_600_000 && d/1000 != 0 {
			t.Errorf("point %d is %d, want %d (%s)", i, got[i], want.UnixMilli(), s)
		}
	}
}

func (c *evalCase) checkError(t *testing.T, err error) {
	t.Helper()
	e, ok := err.(*Error)
	if !ok {
		t.Fatalf("error %v, want %s", err, c.err)
	}
	src, mark := c.source()
	got := e.Code
	want := c.err
	if mark >= 0 {
		line := 1 + strings.Count(src[:mark], "\n")
		column := 1 + len([]rune(src[strings.LastIndexByte(src[:mark], '\n')+1:mark]))
		got = fmt.Sprintf("%s at %d:%d", got, e.Line, e.Column)
		want = fmt.Sprintf("%s at %d:%d", want, line, column)
	}
	if got != want {
		t.Errorf("error %s, want %s\n%v", got, want, err)
	}
	if e.Message == "" {
		t.Errorf("error %s has no message", e.Code)
	}
}

// noteLine writes an annotation as FROM..TO SOURCE [COVERING] ASOF.
func noteLine(a Annotation) string {
	return strings.TrimSpace(fmt.Sprintf("%s..%s %s [%s] %s", a.FromText, a.ToText, a.Source, a.Covering, a.AsOf))
}

// coverLine writes an entry of the summary as SOURCE [COVERING] ASOF RUNWAY, the last with a ! when it is concluded.
func coverLine(k Coverage) string {
	s := fmt.Sprintf("%s [%s] %s", k.Source, k.Covering, k.AsOf)
	if k.Endless {
		s = strings.TrimSpace(s) + " ∞"
	} else {
		s = strings.TrimSpace(s) + fmt.Sprintf(" %d", k.Runway)
	}
	if k.Concluded {
		s += "!"
	}
	return s
}

// warnLine gives what a warning begins with: its code, the stage and the instant.
func warnLine(w Warning) string {
	s := w.Message
	if strings.HasPrefix(s, "I5") {
		return "I5"
	}
	s, _, _ = strings.Cut(s, " (")
	return s
}

func wantLines(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s\n %s\nwant\n %s", what, strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}
