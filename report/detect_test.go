package report_test

import (
	"testing"

	"github.com/assaybench/assay/report"
)

func TestDetectWords(t *testing.T) {
	for _, c := range []struct {
		items             [2]int
		repeats, settings int
		want              string
	}{
		{[2]int{20, 0}, 2, 1, "with 20 items and 2 repeats, differences under 30 points cannot be told apart, and of unlike models it usually takes 50"},
		{[2]int{7, 0}, 1, 2, "with 7 items, differences under 85.7 points cannot be told apart, and of unlike models it usually takes 100"},
		{[2]int{1, 5}, 3, 0, "with 1 exact item and 3 repeats, no difference can be told apart; with 5 proxy items and 3 repeats, no difference can be told apart"},
		{[2]int{20, 0}, 1, 3, "with 20 items in 3 comparisons, differences under 35 points cannot be told apart, and of unlike models it usually takes 60"},
		{[2]int{0, 0}, 1, 1, ""},
	} {
		list, err := report.Detect(c.items, c.repeats, c.settings)
		if got := report.DetectWords(list); err != nil || got != c.want {
			t.Errorf("%v, %d repeats, %d settings: %q, %v\nwant %q", c.items, c.repeats, c.settings, got, err, c.want)
		}
	}
	if list, err := report.Detect([2]int{-1, 0}, 1, 1); err == nil {
		t.Errorf("a negative number of items gives %v", list)
	}
}
