package contract

import (
	"slices"
	"testing"
)

// TestCaps: what breaks a cause, a look, the answer or the path to the recommendation earns 49 at most, and the verdict says why.
func TestCaps(t *testing.T) {
	c, x := depotContract(t)
	if got, want := c.PathFields(), []string{"outcome_date", "cost"}; !slices.Equal(got, want) {
		t.Errorf("the path has the fields %q, want %q", got, want)
	}
	w := work()
	booking, note, submit := w[0], w[2], w[3]
	for name, tc := range map[string]struct {
		steps []step
		caps  []string
		gated string
	}{
		"all of it":   {script(reads(), w), []string{}, "100"},
		"late read":   {script(reads()[1:], w[:3], reads()[:1], w[3:]), []string{"causes"}, "49"},
		"no look":     {script(reads(), []step{booking, note, submit}), []string{"readback"}, "49"},
		"both":        {script(reads()[1:], []step{booking, note, submit}), []string{"causes", "readback"}, "49"},
		"path":        {script(reads(), w[:3], []step{withArg(submit, "cost", 81)}), []string{"path"}, "49"},
		"beside path": {script(reads(), w[:3], []step{withArg(submit, "gap", 6)}), []string{}, "96.29"},
		"no answer":   {script(reads(), w[:3]), []string{"answer", "path"}, "0"}, // the decision's gate fails as well
	} {
		v := judged(t, c, x, play(tc.steps...).episode())
		if got := v.Diagnostics["caps"].([]string); !slices.Equal(got, tc.caps) || *v.GatedScore != tc.gated {
			t.Errorf("%s: caps %q, gated %s; want %q, %s", name, got, *v.GatedScore, tc.caps, tc.gated)
		}
	}
}

func withArg(s step, k string, v any) step {
	args := m{}
	for key, old := range s.args {
		args[key] = old
	}
	args[k] = v
	return step{s.tool, args}
}
