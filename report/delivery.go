package report

import (
	"fmt"
	"strings"

	"github.com/assaybench/assay/record"
)

// Delivery counts what became of the prompts of a model at a posture. Delivered, Undelivered, NotProvable, Error and Missing
// add up to the planned attempts; Exact, Refuses, Probe and Unread to Delivered.
type Delivery struct {
	Delivered   int `json:"delivered"`
	Exact       int `json:"exact"`          // proved by the server's own count of the rendered prompt
	Refuses     int `json:"refuses"`        // because the server refuses what does not fit, and never cuts it
	Probe       int `json:"probe"`          // because head, middle and tail of a prompt as heavy came back before the run
	Unread      int `json:"proof_not_read"` // the attempts' transcripts were not read, or do not say
	Undelivered int `json:"undelivered"`
	NotProvable int `json:"not_provable"`
	Error       int `json:"error"`   // attempts that ended in an error: there is nothing to prove
	Missing     int `json:"missing"` // attempts that were not made
	// The most frequent reasons first. They count attempts whose transcripts were read.
	UndeliveredWhy []Cause `json:"undelivered_why"`
	NotProvableWhy []Cause `json:"not_provable_why"`
}

// deliveries counts as rows come.
type deliveries struct {
	Delivery
	undelivered, notProvable causes
}

func (d *deliveries) add(r *Row) {
	var why string
	if r.Detail != nil {
		why = r.Detail.Reason
	}
	switch {
	case r.Outcome == "":
		// missing attempts are left over at the end
	case r.Outcome == record.Error:
		d.Error++
	case r.Outcome == record.Undelivered || r.Delivery == "undelivered":
		d.Undelivered++
		if r.Detail == nil || why == "" {
			why = r.Reason
		}
		d.undelivered.add(why)
	case r.Delivery == "delivered":
		d.delivered(r.Detail)
	default:
		d.NotProvable++
		if r.Detail != nil {
			d.notProvable.add(why)
		}
	}
}

func (d *deliveries) delivered(detail *Detail) {
	d.Delivered++
	proof := ""
	if detail != nil {
		proof = detail.Proof
	}
	switch proof {
	case "exact":
		d.Exact++
	case "refuses":
		d.Refuses++
	case "probe":
		d.Probe++
	default:
		d.Unread++
	}
}

// close sets what is left of the plan as missing.
func (d *deliveries) close(planned int) Delivery {
	d.Missing = planned - d.Delivered - d.Undelivered - d.NotProvable - d.Error
	d.UndeliveredWhy, d.NotProvableWhy = d.undelivered.list(), d.notProvable.list()
	return d.Delivery
}

// ended is how many attempts there is something to say about.
func (d *Delivery) ended() int { return d.Delivered + d.Undelivered + d.NotProvable }

// String is the deliveries on one line: "delivered 38/40 (counted exactly 30, shown by a probe 8), 2 not provable (no reply)"; "" where no
// attempt has ended.
func (d *Delivery) String() string {
	n := d.ended()
	if n == 0 {
		return ""
	}
	s := fmt.Sprintf("delivered %s/%s", thousands(int64(d.Delivered)), thousands(int64(n)))
	proofs := []struct {
		name string
		n    int
	}{{"counted exactly", d.Exact}, {"the server refuses what does not fit", d.Refuses}, {"shown by a probe", d.Probe}}
	var parts []string
	for _, p := range proofs {
		switch {
		case p.n > 0 && p.n == d.Delivered:
			parts = append(parts, p.name)
		case p.n > 0:
			parts = append(parts, fmt.Sprintf("%s %s", p.name, thousands(int64(p.n))))
		}
	}
	if d.Unread > 0 && len(parts) > 0 {
		parts = append(parts, fmt.Sprintf("how is not said: %s", thousands(int64(d.Unread))))
	}
	if len(parts) > 0 {
		s += " (" + strings.Join(parts, ", ") + ")"
	}
	for _, o := range []struct {
		what string
		n    int
		why  []Cause
	}{{"undelivered", d.Undelivered, d.UndeliveredWhy}, {"not provable", d.NotProvable, d.NotProvableWhy}} {
		if o.n == 0 {
			continue
		}
		s += fmt.Sprintf(", %s %s", thousands(int64(o.n)), o.what)
		if len(o.why) > 0 {
			s += " (" + causeWords(o.why) + ")"
		}
	}
	return s
}

// Probe is what a call before the run showed of long prompts: two words that nobody can guess, one at the head and one at
// the tail of a prompt as long as the bench's longest, were asked for.
type Probe struct {
	State   string `json:"state"`   // "shown", "not shown", "undelivered", "failed", "unneeded" or "skipped"
	Why     string `json:"why"`     //
	Bytes   int    `json:"bytes"`   // of the probe's prompt; 0: none was sent
	Longest int    `json:"longest"` // bytes of the longest planned prompt; 0: not known
	Item    string `json:"item"`    // that has it
}

// String is the probe on one line.
func (p *Probe) String() string {
	sent := fmt.Sprintf("a prompt of %s bytes", thousands(int64(max(p.Bytes, 0))))
	why := clip(Printable(p.Why), causePrinted)
	switch p.State {
	case "shown":
		return "head, middle and tail of " + sent + " came back"
	case "not shown":
		return "probe not shown: of " + sent + " " + why
	case "undelivered":
		return "probe undelivered: " + sent + " did not go through (" + why + ")"
	case "failed":
		return "probe failed: " + sent + " (" + why + ")"
	case "unneeded":
		return "no probe needed (" + why + ")"
	}
	return "no probe made (" + why + ")"
}
