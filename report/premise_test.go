package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/record"
)

// premiseRun is a run of 17 problems that leave something open and 4 that do not, with what other runs came to.
func premiseRun(models ...Model) Run {
	var items []Item
	p := &PremiseRun{Repairs: 2, Thinking: map[string]string{"effort-high": "high", "plain": ""}}
	for i := range 17 {
		items = append(items, Item{fmt.Sprintf("P-%02d", i+1), "unstated", record.Exact})
	}
	for i := range 4 {
		id := fmt.Sprintf("C-%02d", i+1)
		items = append(items, Item{id, "plain", record.Exact})
		p.Plain = append(p.Plain, id)
	}
	run := Run{ID: "r1", Bench: "premise@1", Digest: "d", Grader: "g", Models: models, Repeats: 1, Proven: true, Families: []Family{{"unstated", ""}, {"plain", ""}},
		Items: slices.Values(items), Premise: p, Letters: []Meaning{{"S", "silent"}, {"W", "declared and wrong"}, {"X", "neither"}, {"i", "not validated"}}}
	for _, m := range models {
		run.Planned += len(m.Postures) * len(items)
	}
	return run
}

// premiseRows answers every item: letters says by item what becomes of it where it does not simply pass.
func premiseRows(run Run, change func(*Row)) func(func(Row, error) bool) {
	return func(yield func(Row, error) bool) {
		for _, m := range run.Models {
			for _, q := range m.Postures {
				for it := range run.Items {
					for repeat := 1; repeat <= run.Repeats; repeat++ {
						key := "first"
						r := Row{Key: record.Key{Model: m.Name, Posture: q, Item: it.ID, Repeat: repeat}, Outcome: record.Answered, State: record.Graded, Letter: ".", Pass: true,
							Tries: 1, PromptTokens: new(int64(1000)), OutputTokens: new(int64(50)), Premise: &record.Premise{Reading: &key, Declared: true, Tries: []string{"."}}}
						change(&r)
						r.Pass = r.Letter == record.LetterPass && r.Outcome == record.Answered
						if l := r.Letter; l == "W" || l == "X" || l == "i" {
							r.Premise.Reading = nil
						}
						if !yield(r, nil) {
							return
						}
					}
				}
			}
		}
	}
}

// The figures of a published row come out of its letters.
func TestPremiseFigures(t *testing.T) {
	weak := Model{Name: "x/weak", Postures: []string{"effort-high"}}
	run := premiseRun(weak, Model{Name: "x/strong", Postures: []string{"effort-high"}})
	letters := map[string]record.Letter{"P-01": "S", "P-03": "W", "P-04": "W", "P-09": "i", "P-11": "S", "P-13": "S", "P-14": "W", "P-16": "S"}
	key := [2]string{"x/weak", "effort-high"}
	run.Premise.PrivateOf = map[[2]string]Linked{key: {Run: "r2", Bench: "premise-private@1", Passed: 2, Items: 6, Judged: 6,
		Failed: []FailedItem{{"H-01", []record.Letter{"S"}}, {"H-03", []record.Letter{"W"}}}}}
	run.Premise.Regression = map[[2]string]Linked{key: {Run: "r3", Bench: "premise-regression@1", Passed: 21, Items: 25, Judged: 24, Failed: []FailedItem{}}}
	r := mustBuild(t, run, premiseRows(run, func(r *Row) {
		if r.Key.Model == "x/strong" {
			if r.Key.Item == "P-02" { // mended at once
				r.Premise.Repairs, r.Premise.Tries = 1, []string{"i", "."}
			}
			if r.Key.Item == "P-05" { // mended at the last
				r.Premise.Repairs, r.Premise.Tries = 2, []string{"i", "i", "."}
			}
			if r.Key.Item == "P-06" {
				r.Premise.OverDeclared = 2
			}
			return
		}
		r.Detail = &Detail{Settings: []record.Setting{{Name: "thinking", Asked: "high", State: record.SettingNotAccepted, Why: "no such thing"}}}
		if l, ok := letters[r.Key.Item]; ok {
			r.Letter = l
		}
		if r.Letter == "i" {
			r.Premise.Repairs, r.Premise.Tries = 2, []string{"i", "i", "i"}
		}
		if strings.HasPrefix(r.Key.Item, "C-") && r.Key.Item != "C-04" {
			r.Premise.OverDeclared = 1
		}
		if r.Key.Item == "P-17" {
			r.Outcome, r.State, r.Letter, r.Premise = record.Truncated, "", "", &record.Premise{Declared: true, OverDeclared: 3, Tries: []string{"C"}}
		}
	}))
	p := r.Premise.Settings[0]
	want := PremiseFigure{Model: "x/weak", Posture: "effort-high", Effort: "high", EffortState: "not accepted", Score: Score{Basis: "exact", Passed: 12, Items: 21, Judged: 21, Interval: p.Interval},
		SingleRun: true, Complete: true, Silent: Part{4, 17}, DeclaredWrong: Part{3, 21}, UndeclaredWrong: Part{0, 17}, NotValidated: Part{1, 21}, DeclaredOnControl: Part{3, 4}, OverDeclared: Part{0, 17},
		FirstTry: Part{12, 21}, AfterOne: Part{12, 21}, AfterTwo: Part{12, 21}, Repairs: Part{2, 42}, Repaired: 1, Prompt: Tokens{21000, 21}, Output: Tokens{1050, 21}, Private: p.Private, Regression: p.Regression}
	for _, id := range []string{"P-01", "P-03", "P-04", "P-09", "P-11", "P-13", "P-14", "P-16"} {
		want.Failed = append(want.Failed, FailedItem{id, []record.Letter{letters[id]}})
	}
	want.Failed = append(want.Failed, FailedItem{"P-17", []record.Letter{"C"}})
	if d := cmp.Diff(want, p); d != "" {
		t.Error(d)
	}
	if got, want := p.failed(), "P-01:S P-03:W P-04:W P-09:i P-11:S P-13:S P-14:W P-16:S P-17:C, H-01:S H-03:W"; got != want {
		t.Errorf("failed: %s", got)
	}
	if p.Private.String() != "2/6" || p.Regression.String() != "21/25 (1 open)" || (*Linked)(nil).String() != "-" {
		t.Errorf("linked: %v, %v", p.Private, p.Regression)
	}
	s := r.Premise.Settings[1]
	if s.FirstTry != (Part{19, 21}) || s.AfterOne != (Part{20, 21}) || s.AfterTwo != (Part{21, 21}) || s.Repairs != (Part{3, 42}) || s.Repaired != 2 || s.OverDeclared != (Part{1, 17}) || s.Private != nil || s.failed() != "-" {
		t.Errorf("%+v", s)
	}
	// The share of readings leaves out what has no verdict.
	for _, x := range r.Premise.Readings {
		if x.Model != "x/weak" {
			continue
		}
		none, invalid := 0, 0
		switch letters[x.Item] {
		case "W":
			none = 1
		case "i":
			invalid = 1
		}
		if x.Item == "P-17" {
			if x.Attempts != 0 {
				t.Errorf("%+v", x)
			}
		} else if x.Attempts != 1 || x.None != none || x.NotValidated != invalid || len(x.Chosen) != 1-none-invalid {
			t.Errorf("%+v", x)
		}
	}
	for _, columns := range []int{80, 100, 120} {
		var text bytes.Buffer
		if err := r.Text(&text, Page{Columns: columns}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text.String()) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > columns {
				t.Errorf("%d columns: %d in %q", columns, n, line)
			}
		}
		for _, want := range []string{"undeclared", "first-try", "#1: private pass: from run r2 (premise-private@1)", "#1: regression pass: from run r3 (premise-regression@1)", "#1, #2: single run",
			"effort-high, not accepted", "S silent", "21,000 in 21"} {
			if !strings.Contains(strings.ReplaceAll(text.String(), "S  silent", "S silent"), want) {
				t.Errorf("%d columns: no %q in\n%s", columns, want, &text)
			}
		}
		for _, not := range []string{"unread", "Proxy"} {
			if strings.Contains(text.String(), not) {
				t.Errorf("%q makes no sense for this shape:\n%s", not, &text)
			}
		}
	}
	var md bytes.Buffer
	if err := r.Markdown(&md); err != nil {
		t.Fatal(err)
	}
	row := "| 1 | x/weak | effort-high, not accepted | 12/21 | 4/17 | 3/21 | 0/17 | 1/21 | 3/4 | 2/6 | 21/25 (1 open) | P-01:S P-03:W P-04:W P-09:i P-11:S P-13:S P-14:W P-16:S P-17:C, H-01:S H-03:W |"
	if !strings.Contains(md.String(), row) {
		t.Errorf("no row %s in\n%s", row, &md)
	}
	var j bytes.Buffer
	if err := r.JSON(&j); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Premise struct {
			Settings []map[string]any
			Readings []map[string]any
		}
	}
	if err := json.Unmarshal(j.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	first := got.Premise.Settings[0]
	if first["passed"] != 12.0 || first["items"] != 21.0 || !cmp.Equal(first["silent"], map[string]any{"n": 4.0, "of": 17.0}) || first["private"].(map[string]any)["run"] != "r2" ||
		got.Premise.Settings[1]["private"] != nil || len(got.Premise.Readings) != 42 {
		t.Errorf("%v", first)
	}
}

// Repeats: a problem passes at the first try only if all its repeats do, and counts are of attempts.
func TestPremiseRepeats(t *testing.T) {
	run := premiseRun(Model{Name: "x/m", Postures: []string{"plain"}})
	run.Repeats, run.Planned = 2, 42
	r := mustBuild(t, run, premiseRows(run, func(r *Row) {
		switch {
		case r.Key.Item == "P-01" && r.Key.Repeat == 2:
			r.Letter = "S"
		case r.Key.Item == "P-02" && r.Key.Repeat == 1:
			r.Premise.Repairs, r.Premise.Tries = 1, []string{"i", "."}
		}
	}))
	p := r.Premise.Settings[0]
	if p.Passed != 20 || p.Silent != (Part{1, 34}) || p.NotValidated.Of != 42 || p.DeclaredOnControl != (Part{0, 8}) || p.FirstTry != (Part{19, 21}) || p.AfterOne != (Part{20, 21}) || p.Repairs != (Part{1, 84}) ||
		p.failed() != "P-01:.S" || p.SingleRun || p.Effort != "" {
		t.Errorf("%+v", p)
	}
}

// Of a private set nothing is shown but counts and letters.
func TestPremisePrivate(t *testing.T) {
	run := premiseRun(Model{Name: "x/m", Postures: []string{"plain"}})
	run.Premise.Private = true
	secret := "SECRET"
	r := mustBuild(t, run, premiseRows(run, func(r *Row) { r.Premise.Reading = &secret }))
	for name, write := range map[string]func(*bytes.Buffer) error{"text": func(b *bytes.Buffer) error { return r.Text(b, Page{}) }, "Markdown": func(b *bytes.Buffer) error { return r.Markdown(b) }, "JSON": func(b *bytes.Buffer) error { return r.JSON(b) }} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), secret) || !strings.Contains(b.String(), "21") {
			t.Errorf("%s: %s", name, &b)
		}
	}
	if !r.Private || len(r.Premise.Readings) != 0 || len(r.Items) != 21 {
		t.Errorf("%+v", r.Premise)
	}
}
