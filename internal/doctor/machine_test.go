package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/sandbox"
)

func TestMachine(t *testing.T) {
	b := setup(t)
	r := b.look(t)
	is(t, r.Program.Finding, OK, "v9.9.9, "+runtime.Version()+", "+runtime.GOOS+"/"+runtime.GOARCH, "")
	if r.CPUs.Count != runtime.NumCPU() || r.CPUs.Usable < 1 || r.CPUs.Usable > r.CPUs.Count || r.CPUs.State != OK {
		t.Errorf("CPUs %+v", r.CPUs)
	}
	is(t, r.Accelerator.Finding, Missing, "none seen: there is no nvidia-smi", "driver")
	if runtime.GOOS == "linux" {
		is(t, r.Memory.Finding, OK, "available", "")
		if m := r.Memory; m.Total < 1<<20 || m.Available < 1 || m.Available > m.Total {
			t.Errorf("memory %+v", m)
		}
	} else {
		is(t, r.Memory.Finding, Missing, "not known here", "")
	}
}

func TestAccelerator(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for nvidia-smi is a shell script")
	}
	for name, tt := range map[string]struct {
		body  string
		state State
		say   string
		cards int
	}{
		"two":    {`printf '0, Card A, 5, 100, 24576\n1, Card\033[31m B, [N/A], [N/A], [N/A]\n'`, OK, "Card A, 24.0 GiB; Card", 2},
		"broken": {"exit 9", Fault, "none seen: 1 of 1 call to it failed", 0},
		"hangs":  {"sleep 60", Fault, "nvidia-smi did not answer within 1.8s", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			path := filepath.Join(t.TempDir(), "nvidia-smi")
			if err := os.WriteFile(path, []byte("#!/bin/sh\n"+tt.body+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			b.env["PATH"] = os.Getenv("PATH")
			b.LookPath = func(string) (string, error) { return path, nil }
			begun := time.Now()
			r := b.look(t)
			if r.Accelerator.State != tt.state || !strings.Contains(r.Accelerator.Say, tt.say) || strings.Contains(r.Accelerator.Say, "\x1b") || len(r.Accelerator.List) != tt.cards || r.Accelerator.List == nil {
				t.Errorf("accelerator %+v", r.Accelerator)
			}
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// fakeBox is a sandbox as it is told to be.
type fakeBox struct {
	tier             sandbox.Tier
	version          string
	python, closeErr error
	closed           *bool
}

func (f fakeBox) Tier() sandbox.Tier                     { return f.tier }
func (f fakeBox) Python(context.Context) (string, error) { return f.version, f.python }
func (f fakeBox) Close() error                           { *f.closed = true; return f.closeErr }

func TestBox(t *testing.T) {
	closed := false
	for name, tt := range map[string]struct {
		box           Box
		err           error
		tier          string
		sandbox       Finding
		python        Finding
		pythonVersion string
	}{
		"bubblewrap": {fakeBox{tier: sandbox.TierBwrap, version: "3.11.2", closed: &closed}, nil, "bwrap", Finding{OK, "bubblewrap, and it withstands its self-test", ""},
			Finding{OK, "3.11.2, inside the sandbox", ""}, "3.11.2"},
		"Landlock without python": {fakeBox{tier: sandbox.TierLandlock, python: &sandbox.NoPython{Reason: "there is none in /usr/bin", Install: "install python3"}, closed: &closed}, nil, "landlock",
			Finding{OK, "Landlock, and it withstands", ""}, Finding{Missing, "none in the sandbox: there is none", "install python3"}, ""},
		"python at fault": {fakeBox{tier: sandbox.TierBwrap, python: errors.New("pipe:\n broken"), closed: &closed}, nil, "bwrap", Finding{OK, "bubblewrap", ""},
			Finding{Fault, "pipe: broken", "python3 runs"}, ""},
		"folder stays": {fakeBox{tier: sandbox.TierBwrap, version: "3", closeErr: errors.New("busy"), closed: &closed}, nil, "bwrap", Finding{Fault, "could not be removed: busy", "by hand"},
			Finding{OK, "3, inside", ""}, "3"},
		"none": {nil, &sandbox.Unavailable{Reasons: []string{"bwrap: not installed", "landlock: \x1b[2Jno"}, Install: "install bubblewrap"}, "",
			Finding{Missing, `none: bwrap: not installed; landlock: \x1b[2Jno`, "install bubblewrap"}, Finding{NotAsked, "inside the sandbox alone", ""}, ""},
		"fault": {nil, errors.New("no room"), "", Finding{Fault, "no room", "temporary folder"}, Finding{NotAsked, "inside the sandbox alone", ""}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			closed = false
			b := setup(t)
			b.Box = func(context.Context) (Box, error) { return tt.box, tt.err }
			r := b.look(t)
			is(t, r.Sandbox.Finding, tt.sandbox.State, tt.sandbox.Say, tt.sandbox.Do)
			is(t, r.Python.Finding, tt.python.State, tt.python.Say, tt.python.Do)
			if r.Sandbox.Tier != tt.tier || r.Python.Version != tt.pythonVersion || closed != (tt.box != nil) {
				t.Errorf("%+v, %+v, closed %v", r.Sandbox, r.Python, closed)
			}
		})
	}
}

// TestRealBox opens this machine's own sandbox.
func TestRealBox(t *testing.T) {
	b := setup(t)
	b.Box = nil
	r := b.look(t)
	switch {
	case r.Sandbox.State == Missing:
		is(t, r.Sandbox.Finding, Missing, "none: ", " ")
		is(t, r.Python.Finding, NotAsked, "sandbox alone", "")
	case r.Sandbox.State != OK || r.Sandbox.Tier == "" || r.Python.State != OK && r.Python.State != Missing:
		t.Errorf("%+v, %+v", r.Sandbox, r.Python)
	}
}

func TestFinding(t *testing.T) {
	g := &gatherer{}
	for line, want := range map[string]Finding{
		"X is broken; use Y":             {Fault, "X is broken", "use Y"},
		"A: b is not set: set it":        {Fault, "A: b is not set", "set it"},
		"no verb: the address is wrong":  {Fault, "no verb: the address is wrong", "usual"},
		"many: parts; here; give http:x": {Fault, "many: parts; here", "give http:x"},
		"two\nlines":                     {Fault, "two lines", "usual"},
	} {
		if got := g.finding(Fault, line, "usual"); got != want {
			t.Errorf("%q: %+v", line, got)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 1<<20 - 1: "1.0 MiB", 5_000_000_000: "4.7 GiB", 1 << 62: "4.0 EiB"} {
		if got := Size(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// TestMembers pins the names of the report's members, which scripts read.
func TestMembers(t *testing.T) {
	b := setup(t)
	mock := b.serve(t, fakeOllama(1))
	b.env["OLLAMA_HOST"] = mock
	body, err := json.Marshal(b.look(t))
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	var walk func(at string, v jsontext.Value)
	walk = func(at string, v jsontext.Value) {
		switch v.Kind() {
		case '{':
			var members map[string]jsontext.Value
			if err := json.Unmarshal(v, &members); err != nil {
				t.Fatal(err)
			}
			for name, m := range members {
				walk(strings.TrimPrefix(at+"."+name, "."), m)
			}
		case '[':
			var list []jsontext.Value
			if err := json.Unmarshal(v, &list); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, at+"[]")
			for _, m := range list {
				walk(at+"[]", m)
			}
		default:
			paths = append(paths, at)
		}
	}
	walk("", body)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	want := []string{"kind"}
	for thing, members := range map[string]string{
		"program": "assay go os arch", "cpus": "count usable", "memory": "total_bytes available_bytes", "accelerator": "list[]", "sandbox": "tier", "python": "version",
		"disk": "folder free_bytes writable", "database": "file schema runs", "prices": "file currency as_of models[]",
		"providers[]": "provider needs key_variables[] key_found_in address address_from",
		"servers[]":   "provider address address_from software version models[] models_total",
	} {
		for _, m := range strings.Fields(members + " state say do") {
			want = append(want, thing+"."+m)
		}
	}
	for _, m := range strings.Fields("name digest context loaded_context bytes remote") {
		want = append(want, "servers[].models[]."+m)
	}
	want = append(want, "providers[]", "servers[]", "providers[].key_variables[]")
	slices.Sort(want)
	want = slices.Compact(want)
	if !reflect.DeepEqual(paths, want) {
		t.Errorf("the members are\n%s\nwant\n%s", strings.Join(paths, "\n"), strings.Join(want, "\n"))
	}
}

// TestQuick holds the time of a look at a machine on which nothing answers.
func TestQuick(t *testing.T) {
	b := setup(t)
	b.Patience = 0 // the usual one
	hang := silent(t, b)
	b.Ports = []int{1, portOf(t, strings.TrimPrefix(hang, "http://"))}
	b.servers = append(b.servers, "127.0.0.1:1")
	best := time.Hour
	for range 3 { // a busy machine gets further tries
		begun := time.Now()
		b.look(t)
		if best = min(best, time.Since(begun)); best <= 2*time.Second {
			break
		}
	}
	if best > 2*time.Second {
		t.Errorf("the quickest of three took %v", best)
	}
	t.Logf("%v, one server of which accepts and says nothing", best)
}
