package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/kairos/ics"
)

// externalWord is a key of a file of data.
var externalWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z][A-Za-z0-9]*)?$`)

func newKairosSupply(p *Process) *cobra.Command {
	var covering, asof string
	c := &cobra.Command{
		Use: "supply PREMISE.WORD FILE.ics", Short: "Holidays of a calendar as data for --supply",
		Long: `Reads the whole-day events of a calendar (.ics) and prints their days as the JSON that --supply reads, for the external word
that is named. Days outside of --covering are left out, and counted on standard error.

How far the list is complete, and as of which day, no calendar says: both are yours to say.

Exit status:
  0  good
  2  the command line or the calendar is wrong`,
		Args: args(2, 2, "PREMISE.WORD FILE.ics, or - for standard input"),
	}
	c.Flags().StringVar(&covering, "covering", "", "the `RANGE` for which the list is complete: 2026..2026, or two days")
	c.Flags().StringVar(&asof, "asof", "", "the `DAY` as of which the list is known")
	c.RunE = func(_ *cobra.Command, a []string) error {
		if !externalWord.MatchString(a[0]) {
			return usage("%q is no word that a program declares as external: PREMISE.word, or word for that of any premise", a[0])
		}
		first, last, err := coveringDays(covering)
		if err != nil {
			return err
		}
		if _, ok := kairos.ParseDate(asof); !ok {
			return usage("--asof %q: the day as of which the list is known is wanted, such as --asof 2026-01-05", asof)
		}
		data, err := p.readCalendar(a[1])
		if err != nil {
			return err
		}
		days, outside, err := ics.Days(data, first, last)
		if err != nil {
			return usage("%s: %v", a[1], err)
		}
		entry := struct {
			Dates    []string `json:"dates"`
			Covering string   `json:"covering"`
			AsOf     string   `json:"asof"`
		}{[]string{}, covering, asof}
		for _, d := range days {
			entry.Dates = append(entry.Dates, d.String())
		}
		if outside > 0 {
			p.notef("%s outside of %s left out", counted(outside, "day"), covering)
		}
		if len(days) == 0 {
			p.notef("warning: the calendar has no day within %s", covering)
		}
		return p.writeJSON(map[string]any{a[0]: entry})
	}
	return c
}

// readCalendar reads a calendar's file, or standard input for "-".
func (p *Process) readCalendar(name string) ([]byte, error) {
	if name != "-" {
		return p.readInput(name, supplyMost)
	}
	data, err := p.readUnlessStopped(p.Stdin)
	if err != nil {
		return nil, fault(fmt.Errorf("standard input: %w", err))
	}
	return data, nil
}

// coveringDays reads a range of two years or two days.
func coveringDays(s string) (first, last kairos.Date, err error) {
	from, to, ok := strings.Cut(s, "..")
	if len(from) == len("2026") {
		from += "-01-01"
	}
	if len(to) == len("2026") {
		to += "-12-31"
	}
	first, good := kairos.ParseDate(from)
	last, good2 := kairos.ParseDate(to)
	if !ok || !good || !good2 || last.String() < first.String() {
		return first, last, usage("--covering %q: the range for which the list is complete is wanted, such as --covering 2026..2026 or 2026-01-01..2026-06-30", s)
	}
	return first, last, nil
}
