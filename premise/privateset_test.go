package premise

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// desk is the bench of the tests.
func desk(t testing.TB) *Set {
	t.Helper()
	b, err := bench.Load(os.DirFS(filepath.Join("testdata", "desk")), "desk")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	secretOne = `{"id":"H-01","prompt":"SECRET shelves on the 31st","allDay":true,"from":"2026-01-01","to":"2026-04-01","ambiguity":["roll"],"interpretations":[` +
		`{"key":"skip","assumption":"SECRET.","body":"everyDay |> within(month) |> nth(31) # SECRET","expected":["2026-01-31","2026-03-31"]},` +
		`{"key":"end","assumption":"SECRET end.","body":"monthEnd","expected":["2026-01-31","2026-02-28","2026-03-31"]}]}`
	secretTwo = `{"id":"H-02","prompt":"SECRET Thursdays","allDay":false,"from":"2026-01-05","to":"2026-01-20","ambiguity":[],"interpretations":[` +
		`{"key":"as-written","assumption":"SECRET.","body":"everyDay |> filter(d => weekday(d) == Thu)","expected":["2026-01-08","2026-01-15"]}]}`
)

func TestDesk(t *testing.T) {
	c, err := desk(t).SelfCheck(t.Context())
	if err != nil || len(c.Faults) > 0 || c.Problems != 4 || c.ProblemsOK != 4 || c.Pairs != 7 || c.PairsOK != 7 || c.Controls != 30 || c.ControlsOK != 30 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestPrivateSet(t *testing.T) {
	p, err := OpenPrivate(desk(t).Bench(), "mine.jsonl", []byte(secretOne+"\n\n"+secretTwo+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.SelfCheck(t.Context())
	if err != nil || len(c.Faults) > 0 || c.ProblemsOK != 2 || c.PairsOK != 3 || c.ControlsOK != c.Controls {
		t.Fatalf("%+v, %v", c, err)
	}
	// The controls that were made have their letters in a run, too.
	for item, want := range map[string]map[string]record.Letter{
		"H-01": {"reference": ".", "overdeclared": ".", "silent": "S", "other-kind": "S", "wrong": "W", "wrong-silent": "X", "unparsable": "i", "not-json": "i"},
		"H-02": {"reference": ".", "overdeclared": ".", "silent": ".", "wrong": "W", "unparsable": "i", "not-json": "i"},
	} {
		controls, err := p.Controls(item)
		if err != nil || len(controls) != len(want) {
			t.Fatalf("%s has %d controls, want %d: %v", item, len(controls), len(want), err)
		}
		for _, ctl := range controls {
			v, err := p.Grade(t.Context(), item, record.Transcript{Outcome: record.Answered, Answer: ctl.Answer})
			if err != nil || v.Letter != want[ctl.Name] {
				t.Errorf("%s %s: %s, want %s (%v)", item, ctl.Name, v.Letter, want[ctl.Name], err)
			}
		}
	}
	if p.Bench().ID != "desk"+PrivateSuffix || p.Digest() == desk(t).Digest() {
		t.Errorf("%s, digest %s", p.Bench().Name(), p.Digest())
	}
	m, err := p.Prompt("H-01")
	if err != nil || m[1].Text != "要件: SECRET shelves on the 31st（終日でよい）" || !strings.Contains(m[0].Text, "@Desk") {
		t.Errorf("%v, %v", m, err)
	}
}

// Faults and warnings of a private set name file, line, problem and number, and hold no word of it.
func TestPrivateFaults(t *testing.T) {
	for _, c := range []struct{ name, from, to, says string }{
		{"points", `"2026-02-28","2026-03-31"]}]}`, `"2026-02-27","2026-03-31"]}]}`, "mine.jsonl:3: reading 2: its body gives 3 points, as many as expected, but not the same ones"},
		{"does not evaluate", `"monthEnd"`, `"SECRETname"`, "mine.jsonl:3: reading 2: its body does not evaluate: line 1, column 1 ["},
	} {
		p, err := OpenPrivate(desk(t).Bench(), "mine.jsonl", []byte(secretTwo+"\n\n"+strings.Replace(secretOne, c.from, c.to, 1)))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got, err := p.SelfCheck(t.Context())
		if err != nil || len(got.Faults) != 1 || got.PairsOK != 2 || got.ProblemsOK != 1 {
			t.Fatalf("%s: %+v, %v", c.name, got, err)
		}
		f := got.Faults[0]
		if said := f.Place + ": " + f.Msg; !strings.HasPrefix(said, c.says) || strings.Contains(said, "SECRET") || f.Item != "H-01" {
			t.Errorf("%s: %s: %s", c.name, f.Item, said)
		}
	}
	for _, c := range []struct{ name, from, to, says string }{
		{"unknown kind", `["roll"]`, `["rol"]`, `mine.jsonl:2: problem H-01: the kind "rol" is not known; did you mean "roll"`},
		{"unknown alternative", `["roll"]`, `["roll|sundays"]`, `mine.jsonl:2: problem H-01: the kind "sundays" is not known`},
		{"no points", `["2026-01-31","2026-03-31"]`, `[]`, "mine.jsonl:2: problem H-01, interpretation 1: it has no points"},
		{"twice", `"H-01"`, `"h-02"`, "mine.jsonl:2: the id h-02 stands on line 1 too"},
		{"no body", `"body":"monthEnd",`, ``, `mine.jsonl:2: problem H-01, interpretation 2: "body" is empty`},
		{"key twice", `"key":"end"`, `"key":"skip"`, `mine.jsonl:2: problem H-01, interpretation 2: the key "…" is that of another interpretation, too`},
		{"no JSON", `{"id"`, `"id"`, "mine.jsonl:2: not a problem"},
		{"member", `"allDay"`, `"allday_":1,"allDay"`, `mine.jsonl:2: not a problem`},
		{"point", `"2026-02-28"`, `"SECRET"`, `mine.jsonl:2: problem H-01, interpretation 2: "…" is no point such as 2026-01-31`},
		{"range", `"2026-04-01"`, `"2025-04-01"`, "mine.jsonl:2: problem H-01: the range does not end after its beginning"},
		{"order", `"2026-02-28","2026-03-31"`, `"2026-03-31","2026-02-28"`, `mine.jsonl:2: problem H-01, interpretation 2: the point "…" stands after a later one`},
		{"day", `"2026-04-01"`, `"SECRET"`, `mine.jsonl:2: problem H-01: to is a day such as 2026-01-31, and "…" is none`},
		{"kind", `["roll"]`, `["SECRET shelves"]`, `mine.jsonl:2: problem H-01: the kind "…" is not known; known: tz, week`},
		{"kind twice", `["roll"]`, `["roll|tz|roll"]`, `mine.jsonl:2: problem H-01: the kind "roll" stands twice in "roll|tz|roll"`},
		{"id", `"H-01"`, `"SECRET shelves"`, `mine.jsonl:2: the id "…" is not made of letters, digits and . _ - inside`},
		{"another member", `"allDay"`, `"SECRET shelves":1,"allDay"`, `: it has no member "…"`},
		{"a member of another name", `"allDay"`, `"all_day"`, `: it has no member "all_day"`},
		{"no key", `"key":"end"`, `"key":""`, `mine.jsonl:2: problem H-01, interpretation 2: the key "…" is empty, too long or not made of what can be seen`},
		{"no list of kinds", `"ambiguity":["roll"],`, ``, `"ambiguity" is missing`},
		{"a list of kinds that is null", `["roll"]`, `null`, `ambiguity is null and must be a list`},
		{"whole days are not said", `"allDay":true,`, ``, `"allDay" is missing`},
		{"a member twice", `"allDay":true,`, `"allDay":true,"prompt":"",`, `a key stands twice at byte `},
		{"a bracket behind", `]}]}`, `]}]}]`, `text follows the value at byte `},
		{"half a character", `SECRET`, `\ud800`, `not JSON at byte `},
		{"not UTF-8", `SECRET`, "\xff", `not JSON at byte `},
	} {
		_, err := OpenPrivate(desk(t).Bench(), "mine.jsonl", []byte(secretTwo+"\n"+strings.Replace(secretOne, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	same := strings.Replace(strings.Replace(secretOne, `"monthEnd"`, `"everyDay |> within(month) |> nth(31)"`, 1), `"2026-02-28",`, "", 1)
	p, err := OpenPrivate(desk(t).Bench(), "mine.jsonl", []byte(same))
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.SelfCheck(t.Context())
	if err != nil || len(c.Warnings) != 1 || c.Warnings[0] != "H-01: the readings 1 and 2 have the same points, so they cannot be told apart" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := OpenPrivate(&bench.Bench{Shape: bench.ShapePrompt, Source: "x"}, "mine.jsonl", nil); err == nil || !strings.Contains(err.Error(), "only benches of the shape premise take a private set") {
		t.Error(err)
	}
}
