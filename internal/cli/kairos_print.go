package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/kairos"
)

// writeListing prints a listing and says its warnings.
func (p *Process) writeListing(l *kairosListing, asJSON bool) error {
	w := bufio.NewWriterSize(p.Stdout, 1<<16)
	var err error
	if asJSON {
		err = l.json(w)
	} else {
		l.text(w)
	}
	if err != nil {
		return fault(err)
	}
	if err := w.Flush(); err != nil {
		return fault(err)
	}
	for _, m := range l.res.Warnings {
		fmt.Fprintf(p.Stderr, "%s%s\n", l.o.words().warning, shown(warning(m, l.o.lang)))
	}
	return nil
}

// chunk is how many points are put into words at once.
const chunk = 4096

// inChunks calls f for the printed points of a listing, some at a time, so that many of them take no memory.
func inChunks(r *kairos.Result, points []int64, f func(texts []string) error) error {
	for len(points) > 0 {
		n := min(chunk, len(points))
		if err := f(r.Texts(points[:n])); err != nil {
			return err
		}
		points = points[n:]
	}
	return nil
}

// text prints a listing for people. The writer keeps the first error.
func (l *kairosListing) text(w *bufio.Writer) {
	say := l.o.words()
	for i, x := range l.res.Listings {
		if len(l.res.Listings) > 1 {
			fmt.Fprintln(w, say.head(i+1, len(x.Points)))
		}
		inChunks(l.res, x.Points, func(texts []string) error {
			for _, t := range texts {
				w.WriteString(t)
				w.WriteByte('\n')
			}
			return nil
		})
		for _, a := range x.Annotations {
			asof := ""
			if a.AsOf != "" {
				asof = ", asof " + shown(a.AsOf)
			}
			fmt.Fprintf(w, say.outside, a.FromText, a.ToText, l.source(a.Source), shown(a.Covering), asof)
		}
	}
	if len(l.res.Coverage) > 0 {
		fmt.Fprintln(w, say.coverage)
	}
	for _, c := range l.res.Coverage {
		fmt.Fprintf(w, "#   %s covering %s", l.source(c.Source), shown(c.Covering))
		if c.AsOf != "" {
			fmt.Fprintf(w, " asof %s", shown(c.AsOf))
		}
		if c.Concluded {
			w.WriteString(say.concluded)
		}
		runway := say.endless
		if !c.Endless {
			runway = say.runway(c.Runway)
		}
		fmt.Fprintf(w, " %s\n", runway)
	}
}

// source is the name of a source for people. A table without a name has one in the data, which programs may look for, and
// which people read in their language.
func (l *kairosListing) source(name string) string {
	if name == kairos.AnonymousTable {
		return l.o.words().anonymous
	}
	return shown(name)
}

// jsonListing is a listing as --json prints it.
type jsonListing struct {
	Command   string         `json:"command"`
	Version   string         `json:"version"` // of the language
	TZ        string         `json:"tz"`
	From      string         `json:"from"`
	To        string         `json:"to"`
	Requested int            `json:"requested,omitzero"`
	Found     *int           `json:"found,omitzero"`
	Horizon   int            `json:"horizonYears,omitzero"`
	Results   []jsonResult   `json:"results"`
	Coverage  []jsonCoverage `json:"coverage"`
	Warnings  []string       `json:"warnings"`
}

type jsonResult struct {
	Source      string     `json:"source"`
	Dates       texts      `json:"dates"`
	Points      []int64    `json:"points"`
	Annotations []jsonNote `json:"annotations"`
}

type jsonNote struct {
	Kind     string `json:"kind"`
	From     string `json:"from"`
	To       string `json:"to"`
	FromMs   int64  `json:"fromMs"`
	ToMs     int64  `json:"toMs"`
	Source   string `json:"source"`
	Covering string `json:"covering"`
	AsOf     string `json:"asof,omitzero"`
}

type jsonCoverage struct {
	Source     string `json:"source"`
	Covering   string `json:"covering"`
	AsOf       string `json:"asof,omitzero"`
	Concluded  bool   `json:"concluded"`
	RunwayDays *int64 `json:"runwayDays"`
}

// texts prints points as JSON strings without holding all of them.
type texts struct {
	res    *kairos.Result
	points []int64
}

func (t texts) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	err := inChunks(t.res, t.points, func(list []string) error {
		for _, s := range list {
			if err := e.WriteToken(jsontext.String(s)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return e.WriteToken(jsontext.EndArray)
}

func (l *kairosListing) json(w io.Writer) error {
	tz := l.o.tz
	if tz == "" {
		tz = kairos.DefaultTZ
	}
	out := jsonListing{Command: l.command, Version: kairos.LanguageVersion, TZ: tz, From: l.days.From.String(), To: l.days.To.String(),
		Requested: l.requested, Horizon: l.horizon, Coverage: jsonCovered(l.res.Coverage), Warnings: jsonWarnings(l.res.Warnings, l.o.lang)}
	if l.requested > 0 {
		found := len(l.res.Listings[0].Points)
		out.Found = &found
	}
	for _, x := range l.res.Listings {
		out.Results = append(out.Results, jsonResult{Dates: texts{l.res, x.Points}, Points: x.Points, Annotations: jsonNotes(x.Annotations)})
	}
	return writeSafeJSON(w, out, true)
}

func jsonNotes(notes []kairos.Annotation) []jsonNote {
	out := make([]jsonNote, 0, len(notes))
	for _, a := range notes {
		out = append(out, jsonNote{"out-of-coverage", a.FromText, a.ToText, a.From, a.To, a.Source, a.Covering, a.AsOf})
	}
	return out
}

func jsonCovered(list []kairos.Coverage) []jsonCoverage {
	out := make([]jsonCoverage, 0, len(list))
	for _, c := range list {
		j := jsonCoverage{Source: c.Source, Covering: c.Covering, AsOf: c.AsOf, Concluded: c.Concluded}
		if !c.Endless {
			j.RunwayDays = &c.Runway
		}
		out = append(out, j)
	}
	return out
}

func jsonWarnings(list []kairos.Warning, lang string) []string {
	out := make([]string, 0, len(list))
	for _, m := range list {
		out = append(out, warning(m, lang))
	}
	return out
}

// writeSafeJSON writes a value as JSON and a line feed. What no terminal should get is escaped within its strings.
func writeSafeJSON(w io.Writer, v any, indent bool) error {
	opts := []json.Options{json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true)}
	if indent {
		opts = append(opts, jsontext.WithIndent("  "))
	}
	e := &escaper{w: w}
	if err := json.MarshalWrite(e, v, opts...); err != nil {
		return err
	}
	if err := e.close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// escaper passes JSON on, with those characters written as \u escapes that act on a terminal or cannot be seen. JSON has
// such characters inside strings only.
type escaper struct {
	w    io.Writer
	rest []byte // the beginning of a character
	buf  []byte
}

func (e *escaper) Write(b []byte) (int, error) {
	n := len(b)
	e.rest = append(e.rest, b...)
	b, e.buf = e.rest, e.buf[:0]
	for len(b) > 0 && utf8.FullRune(b) {
		r, size := utf8.DecodeRune(b)
		if r >= utf8.RuneSelf && !visible(r) || r == 0x7f {
			e.buf = appendEscape(e.buf, r)
		} else {
			e.buf = append(e.buf, b[:size]...)
		}
		b = b[size:]
	}
	e.rest = append(e.rest[:0], b...)
	_, err := e.w.Write(e.buf)
	return n, err
}

func (e *escaper) close() error {
	_, err := e.w.Write(e.rest)
	return err
}

func appendEscape(b []byte, r rune) []byte {
	if r >= 0x10000 {
		r -= 0x10000
		return fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Appendf(b, `\u%04x`, r)
}

// visible says whether a character may be printed as it is: spaces of any width may.
func visible(r rune) bool {
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r)
}

// shown makes a text of a program safe for a line of a terminal and leaves all else of it as it is: what acts on a terminal
// or cannot be seen becomes U+FFFD.
func shown(s string) string {
	return strings.Map(func(r rune) rune {
		if visible(r) {
			return r
		}
		return utf8.RuneError
	}, s)
}
