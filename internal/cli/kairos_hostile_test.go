package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/kairos"
)

// TestKairosFmtTooLong: a program that fits may not fit any longer when it is formatted. It is told so, and left alone.
func TestKairosFmtTooLong(t *testing.T) {
	dir := t.TempDir()
	src := "everyDay" + strings.Repeat("|>first", 140_000)
	name := filepath.Join(dir, "a.kairos")
	if err := os.WriteFile(name, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := inside(t, dir, nil, "kairos", "fmt", "-w", "a.kairos")
	if code != 1 || out != "" || !strings.HasPrefix(errs, "assay: a.kairos: formatted, it would have ") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	if b, err := os.ReadFile(name); err != nil || string(b) != src {
		t.Errorf("the file has %d bytes, %v", len(b), err)
	}
	if len(src) > kairos.MaxSource {
		t.Error("the program is too long to begin with")
	}
}

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestKairosFullDisk: what cannot be written is never an exit status of 0 or 1, whatever the command had to say.
func TestKairosFullDisk(t *testing.T) {
	dir := t.TempDir()
	for name, src := range map[string]string{"loose": "everyDay|>at(T09:00)", "wrong": "everyDay |> nosuch"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"fmt", "loose"}, {"fmt", "-l", "loose"}, {"check", "wrong"}, {"check", "--json", "wrong"}, {"explain", "loose"}, {"explain", "--json", "wrong"},
		{"list", "--to", "2026-09-01", "loose"}, {"list", "--json", "loose"}, {"list", "--format", "ics", "loose"}, {"next", "loose"}, {"--help"}, {"--version"},
	} {
		if code := process(t, dir, nil, fullDisk{}, append([]string{"kairos"}, args...)...); code != 3 {
			t.Errorf("%v: exit %d", args, code)
		}
	}
	in := strings.NewReader(batchLine(`1`, "everyDay", "2026-01-01", "2026-01-03"))
	if code := process(t, dir, in, fullDisk{}, "kairos", "batch"); code != 3 {
		t.Errorf("batch: exit %d", code)
	}
}
