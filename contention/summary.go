package contention

import (
	"fmt"
	"strings"
)

// Summary says in a few sentences what the run did to the services and what became of the model's speed. It gives figures
// and no verdict: that two things happened at the same time does not say that one caused the other.
func (d *Document) Summary() []string {
	var out []string
	for i := range d.Services {
		out = append(out, "the bench did this to the services: "+d.serviceSentence(&d.Services[i]))
	}
	if len(d.Services) == 0 {
		out = append(out, "what the bench did to the services is not known: none was watched")
	}
	return append(out, "the services did this to the bench: "+d.speedSentence())
}

// serviceSentence is like "http://127.0.0.1/: median 12.0 ms -> 48.0 ms (x4.0), 95th percentile …, failures 0/5 -> 3/120; after
// the run 12.1 ms, 12.4 ms, 0/5".
func (d *Document) serviceSentence(s *Service) string {
	name := printable(s.URL) + ": "
	before, during := s.Before, s.During
	if during == nil {
		return name + "not probed during the run"
	}
	text := name +
		"median " + d.change(before, during, (*Latency).median) +
		", 95th percentile " + d.change(before, during, (*Latency).p95) +
		", failures " + failures(before) + " -> " + failures(during)
	if len(during.Failures) > 0 {
		text += " (" + failureKinds(during) + ")"
	}
	if during.Missed > 0 {
		text += fmt.Sprintf(", %s not made", count(during.Missed, "probe"))
	}
	if a := s.After; a != nil {
		text += "; after the run " + d.latency(a, (*Latency).median) + ", " + d.latency(a, (*Latency).p95) + ", " + failures(a)
	}
	return text
}

func (l *Latency) median() int64 { return l.Median }
func (l *Latency) p95() int64    { return l.P95 }
func (l *Latency) worst() int64  { return l.Worst }

// change writes a figure before and during the run, and their ratio.
func (d *Document) change(before, during *Probes, of func(*Latency) int64) string {
	text := d.latency(before, of) + " -> " + d.latency(during, of)
	if before == nil || before.Latency == nil || during.Latency == nil || d.atLimit(of(before.Latency)) {
		return text
	}
	ratio := times(of(before.Latency), of(during.Latency))
	switch {
	case ratio == "":
		return text
	case d.atLimit(of(during.Latency)):
		ratio = "at least " + ratio
	}
	return text + " (" + ratio + ")"
}

// latency writes one figure; at the time limit it only bounds what it would have been.
func (d *Document) latency(p *Probes, of func(*Latency) int64) string {
	switch {
	case p == nil || p.N == 0:
		return "not probed"
	case p.Latency == nil:
		return "never answered"
	case d.atLimit(of(p.Latency)):
		return ">= " + length(of(p.Latency))
	}
	return length(of(p.Latency))
}

func (d *Document) atLimit(ns int64) bool { return ns >= d.Settings.Timeout }

// failures writes "3/120".
func failures(p *Probes) string {
	if p == nil {
		return "not probed"
	}
	return fmt.Sprintf("%d/%d", p.Failed, p.N)
}

// failureKinds writes "2 timeout, 1 refused".
func failureKinds(p *Probes) string {
	var parts []string
	for _, k := range kinds {
		if n := p.Failures[k]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, k))
		}
	}
	return strings.Join(parts, ", ")
}

// speedSentence is like "41.2 tokens/s alone -> 18.0 tokens/s under the run (x0.44), 41.0 tokens/s after it".
func (d *Document) speedSentence() string {
	s := &d.Speed
	if s.Before == nil && s.During == nil && s.After == nil {
		return "not known, since the model's speed was not measured"
	}
	text := speedWords(s.Before) + " alone -> " + speedWords(s.During) + " under the run"
	if s.Before != nil && s.During != nil && s.Before.Rate != nil && s.During.Rate != nil {
		if r := times(s.Before.Rate.Median, s.During.Rate.Median); r != "" {
			text += " (" + r + ")"
		}
	}
	if s.After != nil {
		text += ", " + speedWords(s.After) + " after it"
	}
	text += " (" + speedBasis(s) + ")"
	// Under the run the model also serves the run: its own requests slow each other down.
	if s.During != nil {
		switch n := d.Settings.Concurrency; {
		case n > 0:
			text += "; the run's own requests, up to " + fmt.Sprint(n) + " at once, take part in it"
		default:
			text += "; the run's own requests take part in it"
		}
	}
	return text
}

func speedWords(p *SpeedPhase) string {
	switch {
	case p == nil:
		return "not measured"
	case p.Rate == nil:
		return fmt.Sprintf("no answer to %s", count(p.Failed, "call"))
	}
	text := rate(p.Rate.Median)
	if p.Failed > 0 {
		text += fmt.Sprintf(" with %d of %s failed", p.Failed, count(p.N+p.Failed, "call"))
	}
	return text
}

// speedBasis says what the medians stand on: "medians of 3, 12 and 3 calls, generation alone".
func speedBasis(s *Speed) string {
	var n []string
	for _, p := range []*SpeedPhase{s.Before, s.During, s.After} {
		if p != nil {
			n = append(n, fmt.Sprint(p.N))
		}
	}
	text := "medians of " + n[0]
	switch len(n) {
	case 2:
		text += " and " + n[1]
	case 3:
		text += ", " + n[1] + " and " + n[2]
	}
	text += " calls"
	switch s.Of {
	case Generation:
		text += ", time of the output alone"
	case Total:
		text += ", time of the whole call"
	}
	return text
}
