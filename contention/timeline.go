package contention

import "time"

// stretchesMax is how many stretches a timeline holds at most.
const stretchesMax = 512

// Timeline is what happened when, for finding out about single attempts. All stretches are equally long. When a run grows
// beyond 512 of them, each two neighbours become one and the length doubles: counts, sums and worst values all survive,
// and only the resolution is lost. What is kept depends on the samples and their times alone.
type Timeline struct {
	Step      int64     `json:"step_ns"`
	Stretches []Stretch `json:"stretches"` // in order; one without any sample is left out
}

// Stretch sums up the samples of one stretch of time, which begins At nanoseconds after the document's start.
type Stretch struct {
	At           int64         `json:"at_ns"`
	Load         *Range        `json:"load1_centi,omitzero"`        // Worst is the greatest
	Busy         *Range        `json:"busy_permille,omitzero"`      // Worst is the greatest
	Available    *Range        `json:"available_permille,omitzero"` // Worst is the least
	Accelerators []CardRange   `json:"accelerators,omitempty"`      // by index
	Services     []ServedRange `json:"services,omitempty"`          // by their place among the services
}

// CardRange is how busy one accelerator was, in percent.
type CardRange struct {
	Index int64 `json:"index"`
	Busy  Range `json:"busy_percent"`
}

// ServedRange is what probes of one service saw that began in the stretch.
type ServedRange struct {
	Service int64  `json:"service"` // its place among the document's services, from 0
	N       int64  `json:"n"`
	Failed  int64  `json:"failed"`
	Latency *Range `json:"latency_ns,omitzero"` // as in Latency
}

// Range sums up values; their mean is Sum/N.
type Range struct {
	N     int64 `json:"n"`
	Sum   int64 `json:"sum"`
	Worst int64 `json:"worst"`
}

// timeline collects the stretches, by the wall clock, since attempts are recorded by it.
type timeline struct {
	start time.Time
	step  time.Duration
	list  []Stretch // in order of At
}

// at gives the stretch for a moment, thinning the others where it lies beyond the last one that there is room for.
func (t *timeline) at(when time.Time) *Stretch {
	since := max(when.Round(0).Sub(t.start), 0) // a clock that was set back must not lose samples
	for since/t.step >= stretchesMax {
		t.thin()
	}
	at := int64(since / t.step * t.step)
	i := len(t.list)
	for i > 0 && t.list[i-1].At > at {
		i--
	}
	if i > 0 && t.list[i-1].At == at {
		return &t.list[i-1]
	}
	t.list = append(t.list, Stretch{})
	copy(t.list[i+1:], t.list[i:])
	t.list[i] = Stretch{At: at}
	return &t.list[i]
}

// thin doubles the length of the stretches.
func (t *timeline) thin() {
	t.step *= 2
	var out []Stretch
	for _, s := range t.list {
		s.At = s.At / int64(t.step) * int64(t.step)
		if n := len(out); n > 0 && out[n-1].At == s.At {
			out[n-1].join(&s)
		} else {
			out = append(out, s)
		}
	}
	t.list = out
}

// join adds another stretch to this one.
func (s *Stretch) join(o *Stretch) {
	joinTo(&s.Load, o.Load, greatest)
	joinTo(&s.Busy, o.Busy, greatest)
	joinTo(&s.Available, o.Available, least)
	for _, c := range o.Accelerators {
		s.card(c.Index).join(c.Busy, greatest)
	}
	for _, v := range o.Services {
		to := s.service(v.Service)
		to.N, to.Failed = to.N+v.N, to.Failed+v.Failed
		joinTo(&to.Latency, v.Latency, greatest)
	}
}

func (s *Stretch) card(index int64) *Range {
	i := 0
	for ; i < len(s.Accelerators) && s.Accelerators[i].Index <= index; i++ {
		if s.Accelerators[i].Index == index {
			return &s.Accelerators[i].Busy
		}
	}
	s.Accelerators = append(s.Accelerators, CardRange{})
	copy(s.Accelerators[i+1:], s.Accelerators[i:])
	s.Accelerators[i] = CardRange{Index: index}
	return &s.Accelerators[i].Busy
}

func (s *Stretch) service(at int64) *ServedRange {
	i := 0
	for ; i < len(s.Services) && s.Services[i].Service <= at; i++ {
		if s.Services[i].Service == at {
			return &s.Services[i]
		}
	}
	s.Services = append(s.Services, ServedRange{})
	copy(s.Services[i+1:], s.Services[i:])
	s.Services[i] = ServedRange{Service: at}
	return &s.Services[i]
}

func greatest(a, b int64) int64 { return max(a, b) }
func least(a, b int64) int64    { return min(a, b) }

// join adds values to a range; worse chooses between two.
func (r *Range) join(o Range, worse func(a, b int64) int64) {
	switch {
	case o.N == 0:
	case r.N == 0:
		*r = o
	default:
		*r = Range{r.N + o.N, r.Sum + o.Sum, worse(r.Worst, o.Worst)}
	}
}

func joinTo(to **Range, o *Range, worse func(a, b int64) int64) {
	if o == nil {
		return
	}
	if *to == nil {
		*to = new(Range)
	}
	(*to).join(*o, worse)
}

// one is a range of a single value.
func one(v int64) *Range { return &Range{1, v, v} }
