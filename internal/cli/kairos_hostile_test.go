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

// TestKairosOtherNames: nor can the names of data and calendars.
func TestKairosOtherNames(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "day.kairos"), []byte("everyDay"), 0o644); err != nil {
		t.Fatal(err)
	}
	const name = "a\nassay: b\x1b[31m"
	oneLine(t, dir, 1, "no such file or directory", "list", "--supply", name, "day.kairos")
	for want, data := range map[string]string{"not JSON": "{", "larger than": strings.Repeat(" ", 64<<20+1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Skipf("a file cannot have such a name here: %v", err)
		}
		oneLine(t, dir, 1, want, "list", "--supply", name, "day.kairos")
	}
	oneLine(t, dir, 1, "there is no folder", "list", "--ics", filepath.Join("no"+name, "x"), "day.kairos")
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
		t.Fatal(err)
	}
	oneLine(t, dir, 3, "not a plain file", "list", "--ics", name, "day.kairos")
}

// oneLine runs a command that fails and wants one line about it, without what moves a cursor.
func oneLine(t *testing.T, dir string, code int, want string, args ...string) {
	t.Helper()
	got, out, errs := inside(t, dir, nil, append([]string{"kairos"}, args...)...)
	if got != code || out != "" || strings.Count(errs, "\n") != 1 || strings.Contains(errs, "\x1b") || !strings.Contains(errs, want) {
		t.Errorf("%q: exit %d, %q, %q", args, got, out, errs)
	}
}

// TestKairosLinks: a link that leads nowhere is not replaced by a file, and no error tells of a file that nobody named.
func TestKairosLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "day.kairos"), []byte("everyDay"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"dangling": "nothing", "a": "b", "b": "a"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	for name, want := range map[string]string{"dangling": "a link to a file that does not exist", "a": "too many levels"} {
		oneLine(t, dir, 3, want, "list", "--ics", name, "day.kairos")
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any longer: %v", name, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "nothing")); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
}

// TestKairosEncoding: what is said about a text that is not plain UTF-8 helps.
func TestKairosEncoding(t *testing.T) {
	dir := t.TempDir()
	for src, want := range map[string]string{
		"\xef\xbb\xbfeveryDay":             "1:1: the character \"\\uFEFF\" (U+FEFF) cannot stand here (save the text without a byte order mark)",
		"\xff\xfee\x00":                    "1:1: the character \"\\xff\" (not UTF-8) cannot stand here (save the text as UTF-8)",
		"everyDay # caf\xe9":               "1:15: the character \"\\xe9\" (not UTF-8) cannot stand here (save the text as UTF-8)",
		"everyDay |> rebase(to: \"\xe9\")": "1:25: the character \"\\xe9\" (not UTF-8) cannot stand here (save the text as UTF-8)",
	} {
		if err := os.WriteFile(filepath.Join(dir, "a"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		oneLine(t, dir, 1, want, "list", "a")
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
