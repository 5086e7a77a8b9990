package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/world"
)

// pattern makes one pattern of several pointers, so that a `*` that they share binds one element.
func pattern(args []Arg, s *scope) *pointer.Pattern {
	p := &pointer.Pattern{}
	for _, a := range args {
		p.Add(a.At, func(v any, there bool) bool { return a.Want.holds(v, there, s, inJSON) })
	}
	return p
}

// matches says whether a selector recognises a call.
func (sel *Selector) matches(c *call, s *scope) bool {
	if c.Tool != sel.Tool || !pattern(sel.Args, s).Match(c.args) {
		return false
	}
	if sel.Refused != "" {
		return c.Status == world.Refused && c.Error != nil && c.Error.Code == sel.Refused
	}
	return c.OK() && pattern(sel.Result, s).Match(c.result)
}

// pinned says whether a row holds what the pins ask.
func pinned(pins []Pin, row map[string]any, s *scope) bool {
	for _, p := range pins {
		v, there := row[p.Column]
		if !p.Want.holds(v, there, s, inColumn) {
			return false
		}
	}
	return true
}

// unmet says in words which arguments are not as they must be.
func unmet(c *Change, call *call, s *scope) []string {
	var out []string
	for _, a := range c.Args {
		one := &pointer.Pattern{}
		one.Add(a.At, func(v any, there bool) bool { return a.Want.holds(v, there, s, inJSON) })
		if !one.Match(call.args) {
			got := "nothing"
			if v, ok := a.At.Get(call.args); ok {
				got = exact.Text(v)
			}
			out = append(out, fmt.Sprintf("%s is %s and must be %s", strings.TrimPrefix(a.At.String(), "/"), clip(got), a.Want.shown(s)))
		}
	}
	if len(out) == 0 && !pattern(c.Args, s).Match(call.args) {
		out = append(out, "no one element has all that the arguments must have")
	}
	if args, ok := call.args.(map[string]any); ok && c.OnlyArgs {
		for _, k := range slices.Sorted(maps.Keys(args)) {
			if !slices.ContainsFunc(c.Args, func(a Arg) bool { return len(a.At) > 0 && a.At[0].Name == k }) {
				out = append(out, fmt.Sprintf("%s is given and must not be", k))
			}
		}
	}
	return out
}

// shown says what a predicate asks, with its names replaced by their values.
func (p *Predicate) shown(s *scope) string {
	q := Predicate{Tests: slices.Clone(p.Tests)}
	for i := range q.Tests {
		q.Tests[i].Terms = slices.Clone(q.Tests[i].Terms)
		for k, t := range q.Tests[i].Terms {
			if r, ok := s.resolve(t); ok {
				q.Tests[i].Terms[k] = Term{Literal: r.json}
			}
		}
	}
	return q.String()
}

// stands says whether the rows that a change must leave were touched by the call and stand at the end; each row of the
// contract takes a row of its own, and all its pins bind that one row. why says what is missing.
func (j *judge) stands(c *Change, call *call) (ok bool, why string) {
	if len(call.effect) == 0 {
		return false, "it changed nothing"
	}
	s := &scope{x: j.x, calls: maps.Clone(j.s.calls)}
	s.calls[c.ID] = call
	if len(c.Rows) == 0 {
		if slices.ContainsFunc(call.effect, func(e *change) bool { return j.finalOf(e) != nil }) {
			return true, ""
		}
		return false, "what it changed was taken back"
	}
	fits := make([][]int, len(c.Rows))
	for i, r := range c.Rows {
		near := ""
		for k, e := range call.effect {
			if e.table != r.Table || e.op != r.Op {
				continue
			}
			f := j.finalOf(e)
			switch {
			case f == nil || (f.op == world.Delete) != (r.Op == world.Delete):
				near = "the row was taken back"
			case !pinned(r.Pins, f.row(), s):
				near = "the row is not as it must be: " + unmetPins(r.Pins, f.row(), s)
			default:
				fits[i] = append(fits[i], k)
			}
		}
		if len(fits[i]) == 0 {
			if near == "" {
				near = fmt.Sprintf("no %s of %s", r.Op, r.Table)
			}
			return false, near
		}
	}
	if assign(fits, len(call.effect), nil) == nil {
		return false, "one row stands where several must"
	}
	return true, ""
}

func unmetPins(pins []Pin, row map[string]any, s *scope) string {
	var out []string
	for _, p := range pins {
		v, there := row[p.Column]
		if p.Want.holds(v, there, s, inColumn) {
			continue
		}
		got := "not there"
		if there {
			got = clip(exact.Text(v))
		}
		out = append(out, fmt.Sprintf("%s is %s and must be %s", p.Column, got, p.Want.shown(s)))
	}
	return strings.Join(out, "; ")
}

// finalOf gives the final change of the row that an effect touched.
func (j *judge) finalOf(e *change) *change {
	for _, f := range j.final {
		if f.id == e.id {
			return f
		}
	}
	return nil
}

// assign gives each left one its own right one among those that fit, or nil. capacity says how many a right one takes (nil:
// one each; 0: any number).
func assign(fits [][]int, right int, capacity []int) []int {
	taken := make([][]int, right)
	room := func(r int) bool {
		if capacity == nil {
			return len(taken[r]) < 1
		}
		return capacity[r] == 0 || len(taken[r]) < capacity[r]
	}
	var seen []bool
	var place func(l int) bool
	place = func(l int) bool {
		for _, r := range fits[l] {
			if seen[r] {
				continue
			}
			seen[r] = true
			if room(r) {
				taken[r] = append(taken[r], l)
				return true
			}
			for i, other := range taken[r] {
				if place(other) {
					taken[r][i] = l
					return true
				}
			}
		}
		return false
	}
	for l := range fits {
		seen = make([]bool, right)
		if !place(l) {
			return nil
		}
	}
	out := make([]int, len(fits))
	for r, ls := range taken {
		for _, l := range ls {
			out[l] = r
		}
	}
	return out
}

func clip(s string) string {
	if len(s) > 120 {
		return strings.ToValidUTF8(s[:120], "") + "…"
	}
	return s
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
