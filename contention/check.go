package contention

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// figuresMax bounds each integer of a document, and sumMax the sums in its timeline, so that those of all stretches can be
// added up. No run reaches them: 2^52 ns are the latencies of 16 probes at once over three days, within one stretch.
const (
	figuresMax = 1 << 60
	sumMax     = 1 << 52
	textMax    = 2 * labelMax
)

// check refuses a document that no Watcher can have made. Nothing else in this package then needs to doubt one.
func (d *Document) check() error {
	if d.Kind != Version {
		return fmt.Errorf("the document's kind is %q, not %q", clip(printable(d.Kind), 64), Version)
	}
	c := &checker{}
	c.moment("started", d.Started)
	c.moment("ended", d.Ended)
	c.that(!d.Ended.Before(d.Started), "it ended before it started")
	s := d.Settings
	c.figures("settings", s.Interval, s.Timeout, s.Around, s.Sample, s.Concurrency)
	c.that(s.Interval > 0 && s.Timeout > 0 && s.Sample > 0, "an interval or a time limit is nothing")
	eachPhase(&d.Periods, func(p *Period) { c.moment("a period", p.From); c.moment("a period", p.To) })
	c.that(len(d.Services) <= urlsMax, "it has too many services")
	for i := range d.Services {
		service := &d.Services[i]
		c.text("a service", service.URL)
		eachPhase(&service.Phased, func(p *Probes) { c.probes(p, s.Timeout) })
	}
	h := &d.Host
	c.text("the host", h.Note)
	c.figures("the host", h.CPUs, h.Memory)
	eachPhase(&h.Phased, func(p *HostPhase) { c.spreads(p.Load, p.Busy, p.Available) })
	c.text("the accelerators", d.Accelerators.Note)
	c.that(len(d.Accelerators.List) <= cardsMax, "it has too many accelerators")
	for i := range d.Accelerators.List {
		a := &d.Accelerators.List[i]
		c.text("an accelerator", a.Name)
		c.figures("an accelerator", a.Index, a.Total)
		eachPhase(&a.Phased, func(p *AcceleratorPhase) { c.spreads(p.Busy, p.Used) })
	}
	c.that(d.Speed.Of == "" || d.Speed.Of == Generation || d.Speed.Of == Total, "its speed is of something unknown")
	eachPhase(&d.Speed.Phased, func(p *SpeedPhase) {
		c.figures("the speed", p.N, p.Failed, p.Tokens)
		c.spreads(p.Rate)
		c.that((p.Rate == nil) == (p.N == 0) && (p.Rate == nil || p.Rate.N == p.N), "a speed stands on another number of calls")
	})
	c.timeline(&d.Timeline, len(d.Services))
	if d.Flagged != nil {
		c.flagged(d.Flagged)
	}
	return c.err
}

func eachPhase[T any](p *Phased[T], do func(*T)) {
	for _, v := range []*T{p.Before, p.During, p.After} {
		if v != nil {
			do(v)
		}
	}
}

// checker keeps the first fault.
type checker struct{ err error }

func (c *checker) that(ok bool, fault string) {
	if !ok && c.err == nil {
		c.err = errors.New("the document cannot be right: " + fault)
	}
}

func (c *checker) figures(where string, values ...int64) {
	for _, v := range values {
		c.that(v >= 0 && v <= figuresMax, where+": a figure is out of range")
	}
}

func (c *checker) text(where, s string) {
	c.that(len(s) <= textMax && s == printable(s), where+": a text is too long or not printable")
}

func (c *checker) moment(where string, t time.Time) {
	_, offset := t.Zone()
	c.that(offset == 0 && t.Year() >= 0 && t.Year() <= 9999, where+": a time is not in UTC")
}

func (c *checker) spreads(list ...*Spread) {
	for _, s := range list {
		if s != nil {
			c.figures("a spread", s.N, s.Min, s.Median, s.Max)
			c.that(s.N > 0 && s.Min <= s.Median && s.Median <= s.Max, "a median is not between the least and the greatest value")
		}
	}
}

func (c *checker) probes(p *Probes, timeout int64) {
	c.figures("probes", p.N, p.Failed, p.Cut, p.Missed)
	sum := int64(0)
	for k, n := range p.Failures {
		c.that(slices.Contains(kinds, k) && n > 0 && n <= p.Failed, "failures of an unknown kind or number")
		sum += n
	}
	c.that(sum == p.Failed && p.Failed <= p.N && p.Cut <= p.N, "the failures do not add up")
	timed := p.N - p.Failed + p.Failures[TimedOut]
	c.that((p.Latency == nil) == (timed == 0), "latencies of no probe")
	if l := p.Latency; l != nil {
		c.figures("latencies", l.Median, l.P95, l.Worst)
		c.that(l.N == timed, "latencies stand on another number of probes")
		c.that(l.Median <= l.P95 && l.P95 <= l.Worst && l.Worst <= timeout, "latencies are out of order")
	}
}

func (c *checker) ranges(list ...*Range) {
	for _, r := range list {
		if r != nil {
			c.figures("a range", r.N, r.Sum, r.Worst)
			c.that(r.N > 0 && r.N <= sumMax && r.Sum <= sumMax, "a range of nothing, or of too much")
		}
	}
}

func (c *checker) timeline(t *Timeline, services int) {
	c.figures("the timeline", t.Step)
	c.that(t.Step > 0 && len(t.Stretches) <= stretchesMax, "the timeline is too long")
	last := int64(-1)
	for i := range t.Stretches {
		s := &t.Stretches[i]
		c.figures("a stretch", s.At)
		c.that(s.At > last, "the stretches are out of order")
		last = s.At
		c.ranges(s.Load, s.Busy, s.Available)
		card := int64(-1)
		for _, a := range s.Accelerators {
			c.figures("a stretch", a.Index)
			c.that(a.Index > card, "a stretch's accelerators are out of order")
			card = a.Index
			c.ranges(&a.Busy)
		}
		service := int64(-1)
		for _, v := range s.Services {
			c.figures("a stretch", v.N, v.Failed)
			c.that(v.Service > service && v.Service < int64(services) && v.Failed <= v.N && v.N <= sumMax, "a stretch's services are not the document's")
			service = v.Service
			c.ranges(v.Latency)
		}
	}
}

func (c *checker) flagged(f *Flagged) {
	t := f.Thresholds
	c.figures("thresholds", t.Load, t.Available, t.Accelerator, t.Slow, t.SlowLeast, t.Failing, t.Speed)
	c.figures("flags", f.TimedOut, f.Unseen)
	c.that(f.Unseen <= f.TimedOut && int64(len(f.Flags)) <= f.TimedOut-f.Unseen, "more flags than attempts that timed out")
	for i := range f.Flags {
		flag := &f.Flags[i]
		c.moment("a flag", flag.From)
		c.moment("a flag", flag.To)
		c.that(len(flag.Reasons) > 0, "a flag without a reason")
		for _, r := range flag.Reasons {
			c.figures("a reason", r.N, r.Value, r.Worst, r.Base, r.BaseN, r.Limit)
			c.text("a reason", r.Subject)
		}
	}
}
