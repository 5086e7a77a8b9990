package compare

import (
	"fmt"
	"io"
	"math/big"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// changesShown is how many items of a kind a printed page lists; the JSON has all of them.
const changesShown = 50

// JSON writes the comparison as one value and a line feed.
func (c *Comparison) JSON(w io.Writer) error {
	b, err := json.Marshal(c, json.Deterministic(true), json.FormatNilSliceAsNull(false), jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	if err != nil {
		return fmt.Errorf("the comparison does not fit JSON: %w", err)
	}
	_, err = w.Write(append(report.EscapeHidden(b), '\n'))
	return err
}

// row is a label with a cell for each side.
type row struct{ label, base, other string }

// rows are the figures of one basis, side by side: every denominator, and the score over all and over what was answered.
func (p *Pair) rows(basis record.Basis) []row {
	find := func(s *Side) *report.Figure {
		for i := range s.Figures {
			if s.Figures[i].Basis == basis {
				return &s.Figures[i]
			}
		}
		return new(report.Figure)
	}
	a, b := find(&p.Base), find(&p.Other)
	var out []row
	add := func(label string, cell func(*report.Figure) string) { out = append(out, row{label, cell(a), cell(b)}) }
	add("passed, of all items", func(f *report.Figure) string { return share(f.Passed, f.Items) })
	add("passed, of answered items", func(f *report.Figure) string { return share(f.Answered.Passed, f.Answered.Items) })
	for _, n := range []struct {
		label string
		of    func(*report.Counts) int
	}{
		{"attempts planned", func(c *report.Counts) int { return c.Planned }},
		{"answered", func(c *report.Counts) int { return c.Answered }},
		{"answered: unread", func(c *report.Counts) int { return c.Unread }},
		{"answered: not graded", func(c *report.Counts) int { return c.Ungradable }},
		{"truncated", func(c *report.Counts) int { return c.Truncated }},
		{"refused", func(c *report.Counts) int { return c.Refused }},
		{"timed out", func(c *report.Counts) int { return c.Timeout }},
		{"undelivered", func(c *report.Counts) int { return c.Undelivered }},
		{"error", func(c *report.Counts) int { return c.Error }},
		{"missing", func(c *report.Counts) int { return c.Missing }},
	} {
		add(n.label, func(f *report.Figure) string { return fmt.Sprint(n.of(&f.Attempts)) })
	}
	return out
}

func share(k, n int) string {
	if n == 0 {
		return "0 of 0"
	}
	return fmt.Sprintf("%d of %d (%s %%)", k, n, big.NewRat(int64(100*k), int64(n)).FloatString(1))
}

// counted says how the paired items fell.
func (b *Basis) counted() string {
	s := fmt.Sprintf("%s: %s paired: %d regressed, %d improved, %d unchanged (%d passed, %d not)", b.Basis, items(b.Paired), b.Regressions, b.Improvements, b.Both+b.Neither, b.Both, b.Neither)
	if b.Open > 0 {
		s += fmt.Sprintf("; %d open, which are not counted", b.Open)
	}
	return s
}

func items(n int) string {
	if n == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", n)
}

// told says what follows from them.
func (b *Basis) told() string {
	if b.Outcome == Nothing {
		return "no item has a result on both sides; nothing can be told"
	}
	s := "difference " + points(b.difference) + " points"
	if b.low != nil {
		s += fmt.Sprintf(" (95 %% bootstrap over %d %s: %s to %s)", b.Draws, b.Drawn, points(b.low), points(b.high))
	}
	s += fmt.Sprintf("; exact paired test p = %s, mid-p %s", probability(b.exact.P), probability(b.exact.MidP))
	if b.Comparisons > 1 {
		s += fmt.Sprintf(", adjusted for %d comparisons %s", b.Comparisons, probability(b.adjusts))
	}
	switch b.Outcome {
	case Better:
		return s + ": better than the baseline"
	case Worse:
		return s + ": worse than the baseline"
	}
	return s + ": the two cannot be told apart"
}

func points(r *big.Rat) string {
	s := new(big.Rat).Mul(r, big.NewRat(100, 1)).FloatString(1)
	if r.Sign() > 0 {
		return "+" + s
	}
	if strings.Trim(s, "-0.") == "" {
		return "0.0"
	}
	return s
}

func probability(p *big.Rat) string {
	if p.Cmp(big.NewRat(1, 10000)) < 0 {
		return "below 0.0001"
	}
	return p.FloatString(4)
}

// lists are the changed items, regressions first.
func (p *Pair) lists() []struct {
	title string
	list  []Change
} {
	return []struct {
		title string
		list  []Change
	}{{"Regressions", p.Regressions}, {"Improvements", p.Improvements}, {"Open", p.Open}}
}

func (s *Side) name() string {
	return report.Printable(fmt.Sprintf("%s at %s, run %s", s.Model, s.Posture, s.Run))
}

// manyNote is said where more than one pair is compared.
func (c *Comparison) manyNote() string {
	if len(c.Pairs) < 2 {
		return ""
	}
	return fmt.Sprintf("%d comparisons: probabilities are adjusted by Holm's method, exact and proxy each for itself, or one of many would look different by chance", len(c.Pairs))
}

// columnsDefault is the width of a page that nobody gave.
const columnsDefault = 80

// fold writes a sentence within so many columns, with a mark before its first line and room below it.
func fold(b *strings.Builder, columns int, mark, s string) {
	line := mark
	for i, word := range strings.Fields(s) {
		switch {
		case i == 0:
			line += word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns:
			fmt.Fprintln(b, line)
			line = strings.Repeat(" ", len(mark)) + word
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(b, line)
}

// Text writes the comparison for a terminal or a pipe of so many columns; 0 is the usual number.
func (c *Comparison) Text(w io.Writer, columns int) error {
	if columns == 0 {
		columns = columnsDefault
	}
	columns = max(columns, 60)
	var b strings.Builder
	fmt.Fprintf(&b, "bench   %s\ndigest  %s\ngrader  %s\nrepeats %d; an item passes only if every repeat passes\n", report.Printable(c.Bench), report.Printable(c.Digest), report.Printable(c.Grader), c.Repeats)
	if n := c.manyNote(); n != "" {
		fold(&b, columns, "note    ", n)
	}
	for i := range c.Pairs {
		p := &c.Pairs[i]
		fmt.Fprintf(&b, "\nbaseline  %s\ncompared  %s\n", p.Base.name(), p.Other.name())
		for _, d := range p.Differs {
			fmt.Fprintf(&b, "differs   %s\n", report.Printable(d))
		}
		for _, s := range []*Side{&p.Base, &p.Other} {
			if s.Part != "" {
				fmt.Fprintf(&b, "warning   run %s is no whole run: %s\n", report.Printable(s.Run), s.Part)
			}
		}
		for j := range p.Bases {
			b.WriteByte('\n')
			fold(&b, columns, "", p.Bases[j].counted())
			fold(&b, columns, "  ", p.Bases[j].told())
		}
		for _, l := range p.lists() {
			if len(l.list) == 0 {
				continue
			}
			fmt.Fprintf(&b, "\n%s (%d)\n", l.title, len(l.list))
			t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
			for _, ch := range l.list[:min(len(l.list), changesShown)] {
				fmt.Fprintf(t, "  %s\t%s\t%s\t%s -> %s\n", report.Printable(ch.Item), report.Printable(ch.Family), ch.Basis, ch.Base.String(), ch.Other.String())
			}
			t.Flush()
			if n := len(l.list) - changesShown; n > 0 {
				fmt.Fprintf(&b, "  … and %d more; --json has all of them\n", n)
			}
		}
		for _, basis := range p.Bases {
			rows := p.rows(basis.Basis)
			width := [2]int{}
			for _, r := range append(rows, row{string(basis.Basis), "baseline", "compared"}) {
				width[0], width[1] = max(width[0], utf8.RuneCountInString(r.label)), max(width[1], utf8.RuneCountInString(r.base))
			}
			fmt.Fprintf(&b, "\n%-*s  %-*s  %s\n", width[0], basis.Basis, width[1], "baseline", "compared")
			for _, r := range rows {
				fmt.Fprintf(&b, "%-*s  %-*s  %s\n", width[0], r.label, width[1], r.base, r.other)
			}
		}
	}
	for i, n := range c.Notes {
		if i == 0 {
			b.WriteString("\nNotes\n")
		}
		fold(&b, columns, "- ", report.Printable(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown writes the comparison as GitHub-flavoured Markdown. Names cannot become markup.
func (c *Comparison) Markdown(w io.Writer) error {
	var b strings.Builder
	md := report.Markup
	fmt.Fprintf(&b, "# Comparison on %s\n\n- digest: %s\n- grader: %s\n- repeats: %d\n", md(c.Bench), md(c.Digest), md(c.Grader), c.Repeats)
	if n := c.manyNote(); n != "" {
		fmt.Fprintf(&b, "- %s\n", n)
	}
	for i := range c.Pairs {
		p := &c.Pairs[i]
		fmt.Fprintf(&b, "\n## %s against %s\n\n", md(p.Other.name()), md(p.Base.name()))
		for _, d := range p.Differs {
			fmt.Fprintf(&b, "- differs in %s\n", md(d))
		}
		for _, s := range []*Side{&p.Base, &p.Other} {
			if s.Part != "" {
				fmt.Fprintf(&b, "- warning: run %s is no whole run: %s\n", md(s.Run), md(s.Part))
			}
		}
		for j := range p.Bases {
			fmt.Fprintf(&b, "- %s. ", p.Bases[j].counted())
			told := p.Bases[j].told()
			fmt.Fprintf(&b, "%s%s.\n", strings.ToUpper(told[:1]), told[1:])
		}
		for _, l := range p.lists() {
			if len(l.list) == 0 {
				continue
			}
			fmt.Fprintf(&b, "\n### %s (%d)\n\n| item | family | basis | baseline | compared |\n|---|---|---|---|---|\n", l.title, len(l.list))
			for _, ch := range l.list[:min(len(l.list), changesShown)] {
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", md(ch.Item), md(ch.Family), ch.Basis, md(ch.Base.String()), md(ch.Other.String()))
			}
			if n := len(l.list) - changesShown; n > 0 {
				fmt.Fprintf(&b, "\nand %d more\n", n)
			}
		}
		for _, basis := range p.Bases {
			fmt.Fprintf(&b, "\n| %s | baseline | compared |\n|---|---|---|\n", basis.Basis)
			for _, r := range p.rows(basis.Basis) {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", r.label, r.base, r.other)
			}
		}
	}
	for i, n := range c.Notes {
		if i == 0 {
			b.WriteString("\n### Notes\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", md(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
