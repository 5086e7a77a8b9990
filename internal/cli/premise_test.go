package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assaybench/assay/benches"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// deskFiles is the small bench of the shape premise.
var deskFiles = filepath.Join("..", "..", "premise", "testdata", "desk")

// desk copies the small bench to ./desk, with more copies of its first problem: T-01, T-02 and so on.
func (r *rig) desk(more int) {
	r.Helper()
	if err := os.CopyFS(filepath.Join(r.dir, "desk"), os.DirFS(deskFiles)); err != nil {
		r.Fatal(err)
	}
	edit := func(name, as string, change func(string) string) {
		b, err := os.ReadFile(filepath.Join(r.dir, "desk", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(r.dir, "desk", as), []byte(change(string(b))), 0o644)
		}
		if err != nil {
			r.Fatal(err)
		}
	}
	edit("bench.yaml", "bench.yaml", func(s string) string {
		s = regexp.MustCompile(`(?m)^counts:.*\n`).ReplaceAllString(s, "")
		return regexp.MustCompile(`, quota: \d+`).ReplaceAllString(s, "")
	})
	for i := range more {
		id := fmt.Sprintf("T-%02d", i+1)
		edit("items/P-01.yaml", "items/"+id+".yaml", func(s string) string {
			return strings.Replace(strings.Replace(s, "id: P-01", "id: "+id, 1), "棚を点検する", id+" の棚を点検する", 1)
		})
	}
}

// proposal is a reply as a model writes it.
func proposal(body string, topics ...string) string {
	type assumption struct {
		Topic     string `json:"topic"`
		Statement string `json:"statement"`
	}
	list := []assumption{}
	for _, t := range topics {
		list = append(list, assumption{t, "そう読む。"})
	}
	b, err := json.Marshal(map[string]any{"body": body, "explanation": "説明", "assumptions": list})
	if err != nil {
		panic(err)
	}
	return string(b)
}

const (
	rightBody = "everyDay |> within(month) |> nth(30)"
	wrongBody = "everyDay |> within(month) |> nth(29)"
)

// said is what a request of chat completions says, turn by turn.
func said(body []byte) (user []string, assistant []string) {
	var q struct {
		Messages []struct{ Role, Content string }
	}
	if json.Unmarshal(body, &q) != nil {
		return nil, nil
	}
	for _, m := range q.Messages {
		switch m.Role {
		case "user":
			user = append(user, m.Content)
		case "assistant":
			assistant = append(assistant, m.Content)
		}
	}
	return user, assistant
}

var askedID = regexp.MustCompile(`[THPC]-\d\d`)

// dialogues answers each item by its script: the n-th entry to the request with n replies before it. It counts by what was
// said and not by calls, so that a run that is killed gets the same replies when it is resumed.
type dialogues struct {
	mu      sync.Mutex
	scripts map[string][]modeltest.MockReply
	bodies  map[string][][]byte // of the requests for an item
}

func (d *dialogues) reply(q modeltest.MockRequest) modeltest.MockReply {
	user, before := said(q.Body)
	if len(user) == 0 || !strings.HasPrefix(user[0], "要件: ") {
		return modeltest.MockReply{Content: "ready"}
	}
	id := askedID.FindString(user[0])
	for words, of := range map[string]string{"週の頭": "P-13", "水を替える": "P-16", "朝礼": "C-01"} {
		if strings.Contains(user[0], words) {
			id = of
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bodies == nil {
		d.bodies = map[string][][]byte{}
	}
	d.bodies[id] = append(d.bodies[id], q.Body)
	script := d.scripts[id]
	if len(before) >= len(script) {
		return modeltest.MockReply{Content: proposal(rightBody, "roll"), OutputTokens: 10}
	}
	rep := script[len(before)]
	rep.OutputTokens = 10
	return rep
}

func texts(list ...string) []modeltest.MockReply {
	var out []modeltest.MockReply
	for _, s := range list {
		out = append(out, modeltest.MockReply{Content: s})
	}
	return out
}

// doubling calls itself twice as often with each definition: 2^40 calls for one day.
func doubling() string {
	var b strings.Builder
	b.WriteString("f0 = x => 1\n")
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&b, "f%d = x => f%d(x) + f%d(x)\n", i, i-1, i-1)
	}
	return b.String() + "everyDay |> filter(d => f40(d) == 0)"
}

// wanted is what must become of an item.
type wanted struct {
	script []modeltest.MockReply
	tries  string // the letter after each reply
	told   string // in what the model is told first
}

var (
	good   = proposal(rightBody, "roll")
	fenced = "```json\n" + good + "\n```"
)

func premiseScripts() map[string]wanted {
	return map[string]wanted{
		"T-01": {texts(good), ".", ""},
		"T-02": {texts("{\x1b[31m", "{}", "何も"), "i i i", "返答が JSON だけになっていません"},
		"T-03": {texts(fenced, good), "i .", "囲みと前後の文章を除いて"},
		"T-04": {texts(`{"body":"everyDay","assumptions":[]}`, proposal(rightBody)), "i S", `返答に "explanation" がありません`},
		"T-05": {texts(proposal(rightBody, "sundays"), fenced, good), "i i .", `assumptions[0].topic が "sundays" です`},
		"T-06": {texts(proposal("chronos grid 1s", "roll"), proposal(doubling(), "roll"), proposal("a = d => a(d)\na(everyDay)", "roll")), "i i i", "limit.points"},
		"T-07": {texts(proposal("# "+strings.Repeat("x", 1<<20)+"\neveryDay", "roll"), good), "i .", "limit.source"},
		"T-08": {texts(proposal("everyDay |> within(month", "roll"), proposal(wrongBody, "roll")), "i W", "1 行 25 列"},
		"T-09": {texts(proposal("nope"), proposal("nope"), proposal(wrongBody)), "i i X", "1 行 1 列"},
		"T-10": {texts(proposal(wrongBody)), "X", ""},
		"T-11": {[]modeltest.MockReply{{Content: "{"}, {Content: `{"body": "every`, Finish: "length"}}, "i C", ""},
		"T-12": {[]modeltest.MockReply{{Refusal: "no"}}, "R", ""},
	}
}

func dialoguesOf(all map[string]wanted) *dialogues {
	d := &dialogues{scripts: map[string][]modeltest.MockReply{}}
	for id, w := range all {
		d.scripts[id] = w.script
	}
	d.scripts["P-13"] = texts(proposal("bizDay |> within(week) |> first", "roll"))
	d.scripts["P-16"] = texts(proposal("everyDay |> stride(2, from: 2026-01-05)", "counting", "anchor", "week"))
	d.scripts["C-01"] = texts(proposal("everyDay |> filter(d => weekday(d) == Wed) |> at(T09:30)", "tz"))
	return d
}

// checkScripts holds a run against its scripts: letters, repairs, transcripts.
func (r *rig) checkScripts(res *report.Result, all map[string]wanted) {
	r.Helper()
	db, run := r.latest()
	seenItems := 0
	for row, err := range db.Rows(r.Context(), run, run.Plan.Grader) {
		if err != nil {
			r.Fatal(err)
		}
		w, ok := all[row.Key.Item]
		if !ok {
			continue
		}
		seenItems++
		letters := strings.Fields(w.tries)
		last := letters[len(letters)-1]
		if got := string(row.Letter); got != last {
			r.Errorf("%s: letter %s, want %s", row.Key.Item, got, last)
		}
		t, err := db.Transcript(r.Context(), run, row.N, 0)
		if err != nil {
			r.Fatal(err)
		}
		if len(t.Turns) != len(letters)-1 || len(t.Calls) != len(letters) {
			r.Errorf("%s: %d turns and %d calls, want %d and %d", row.Key.Item, len(t.Turns), len(t.Calls), len(letters)-1, len(letters))
			continue
		}
		for i, turn := range t.Turns {
			if turn.Answer != w.script[i].Content || !strings.Contains(turn.Told, "もう一度返す") {
				r.Errorf("%s, turn %d: %.80q, told %.80q", row.Key.Item, i+1, turn.Answer, turn.Told)
			}
		}
		if w.told != "" && !strings.Contains(t.Turns[0].Told, w.told) {
			r.Errorf("%s: told %q, want %q in it", row.Key.Item, t.Turns[0].Told, w.told)
		}
		if t.Usage.Output == nil || *t.Usage.Output != int64(10*len(letters)) {
			r.Errorf("%s: the tokens of all replies are counted: %v", row.Key.Item, t.Usage.Output)
		}
		if row.State == "" {
			continue // it did not answer
		}
		b, err := db.VerdictJSON(r.Context(), run, row.N, run.Plan.Grader)
		var v record.Verdict
		if err == nil {
			err = json.Unmarshal(b, &v)
		}
		if err != nil || v.Premise == nil || strings.Join(v.Tries, " ") != w.tries || v.Repairs != len(letters)-1 {
			r.Errorf("%s: %s, want %s (%v)", row.Key.Item, b, w.tries, err)
		}
	}
	if seenItems != len(all) {
		r.Errorf("%d of %d items", seenItems, len(all))
	}
	p := res.Premise.Settings[0]
	// Passed: T-01 T-03 T-05 T-07 and the four of the bench.
	if p.Passed != 8 || p.Items != 16 || p.Silent != (report.Part{N: 1, Of: 15}) || p.DeclaredWrong != (report.Part{N: 1, Of: 16}) || p.UndeclaredWrong != (report.Part{N: 2, Of: 15}) ||
		p.NotValidated != (report.Part{N: 2, Of: 16}) || p.DeclaredOnControl != (report.Part{N: 1, Of: 1}) || p.OverDeclared != (report.Part{N: 1, Of: 15}) ||
		p.FirstTry != (report.Part{N: 5, Of: 16}) || p.AfterOne != (report.Part{N: 7, Of: 16}) || p.AfterTwo != (report.Part{N: 8, Of: 16}) {
		r.Errorf("%+v", p)
	}
	var failed []string
	for _, f := range p.Failed {
		failed = append(failed, f.String())
	}
	if got := strings.Join(failed, " "); got != "T-02:i T-04:S T-06:i T-08:W T-09:X T-10:X T-11:C T-12:R" {
		r.Errorf("failed: %s", got)
	}
}

// Scripted replies of every kind get their letters, their repairs and their whole transcripts.
func TestPremiseReplies(t *testing.T) {
	r := newRig(t)
	all := premiseScripts()
	r.desk(len(all))
	d := dialoguesOf(all)
	name, _ := r.mock(modeltest.MockOptions{Reply: d.reply})
	got := r.want(0, "run", "./desk", "--unproven", "--json", "--model", name)
	res := new(report.Result)
	if err := json.Unmarshal([]byte(got.out), res); err != nil {
		t.Fatal(err)
	}
	r.checkScripts(res, all)
	// What a model is told follows its own reply, and the range is never shown.
	bodies := d.bodies["T-05"]
	if len(bodies) != 3 {
		t.Fatalf("%d calls for T-05", len(bodies))
	}
	user, assistant := said(bodies[2])
	if len(user) != 3 || len(assistant) != 2 || assistant[0] != proposal(rightBody, "sundays") || assistant[1] != fenced || !strings.HasPrefix(user[0], "要件: ") || !strings.HasPrefix(user[1], "返答を受け取れなかった: ") {
		t.Errorf("%q, %q", user, assistant)
	}
	if b := string(bodies[0]); !strings.Contains(b, "response_format") || strings.Contains(b, "2026-05-01") {
		t.Errorf("the first request: %s", b)
	}
	text := r.want(0, "result", "latest").out
	for _, want := range []string{"8/16", "T-02:i T-04:S T-06:i", "S  silent", "W  declared and wrong", "X  undeclared and wrong", "i  not validated"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	one := r.want(0, "result", "latest", "--item", "T-09").out
	for _, want := range []string{"letter X", "repairs 2; letter by letter: i i X", "undeclared and wrong"} {
		if !strings.Contains(one, want) {
			t.Errorf("no %q in\n%s", want, one)
		}
	}
	// Every reply is shown, with what was told of it, and characters that a terminal obeys are not.
	one = r.want(0, "result", "latest", "--item", "T-02").out
	for _, want := range []string{"Reply 1 of 3, 6 bytes\n  {\ufffd[31m\n", "Reply 2 of 3, 2 bytes\n  {}\n", "Told after it, ", "もう一度返す", "Answer, 6 bytes\n  何も\n"} {
		if !strings.Contains(one, want) {
			t.Errorf("no %q in\n%s", want, one)
		}
	}
	long := r.want(0, "result", "latest", "--item", "T-07").out
	if !strings.Contains(long, "bytes (its beginning; --json has all of it)") || len(long) > 20_000 {
		t.Errorf("%d bytes: %.3000s", len(long), long)
	}
	if whole := r.want(0, "result", "latest", "--item", "T-07", "--json").out; !strings.Contains(whole, `"turns": [`) || len(whole) < 1<<20 {
		t.Errorf("%d bytes", len(whole))
	}
	// Graded again, nothing changes: transcripts hold everything.
	if out := r.want(0, "grade", "--run", "latest", "./desk").out; !strings.Contains(out, "nothing to grade again") {
		t.Error(out)
	}
	again := proposalRun(r, name, "--no-schema", "--new", "--only", "T-01")
	if b := string(d.bodies["T-01"][len(d.bodies["T-01"])-1]); strings.Contains(b, "response_format") || !noted(again, "without a schema") {
		t.Errorf("--no-schema: %s, notes %v", b, again.Notes)
	}
}

func proposalRun(r *rig, name string, args ...string) *report.Result {
	r.Helper()
	got := r.want(0, append([]string{"run", "./desk", "--unproven", "--json", "--model", name}, args...)...)
	res := new(report.Result)
	if err := json.Unmarshal([]byte(got.out), res); err != nil {
		r.Fatal(err)
	}
	return res
}

// The controls of a bench of this shape give what their names say.
func TestPremiseControls(t *testing.T) {
	r := newRig(t)
	r.desk(0)
	r.want(0, "check", "./desk")
	benchesOf := map[string][2]int{"./desk": {4, 3}} // problems, and those that leave something open
	if slices.Contains(benches.Names(), "premise") {
		benchesOf["premise"] = [2]int{21, 17}
	}
	for ref, n := range benchesOf {
		got := r.want(0, "run", ref, "--json", "-m", "control/reference,control/silent,control/overdeclared")
		res := new(report.Result)
		if err := json.Unmarshal([]byte(got.out), res); err != nil {
			t.Fatal(err)
		}
		ref, silent, over := res.Premise.Settings[0], res.Premise.Settings[1], res.Premise.Settings[2]
		if ref.Passed != n[0] || ref.Items != n[0] || ref.OverDeclared.N != 0 || !ref.Control {
			t.Errorf("reference: %+v", ref)
		}
		if silent.Passed != n[0]-n[1] || silent.Silent != (report.Part{N: n[1], Of: n[1]}) || len(silent.Failed) != n[1] {
			t.Errorf("silent: %+v", silent)
		}
		if over.Passed != n[0] || over.OverDeclared != (report.Part{N: n[1], Of: n[1]}) || over.DeclaredOnControl != (report.Part{N: n[0] - n[1], Of: n[0] - n[1]}) {
			t.Errorf("overdeclared: %+v", over)
		}
	}
}

// The shipped bench shows its problems and pairs in the form that its page promises.
func TestPremiseShipped(t *testing.T) {
	if !slices.Contains(benches.Names(), "premise") {
		t.Skip("the bench premise does not ship with this tree")
	}
	r := newRig(t)
	begun := time.Now() // it takes a fraction of the 2 s that it may; a busy machine is let off
	got := r.want(0, "check", "premise")
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if !strings.Contains(got.out, "21/21 problems, 46/46 pairs") {
		t.Error(got.out)
	}
	var shown map[string]any
	if err := json.Unmarshal([]byte(r.want(0, "check", "premise", "--json").out), &shown); err != nil {
		t.Fatal(err)
	}
	if shown["problems"] != 21.0 || shown["problems_ok"] != 21.0 || shown["pairs"] != 46.0 || shown["pairs_ok"] != 46.0 || shown["controls"] != shown["controls_ok"] {
		t.Errorf("%v", shown)
	}
}

// A regression set's newest whole run with the same model and posture stands in its column.
func TestPremiseRegression(t *testing.T) {
	r := newRig(t)
	r.desk(0)
	if err := os.Rename(filepath.Join(r.dir, "desk"), filepath.Join(r.dir, "regression")); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(r.dir, "regression", "bench.yaml")
	b, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, []byte(strings.Replace(string(b), "id: desk", "id: desk-regression", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	r.desk(0)
	r.want(0, "check", "./desk")
	r.want(0, "check", "./regression")
	r.want(0, "run", "./regression", "-q", "-m", "control/reference,control/silent")
	r.want(0, "run", "./regression", "-q", "-m", "control/silent", "--only", "P-01")          // not whole
	r.want(0, "run", "./regression", "-q", "-m", "control/silent", "--posture", "effort-low") // another posture
	r.want(0, "run", "./desk", "-q", "-m", "control/reference,control/silent,control/overdeclared")
	p := r.result("latest").Premise.Settings
	if p[0].Regression == nil || p[0].Regression.String() != "4/4" || p[1].Regression == nil || p[1].Regression.String() != "1/4" || p[2].Regression != nil || p[0].Private != nil ||
		p[0].Regression.Bench != "desk-regression@1" || len(p[1].Regression.Failed) != 0 {
		t.Errorf("%+v\n%+v\n%+v", p[0].Regression, p[1].Regression, p[2].Regression)
	}
	text := strings.Join(strings.Fields(r.want(0, "result", "latest").out), " ")
	if !strings.Contains(text, "#1, #2: regression pass: from run "+p[0].Regression.Run+" (desk-regression@1)") {
		t.Error(text)
	}
}

// walk gives every file below a folder.
func walk(t testing.TB, dir string, each func(name string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			each(path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
