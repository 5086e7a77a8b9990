//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRecipes runs the scripts of docs/agents.md with programs in the place of the products: each is told its world, and
// nothing of it, the token least of all, is left in the caller's folder or anywhere else.
func TestRecipes(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here to run the recipes")
	}
	doc, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	scripts := regexp.MustCompile("(?s)```sh\n(#!/bin/sh\n.*?)```").FindAllStringSubmatch(string(doc), -1)
	if len(scripts) != 2 {
		t.Fatalf("%d recipes are scripts", len(scripts))
	}
	for i, name := range []string{"claude", "codex"} {
		here, tmp, bin := t.TempDir(), t.TempDir(), t.TempDir()
		// What stands in for the product says what it was given, and what it finds beside it.
		stand := "#!/bin/sh\nfor a in \"$@\"; do echo \"arg:$a\"; case \"$a\" in *.json) cat \"$a\"; ls -ld \"$(dirname \"$a\")\";; esac; done\necho \"token:$ASSAY_TOKEN\"\n"
		for path, text := range map[string]string{filepath.Join(bin, name): stand, filepath.Join(bin, "recipe"): scripts[i][1], filepath.Join(tmp, "request.txt"): "Lend the saw."} {
			if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(filepath.Join(bin, "recipe"))
		cmd.Dir = here
		cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "TMPDIR=" + tmp, "ASSAY_MCP_URL=http://127.0.0.1:1/mcp", "ASSAY_TOKEN=sesame", "ASSAY_MODEL_NAME=m-1", "ASSAY_REQUEST=" + filepath.Join(tmp, "request.txt")}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		for _, want := range []string{"arg:Lend the saw.", "http://127.0.0.1:1/mcp", "sesame"} {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s is not told %q:\n%s", name, want, out)
			}
		}
		if name == "claude" && !strings.Contains(string(out), "drwx------") {
			t.Errorf("the folder with the token is others' too:\n%s", out)
		}
		if name == "codex" && strings.Contains(strings.ReplaceAll(string(out), "token:sesame", ""), "sesame") {
			t.Errorf("the token stands in the command line:\n%s", out)
		}
		for _, dir := range []string{here, tmp} {
			left, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range left {
				if e.Name() != "request.txt" {
					t.Errorf("%s: %s is left in %s", name, e.Name(), dir)
				}
			}
		}
	}
}
