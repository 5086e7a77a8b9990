package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/report/compare"
)

// ranOn runs a shipped bench and gives the run's id.
func (r *rig) ranOn(bench, model string, args ...string) string {
	r.Helper()
	res := new(report.Result)
	if err := json.Unmarshal([]byte(r.want(0, append([]string{"run", bench, "--json", "--model", model}, args...)...).out), res); err != nil {
		r.Fatal(err)
	}
	return res.Run
}

func TestCompareAndGates(t *testing.T) {
	r := newRig(t)
	good := r.ranOn("chair-trials", "control/reference")
	bad := r.ranOn("chair-trials", "control/empty")
	part := r.ranOn("chair-trials", "control/reference", "--only", "c2-num-1")
	three := r.ranOn("chair-trials", "control/reference", "--repeats", "3")

	// Regressions first, and the same bytes each time.
	first := r.want(0, "compare", good, bad, "--json")
	if again := r.want(0, "compare", bad, "--baseline", good, "--json"); again.out != first.out {
		t.Error("a baseline that is named is another than the first one")
	}
	c := new(compare.Comparison)
	if err := json.Unmarshal([]byte(first.out), c); err != nil {
		t.Fatal(err)
	}
	p := c.Pairs[0]
	if len(p.Regressions) != 20 || len(p.Improvements) != 0 || p.Bases[0].Regressions != 13 || p.Bases[1].Regressions != 7 || p.Bases[0].Outcome != compare.Worse || *p.Bases[0].P != 2.0/8192 {
		t.Errorf("%+v", p.Bases)
	}
	if out := r.want(0, "compare", bad, good, "--markdown").out; !strings.Contains(out, "### Improvements (20)") || strings.Contains(out, "### Regressions") {
		t.Error(out)
	}
	if out := r.want(0, "compare", good, part).out; !strings.Contains(out, "exact: 1 item paired") || !strings.Contains(out, "no whole run: only 1 item (--only)") {
		t.Error(out)
	}

	// What cannot be compared is refused in one line.
	for _, c := range [][]string{{"compare", good}, {"compare", good, good}, {"compare", good, three}, {"compare", good, "nothing"}, {"compare", good, bad, "--json", "--markdown"},
		{"compare", good, bad, "--gate", "speed>=1"}, {"compare", good, bad, "--model", "x/y"}, {"compare", good, bad, "--grader", "ffff"},
		{"result", good, "--gate", "exact-regressions==0"}, {"result", good, "--item", "c2-num-1", "--gate", "exact>=0"}} {
		if got := r.want(2, c...); strings.Count(got.err, "\n") != 1 || got.out != "" {
			t.Errorf("%v: %q %q", c, got.out, got.err)
		}
	}

	// Gates.
	for _, c := range []struct {
		code int
		args []string
		why  string
	}{
		{0, []string{"compare", bad, good, "--gate", "exact-regressions==0", "--gate", "exact>=1"}, ""},
		{1, []string{"compare", good, bad, "--gate", "exact-regressions==0"}, "assay: gate exact-regressions==0: control/empty at plain, run " + bad + " has 13\n"},
		{0, []string{"result", good, "--gate", "exact>=0.9", "--gate", "errors==0"}, ""},
		{1, []string{"result", bad, "--gate", "exact>=0.9"}, "assay: gate exact>=0.9: control/empty at plain has 0 of 13 (0.0000)\n"},
		{1, []string{"result", part, "--gate", "exact>=0"}, "is no whole run"},
		{0, []string{"run", "chair-trials", "-m", "control/reference", "-q", "--repeats", "3", "--gate", "exact==1", "--gate", "proxy==1"}, ""},
		{1, []string{"run", "chair-trials", "-m", "control/empty", "-q", "--gate", "unread==0"}, "assay: gate unread==0: control/empty at plain has 40\n"},
		{1, []string{"run", "chair-trials", "-m", "control/reference,control/empty", "-q", "--gate", "exact>=1/2"}, "assay: gate exact>=1/2: control/empty at plain has 0 of 13 (0.0000)\n"},
	} {
		if got := r.want(c.code, c.args...); !strings.Contains(got.err, c.why) || c.code == 1 && !strings.HasSuffix(got.err, "\n") {
			t.Errorf("%v: %q, want %q", c.args, got.err, c.why)
		}
	}

	// A gate that is none stops a run before anything is recorded.
	before := r.want(0, "runs").out
	for _, c := range [][]string{{"--gate", "exact>"}, {"--gate", "errors==0", "--only", "c2-num-1"}, {"--gate", ""}} {
		got := r.want(2, append([]string{"run", "chair-trials", "--new", "-m", "control/reference"}, c...)...)
		if strings.Count(got.err, "\n") != 1 {
			t.Errorf("%v: %q", c, got.err)
		}
	}
	if r.want(0, "runs").out != before {
		t.Error("a run was recorded")
	}
}

// A run whose server is gone can pass no gate: what is missing is told, and the exit code is the gate's.
func TestNoGateForWhatIsMissing(t *testing.T) {
	needsShell(t)
	r := newRig(t)
	got := r.want(1, "run", "chair-trials", "-m", "command//bin/false", "-q", "--gate", "exact>=0", "--gate", "missing==0")
	if !strings.Contains(got.err, "is not complete: 40 of 40 attempts have no result") {
		t.Error(got.err)
	}
}

func TestItemReport(t *testing.T) {
	needsShell(t)
	r := newRig(t)
	one := r.ranOn("chair-trials", "command//bin/cat")
	two := r.ranOn("chair-trials", "replay/"+one)
	only := r.ranOn("chair-trials", "control/reference")
	if out := r.want(0, "result", one, two, "--items").out; !strings.Contains(out, "Passed by all of 2 models (") || !strings.Contains(out, "Passed by none of 2 models (") || strings.Count(out, "model   ") != 2 {
		t.Error(out)
	}
	var v struct {
		Sides []struct{ Run string }
		Items []struct {
			Item     string
			Judged   int
			Attempts int
		}
	}
	if err := json.Unmarshal([]byte(r.want(0, "result", one, "--items", "--json").out), &v); err != nil || len(v.Items) != 20 || len(v.Sides) != 1 || v.Items[0].Judged != 1 || v.Items[0].Attempts != 2 {
		t.Errorf("%v %+v", err, v)
	}
	for _, c := range [][]string{{"result", one, two}, {"result", one, "--items", "--markdown"}, {"result", one, one, "--items"}, {"result", only, "--items"}} {
		if got := r.want(2, c...); strings.Count(got.err, "\n") != 1 || got.out != "" {
			t.Errorf("%v: %q %q", c, got.out, got.err)
		}
	}
}
