package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// action is as much of action.yml as a runner goes by.
type action struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, Run, Shell string
			Env            map[string]string
		}
	}
}

func readAction(t *testing.T) action {
	t.Helper()
	b, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(b, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// Each input reaches a step by its environment alone, never as a part of a script, where it would be evaluated.
func TestActionInputs(t *testing.T) {
	a := readAction(t)
	used := map[string]bool{"program": true}
	expression := regexp.MustCompile(`^\$\{\{ inputs\.([a-z-]+) \}\}$`)
	for _, s := range a.Runs.Steps {
		if s.Shell != "bash" || strings.Contains(s.Run, "${{") {
			t.Errorf("the step %q evaluates an expression in its script, or has another shell", s.Run)
		}
		for name, v := range s.Env {
			if m := expression.FindStringSubmatch(v); m != nil {
				used[m[1]] = true
				if _, ok := a.Inputs[m[1]]; !ok {
					t.Errorf("%s takes the input %s, which there is not", name, m[1])
				}
			}
		}
	}
	for name, in := range a.Inputs {
		if !used[name] || in.Description == "" {
			t.Errorf("the input %s is not used, or not described", name)
		}
	}
	if a.Runs.Using != "composite" || len(a.Inputs) < 5 || len(a.Outputs) != 2 {
		t.Errorf("%+v", a)
	}
}

// acted is what the action's step came to.
type acted struct {
	code                    int
	summary, output, stderr string
}

// act runs the step that runs a bench, with this test's binary as the program.
func act(t *testing.T, dir string, inputs map[string]string) acted {
	t.Helper()
	a := readAction(t)
	step := a.Runs.Steps[slices.IndexFunc(a.Runs.Steps, func(s struct {
		ID, Run, Shell string
		Env            map[string]string
	}) bool {
		return s.ID == "run"
	})]
	temp := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-c", step.Run)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ASSAY_AS_COMMAND=1", "ASSAY_STATE="+filepath.Join(dir, "state"), "GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"), "GITHUB_OUTPUT="+filepath.Join(temp, "output"))
	for name, v := range step.Env {
		value := ""
		if in, ok := strings.CutPrefix(v, "${{ inputs."); ok {
			in = strings.TrimSuffix(in, " }}")
			value = a.Inputs[in].Default
			if set, ok := inputs[in]; ok {
				value = set
			}
			if in == "program" {
				value = exe
			}
		}
		if v == "${{ github.event.pull_request.number }}" {
			value = "17"
		}
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out := acted{}
	if err := cmd.Run(); err != nil {
		out.code = exitCode(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(temp, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(b)
	}
	out.summary, out.output, out.stderr = read("summary"), read("output"), errs.String()
	return out
}

func TestActionRuns(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("the action's step needs bash")
	}
	dir := t.TempDir()
	good := act(t, dir, map[string]string{"bench": "chair-trials", "models": "control/reference\n", "gates": "exact>=0.9\nerrors==0", "junit": "junit.xml"})
	if good.code != 0 || !strings.Contains(good.summary, "every gate holds") || !strings.Contains(good.summary, "13/13") {
		t.Fatalf("exit %d: %s\n%s", good.code, good.stderr, good.summary)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "junit.xml")); err != nil || !bytes.Contains(b, []byte("<testsuites")) {
		t.Error(err)
	}
	m := regexp.MustCompile(`(?m)^run=([0-9a-z]+)$`).FindStringSubmatch(good.output)
	if m == nil {
		t.Fatalf("outputs: %q", good.output)
	}
	bad := act(t, dir, map[string]string{"bench": "chair-trials", "models": "control/empty", "gates": "exact>=0.9"})
	if bad.code != 1 || !strings.Contains(bad.summary, "a gate does not hold") || !strings.Contains(bad.summary, "gate exact>=0.9: control/empty at plain has 0 of 13") {
		t.Errorf("exit %d: %s\n%s", bad.code, bad.stderr, bad.summary)
	}
	worse := act(t, dir, map[string]string{"bench": "chair-trials", "models": "control/empty", "baseline": m[1], "compare-gates": "exact-regressions==0"})
	if worse.code != 1 || !strings.Contains(worse.summary, "### Regressions (20)") || !strings.Contains(worse.summary, "gate exact-regressions==0") {
		t.Errorf("exit %d: %s\n%s", worse.code, worse.stderr, worse.summary)
	}
	// With comment the summary goes to the pull request, by the program that runners have for it.
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte("#!/bin/sh\nprintf '%s ' \"$@\" > '"+dir+"/gh.args'\nfor f in \"$@\"; do :; done\ncat \"$f\" > '"+dir+"/gh.body'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	said := act(t, dir, map[string]string{"bench": "chair-trials", "models": "control/reference", "gates": "exact>=0.9", "comment": "true"})
	b, err := os.ReadFile(filepath.Join(dir, "gh.args"))
	if err != nil || said.code != 0 || !strings.HasPrefix(string(b), "pr comment 17 --body-file ") {
		t.Errorf("exit %d, %q, %v: %s", said.code, b, err, said.stderr)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "gh.body")); err != nil || !strings.Contains(string(b), "every gate holds") {
		t.Errorf("%q, %v", b, err)
	}
	// What a workflow puts into an input is an argument, whatever it says.
	for _, hostile := range []map[string]string{
		{"bench": "$(touch owned)", "models": "control/reference"},
		{"bench": "chair-trials", "models": "control/reference; touch owned"},
		{"bench": "chair-trials", "models": "control/reference", "gates": "exact>=0.9`touch owned`"},
		{"bench": "chair-trials", "models": "control/reference", "args": "--only\n$(touch owned)"},
	} {
		if got := act(t, dir, hostile); got.code != 2 {
			t.Errorf("%v: exit %d: %s", hostile, got.code, got.stderr)
		}
		if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
			t.Fatalf("%v was evaluated", hostile)
		}
	}
}
