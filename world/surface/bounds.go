package surface

import (
	"fmt"
	"sync"
	"time"

	"github.com/assaybench/assay/world"
)

// Capped is which limit of an episode a caller met.
type Capped string

// The limits that a server can count. What a caller's model says and costs is not seen here.
const (
	CappedCalls Capped = "calls"
	CappedTime  Capped = "time"
)

// bounds are an episode's limits, counted where the calls come in, whatever the caller counts itself. The zero value has none.
type bounds struct {
	mu     sync.Mutex
	calls  int       // 0: no limit
	until  time.Time // zero: no limit
	made   int
	met    Capped
	capped func(Capped)
}

// Bound sets limits from now on: so many calls, of whatever surface and however they end (0: no limit), and none after a
// moment (zero: no limit). The first call beyond a limit and every later one is refused without a trace in the log. capped,
// which may be nil, is told of the first, once, before its caller hears of it.
func (v *Server) Bound(calls int, until time.Time, capped func(Capped)) {
	b := &v.bounds
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls, b.until, b.capped = calls, until, capped
}

// refuse counts a call, or says why it is one too many.
func (b *bounds) refuse() *world.CallError {
	b.mu.Lock()
	defer b.mu.Unlock()
	met := b.met
	switch {
	case met != "":
	case b.calls > 0 && b.made >= b.calls:
		met = CappedCalls
	case !b.until.IsZero() && !time.Now().Before(b.until):
		met = CappedTime
	default:
		b.made++
		return nil
	}
	if b.met == "" {
		b.met = met
		if b.capped != nil {
			b.capped(met)
		}
	}
	say := fmt.Sprintf("The limit of %d calls was reached; this one was not made, and the episode is over.", b.calls)
	if met == CappedTime {
		say = "The time of the episode is over; this call was not made."
	}
	return &world.CallError{Code: world.Limit, Message: say}
}
