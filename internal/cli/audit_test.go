package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// standardFile writes a standard with these requirements.
func (r *rig) standardFile(requirements string) string {
	r.Helper()
	name := filepath.Join(r.dir, "standard.json")
	text := `{"schemaVersion":"own.benchmark-realism-standard.v5","name":"Own","requirements":{` + requirements + `}}`
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
	return "standard.json"
}

func TestAuditExitCodes(t *testing.T) {
	r := newRig(t)
	bench := mooring(t)
	for requirements, want := range map[string]int{
		`"employeeRequest":{"minimumWords":10}`:                 0,
		`"employeeRequest":{"minimumWords":1000}`:               1,
		`"employeeRequest":{"minimumWords":10,"tone":"kind"}`:   4,
		`"employeeRequest":{"minimumWords":1000,"tone":"kind"}`: 1,
		`"employeeRequest":{"minimumWords":"10"}`:               2,
		`"employeeRequest":{"minimumWords":10}}} {"`:            2,
		`"employeeRequest":{"minimumWords":1e400}`:              2,
	} {
		keys := "employeeRequest.minimumWords"
		if strings.Contains(requirements, "tone") {
			keys += ",employeeRequest.tone"
		}
		got := r.assay("audit", bench, "--standard", r.standardFile(requirements), "--key", keys)
		if got.code != want {
			t.Errorf("%s: exit %d, want %d\n%s%s", requirements, got.code, want, got.err, got.out)
		}
		if want == 2 && (strings.Count(got.err, "\n") != 1 || !strings.HasPrefix(got.err, "assay: standard.json: ")) {
			t.Errorf("%s: %q is not one line on the file", requirements, got.err)
		}
	}
	// What the file does not have cannot be measured either, so that leaving a requirement out passes nothing.
	if got := r.assay("audit", bench, "--standard", r.standardFile(`"employeeRequest":{"minimumWords":10}`), "--key", "employeeRequest"); got.code != 4 {
		t.Errorf("exit %d, want 4\n%s", got.code, got.out)
	}
}

func TestAuditReport(t *testing.T) {
	r := newRig(t)
	got := r.want(1, "audit", mooring(t), "--json", "--html", "a.html", "--markdown", "a.md")
	var rep struct {
		Keys []struct {
			Key, Scope, Result, How string
			Evidence                []map[string]any
			Measured, Threshold     any
		}
		Pass, Fail, Warn int
		NotMeasured      int `json:"not_measured"`
		Standard         struct{ SHA256 string }
		Bench            struct{ Name, Digest string }
	}
	if err := json.Unmarshal([]byte(got.out), &rep); err != nil {
		t.Fatal(err)
	}
	if len(rep.Keys) != 125 || rep.Pass+rep.Fail+rep.Warn+rep.NotMeasured != 125 || rep.Fail == 0 || rep.Bench.Name != "mooring@1" || len(rep.Standard.SHA256) != 64 || len(rep.Bench.Digest) != 64 {
		t.Errorf("%d keys, %+v", len(rep.Keys), rep.Bench)
	}
	if again := r.want(1, "audit", mooring(t), "--json"); again.out != got.out {
		t.Error("two audits of one bench differ")
	}
	for name, want := range map[string]string{"a.html": "<!doctype html>", "a.md": "# Audit of mooring@1"} {
		b, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil || !strings.HasPrefix(string(b), want) {
			t.Errorf("%s: %v, %.60q", name, err, b)
		}
	}
	text := r.want(1, "audit", mooring(t), "--key", "employeeRequest").out
	if !strings.Contains(text, "employeeRequest.singleCoherentOperationalObjectiveRequired") || strings.Contains(text, "PASS          employeeRequest") || !strings.Contains(text, "10 PASS, 1 FAIL, 0 WARN, 0 NOT_MEASURED") {
		t.Errorf("%s", text)
	}
}

func TestAuditRefuses(t *testing.T) {
	r := newRig(t)
	if err := os.MkdirAll(filepath.Join(r.dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"no bench is named":                        {"audit", "nowhere"},
		"which is not":                             {"audit", "./empty"},
		"benches of agent tasks":                   {"audit", "chair-trials"},
		"did you mean":                             {"audit", mooring(t), "--key", "employeeRequest.minimumWord"},
		"no-such.json: ":                           {"audit", mooring(t), "--standard", "no-such.json"},
		"wants BENCH":                              {"audit"},
		"a realism standard; known":                {"audit", mooring(t), "--standard", r.standardOf(`{"schemaVersion":"2"}`)},
		"version 6 of the standard's schema":       {"audit", mooring(t), "--standard", r.standardOf(`{"schemaVersion":"x.benchmark-realism-standard.v6","requirements":{"a":{"b":1}}}`)},
		"a standard is a JSON object; give":        {"audit", mooring(t), "--standard", r.standardOf(`yaml: {}`)},
		"a standard without requirements is met b": {"audit", mooring(t), "--standard", r.standardOf(`{"schemaVersion":"x.benchmark-realism-standard.v5"}`)},
	} {
		got := r.assay(args...)
		if got.code != 2 || strings.Count(got.err, "\n") != 1 || got.out != "" {
			t.Errorf("%v: exit %d, %q %q", args, got.code, got.err, got.out)
		}
		if want != "which is not" && !strings.Contains(got.err, want) {
			t.Errorf("%v: %q, want %q", args, got.err, want)
		}
	}
}

// standardOf writes a file of its own.
func (r *rig) standardOf(text string) string {
	r.Helper()
	f, err := os.CreateTemp(r.dir, "standard-*.json")
	if err != nil {
		r.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		r.Fatal(err)
	}
	return filepath.Base(f.Name())
}
