package cli_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
)

var helpCommands = regexp.MustCompile(`(?m)^Available Commands:\n((?:  .*\n)+)`)

// TestHelp holds the help of every command to 80 columns, with the exit codes apart from what stands above them.
func TestHelp(t *testing.T) {
	seen := 0
	var walk func(command []string)
	walk = func(command []string) {
		seen++
		name := "assay " + strings.Join(command, " ")
		code, out, errs := inside(t, t.TempDir(), strings.NewReader(""), append(slices.Clone(command), "--help")...)
		if code != 0 || errs != "" {
			t.Errorf("%s: exit %d, %s", name, code, errs)
		}
		lines := strings.Split(out, "\n")
		for i, line := range lines {
			if n := text.StringWidth(line); n > 80 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
			if strings.HasPrefix(line, "Exit status") && (i == 0 || lines[i-1] != "") {
				t.Errorf("%s: no empty line before its exit status", name)
			}
			if line != strings.TrimRight(line, " ") && !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: spaces at the end of %q", name, line)
			}
		}
		if m := helpCommands.FindStringSubmatch(out); m != nil {
			for line := range strings.SplitSeq(strings.TrimSuffix(m[1], "\n"), "\n") {
				walk(append(slices.Clone(command), strings.Fields(line)[0]))
			}
		}
	}
	walk(nil)
	if seen < 25 {
		t.Errorf("only %d commands", seen)
	}
}
