package report

import "testing"

func TestAsked(t *testing.T) {
	for _, c := range []struct {
		items            [2]int
		repeats, planned int
		want             string
	}{
		{[2]int{1, 0}, 1, 1, "1 exact item; single run; 1 attempt planned"},
		{[2]int{1, 1}, 1, 2, "1 exact, 1 proxy items; single run; 2 attempts planned"},
		{[2]int{13, 7}, 2, 40, "13 exact, 7 proxy items; 2 repeats; 40 attempts planned"},
	} {
		r := &Result{items: c.items, repeats: c.repeats}
		r.Attempts.Planned = c.planned
		if got := r.asked(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
