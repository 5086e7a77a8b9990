package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documented is a file of the small bench in docs/premise.md: its name, then its text.
var documented = regexp.MustCompile("(?s)\n`([a-z/.-]+)`:\n\n```[a-z]+\n(.*?)```\n")

// TestPremiseDocs copies the small bench out of docs/premise.md and checks it with the program; it is the one that assay new
// writes, byte for byte.
func TestPremiseDocs(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "premise.md"))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	r.want(0, "new", "bench", "--shape", "premise", "my-premises")
	found := documented.FindAllStringSubmatch(string(doc), -1)
	if len(found) != 7 {
		t.Fatalf("%d files in the document", len(found))
	}
	for _, f := range found {
		to := filepath.Join(r.dir, "copied", filepath.FromSlash(f[1]))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(f[2]), 0o644); err != nil {
			t.Fatal(err)
		}
		made, err := os.ReadFile(filepath.Join(r.dir, "my-premises", filepath.FromSlash(f[1])))
		if err != nil {
			t.Fatal(err)
		}
		want := f[2]
		if f[1] == "bench.yaml" {
			_, rest, _ := strings.Cut(want, "\n") // the id has a comment there
			want = "id: my-premises\n" + rest
		}
		if string(made) != want {
			t.Errorf("%s: assay new writes\n%s", f[1], made)
		}
	}
	for _, dir := range []string{"./copied", "./my-premises"} {
		got := r.want(0, "check", dir)
		if !strings.Contains(got.out, "1/1 problems, 2/2 pairs, 8/8 controls have their letter") || !strings.Contains(got.out, "\ngood") || strings.Contains(got.out, "warning: invoice") {
			t.Errorf("%s: %s", dir, got.out)
		}
	}
	if got := r.want(0, "run", "./my-premises", "-m", "control/reference,control/silent"); !strings.Contains(got.out, "invoice:S") {
		t.Error(got.out)
	}
	if got := r.want(2, "new", "bench", "--shape", "agents", "other"); !strings.Contains(got.err, `--shape "agents": it is prompt, premise or agent`) {
		t.Error(got.err)
	}
	if got := r.want(0, "new", "bench", "--shape", "agent", "lamps"); !strings.Contains(got.out, "next: assay check ./lamps") {
		t.Error(got.out)
	}
	if got := r.want(0, "qualify", "./lamps"); !strings.Contains(got.out, "\nqualified") {
		t.Error(got.out)
	}
}
