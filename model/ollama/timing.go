package ollama

import (
	"time"

	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// durations are the server's, in nanoseconds; 0 is not said.
type durations struct {
	Total  wire.Count `json:"total_duration"`
	Load   wire.Count `json:"load_duration"` // with the wait for memory that other models held
	Prompt wire.Count `json:"prompt_eval_duration"`
	Output wire.Count `json:"eval_duration"`
}

// slack is how much longer than the whole call, as seen from here, the server's own total may be: clocks tick differently.
const slack = 100 * time.Millisecond

// record splits a call's time. The total is the client's. The server reports no time of waiting for a free slot; what its
// total has beyond the parts is that, with a millisecond or two of its own work, and the making of a grammar where there is
// a schema. Durations that cannot be are left unknown.
func (d durations) record(started time.Time, elapsed int64) record.Timing {
	t := record.Timing{Started: started, Total: elapsed}
	total := int64(d.Total)
	if total == 0 || total > elapsed+elapsed/20+slack.Nanoseconds() {
		return t
	}
	rest := total
	for _, p := range []struct {
		from wire.Count
		to   *int64
	}{{d.Load, &t.Load}, {d.Prompt, &t.Prompt}, {d.Output, &t.Output}} {
		if n := int64(p.from); n <= total {
			*p.to = n
			rest -= n
		} else {
			rest = 0 // a part beyond the whole: what is left of it is unknown
		}
	}
	t.Queue = max(rest, 0)
	return t
}
