package world

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// Staged is what a task's sealed part puts into its world: rows, and calls that fail at first. It cannot be written as
// JSON or printed, so that it cannot stand on any surface.
type Staged struct {
	rows   []seedFile
	faults []stagedFault
	digest string // SHA-256 of faults.yaml; "" where there is none
}

// stagedFault makes the first calls of a tool fail for a time.
type stagedFault struct {
	tool      string
	arguments map[string]any // a subset of the call's
	failures  int
	say       string
}

var errSealed = errors.New("sealed data is not written anywhere")

// MarshalJSON refuses.
func (*Staged) MarshalJSON() ([]byte, error) { return nil, errSealed }

// String says that there is nothing to see.
func (*Staged) String() string { return "(sealed)" }

// Format prints the same for every verb.
func (*Staged) Format(f fmt.State, _ rune) { fmt.Fprint(f, "(sealed)") }

// ReadStaged reads a task's sealed seed rows (seed/TABLE.csv|json) and staged faults (faults.yaml); either may be missing.
func (w *World) ReadStaged(fsys fs.FS, dir string) (*Staged, error) {
	s := &Staged{}
	var err error
	if s.rows, err = readSeeds(fsys, path.Join(dir, "seed")); err != nil {
		return nil, err
	}
	file := path.Join(dir, "faults.yaml")
	if _, err := fs.Stat(fsys, file); errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	b, err := readSized(fsys, file, 1<<20)
	if err != nil {
		return nil, &bench.Error{File: file, Msg: err.Error()}
	}
	n, err := bench.Parse(file, b)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	s.digest = hex.EncodeToString(sum[:])
	f := bench.NewFields(n)
	if l := f.Need("faults"); l != nil {
		if l.Kind != bench.List {
			f.Fault(l.Errorf("faults is a list"))
		}
		for _, v := range l.Values {
			f.Fault(s.readFault(v, w))
		}
	}
	return s, f.Done()
}

func (s *Staged) readFault(n *bench.Node, w *World) error {
	f := bench.NewFields(n)
	sf := stagedFault{tool: f.NeedText("tool"), failures: f.Int("failures"), say: f.NeedText("error")}
	t := w.Tool(sf.tool)
	if t == nil && sf.tool != "" {
		f.Fault(n.Get("tool").Errorf("the world has no tool %q", sf.tool))
	}
	if sf.failures < 1 || sf.failures > 100 {
		f.Fault(n.Errorf("failures is from 1 to 100"))
	}
	if a := f.Node("arguments"); a != nil {
		m, err := arguments(a)
		f.Fault(err)
		for k := range m {
			if t != nil && !t.Input.Has(k) {
				f.Fault(a.Errorf("the tool %s takes no %q", sf.tool, k))
			}
		}
		sf.arguments = m
	}
	s.faults = append(s.faults, sf)
	return f.Done()
}

func arguments(n *bench.Node) (map[string]any, error) {
	b, err := record.Canonical(n.Any())
	if err != nil {
		return nil, n.Errorf("%v", err)
	}
	m, err := decodeArgs(b)
	if err != nil {
		return nil, n.Errorf("%v", err)
	}
	return m, nil
}

func (f *stagedFault) matches(tool string, args map[string]any) bool {
	if f.tool != tool {
		return false
	}
	for k, v := range f.arguments {
		got, ok := args[k]
		if !ok || !sameJSON(v, got) {
			return false
		}
	}
	return true
}

// sameJSON compares two decoded values by their canonical text, numbers by value.
func sameJSON(a, b any) bool {
	x, err := record.Canonical(normal(a))
	if err != nil {
		return false
	}
	y, err := record.Canonical(normal(b))
	return err == nil && string(x) == string(y)
}
