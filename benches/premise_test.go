package benches_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/benches"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/premise"
	"github.com/assaybench/assay/qualify"
)

// premiseBenches are the shipped benches of authoring problems.
var premiseBenches = []string{"premise", "premise-en", "premise-regression"}

// compilePremise compiles a shipped bench of authoring problems.
func compilePremise(t *testing.T, name string) *premise.Set {
	t.Helper()
	fsys, _, ok := benches.Open(name)
	if !ok {
		t.Fatal(name + " does not ship")
	}
	b, err := bench.Load(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := premise.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// premiseFile reads a text below a bench's fixtures.
func premiseFile(t *testing.T, name, file string) string {
	t.Helper()
	fsys, _, ok := benches.Open(name)
	if !ok {
		t.Fatal(name + " does not ship")
	}
	data, err := fs.ReadFile(fsys, "fixtures/"+file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPremiseSelfCheck evaluates every body behind the prelude and judges every control. The one warning is the reading of
// P-12 whose closure begins behind the range's last Tuesday.
func TestPremiseSelfCheck(t *testing.T) {
	want := map[string]struct{ problems, pairs, controls int }{"premise": {21, 46, 300}, "premise-en": {21, 46, 300}, "premise-regression": {25, 25, 200}}
	for _, name := range premiseBenches {
		t.Run(name, func(t *testing.T) {
			c, err := compilePremise(t, name).SelfCheck(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range c.Faults {
				t.Errorf("%s %s %s: %s", f.Place, f.Item, f.Control, f.Msg)
			}
			w := want[name]
			if c.Problems != w.problems || c.ProblemsOK != w.problems || c.Pairs != w.pairs || c.PairsOK != w.pairs {
				t.Errorf("%d/%d problems and %d/%d pairs; want all of %d and %d", c.ProblemsOK, c.Problems, c.PairsOK, c.Pairs, w.problems, w.pairs)
			}
			if c.Controls < w.controls || c.ControlsOK != c.Controls {
				t.Errorf("%d of %d controls are right; at least %d are wanted", c.ControlsOK, c.Controls, w.controls)
			}
			switch {
			case name == "premise-regression" && len(c.Warnings) > 0:
				t.Errorf("a plain requirement with a clause that nothing shows: %v", c.Warnings)
			case name != "premise-regression" && (len(c.Warnings) != 1 || !strings.HasPrefix(c.Warnings[0], "P-12: the reading dec31-jan3 ")):
				t.Errorf("warnings %v; one of P-12 is wanted", c.Warnings)
			}
		})
	}
}

// TestPremiseQualifies holds the benches against what every bench must show before it may be frozen.
func TestPremiseQualifies(t *testing.T) {
	for _, name := range premiseBenches {
		t.Run(name, func(t *testing.T) {
			set, err := grade.Compile(compilePremise(t, name).Bench())
			if err != nil {
				t.Fatal(err)
			}
			r, err := qualify.Check(t.Context(), set, qualify.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Faults {
				t.Error(f)
			}
			if r.Drafts != 0 || r.FalseAccepts != 0 || r.FalseRejects != 0 || r.Controls < 200 || r.Generated < 200 {
				t.Errorf("%d drafts, %d false accepts, %d false rejects, %d controls, %d generated", r.Drafts, r.FalseAccepts, r.FalseRejects, r.Controls, r.Generated)
			}
		})
	}
}

// TestPremiseOpenKinds holds what each requirement leaves open, and that all nine kinds occur.
func TestPremiseOpenKinds(t *testing.T) {
	want := map[string]string{
		"P-01": "roll", "P-02": "holidays", "P-03": "tz", "P-04": "week", "P-05": "anchor", "P-06": "fiscal", "P-07": "counting", "P-08": "boundary",
		"P-09": "holidays", "P-10": "counting", "P-11": "asof", "P-12": "holidays", "P-13": "roll|holidays", "P-14": "tz", "P-15": "fiscal",
		"P-16": "counting anchor", "P-17": "roll", "C-01": "", "C-02": "", "C-03": "", "C-04": "",
	}
	timed := []string{"C-03", "C-04", "P-03", "P-08", "P-14"}
	for _, name := range []string{"premise", "premise-en"} {
		s := compilePremise(t, name)
		kinds := map[string]bool{}
		for _, p := range s.Problems() {
			var open []string
			for _, e := range p.Undeclared {
				open = append(open, e.String())
				for _, k := range e {
					kinds[k] = true
				}
			}
			if got := strings.Join(open, " "); got != want[p.ID] {
				t.Errorf("%s %s leaves %q open, and should leave %q", name, p.ID, got, want[p.ID])
			}
			if p.AllDay == slices.Contains(timed, p.ID) {
				t.Errorf("%s %s: all_day is %v", name, p.ID, p.AllDay)
			}
		}
		if len(kinds) != len(premise.Kinds) || len(s.Problems()) != len(want) {
			t.Errorf("%s has %d problems with %d kinds", name, len(s.Problems()), len(kinds))
		}
	}
	for _, p := range compilePremise(t, "premise-regression").Problems() {
		if len(p.Undeclared) != 0 || len(p.Readings) != 1 || p.Gloss == "" {
			t.Errorf("%s is not a plain requirement with one reading and a gloss", p.ID)
		}
	}
}

// TestPremiseLanguages holds both languages to the same ranges, readings and points, each in its own words.
func TestPremiseLanguages(t *testing.T) {
	ja, en := compilePremise(t, "premise").Problems(), compilePremise(t, "premise-en").Problems()
	for i, j := range ja {
		e := en[i]
		if j.ID != e.ID || j.From != e.From || j.To != e.To || j.AllDay != e.AllDay || len(j.Readings) != len(e.Readings) {
			t.Fatalf("%s and %s differ", j.ID, e.ID)
		}
		if !japanese(j.Prompt) || japanese(e.Prompt) || j.Gloss == "" || e.Gloss != "" {
			t.Errorf("%s: the requirements are %q and %q, the gloss is %q", j.ID, j.Prompt, e.Prompt, j.Gloss)
		}
		for k, r := range j.Readings {
			o := e.Readings[k]
			if r.Key != o.Key || r.Body != o.Body || !slices.Equal(r.Expected, o.Expected) {
				t.Errorf("%s: the readings %s and %s differ", j.ID, r.Key, o.Key)
			}
			if !japanese(r.Assumption) || japanese(o.Assumption) {
				t.Errorf("%s: the statements of %s are %q and %q", j.ID, r.Key, r.Assumption, o.Assumption)
			}
		}
	}
	for _, p := range compilePremise(t, "premise-regression").Problems() {
		if !japanese(p.Prompt) {
			t.Errorf("%s: the requirement is %q", p.ID, p.Prompt)
		}
	}
}

func japanese(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) })
}

// published is a problem of the reconstruction that lies beside the repository.
type published struct {
	ID        string
	Prompt    string
	AllDay    bool `json:"allDay"`
	From, To  string
	Ambiguity []string
	Readings  []struct {
		Key, Assumption, Body string
		Expected              []string
	} `json:"interpretations"`
}

func readPublished(t *testing.T) []published {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash("../../shared/kairos/premise-bench.jsonl"))
	if os.IsNotExist(err) {
		t.Skip("../shared is not here")
	} else if err != nil {
		t.Fatal(err)
	}
	var out []published
	for line := range strings.Lines(string(data)) {
		var p published
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	if len(out) != 21 {
		t.Fatalf("%d problems", len(out))
	}
	return out
}

// TestPremiseFacts holds kinds, ranges, readings, bodies and points to the published facts.
func TestPremiseFacts(t *testing.T) {
	s := compilePremise(t, "premise")
	for _, w := range readPublished(t) {
		p, err := s.Problem(w.ID)
		if err != nil {
			t.Fatal(err)
		}
		var open []string
		for _, e := range p.Undeclared {
			open = append(open, e.String())
		}
		if p.From.String() != w.From || p.To.String() != w.To || p.AllDay != w.AllDay || !slices.Equal(open, w.Ambiguity) || len(p.Readings) != len(w.Readings) {
			t.Errorf("%s differs: %v..%v, all day %v, open %v, %d readings", w.ID, p.From, p.To, p.AllDay, open, len(p.Readings))
			continue
		}
		for i, r := range w.Readings {
			if got := p.Readings[i]; got.Key != r.Key || got.Body != r.Body || !slices.Equal(got.Expected, r.Expected) {
				t.Errorf("%s: the reading %s differs from %s: %q, %v", w.ID, got.Key, r.Key, got.Body, got.Expected)
			}
		}
	}
	want, err := os.ReadFile(filepath.FromSlash("../../shared/kairos/prelude.kairos"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range premiseBenches {
		if premiseFile(t, name, "prelude.kairos") != string(want) {
			t.Errorf("the prelude of %s differs", name)
		}
	}
}

// TestPremiseWording holds requirements and statements apart from the published ones.
func TestPremiseWording(t *testing.T) {
	taken := map[string]string{}
	for _, w := range readPublished(t) {
		taken[letters(w.Prompt)] = w.ID
		for _, r := range w.Readings {
			taken[letters(r.Assumption)] = w.ID + " " + r.Key
		}
	}
	for _, name := range premiseBenches {
		for _, p := range compilePremise(t, name).Problems() {
			if of := taken[letters(p.Prompt)]; of != "" {
				t.Errorf("%s %s has the requirement of %s: %s", name, p.ID, of, p.Prompt)
			}
			for _, r := range p.Readings {
				if of := taken[letters(r.Assumption)]; of != "" {
					t.Errorf("%s %s %s has the statement of %s: %s", name, p.ID, r.Key, of, r.Assumption)
				}
			}
		}
	}
}

// letters leaves out all but letters and digits.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
