package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
)

// bind finds the call that satisfies each change, no call twice. Changes that speak of another change's result come after
// those that do not.
func (j *judge) bind() {
	var free []*Change
	for _, c := range j.c.Changes {
		if !j.refersToChange(c) {
			free = append(free, c)
		}
	}
	fits := make([][]int, 0, len(free))
	var some []*Change // those that any call satisfies
	for _, c := range free {
		if list := j.candidates(c); len(list) > 0 {
			fits, some = append(fits, list), append(some, c)
		}
	}
	used := map[int]bool{}
	// Without room for all, the first ones in the contract's order take theirs.
	for n := len(some); n > 0; n-- {
		got := assign(fits[:n], len(j.calls), nil)
		if got == nil {
			continue
		}
		for i, k := range got {
			j.s.calls[some[i].ID], used[k] = j.calls[k], true
		}
		break
	}
	for _, c := range j.c.Changes {
		if j.s.calls[c.ID] != nil || slices.Contains(free, c) && !slices.Contains(some, c) {
			continue
		}
		for _, k := range j.candidates(c) {
			if !used[k] {
				j.s.calls[c.ID], used[k] = j.calls[k], true
				break
			}
		}
	}
}

func (j *judge) refersToChange(c *Change) bool {
	terms := argTerms(c.Args)
	for _, r := range c.Rows {
		terms = append(terms, pinTerms(r.Pins)...)
	}
	return slices.ContainsFunc(terms, func(t Term) bool {
		head, _, _ := strings.Cut(t.Ref, ".")
		return t.Ref != "" && !j.c.refers(t.Ref) && head != c.ID
	})
}

// candidates gives the calls that satisfy a change, the last first: what stands at the end is what was done last.
func (j *judge) candidates(c *Change) []int {
	var out []int
	for k := len(j.calls) - 1; k >= 0; k-- {
		call := j.calls[k]
		if call.Tool != c.Tool || !call.OK() || len(unmet(c, call, j.s)) > 0 {
			continue
		}
		if ok, _ := j.stands(c, call); ok {
			out = append(out, k)
		}
	}
	return out
}

func (j *judge) changes() {
	for _, c := range j.c.Changes {
		f := record.Finding{Rule: "change." + c.ID, Category: c.Role, Expected: c.Tool + " with " + j.shownArgs(c.Args)}
		if call := j.s.calls[c.ID]; call != nil {
			f.Pass, f.Events = true, []int{call.Seq}
			f.Why = fmt.Sprintf("done by event %d, and it stands", call.Seq)
			f.Got = clip(string(call.Args))
		} else {
			f.Why, f.Got, f.Events = j.nearest(c)
		}
		j.add(f)
	}
}

func (j *judge) shownArgs(args []Arg) string {
	if len(args) == 0 {
		return "any arguments"
	}
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = strings.TrimPrefix(a.At.String(), "/") + " " + a.Want.shown(j.s)
	}
	return strings.Join(parts, ", ")
}

// nearest says why no call satisfies a change: what the nearest one lacks.
func (j *judge) nearest(c *Change) (why, got string, events []int) {
	best := -1
	for _, call := range j.calls {
		if call.Tool != c.Tool {
			continue
		}
		miss := unmet(c, call, j.s)
		reason := strings.Join(miss, "; ")
		n := len(miss)
		if !call.OK() {
			n += 100
			reason = string(call.Status)
			if call.Error != nil {
				reason += ": " + clip(call.Error.Message)
			}
		} else if n == 0 {
			if _, reason = j.stands(c, call); reason == "" {
				reason = "another change is satisfied by it already"
			}
		}
		if best < 0 || n <= best {
			best, got, events = n, clip(string(call.Args)), []int{call.Seq}
			why = fmt.Sprintf("event %d does not do it: %s", call.Seq, reason)
		}
	}
	if best < 0 {
		return c.Tool + " was not called", "", nil
	}
	return why, got, events
}

// order wants every primary change before the first message to those whom the contract names.
func (j *judge) order() {
	if !j.c.ordered() {
		return
	}
	f := record.Finding{Rule: ruleOrder, Category: "order", Expected: "the change first, then the message about it"}
	last := 0
	for _, c := range j.c.Changes {
		if c.Role != Primary {
			continue
		}
		call := j.s.calls[c.ID]
		if call == nil {
			f.Why = "the change " + c.ID + " was not made"
			j.add(f)
			return
		}
		last = max(last, call.Seq)
		f.Events = append(f.Events, call.Seq)
	}
	first := j.firstMessage()
	switch {
	case first == 0:
		f.Why = "no message was written"
	case first < last:
		f.Why = fmt.Sprintf("the message of event %d stands before the change of event %d", first, last)
		f.Events = append(f.Events, first)
	default:
		f.Pass, f.Why = true, fmt.Sprintf("the change of event %d stands before the message of event %d", last, first)
		f.Events = append(f.Events, first)
	}
	slices.Sort(f.Events)
	j.add(f)
}

// firstMessage gives the number of the first event that wrote to those whom the contract names, 0 without one. It goes by
// tool and arguments alone: a first draft that was later put right is a message all the same.
func (j *judge) firstMessage() int {
	for _, call := range j.calls {
		if !call.OK() || len(call.effect) == 0 {
			continue
		}
		for _, c := range j.c.Changes {
			if c.Role == Communication && c.Tool == call.Tool && len(unmet(c, call, j.s)) == 0 {
				return call.Seq
			}
		}
	}
	return 0
}
