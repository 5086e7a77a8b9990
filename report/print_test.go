package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assaybench/assay/record"
)

var update = flag.Bool("update", false, "write the golden files anew")

// threeModels is a run with every kind of trouble in it.
func threeModels(t *testing.T) *Result {
	run := chairTrials(2, reference(), Model{Name: "openai/qwen3-8b@http://127.0.0.1:8080/v1", Postures: []string{"plain", "thinking"}})
	run.Notes = []string{"unsafe: the candidates' commands ran without a sandbox"}
	return mustBuild(t, run, answers(run, func(r *Row) bool {
		if r.Key.Model == "control/reference" {
			if r.Key.Item == "c2-xx-3" {
				r.State, r.Pass, r.Reason = record.Ungradable, false, "no python3"
			}
			return true
		}
		r.PromptTokens, r.OutputTokens, r.LatencyNS = new(int64(1200)), new(int64(300)), 3_000_000_000
		switch {
		case r.Key.Item == "c1-xx-2" && r.Key.Repeat == 2:
			r.Pass, r.AnswerHash = false, "another"
		case r.Key.Item == "c3-xx-2":
			r.State, r.Pass, r.Tolerant = record.Unread, false, true
		case r.Key.Posture == "thinking" && r.Key.Item == "c1-xx-5":
			r.Outcome, r.State, r.Pass, r.Reason, r.Tries = record.Error, "", false, "HTTP 500 after 5 tries", 5
		case r.Key.Posture == "thinking" && r.Key.Item == "c2-xx-1":
			r.Outcome, r.State, r.Pass, r.ThinkingTokens = record.Truncated, "", false, new(int64(4096))
		case r.Key.Posture == "thinking" && r.Key.Item == "c3-xx-6":
			return r.Key.Repeat == 1
		}
		return true
	}))
}

func TestGolden(t *testing.T) {
	one := chairTrials(1, reference())
	for name, write := range map[string]func(*bytes.Buffer) error{
		"control.txt":    func(b *bytes.Buffer) error { return mustBuild(t, one, answers(one, nil)).Text(b, Page{}) },
		"models.txt":     func(b *bytes.Buffer) error { return threeModels(t).Text(b, Page{}) },
		"models-120.txt": func(b *bytes.Buffer) error { return threeModels(t).Text(b, Page{Columns: 120}) },
		"models.md":      func(b *bytes.Buffer) error { return threeModels(t).Markdown(b) },
		"models.json":    func(b *bytes.Buffer) error { return threeModels(t).JSON(b) },
		"quiet.txt":      func(b *bytes.Buffer) error { return quietRun(t).Text(b, Page{}) },
		"hosted.txt":     func(b *bytes.Buffer) error { return hostedRun(t).Text(b, Page{}) },
		"hosted.md":      func(b *bytes.Buffer) error { return hostedRun(t).Markdown(b) },
		"hosted.json":    func(b *bytes.Buffer) error { return hostedRun(t).JSON(b) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s (want, got; -update writes it anew):\n%s", file, diff)
		}
	}
}

func TestJSONShape(t *testing.T) {
	var b bytes.Buffer
	if err := threeModels(t).JSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Run, Bench, Digest, Grader       string
		Figures, Detectable              []map[string]any
		Families, Items, Unstable, Notes []any
		Servers, Contention, Accounts    []any
		Attempts                         map[string]any
	}
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields() // the first names are exactly these
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	f := got.Figures[0]
	if f["model"] != "control/reference" || f["posture"] != "plain" || f["basis"] != "exact" || f["passed"] != 12.0 || f["items"] != 13.0 ||
		f["judged"] != 12.0 || !cmp.Equal(f["interval"], []any{0.7575, 1.0}) {
		t.Errorf("the first figure is %v", f)
	}
	if len(got.Figures) != 6 || len(got.Items) != 20 || got.Attempts["planned"] != 120.0 || got.Attempts["missing"] != 1.0 {
		t.Errorf("%d figures, %d items, attempts %v", len(got.Figures), len(got.Items), got.Attempts)
	}
}

const hostile = "x\x1b[2J\u202e\u009b1m\x00|<img src=x>\r\n[a](http://b)`*\xff\u200b\U000e0041"

func TestHostileTexts(t *testing.T) {
	run := chairTrials(2, Model{Name: hostile, Postures: []string{hostile}})
	run.ID, run.Bench, run.Digest, run.Grader, run.Notes = hostile, hostile, hostile, hostile, []string{hostile}
	run.Letters = []Meaning{{"S", hostile}}
	run.Families = append(run.Families, Family{hostile, hostile})
	items := append(slices.Collect(run.Items), Item{hostile, hostile, record.Exact})
	run.Items, run.Planned = slices.Values(items), 2*len(items)
	r := mustBuild(t, run, answers(run, func(r *Row) bool {
		switch {
		case r.Key.Item == hostile && r.Key.Repeat == 1:
			r.Pass, r.Letter = false, "S"
		case r.Key.Item == "c1-xx-1":
			r.Outcome, r.State, r.Pass, r.Reason = record.Error, "", false, hostile
		}
		return true
	}))
	var txt, md, js bytes.Buffer
	for _, err := range []error{r.Text(&txt, Page{}), r.Markdown(&md), r.JSON(&js)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	onlyText(t, map[string]string{"text": txt.String(), "markdown": md.String(), "json": js.String()})
	for _, bad := range []string{"<img", "a](http", "|<", "b)`"} {
		if strings.Contains(md.String(), bad) {
			t.Errorf("markdown holds %q:\n%s", bad, &md)
		}
	}
	cells := -1
	for l := range strings.Lines(md.String()) { // each table keeps its number of columns
		n := strings.Count(strings.ReplaceAll(l, `\|`, ""), "|")
		if n == 0 {
			cells = -1
		} else if cells >= 0 && n != cells {
			t.Errorf("markdown: a row of another width: %s", l)
		} else {
			cells = n
		}
	}
	var back struct{ Figures []Figure }
	if err := json.Unmarshal(js.Bytes(), &back); err != nil || back.Figures[0].Model != strings.ToValidUTF8(hostile, "\ufffd") {
		t.Errorf("json: the model reads back as %q, %v", back.Figures[0].Model, err)
	}
}

// onlyText checks that nothing but printable characters and line feeds was written.
func onlyText(t *testing.T, forms map[string]string) {
	t.Helper()
	for name, s := range forms {
		for i, c := range s {
			if c != '\n' && !unicode.IsPrint(c) {
				t.Errorf("%s: %U at byte %d", name, c, i)
			}
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                                  "plain",
		"  a\tb\r\nc  ":                          "a b  c",
		"\x1b[31mred":                            "\ufffd[31mred",
		"\u202eabc\u2066":                        "\ufffdabc\ufffd",
		"a\xffb":                                 "a\ufffdb",
		"c\u0301afe":                             "c\u0301afe",
		"z\u0301\u0301\u0301\u0301\u0301\u0301a": "z\u0301\u0301\u0301a",
		"模型":                                     "模型",
		"\u00a0\u3000":                           "",
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}

// Lines fit the page, and no word of a figure is lost, whatever names and reasons come.
func TestTextFitsThePage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.StringMatching(`[a-z]{1,8}/[a-z0-9.:@/-]{1,90}`), rapid.String(), rapid.StringMatching(`[模型名一二 ]{1,40}`))
		var models []Model
		for range rapid.IntRange(1, 6).Draw(t, "models") {
			models = append(models, Model{Name: name.Draw(t, "model"), Postures: []string{rapid.StringMatching(`[a-z-]{1,30}`).Draw(t, "posture")}})
		}
		slices.SortFunc(models, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
		models = slices.CompactFunc(models, func(a, b Model) bool { return a.Name == b.Name })
		run := chairTrials(rapid.SampledFrom([]int{1, 2, 40}).Draw(t, "repeats"), models...)
		reason := name.Draw(t, "reason")
		r, err := Build(run, answers(run, func(r *Row) bool {
			if r.Key.Item == "c1-xx-1" {
				r.Outcome, r.State, r.Pass, r.Reason = record.Error, "", false, reason
			}
			return true
		}))
		if err != nil {
			t.Fatal(err)
		}
		page := rapid.IntRange(60, 200).Draw(t, "columns")
		var b bytes.Buffer
		if err := r.Text(&b, Page{Columns: page}); err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(b.String()) {
			l = strings.TrimRight(l, "\n")
			if w := columns(l); w > page || strings.HasSuffix(l, " ") {
				t.Fatalf("%d columns of %d: %q", w, page, l)
			}
		}
		for _, want := range []string{"12/13 exact", "7/7 proxy", "error"} {
			if !strings.Contains(b.String(), want) {
				t.Fatalf("no %q in\n%s", want, &b)
			}
		}
	})
}

func TestColourOnlyWhenAsked(t *testing.T) {
	run := chairTrials(2, subject())
	r := mustBuild(t, run, answers(run, nil))
	for _, colour := range []bool{false, true} {
		var b bytes.Buffer
		if err := r.Text(&b, Page{Colour: colour}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "\x1b[33mwarning:"); got != colour {
			t.Errorf("with colour %v: a coloured warning is %v", colour, got)
		}
		if !colour && strings.ContainsRune(b.String(), '\x1b') {
			t.Error("escapes without colour")
		}
	}
}

func TestLettersAreExplained(t *testing.T) {
	run := chairTrials(1, subject())
	run.Letters = []Meaning{{"W", "another reading"}, {"F", "wrong in its own way"}, {"X", "never seen"}}
	r := mustBuild(t, run, answers(run, func(r *Row) bool {
		letter := map[string]record.Letter{"c1-xx-1": "W", "c1-xx-2": "F", "c1-xx-3": "q"}[r.Key.Item]
		if letter != "" {
			r.Pass, r.Letter = false, letter
		}
		return true
	}))
	want := []Meaning{{".", "passed"}, {"W", "another reading"}, {"F", "wrong in its own way"}, {"q", "not explained by the bench"}}
	if diff := cmp.Diff(want, r.Letters); diff != "" {
		t.Error(diff)
	}
}
