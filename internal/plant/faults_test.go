package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/qualify"
	"github.com/assaybench/assay/realism"
)

// A fault is a release that is spoilt in one way, with the requirements of the standard that must fail for it, and no others.
type fault struct {
	name  string
	tasks []string // the small release that is spoilt; promise-day where nothing is said
	deep  depth
	// reported releases bring the report of their audit before they are spoilt.
	reported bool
	spoil    func(r spoilt)
	fails    []string
	// refused is what a fault says that is so bad that the bench is not even opened; such a one fails no requirement.
	refused string
}

// depth is how far an audit goes: what is not asked for is NOT_MEASURED, and takes no time.
type depth int

const (
	asIs     depth = iota // files, derivations and the reference's calls
	byTrials              // and changed worlds, which hops and the worth of reads stand on
	whole                 // and the negative controls: every requirement
)

// spoilt is a release in memory, by its files' paths. A change that finds nothing to change is a fault of this test.
type spoilt map[string][]byte

var (
	plantOnce sync.Once
	plantNow  map[string][]byte
	plantList []*task
)

// small gives a release of some tasks of the plant, whose world is the whole one.
func small(t *testing.T, ids []string) spoilt {
	t.Helper()
	plantOnce.Do(func() {
		files, err := render(shipped)
		if err == nil {
			files["world/schema.sql"], err = os.ReadFile(filepath.Join(shipped, "world/schema.sql"))
		}
		if err != nil {
			t.Fatal(err)
		}
		_, plantList = built(t)
		plantNow = files
	})
	out := spoilt{}
	var list []*task
	for _, k := range plantList {
		if slices.Contains(ids, k.ID) {
			list = append(list, k)
		}
	}
	if len(list) != len(ids) {
		t.Fatalf("the plant has not all of %v", ids)
	}
	for p, b := range plantNow {
		of := strings.Split(p, "/")
		if of[0] != "tasks" || slices.Contains(ids, of[1]) {
			out[p] = b
		}
	}
	out["bench.yaml"] = benchYAML(list)
	return out
}

// audit opens a release and measures it. refused is what says that it cannot be opened.
func (r spoilt) audit(t *testing.T, deep depth) (rep *realism.Report, refused error) {
	t.Helper()
	files := fstest.MapFS{}
	for p, b := range r {
		files[p] = &fstest.MapFile{Data: b, Mode: 0o644}
	}
	b, err := bench.Load(files, "shopfloor")
	if err != nil {
		return nil, err
	}
	set, err := tasks.Compile(b)
	if err != nil {
		return nil, err
	}
	st, err := b.Inspect()
	if err != nil {
		return nil, err
	}
	rel := realism.Open(set, realism.Embedded(), "./shopfloor", st, "test")
	defer func() {
		if err := rel.Close(); err != nil {
			t.Error(err)
		}
	}()
	if deep < byTrials {
		rel.Perturb, rel.Hops = nil, nil
	}
	if deep == whole {
		rel.Qualify(qualify.Dir(kept(t)), nil)
	}
	rep, err = realism.Audit(context.Background(), rel, realism.Options{})
	if err != nil {
		return nil, err
	}
	return rep, nil
}

var keptOnce = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "proofs") })

// kept is where proofs lie during the test: what a fault leaves alone is proved once.
func kept(t *testing.T) string {
	t.Helper()
	dir, err := keptOnce()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// joinedRows fail with any of the rows that they join.
var joinedRows = []string{"definition", "principle"}

// failing gives the requirements that fail, without those that only join others.
func failing(rep *realism.Report) []string {
	var out []string
	for _, k := range rep.Keys {
		if k.Result == realism.Fail && !slices.Contains(joinedRows, k.Key) {
			out = append(out, k.Key)
		}
	}
	return out
}

// made spoils a release; what could not be spoilt as it is meant is an error.
func made(spoil func(spoilt), r spoilt) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it is not spoilt: %v", p)
		}
	}()
	spoil(r)
	return nil
}

type baseline struct {
	sync.Once
	fails  []string
	report []byte
	err    error
}

var baselines sync.Map

// TestSeededFaultsAreCaught spoils small releases of the plant in one way each, and holds the requirements that fail for it
// against those that must: each of them, and none beside.
func TestSeededFaultsAreCaught(t *testing.T) {
	if len(seeded) < 40 {
		t.Fatalf("%d faults are seeded, at least 40 are wanted", len(seeded))
	}
	short := []string{"recipe", "tool name", "leak in a schema", "text as pdf", "closed network"}
	all := os.Getenv("ASSAY_SLOW") != ""
	wholes := 0
	for _, f := range seeded {
		if f.deep == whole {
			wholes++
		}
		if !all && !slices.Contains(short, f.name) {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			ids := f.tasks
			if ids == nil {
				ids = []string{"promise-day"}
			}
			one, _ := baselines.LoadOrStore(fmt.Sprint(ids, f.deep, f.reported), new(baseline))
			base := one.(*baseline)
			base.Do(func() {
				r := small(t, ids)
				rep, err := r.audit(t, f.deep)
				if err == nil && f.reported {
					if base.report, err = rep.Canonical(); err == nil {
						r["reports/audit.json"] = base.report
						rep, err = r.audit(t, f.deep)
					}
				}
				if base.err = err; err == nil {
					base.fails = failing(rep)
				}
			})
			if base.err != nil {
				t.Fatalf("the release is refused before it is spoilt: %v", base.err)
			}
			r := small(t, ids)
			if f.reported {
				r["reports/audit.json"] = bytes.Clone(base.report)
			}
			if err := made(f.spoil, r); err != nil {
				t.Fatal(err)
			}
			rep, err := r.audit(t, f.deep)
			if f.refused != "" {
				if err == nil || !strings.Contains(err.Error(), f.refused) {
					t.Fatalf("it is opened, or refused for another reason: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatalf("it is refused: %v", err)
			}
			got := slices.DeleteFunc(failing(rep), func(k string) bool { return slices.Contains(base.fails, k) })
			want := slices.Clone(f.fails)
			slices.Sort(got)
			slices.Sort(want)
			if slices.Equal(got, want) {
				return
			}
			for _, k := range want {
				if !slices.Contains(got, k) {
					row, _ := rep.Row(k)
					t.Errorf("%s does not fail: %s, %s", k, row.Result, row.Reason)
				}
			}
			for _, k := range got {
				if !slices.Contains(want, k) {
					row, _ := rep.Row(k)
					t.Errorf("%s fails, too: %s %+v", k, row.Reason, row.Evidence[:min(len(row.Evidence), 2)])
				}
			}
		})
	}
	if wholes < 10 {
		t.Errorf("%d faults are held against the whole standard, at least 10 are wanted", wholes)
	}
	if dir, err := keptOnce(); err == nil {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	}
}
