package premise

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// publishedDesk is the tests' bench as published files, with what such files may hold and a careless reader would lose.
func publishedDesk(t testing.TB) Published {
	t.Helper()
	files, _, err := Export(desk(t).Bench())
	if err != nil {
		t.Fatal(err)
	}
	return Published{Problems: append(files[fileProblems], oddProblem...), Answers: append(files[fileAnswers], oddAnswers...),
		Prelude: files[filePrelude], Declaration: []byte("  declare\r\n"), Skill: []byte("skill"), Return: []byte("return\n\n"), Rules: []byte("rules")}
}

// A problem with what JSON may hold and YAML reads in another way.
const (
	oddProblem = `{"id":"A-01","prompt":"\t<b>&  30 日 \"x\": # {prompt}\\n\u007f\u0085\u009f\u2028\ufeff\uffff","allDay":true,"from":"2026-01-05","to":"2026-01-08","ambiguity":["tz|week","roll"],"expected":["2026-01-05","2026-01-06","2026-01-07"],` +
		`"interpretations":[{"key":"k.1","assumption":"a: b\n- c","expected":["2026-01-05","2026-01-06","2026-01-07"]}]}` + "\n"
	oddAnswers = `{"id":"A-01","bodies":[{"key":"k.1","body":"\n# <&> \"q\" {prelude}\neveryDay\n\n"}]}` + "\n"
)

func imported(t testing.TB, p Published) (*bench.Bench, *Imported) {
	t.Helper()
	im, err := Import(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	fsys, err := treeOf(im.Files)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bench.Load(fsys, "imported")
	if err != nil {
		t.Fatal(err)
	}
	return b, im
}

// values are the JSON values of a file of lines.
func values(t testing.TB, data []byte) []any {
	t.Helper()
	var out []any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func TestImportExport(t *testing.T) {
	p := publishedDesk(t)
	b, im := imported(t, p)
	if c := im.Check; len(c.Faults) > 0 || c.Problems != 5 || c.ProblemsOK != 5 || c.PairsOK != 8 || c.ControlsOK != c.Controls {
		t.Errorf("%+v", c)
	}
	files, lossy, err := Export(b)
	if err != nil || len(lossy) > 0 {
		t.Fatalf("%v, %v", lossy, err)
	}
	for name, want := range map[string][]byte{fileProblems: p.Problems, fileAnswers: p.Answers} {
		if got := values(t, files[name]); !reflect.DeepEqual(got, values(t, want)) {
			t.Errorf("%s: %s", name, files[name])
		}
	}
	for name, want := range map[string][]byte{filePrelude: p.Prelude, fileDeclaration: p.Declaration, fileSkill: p.Skill, fileReturn: p.Return, fileRules: p.Rules} {
		if !bytes.Equal(files[name], want) {
			t.Errorf("%s: %q, want %q", name, files[name], want)
		}
	}
	if len(files) != 7 {
		t.Errorf("%d files", len(files))
	}
	set, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	m, err := set.Prompt("A-01")
	if err != nil || m[1].Text != "要件: \t<b>&  30 日 \"x\": # {prompt}\\n\u007f\u0085\u009f\u2028\ufeff\uffff（終日でよい）" {
		t.Errorf("%q, %v", m[1].Text, err)
	}
	if want := strings.TrimSpace(string(p.Prelude)) + "\n\nreturn\n\ndeclare\n\nrules\n\nskill"; strings.TrimSpace(m[0].Text) != want {
		t.Errorf("%s", m[0].Text)
	}
	if m, err := set.Prompt("C-01"); err != nil || strings.Contains(m[1].Text, "終日") {
		t.Errorf("%v, %v", m, err)
	}
	// The controls have their letters.
	for _, name := range []string{"silent", "wrong-silent"} {
		controls, err := set.Controls("A-01")
		i := slices.IndexFunc(controls, func(c bench.Control) bool { return c.Name == name })
		if err != nil || i < 0 {
			t.Fatalf("no control %s (%v)", name, err)
		}
		v, err := set.Grade(t.Context(), "A-01", record.Transcript{Outcome: record.Answered, Answer: controls[i].Answer})
		if want := map[string]record.Letter{"silent": "S", "wrong-silent": "X"}[name]; err != nil || v.Letter != want {
			t.Errorf("%s: %s (%v)", name, v.Letter, err)
		}
	}
}

// What is not the published set's own is said.
func TestImportNotes(t *testing.T) {
	p := publishedDesk(t)
	p.Return, p.Rules = nil, nil
	p.Skill = []byte("as in {prelude}")
	p.Problems = bytes.Replace(p.Problems, []byte(`{"id":"P-13"`), []byte(`{"note":1,"id":"P-13"`), 1)
	p.Answers = bytes.Replace(p.Answers, []byte(`"bodies":[{"key":"every-2","body":"everyDay |> stride(2, from: 2026-01-05)"},`), []byte(`"bodies":[`), 1)
	p.Answers = bytes.Replace(p.Answers, []byte(`stride(3, from: 2026-01-05)"}`), []byte(`stride(3, from: 2026-01-05)"},{"key":"every-2","body":"everyDay"}`), 1)
	b, im := imported(t, p)
	notes := strings.Join(im.Notes, "\n")
	for _, want := range []string{`problems.jsonl:3: the member "note" is left out`, "the bodies of P-16 are kept in the order of its interpretations", "what to return: not given", "rules: not given, and left out",
		`skill.md: it holds "{prelude}"`, "asked to mend its reply are this program's own"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in\n%s", want, notes)
		}
	}
	if c := im.Check; c.PairsOK != 7 || len(c.Faults) == 0 || c.Faults[0].Item != "P-16" {
		t.Errorf("a body that does not give its points is no error, and is told: %+v", c)
	}
	files, _, err := Export(b)
	if _, own := files[fileReturn]; err != nil || own || files[fileRules] != nil {
		t.Errorf("this program's own words are not exported as published ones (%v)", err)
	}
}

func TestImportFaults(t *testing.T) {
	for _, c := range []struct{ name, file, from, to, says string }{
		{"no body", "a", `{"key":"skip","body":"everyDay |> within(month) |> nth(30)"},`, ``, `answers.jsonl: problem P-01: the interpretation "skip" has no body`},
		{"two bodies", "a", `{"key":"skip"`, `{"key":"month-end"`, `answers.jsonl:2: problem P-01: the interpretation "month-end" has two bodies`},
		{"a body that is no text", "a", `{"key":"skip","body":"everyDay`, `{"key":"skip","body":1,"note":"everyDay`, "answers.jsonl:2: not {id, bodies: [{key, body}]}: bodies[0]: body is a number and must be a string"},
		{"a bracket too many in answers", "a", `{"id":"P-13"`, `]{"id":"P-13"`, "answers.jsonl:3: not {id, bodies: [{key, body}]}: not JSON at byte 0"},
		{"no list of kinds", "p", `"ambiguity":["roll"],`, ``, `problems.jsonl:2: not a problem {id, prompt, allDay, from, to, ambiguity, interpretations}: "ambiguity" is missing`},
		{"null for it", "p", `"ambiguity":["roll"],`, `"ambiguity":null,`, `problems.jsonl:2: not a problem {id, prompt, allDay, from, to, ambiguity, interpretations}: ambiguity is null and must be a list`},
		{"whole days are not said", "p", `"allDay":true,`, ``, `"allDay" is missing`},
		{"another case", "p", `"allDay":true,`, `"ALLDAY":true,`, `"allDay" is missing`},
		{"a member twice", "p", `"allDay":true,`, `"allDay":true,"allDay":false,`, "problems.jsonl:2: not a problem {id, prompt, allDay, from, to, ambiguity, interpretations}: a key stands twice at byte "},
		{"a bracket behind", "p", "\n", "}\n", "problems.jsonl:1: not a problem {id, prompt, allDay, from, to, ambiguity, interpretations}: text follows the value at byte "},
		{"half a character", "p", `30 日`, `30 \ud800日`, "not JSON at byte "},
		{"not UTF-8", "p", "30 日", "30 \xff日", "not JSON at byte "},
		{"a clock that is none", "p", `"2026-02-28"`, `"2026-02-28T+1:30"`, `"2026-02-28T+1:30" is no point`},
		{"another key", "a", `{"key":"skip"`, `{"key":"skop"`, `answers.jsonl:2: problem P-01: there is no interpretation "skop"`},
		{"another problem", "a", `{"id":"P-01"`, `{"id":"P-02"`, `answers.jsonl:2: there is no problem "P-02"`},
		{"twice", "a", `{"id":"P-01"`, `{"id":"C-01"`, `answers.jsonl:2: `},
		{"no JSON", "a", `{"id":"P-01"`, `"id":"P-01"`, "answers.jsonl:2: not {id, bodies"},
		{"unknown kind", "p", `["roll"]`, `["rolls"]`, `problems.jsonl:2: problem P-01: the kind "rolls" is not known; did you mean "roll"`},
		{"other points", "p", `"expected":["2026-01-30"`, `"expected":["2026-01-31"`, "problems.jsonl:2: problem P-01: expected is not that of the first interpretation"},
		{"no points", "p", `"key":"skip","assumption":"30 日がない月は点検しない。","expected":["2026-01-30","2026-03-30","2026-04-30"]`, `"key":"skip","assumption":"x","expected":[]`, "problems.jsonl:2: problem P-01, interpretation 1: it has no points"},
		{"malformed point", "p", `"2026-02-28"`, `"2026-02-30"`, `problems.jsonl:2: problem P-01, interpretation 2: "2026-02-30" is no point such as 2026-01-31`},
	} {
		p := publishedDesk(t)
		of := map[string]*[]byte{"a": &p.Answers, "p": &p.Problems}[c.file]
		changed := bytes.Replace(*of, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(changed, *of) {
			t.Fatalf("%s: nothing was changed in %s", c.name, *of)
		}
		*of = changed
		if _, err := Import(t.Context(), p); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	p := publishedDesk(t)
	p.Skill = []byte("skill \xff")
	if _, err := Import(t.Context(), p); err == nil || !strings.Contains(err.Error(), "fixtures/skill.md: the file is not UTF-8") {
		t.Errorf("a text that is not UTF-8: %v", err)
	}
	p = publishedDesk(t)
	p.Prelude = []byte("premise {")
	if _, err := Import(t.Context(), p); err == nil || !strings.Contains(err.Error(), "fixtures/prelude.kairos") {
		t.Errorf("a prelude that does not compile: %v", err)
	}
}

// The set as it was reconstructed goes in and comes out, all 46 pairs of it.
func TestImportReconstructed(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "kairos")
	data, err := os.ReadFile(filepath.Join(dir, "premise-bench.jsonl"))
	if err != nil {
		t.Skip("the reconstructed bench is not here: ", err)
	}
	prelude, err := os.ReadFile(filepath.Join(dir, "prelude.kairos"))
	if err != nil {
		t.Fatal(err)
	}
	lines, _, err := readLines("x", data, true)
	if err != nil {
		t.Fatal(err)
	}
	p := Published{Prelude: prelude, Declaration: []byte("d"), Skill: []byte("s")}
	var problems, answers bytes.Buffer
	for _, l := range lines {
		a := answersLine{ID: l.ID}
		for i, r := range l.Readings {
			a.Bodies = append(a.Bodies, answersBody{r.Key, r.Body})
			l.Readings[i].Body = ""
		}
		if err := writeLine(&problems, l); err != nil {
			t.Fatal(err)
		}
		if err := writeLine(&answers, a); err != nil {
			t.Fatal(err)
		}
	}
	p.Problems, p.Answers = problems.Bytes(), answers.Bytes()
	b, im := imported(t, p)
	if c := im.Check; c.ProblemsOK != 21 || c.PairsOK != 46 || c.Pairs != 46 || c.ControlsOK != c.Controls || len(c.Faults) > 0 {
		t.Errorf("%+v", c)
	}
	if w := im.Check.Warnings; len(w) != 1 || !strings.HasPrefix(w[0], "P-12: the reading ") {
		t.Errorf("warnings: %v", w)
	}
	files, lossy, err := Export(b)
	if err != nil || len(lossy) > 0 || !bytes.Equal(files[fileProblems], p.Problems) || !bytes.Equal(files[fileAnswers], p.Answers) {
		t.Errorf("%v, %v", lossy, err)
	}
}

// Whatever the files hold, an import ends in an error or in a bench that gives back what went in. What bodies evaluate to is
// left to the language's own fuzzing, so that nearly all the time goes into reading and writing.
func FuzzImport(f *testing.F) {
	f.Add(secretOne, `{"id":"H-01","bodies":[{"key":"skip","body":"everyDay"},{"key":"end","body":"monthEnd"}]}`, "")
	f.Add(oddProblem, oddAnswers, "satSun = everyDay")
	f.Fuzz(func(t *testing.T, problems, answers, prelude string) {
		p := Published{Problems: []byte(problems), Answers: []byte(answers), Prelude: []byte(prelude), Declaration: []byte("d"), Skill: []byte("s")}
		im, set, err := build(p)
		if err != nil {
			return
		}
		files, _, err := Export(set.Bench())
		if err != nil {
			t.Fatal(err)
		}
		p.Problems, p.Answers, p.Prelude = files[fileProblems], files[fileAnswers], files[filePrelude]
		again, _, err := build(p)
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range im.Files {
			if strings.HasPrefix(name, "items/") && !bytes.Equal(again.Files[name], data) {
				t.Errorf("%s: %s, then %s", name, data, again.Files[name])
			}
		}
		lines, _, err := readLines("x", []byte(problems), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			m, err := set.Prompt(l.ID)
			if err != nil || !strings.HasPrefix(m[1].Text, "要件: "+l.Prompt) {
				t.Errorf("%s is asked as %q (%v)", l.ID, m[1].Text, err)
			}
		}
	})
}

// A bench that speaks with a model in other words than the published protocol comes back with its own.
func TestFormsAreKept(t *testing.T) {
	files := map[string][]byte{}
	if err := fs.WalkDir(desk(t).Bench().FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[name], err = fs.ReadFile(desk(t).Bench().FS, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	english := strings.NewReplacer("language: ja", "language: en", "要件: {prompt}（終日でよい）", "Wish: {prompt} (all day)", "要件: {prompt}", "Wish: {prompt}")
	files["bench.yaml"] = []byte(english.Replace(string(files["bench.yaml"])))
	files["fixtures/repair.md"] = []byte("Again: {diagnostic}\n")
	fsys, err := treeOf(files)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bench.Load(fsys, "english")
	if err != nil {
		t.Fatal(err)
	}
	out, lossy, err := Export(b)
	if err != nil || strings.Contains(strings.Join(lossy, "\n"), "mended") {
		t.Fatalf("%v, %v", lossy, err)
	}
	want := `{"language":"en","tz":"Asia/Tokyo","user":"Wish: {prompt}","user_all_day":"Wish: {prompt} (all day)","repair":"Again: {diagnostic}\n"}`
	if got := strings.Join(strings.Fields(string(out[fileForms])), ""); got != strings.Join(strings.Fields(want), "") {
		t.Errorf("%s", out[fileForms])
	}
	p := Published{Problems: out[fileProblems], Answers: out[fileAnswers], Prelude: out[filePrelude], Declaration: []byte("d"), Skill: []byte("s"), Forms: out[fileForms]}
	back, im := imported(t, p)
	if notes := strings.Join(im.Notes, "\n"); strings.Contains(notes, "mend") || !strings.Contains(string(im.Files["fixtures/"+fileReturn]), "return one Kairos body") {
		t.Errorf("%s\n%s", notes, im.Files["fixtures/"+fileReturn])
	}
	s, err := Compile(back)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.Prompt("P-01"); err != nil || !strings.HasPrefix(m[1].Text, "Wish: ") || !strings.HasSuffix(m[1].Text, " (all day)") {
		t.Errorf("%v, %v", m, err)
	}
	if told, again, err := s.Again(t.Context(), "P-01", 0, "{"); err != nil || !again || !strings.HasPrefix(told, "Again: ") || !strings.Contains(told, "JSON") {
		t.Errorf("%q, %v, %v", told, again, err)
	}
	if twice, _, err := Export(back); err != nil || !bytes.Equal(twice[fileForms], out[fileForms]) {
		t.Errorf("%s, %v", twice[fileForms], err)
	}
	// The published forms need no file, and one that is not of the form is told of.
	if plain, _, err := Export(desk(t).Bench()); err != nil || plain[fileForms] != nil {
		t.Errorf("%s, %v", plain[fileForms], err)
	}
	for text, says := range map[string]string{`{`: "forms.json: not {language", `{"language":"en"}`: `no "tz"`,
		`{"language":"en","tz":1,"user":"{prompt}","user_all_day":"","repair":""}`: "tz is a number"} {
		p.Forms = []byte(text)
		if _, err := Import(t.Context(), p); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", text, err, says)
		}
	}
}
