package harbor

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
)

func mooring(t *testing.T) *tasks.Set {
	t.Helper()
	b, err := bench.Load(os.DirFS("../../examples/mooring"), "mooring")
	if err != nil {
		t.Fatal(err)
	}
	set, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestExport(t *testing.T) {
	p, err := Export(mooring(t), "ferry-217", Options{Base: "debian@sha256:" + strings.Repeat("a", 64)})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Export(mooring(t), "ferry-217", Options{Base: "debian@sha256:" + strings.Repeat("a", 64)})
	if err != nil || !reflect.DeepEqual(p, again) {
		t.Errorf("another export has other bytes: %v", err)
	}
	if len(p.Missing) != 1 || !strings.Contains(string(p.Files["README.md"].Data), "INCOMPLETE") {
		t.Errorf("missing: %v", p.Missing)
	}
	u, err := Understand(p.Files)
	if err != nil || u.Split != "marked" || u.Name != "mooring/ferry-217" || len(u.Oracle) != 13 || u.Dialect != Sealed {
		t.Fatalf("%+v %v", u, err)
	}
	for n, f := range p.Files {
		if strings.HasPrefix(n, "environment/") || n == "instruction.md" {
			for _, secret := range []string{"2034-05-16", "BK-0001", "forbid", "slow_ready", "investigations"} {
				if strings.Contains(string(f.Data), secret) && !strings.HasPrefix(n, "environment/world/bench/world/seed/") {
					t.Errorf("%s holds %q", n, secret)
				}
			}
			if strings.Contains(n, "sealed") {
				t.Errorf("%s is on the agent's side", n)
			}
		}
	}
	inside := Files{}
	for n, f := range p.Files {
		if rest, ok := strings.CutPrefix(n, "tests/bench/"); ok {
			inside[rest] = f
		}
	}
	sub := fsOf(inside, "")
	b, err := bench.Load(sub, "tests/bench")
	if err != nil {
		t.Fatal(err)
	}
	set, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	if set.Digest() != mooring(t).Digest() {
		t.Error("the package's contract is judged otherwise than the bench's")
	}
}

// Another language's parser reads the same of task.toml, whatever a request holds.
func TestTaskFileIsReadByAnotherParser(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3, whose parser is the other one")
	}
	if exec.Command(python, "-c", "import tomllib").Run() != nil {
		t.Skip("this python3 has no tomllib")
	}
	task, err := os.ReadFile("../../examples/mooring/tasks/ferry-217/public/task.yaml")
	if err != nil {
		t.Fatal(err)
	}
	odd := "Ada \"in\" 'passenger' \\n \u00fc \u6f22 \U0001f6a2 \"\"\" #x = [y]\n\n  # no comment"
	set := edited(t, map[string]string{"tasks/ferry-217/public/task.yaml": strings.Replace(string(task), "Ada in passenger", strings.ReplaceAll(odd, "\n", "\n  "), 1)})
	p, err := Export(set, "ferry-217", Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "-c", "import sys, tomllib, json; json.dump(tomllib.loads(sys.stdin.buffer.read().decode()), sys.stdout)")
	c.Stdin = bytes.NewReader(p.Files["task.toml"].Data)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Task struct{ Name, Description string }
	}
	want, err := set.Task("ferry-217")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &got); err != nil || got.Task.Description != want.Public.Request || !strings.Contains(got.Task.Description, odd[:20]) || got.Task.Name != "mooring/ferry-217" {
		t.Errorf("%v\n%q\n%q", err, got.Task.Description, want.Public.Request)
	}
	u, err := Understand(p.Files)
	if err != nil || !strings.HasSuffix(u.Request, strings.TrimSpace(want.Public.Request)) {
		t.Errorf("%v %q", err, u.Request)
	}
}

func TestExportRefuses(t *testing.T) {
	for says, o := range map[string]Options{"not pinned": {Base: "debian:12"}, "not an ELF": {Binary: []byte("#!/bin/sh")}} {
		if _, err := Export(mooring(t), "ferry-217", o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if got := instruction("-x"); !strings.HasPrefix(got, "Request: -x\n\n") {
		t.Errorf("%q", got)
	}
	p := &Package{Files: Files{"instruction.md": {Data: []byte(`so: {"tool":"maint.orders.search","args":{"query":"217"}}`)}}}
	if err := p.closed(mooring(t).Bench().FS, "tasks/ferry-217/sealed"); err == nil || !strings.Contains(err.Error(), "stands in instruction.md") {
		t.Errorf("a sealed line in the instruction: %v", err)
	}
}
