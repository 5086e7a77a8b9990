package harbor

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/tasks"
)

// program is the one that packages hold, built once for all tests.
var program = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "assay-programs-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return OwnProgram(context.Background(), dir)
})

func needProgram(t *testing.T) []byte {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("packages hold programs for linux/amd64")
	}
	if testing.Short() {
		t.Skip("the program is built")
	}
	b, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// edited is the example with files changed or added.
func edited(t *testing.T, files map[string]string) *tasks.Set {
	t.Helper()
	m := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS("../../examples/mooring"), ".", func(n string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join("../../examples/mooring", n))
		m[n] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for n, s := range files {
		m[n] = &fstest.MapFile{Data: []byte(s)}
	}
	b, err := bench.Load(m, "mooring")
	if err != nil {
		t.Fatal(err)
	}
	set, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

const staged = `faults:
  - tool: stores.lots.list
    failures: 1
    error: The stores answer slowly at the moment; the yard's crane moves.
`

func stagedMooring(t *testing.T) *tasks.Set {
	t.Helper()
	ref, err := os.ReadFile("../../examples/mooring/tasks/ferry-217/sealed/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(ref)) {
		out.WriteString(line)
		if strings.Contains(line, `"stores.lots.list"`) {
			out.WriteString(line) // once more, after the fault
		}
	}
	if out.Len() == len(ref) {
		t.Fatal("the reference calls stores.lots.list no more; choose another tool")
	}
	return edited(t, map[string]string{"tasks/ferry-217/sealed/faults.yaml": staged, "tasks/ferry-217/sealed/reference.jsonl": out.String()})
}

func exported(t *testing.T, set *tasks.Set) (*Package, string) {
	t.Helper()
	p, err := Export(set, "ferry-217", Options{Binary: needProgram(t)})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "package")
	if err := WriteFolder(dir, p.Files); err != nil {
		t.Fatal(err)
	}
	return p, dir
}

func TestStagedFaultsAreExportedAndSealed(t *testing.T) {
	p, err := Export(stagedMooring(t), "ferry-217", Options{})
	if err != nil {
		t.Fatal(err)
	}
	const at = "environment/world/bench/tasks/ferry-217/sealed/faults.yaml"
	if string(p.Files[at].Data) != staged {
		t.Errorf("the world's part has no faults: %q", p.Files[at].Data)
	}
	for n, f := range p.Files {
		if agentSide(n) && bytes.Contains(f.Data, []byte("the yard's crane moves")) {
			t.Errorf("a staged fault stands in %s", n)
		}
	}
	u, err := Understand(p.Files)
	if err != nil {
		t.Fatal(err)
	}
	visible, sealed := strings.Join(u.Visible, "\n"), strings.Join(u.Sealed, "\n")
	if strings.Contains(visible, "faults.yaml") || !strings.Contains(sealed, at) {
		t.Errorf("visible: %s\nsealed: %s", visible, sealed)
	}
	for _, image := range []string{string(p.Files[agentImage].Data), string(p.Files[agentImage+".dockerignore"].Data)} {
		if strings.Contains(image, "world") {
			t.Errorf("the agent's image has to do with the world's part:\n%s", image)
		}
	}
	p.Files["environment/tool"] = File{Data: append(p.Files["environment/tool"].Data, "# The stores answer slowly at the moment; the yard's crane moves.\n    error: The stores answer slowly at the moment; the yard's crane moves."...)}
	if err := p.closed(stagedMooring(t).Bench().FS, "tasks/ferry-217/sealed"); err == nil || !strings.Contains(err.Error(), "faults.yaml: line 4, which is sealed, stands in environment/tool") {
		t.Errorf("a staged fault in the agent's image: %v", err)
	}
	delete(p.Files, "environment/tool")
	p.Files["environment/world/bench/tasks/ferry-217/sealed/contract.yaml"] = File{}
	if err := p.closed(stagedMooring(t).Bench().FS, "tasks/ferry-217/sealed"); err == nil || !strings.Contains(err.Error(), "no part of the world") {
		t.Errorf("a contract in the world's part: %v", err)
	}
}

func TestProve(t *testing.T) {
	for name, set := range map[string]*tasks.Set{"plain": mooring(t), "with staged faults": stagedMooring(t)} {
		t.Run(name, func(t *testing.T) {
			p, dir := exported(t, set)
			r, err := Prove(t.Context(), p, dir, "")
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Proven(); err != nil {
				t.Fatal(err)
			}
			calls := map[string]int{}
			for i := range strings.Count(string(p.Files[referenceFile].Data), "\n") {
				calls[[]string{"mcp", "rest", "cli"}[i%3]]++
			}
			if r.Oracle.Reward != 1 || r.Noop.Reward != 0 || r.Oracle.Gated != "100" || r.Noop.Gated != "0" || r.Oracle.Failed != 0 || r.Noop.Failed == 0 || !reflect.DeepEqual(r.Oracle.Calls, calls) || len(r.Noop.Calls) != 0 {
				t.Errorf("oracle %+v\nno-op %+v", r.Oracle, r.Noop)
			}
			if r.Way != ByProcess || r.Engine != contract.Version || !r.RoundTrip.Same || r.RoundTrip.Files != len(p.Files) || r.RoundTrip.Exec != 4 || len(r.Missing) != 1 {
				t.Errorf("%+v", r)
			}
			if os.Geteuid() == 0 && (r.AgentUser != "own" || r.Private != "denied") {
				t.Errorf("the agent's user %s, the private part %s", r.AgentUser, r.Private)
			}
			again, err := ProveTask(t.Context(), set, "ferry-217", Options{Binary: needProgram(t)}, "")
			if err != nil || !reflect.DeepEqual(r, again) {
				t.Errorf("another proof has another receipt: %v\n%+v\n%+v", err, r, again)
			}
			b, err := r.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			back, err := ReadReceipt(b)
			if err != nil || back.Proven() != nil || back.Of(p.Name, p.Files) != nil {
				t.Errorf("the receipt does not come back: %v", err)
			}
		})
	}
}

// What a proof is there for: packages that are not what they say.
func TestProveFindsBrokenPackages(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(p *Package, dir string)
		says string
	}{
		"a file is lost on the way":  {func(_ *Package, dir string) { os.Remove(filepath.Join(dir, "README.md")) }, "round trip: README.md: is missing"},
		"a file is another":          {func(_ *Package, dir string) { os.WriteFile(filepath.Join(dir, "README.md"), []byte("x"), 0o644) }, "round trip: README.md: other bytes"},
		"a file came in":             {func(_ *Package, dir string) { os.WriteFile(filepath.Join(dir, "tests/x.md"), nil, 0o644) }, "round trip: tests/x.md: was not there"},
		"a mode is lost":             {func(_ *Package, dir string) { os.Chmod(filepath.Join(dir, solveFile), 0o644) }, "round trip: solution/solve.sh: another mode"},
		"a mode is open to everyone": {func(_ *Package, dir string) { os.Chmod(filepath.Join(dir, "task.toml"), 0o666) }, "round trip: task.toml has the mode 0666"},
		"a link":                     {func(_ *Package, dir string) { os.Symlink("/etc/passwd", filepath.Join(dir, "tests/l")) }, "is a link"},
		"an empty solution": {func(p *Package, dir string) { rewrite(p, dir, solveFile, "#!/bin/sh\nexit 0\n") },
			"oracle: the package's own solution is not rewarded"},
		"a failing solution": {func(p *Package, dir string) { rewrite(p, dir, solveFile, "#!/bin/sh\necho no luck >&2\nexit 7\n") },
			"oracle: the package's own solution fails (exit status 7): no luck"},
		"a verifier that rewards anything": {func(p *Package, dir string) {
			rewrite(p, dir, testFile, strings.Replace(testScript, "exec ", "", 1)+"echo 1 > \"$logs/reward.txt\"\n")
		}, "noop: reward.txt is not what the verdict says"},
		"a verifier that writes nothing": {func(p *Package, dir string) { rewrite(p, dir, testFile, "#!/bin/sh\nexit 0\n") }, "no such file"},
		"a world without its task": {func(p *Package, dir string) {
			remove(p, dir, "environment/world/bench/tasks/ferry-217/public/task.yaml")
		}, "oracle: the world ended at once"},
		"a reference that goes wrong": {func(p *Package, dir string) {
			rewrite(p, dir, referenceFile, `{"tool":"stores.lots.list","args":{}}`+"\n")
		},
			"oracle: the package's own solution is not rewarded"},
	} {
		t.Run(name, func(t *testing.T) {
			p, dir := exported(t, mooring(t))
			c.edit(p, dir)
			r, err := Prove(t.Context(), p, dir, "")
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Proven(); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v", err)
			}
		})
	}
	p, dir := exported(t, mooring(t))
	delete(p.Files, programFile)
	if _, err := Prove(t.Context(), p, dir, ""); err == nil || !strings.Contains(err.Error(), "holds no program") {
		t.Errorf("a package without a program: %v", err)
	}
}

func rewrite(p *Package, dir, name, text string) {
	p.Files[name] = File{[]byte(text), p.Files[name].Exec}
	os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
}

func remove(p *Package, dir, name string) {
	delete(p.Files, name)
	os.Remove(filepath.Join(dir, name))
}
