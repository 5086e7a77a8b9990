package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/premise"
	"github.com/assaybench/assay/record"
)

func newPremise(p *Process) *cobra.Command {
	c := &cobra.Command{
		Use: "premise COMMAND", Short: "Look at answers to authoring problems",
		Long: "Commands for benches of the shape premise; docs/premise.md describes them." + exitHelp,
		RunE: func(c *cobra.Command, a []string) error {
			if len(a) > 0 {
				return usage("assay premise has no command %q; it has explain", a[0])
			}
			return c.Help()
		},
	}
	c.AddCommand(newPremiseExplain(p))
	return c
}

func newPremiseExplain(p *Process) *cobra.Command {
	var asJSON bool
	var ref, private string
	c := &cobra.Command{
		Use: "explain PROBLEM FILE|-", Short: "Where an answer's points differ from each accepted reading",
		Long: `Evaluates the program of one answer, the JSON that a model replies with, and holds its points against those of each
accepted reading of the problem, the nearest first: + is a point that only the answer has, - one that only the reading has.
Each comes with its weekday, whether the prelude makes it a business day, and the name of a holiday (Japan's of 2026).` + exitHelp,
		Args: args(2, 2, "PROBLEM FILE, or PROBLEM - for standard input"),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().StringVar(&ref, "bench", "premise", "the problem's bench, such as premise-en or a path")
	c.Flags().StringVar(&private, "private", "", "refused: of a private set nothing is explained")
	c.RunE = func(c *cobra.Command, a []string) error {
		if c.Flags().Changed("private") {
			return usage("--private: an explanation shows what a problem holds, and of a private set only counts and letters are ever shown")
		}
		return p.explainAnswer(ref, a[0], a[1], asJSON)
	}
	return c
}

func (p *Process) explainAnswer(ref, item, file string, asJSON bool) error {
	o, err := p.open(ref)
	if err != nil {
		return err
	}
	if err := premise.Explainable(o.bench); err != nil {
		return usage("%v", err)
	}
	if !o.bench.Has(item) {
		return usage("%s has no item %q%s", o.bench.Name(), item, bench.Nearest(item, o.bench.IDs()))
	}
	answer, err := p.readAnswer(file)
	if err != nil {
		return err
	}
	x, err := o.set.(*premise.Set).ExplainAnswer(p.Context, item, answer)
	if err != nil {
		return fault(err)
	}
	if asJSON {
		return p.writeJSON(x)
	}
	p.showExplanation(x)
	return nil
}

func (p *Process) showExplanation(x *premise.Explanation) {
	p.printf("%s  %s\n", x.Item, plain(x.Prompt))
	in := strings.Repeat(" ", len(x.Item)+2)
	if x.Gloss != "" {
		p.printf("%s%s\n", in, plain(x.Gloss))
	}
	p.printf("%s%s to %s (exclusive), %s\n\n", in, x.From, x.To, plain(x.TZ))
	p.printf("letter %s  %s\n", x.Letter, letterMeaning(x.Letter))
	if x.Invalid != "" {
		p.printf("  %s\n", plain(x.Invalid))
		return
	}
	p.printf("  declares %s; must declare %s\n", kindsOr(x.Topics), x.MustDeclare)
	if x.OverDeclared > 0 {
		p.printf("  declared too much: %d\n", x.OverDeclared)
	}
	p.printf("  %s", points(x.Points))
	if x.Reading != "" {
		p.printf(", those of %s", plain(x.Reading))
	}
	p.printf("\n")
	for i := range x.Readings {
		p.showComparison(&x.Readings[i], x.Working)
	}
}

func (p *Process) showComparison(c *premise.Comparison, working bool) {
	p.printf("\n%s  %s\n", p.paint(plain(c.Key), "1"), plain(c.Assumption))
	if c.First == nil {
		p.printf("  %s, the same\n", points(c.Points))
	} else {
		p.printf("  %s, %s; the first: %s\n", points(c.Points), counted(c.Differences, "difference"), c.First.Words(plain(c.Key)))
	}
	width := 0
	for _, d := range c.Calendar {
		width = max(width, len(d.Point))
	}
	for i := 0; i < len(c.Calendar); i++ {
		if same := sameFrom(c.Calendar, i); same > 2*calendarAround+1 && c.First != nil {
			// A long stretch in which nothing differs is cut in its middle.
			for _, d := range c.Calendar[i : i+calendarAround] {
				p.showDay(&d, width, working)
			}
			p.printf("    ... %d the same\n", same-2*calendarAround)
			i += same - calendarAround - 1
			for _, d := range c.Calendar[i+1 : i+1+calendarAround] {
				p.showDay(&d, width, working)
			}
			i += calendarAround
			continue
		}
		p.showDay(&c.Calendar[i], width, working)
	}
	if c.LeftOut > 0 {
		p.printf("    ... %d more\n", c.LeftOut)
	}
}

// calendarAround is how many points at either end of a stretch without differences are shown.
const calendarAround = 2

// sameFrom is how many points from i on are in both.
func sameFrom(days []premise.CalendarDay, i int) int {
	n := 0
	for i+n < len(days) && days[i+n].Sign == " " {
		n++
	}
	return n
}

func (p *Process) showDay(d *premise.CalendarDay, width int, working bool) {
	line := fmt.Sprintf("%s %-*s  %s", d.Sign, width, d.Point, d.Weekday)
	name := ""
	if d.Holiday != nil {
		name = "  " + d.Holiday.English + " " + d.Holiday.Japanese
	}
	if working {
		line += "  " + fmt.Sprintf("%-12s", map[bool]string{true: "business day", false: "day off"}[d.Working])
	}
	line = strings.TrimRight(line+name, " ")
	switch d.Sign {
	case "+":
		line = p.paint(line, "32")
	case "-":
		line = p.paint(line, "31")
	}
	p.printf("  %s\n", line)
}

// paint colours a text on terminals.
func (p *Process) paint(s, sgr string) string {
	if p.Width == 0 || p.Getenv("NO_COLOR") != "" {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

func points(n int) string {
	return counted(n, "point")
}

// kindsOr lists kinds, or says that there are none.
func kindsOr(kinds []string) string {
	if len(kinds) == 0 {
		return "nothing"
	}
	return strings.Join(kinds, ", ")
}

// letterMeaning says what a letter of an authoring problem means.
func letterMeaning(l record.Letter) string {
	if l == record.LetterPass {
		return "passed: declared, with the points of an accepted reading"
	}
	return premise.MeaningOf(l)
}

// showPremise says what a verdict on an authoring problem has beside that on any item.
func (p *Process) showPremise(v record.Verdict) {
	if v.Premise == nil {
		return
	}
	if m := letterMeaning(v.Letter); m != "" {
		p.para("  ", fmt.Sprintf("letter %s: %s", v.Letter, m))
	}
	reading, declared := "none", "no"
	if v.Premise.Reading != nil {
		reading = plain(*v.Premise.Reading)
	}
	if v.Premise.Declared {
		declared = "yes"
	}
	if v.Letter != record.LetterInvalid {
		p.printf("  reading %s; declared %s; declared too much %d\n", reading, declared, v.Premise.OverDeclared)
	}
	if n := v.Premise.Repairs; n > 0 {
		p.printf("  repairs %d; letter by letter: %s\n", n, strings.Join(v.Premise.Tries, " "))
	}
}
