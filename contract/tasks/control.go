package tasks

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/world"
)

// Controls gives a task's own controls: the reference trace, which must be accepted, and the traces of sealed/controls.
func (s *Set) Controls(item string) ([]bench.Control, error) {
	t, err := s.Task(item)
	if err != nil {
		return nil, err
	}
	return t.controls, nil
}

// Least is how many controls a task carries by itself; more are made of its reference.
func (s *Set) Least(string) (accept, reject int) { return 1, 0 }

const maxControl = 4 << 20

// readControls reads reference.jsonl and controls/NAME.jsonl. A control that must be refused says so in a line of its own
// ("# breaks: CRITERION, …"); one without that line must be accepted, as another right way to work.
func readControls(fsys fs.FS, dir string) ([]bench.Control, error) {
	file := path.Join(dir, "reference.jsonl")
	ref, err := readControl(fsys, file, "reference")
	if err != nil {
		return nil, err
	}
	if !ref.Accept {
		return nil, &bench.Error{File: file, Msg: "the reference breaks nothing; put a trace that must be refused into controls/"}
	}
	accepted, refused := []bench.Control{ref}, []bench.Control(nil)
	entries, err := fs.ReadDir(fsys, path.Join(dir, "controls"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &bench.Error{File: path.Join(dir, "controls"), Msg: err.Error()}
	}
	var errs []error
	for _, e := range entries {
		file := path.Join(dir, "controls", e.Name())
		name, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if !ok || !bench.ValidID(name) || name == "reference" {
			errs = append(errs, &bench.Error{File: file, Msg: "no control; controls are NAME.jsonl, a trace with one call a line"})
			continue
		}
		c, err := readControl(fsys, file, name)
		errs = append(errs, err)
		if c.Accept {
			accepted = append(accepted, c)
		} else {
			refused = append(refused, c)
		}
	}
	return append(accepted, refused...), errors.Join(errs...)
}

func readControl(fsys fs.FS, file, name string) (bench.Control, error) {
	st, err := fs.Stat(fsys, file)
	if err != nil {
		return bench.Control{}, &bench.Error{File: file, Msg: "the trace cannot be read: " + fsReason(err)}
	}
	if st.Size() > maxControl {
		return bench.Control{}, &bench.Error{File: file, Msg: "larger than 4 MiB, which no trace may be"}
	}
	b, err := fs.ReadFile(fsys, file)
	if err != nil {
		return bench.Control{}, &bench.Error{File: file, Msg: err.Error()}
	}
	c := bench.Control{Name: name, Accept: true, Answer: string(b), File: file, Line: 1}
	for line := range strings.Lines(c.Answer) {
		if list, ok := strings.CutPrefix(strings.TrimSpace(line), "# breaks:"); ok {
			c.Accept = false
			for id := range strings.SplitSeq(list, ",") {
				c.Breaks = append(c.Breaks, strings.TrimSpace(id))
			}
		}
	}
	if _, err := world.ReadTrace(b); err != nil {
		return c, &bench.Error{File: file, Msg: err.Error()}
	}
	return c, nil
}

// criteria checks that every control breaks what the contract asks: a misspelt criterion would be a claim about nothing.
func (t *Task) criteria() error {
	rules := t.contract.Rules()
	var errs []error
	for i := range t.controls {
		c := &t.controls[i]
		for _, id := range c.Breaks {
			if !slices.Contains(rules, id) {
				errs = append(errs, &bench.Error{File: c.File, Line: breaksLine(c.Answer, id), Msg: fmt.Sprintf("the contract has no criterion %q%s", id, bench.Nearest(id, rules))})
			}
		}
	}
	return errors.Join(errs...)
}

// breaksLine gives the line of the remark that names a criterion.
func breaksLine(text, id string) int {
	n := 0
	for line := range strings.Lines(text) {
		n++
		if list, ok := strings.CutPrefix(strings.TrimSpace(line), "# breaks:"); ok {
			for s := range strings.SplitSeq(list, ",") {
				if strings.TrimSpace(s) == id {
					return n
				}
			}
		}
	}
	return 1
}

// Mutants makes traces that must be refused out of the reference: each leaves out one call that changes the world, and
// further ones leave out all work, all reading, or all looking again.
func (s *Set) Mutants(item string) ([]bench.Mutant, error) {
	t, err := s.Task(item)
	if err != nil {
		return nil, err
	}
	return t.mutants()
}
