package qualify

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("elsewhere", -5*3600))

func TestStand(t *testing.T) {
	here := Machine{Tier: "namespaces", Python: "3.13.1"}
	proof := Proof{Digest: "d", Grader: "g", Tier: "namespaces", Python: "3.13.1"}
	other := proof
	other.Tier = "landlock"
	newer := proof
	newer.Python = "3.14.0"
	for _, c := range []struct {
		name     string
		digest   string
		grader   string
		m        Machine
		executes bool
		proofs   []Proof
		want     Standing
	}{
		{"no proof", "d", "g", here, true, nil, Unproven},
		{"proven here", "d", "g", here, true, []Proof{proof}, Proven},
		{"another bench", "e", "g", here, false, []Proof{proof}, Unproven},
		{"another grader", "d", "h", here, false, []Proof{proof}, Unproven},
		{"another sandbox", "d", "g", here, true, []Proof{other}, Elsewhere},
		{"another python", "d", "g", here, true, []Proof{newer}, Elsewhere},
		{"another sandbox, and nothing is executed", "d", "g", here, false, []Proof{other}, Proven},
		{"the second proof", "d", "g", here, true, []Proof{other, proof}, Proven},
		{"elsewhere first and last", "d", "g", here, true, []Proof{proof, other}, Proven},
		{"no sandbox here", "d", "g", Machine{}, true, []Proof{proof}, Elsewhere},
		{"an empty proof", "d", "g", Machine{}, false, []Proof{{}}, Unproven},
	} {
		if got := Stand(c.digest, c.grader, "", c.m, c.executes, c.proofs); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestSaveAndLoad(t *testing.T) {
	r := &Report{Bench: "b@1", Digest: strings.Repeat("d", 64), Grader: strings.Repeat("a", 64), Controls: 6, Generated: 3}
	p, err := r.Prove(Machine{Tier: "namespaces/../..", Python: "3.13.1"}, true, at)
	if err != nil {
		t.Fatal(err)
	}
	if p.At != "2026-03-01T17:00:00Z" || p.Controls != 6 || p.Generated != 3 || !p.Slow || p.Bench != "b@1" {
		t.Errorf("%+v", p)
	}
	dir := Dir(filepath.Join(t.TempDir(), "proofs"))
	if got, _, err := dir.Load(p.Digest); err != nil || len(got) != 0 {
		t.Errorf("a folder that is not there: %v, %v", got, err)
	}
	path, err := dir.Save(p)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(string(dir), p.Digest, "aaaaaaaaaaaaaaaa-namespaces-..-..-3.13.1.json"); path != want {
		t.Errorf("saved as %s, want %s", path, want)
	}
	second := p
	second.Tier, second.Python = "", ""
	var wg sync.WaitGroup
	for range 20 { // many checks at once, each saving the same two
		wg.Go(func() {
			for _, q := range []Proof{p, second} {
				if _, err := dir.Save(q); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, problems, err := dir.Load(p.Digest)
	if err != nil || len(problems) != 0 || len(got) != 2 || !has(got, second) || !has(got, p) {
		t.Errorf("%+v, %v", got, err)
	}
	left, err := filepath.Glob(filepath.Join(string(dir), "*", "*.new"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if got, _, err := dir.Load(strings.Repeat("e", 64)); err != nil || len(got) != 0 {
		t.Errorf("another digest: %v, %v", got, err)
	}
}

func TestDamagedProof(t *testing.T) {
	for name, text := range map[string]string{"cut off": `{"bench":"b@1","digest":"d`, "empty": "", "no object": "[]", "text after": "{} {}", "other type": `{"controls":"six"}`} {
		m := fstest.MapFS{"d/p.json": {Data: []byte(text)}, "d/README": {Data: []byte("not a proof")}}
		got, problems, err := LoadProofs(m, "d")
		if err != nil || len(got) != 0 || len(problems) != 1 || !strings.HasPrefix(problems[0], "d/p.json: this proof is damaged") {
			t.Errorf("%s: %+v, %v, %v", name, got, problems, err)
		}
	}
	// A proof that was changed by hand, and one of another bench under this one's name.
	dir0 := Dir(t.TempDir())
	path, err := dir0.Save(Proof{Bench: "b@1", Digest: "d", Grader: "g", Controls: 6})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, problems, err := dir0.Load("d"); err != nil || len(got) != 1 || len(problems) != 0 {
		t.Errorf("whole: %v %v %v", got, problems, err)
	}
	for _, m := range []fstest.MapFS{
		{"d/p.json": {Data: bytes.Replace(data, []byte(`"controls":6`), []byte(`"controls":7`), 1)}},
		{"d/p.json": {Data: bytes.Replace(data, []byte(`"g"`), []byte(`"h"`), 1)}},
		{"d/p.json": {Mode: fs.ModeNamedPipe}},
		{"e/p.json": {Data: data}},
	} {
		digest := "d"
		if m["e/p.json"] != nil {
			digest = "e"
		}
		if got, problems, err := LoadProofs(m, digest); err != nil || len(got) != 0 || len(problems) != 1 {
			t.Errorf("changed: %v %v %v", got, problems, err)
		}
	}
	if os.Getuid() == 0 {
		return // root reads everything
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "d"), 0); err != nil {
		t.Fatal(err)
	}
	if got, _, err := Dir(dir).Load("d"); err == nil {
		t.Errorf("a folder that cannot be read: %v", got)
	}
}

func has(list []Proof, p Proof) bool {
	return slices.ContainsFunc(list, func(q Proof) bool {
		return bytes.Equal(p.Index, q.Index) && reflect.DeepEqual(without(p), without(q))
	})
}

// without gives a proof without its index, which comes back empty where it was nil.
func without(p Proof) Proof {
	p.Index, p.Only, p.Sum = nil, nil, ""
	return p
}
