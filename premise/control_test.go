package premise

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// The near-misses of a reference break what they are said to break, also where the reference gives every day of the range
// and explains itself.
func TestMutants(t *testing.T) {
	b, err := bench.Load(os.DirFS("testdata/desk"), "desk")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Problem("P-01")
	if err != nil {
		t.Fatal(err)
	}
	days, err := s.spec.points(t.Context(), "everyDay", p.From, p.To)
	if err != nil {
		t.Fatal(err)
	}
	p.Readings = []Reading{{Key: "every-day", Assumption: "Every day.", Body: "everyDay", Expected: days}}
	ref := Reply{Body: "everyDay", Explanation: `Every "explanation":"", too.`}
	for _, e := range p.Undeclared {
		ref.Assumptions = append(ref.Assumptions, Assumption{Topic: e[0], Statement: "Every day."})
	}
	i := slices.IndexFunc(p.controls, func(c control) bool { return c.Accept })
	p.controls[i].Answer = ref.text()
	seen := map[string]int{}
	for _, m := range p.mutants() {
		v, err := s.Grade(t.Context(), p.ID, record.Transcript{Outcome: record.Answered, Answer: m.Answer})
		if err != nil {
			t.Fatal(err)
		}
		seen[m.Breaks]++
		if m.Breaks == bench.NoRule {
			if !v.Pass {
				t.Errorf("%s: %s, %s", m.Name, v.Letter, v.Reason)
			}
			continue
		}
		broken := slices.ContainsFunc(v.Findings, func(f record.Finding) bool { return f.Rule == m.Breaks && !f.Pass && !f.Skipped })
		if v.Pass || !broken {
			t.Errorf("%s: %s, and the finding %s is not the broken one: %+v", m.Name, v.Letter, m.Breaks, v.Findings)
		}
	}
	if seen[findValid] < 9 || seen[findMatched] != 1 || seen[findDeclared] != 1 || seen[bench.NoRule] != 3 {
		t.Errorf("near-misses by what they break: %v", seen)
	}
}

// An imported bench whose origin was changed into something else is not exported as if it had none.
func TestExportFaults(t *testing.T) {
	b, err := bench.Load(os.DirFS("testdata/desk"), "desk")
	if err != nil {
		t.Fatal(err)
	}
	if b.Origin, err = bench.Parse("bench.yaml", []byte("format: kairos-premise\norder: {a: 1}\n")); err != nil {
		t.Fatal(err)
	}
	if files, _, err := Export(b); err == nil || len(files) > 0 || !strings.Contains(err.Error(), "bench.yaml:2") {
		t.Errorf("%d files, %v", len(files), err)
	}
}
