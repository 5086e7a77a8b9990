package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Flat takes joined errors apart, whatever they were joined into.
func Flat(err error) []error {
	if err == nil {
		return nil
	}
	j, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var out []error
	for _, e := range j.Unwrap() {
		out = append(out, Flat(e)...)
	}
	return out
}

// Fold takes joined errors apart, and makes one of those that say the same of the same file: one wrong name is one line, at the
// first place that has it, with the lines of the others behind it.
func Fold(err error) []error {
	type same struct{ file, msg string }
	at := map[same]int{}
	more := map[int][]int{} // lines, by the index in out
	var out []error
	for _, e := range Flat(err) {
		be, ok := e.(*Error)
		if !ok || be.File == "" || be.Line == 0 {
			out = append(out, e)
			continue
		}
		k := same{be.File, be.Msg}
		i, seen := at[k]
		if !seen {
			at[k] = len(out)
			out = append(out, e)
			continue
		}
		first := out[i].(*Error)
		if be.Line < first.Line {
			first, be, out[i] = be, first, e
		}
		if be.Line != first.Line && !slices.Contains(more[i], be.Line) {
			more[i] = append(more[i], be.Line)
		}
	}
	for i, lines := range more {
		e := *out[i].(*Error)
		slices.Sort(lines)
		lines = slices.DeleteFunc(lines, func(n int) bool { return n == e.Line })
		if len(lines) == 0 {
			continue
		}
		var words []string
		for _, n := range lines[:min(len(lines), 10)] {
			words = append(words, fmt.Sprint(n))
		}
		say := "; so in line "
		if len(lines) > 1 {
			say = "; so in lines "
		}
		e.Msg += say + strings.Join(words, ", ")
		if len(lines) > 10 {
			e.Msg += fmt.Sprintf(" and %d more", len(lines)-10)
		}
		out[i] = &e
	}
	return out
}
