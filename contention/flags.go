package contention

import (
	"fmt"
	"math/big"
	"time"

	"github.com/assaybench/assay/record"
)

// Attempt is one attempt of a run, as far as contention is concerned.
type Attempt struct {
	Key     record.Key
	Outcome record.Outcome
	Started time.Time
	Ended   time.Time
}

// Thresholds are beyond what an attempt is flagged. They are kept with the flags. Zero values are thresholds as well.
type Thresholds struct {
	Load        int64 `json:"load_centi_per_cpu"`      // mean load average above so many hundredths for each processor
	Available   int64 `json:"available_permille"`      // mean memory available below so many thousandths
	Accelerator int64 `json:"accelerator_percent"`     // median use, in percent, from which an accelerator counts as used by others
	Slow        int64 `json:"slow_percent"`            // mean latency above so many hundredths of the median before the run
	SlowLeast   int64 `json:"slow_least_ns"`           // and longer than that by more than this
	Failing     int64 `json:"failing_permille"`        // share of failed probes above so many thousandths, and above that before
	Speed       int64 `json:"speed_permille_of_alone"` // median speed under the run below so many thousandths of that alone
}

// DefaultThresholds are: load above 1.00 for each processor; less than 5 % of memory available; an accelerator 20 % busy
// or more while the bench asked nothing of it; a service three times as slow as before and by more than 50 ms, or more
// than 10 % of its probes failing; the model at less than half of its speed alone.
func DefaultThresholds() Thresholds {
	return Thresholds{Load: 100, Available: 50, Accelerator: 20, Slow: 300, SlowLeast: int64(50 * time.Millisecond), Failing: 100, Speed: 500}
}

// Flagged is what was found out about the attempts that timed out.
type Flagged struct {
	Thresholds Thresholds `json:"thresholds"`
	TimedOut   int64      `json:"timed_out"` // attempts that timed out
	Unseen     int64      `json:"unseen"`    // of those, attempts during which nothing was sampled: about them nothing can be said
	Flags      []Flag     `json:"flags"`     // in the order of the attempts
}

// Flag is one attempt that timed out while something was beyond its threshold. It says what was so at the time, not that
// it was the cause.
type Flag struct {
	Key     record.Key `json:"key"`
	From    time.Time  `json:"from"`
	To      time.Time  `json:"to"`
	Reasons []Reason   `json:"reasons"`
}

// ReasonKind is what was beyond its threshold.
type ReasonKind string

// The kinds of reasons.
const (
	ReasonLoad        ReasonKind = "load"
	ReasonMemory      ReasonKind = "memory"
	ReasonAccelerator ReasonKind = "accelerator"
	ReasonSlow        ReasonKind = "service slow"
	ReasonFailing     ReasonKind = "service failing"
	ReasonSpeed       ReasonKind = "speed"
)

// Reason is one figure beyond its threshold. The unit follows from the kind: hundredths of the load average; thousandths
// of memory available; percent of an accelerator's time; nanoseconds; failed probes; thousandths of a token per second.
type Reason struct {
	Kind    ReasonKind `json:"kind"`
	Subject string     `json:"subject,omitzero"` // the service's URL, or the accelerator's index and phase
	N       int64      `json:"n"`                // samples, probes or calls that Value stands on
	Value   int64      `json:"value"`            // mean, median or count
	Worst   int64      `json:"worst,omitzero"`   // of the samples
	Base    int64      `json:"base,omitzero"`    // what it is compared with: processors, latency before, failed before, speed alone
	BaseN   int64      `json:"base_n,omitzero"`  // what Base stands on
	Limit   int64      `json:"limit"`            // the threshold
}

// Flags finds the attempts that timed out while the host was loaded, the watched services were slow or failing, an
// accelerator was in use by others or the model had lost speed. Attempts that ended in another way are not looked at, nor
// are those that lie outside the document's time wholly (they are unseen). It is a pure function.
func (d *Document) Flags(attempts []Attempt, t Thresholds) *Flagged {
	out := &Flagged{Thresholds: t, Flags: []Flag{}}
	whole := append(d.accelerators(t), d.slowed(t)...) // what holds for the run as a whole
	for _, a := range attempts {
		if a.Outcome != record.Timeout {
			continue
		}
		out.TimedOut++
		s, seen := d.between(a.Started, a.Ended)
		if !seen {
			out.Unseen++
			continue
		}
		reasons := append(d.local(&s, t), whole...)
		if len(reasons) > 0 {
			out.Flags = append(out.Flags, Flag{a.Key, utc(a.Started), utc(a.Ended), reasons})
		}
	}
	return out
}

// between sums up the stretches that an attempt's time touches.
func (d *Document) between(from, to time.Time) (Stretch, bool) {
	var sum Stretch
	seen := false
	if to.Before(from) {
		return sum, false
	}
	begin, end := from.Round(0).Sub(d.Started), to.Round(0).Sub(d.Started)
	for i := range d.Timeline.Stretches {
		s := &d.Timeline.Stretches[i]
		if int64(end) >= s.At && int64(begin) < s.At+d.Timeline.Step {
			sum.join(s)
			seen = true
		}
	}
	return sum, seen
}

// local gives the reasons of an attempt's own time.
func (d *Document) local(s *Stretch, t Thresholds) []Reason {
	var out []Reason
	if r := s.Load; r != nil && d.Host.CPUs > 0 && product(r.Sum).Cmp(product(t.Load, d.Host.CPUs, r.N)) > 0 {
		out = append(out, Reason{Kind: ReasonLoad, N: r.N, Value: r.Sum / r.N, Worst: r.Worst, Base: d.Host.CPUs, Limit: t.Load})
	}
	if r := s.Available; r != nil && product(r.Sum).Cmp(product(t.Available, r.N)) < 0 {
		out = append(out, Reason{Kind: ReasonMemory, N: r.N, Value: r.Sum / r.N, Worst: r.Worst, Limit: t.Available})
	}
	for _, v := range s.Services {
		service := &d.Services[v.Service]
		before := service.Before
		if before == nil {
			continue // nothing to compare with
		}
		if r, b := v.Latency, before.Latency; r != nil && b != nil &&
			product(r.Sum, 100).Cmp(product(b.Median, t.Slow, r.N)) > 0 && product(r.Sum).Cmp(product(b.Median+t.SlowLeast, r.N)) > 0 {
			out = append(out, Reason{Kind: ReasonSlow, Subject: service.URL, N: r.N, Value: r.Sum / r.N, Worst: r.Worst, Base: b.Median, BaseN: b.N, Limit: t.Slow})
		}
		// Above that before as well: a service that was down all the time says nothing of the load.
		if product(v.Failed, 1000).Cmp(product(t.Failing, v.N)) > 0 && product(v.Failed, before.N).Cmp(product(before.Failed, v.N)) > 0 {
			out = append(out, Reason{Kind: ReasonFailing, Subject: service.URL, N: v.N, Value: v.Failed, Base: before.Failed, BaseN: before.N, Limit: t.Failing})
		}
	}
	return out
}

// accelerators gives those that were in use while the bench asked nothing of them. During the run nobody can tell the
// model's own use from that of others.
func (d *Document) accelerators(t Thresholds) []Reason {
	var out []Reason
	for i := range d.Accelerators.List {
		a := &d.Accelerators.List[i]
		for _, p := range []Phase{Before, After} {
			if in := a.In(p); in != nil && in.Busy != nil && in.Busy.Median >= t.Accelerator {
				out = append(out, Reason{Kind: ReasonAccelerator, Subject: fmt.Sprintf("%d %s", a.Index, p), N: in.Busy.N, Value: in.Busy.Median, Worst: in.Busy.Max, Limit: t.Accelerator})
			}
		}
	}
	return out
}

// slowed gives the model's loss of speed.
func (d *Document) slowed(t Thresholds) []Reason {
	alone, under := d.Speed.Before, d.Speed.During
	if alone == nil || under == nil || alone.Rate == nil || under.Rate == nil {
		return nil
	}
	if product(under.Rate.Median, 1000).Cmp(product(alone.Rate.Median, t.Speed)) >= 0 {
		return nil
	}
	return []Reason{{Kind: ReasonSpeed, N: under.N, Value: under.Rate.Median, Base: alone.Rate.Median, BaseN: alone.N, Limit: t.Speed}}
}

// product multiplies without overflow.
func product(factors ...int64) *big.Int {
	out := big.NewInt(1)
	for _, f := range factors {
		out.Mul(out, big.NewInt(f))
	}
	return out
}

// String says the reason in words, with its figures and its threshold.
func (r Reason) String() string {
	switch r.Kind {
	case ReasonLoad:
		return fmt.Sprintf("the load average was %s on %s (%s, at worst %s; flagged above %s for each)",
			fixed(r.Value, 100, 2), count(r.Base, "CPU"), count(r.N, "sample"), fixed(r.Worst, 100, 2), fixed(r.Limit, 100, 2))
	case ReasonMemory:
		return fmt.Sprintf("%s of memory was available (%s, at worst %s; flagged below %s)",
			percent(r.Value), count(r.N, "sample"), percent(r.Worst), percent(r.Limit))
	case ReasonAccelerator:
		return fmt.Sprintf("accelerator %s the run was %d %% busy, while the bench asked nothing of it (median of %s, at most %d %%; flagged from %d %%)",
			printable(r.Subject), r.Value, count(r.N, "sample"), r.Worst, r.Limit)
	case ReasonSlow:
		return fmt.Sprintf("%s took %s on average (%s, at worst %s), against a median of %s before (flagged above x%s)",
			printable(r.Subject), length(r.Value), count(r.N, "probe"), length(r.Worst), length(r.Base), fixed(r.Limit, 100, 1))
	case ReasonFailing:
		return fmt.Sprintf("%s failed %d of %s, against %d of %d before (flagged above %s)",
			printable(r.Subject), r.Value, count(r.N, "probe"), r.Base, r.BaseN, percent(r.Limit))
	case ReasonSpeed:
		return fmt.Sprintf("the model gave %s under the run, against %s alone (medians of %d and %s; flagged below %s)",
			rate(r.Value), rate(r.Base), r.N, count(r.BaseN, "call"), percent(r.Limit))
	}
	return printable(string(r.Kind))
}
