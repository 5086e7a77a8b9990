package premise

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// shipped compiles the bench that ships.
func shipped(t testing.TB) *Set {
	t.Helper()
	b, err := bench.Load(os.DirFS("../benches/premise"), "premise")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func replyOf(body string, topics ...string) string {
	r := Reply{Body: body, Assumptions: []Assumption{}}
	for _, k := range topics {
		r.Assumptions = append(r.Assumptions, Assumption{Topic: k, Statement: "s"})
	}
	return r.text()
}

func grade(t testing.TB, s *Set, item, answer string) record.Verdict {
	t.Helper()
	v, err := s.Grade(t.Context(), item, record.Transcript{Outcome: record.Answered, Answer: answer})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestLetters(t *testing.T) {
	s := shipped(t)
	const skip, end = "everyDay |> within(month) |> nth(31)", "monthEnd"
	for _, c := range []struct {
		name, item, answer, letter, reading string
		declared                            bool
		over                                int
	}{
		{"declared and matched", "P-01", replyOf(skip, "roll"), ".", "skip", true, 0},
		{"the other reading", "P-01", replyOf(end, "roll"), ".", "month-end", true, 0},
		{"twice declared is once", "P-01", replyOf(skip, "roll", "roll"), ".", "skip", true, 0},
		{"over-declared", "P-01", replyOf(skip, "roll", "tz", "asof", "tz"), ".", "skip", true, 2},
		{"silent", "P-01", replyOf(skip), "S", "skip", false, 0},
		{"another kind declared", "P-01", replyOf(skip, "holidays"), "S", "skip", false, 1},
		{"declared and wrong", "P-01", replyOf("everyDay |> within(month) |> nth(30)", "roll"), "W", "", true, 0},
		{"neither", "P-01", replyOf("everyDay |> within(month) |> nth(30)"), "X", "", false, 0},
		{"does not parse", "P-01", replyOf("everyDay |> within(month"), "i", "", true, 0},
		{"no expression", "P-01", replyOf("x = monthEnd", "roll"), "i", "", true, 0},
		{"the last of several expressions counts", "P-01", replyOf("everyDay\n\nmonthEnd", "roll"), ".", "month-end", true, 0},
		{"one of a disjunction", "P-13", replyOf("bizDay |> within(week) |> first", "roll"), ".", "first-bizday", true, 0},
		{"the other of a disjunction", "P-13", replyOf("bizDay |> within(week) |> first", "holidays"), ".", "first-bizday", true, 0},
		{"both of a disjunction are not too many", "P-13", replyOf("bizDay |> within(week) |> first", "holidays", "roll"), ".", "first-bizday", true, 0},
		{"one of two", "P-16", replyOf("everyDay |> stride(3, from: 2026-01-05)", "anchor"), "S", "every-3-from-2026-01-05", false, 0},
		{"both of two", "P-16", replyOf("everyDay |> stride(3, from: 2026-01-05)", "anchor", "counting"), ".", "every-3-from-2026-01-05", true, 0},
		{"a plain problem", "C-01", replyOf("everyDay |> filter(d => weekday(d) == Thu) |> within(month) |> nth(3)"), ".", "as-written", true, 0},
		{"declared on a plain problem", "C-01", replyOf("everyDay |> filter(d => weekday(d) == Thu) |> within(month) |> nth(3)", "tz"), ".", "as-written", true, 1},
		{"wrong on a plain problem", "C-01", replyOf("monthEnd"), "W", "", true, 0},
		{"the natural slip of a shift from a day off", "P-10", replyOf("everyDay |> within(month) |> nth(20) |> shift(-5, unit: bizDay)", "counting"), "i", "", true, 0},
		{"second weeks that are second Tuesdays", "P-04", replyOf("everyDay |> filter(d => weekday(d) == Tue and ordinalIn(week, month, d) == 2)", "week"), ".", "nth-weekday", true, 0},
		{"whole days for midnights", "P-08", replyOf("everyDay |> filter(d => weekday(d) == Sun)", "boundary"), ".", "sunday-00", true, 0},
		{"a zone of its own", "P-03", replyOf("premise NY { calendar-system: Gregorian; tz: \"America/New_York\"; wkst: Mon }\n@NY\neveryDay |> filter(d => weekday(d) == Mon) |> at(T09:00)", "tz"), ".", "new-york", true, 0},
	} {
		v := grade(t, s, c.item, c.answer)
		reading := ""
		if v.Reading != nil {
			reading = *v.Reading
		}
		invalid := c.letter == "i"
		if string(v.Letter) != c.letter || reading != c.reading || v.OverDeclared != c.over && !invalid || v.Declared != c.declared && !invalid || v.Pass != (c.letter == ".") {
			t.Errorf("%s: letter %s, reading %q, declared %v, %d too many (%s)", c.name, v.Letter, reading, v.Declared, v.OverDeclared, v.Reason)
		}
	}
}

func TestReadReply(t *testing.T) {
	for text, want := range map[string]string{
		`{"body":"x","explanation":"","assumptions":[]}`:               "",
		" \n{\"assumptions\":[],\"explanation\":\"e\",\"body\":\"\"} ": "",
		``:    "the reply is empty",
		`[]`:  "the reply is a list and must be an object",
		`{}`:  `the reply has no "body"`,
		`nul`: "the reply is not JSON alone",
		"```json\n{\"body\":\"x\",\"explanation\":\"\",\"assumptions\":[]}\n```":                "leave the fence",
		`{"body":"x","explanation":"","assumptions":[]} and more`:                               "text follows",
		`{"body":"x","body":"y","explanation":"","assumptions":[]}`:                             "not JSON alone",
		`{"body":1,"explanation":"","assumptions":[]}`:                                          "body is a number and must be a string",
		`{"body":"x","explanation":null,"assumptions":[]}`:                                      "explanation is null",
		`{"body":"x","explanation":"","assumptions":{}}`:                                        "assumptions is an object and must be a list",
		`{"body":"x","explanation":"","assumptions":[],"note":1}`:                               `unknown member "note"`,
		`{"body":"x","explanation":"","assumptions":["tz"]}`:                                    "assumptions[0] is a string and must be an object",
		`{"body":"x","explanation":"","assumptions":[{"topic":"tz"}]}`:                          `assumptions[0] has no "statement"`,
		`{"body":"x","explanation":"","assumptions":[{"topic":"zone","statement":""}]}`:         `assumptions[0].topic is "zone" and must be one of tz`,
		`{"body":"x","explanation":"","assumptions":[{"topic":"TZ","statement":""}]}`:           "must be one of",
		`{"body":"x","explanation":"","assumptions":[{"topic":"tz","statement":"","why":"y"}]}`: `unknown member "why"`,
	} {
		_, err := ReadReply(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := ReadReply(strings.Repeat(" ", MaxReply+1)); err == nil {
		t.Error("a reply beyond the limit is read")
	}
}

// TestBounded: a body that would not end, or would fill memory, is refused within the limits of an evaluation.
func TestBounded(t *testing.T) {
	s := shipped(t)
	for name, body := range map[string]string{
		"seconds for ever": "everyInstant |> strideBy(1s, from: 1970-01-01) |> filter(t => coincides(everyInstant |> strideBy(1s, from: 1970-01-01), day, t))",
		"days of days":     "everyDay |> filter(a => coincides(everyDay |> filter(b => a == b and coincides(everyDay |> filter(c => b == c), day, b)), day, a))",
		"a circle":         "f = f |> first\neveryDay |> f",
		"a million":        strings.Repeat("(", 1_000_000) + "everyDay",
		"a megabyte":       "# " + strings.Repeat("x", 1<<20) + "\nmonthEnd",
	} {
		if v := grade(t, s, "P-01", replyOf(body, "roll")); v.Letter != record.LetterInvalid || !strings.HasPrefix(v.Reason, "not validated: ") {
			t.Errorf("%s: %s, %s", name, v.Letter, v.Reason)
		}
	}
}

// TestAgain: only what is not validated goes back, at most twice, with the place in the body and in the bench's language.
func TestAgain(t *testing.T) {
	s := shipped(t)
	told, again, err := s.Again(t.Context(), "P-01", 0, replyOf("everyDay |> within(month)\n  |> nth(31) |> frist"))
	if err != nil || !again || !strings.Contains(told, "2 行 17 列") || !strings.Contains(told, "name.unknown-stage") {
		t.Errorf("%v, %v: %s", again, err, told)
	}
	for name, c := range map[string]struct {
		earlier int
		answer  string
		again   bool
	}{
		"no JSON":             {0, "no", true},
		"the second time":     {1, "no", true},
		"the third time":      {2, "no", false},
		"wrong points":        {0, replyOf("everyDay"), false},
		"nothing is declared": {0, replyOf("monthEnd"), false},
	} {
		if _, again, err := s.Again(t.Context(), "P-01", c.earlier, c.answer); err != nil || again != c.again {
			t.Errorf("%s: %v, %v", name, again, err)
		}
	}
}

// TestTries: how an attempt stood after each of its replies is in the verdict, and a reply that was cut off never passes.
func TestTries(t *testing.T) {
	s := shipped(t)
	tr := record.Transcript{Outcome: record.Answered, Answer: replyOf("monthEnd", "roll"),
		Turns: []record.Turn{{Answer: "no", Told: "a"}, {Answer: replyOf("x"), Told: "b"}}}
	v, err := s.Grade(t.Context(), "P-01", tr)
	if err != nil || !v.Pass || v.Repairs != 2 || !slices.Equal(v.Tries, []string{"i", "i", "."}) {
		t.Errorf("%v: %+v", err, v.Premise)
	}
	tr.Outcome, tr.Reason = record.Truncated, "the output limit was reached"
	if v, err = s.Grade(t.Context(), "P-01", tr); err != nil || v.Pass || v.Letter != record.LetterTruncated || v.Diagnostics["would_have_passed"] != true {
		t.Errorf("%v: %+v", err, v)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Grade(ctx, "P-01", tr); err == nil {
		t.Error("a verdict came of a grading that was told to stop")
	}
}

// TestPromptKeepsTheRange: neither the range nor a reading is in what a model is shown.
func TestPromptKeepsTheRange(t *testing.T) {
	s := shipped(t)
	for _, p := range s.Problems() {
		msgs, err := s.Prompt(p.ID)
		if err != nil || len(msgs) != 2 || msgs[0].Role != "system" || msgs[1].Role != "user" {
			t.Fatalf("%s: %v, %v", p.ID, msgs, err)
		}
		if !strings.HasPrefix(msgs[1].Text, "要件: "+p.Prompt) || strings.HasSuffix(msgs[1].Text, "（終日でよい）") != p.AllDay {
			t.Errorf("%s: %s", p.ID, msgs[1].Text)
		}
		all := msgs[0].Text + msgs[1].Text
		if strings.Contains(all, p.From.String()+".."+p.To.String()) || !strings.Contains(all, "holidays2026 = [") {
			t.Errorf("%s: the range is shown, or the prelude is not", p.ID)
		}
	}
}

// faulty compiles a bench with one item changed, and gives what is wrong with it.
func faulty(t *testing.T, change func(item string) string) string {
	t.Helper()
	files := os.DirFS("../benches/premise")
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	item, err := fs.ReadFile(files, "items/P-01.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/items/P-01.yaml", []byte(change(string(item))), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := bench.Load(os.DirFS(dir), "x")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Compile(b)
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestFaultsNameTheirPlace(t *testing.T) {
	for want, c := range map[string][2]string{
		`the kind "rol" is not known`:      {"undeclared: [roll]", "undeclared: [rol]"},
		`the kind "holliday" is not known`: {"undeclared: [roll]", "undeclared: [roll|holliday]"},
		`the kind "roll" stands twice`:     {"undeclared: [roll]", "undeclared: [roll|roll]"},
		"from is a day such as":            {"from: 2026-01-01", "from: 2026-13-01"},
		"the range ends at 2025-07-01":     {"to: 2026-07-01", "to: 2025-07-01"},
		`the key "undeclared" is missing`:  {"undeclared: [roll]", ""},
		`there is no reading "skipped"`:    {"reading: skip", "reading: skipped"},
		`the letter "Z" is none of`:        {"letter: S", "letter: Z"},
		"unknown key":                      {"all_day:", "allday: true\nall_day:"},
		`"2026-02-30" is no point`:         {"2026-01-31", "2026-02-30"},
	} {
		got := faulty(t, func(item string) string {
			if !strings.Contains(item, c[0]) {
				t.Fatalf("the item holds no %q", c[0])
			}
			return strings.Replace(item, c[0], c[1], 1)
		})
		if !strings.Contains(got, want) || !strings.Contains(got, "items/P-01.yaml:") {
			t.Errorf("%s: %s", want, got)
		}
	}
}

// TestSelfCheckSees that a reading's body gives other points, and that a control has another letter.
func TestSelfCheckSees(t *testing.T) {
	s := shipped(t)
	p, err := s.Problem("P-01")
	if err != nil {
		t.Fatal(err)
	}
	p.Readings[0].Body = "everyDay |> within(month) |> nth(30)"
	p.Readings[1].Body = "monthEnd |>"
	c, err := s.SelfCheck(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c.Problems != 21 || c.ProblemsOK != 20 || c.Pairs != 46 || c.PairsOK != 44 {
		t.Errorf("%+v", c)
	}
	var msgs []string
	for _, f := range c.Faults {
		msgs = append(msgs, f.Item+" "+f.Msg)
	}
	if all := strings.Join(msgs, "\n"); !strings.Contains(all, "reading skip: its body gives 5 points, and not the 3 expected: 2026-01-30 where skip has 2026-01-31") || !strings.Contains(all, "reading month-end: its body does not evaluate") {
		t.Error(all)
	}
}
