package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/publication"
)

// TestSplicedPublication forges what the attempts' verdicts do not hold, with a manifest that fits: what the bench or an
// attempt's own trajectory fixes is held against them, and nothing is a fault of the program.
func TestSplicedPublication(t *testing.T) {
	r, dir := published(t)
	kept := map[string][]byte{}
	for _, n := range walkFiles(t, dir) {
		b, err := os.ReadFile(filepath.Join(dir, n))
		if err != nil {
			t.Fatal(err)
		}
		kept[n] = b
	}
	type change struct{ file, from, to string }
	for name, c := range map[string]struct {
		changes []change
		want    string
	}{
		"no repeats":        {[]change{{publication.HeadFile, `"repeats":1,"repeats_chosen"`, `"repeats":0,"repeats_chosen"`}}, "publication.json: it plans 0 repeats"},
		"fewer repeats":     {[]change{{publication.HeadFile, `"repeats":1,"repeats_chosen"`, `"repeats":2,"repeats_chosen"`}}, "publication.json: it plans 2 repeats, the protocol has 1"},
		"another protocol":  {[]change{{publication.HeadFile, `"repeats":1`, `"repeats":9`}}, "publication.json: the protocol is not the bench's"},
		"another item":      {[]change{{publication.AttemptsFile, `"item":"ferry-217"`, `"item":"ferry-218"`}}, "attempts.jsonl:1: \"ferry-218\"/1"},
		"another repeat":    {[]change{{publication.AttemptsFile, `"repeat":1`, `"repeat":3`}}, "attempts.jsonl:1: \"ferry-217\"/3"},
		"another's name":    {[]change{{publication.HeadFile, `/worker@`, `/better@`}, {publication.AttemptsFile, `/worker@`, `/better@`}, {publication.ResultFile, `/worker@`, `/better@`}}, "attempts.jsonl:1: its trajectory is of another attempt"},
		"a caveat dropped":  {[]change{{publication.HeadFile, `"face":[`, `"face":["certified",`}}, "publication.json: what the bench says of itself"},
		"no such family":    {[]change{{publication.AttemptsFile, `"family":"`, `"family":"x`}}, "attempts.jsonl:1: it is of the family"},
		"another basis":     {[]change{{publication.AttemptsFile, `"basis":"exact"`, `"basis":"proxy"`}}, "attempts.jsonl:1: it is of the family"},
		"tries":             {[]change{{publication.AttemptsFile, `"tries":1`, `"tries":-1`}}, "attempts.jsonl:1: it has -1 tries"},
		"no time":           {[]change{{publication.HeadFile, `"created":"2`, `"created":"x`}}, "publication.json: the time that the run was made is none"},
		"an id that writes": {[]change{{publication.HeadFile, `"run":"`, `"run":"../`}}, "publication.json: the run's id is none"},
		"the report":        {[]change{{publication.ReportFile, `# Results`, `# <script>9/9</script> Results`}}, "report.md: it is not the report that result.json gives"},
		"a control":         {[]change{{publication.HeadFile, `"control":false,"name":"`, `"control":false,"name":"control/`}}, "publication.json: \"control/"},
	} {
		for _, x := range c.changes {
			forge(t, dir, x.file, x.from, x.to)
		}
		got := r.assay("verify", "out")
		if got.code != 1 || !strings.Contains(got.out, c.want) || got.err != "" {
			t.Errorf("%s: exit %d, %s%s; want %q", name, got.code, got.out, got.err, c.want)
		}
		if strings.HasPrefix(c.want, publication.ReportFile) {
			continue // a board takes nothing from it
		}
		if got := r.want(0, "leaderboard", "./bench", "out").out; !strings.Contains(got, "  -  ") || strings.Contains(got, "1/1") {
			t.Errorf("%s: it is ranked: %s", name, got)
		}
		for n, b := range kept {
			if err := os.WriteFile(filepath.Join(dir, n), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for n, b := range kept {
		if err := os.WriteFile(filepath.Join(dir, n), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// The same run twice is one row.
	got := r.want(0, "leaderboard", "./bench", "out", "out").out
	if strings.Count(got, "1/1") != 1 || !strings.Contains(got, "the run stands on the board already") {
		t.Errorf("published twice, it stands twice: %s", got)
	}
	// A page of another version cannot be made again, and that is said.
	forge(t, dir, publication.HeadFile, `"program":"`, `"program":"0.0.1 of `)
	forge(t, dir, publication.PageFile, `<body>`, `<body><script>9/9</script>`)
	if got := r.want(0, "verify", "out").out; !strings.Contains(got, "not made again, as another version (0.0.1 of ") || !strings.Contains(got, "report.md, index.html") {
		t.Errorf("verify says %s", got)
	}
}

// TestKeysAreFoundWhereTheyHide: a server that repeats a key in its reply has it recorded as base64, and a bench is packed.
func TestKeysAreFoundWhereTheyHide(t *testing.T) {
	r := newRig(t)
	r.keys("a-key-of-the-provider")
	calls := r.mooring("")
	r.want(0, "qualify", "./bench", "--quiet")
	m := r.agentServer(modeltest.Wires()[0], append([][]record.ToolCall{{{ID: "c0", Name: "assay-context", Arguments: "{}"}}}, each(calls)...), nil)
	r.want(0, "run", "./bench", "--model", provider(modeltest.Wires()[0])+"/worker@"+m.URL, "--quiet")
	r.env["HF_TOKEN"] = `"usage":{"` // as it stands in every reply of the server
	got := r.assay("publish", "latest", "-o", "out")
	if got.code != 3 || !strings.Contains(got.err, "transcripts.jsonl would hold one of the provider's keys") {
		t.Errorf("a reply holds it: %d %s%s", got.code, got.out, got.err)
	}
	r.env["HF_TOKEN"] = "CREATE TABLE"
	got = r.assay("publish", "latest", "-o", "out")
	if got.code != 3 || !strings.Contains(got.err, "would hold one of the provider's keys") {
		t.Errorf("the bench holds it: %d %s%s", got.code, got.out, got.err)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "out")); err == nil {
		t.Error("it was published")
	}
}
