package tasks

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

func (t *Task) mutants() ([]bench.Mutant, error) {
	ref, err := world.ReadTrace([]byte(t.controls[0].Answer))
	if err != nil {
		return nil, err
	}
	write := func(i int) bool {
		tool := t.World.Tool(ref[i].Tool)
		return ref[i].Tool == world.ToolSubmit || tool != nil && tool.Access == world.Write
	}
	first := 0
	for first < len(ref) && !write(first) {
		first++
	}
	whole, err := traceText(ref, func(int) bool { return true })
	if err != nil {
		return nil, err
	}
	var out []bench.Mutant
	add := func(name string, keep func(i int) bool) error {
		text, err := traceText(ref, keep)
		if err == nil && text != whole { // a reference without the part is not changed by leaving it out
			out = append(out, bench.Mutant{Name: name, Answer: text, Breaks: bench.AnyRule})
		}
		return err
	}
	errs := []error{
		add("noop", func(int) bool { return false }),
		add("shortcut", write),
		add("state-only", func(i int) bool { return ref[i].Tool != world.ToolSubmit }),
		add("answer-only", func(i int) bool { return ref[i].Tool == world.ToolSubmit }),
		add("reads-only", func(i int) bool { return !write(i) }),
	}
	for i := range ref {
		if write(i) {
			errs = append(errs, add(fmt.Sprintf("without-call-%d", i+1), func(k int) bool { return k != i }))
		}
	}
	if first > 0 && first < len(ref) {
		moved := slices.Concat(ref[first:first+1], ref[:first], ref[first+1:])
		text, err := traceText(moved, func(int) bool { return true })
		errs = append(errs, err)
		out = append(out, bench.Mutant{Name: "write-before-read", Answer: text, Breaks: bench.AnyRule})
	}
	constants, err := t.constants()
	errs = append(errs, err)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return append(out, constants...), nil
}

func traceText(trace []world.TraceCall, keep func(int) bool) (string, error) {
	var b strings.Builder
	for i, c := range trace {
		if !keep(i) {
			continue
		}
		line, err := record.Canonical(c)
		if err != nil {
			return "", err
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String(), nil
}
