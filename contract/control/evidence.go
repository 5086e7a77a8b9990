package control

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/exact"
)

// decoy is a read of another record in the place of a material one, with what would follow from it.
type decoy struct {
	m     material
	arg   string
	was   any
	v     any
	x     *contract.Expected
	stale int // 2: surely, 1: perhaps
}

// maxDecoys bounds how many decoys are looked at for one read.
const maxDecoys = 30

// decoys gives, for each material read, the records that could be read in its place and from which another answer follows:
// stale ones first where stale is asked, last where it is not, as those are of the task's own subject. skip leaves out reads of
// which enough is known; yield ends the search by false.
func (s *Subject) decoys(staleFirst bool, skip func(material) bool, yield func(decoy) bool) {
	var late []decoy
	for _, m := range s.materials() {
		st := s.steps[m.steps[0]]
		for _, arg := range sortedKeys(st.Args) {
			if skip(m) {
				break
			}
			was := st.Args[arg]
			if !s.derivedBy(st.Tool, arg, was) {
				continue
			}
			vals, _ := s.siblings(st.Tool, arg, was)
			sure, perhaps := s.stale(was)
			old := slices.Concat(sure, perhaps)
			vals = slices.Concat(old, slices.DeleteFunc(vals, func(v any) bool { return among(old, v) }))
			for _, v := range vals[:min(len(vals), maxDecoys)] {
				if skip(m) {
					break
				}
				d := decoy{m: m, arg: arg, was: was, v: v, x: s.underDecoy(m, arg, v)}
				if d.x == nil {
					continue
				}
				switch {
				case among(sure, v):
					d.stale = 2
				case among(perhaps, v):
					d.stale = 1
				}
				if staleFirst && d.stale < 2 || !staleFirst && (d.stale > 0 || s.isSubject(was)) {
					late = append(late, d)
					continue
				}
				if !yield(d) {
					return
				}
			}
		}
	}
	slices.SortStableFunc(late, func(a, b decoy) int { return b.stale - a.stale })
	for _, d := range late {
		if !skip(d.m) && !yield(d) {
			return
		}
	}
}

func none(material) bool { return false }

// underDecoy gives what follows when a material read asks for another record; nil where nothing follows, or the same answer.
func (s *Subject) underDecoy(m material, arg string, v any) *contract.Expected {
	key := fmt.Sprintf("%d %s %s", m.steps[0], arg, exact.Text(v))
	x, known := s.under[key]
	if !known {
		var ok bool
		if x, ok = s.derive(s.swapped(m, arg, v), nil); !ok || !s.differs(x) {
			x = nil
		}
		s.under[key] = x
	}
	return x
}

// derivedBy says whether the contract derives anything from a read by this tool that asks for this value.
func (s *Subject) derivedBy(tool, arg string, v any) bool {
	return slices.ContainsFunc(s.asked, func(a Step) bool { return a.Tool == tool && exact.Equal(a.Args[arg], v) })
}

func among(list []any, v any) bool {
	return slices.ContainsFunc(list, func(w any) bool { return exact.Equal(w, v) })
}

// differs says whether other expected values give another answer than is right.
func (s *Subject) differs(x *contract.Expected) bool {
	a, b := s.c.AnswerUnder(x, s.roles), s.c.AnswerUnder(s.x, s.roles)
	for k, v := range b {
		if w, ok := a[k]; ok && !exact.Equal(v, w) {
			return true
		}
	}
	return false
}

// swapped gives what the contract's own reads become when a material read asks for another record.
func (s *Subject) swapped(m material, arg string, v any) func(string, jsontext.Value) (string, jsontext.Value) {
	st := s.steps[m.steps[0]]
	return func(tool string, raw jsontext.Value) (string, jsontext.Value) {
		args, err := decodeArgs(raw)
		if tool != st.Tool || err != nil || !exact.Equal(args[arg], st.Args[arg]) {
			return tool, raw
		}
		args[arg] = v
		return tool, exact.JSON(args)
	}
}

// read gives the reference's steps with the decoy read in the place of the right record.
func (d *decoy) read(steps []Step) []Step {
	out := slices.Clone(steps)
	for _, i := range d.m.steps {
		out[i] = out[i].with(d.arg, d.v)
	}
	return out
}

func (d *decoy) text(s *Subject) string {
	return fmt.Sprintf("%s, %s %s in place of %s", s.steps[d.m.steps[0]].Tool, d.arg, exact.Text(d.v), exact.Text(d.was))
}

// wrongEvidence reads a decoy in the place of a material record and answers what follows from it; the work itself is right:
// once for each material read that has a decoy from which another answer follows. No two are the same.
func (s *Subject) wrongEvidence() []plan {
	var out []plan
	done, taken := map[int]bool{}, map[string]bool{}
	s.decoys(false, func(m material) bool { return done[m.steps[0]] }, func(d decoy) bool {
		steps, breaks := s.answering(d.read(s.steps), d.x)
		if len(breaks) == 0 || taken[digest(steps)] {
			return true
		}
		done[d.m.steps[0]], taken[digest(steps)] = true, true
		out = append(out, plan{name: "wrong_evidence", form: d.text(s), exact: true, steps: steps, breaks: append(slices.Clone(d.m.shows), breaks...)})
		return true
	})
	if len(out) == 0 {
		out = append(out, plan{name: "wrong_evidence", why: "no record that stands beside the right one gives another answer when it is read in its place"})
	}
	return out
}

// staleEvidence reads both the record that holds and the one before it, and believes the older. Where both stand in one list,
// the one is taken for the other. taken are the digests of controls that it must not equal.
func (s *Subject) staleEvidence(taken map[string]bool) plan {
	p := plan{name: "stale_evidence", exact: true}
	s.decoys(true, none, func(d decoy) bool {
		steps, breaks := s.answering(s.steps, d.x)
		if len(breaks) == 0 || d.stale == 0 {
			return d.stale > 0
		}
		at := d.m.steps[len(d.m.steps)-1]
		stale := s.steps[at].with(d.arg, d.v)
		stale.ref = 0
		p.steps, p.breaks = slices.Insert(steps, at+1, stale), breaks
		p.form = "believes " + d.text(s)
		return false
	})
	if p.steps == nil {
		s.swappedRows(func(what string, x *contract.Expected) bool {
			steps, breaks := s.answering(s.steps, x)
			if len(breaks) == 0 || taken[digest(steps)] {
				return true
			}
			p.steps, p.breaks, p.form = steps, breaks, "believes "+what
			return false
		})
	}
	if p.steps == nil {
		p.why = "no stale or rival record gives another answer: whoever believes it is right all the same"
	}
	return p
}

// swappedRows believes one row of a list in the place of another of the same list: each input of rows, each pair of rows that
// differ, with what they say exchanged; first pairs of which one row says that it no longer holds. yield ends the search by
// false.
func (s *Subject) swappedRows(yield func(what string, x *contract.Expected) bool) {
	const most = 8
	for _, staleOnly := range []bool{true, false} {
		for _, in := range s.c.Inputs {
			if in.At.Stars() > 0 || !slices.Contains(s.c.MaterialInputs(), in.Name) {
				continue
			}
			for i := range most {
				for k := i + 1; k < most; k++ {
					x, ok := s.exchanged(in, i, k, staleOnly)
					if ok && s.differs(x) && !yield(fmt.Sprintf("row %d of %s where row %d holds", k+1, in.Name, i+1), x) {
						return
					}
				}
			}
		}
	}
}

// exchanged derives from a list in which two rows say what the other says; ok is false where there are no such rows, or
// nothing follows.
func (s *Subject) exchanged(in *contract.Input, i, k int, staleOnly bool) (*contract.Expected, bool) {
	hit := false
	x, ok := s.derive(nil, func(tool string, result jsontext.Value) jsontext.Value {
		if tool != in.Tool {
			return result
		}
		doc, err := exact.Decode(result)
		if err != nil {
			return result
		}
		list, ok := at(in, doc)
		if !ok || k >= len(list) || staleOnly && !saysPast(list[i]) && !saysPast(list[k]) || !exchange(list, i, k) {
			return result
		}
		hit = true
		return exact.JSON(doc)
	})
	return x, ok && hit
}

// saysPast says whether an element of a list says that it no longer holds.
func saysPast(v any) bool {
	m, ok := v.(map[string]any)
	return ok && pastWord(m)
}

func at(in *contract.Input, doc any) ([]any, bool) {
	v, ok := in.At.Get(doc)
	if !ok {
		return nil, false
	}
	list, ok := v.([]any)
	return list, ok
}

// exchange changes the numbers and dates of two rows with each other, and leaves what names and qualifies them.
func exchange(list []any, i, k int) bool {
	a, ok := list[i].(map[string]any)
	b, ok2 := list[k].(map[string]any)
	if !ok || !ok2 {
		return false
	}
	done := false
	for name, v := range a {
		if w, has := b[name]; has && measure(v) && measure(w) && !exact.Equal(v, w) {
			a[name], b[name], done = w, v, true
		}
	}
	return done
}
