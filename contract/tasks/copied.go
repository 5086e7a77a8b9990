package tasks

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// leastLine is the fewest bytes of a line that is told from others: shorter ones stand in many files.
const leastLine = 16

// copied finds public files that hold what is sealed: the contract, the reference, a control or the staged faults of a task, whole
// or the larger part of its lines. An agent would read the key.
func (s *Set) copied() ([]bench.ClaimFault, error) {
	sealed := map[string]map[string]bool{}
	for _, t := range s.tasks {
		dir := path.Dir(path.Dir(t.File)) + "/sealed"
		for _, under := range []string{dir, dir + "/controls"} {
			entries, err := fs.ReadDir(s.bench.FS, under)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return nil, err
			}
			for _, e := range entries {
				if !e.Type().IsRegular() {
					continue
				}
				b, err := fs.ReadFile(s.bench.FS, under+"/"+e.Name())
				if err != nil {
					return nil, err
				}
				if lines := linesOf(string(b)); len(lines) > 0 {
					sealed[under+"/"+e.Name()] = lines
				}
			}
		}
	}
	names := slices.Sorted(maps.Keys(sealed))
	var out []bench.ClaimFault
	for _, t := range s.tasks {
		for i := range t.Public.Evidence {
			f := &t.Public.Evidence[i]
			text, ok := f.Text()
			if !ok {
				continue
			}
			have := linesOf(text)
			for _, name := range names {
				found := 0
				for l := range sealed[name] {
					if have[l] {
						found++
					}
				}
				if 2*found > len(sealed[name]) {
					out = append(out, bench.ClaimFault{Item: t.ID, Msg: fmt.Sprintf("the evidence file %s holds what is sealed in %s; an agent would read it", f.Path, name), Place: t.File})
					break
				}
			}
		}
	}
	return out, nil
}

// linesOf gives the lines that are told from others, without what frames them.
func linesOf(text string) map[string]bool {
	out := map[string]bool{}
	for l := range strings.Lines(text) {
		if l = strings.Join(strings.Fields(l), " "); len(l) >= leastLine && l[0] != '#' {
			out[l] = true
		}
	}
	return out
}
