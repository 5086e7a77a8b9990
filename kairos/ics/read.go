package ics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assaybench/assay/kairos"
)

// Bounds of what is read: days of one event, and days in all.
const (
	eventDays = 400
	allDays   = 100_000
)

// Days reads the whole-day events of a calendar, as holidays are published, and gives their days from a first to a last one, in
// order and each once; outside is how many days of events lie beyond. An event that repeats every year on its date is taken for
// every year; one that repeats otherwise, or that has a time of day, is an error that names its line. A cancelled event is none.
func Days(data []byte, first, last kairos.Date) (days []kairos.Date, outside int, err error) {
	lines, err := unfold(string(data))
	if err != nil {
		return nil, 0, err
	}
	seen := map[kairos.Date]bool{}
	var e *event
	for _, l := range lines {
		name, params, value := l.parts()
		switch {
		case name == "BEGIN" && strings.EqualFold(value, "VEVENT"):
			e = &event{line: l.at}
		case name == "END" && strings.EqualFold(value, "VEVENT") && e != nil:
			if outside, err = e.add(seen, outside, first, last); err != nil {
				return nil, 0, err
			}
			e = nil
		case e != nil:
			if err := e.property(name, params, value, l.at); err != nil {
				return nil, 0, err
			}
		}
	}
	for d := range seen {
		days = append(days, d)
	}
	slices.SortFunc(days, func(a, b kairos.Date) int { return strings.Compare(a.String(), b.String()) })
	return days, outside, nil
}

// line is a line of a calendar, put together from those that it was folded into.
type line struct {
	at   int // the number of its first line, from 1
	text string
}

func unfold(text string) ([]line, error) {
	var out []line
	for i, l := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		l = strings.TrimSuffix(l, "\r")
		if l != "" && (l[0] == ' ' || l[0] == '\t') && len(out) > 0 {
			out[len(out)-1].text += l[1:]
		} else if l != "" {
			out = append(out, line{i + 1, l})
		}
	}
	if len(out) == 0 || !strings.EqualFold(strings.TrimSpace(out[0].text), "BEGIN:VCALENDAR") {
		return nil, fmt.Errorf("not a calendar: it does not begin with BEGIN:VCALENDAR")
	}
	return out, nil
}

// parts takes NAME;PARAM=…:VALUE apart.
func (l line) parts() (name, params, value string) {
	quoted := false
	at := strings.IndexFunc(l.text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ':' && !quoted
	})
	if at < 0 {
		return "", "", ""
	}
	name, params, _ = strings.Cut(l.text[:at], ";")
	return strings.ToUpper(name), strings.ToUpper(params), strings.TrimSpace(l.text[at+1:])
}

// event is one VEVENT.
type event struct {
	line      int
	start     kairos.Date
	end       kairos.Date // the day after the last; the zero Date where nothing is said
	yearly    bool
	cancelled bool
}

func (e *event) property(name, params, value string, at int) (err error) {
	switch name {
	case "DTSTART":
		e.start, err = wholeDay(value, at)
	case "DTEND":
		e.end, err = wholeDay(value, at)
	case "STATUS":
		e.cancelled = strings.EqualFold(value, "CANCELLED")
	case "RRULE":
		if rule := strings.TrimSuffix(strings.ToUpper(value), ";INTERVAL=1"); rule != "FREQ=YEARLY" {
			return fmt.Errorf("line %d: the event repeats by %.60q, and only FREQ=YEARLY is read; export the calendar with its events written out", at, value)
		}
		e.yearly = true
	case "RDATE", "EXDATE", "DURATION", "RECURRENCE-ID":
		return fmt.Errorf("line %d: %s is not read; export the calendar with its events written out", at, name)
	}
	return err
}

// wholeDay reads a date such as 20260101.
func wholeDay(value string, at int) (kairos.Date, error) {
	if len(value) == 8 {
		if _, err := strconv.ParseUint(value, 10, 32); err == nil {
			if d, ok := kairos.ParseDate(value[:4] + "-" + value[4:6] + "-" + value[6:]); ok {
				return d, nil
			}
		}
	}
	return kairos.Date{}, fmt.Errorf("line %d: %.40q is no day such as 20260101; only whole days are read", at, value)
}

// add adds an event's days.
func (e *event) add(seen map[kairos.Date]bool, outside int, first, last kairos.Date) (int, error) {
	if e.start == (kairos.Date{}) {
		return outside, fmt.Errorf("line %d: the event has no DTSTART", e.line)
	}
	if e.cancelled {
		return outside, nil
	}
	n := 1
	if e.end != (kairos.Date{}) {
		for n = 0; e.start.AddDays(n).String() < e.end.String(); n++ {
			if n == eventDays {
				return outside, fmt.Errorf("line %d: the event has more than %d days", e.line, eventDays)
			}
		}
		n = max(n, 1) // an event that ends where it begins has its day
	}
	starts := []kairos.Date{e.start}
	if e.yearly {
		starts = nil
		for y := max(e.start.Year, first.Year-1); y <= last.Year; y++ { // the year before: an event may go over New Year
			d := e.start
			if d.Year = y; d == d.AddDays(0) { // 29 February is in leap years alone
				starts = append(starts, d)
			}
		}
	}
	for _, s := range starts {
		for i := range n {
			d := s.AddDays(i)
			if d.String() < first.String() || d.String() > last.String() {
				if !e.yearly {
					outside++
				}
				continue
			}
			if seen[d] = true; len(seen) > allDays {
				return outside, fmt.Errorf("line %d: more than %d days", e.line, allDays)
			}
		}
	}
	return outside, nil
}
