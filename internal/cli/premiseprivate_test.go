package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/report"
)

// secretSet is a private set in which every text has the word GEHEIM.
const secretSet = `{"id":"H-01","prompt":"GEHEIM-PROMPT H-01","allDay":true,"from":"2026-01-01","to":"2026-05-01","ambiguity":["roll"],"interpretations":[` +
	`{"key":"GEHEIM-KEY","assumption":"GEHEIM-ASSUMPTION","body":"everyDay |> within(month) |> nth(30) # GEHEIM-BODY","expected":["2026-01-30","2026-03-30","2026-04-30"]}]}
{"id":"H-02","prompt":"GEHEIM-PROMPT H-02","allDay":true,"from":"2026-01-01","to":"2026-05-01","ambiguity":["roll"],"interpretations":[` +
	`{"key":"GEHEIM-KEY","assumption":"GEHEIM-ASSUMPTION","body":"everyDay |> within(month) |> nth(30) # GEHEIM-BODY","expected":["2026-01-30","2026-03-30","2026-04-30"]}]}
{"id":"H-03","prompt":"GEHEIM-PROMPT H-03","allDay":true,"from":"2026-01-01","to":"2026-05-01","ambiguity":["roll"],"interpretations":[` +
	`{"key":"GEHEIM-KEY","assumption":"GEHEIM-ASSUMPTION","body":"everyDay |> within(month) |> nth(30) # GEHEIM-BODY","expected":["2026-01-30","2026-03-30","2026-04-30"]}]}
`

// private writes the private set beside the bench.
func (r *rig) private(text string) {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, "mine.jsonl"), []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

// Whatever is asked for, of a private set nothing is shown but counts and the letters of items: not in results of any form,
// not in progress, not in errors, not in files; its own database alone has it.
func TestPrivateIsNeverShown(t *testing.T) {
	r := newRig(t)
	r.desk(0)
	r.private(secretSet)
	d := dialoguesOf(nil)
	d.scripts["H-02"] = texts("{ GEHEIM-ANSWER", proposal("GEHEIM-ANSWER", "roll"), proposal(wrongBody, "roll")) // diagnostics quote it
	d.scripts["H-03"] = []modeltest.MockReply{{Content: proposal(rightBody, "roll"), Thinking: "GEHEIM-THINKING"}}
	name, _ := r.mock(modeltest.MockOptions{Reply: func(q modeltest.MockRequest) modeltest.MockReply {
		rep := d.reply(q)
		if strings.Contains(string(q.Body), "GEHEIM-PROMPT H-01") {
			rep.Content, rep.Finish, rep.Refusal = "", "content_filter", "GEHEIM-REFUSAL"
		}
		return rep
	}})
	var outputs []string
	keep := func(got ran) ran {
		outputs = append(outputs, got.out, got.err)
		return got
	}
	keep(r.want(0, "check", "./desk"))
	keep(r.want(0, "check", "./desk", "--private", "mine.jsonl"))
	keep(r.want(0, "check", "./desk", "--private", "mine.jsonl", "--json"))
	first := keep(r.want(0, "run", "./desk", "-m", name, "--private", "mine.jsonl"))
	if !strings.Contains(first.out, "1/3") || !strings.Contains(first.out, "H-02:W H-01:R") || !strings.Contains(first.err, "3 items x 1 repeat x") {
		t.Errorf("%s%s", first.err, first.out)
	}
	again := keep(r.want(0, "run", "./desk", "-m", name, "--private", "mine.jsonl", "--json"))
	res := new(report.Result)
	if err := json.Unmarshal([]byte(again.out), res); err != nil {
		t.Fatal(err)
	}
	p := res.Premise.Settings[0].Private
	if p == nil || p.Passed != 1 || p.Items != 3 || len(p.Failed) != 2 || res.Private || strings.Count(again.err, "is finished") != 2 {
		t.Fatalf("%+v\n%s", p, again.err)
	}
	if res.Run == p.Run || r.result("latest").Run != res.Run {
		t.Errorf("the latest run is the bench's own: %s, private %s", r.result("latest").Run, p.Run)
	}
	list := keep(r.want(0, "runs"))
	keep(r.want(0, "runs", "--json"))
	if !strings.Contains(list.out, p.Run) || !strings.Contains(list.out, "desk-private@1") {
		t.Error(list.out)
	}
	for _, form := range [][]string{{}, {"--json"}, {"--markdown"}, {"--full"}} {
		keep(r.want(0, append([]string{"result", p.Run}, form...)...))
		keep(r.want(0, append([]string{"result", res.Run}, form...)...))
	}
	for _, item := range []string{"H-01", "H-02", "H-03"} {
		got := keep(r.want(0, "result", p.Run, "--item", item))
		keep(r.want(0, "result", p.Run, "--item", item, "--json"))
		if want := item + ":" + map[string]string{"H-01": "R", "H-02": "W", "H-03": "."}[item]; !strings.Contains(got.out, want) {
			t.Errorf("no %s in %s", want, got.out)
		}
	}
	private := r.result(p.Run)
	if !private.Private || len(private.Premise.Readings) != 0 || private.Premise.Settings[0].Passed != 1 || !noted(private, "only counts and letters") {
		t.Errorf("%+v", private)
	}
	keep(r.want(0, "grade", "--run", p.Run))
	keep(r.want(0, "grade", "--run", p.Run, "--private", "mine.jsonl", "--json"))
	keep(r.want(2, "grade", "--run", res.Run, "--private", "mine.jsonl"))
	keep(r.want(2, "grade", "./desk", "H-01", "mine.jsonl", "--private", "mine.jsonl"))
	keep(r.want(2, "premise", "explain", "H-01", "mine.jsonl", "--bench", "./desk", "--private", "mine.jsonl"))
	keep(r.want(0, "export", "./desk", "kairos-premise", "-o", "exported"))
	keep(r.want(2, "export", "mine.jsonl", "kairos-premise", "-o", "exported2"))
	keep(r.want(0, "run", "./desk", "-m", "replay/"+res.Run, "--private", "mine.jsonl"))
	keep(r.want(0, "run", "./desk", "-m", "replay/latest,control/silent", "--private", "mine.jsonl", "--new"))
	for _, format := range []string{"json", "jsonl", "csv", "csv-findings", "parquet", "junit", "inspect", "harbor-result", "episodes"} {
		keep(r.want(2, "export", "--run", p.Run, format, "-o", "out-"+format))
	}
	keep(r.want(0, "result", p.Run, "--items"))
	keep(r.want(0, "result", p.Run, "--items", "--json"))
	keep(r.want(1, "result", p.Run, "--gate", "exact==1"))
	var runs struct {
		Runs []struct {
			ID      string
			Private bool
		}
	}
	if err := json.Unmarshal([]byte(r.want(0, "runs", "--json").out), &runs); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, other := range runs.Runs {
		if other.Private && other.ID != p.Run {
			compared++
			keep(r.want(0, "compare", p.Run, other.ID))
			keep(r.want(0, "compare", p.Run, other.ID, "--json"))
			keep(r.want(0, "compare", p.Run, other.ID, "--markdown"))
		}
	}
	if compared != 2 {
		t.Errorf("%d private runs beside the first were compared", compared)
	}
	keep(r.want(2, "compare", p.Run, res.Run))
	for i, o := range outputs {
		if at := strings.Index(o, "GEHEIM"); at >= 0 {
			t.Errorf("output %d shows %q", i, o[max(0, at-100):min(len(o), at+60)])
		}
	}
	walk(t, r.dir, func(name string, data []byte) {
		if strings.Contains(string(data), "GEHEIM") && filepath.Base(name) != "mine.jsonl" && filepath.Dir(name) != filepath.Join(r.dir, ".assay") {
			t.Errorf("%s holds something of the private set", name)
		}
	})
}

// parrot is a server that answers private prompts with an error that quotes them.
func (r *rig) parrot(status int) (model string) {
	r.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		w.Header().Set("Content-Type", "application/json")
		if !strings.Contains(string(body), "GEHEIM") {
			fmt.Fprint(w, `{"object":"list","data":[{"id":"mock","object":"model"}],"id":"x","model":"mock","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"{}"}}],"usage":{"prompt_tokens":9000,"completion_tokens":2}}`)
			return
		}
		user, _ := said(body)
		b, _ := json.Marshal(map[string]any{"error": map[string]any{"message": "I will not answer: " + user[0], "type": "invalid_request_error"}})
		w.WriteHeader(status)
		w.Write(b)
	}))
	r.Cleanup(s.Close)
	return "openai/mock@" + s.URL + "/v1"
}

// Servers whose errors quote what they were asked are not quoted, and a private set that was changed is another one.
func TestPrivateErrors(t *testing.T) {
	r := newRig(t)
	r.desk(0)
	r.private(secretSet)
	r.want(0, "check", "./desk")
	for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusInternalServerError} {
		name := r.parrot(status)
		got := r.want(3, "run", "./desk", "-m", name, "--private", "mine.jsonl", "--new", "--no-probe")
		outs := got.out + got.err
		private := ""
		for _, l := range strings.Split(r.want(0, "runs").out, "\n") {
			if strings.Contains(l, "desk-private") {
				private, _, _ = strings.Cut(l, " ")
				break
			}
		}
		for _, form := range [][]string{{}, {"--json"}, {"--markdown"}, {"--item", "H-01"}, {"--item", "H-01", "--json"}} {
			outs += r.want(0, append([]string{"result", private}, form...)...).out
		}
		if strings.Contains(outs, "GEHEIM") {
			t.Errorf("HTTP %d: %s", status, outs)
		}
		switch {
		case status == http.StatusUnauthorized && !strings.Contains(got.err, "denied (HTTP 401); what it said is not shown, since the set is private"):
			t.Error(got.err)
		case status == http.StatusBadRequest && (!strings.Contains(got.err, "3 attempts of 3 are missing or ended in an error; the same") || !strings.Contains(got.out, "0/3 (3 open)")):
			t.Errorf("%s%s", got.err, got.out)
		}
	}
	wrong := strings.Replace(secretSet, `"2026-04-30"`, `"2026-04-29"`, 1)
	r.private(wrong)
	got := r.want(2, "run", "./desk", "-m", "control/reference", "--private", "mine.jsonl")
	if !strings.Contains(got.err, "mine.jsonl:1: H-01: self-check: reading 1: its body gives 3 points") || !strings.Contains(got.err, "nothing is run") || strings.Contains(got.err, "GEHEIM") {
		t.Error(got.err)
	}
	if got := r.want(1, "check", "./desk", "--private", "mine.jsonl"); !strings.Contains(got.out, "2/3 problems, 2/3 pairs") || strings.Contains(got.out, "GEHEIM") {
		t.Error(got.out)
	}
	r.private(secretSet)
	r.want(0, "run", "./desk", "-q", "-m", "control/reference", "--private", "mine.jsonl")
	r.private(strings.Replace(secretSet, "GEHEIM-PROMPT H-03", "GEHEIM-PROMPT H-3", 1))
	got = r.want(2, "run", "./desk", "-m", "control/reference", "--private", "mine.jsonl")
	if !strings.Contains(got.err, "bench digest: ") || strings.Contains(got.err, "GEHEIM") {
		t.Error(got.err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"check", "chair-trials", "--private", "mine.jsonl"}, "only benches of the shape premise take a private set"},
		{[]string{"run", "chair-trials", "-m", "control/reference", "--private", "mine.jsonl"}, "only benches of the shape premise take a private set"},
		{[]string{"run", "./desk", "-m", "control/reference", "--private", ""}, "--private is empty"},
		{[]string{"run", "./desk", "-m", "control/reference", "--private", "none.jsonl"}, "none.jsonl: no such file"},
		{[]string{"run", "./desk", "-m", "replay/latest", "--private", "mine.jsonl"}, "its own bench"},
	} {
		if got := r.want(2, c.args...); !strings.Contains(got.err, c.says) {
			t.Errorf("%v: %s", c.args, got.err)
		}
	}
}
