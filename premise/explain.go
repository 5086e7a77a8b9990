package premise

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/record"
)

// Explanation holds an answer's points against those of each accepted reading, day by day.
type Explanation struct {
	Bench        string        `json:"bench"` // id@version
	Item         string        `json:"item"`
	Prompt       string        `json:"prompt"`
	Gloss        string        `json:"gloss"`
	From         string        `json:"from"` // the range of the grading, half open
	To           string        `json:"to"`
	TZ           string        `json:"tz"`
	Letter       record.Letter `json:"letter"`
	Invalid      string        `json:"invalid"` // why the answer is not validated; "" where it is
	MustDeclare  string        `json:"must_declare"`
	Topics       []string      `json:"topics"` // the kinds that the answer declares
	Declared     bool          `json:"declared"`
	OverDeclared int           `json:"over_declared"`
	Reading      string        `json:"reading"` // the accepted reading whose points these are, "" for none
	Points       int           `json:"points"`  // the answer's, within the range
	// Working says whether the days of the calendar below are known to be business days or not.
	Working  bool         `json:"working_known"`
	Readings []Comparison `json:"readings"` // the nearest first; empty for an answer that is not validated
}

// Comparison is an answer beside one accepted reading.
type Comparison struct {
	Key         string        `json:"key"`
	Assumption  string        `json:"assumption"`
	Points      int           `json:"points"` // the reading's
	Differences int           `json:"differences"`
	First       *Difference   `json:"first"` // null where there is none
	Calendar    []CalendarDay `json:"calendar"`
	LeftOut     int           `json:"left_out"` // points beyond calendarMost
}

// calendarMost is how many points a calendar holds: a program may give one for each second.
const calendarMost = 1000

// Difference is the first place where the answer departs from a reading. One of the two is "" where its points are at an end.
type Difference struct {
	Answer  string `json:"answer"`
	Reading string `json:"reading"`
}

// CalendarDay is one point with what there is to know of its day. Sign is "+" for a point that only the answer has, "-" for
// one that only the reading has, " " for one of both.
type CalendarDay struct {
	Sign    string   `json:"sign"`
	Point   string   `json:"point"`
	Weekday string   `json:"weekday"` // "Mon"
	Working bool     `json:"working"` // a business day by the prelude
	Holiday *Holiday `json:"holiday"` // null where the day has no name
}

// ExplainAnswer holds an answer against the accepted readings of a problem. The error is a fault of ours or ctx's.
func (s *Set) ExplainAnswer(ctx context.Context, item, answer string) (*Explanation, error) {
	p, err := s.Problem(item)
	if err != nil {
		return nil, err
	}
	j, points, err := s.spec.judge(ctx, p, answer)
	if err != nil {
		return nil, err
	}
	x := &Explanation{Bench: s.bench.Name(), Item: p.ID, Prompt: p.Prompt, Gloss: p.Gloss, From: p.From.String(), To: p.To.String(), TZ: s.spec.tz, Letter: j.letter,
		MustDeclare: p.mustDeclare(), Declared: j.declared, OverDeclared: j.over, Topics: []string{}, Points: j.points, Readings: []Comparison{}}
	if r, err := ReadReply(answer); err == nil {
		x.Topics = r.Topics()
	}
	if j.invalid != nil {
		x.Invalid = oneLine(j.invalid.Error())
		return x, nil
	}
	if j.reading != nil {
		x.Reading = j.reading.Key
	}
	working, known, err := s.workingDays(ctx, p)
	if err != nil {
		return nil, err
	}
	x.Working = known
	names := s.holidays()
	for _, r := range p.Readings {
		x.Readings = append(x.Readings, compare(points, r, working, names))
	}
	slices.SortStableFunc(x.Readings, func(a, b Comparison) int { return a.Differences - b.Differences })
	return x, nil
}

// workingDays are the business days of a problem's range by the prelude. A prelude without any makes them unknown.
func (s *Set) workingDays(ctx context.Context, p *Problem) (days map[string]bool, known bool, err error) {
	points, err := s.spec.points(ctx, "bizDay", p.From, p.To)
	if err != nil {
		if d := (*Diagnostic)(nil); errors.As(err, &d) {
			return nil, false, nil
		}
		return nil, false, err
	}
	days = map[string]bool{}
	for _, d := range points {
		days[dayOf(d)] = true
	}
	return days, true, nil
}

func dayOf(point string) string {
	day, _, _ := strings.Cut(point, "T")
	return day
}

// compare merges the points of an answer and of a reading, both in order, into one calendar. A business day has no holiday's
// name, whatever it is called elsewhere.
func compare(points []string, r Reading, working map[string]bool, names map[string]Holiday) Comparison {
	c := Comparison{Key: r.Key, Assumption: oneLine(r.Assumption), Points: len(r.Expected), Calendar: []CalendarDay{}}
	i, j := 0, 0
	for i < len(points) || j < len(r.Expected) {
		d := CalendarDay{Sign: " "}
		switch {
		case j == len(r.Expected) || i < len(points) && before(points[i], r.Expected[j]):
			d.Sign, d.Point = "+", points[i]
			i++
		case i == len(points) || before(r.Expected[j], points[i]):
			d.Sign, d.Point = "-", r.Expected[j]
			j++
		default:
			d.Point = points[i]
			i, j = i+1, j+1
		}
		if d.Sign != " " {
			c.Differences++
		}
		if len(c.Calendar) == calendarMost {
			c.LeftOut++
			continue
		}
		day := dayOf(d.Point)
		d.Weekday, d.Working = weekday(day), working[day]
		if h, ok := names[day]; ok && !d.Working {
			d.Holiday = &h
		}
		c.Calendar = append(c.Calendar, d)
	}
	for i := range max(len(points), len(r.Expected)) {
		a, b := pointAt(points, i), pointAt(r.Expected, i)
		if a != b {
			c.First = &Difference{a, b}
			break
		}
	}
	return c
}

func pointAt(points []string, i int) string {
	if i < len(points) {
		return points[i]
	}
	return ""
}

// before says whether a point as printed comes before another. A bare date is its midnight.
func before(a, b string) bool {
	if da, db := dayOf(a), dayOf(b); da != db {
		return da < db
	}
	return a < b
}

// weekday names the day of a date as printed, "" for one that is none.
func weekday(day string) string {
	d, ok := kairos.ParseDate(day)
	if !ok {
		return ""
	}
	return []string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}[d.Weekday()]
}

// Words says of a first difference in words where it lies.
func (d *Difference) Words(key string) string {
	switch {
	case d.Answer == "":
		return fmt.Sprintf("%s goes on with %s", key, d.Reading)
	case d.Reading == "":
		return fmt.Sprintf("the answer goes on with %s", d.Answer)
	}
	return fmt.Sprintf("the answer has %s where %s has %s", d.Answer, key, d.Reading)
}

// Explainable refuses a bench that is not one of authoring problems.
func Explainable(b *bench.Bench) error {
	if b.Shape != bench.ShapePremise {
		return &bench.Error{Msg: fmt.Sprintf("%s has the shape %q; only answers to authoring problems (shape premise) are explained", b.Source, b.Shape)}
	}
	return nil
}
