package modeltest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Every reads a plan of faults, "KIND:N,KIND:N": every N-th call suffers that fault (N is 1 when it is left out). KIND is
// a fault of WireChat, or "all" for each transient one in turn. The first part of the plan that applies to a call decides.
func Every(plan string) (func(n int64) Fault, error) { return EveryOf(WireChat, plan) }

// EveryOf is Every for another wire.
func EveryOf(w Wire, plan string) (func(n int64) Fault, error) {
	type part struct {
		kinds []Fault
		every int64
	}
	var parts []part
	for _, p := range strings.Split(plan, ",") {
		name, count, ok := strings.Cut(strings.TrimSpace(p), ":")
		every := int64(1)
		if ok {
			n, err := strconv.ParseInt(count, 10, 64)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("fault plan %q: %q is not a whole number from 1", plan, count)
			}
			every = n
		}
		kinds := []Fault{Fault(name)}
		if name == "all" {
			kinds = slices.DeleteFunc(FaultsOf(w), func(f Fault) bool { return !f.Transient() })
		} else if _, known := tables().of[w][Fault(name)]; !known {
			return nil, fmt.Errorf("fault plan %q: no fault %q; known: all, %s", plan, name, strings.Trim(fmt.Sprint(FaultsOf(w)), "[]"))
		}
		parts = append(parts, part{kinds, every})
	}
	return func(n int64) Fault {
		for _, p := range parts {
			if n%p.every == 0 {
				return p.kinds[(n/p.every-1)%int64(len(p.kinds))]
			}
		}
		return ""
	}, nil
}

// Draw scatters faults of all kinds evenly over many calls: of each Every calls in a row one suffers, at a place that the
// seed decides, and each kind comes up once before any comes up again. The same Draw gives the same faults.
type Draw struct {
	Wire  Wire
	Seed  uint64
	Every int64 // 20 lets 5 % of the calls suffer; 0 is 20
	// Terminal takes in what must stop a run (a refused key, an unknown model), and Changes what shows outside the call (a
	// changed digest): a run meets either once.
	Terminal, Changes bool
}

// Kinds are the faults that are drawn: all of the wire but those that take long or send much, and those that the options
// leave out.
func (d Draw) Kinds() []Fault {
	return slices.DeleteFunc(FaultsOf(d.Wire), func(f Fault) bool {
		return f.Costly() || f.Terminal() && !d.Terminal || f.Shows() != "" && !d.Changes
	})
}

// Plan is the fault of the n-th call, counted from 1, for MockOptions.Fault, or of the n-th attempt where the mock's Reply
// tells attempts apart, so that a fault lasts through all tries. It may be called concurrently.
func (d Draw) Plan() func(n int64) Fault {
	kinds := d.Kinds()
	every := d.Every
	if every < 1 {
		every = 20
	}
	return func(n int64) Fault {
		block, place := (n-1)/every, (n-1)%every
		if n < 1 || place != rand.New(rand.NewPCG(d.Seed, uint64(block))).Int64N(every) {
			return ""
		}
		round, turn := block/int64(len(kinds)), block%int64(len(kinds))
		return kinds[rand.New(rand.NewPCG(^d.Seed, uint64(round))).Perm(len(kinds))[turn]]
	}
}
