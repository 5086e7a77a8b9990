package cli_test

import (
	"os"
	"strings"
	"testing"
)

// TestAgentTutorial runs every command of docs/agent-tasks.md, in order, in an empty folder.
func TestAgentTutorial(t *testing.T) {
	doc, err := os.ReadFile("../../docs/agent-tasks.md")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	ran, inside := 0, false
	for line := range strings.Lines(string(doc)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```sh"
		case inside:
			args, ok := strings.CutPrefix(line, "assay ")
			if !ok {
				t.Fatalf("not a command of the program: %s", line)
			}
			r.want(0, strings.Fields(args)...)
			ran++
		}
	}
	if ran < 8 {
		t.Errorf("only %d commands were found", ran)
	}
}
