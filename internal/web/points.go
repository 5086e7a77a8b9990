package web

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/assaybench/assay/premise"
	"github.com/assaybench/assay/record"
)

// pointsPage holds an answer's points against those of each accepted reading.
type pointsPage struct {
	face
	N        int
	X        *premise.Explanation
	Readings []reading
	Back     string
}

// reading is one accepted reading beside the answer, in months.
type reading struct {
	premise.Comparison
	Words  string // of the first difference
	Months []month
	Same   bool
}

// month is the points of a month; a calendar of a year has twelve lines and not 250.
type month struct {
	Name string
	Days []point
}

type point struct {
	premise.CalendarDay
	Day   string // what stands in the calendar
	Class string // "both", "answer" or "reading"
	Says  string // the same in words
	First bool   // the first difference
	Free  bool   // known to be no business day
}

func (s *Server) points(w http.ResponseWriter, r *http.Request) error {
	o, row, t, done, err := s.read(r)
	defer done()
	if err != nil {
		return err
	}
	b, why := s.benchOf(r.Context(), o.Run, benchLong)
	if b == nil {
		return lost(why)
	}
	set, ok := b.Set.(*premise.Set)
	if !ok || t == nil || t.Outcome != record.Answered {
		return lost("There are no points: the attempt is no answer to an authoring problem.")
	}
	x, err := set.ExplainAnswer(r.Context(), row.Key.Item, t.Answer)
	if err != nil {
		return err
	}
	p := pointsPage{face: o.face(), N: row.N, X: x}
	p.Back = p.To(fmt.Sprintf("/attempt/%d", row.N))
	for _, c := range x.Readings {
		p.Readings = append(p.Readings, readingOf(c, x.Working))
	}
	return show(w, http.StatusOK, "points", layout{Title: row.Key.Item + ": the answer's points", Crumbs: []link{{p.To(""), "Run " + o.ID}, {p.Back, fmt.Sprintf("Attempt %d", row.N)}, {Text: "Points"}}, Body: p, release: done})
}

func readingOf(c premise.Comparison, working bool) reading {
	out := reading{Comparison: c, Same: c.First == nil}
	if c.First != nil {
		out.Words = c.First.Words(c.Key)
	}
	marked := false
	for _, d := range c.Calendar {
		name, day := d.Point, d.Point
		if len(d.Point) >= 10 {
			name, day = d.Point[:7], d.Point[8:]
		}
		if n := len(out.Months); n == 0 || out.Months[n-1].Name != name {
			out.Months = append(out.Months, month{Name: name})
		}
		p := point{CalendarDay: d, Day: strings.Replace(day, "T", " ", 1), Class: "both", Says: "in both"}
		switch d.Sign {
		case "+":
			p.Class, p.Says = "answer", "only in the answer"
		case "-":
			p.Class, p.Says = "reading", "only in the reading"
		}
		if d.Sign != " " && !marked {
			p.First, marked = true, true
		}
		p.Free = working && !d.Working
		m := &out.Months[len(out.Months)-1]
		m.Days = append(m.Days, p)
	}
	return out
}
