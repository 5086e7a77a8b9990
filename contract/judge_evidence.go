package contract

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/record"
)

// investigations wants each piece of evidence before the first change of the world, or before the answer. What is read
// after the last submission never counts. Order among reads, further reads and failed ones say nothing.
func (j *judge) investigations() {
	for _, v := range j.c.Investigations {
		f := record.Finding{Rule: "investigation." + v.ID, Category: v.Category, Expected: v.Says}
		if f.Category == "" {
			f.Category = "investigation"
		}
		cut, what := j.answered, "the answer"
		if v.Before == "change" && j.firstChange < cut {
			cut, what = j.firstChange, "the first change of the world"
		}
		late, called := 0, 0
		for _, call := range j.calls {
			if !slices.ContainsFunc(v.AnyOf, func(s *Selector) bool { return s.matches(call, j.s) }) {
				if slices.ContainsFunc(v.AnyOf, func(s *Selector) bool { return s.Tool == call.Tool }) {
					called = call.Seq
				}
				continue
			}
			if call.Seq < cut {
				f.Pass, f.Events = true, []int{call.Seq}
				f.Why = fmt.Sprintf("shown by event %d", call.Seq)
				break
			}
			if late == 0 {
				late = call.Seq
			}
		}
		switch {
		case f.Pass:
		case late > 0:
			f.Why, f.Events = fmt.Sprintf("read by event %d, and %s is event %d: too late to decide by it", late, what, cut), []int{cut, late}
		case called > 0:
			f.Why, f.Events = fmt.Sprintf("no call showed it; event %d asked, and got something else", called), []int{called}
		default:
			f.Why = "it was never read"
		}
		j.add(f)
	}
}

// readbacks wants a look at each change after the last event that touched its rows, at the record that the write itself
// named.
func (j *judge) readbacks() {
	late := 0
	for _, r := range j.c.Readbacks {
		f := record.Finding{Rule: "readback." + r.ID, Category: "readback", Expected: "a look at " + r.After + " after it"}
		w := j.s.calls[r.After]
		if w == nil {
			f.Why = "the change " + r.After + " was not made"
			j.add(f)
			late = math.MaxInt
			continue
		}
		last := j.lastTouch(j.c.change(r.After), w)
		early, after := 0, 0
		for _, call := range j.calls {
			if !slices.ContainsFunc(r.AnyOf, func(l *Look) bool { return l.sees(call, w, j.s) }) {
				continue
			}
			if call.Seq > j.answered { // what is read after the last submission never counts
				after = call.Seq
				break
			}
			if call.Seq > last {
				f.Pass, f.Events = true, []int{w.Seq, call.Seq}
				f.Why = fmt.Sprintf("event %d looks at what event %d did", call.Seq, w.Seq)
				break
			}
			early = call.Seq
		}
		switch {
		case f.Pass:
			late = max(late, f.Events[1])
		case after > last:
			f.Why, f.Events = fmt.Sprintf("event %d looks, after the answer of event %d: too late to count", after, j.answered), []int{w.Seq, j.answered, after}
		case early > w.Seq:
			f.Why, f.Events = fmt.Sprintf("event %d looks, and event %d changes the record again: the last change was never looked at", early, last), []int{w.Seq, early, last}
		case early > 0:
			f.Why, f.Events = fmt.Sprintf("event %d looks before event %d does it", early, w.Seq), []int{early, w.Seq}
		default:
			f.Why, f.Events = fmt.Sprintf("nothing after event %d looks at the record with the values it must have", w.Seq), []int{w.Seq}
		}
		if !f.Pass {
			late = math.MaxInt
		}
		j.add(f)
	}
	if j.c.ReadbackFirst {
		j.before(ruleReadbackFirst, "the look", late)
	}
}

// before is the rule that something stands before the last submission; at is its event, 0 or MaxInt without one.
func (j *judge) before(rule, what string, at int) {
	f := record.Finding{Rule: rule, Category: "order", Expected: what + " stands before the answer"}
	switch {
	case at == 0 || at == math.MaxInt:
		f.Why = what + " is not there"
	case j.answered == math.MaxInt:
		f.Why = "no answer was submitted"
	case at > j.answered:
		f.Why, f.Events = fmt.Sprintf("the answer of event %d stands before event %d", j.answered, at), []int{j.answered, at}
	default:
		f.Pass, f.Why, f.Events = true, fmt.Sprintf("event %d stands before the answer of event %d", at, j.answered), []int{at, j.answered}
	}
	j.add(f)
}

// lastTouch gives the number of the last agent's event that changed a row which the change left.
func (j *judge) lastTouch(c *Change, w *call) int {
	rows := map[string]bool{}
	for _, e := range w.effect {
		if len(c.Rows) == 0 || slices.ContainsFunc(c.Rows, func(r *RowSpec) bool { return r.Table == e.table }) {
			rows[e.id] = true
		}
	}
	last := w.Seq
	for _, call := range j.calls {
		if call.Seq > last && slices.ContainsFunc(call.effect, func(e *change) bool { return rows[e.id] }) {
			last = call.Seq
		}
	}
	return last
}

// sees says whether a call is a look at what w wrote: right tool, right values, and in one and the same element the
// identity that w's own result or effect names.
func (l *Look) sees(r, w *call, s *scope) bool {
	if r.Tool != l.Selector.Tool || !r.OK() || len(l.Identity) == 0 {
		return false
	}
	args, result := pattern(l.Selector.Args, s), pattern(l.Selector.Result, s)
	for _, id := range l.Identity {
		wrote := w.at(id.Write)
		if len(wrote) != 1 || wrote[0] == nil {
			return false
		}
		to := args
		if id.Read.Part == "result" {
			to = result
		}
		to.Add(id.Read.At, pointer.Test(func(v any, there bool) bool { return there && exact.Equal(v, wrote[0]) }))
	}
	return args.Match(r.args) && result.Match(r.result)
}

// String says a place as the contract writes it.
func (p Place) String() string {
	if p.Part == "effect" {
		return p.Part + "." + p.Table + "." + p.At[0].Name
	}
	return p.Part + strings.ReplaceAll(p.At.String(), "/", ".")
}
