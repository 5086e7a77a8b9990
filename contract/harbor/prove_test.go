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
	"github.com/assaybench/assay/benches"
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
			if r.Way != ByProcess || r.Engine != "contract/1" || !r.RoundTrip.Same || r.RoundTrip.Files != len(p.Files) || r.RoundTrip.Exec != 4 || len(r.Missing) != 1 {
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

func TestReceiptsAreBound(t *testing.T) {
	p, err := Export(mooring(t), "ferry-217", Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &Receipt{Format: ReceiptFormat, Package: p.Name, Content: ContentDigest(p.Files), Tree: TreeDigest(p.Files), Manifest: "sha256:" + sum(Manifest(p.Files)),
		RoundTrip: RoundTrip{Same: true}, Oracle: Trial{Reward: 1, Verdict: "sha256:a"}, Noop: Trial{Verdict: "sha256:b"}}
	b, err := r.Bytes()
	if err != nil || r.Proven() != nil || r.Of(p.Name, p.Files) != nil {
		t.Fatal(err, r.Proven(), r.Of(p.Name, p.Files))
	}
	for says, bad := range map[string]string{
		"not as it was written": strings.Replace(string(b), `"reward":1`, `"reward": 1`, 1), "no receipt:": strings.Replace(string(b), `"format"`, `"Format"`, 1),
		"of the form": strings.Replace(string(b), ReceiptFormat, "another", 1),
	} {
		if _, err := ReadReceipt([]byte(bad)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if err := r.Of("mooring/other", p.Files); err == nil {
		t.Error("a receipt of one task is taken for another's")
	}
	changed := Files{}
	for n, f := range p.Files {
		changed[n] = f
	}
	changed["solution/solve.sh"] = File{changed["solution/solve.sh"].Data, false}
	if err := r.Of(p.Name, changed); err == nil || !strings.Contains(err.Error(), "modes") {
		t.Errorf("another mode: %v", err)
	}
	changed["README.md"] = File{Data: []byte("x")}
	if err := r.Of(p.Name, changed); err == nil || !strings.Contains(err.Error(), "content digest") {
		t.Errorf("other bytes: %v", err)
	}
	for what, edit := range map[string]func(*Receipt){
		"oracle": func(r *Receipt) { r.Oracle.Reward = 0 }, "no-op": func(r *Receipt) { r.Noop.Reward = 1 }, "round trip": func(r *Receipt) { r.RoundTrip.Same = false },
		"problem": func(r *Receipt) { r.Problems = []string{"x"} }, "verdict": func(r *Receipt) { r.Noop.Verdict = r.Oracle.Verdict },
	} {
		x := *r
		if edit(&x); x.Proven() == nil {
			t.Errorf("%s: proven all the same", what)
		}
	}
}

func TestRegistry(t *testing.T) {
	reg, files := Registry{t.TempDir()}, sample()
	digest, err := reg.Publish("yard/ropes", files)
	if err != nil || digest != ContentDigest(files) {
		t.Fatal(digest, err)
	}
	if _, err := reg.Publish("yard/ropes", files); err != nil {
		t.Errorf("published again: %v", err)
	}
	into := filepath.Join(t.TempDir(), "new")
	back, err := reg.Fetch("yard/ropes", digest, into)
	if err != nil || len(Differences(files, back)) > 0 || len(Differences(back, files)) > 0 {
		t.Fatal(err, Differences(files, back))
	}
	if _, err := reg.Fetch("yard/ropes", digest, into); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("fetched over files: %v", err)
	}
	other := sample()
	other["tests/test.sh"] = File{other["tests/test.sh"].Data, false}
	if _, err := reg.Publish("yard/ropes", other); err == nil || !strings.Contains(err.Error(), "published already") {
		t.Errorf("what was published is changed: %v", err)
	}
	for name, digest := range map[string]string{"../ropes": digest, "yard/none": digest, "yard/ropes": "sha256:zz"} {
		if _, err := reg.Fetch(name, digest, filepath.Join(t.TempDir(), "x")); err == nil {
			t.Errorf("%s %s is fetched", name, digest)
		}
	}
	at, err := reg.manifest("yard/ropes", digest)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(whole), "\n")
	for says, bad := range map[string]string{
		"could leave its folder": line[:strings.LastIndex(line, " ")] + " ../../evil\n", "this file twice": line + "\n" + line + "\n", "is no mode": "0777" + line[4:] + "\n",
		"have the digest": strings.SplitAfterN(string(whole), "\n", 2)[1], "not in the registry": line[:7] + strings.Replace(line[7:], sum(files["environment/Dockerfile"].Data), strings.Repeat("0", 64), 1) + "\n",
	} {
		if err := os.WriteFile(at, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		into := filepath.Join(t.TempDir(), "x")
		if _, err := reg.Fetch("yard/ropes", digest, into); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
		if _, err := os.Stat(into); err == nil {
			t.Errorf("%s: something was written", says)
		}
	}
	if err := os.WriteFile(at, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	blob := reg.blob(sum(files["instruction.md"].Data))
	if err := os.WriteFile(blob, []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := reg.Fetch("yard/ropes", digest, filepath.Join(t.TempDir(), "y")); err == nil || !strings.Contains(err.Error(), "not those of their digest") {
		t.Errorf("other bytes are fetched: %v", err)
	}
}

func TestProgramHoldsNoBench(t *testing.T) {
	b := needProgram(t)
	if err := CheckBinary(b); err != nil {
		t.Fatal(err)
	}
	fsys, _, _ := benches.Open("chair-trials")
	n := 0
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if len(data) < leastPattern {
			return err
		}
		n++
		if bytes.Contains(b, data) {
			t.Errorf("the program of a package holds %s", name)
		}
		return err
	})
	if err != nil || n < 10 {
		t.Errorf("%d files were looked for: %v", n, err)
	}
	again, err := Program(b)
	if err != nil || !bytes.Equal(again, b) {
		t.Errorf("the program of a package is no program of a package: %v", err)
	}
}

func TestScanner(t *testing.T) {
	var s scanner
	one, two, short := []byte("the first pattern, which is long"), []byte("the first pattern, which is other"), []byte("short")
	for _, p := range [][]byte{one, two, short, one} {
		s.add(p)
	}
	if s.count != 2 {
		t.Errorf("%d patterns", s.count)
	}
	text := []byte("short" + string(two) + string(one) + strings.Repeat("x", 100) + string(one))
	var at []int
	s.find(text, func(i int, _ []byte) bool { at = append(at, i); return true })
	if want := []int{5, 5 + len(two), 5 + len(two) + len(one) + 100}; !reflect.DeepEqual(at, want) {
		t.Errorf("%v, want %v", at, want)
	}
}

func FuzzReceipt(f *testing.F) {
	r := &Receipt{Format: ReceiptFormat, Oracle: Trial{Reward: 1, Calls: map[string]int{"mcp": 1}}}
	b, err := r.Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"format":"assay-harbor-receipt-1"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := ReadReceipt(b)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		if again, err := r.Bytes(); err != nil || !bytes.Equal(again, b) {
			t.Errorf("another form of a receipt is taken: %q %v", b, err)
		}
	})
}
