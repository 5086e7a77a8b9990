package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/kairos/ics"
)

func newKairosList(p *Process) *cobra.Command {
	s := &schedule{}
	var file, format, title string
	c := &cobra.Command{
		Use: "list FILE", Short: "The points of a schedule within a range",
		Long: `Prints the points of each body expression of a program from --from up to, not including, --to; where the result may depend on
data beyond what a source covers; and how far the data of each source reach.

--from is today where nothing is said, in the zone of --tz; --to is a year later. No other clock is read.

--lang en, written out, leaves in annotations the Japanese words that the reference implementation prints with it.` + supplyHelp + kairosExit,
	}
	s.flags(c, true)
	c.Flags().StringVar(&file, "ics", "", "write a calendar of the points, too, into a `FILE`")
	c.Flags().StringVar(&format, "format", "text", "the `FORMAT` of standard output: text, json or ics")
	c.Flags().StringVar(&title, "title", "", "what a calendar calls its events: a `TEXT` (default: the file's name)")
	p.strictCommand(c, func(name string) error {
		s.asReference = c.Flags().Changed("lang")
		if c.Flags().Changed("title") && file == "" && format != "ics" {
			return usage("--title names the events of a calendar, and none is written; --ics FILE or --format ics writes one")
		}
		if s.json {
			if format == "ics" {
				return usage("--json and --format ics contradict each other; --ics FILE writes a calendar beside what is printed")
			}
			format = "json"
		}
		if format != "text" && format != "json" && format != "ics" {
			return usage("--format %q: it is text, json or ics", format)
		}
		o, err := p.openSchedule(s, name)
		if err != nil {
			return err
		}
		r, err := o.days(sameDay, yearLater, p)
		if err != nil {
			return err
		}
		res, err := o.prog.Eval(p.Context, r, o.opts)
		if err != nil {
			return o.failure(err)
		}
		if file != "" && (sameFile(p.path(file), p.path(name)) || s.supply != "" && sameFile(p.path(file), p.path(s.supply))) {
			return usage("--ics %s: this would be written over what is read", shown(file))
		}
		if title == "" {
			title = o.title()
		}
		cal := ics.Options{Title: title, Source: o.src, Stamp: o.zone.Start(r.From)}
		if file != "" {
			var b bytes.Buffer
			if err := ics.Write(&b, res, cal); err != nil {
				return fault(err)
			}
			if err := writeFile(p.path(file), b.Bytes()); err != nil {
				if errors.Is(err, os.ErrNotExist) {
					return usage("--ics %s: there is no folder %s", shown(file), shown(filepath.Dir(file)))
				}
				return fault(fmt.Errorf("--ics %w", err))
			}
		}
		if format == "ics" {
			return fault(ics.Write(p.Stdout, res, cal))
		}
		l := &kairosListing{o: o, command: "list", days: r, res: res}
		if err := p.writeListing(l, format == "json"); err != nil {
			return err
		}
		if format == "text" && p.Width > 0 {
			l.nothing(p.Stderr)
		}
		return nil
	})
	return c
}

func newKairosNext(p *Process) *cobra.Command {
	s := &schedule{}
	var count, horizon string
	c := &cobra.Command{
		Use: "next FILE", Short: "The next points of a schedule",
		Long: `Prints the first N points of a program with one body expression, from --from on. It looks one year ahead, then two, four and so
on, at most --horizon years. What is printed of coverage is about the days up to the last point.

--from is today where nothing is said, in the zone of --tz. No other clock is read.

--lang en, written out, leaves in annotations the Japanese words that the reference implementation prints with it.` + supplyHelp + strings.Replace(kairosExit, "\n  3", `
  2  there are fewer points within the horizon; those are printed
  3`, 1),
	}
	s.flags(c, false)
	c.Flags().StringVarP(&count, "n", "n", "1", "print `N` points (default 1)")
	c.Flags().StringVar(&horizon, "horizon", "10", "look at most `YEARS` ahead (default 10)")
	for _, name := range []string{"n", "horizon"} {
		c.Flags().Lookup(name).DefValue = "" // help would quote it
	}
	p.strictCommand(c, func(name string) error {
		s.asReference = c.Flags().Changed("lang")
		n, err := positive("-n", count)
		if err != nil {
			return err
		}
		years, err := positive("--horizon", horizon)
		if err != nil {
			return err
		}
		o, err := p.openSchedule(s, name)
		if err != nil {
			return err
		}
		r, err := o.days(sameDay, yearLater, p)
		if err != nil {
			return err
		}
		l := &kairosListing{o: o, command: "next", requested: n, horizon: years}
		if l.res, r.To, err = o.prog.Next(p.Context, r.From, n, years, o.opts); err != nil {
			return o.failure(err)
		}
		l.days = r
		if err := p.writeListing(l, s.json); err != nil {
			return err
		}
		if found := len(l.res.Listings[0].Points); found < n {
			if s.lang == "ja" {
				fmt.Fprintf(p.Stderr, "⚠ 地平線 %d 年以内の発火は %d 件（要求 %d 件）\n", years, found, n)
			} else {
				fmt.Fprintf(p.Stderr, "⚠ only %s within the %d-year horizon (requested %d)\n", points(found), years, n)
			}
			return silent(exitFewer)
		}
		return nil
	})
	return c
}

// sameFile says whether two names are of one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// exitFewer is the exit code of `next` when there are fewer points than were asked for.
const exitFewer = 2

// positive reads a number of at least 1, in digits alone.
func positive(flag, s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || strings.HasPrefix(s, "+") {
		return 0, usage("%s %q: it must be a whole number from 1 on", flag, s)
	}
	return n, nil
}

// kairosListing is what list and next print.
type kairosListing struct {
	o                  *openedSchedule
	command            string
	days               kairos.Range
	res                *kairos.Result
	requested, horizon int // of next
}

// nothing says on standard error why a listing is empty, which on a terminal looks as if the command did nothing. Elsewhere
// nothing is said, as by the reference.
func (l *kairosListing) nothing(w io.Writer) {
	for _, x := range l.res.Listings {
		if len(x.Points) > 0 {
			return
		}
	}
	say := l.o.words()
	if len(l.res.Listings) == 0 {
		fmt.Fprintf(w, say.noBody, shown(l.o.name))
		return
	}
	fmt.Fprintf(w, say.noPoints, shown(l.o.name), l.days.From, l.days.To)
}

// words are the fixed words of a listing in a language.
type words struct {
	head      func(i, n int) string
	coverage  string
	outside   string // an annotation: from, to, source, coverage, age
	anonymous string // a table without a name
	concluded string
	runway    func(days int64) string
	endless   string
	warning   string
	noBody    string // of a file
	noPoints  string // of a file, from a day to a day
}

var kairosWords = map[string]words{
	"ja": {
		head:      func(i, n int) string { return fmt.Sprintf("# 式 %d（%d 件）", i, n) },
		coverage:  "# 被覆サマリ",
		outside:   "# ⚠ 範囲外 %s..%s（%s covering %s%s）\n",
		anonymous: kairos.AnonymousTable,
		concluded: "（完結主張）",
		runway:    func(days int64) string { return fmt.Sprintf("残走路 %d 日", days) },
		endless:   "残走路 ∞",
		warning:   "警告: ",
		noBody:    "%s: 時点を返す式がありません（everyDay |> filter(d => dayNo(d) == 1) のような行を書きます）\n",
		noPoints:  "%s: %v から %v までに点はありません（assay kairos explain で各段の点の数がわかります）\n",
	},
	"en": {
		head:      func(i, n int) string { return fmt.Sprintf("# expression %d (%d point%s)", i, n, plural(int64(n))) },
		coverage:  "# coverage summary",
		outside:   "# ⚠ out of range %s..%s (%s covering %s%s)\n",
		anonymous: "list without a name",
		concluded: " (concluded)",
		runway:    func(days int64) string { return fmt.Sprintf("runway %d day%s", days, plural(days)) },
		endless:   "runway ∞",
		warning:   "warning: ",
		noBody:    "%s: no expression gives points (add a line such as everyDay |> filter(d => dayNo(d) == 1))\n",
		noPoints:  "%s: no points from %v to %v (assay kairos explain tells at which stage they went)\n",
	},
}

// counted is a number of things: 1 fault, 2 faults.
func counted[N int | int64](n N, thing string) string {
	return fmt.Sprintf("%d %s%s", n, thing, plural(int64(n)))
}

func plural(n int64) string {
	if n == 1 {
		return ""
	}
	return "s"
}
