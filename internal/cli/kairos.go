package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/kairos/supply"
)

const kairosLong = `Evaluates programs of Kairos, a language for schedules: "the 25th of each month, or the business day before it".
FILE is a program, or - for standard input.

assay kairos FILE … means assay kairos list FILE …, and --version as the only argument prints the version of the language.`

const kairosUsage = `Usage:
  assay kairos list [--from YYYY-MM-DD] [--to YYYY-MM-DD] [--tz ZONE]
                    [--supply FILE] [--json] [--lang en|ja] FILE
  assay kairos next [-n N] [--from YYYY-MM-DD] [--horizon YEARS] [--tz ZONE]
                    [--supply FILE] [--json] [--lang en|ja] FILE
  assay kairos batch | check FILE | fmt FILE... | explain FILE
See assay kairos --help.
`

const supplyHelp = `

--supply names a JSON file with the data of external declarations, where "dates" may be "instants", in milliseconds since 1970:
  {"Premise.word": {"dates": ["2026-01-01"], "covering": "2026..2026",
   "asof": "2026-01-15", "labels": ["…"]}}`

const kairosExit = `

Exit status:
  0  good
  1  the program, its data or the command line is wrong; standard output is empty
  3  a fault of the environment or of ours, or an interrupt`

func newKairos(p *Process) *cobra.Command {
	list := newKairosList(p)
	c := &cobra.Command{
		Use: "kairos FILE", Short: "Schedules in the language Kairos: list, next, check, explain", Long: kairosLong,
		DisableFlagParsing: true, Args: cobra.ArbitraryArgs,
	}
	c.AddCommand(list, newKairosNext(p), newKairosBatch(p), newKairosCheck(p), newKairosExplain(p), newKairosFmt(p), newKairosSupply(p))
	c.RunE = func(_ *cobra.Command, a []string) error {
		switch {
		case len(a) == 0:
		case a[0] == "--version" || a[0] == "-v":
			p.printf("%s\n", kairos.LanguageVersion)
			return nil
		case a[0] == "--help" || a[0] == "-h":
			return c.Help()
		case !strings.HasPrefix(a[0], "-"):
			if len(a) > 1 && !strings.ContainsAny(a[0], "./") && !strings.HasPrefix(a[1], "-") { // a command, and its file
				if _, err := os.Stat(p.path(a[0])); errors.Is(err, os.ErrNotExist) {
					return failed(fmt.Errorf("assay kairos has no command %q%s", a[0], bench.Nearest(a[0], commands(c))))
				}
			}
			err := list.RunE(list, a)
			if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(a[0], "./") { // a word that was to be a command
				return failed(fmt.Errorf("%w%s", err, bench.Nearest(a[0], commands(c))))
			}
			return err
		}
		fmt.Fprint(p.Stderr, kairosUsage)
		return silent(exitFail)
	}
	return c
}

// schedule is what the commands about one program have in common: where the program and its data are, and the range.
type schedule struct {
	from, to, tz, supply, lang string
	json                       bool
	asReference                bool // --lang en was written out: annotations are printed as the reference prints them
}

func (s *schedule) flags(c *cobra.Command, ranged bool) {
	f := c.Flags()
	f.StringVar(&s.from, "from", "", "the first `DAY`, YYYY-MM-DD (default: see above)")
	if ranged {
		f.StringVar(&s.to, "to", "", "the `DAY` after the last (default: see above)")
	}
	f.StringVar(&s.tz, "tz", "", "the `ZONE` of the range and of what is printed, such as Europe/Paris or +02:00 (default Asia/Tokyo)")
	f.StringVar(&s.supply, "supply", "", "the data of external declarations, a `FILE` of JSON (see above)")
	f.StringVar(&s.lang, "lang", "en", "the `LANGUAGE` of messages, en or ja")
	f.BoolVar(&s.json, "json", false, "print JSON")
}

// words are the fixed words of what is printed.
func (s *schedule) words() *words {
	w := kairosWords[s.lang]
	if s.asReference && s.lang == "en" {
		ja := kairosWords["ja"]
		w.outside, w.anonymous, w.concluded = ja.outside, ja.anonymous, "(concluded)"
	}
	return &w
}

// openedSchedule is a program ready for evaluation.
type openedSchedule struct {
	*schedule
	name string // of the file, as a person wrote it
	src  string
	prog *kairos.Program
	opts kairos.Options
	zone kairos.Zone
}

func checkLang(lang string) error {
	if lang != "en" && lang != "ja" {
		return usage("--lang %q: it is en or ja", lang)
	}
	return nil
}

// openSchedule reads what a command line names: data, zone and program.
func (p *Process) openSchedule(s *schedule, name string) (*openedSchedule, error) {
	if err := checkLang(s.lang); err != nil {
		return nil, err
	}
	o := &openedSchedule{schedule: s, name: name, opts: kairos.Options{TZ: s.tz}}
	var err error
	if o.src, err = p.readProgram(name); err != nil {
		return nil, err
	}
	if s.supply != "" {
		data, err := p.readInput(s.supply, supplyMost)
		if err != nil {
			return nil, err
		}
		if o.opts.Supply, err = supply.Parse(data, shown(s.supply)); err != nil {
			return nil, usage("--supply %v", err)
		}
	}
	if o.zone, err = kairos.LoadZone(s.tz); err != nil {
		return nil, o.failure(err)
	}
	if o.prog, err = kairos.Compile(o.src); err != nil {
		return nil, o.failure(err)
	}
	return o, nil
}

// supplyMost bounds a file of data.
const supplyMost = 64 << 20

// readProgram reads a program's text from a file, or from standard input for "-".
func (p *Process) readProgram(name string) (string, error) {
	r, title := p.Stdin, "standard input"
	if name != "-" {
		f, err := p.openUnlessStopped(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		r, title = f, shown(name)
	}
	b, err := p.readUnlessStopped(io.LimitReader(r, kairos.MaxSource+1))
	switch {
	case err == errInterrupted:
		return "", fault(err)
	case err != nil:
		return "", usage("%s: %v", title, reasonOf(err))
	case len(b) > kairos.MaxSource:
		return "", usage("%s: larger than %d bytes (1 MiB), which no program may be; divide it", title, kairos.MaxSource)
	}
	return string(b), nil
}

// namedError says what was the matter with a file, under the name that a person gave to it.
type namedError struct {
	name string
	err  error
}

func (e *namedError) Error() string { return fmt.Sprintf("%s: %v", e.name, reasonOf(e.err)) }
func (e *namedError) Unwrap() error { return e.err }

// programError is an error of a program, told with the file's name and in the language asked for.
type programError struct {
	name, src, lang string
	err             *kairos.Error
}

func (e *programError) Error() string { return diagnostic(e.name, e.err, e.lang) }
func (e *programError) Unwrap() error { return e.err }

func (o *openedSchedule) failure(err error) error {
	e, ok := errors.AsType[*kairos.Error](err)
	if !ok {
		return fault(err)
	}
	if e.Code == "limit.cancelled" { // a command has no other limit of time than whoever waits for it
		return fault(errInterrupted)
	}
	if e.Code == "supply.no-resolver" {
		told := *e
		told.Hint = e.Hint + "; --supply FILE does so"
		told.Japanese = e.Japanese + "。データは --supply FILE で渡します"
		e = &told
	}
	return failed(&programError{o.name, o.src, o.lang, e})
}

// failed is an error that ends with 1.
func failed(err error) error { return &coded{code: exitFail, err: err} }

// diagnostic prints an error as FILE:LINE:COLUMN: MESSAGE [CODE].
func diagnostic(name string, e *kairos.Error, lang string) string {
	name = shown(name)
	if e.Line > 0 {
		name = fmt.Sprintf("%s:%d:%d", name, e.Line, e.Column)
	}
	text := message(e, lang)
	if lang == "en" && e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return fmt.Sprintf("%s: %s [%s]", name, text, e.Code)
}

func message(e *kairos.Error, lang string) string {
	if lang == "ja" && e.Japanese != "" {
		return e.Japanese
	}
	return e.Message
}

func warning(w kairos.Warning, lang string) string {
	if lang == "ja" && w.Japanese != "" {
		return w.Japanese
	}
	return w.Message
}

// days gives the range that --from and --to say, with these days where they say nothing.
func (o *openedSchedule) days(from, to func(today kairos.Date) kairos.Date, p *Process) (kairos.Range, error) {
	var r kairos.Range
	var err error
	if o.from != "" {
		if r.From, err = kairos.ReadDate(o.from); err != nil {
			return r, o.failure(err)
		}
	} else {
		r.From = from(o.zone.Date(p.Now().UnixMilli()))
	}
	r.To = to(r.From)
	if o.to != "" {
		if r.To, err = kairos.ReadDate(o.to); err != nil {
			return r, o.failure(err)
		}
	}
	if r.To.String() < r.From.String() {
		return r, usage("there are no days from %s to %s: say with --from and --to where the range begins and ends", r.From, r.To)
	}
	return r, nil
}

func sameDay(d kairos.Date) kairos.Date   { return d }
func yearLater(d kairos.Date) kairos.Date { return d.AddYears(1) }

// title is what a schedule is called where nothing else is said: its file's name.
func (o *openedSchedule) title() string {
	if o.name == "-" {
		return "schedule"
	}
	base := filepath.Base(o.name)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
