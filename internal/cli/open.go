package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/benches"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/premise"
	"github.com/assaybench/assay/qualify"
	"github.com/assaybench/assay/sandbox"
)

// opened is a bench ready for use.
type opened struct {
	set    grade.Set
	bench  *bench.Bench
	state  bench.State
	proofs []qualify.Proof // of its digest; read by openToRun alone

	private *premise.PrivateSet // the same set, where it is a private one
}

// isPath tells a path from a shipped bench's name: "a path when it holds a /, begins with . or ends in .zip".
func isPath(ref string) bool {
	return strings.ContainsAny(ref, `/\`) || strings.HasPrefix(ref, ".") || strings.HasSuffix(ref, ".zip")
}

// files finds a bench's files.
func (p *Process) files(ref string) (fsys fs.FS, err error) {
	if !isPath(ref) {
		name, version, _ := strings.Cut(ref, "@")
		fsys, have, ok := benches.Open(name)
		switch {
		case !ok:
			return nil, usage("no bench is named %q%s; a bench of your own is named by its path, such as ./%s", name, bench.Nearest(name, benches.Names()), name)
		case version != "" && version != have:
			return nil, usage("this program ships %s@%s, not version %q", name, have, version)
		}
		return fsys, nil
	}
	info, err := os.Stat(p.path(ref))
	if err != nil {
		return nil, usage("%s: %v; name a bench's folder or .zip%s", ref, errors.Unwrap(err), p.itemOf(ref))
	}
	if info.IsDir() {
		return openFolder(p.path(ref)), nil
	}
	if info.Size() > 1<<30 {
		return nil, usage("%s: %d bytes; a bench's archive has at most 1 GiB", ref, info.Size())
	}
	data, err := os.ReadFile(p.path(ref))
	if err != nil {
		return nil, fault(err)
	}
	fsys, err = bench.OpenZip(data)
	if err != nil {
		return nil, usage("%s: %v", ref, err)
	}
	return fsys, nil
}

// itemOf says what a path wants to be that ends in the name of an item below a bench's folder; "" where it is none.
func (p *Process) itemOf(ref string) string {
	dir, item := filepath.Split(filepath.Clean(ref))
	if dir == "" || dir == "/" {
		return ""
	}
	if _, err := os.Stat(filepath.Join(p.path(dir), "bench.yaml")); err != nil {
		return ""
	}
	dir = asRef(filepath.Clean(dir))
	return fmt.Sprintf(" (%s is a bench: its item %s is shown by assay show %s --item %s)", dir, item, dir, item)
}

// load loads a bench and holds it against its freeze; it is not compiled yet.
func (p *Process) load(ref string) (*opened, error) {
	fsys, err := p.files(ref)
	if err != nil {
		return nil, err
	}
	b, err := bench.Load(fsys, ref)
	if err != nil {
		return nil, inBench(ref, err)
	}
	// Little lives long here. A few more megabytes of garbage cost nothing in a small run, and a large one is kept flat.
	if len(b.IDs()) > largeBench {
		debug.SetGCPercent(25)
	} else {
		debug.SetGCPercent(smallGarbage)
	}
	st, err := b.Inspect()
	if err != nil {
		return nil, inBench(ref, err)
	}
	return &opened{bench: b, state: st}, nil
}

// open loads a bench and compiles it whole.
func (p *Process) open(ref string) (*opened, error) {
	o, err := p.load(ref)
	if err != nil {
		return nil, err
	}
	if o.set, err = grade.Compile(o.bench); err != nil {
		return nil, inBench(ref, err)
	}
	return o.asFrozen(ref)
}

// openToRun is open without a look at the controls, and with the bench's proofs. A bench that has been proven is not compiled
// again: its proof says what its items are, and each is compiled when its turn comes.
func (p *Process) openToRun(ref string) (*opened, error) {
	o, err := p.load(ref)
	if err != nil {
		return nil, err
	}
	if o.proofs, err = p.proofs(o); err != nil {
		return nil, err
	}
	for _, proof := range o.proofs {
		if set, ok := grade.Restore(o.bench, proof.Grader, proof.Index); ok {
			o.set = set
			return o.asFrozen(ref)
		}
	}
	if o.set, err = grade.CompileToRun(o.bench); err != nil {
		return nil, inBench(ref, err)
	}
	return o.asFrozen(ref)
}

// largeBench is from where memory matters more than time: garbage is then collected earlier.
const largeBench = 5000

// smallGarbage is how much garbage, in percent of what lives, a smaller bench may leave: the program with its five megabytes
// alive then stays below 60 MB, at most a thirtieth slower than with twice as much.
const smallGarbage = 150

// count counts the items that are run, and all items in the files.
func count(set grade.Set) (frozen, drafted int) {
	for h := range set.Heads() {
		drafted++
		if h.Frozen {
			frozen++
		}
	}
	return frozen, drafted
}

// asFrozen refuses a frozen bench that this program would grade otherwise than the one that froze it.
func (o *opened) asFrozen(ref string) (*opened, error) {
	if fz := o.state.Freeze; fz != nil {
		frozen, drafted := count(o.set)
		if _, err := time.Parse(time.RFC3339, fz.FrozenAt); err != nil || fz.Frozen != frozen || fz.Drafted != drafted {
			return nil, usage("%s: FREEZE.json says %d frozen of %d items at %q, and the bench has %d of %d; restore FREEZE.json, or freeze a new version of the bench", ref, fz.Frozen, fz.Drafted, fz.FrozenAt, frozen, drafted)
		}
	}
	if fz := o.state.Freeze; fz != nil && fz.Grader != o.set.Digest() {
		return nil, usage("%s: FREEZE.json was made with the grader %.12s and this program grades with %.12s; use the version of assay that froze it, or freeze a new version of the bench", ref, fz.Grader, o.set.Digest())
	}
	return o, nil
}

// inBench puts the bench's name before faults of its files.
func inBench(ref string, err error) error {
	var lines []string
	var text []string
	for _, e := range bench.Fold(err) {
		text = append(text, e.Error())
	}
	for line := range strings.SplitSeq(strings.Join(text, "\n"), "\n") {
		if strings.HasPrefix(line, ref) {
			lines = append(lines, line)
		} else {
			lines = append(lines, ref+": "+line)
		}
	}
	if len(lines) > 20 {
		lines = append(lines[:20], fmt.Sprintf("%s: … and %d faults more", ref, len(lines)-20))
	}
	return usage("%s", strings.Join(lines, "\n"))
}

// proofs gives every proof of a bench that this machine has: those that ship inside and the user's own.
func (p *Process) proofs(o *opened) ([]qualify.Proof, error) {
	own, problems, err := qualify.Dir(p.proofDir()).Load(o.state.Digest)
	if err != nil {
		return nil, fault(err)
	}
	shipped, more, err := qualify.LoadProofs(benches.Proofs(), o.state.Digest)
	if err != nil {
		return nil, fault(err)
	}
	for _, t := range append(problems, more...) {
		p.notef("warning: %s", t)
	}
	return append(own, shipped...), nil
}

func (p *Process) proofDir() string { return p.stateDir() + string(os.PathSeparator) + "proofs" }

// box opens the sandbox for a bench whose items execute something, and gives what the proof depends on. Without a sandbox
// or without python3 the reason goes to the rules, which then say ungradable.
func (p *Process) box(o *opened, unsafe bool) (*sandbox.Box, qualify.Machine, string, error) {
	items, python := o.set.Executes()
	if len(items) == 0 {
		o.set.Use(nil, "")
		return nil, qualify.Machine{}, "", nil
	}
	return p.openBox(o, python, unsafe)
}

func (p *Process) openBox(o *opened, python, unsafe bool) (*sandbox.Box, qualify.Machine, string, error) {
	box, err := sandbox.Open(p.Context, sandbox.Options{Unsafe: unsafe})
	if err != nil {
		if _, ok := errors.AsType[*sandbox.Unavailable](err); !ok {
			return nil, qualify.Machine{}, "", fault(err)
		}
		reason := "no sandbox: " + err.Error()
		o.set.Use(nil, reason)
		return nil, qualify.Machine{Tier: "none"}, reason, nil
	}
	o.set.Use(box, "")
	m := qualify.Machine{Tier: string(box.Tier())}
	if !python {
		return box, m, "", nil
	}
	v, err := box.Python(p.Context)
	if err != nil {
		return box, qualify.Machine{Tier: m.Tier, Python: "none"}, "no python3: " + err.Error(), nil
	}
	m.Python = v
	return box, m, "", nil
}
