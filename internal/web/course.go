package web

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/store"
)

// course is how a run went over its time: how long calls took and how fast they wrote, in equal parts of the time, and what
// probes of services beside the run saw meanwhile.
type course struct {
	from, to time.Time
	parts    []part
	services []served
	attempts int
	agree    []agreement
}

// agreement says how many of the repeats of an item passed, over the items whose every repeat is judged, for a model at a
// posture and one basis: Items[k] items passed k times.
type agreement struct {
	model, posture string
	basis          record.Basis
	items          []int
}

// part sums up the calls that began in one part of the time.
type part struct {
	calls           int
	latency, worst  float64 // seconds: median and longest
	rate            float64 // tokens per second of generation: median; 0 where none is known
	latencies, many []float32
}

// served is one service beside the run: the mean latency of its probes in seconds at moments of the run.
type served struct {
	name string
	at   []time.Time
	mean []float64
	fail []bool
}

// partsMost is how many parts the time of a run has.
const partsMost = 120

// courseMost bounds how many attempts are looked at.
const courseMost = 2_000_000

// readCourse goes through the attempts of a run that reached a model.
func readCourse(ctx context.Context, db *store.DB, r *store.Run, grader string, res *report.Result) (*course, error) {
	type call struct {
		at            int64
		latency, rate float32
	}
	var calls []call
	tally := newRepeats(r.Plan.Repeats)
	for row, err := range db.Rows(ctx, r, grader) {
		if err != nil {
			return nil, err
		}
		tally.add(&row)
		t := &row.Timing
		if row.Try == 0 || !row.Outcome.OfModel() || t.Started.IsZero() || t.Total <= 0 || len(calls) == courseMost {
			continue
		}
		c := call{at: t.Started.UnixNano(), latency: float32(float64(max(0, t.Total-t.Load)) / 1e9)}
		if n := row.Usage.Output; n != nil && *n > 0 && t.Output > 0 {
			c.rate = float32(float64(*n) / (float64(t.Output) / 1e9))
		}
		calls = append(calls, c)
	}
	c := &course{attempts: len(calls), agree: tally.close()}
	if len(calls) == 0 {
		return c, nil
	}
	slices.SortFunc(calls, func(a, b call) int { return int(min(1, max(-1, a.at-b.at))) })
	first, last := calls[0].at, calls[len(calls)-1].at
	c.from, c.to = time.Unix(0, first).UTC(), time.Unix(0, last).UTC()
	c.parts = make([]part, min(partsMost, len(calls)))
	for _, k := range calls {
		p := &c.parts[c.place(k.at)]
		p.calls++
		p.latencies = append(p.latencies, k.latency)
		p.worst = max(p.worst, float64(k.latency))
		if k.rate > 0 {
			p.many = append(p.many, k.rate)
		}
	}
	for i := range c.parts {
		p := &c.parts[i]
		p.latency, p.rate = middle(p.latencies), middle(p.many)
		p.latencies, p.many = nil, nil
	}
	for i := range res.Contention {
		c.beside(&res.Contention[i])
	}
	return c, nil
}

// place is the part of the time that a moment lies in.
func (c *course) place(at int64) int {
	whole := c.to.UnixNano() - c.from.UnixNano()
	if whole <= 0 {
		return 0
	}
	return min(len(c.parts)-1, int(float64(at-c.from.UnixNano())/float64(whole)*float64(len(c.parts))))
}

// middle is the median; 0 for nothing.
func middle(v []float32) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	if n := len(v); n%2 == 0 {
		return (float64(v[n/2-1]) + float64(v[n/2])) / 2
	}
	return float64(v[len(v)/2])
}

// beside takes what the probes of a session saw.
func (c *course) beside(w *report.Watched) {
	d := w.Document
	if d == nil {
		return
	}
	for i := range d.Services {
		s := served{name: d.Services[i].URL}
		for _, st := range d.Timeline.Stretches {
			for _, v := range st.Services {
				if v.Service != int64(i) || v.Latency == nil || v.Latency.N == 0 {
					continue
				}
				s.at = append(s.at, d.Started.Add(time.Duration(st.At)))
				s.mean = append(s.mean, float64(v.Latency.Sum)/float64(v.Latency.N)/1e9)
				s.fail = append(s.fail, v.Failed > 0)
			}
		}
		c.services = append(c.services, s)
	}
}

// Measures of the charts over time.
const (
	courseLeft, courseWide, courseHigh = 60.0, 640.0, 130.0
	courseTop                          = 12.0
)

// charts draws latency, tokens per second and probes over the same time.
func (c *course) charts() []*chart {
	if c == nil || c.attempts == 0 {
		return nil
	}
	var out []*chart
	latency := c.frame("latency", "Latency over the run", "The median time of a call, load time left out, in equal parts of the run's time; the thin line is the longest call in each.", "s",
		func(p *part) float64 { return p.worst })
	latency.Head = []string{"from (UTC)", "calls", "median s", "longest s"}
	c.draw(latency, "worst", func(p *part) float64 { return p.worst })
	c.draw(latency, "median", func(p *part) float64 { return p.latency })
	for i := range c.parts {
		if p := &c.parts[i]; p.calls > 0 {
			latency.Rows = append(latency.Rows, []string{c.at(i).Format(time.DateTime), fmt.Sprint(p.calls), fmt.Sprintf("%.3f", p.latency), fmt.Sprintf("%.3f", p.worst)})
		}
	}
	out = append(out, latency)
	if slices.ContainsFunc(c.parts, func(p part) bool { return p.rate > 0 }) {
		speed := c.frame("speed", "Tokens per second over the run", "The median speed of generation, in equal parts of the run's time, over the calls whose server reported it.", "tokens/s", func(p *part) float64 { return p.rate })
		speed.Head = []string{"from (UTC)", "calls", "median tokens/s"}
		c.draw(speed, "median", func(p *part) float64 { return p.rate })
		for i := range c.parts {
			if p := &c.parts[i]; p.rate > 0 {
				speed.Rows = append(speed.Rows, []string{c.at(i).Format(time.DateTime), fmt.Sprint(p.calls), fmt.Sprintf("%.1f", p.rate)})
			}
		}
		out = append(out, speed)
	}
	for i := range c.services {
		if p := c.probes(i); p != nil {
			out = append(out, p)
		}
	}
	return out
}

func (c *course) at(part int) time.Time {
	return c.from.Add(time.Duration(float64(c.to.Sub(c.from)) * float64(part) / float64(len(c.parts))))
}

// frame begins a chart over the run's time, with its axes.
func (c *course) frame(id, title, desc, unit string, of func(*part) float64) *chart {
	most := 0.0
	for i := range c.parts {
		most = max(most, of(&c.parts[i]))
	}
	return c.axes(id, title, desc, unit, most)
}

func (c *course) axes(id, title, desc, unit string, most float64) *chart {
	ch := &chart{ID: id, Title: title, Desc: desc, W: int(courseLeft + courseWide + 20), H: int(courseTop + courseHigh + 24)}
	for i := range 3 {
		y := courseTop + courseHigh*float64(2-i)/2
		ch.line("grid", courseLeft, y, courseLeft+courseWide, y)
		ch.text("tick last", courseLeft-6, y+4, fmt.Sprintf("%.3g", most*float64(i)/2))
	}
	ch.text("tick first", courseLeft, courseTop+courseHigh+18, c.from.Format("15:04:05"))
	ch.text("tick last", courseLeft+courseWide, courseTop+courseHigh+18, c.to.Format("15:04:05 MST"))
	ch.text("tick first", 4, courseTop+courseHigh+18, unit)
	return ch
}

// draw draws one value of each part as a line, which has a gap where there is none.
func (c *course) draw(ch *chart, class string, of func(*part) float64) {
	most := 0.0
	for i := range c.parts {
		most = max(most, c.parts[i].worst)
	}
	if ch.ID == "speed" {
		most = 0
		for i := range c.parts {
			most = max(most, c.parts[i].rate)
		}
	}
	var d strings.Builder
	down := false
	for i := range c.parts {
		p := &c.parts[i]
		v := of(p)
		if p.calls == 0 || v == 0 || most == 0 {
			down = false
			continue
		}
		x, y := courseLeft+courseWide*(float64(i)+.5)/float64(len(c.parts)), courseTop+courseHigh*(1-v/most)
		op := "L"
		if !down {
			op = "M"
			ch.dot(class, x, y, 1.5) // a part between two gaps would be seen by nobody
		}
		down = true
		d.WriteString(op + num(x) + " " + num(y) + " ")
	}
	ch.path(class, strings.TrimSpace(d.String()))
}

// probes draws what one service's probes saw.
func (c *course) probes(i int) *chart {
	s := &c.services[i]
	most := 0.0
	for _, v := range s.mean {
		most = max(most, v)
	}
	if most == 0 {
		return nil
	}
	ch := c.axes(fmt.Sprintf("service-%d", i), "Probes of "+clipped(s.name, 60), "The mean time of probes of a service beside the run. A mark below the line shows a time in which probes failed.", "s", most)
	ch.Head = []string{"at (UTC)", "mean s", "failures"}
	whole := c.to.Sub(c.from)
	var d strings.Builder
	for k, at := range s.at {
		failed := "no"
		if s.fail[k] {
			failed = "yes"
		}
		ch.Rows = append(ch.Rows, []string{at.UTC().Format(time.DateTime), fmt.Sprintf("%.3f", s.mean[k]), failed})
		if whole <= 0 {
			continue
		}
		x := courseLeft + courseWide*min(1, max(0, float64(at.Sub(c.from))/float64(whole)))
		op := "L"
		if d.Len() == 0 {
			op = "M"
		}
		d.WriteString(op + num(x) + " " + num(courseTop+courseHigh*(1-s.mean[k]/most)) + " ")
		if s.fail[k] {
			ch.rect("failed", x-1.5, courseTop+courseHigh-6, 3, 6)
		}
	}
	ch.path("probe", strings.TrimSpace(d.String()))
	return ch
}
