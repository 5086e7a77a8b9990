package cli_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/parquet-go/parquet-go"
)

const hostileAnswer = "=1+1|'/c calc'!A0\x1b[2J\u202e<script>alert(1)</script>]]>&\r\nsecond, \"line\""

// mixedRun makes a run in which one item fails with an error, one passes, and all other answers are hostile. It gives its id.
func mixedRun(r *rig) string {
	r.Helper()
	needsShell(r)
	if err := os.WriteFile(filepath.Join(r.dir, "answer.txt"), []byte(hostileAnswer), 0o644); err != nil {
		r.Fatal(err)
	}
	script := "#!/bin/sh\ncat >/dev/null\ncase $ASSAY_ITEM in\nc2-sh-1) exit 7;;\nc2-cw-1) exec cat '" + r.dir + "/good.txt';;\n*) exec cat '" + r.dir + "/answer.txt';;\nesac\n"
	if err := os.WriteFile(filepath.Join(r.dir, "mixed.sh"), []byte(script), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "good.txt"), []byte(referenceAnswer(r, "c2-cw-1")), 0o644); err != nil {
		r.Fatal(err)
	}
	r.want(3, "run", "chair-trials", "-q", "--model", "command/"+filepath.Join(r.dir, "mixed.sh"))
	var runs struct{ Runs []struct{ ID string } }
	if err := json.Unmarshal([]byte(r.want(0, "runs", "--json").out), &runs); err != nil {
		r.Fatal(err)
	}
	return runs.Runs[0].ID
}

// needsShell skips a test whose model is a program of a Unix shell.
func needsShell(t testing.TB) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the model of this test is a program of a Unix shell")
	}
}

// referenceAnswer is what the control of an item answers.
func referenceAnswer(r *rig, item string) string {
	r.Helper()
	id := r.ranOn("chair-trials", "control/reference", "--only", item)
	var v struct{ Attempts []struct{ Answer string } }
	if err := json.Unmarshal([]byte(r.want(0, "result", id, "--item", item, "--json").out), &v); err != nil || len(v.Attempts) == 0 {
		r.Fatal(err, v)
	}
	return v.Attempts[0].Answer
}

func (r *rig) file(name string) []byte {
	r.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.Fatal(err)
	}
	return b
}

func TestExportsOfRuns(t *testing.T) {
	r := newRig(t)
	id := mixedRun(r)
	for _, format := range []string{"json", "jsonl", "csv", "csv-findings", "junit", "harbor-result"} {
		r.want(0, "export", "--run", id, format, "-o", "out."+format)
		if got := r.want(0, "export", "--run", id, format, "-o", "-"); got.out != string(r.file("out."+format)) {
			t.Errorf("%s: standard output has other bytes than the file", format)
		}
		if b := r.file("out." + format); bytes.ContainsAny(b, "\x1b\u202e") {
			t.Errorf("%s holds an escape", format)
		}
	}
	t.Run("jsonl", func(t *testing.T) { readLines(t, r.file("out.jsonl")) })
	t.Run("json", func(t *testing.T) { readJSON(t, r.file("out.json"), r.file("out.jsonl")) })
	t.Run("csv", func(t *testing.T) { readCSV(t, r.file("out.csv"), r.file("out.csv-findings")) })
	t.Run("junit", func(t *testing.T) { readJUnit(t, r.file("out.junit")) })
	t.Run("harbor", func(t *testing.T) { readHarbor(t, r.file("out.harbor-result")) })
	r.want(0, "export", "--run", id, "parquet", "-o", "tables")
	t.Run("parquet", func(t *testing.T) {
		readParquet(t, r.file("tables/attempts.parquet"), r.file("tables/findings.parquet"), r.file("out.csv-findings"))
	})
	r.want(0, "export", "--run", id, "inspect", "-o", "logs")
	logs, err := os.ReadDir(filepath.Join(r.dir, "logs"))
	if err != nil || len(logs) != 1 {
		t.Fatal(err, logs)
	}
	t.Run("inspect", func(t *testing.T) { readInspect(t, r.file("logs/"+logs[0].Name())) })

	for _, c := range [][]string{{"yaml", "-o", "x"}, {"csv"}, {"parquet"}, {"parquet", "-o", "-"}, {"parquet", "-o", "tables"}, {"episodes", "-o", "e", "--grader", "ff"}, {"csv", "-o", "x", "--grader", "ffff"}} {
		if got := r.want(2, append([]string{"export", "--run", id}, c...)...); strings.Count(got.err, "\n") != 1 {
			t.Errorf("%v: %q", c, got.err)
		}
	}
	if got := r.want(3, "export", "--run", id, "csv", "-o", "no/such/folder.csv"); got.err == "" {
		t.Error("a folder that is not there is written to")
	}
	left, err := filepath.Glob(filepath.Join(r.dir, ".*.*"))
	if err != nil || slices.ContainsFunc(left, func(s string) bool { return strings.Contains(s, "folder.csv") || strings.Contains(s, "out.") }) {
		t.Errorf("parts of files are left: %v, %v", left, err)
	}
}

type line struct {
	Record, Item, Outcome, Letter, Answer, Format string
	Repeat                                        int
	Pass                                          *bool
	Verdict                                       map[string]any
	Result                                        map[string]any
}

func readLines(t *testing.T, b []byte) {
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	if len(lines) != 41 {
		t.Fatalf("%d lines", len(lines))
	}
	seen := map[string]int{}
	for i, l := range lines {
		var v line
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatal(err)
		}
		switch {
		case i == 0:
			if v.Record != "run" || v.Format != "assay-run-v1" || v.Result["figures"] == nil {
				t.Errorf("the first line: %+v", v)
			}
		case v.Item == "c2-sh-1":
			if v.Outcome != "error" || v.Letter != "E" || v.Pass != nil || v.Verdict != nil {
				t.Errorf("%+v", v)
			}
		case v.Item == "c2-cw-1":
			if v.Pass == nil || !*v.Pass {
				t.Errorf("%+v", v)
			}
		default:
			if v.Answer != hostileAnswer || v.Pass == nil || *v.Pass || v.Verdict == nil {
				t.Errorf("%+v", v)
			}
		}
		seen[v.Item]++
	}
	if len(seen) != 21 || seen["c2-cw-1"] != 2 {
		t.Errorf("items: %v", seen)
	}
}

func readJSON(t *testing.T, b, lines []byte) {
	var v struct {
		Format   string
		Attempts []json.RawMessage
	}
	if err := json.Unmarshal(b, &v); err != nil || v.Format != "assay-run-v1" || len(v.Attempts) != 40 {
		t.Fatal(err, len(v.Attempts))
	}
	for i, l := range strings.Split(strings.TrimSpace(string(lines)), "\n")[1:] {
		if string(v.Attempts[i]) != l {
			t.Errorf("attempt %d differs from its line", i)
		}
	}
}

func table(t *testing.T, b []byte) []map[string]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, r := range rows[1:] {
		m := map[string]string{}
		for i, c := range r {
			m[rows[0][i]] = c
		}
		out = append(out, m)
	}
	return out
}

func readCSV(t *testing.T, attempts, findings []byte) {
	rows := table(t, attempts)
	if len(rows) != 40 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		switch r["item"] {
		case "c2-sh-1":
			if r["pass"] != "" || r["outcome"] != "error" || r["letter"] != "E" {
				t.Errorf("%v", r)
			}
		case "c2-cw-1":
			if r["pass"] != "true" || r["failed_rules"] != "" {
				t.Errorf("%v", r)
			}
		default:
			if want := "'=1+1|'/c calc'!A0\ufffd[2J\ufffd<script>alert(1)</script>]]>&\nsecond, \"line\""; r["answer"] != want || r["pass"] != "false" || r["failed_rules"] == "" && r["state"] == "graded" {
				t.Errorf("%q %v", r["answer"], r)
			}
		}
	}
	for _, b := range [][]byte{attempts, findings} {
		for _, r := range table(t, b) {
			for name, c := range r {
				if c != "" && strings.ContainsRune("=+-@\t\r", rune(c[0])) && name != "start" && name != "end" {
					t.Errorf("%s: %q is a formula", name, c)
				}
			}
		}
	}
}

func readJUnit(t *testing.T, b []byte) {
	var v struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Errors   int    `xml:"errors,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
				Error *struct {
					Text string `xml:",chardata"`
				} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	d := xml.NewDecoder(bytes.NewReader(b))
	d.Strict = true
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if len(v.Suites) != 2 || !strings.HasSuffix(v.Suites[0].Name, ", exact") || !strings.HasSuffix(v.Suites[1].Name, ", proxy") {
		t.Fatalf("%+v", v)
	}
	for i, want := range [][3]int{{13, 11, 1}, {7, 7, 0}} {
		s := v.Suites[i]
		if got := [3]int{s.Tests, s.Failures, s.Errors}; got != want || len(s.Cases) != want[0] {
			t.Errorf("%s: %v, want %v", s.Name, got, want)
		}
		for _, c := range s.Cases {
			if passed := c.Failure == nil && c.Error == nil; passed != (c.Name == "c2-cw-1") || (c.Error != nil) != (c.Name == "c2-sh-1") {
				t.Errorf("%+v", c)
			}
			if c.Failure != nil && (c.Failure.Text == "" || !strings.HasPrefix(c.Failure.Message, "not passed: ")) {
				t.Errorf("%s: %+v", c.Name, c.Failure)
			}
		}
	}
}

func readHarbor(t *testing.T, b []byte) {
	type stats struct {
		Trials  int                            `json:"n_trials"`
		Errors  int                            `json:"n_errors"`
		Rewards map[string]map[string][]string `json:"reward_stats"`
		Faults  map[string][]string            `json:"exception_stats"`
	}
	var v struct {
		ID      string
		Total   int       `json:"n_total_trials"`
		Started time.Time `json:"started_at"`
		Stats   struct {
			Done    int `json:"n_completed_trials"`
			Errored int `json:"n_errored_trials"`
			Pending int `json:"n_pending_trials"`
			Evals   map[string]stats
		}
		Trials []struct {
			ID, Task_name, Trial_name, Trial_uri, Task_checksum, Source string
			Agent_info                                                  struct {
				Name, Version string
				Model_info    struct{ Name, Provider string }
			}
			Verifier_result *struct{ Rewards map[string]float64 }
			Exception_info  *struct{ Exception_type string }
		} `json:"trial_results"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if v.Total != 40 || v.Stats.Done != 40 || v.Stats.Errored != 2 || v.Stats.Pending != 0 || len(v.Trials) != 40 || len(v.Stats.Evals) != 2 || len(v.ID) != 36 {
		t.Errorf("%+v", v.Stats)
	}
	for end, want := range map[string]struct{ trials, errors, ones int }{"-mixed.sh__chair-trials@1 exact": {24, 2, 2}, "-mixed.sh__chair-trials@1 proxy": {14, 0, 0}} {
		for key, e := range v.Stats.Evals {
			if strings.HasSuffix(key, end) && (e.Trials != want.trials || e.Errors != want.errors || len(e.Rewards["reward"]["1"]) != want.ones || len(e.Rewards["reward"]["0"]) != want.trials-want.ones || len(e.Faults["EnvironmentError"]) != want.errors) {
				t.Errorf("%s: %+v", key, e)
			}
			if !strings.HasPrefix(key, "command plain__") || !strings.Contains(key, "-mixed.sh__chair-trials@1 ") {
				t.Errorf("the key %q", key)
			}
		}
	}
	ids := map[string]bool{}
	for _, x := range v.Trials {
		ids[x.ID] = true
		rewarded := x.Verifier_result != nil
		if rewarded == (x.Task_name == "c2-sh-1") || (x.Exception_info != nil) == rewarded || rewarded && x.Verifier_result.Rewards["reward"] != map[bool]float64{true: 1}[x.Task_name == "c2-cw-1"] || len(x.Task_checksum) != 64 {
			t.Errorf("%+v", x)
		}
	}
	if len(ids) != 40 {
		t.Errorf("%d different identifiers", len(ids))
	}
}

func readParquet(t *testing.T, attempts, findings, asCSV []byte) {
	type attemptRow struct {
		Run     string     `parquet:"run"`
		Item    string     `parquet:"item"`
		Repeat  int64      `parquet:"repeat"`
		Pass    *bool      `parquet:"pass,optional"`
		Started *time.Time `parquet:"started,optional,timestamp(microsecond)"`
		Answer  *string    `parquet:"answer,optional"`
		Tokens  *int64     `parquet:"prompt_tokens,optional"`
	}
	rows, err := parquet.Read[attemptRow](bytes.NewReader(attempts), int64(len(attempts)))
	if err != nil && err != io.EOF || len(rows) != 40 {
		t.Fatal(err, len(rows))
	}
	for _, r := range rows {
		if r.Item == "c2-sh-1" {
			if r.Pass != nil {
				t.Errorf("%+v", r)
			}
			continue
		}
		if r.Pass == nil || *r.Pass != (r.Item == "c2-cw-1") || r.Answer == nil || (*r.Answer == hostileAnswer) == *r.Pass || r.Tokens != nil || r.Started == nil || time.Since(*r.Started) > time.Hour {
			t.Errorf("%+v", r)
		}
	}
	type findingRow struct {
		Item string `parquet:"item"`
		Rule string `parquet:"rule"`
		Pass bool   `parquet:"pass"`
	}
	found, err := parquet.Read[findingRow](bytes.NewReader(findings), int64(len(findings)))
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	want := table(t, asCSV)
	if len(found) != len(want) || len(found) < 40 {
		t.Fatalf("%d findings, %d in CSV", len(found), len(want))
	}
	for i, f := range found {
		if f.Item != want[i]["item"] || f.Rule != want[i]["rule"] || (want[i]["pass"] == "true") != f.Pass {
			t.Errorf("finding %d: %+v, %v", i, f, want[i])
		}
	}
}

func readInspect(t *testing.T, b []byte) {
	var v struct {
		Version int
		Status  string
		Eval    struct{ Task, Model, Run_id, Created string }
		Results struct {
			Total_samples int
			Scores        []struct {
				Name             string
				Scored_samples   int
				Unscored_samples int
				Metrics          map[string]struct{ Value float64 }
			}
		}
		Samples []struct {
			ID     string
			Epoch  int
			Input  string
			Output struct{ Completion string }
			Error  *struct{ Message string }
			Scores map[string]struct{ Value string }
		}
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if v.Version != 2 || v.Status != "error" || v.Eval.Task != "chair-trials" || !strings.HasSuffix(v.Eval.Model, "/mixed.sh") || v.Results.Total_samples != 40 || len(v.Samples) != 40 || len(v.Results.Scores) != 2 {
		t.Errorf("%+v %+v", v.Eval, v.Results)
	}
	if s := v.Results.Scores[0]; s.Name != "exact" || s.Scored_samples != 24 || s.Unscored_samples != 2 || s.Metrics["items_passed"].Value != 1.0/13 {
		t.Errorf("%+v", s)
	}
	for _, s := range v.Samples {
		switch {
		case s.ID == "c2-sh-1":
			if s.Error == nil || s.Scores != nil {
				t.Errorf("%+v", s)
			}
		case len(s.Scores) != 1 || s.Error != nil || strings.Contains(s.Input, "whose prompt is in the bench") || len(s.Input) < 20:
			t.Errorf("%s: %+v", s.ID, s.Scores)
		case s.ID == "c2-cw-1":
			if s.Scores["exact"].Value != "C" {
				t.Errorf("%+v", s)
			}
		case s.Output.Completion != hostileAnswer || s.Scores["exact"].Value == "C" || s.Scores["proxy"].Value == "C":
			t.Errorf("%+v", s.Scores)
		}
	}
	holdsSchema(t, b)
}

// holdsSchema validates an evaluation log by the schema that Inspect publishes, where one is at hand.
func holdsSchema(t *testing.T, b []byte) {
	t.Helper()
	path := os.Getenv("ASSAY_INSPECT_SCHEMA")
	if path == "" {
		t.Skip("the log is not held against the published schema: ASSAY_INSPECT_SCHEMA names no file with it")
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal(raw, schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var log any
	if err := json.Unmarshal(b, &log); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(log); err != nil {
		t.Error(err)
	}
}

// Runs of authoring problems and of agent tasks are written in every format too, and read back.
func TestExportsOfOtherShapes(t *testing.T) {
	for name, from := range map[string]string{"desk": deskFiles, "mooring": filepath.Join("..", "..", "examples", "mooring")} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			if err := os.CopyFS(filepath.Join(r.dir, name), os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			id := r.ranOn("./"+name, "control/reference", "--unproven")
			planned := r.result(id).Attempts.Planned
			for _, format := range []string{"json", "jsonl", "csv", "csv-findings", "junit", "harbor-result"} {
				r.want(0, "export", "--run", id, format, "-o", "out."+format)
			}
			if n := strings.Count(string(r.file("out.jsonl")), "\n"); n != planned+1 {
				t.Errorf("%d lines for %d attempts", n, planned)
			}
			var whole struct{ Attempts []struct{ Pass *bool } }
			if err := json.Unmarshal(r.file("out.json"), &whole); err != nil || len(whole.Attempts) != planned {
				t.Errorf("%v: %d attempts", err, len(whole.Attempts))
			}
			for i, a := range whole.Attempts {
				if a.Pass == nil || !*a.Pass {
					t.Errorf("attempt %d: the reference does not pass", i)
				}
			}
			if got := table(t, r.file("out.csv")); len(got) != planned || got[0]["pass"] != "true" {
				t.Errorf("%v", got)
			}
			found := table(t, r.file("out.csv-findings"))
			var suites struct {
				Suites []struct {
					Tests    int `xml:"tests,attr"`
					Failures int `xml:"failures,attr"`
					Errors   int `xml:"errors,attr"`
				} `xml:"testsuite"`
			}
			if err := xml.Unmarshal(r.file("out.junit"), &suites); err != nil || len(suites.Suites) == 0 || suites.Suites[0].Tests == 0 || suites.Suites[0].Failures+suites.Suites[0].Errors > 0 {
				t.Errorf("%v %+v", err, suites)
			}
			var job struct {
				Trials []struct {
					Verifier_result struct{ Rewards map[string]float64 }
				} `json:"trial_results"`
			}
			if err := json.Unmarshal(r.file("out.harbor-result"), &job); err != nil || len(job.Trials) != planned {
				t.Fatalf("%v %+v", err, job)
			}
			for _, x := range job.Trials {
				if rewards := x.Verifier_result.Rewards; rewards["reward"] != 1 || name == "mooring" && rewards["gated_score"] != 100 {
					t.Errorf("%v", rewards)
				}
			}
			r.want(0, "export", "--run", id, "parquet", "-o", "tables")
			type findingRow struct {
				Rule string `parquet:"rule"`
			}
			b := r.file("tables/findings.parquet")
			if rows, err := parquet.Read[findingRow](bytes.NewReader(b), int64(len(b))); err != nil && err != io.EOF || len(rows) != len(found) {
				t.Errorf("%v: %d findings, %d in CSV", err, len(rows), len(found))
			}
			r.want(0, "export", "--run", id, "inspect", "-o", "logs")
			logs, err := filepath.Glob(filepath.Join(r.dir, "logs", "*.json"))
			if err != nil || len(logs) == 0 {
				t.Fatal(err)
			}
			for _, l := range logs {
				b, err := os.ReadFile(l)
				if err != nil {
					t.Fatal(err)
				}
				var v struct{ Status string }
				if err := json.Unmarshal(b, &v); err != nil || v.Status != "success" {
					t.Errorf("%s: %v %+v", l, err, v)
				}
				holdsSchema(t, b)
			}
		})
	}
}
