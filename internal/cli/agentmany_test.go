package cli_test

import (
	"strings"
	"testing"
)

// TestAgentsAtOnce: sealed programs at once have each their own world, network and home, and several models have each their own
// run of the program.
func TestAgentsAtOnce(t *testing.T) {
	if !canSeal(t) {
		t.Skip("no sandbox for agents on this machine")
	}
	r := newRig(t)
	r.mooring("")
	path := r.program("assert os.listdir(os.environ['HOME']) == []\nopen(os.environ['HOME'] + '/mine', 'w').write('x')\nfor c in REFERENCE:\n    call(c['tool'], c['args'])\n")
	res, got := r.runAgent(0, "--agent", "command/"+path, "--repeats", "8", "--concurrency", "4")
	if l := letters(res, "ferry-217"); l != strings.Repeat(".", 8) {
		t.Errorf("letters %q\n%s", l, got.err)
	}
	shown := r.want(0, "result", "latest", "--item", "ferry-217").out
	if n := strings.Count(shown, "13 events, ended by: answer"); n != 8 {
		t.Errorf("%d whole episodes of 8\n%s", n, shown)
	}
}
