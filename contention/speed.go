package contention

import (
	"errors"
	"fmt"
	"math/bits"
	"time"
)

// SpeedOf says what a calibration call's time covers.
type SpeedOf string

// What is timed. The two are not comparable, so one document has one of them.
const (
	Generation SpeedOf = "generation" // the output alone, as the server reports it
	Total      SpeedOf = "total"      // the whole call, prompt and waiting included
)

// Measure is one calibration call, made by the caller.
type Measure struct {
	Of      SpeedOf
	Tokens  int64         // output tokens
	Elapsed time.Duration //
	Failed  bool          // the call gave no answer; the rest is ignored
}

// Speed is the model's own speed, from calibration calls. Before is the model alone: without the run, though not without
// the services.
type Speed struct {
	Of SpeedOf `json:"of,omitzero"` // "" where nothing was measured
	Phased[SpeedPhase]
}

// SpeedPhase is the speed in one phase, in thousandths of a token per second, each call's rounded down.
type SpeedPhase struct {
	N      int64   `json:"n"` // calls that were answered
	Failed int64   `json:"failed,omitzero"`
	Tokens int64   `json:"tokens"`              // of all N calls
	Rate   *Spread `json:"milli_rate,omitzero"` // nil where no call was answered
}

// rateMax bounds a believable speed: a thousand million tokens per second.
const rateMax = 1_000_000_000_000

// rateOf gives a call's speed.
func (m Measure) rateOf() (int64, error) {
	if m.Of != Generation && m.Of != Total {
		return 0, fmt.Errorf("contention: a speed is of %q or %q, not of %q", Generation, Total, clip(printable(string(m.Of)), 32))
	}
	if m.Tokens <= 0 || m.Elapsed <= 0 {
		return 0, fmt.Errorf("contention: %d tokens in %v are no speed", m.Tokens, m.Elapsed)
	}
	hi, lo := bits.Mul64(uint64(m.Tokens), 1_000_000_000_000)
	if hi >= uint64(m.Elapsed) {
		return 0, errors.New("contention: the speed is too great to be true")
	}
	q, _ := bits.Div64(hi, lo, uint64(m.Elapsed))
	if q > rateMax {
		return 0, errors.New("contention: the speed is too great to be true")
	}
	return int64(q), nil
}

// speedTally collects the calls of one phase.
type speedTally struct {
	failed, tokens int64
	rates          sketch
}

// Speed takes one calibration call. The phase is the caller's, since a call made alone is made between phases, when
// nothing is probed. An error means that the call was not taken.
func (w *Watcher) Speed(p Phase, m Measure) error {
	if p.rank() == 0 {
		return fmt.Errorf("contention: a speed is measured %s, %s or %s the run", Before, During, After)
	}
	rate, err := int64(0), error(nil)
	if !m.Failed {
		if rate, err = m.rateOf(); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.doc != nil {
		return errStopped
	}
	if m.Failed {
		w.speeds.in(p).failed++
		return nil
	}
	if w.speedOf != "" && w.speedOf != m.Of {
		return fmt.Errorf("contention: speeds of %q and of %q cannot be compared", w.speedOf, m.Of)
	}
	w.speedOf = m.Of
	t := w.speeds.in(p)
	if m.Tokens > figuresMax-t.tokens {
		return errors.New("contention: too many tokens to count")
	}
	t.tokens += m.Tokens
	t.rates.add(rate)
	return nil
}

func (t *speedTally) phase() *SpeedPhase {
	return &SpeedPhase{N: t.rates.n, Failed: t.failed, Tokens: t.tokens, Rate: t.rates.spread()}
}
