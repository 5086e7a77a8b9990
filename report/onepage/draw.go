package onepage

import (
	"fmt"
	"html/template"

	"github.com/assaybench/assay/report"
)

// share writes an interval in percent.
func share(i [2]float64) string { return fmt.Sprintf("%.1f to %.1f %%", 100*i[0], 100*i[1]) }

// bar draws a score: a line from 0 to 1, its interval as a band, and what passed of what was judged as a stroke.
func bar(s report.Score) template.HTML {
	lo, hi := s.Interval[0], s.Interval[1]
	at := ""
	if s.Judged > 0 {
		at = fmt.Sprintf(`<rect class="at" x="%.1f" y="1" width="2" height="14"/>`, 200*float64(s.Passed)/float64(s.Judged)-1)
	}
	return template.HTML(fmt.Sprintf(`<svg class="bar" viewBox="-2 0 204 16" aria-hidden="true" focusable="false"><rect class="axis" x="0" y="7" width="200" height="2"/><rect class="range" x="%.1f" y="3" width="%.1f" height="10"/>%s</svg>`, 200*lo, 200*(hi-lo), at))
}
