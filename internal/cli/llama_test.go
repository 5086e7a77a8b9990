//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/internal/llamatest"
)

// TestRealServer runs a bench against a real llama.cpp whose three models give an answer that passes the item, one that
// fails it, and one that never ends and is cut by the protocol's limit.
func TestRealServer(t *testing.T) {
	server := llamatest.StartModels(t, map[string]llamatest.Model{
		"right":   {Reply: "Rain fell on the roof all night. Rivers rose by morning."},
		"wrong":   {Reply: "Rain fell on the roof, all night. Rivers rose by morning."},
		"endless": {Reply: "Rain fell and fell and ", Options: []llamatest.Option{llamatest.Endless()}},
	})
	dir := t.TempDir()
	run := func(args ...string) []byte {
		t.Helper()
		cmd := command(t, dir, args...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, errs.String())
		}
		return out
	}
	run("new", "bench", "rain")
	manifest := filepath.Join(dir, "rain", "bench.yaml")
	data, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, bytes.Replace(data, []byte("max_output: 512"), []byte("max_output: 48"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	run("check", "./rain")
	var models []string
	for _, m := range []string{"right", "wrong", "endless"} {
		models = append(models, "openai/"+m+"@"+server.URL)
	}
	out := run("run", "./rain", "--model", strings.Join(models, ","), "--json")
	var res struct {
		Figures []struct {
			Model         string
			Passed, Items int
		}
		Items []struct {
			Item   string
			Models []struct {
				Model   string
				Letters []string
			}
		}
	}
	if err := json.Unmarshal(out, &res); err != nil {
		t.Fatal(err)
	}
	passed := map[string]int{}
	for _, f := range res.Figures {
		if f.Items > 0 {
			passed[f.Model] += f.Passed
		}
	}
	if passed[models[0]] != 1 || passed[models[1]] != 0 || passed[models[2]] != 0 || len(passed) != 3 {
		t.Errorf("passed: %v", passed)
	}
	for model, want := range map[string]string{models[0]: "letter ., answered", models[1]: "letter F, answered", models[2]: "letter C, truncated"} {
		text := string(run("result", "latest", "--item", "two-sentences"))
		if !strings.Contains(text, model+", posture plain, repeat 2: "+want) {
			t.Errorf("%s: no %q in\n%s", model, want, text)
		}
	}
}
