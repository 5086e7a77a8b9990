package contention

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// hostState is what is known of the host. It is guarded by the watcher's lock.
type hostState struct {
	note         string
	last         Load
	ticks        *cpuTicks // of the sample before
	ticksPhase   Phase
	cpus, memory int64
	phases       tallies[hostTally]
}

type hostTally struct{ load, busy, available sketch }

// sampleHost reads /proc once.
func (w *Watcher) sampleHost() bool {
	s, err := readProc(w.opts.Proc)
	w.mu.Lock()
	defer w.mu.Unlock()
	h, phase := &w.host, w.stay.phase
	if err != nil && h.note == "" {
		h.note = oneLine(err)
	}
	load := Load{At: utc(w.opts.Now()), Memory: s.memory}
	if s.load != nil {
		load.Average = &Average{*s.load, s.cpus}
	}
	whole := true // the share of busy time lies within one phase
	if s.ticks != nil && h.ticks != nil {
		if v, ok := s.ticks.since(*h.ticks); ok {
			load.Busy = &v
		}
		whole = h.ticksPhase == phase
	}
	h.ticks, h.ticksPhase = s.ticks, phase
	if !load.known() {
		return true
	}
	h.last, h.cpus = load, max(h.cpus, s.cpus)
	at := w.line.at(load.At)
	tally := h.phases.in(phase)
	if a := load.Average; a != nil {
		joinTo(&at.Load, one(a.Load1), greatest)
		tally.load.add(a.Load1)
	}
	if load.Busy != nil {
		joinTo(&at.Busy, one(*load.Busy), greatest)
		if whole {
			tally.busy.add(*load.Busy)
		}
	}
	if m := load.Memory; m != nil {
		h.memory = m.Total
		joinTo(&at.Available, one(m.permille()), least)
		tally.available.add(m.permille())
	}
	return true
}

func (h *hostState) sum() Host {
	return Host{
		Known: h.last.known(), Note: h.note, CPUs: h.cpus, Memory: h.memory,
		Phased: phased(&h.phases, func(t *hostTally) *HostPhase {
			return &HostPhase{t.load.spread(), t.busy.spread(), t.available.spread()}
		}),
	}
}

// cardState is what is known of the accelerators. It is guarded by the watcher's lock.
type cardState struct {
	note                 string // where none is ever asked
	asked, failed, inRow int
	fault                error // the last one
	last                 []AcceleratorLoad
	lastAt               time.Time
	list                 []*card // by index
}

type card struct {
	AcceleratorLoad
	phases tallies[cardTally]
}

type cardTally struct{ busy, used sketch }

// sampleCards asks nvidia-smi once, and gives up after some failures in a row.
func (w *Watcher) sampleCards() bool {
	w.mu.Lock()
	before := w.stay
	w.mu.Unlock()
	got, err := askSMI(w.ctx, w.smi, w.opts.Getenv, smiTimeout)
	if w.ctx.Err() != nil {
		return false // the watch itself ended; the program is not to blame
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	c := &w.cards
	c.asked++
	if err != nil {
		c.failed, c.inRow, c.fault = c.failed+1, c.inRow+1, err
		return c.inRow < smiTries
	}
	c.inRow = 0
	c.last, c.lastAt = got, w.opts.Now()
	at := w.line.at(c.lastAt)
	for _, a := range got {
		card := c.card(a)
		if card == nil {
			continue
		}
		if a.Busy != nil {
			at.card(a.Index).join(*one(*a.Busy), greatest)
		}
		if before != w.stay {
			continue // asked in one phase and answered in another: it is neither's
		}
		tally := card.phases.in(before.phase)
		if a.Busy != nil {
			tally.busy.add(*a.Busy)
		}
		if a.Used != nil {
			tally.used.add(*a.Used)
		}
	}
	return true
}

// card finds an accelerator, or takes it up where there is room.
func (c *cardState) card(a AcceleratorLoad) *card {
	i, found := slices.BinarySearchFunc(c.list, a.Index, func(c *card, index int64) int { return cmp.Compare(c.Index, index) })
	if !found {
		if len(c.list) == cardsMax {
			return nil
		}
		c.list = slices.Insert(c.list, i, &card{AcceleratorLoad: a})
	}
	return c.list[i]
}

func (c *cardState) sum() Accelerators {
	out := Accelerators{Note: c.note, List: []Accelerator{}}
	if c.failed > 0 {
		out.Note = fmt.Sprintf("%d of %s to it failed, the last one so: %s", c.failed, count(int64(c.asked), "call"), oneLine(c.fault))
		if c.inRow >= smiTries {
			out.Note += fmt.Sprintf("; not asked again after %d failures in a row", smiTries)
		}
	}
	for _, card := range c.list {
		a := Accelerator{
			Index: card.Index, Name: card.Name,
			Phased: phased(&card.phases, func(t *cardTally) *AcceleratorPhase { return &AcceleratorPhase{t.busy.spread(), t.used.spread()} }),
		}
		if card.Total != nil {
			a.Total = *card.Total
		}
		out.List = append(out.List, a)
	}
	return out
}

// Now gives the load at this moment, that is, of the last sample, for an attempt that has just timed out. It reports false
// where nothing is known, or the last sample is old (the sampler itself was given no time).
func (w *Watcher) Now() (Load, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.opts.Now()
	var l Load
	if age := now.Sub(w.host.last.At); age <= 5*w.opts.Sample+time.Second {
		l = w.host.last
	}
	if age := now.Sub(w.cards.lastAt); age <= 10*w.opts.Sample+smiTimeout && len(w.cards.last) > 0 {
		l.Accelerators = slices.Clone(w.cards.last)
		if l.At.IsZero() {
			l.At = utc(w.cards.lastAt)
		}
	}
	return l, l.known()
}
