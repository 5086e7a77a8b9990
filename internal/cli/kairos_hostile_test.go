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

// TestKairosNames: a file's name cannot begin a line of its own, nor move a cursor.
func TestKairosNames(t *testing.T) {
	dir := t.TempDir()
	name := "a\nassay: b\x1b[31m.kairos"
	if err := os.WriteFile(filepath.Join(dir, name), []byte("everyDay |> nosuch"), 0o644); err != nil {
		t.Skipf("a file cannot have such a name here: %v", err)
	}
	for _, c := range []string{"list", "next", "check", "explain", "fmt"} {
		for _, name := range []string{name, "no" + name} {
			_, out, errs := inside(t, dir, nil, "kairos", c, name)
			for line := range strings.SplitSeq(out+errs, "\n") {
				if strings.HasPrefix(line, "assay: b") || strings.HasPrefix(line, "b") || strings.Contains(line, "\x1b") {
					t.Errorf("%s: %q", c, line)
				}
			}
		}
	}
}

// TestKairosJobs: so many workers as nobody has memory for are refused, not begun.
func TestKairosJobs(t *testing.T) {
	for _, jobs := range []string{"0", "-1", "1025", "9223372036854775807", "99999999999999999999", "x", ""} {
		code, out, errs := inside(t, t.TempDir(), strings.NewReader(""), "kairos", "batch", "--jobs", jobs)
		if code != 2 || out != "" || !strings.Contains(errs, "--jobs") {
			t.Errorf("%q: exit %d, %q, %q", jobs, code, out, errs)
		}
	}
	if code, _, errs := inside(t, t.TempDir(), strings.NewReader(""), "kairos", "batch", "--jobs", "1024"); code != 0 {
		t.Errorf("exit %d, %s", code, errs)
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
