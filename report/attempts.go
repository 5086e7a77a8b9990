package report

import (
	"fmt"
	"strconv"

	"github.com/assaybench/assay/record"
)

// attemptSection shows how attempts ended, what repeats say and what it all cost, one column for each setting.
func (r *Result) attemptSection() section {
	g := &grid{head: r.heads("count", "attempts"), fixed: 1}
	row := func(label string, cell func(*Setting) string) {
		cells := []string{label}
		for i := range r.Attempts.Settings {
			cells = append(cells, cell(&r.Attempts.Settings[i]))
		}
		g.rows = append(g.rows, cells)
	}
	count := func(label string, n func(*Setting) int) {
		row(label, func(s *Setting) string { return thousands(int64(n(s))) })
	}
	count("planned", func(s *Setting) int { return s.Planned })
	count("answered", func(s *Setting) int { return s.Answered })
	if r.Premise == nil { // such replies are read strictly or not at all, which is a letter of its own
		count("answered: unread", func(s *Setting) int { return s.Unread })
	}
	count("answered: not graded", func(s *Setting) int { return s.Ungradable })
	count("truncated", func(s *Setting) int { return s.Truncated })
	count("refused", func(s *Setting) int { return s.Refused })
	count("timed out", func(s *Setting) int { return s.Timeout })
	count("undelivered", func(s *Setting) int { return s.Undelivered })
	count("error", func(s *Setting) int { return s.Error })
	count("missing", func(s *Setting) int { return s.Missing })
	count("took more than one call", func(s *Setting) int { return s.Retried })
	for i, basis := range bases {
		if r.items[i] > 0 && r.repeats > 1 {
			r.repeatRows(basis, row)
		}
	}
	row("prompt tokens", func(s *Setting) string { return s.Prompt.String() })
	some := func(label string, has func(*Setting) bool, cell func(*Setting) string) { // only where there is something to say
		for i := range r.Attempts.Settings {
			if has(&r.Attempts.Settings[i]) {
				row(label, cell)
				return
			}
		}
	}
	some("of these from a cache", func(s *Setting) bool { return s.Cached.Reported > 0 }, func(s *Setting) string { return s.Cached.String() })
	row("output tokens", func(s *Setting) string { return s.Output.String() })
	row("thinking tokens", func(s *Setting) string { return s.Thinking.String() })
	some("cost", func(s *Setting) bool { return !s.Control && s.Prompt.Reported > 0 }, func(s *Setting) string {
		if s.Control {
			return "-"
		}
		return s.Cost.words()
	})
	row("tokens/s of whole calls", func(s *Setting) string { return measure(s.TokensPerSecond, "%.1f", 0) })
	some("tokens/s of generation", func(s *Setting) bool { return s.Generation.Of > 0 }, func(s *Setting) string { return s.Generation.words("%.1f") })
	row("latency, median", func(s *Setting) string { return measure(s.Latency.Median, "%.3f s", s.Latency.Of) })
	row("latency, 95th percentile", func(s *Setting) string { return measure(s.Latency.P95, "%.3f s", s.Latency.Of) })
	for _, t := range []struct {
		label string
		of    func(*Times) *Measure
	}{
		{"queue, median", func(t *Times) *Measure { return &t.Queue }},
		{"prompt, median", func(t *Times) *Measure { return &t.Prompt }},
		{"generation, median", func(t *Times) *Measure { return &t.Generation }},
		{"load, median (in no latency)", func(t *Times) *Measure { return &t.Load }},
	} {
		some(t.label, func(s *Setting) bool { return t.of(&s.Times).Of > 0 }, func(s *Setting) string { return t.of(&s.Times).words("%.3f s") })
	}
	for _, s := range r.Attempts.Settings {
		if s.Impossible > 0 {
			count("impossible counts left out", func(s *Setting) int { return s.Impossible })
			break
		}
	}
	sec := section{title: "Attempts, repeats and cost", grid: g}
	if l := accountWords(r.Accounts); l != "" {
		sec.lines = append(sec.lines, l)
	}
	return sec
}

func (m *Measure) words(format string) string { return measure(m.Median, format, m.Of) }

// repeatRows says how far the repeats of the items of one basis agree.
func (r *Result) repeatRows(basis record.Basis, row func(string, func(*Setting) string)) {
	of := func(s *Setting) *Figure {
		for i := range r.Figures {
			if f := &r.Figures[i]; f.Model == s.Model && f.Posture == s.Posture && f.Basis == basis {
				return f
			}
		}
		return &Figure{} // every setting has every item: not reached
	}
	row("repeats disagree, "+string(basis), func(s *Setting) string { return share(of(s).Unstable, of(s).Judged) })
	row("identical answers, "+string(basis), func(s *Setting) string { return share(of(s).Identical.Same, of(s).Identical.Of) })
	row("pass^1, "+string(basis), func(s *Setting) string {
		if p := of(s).PassK; len(p) > 0 {
			return fmt.Sprintf("%.1f %%", 100*p[0])
		}
		return "-"
	})
}

func share(k, n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d items", k, n)
}

func (t Tokens) String() string {
	if t.Reported == 0 {
		return "not reported"
	}
	return fmt.Sprintf("%s (%s attempts)", thousands(t.Sum), thousands(int64(t.Reported)))
}

func measure(v *float64, format string, of int) string {
	if v == nil {
		return "-"
	}
	s := fmt.Sprintf(format, *v)
	if of > 0 {
		s += fmt.Sprintf(" (%s attempts)", thousands(int64(of)))
	}
	return s
}

// thousands writes a number that is not negative with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
