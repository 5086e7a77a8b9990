// Package ics writes the points of a schedule as a calendar of RFC 5545.
package ics

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/assaybench/assay/kairos"
)

// Options name what a calendar is of.
type Options struct {
	// Title is the summary of every event; with several body expressions, the number of the expression follows it.
	Title string
	// Source is the program's text. The events' identifiers depend on it and on their instants, not on the range, so a
	// later calendar of the same program replaces their events and does not double them.
	Source string
	// Stamp is what the calendar says of its own making, in milliseconds since 1970-01-01T00:00Z. No clock is read.
	Stamp int64
}

// Write writes one event for each point of a result: a whole day where the point prints as one in the run's zone, else an
// instant in UTC. An event that may depend on data beyond the coverage of a source is tentative and says of which.
func Write(w io.Writer, r *kairos.Result, o Options) error {
	utc, err := kairos.LoadZone("+00:00")
	if err != nil {
		return err
	}
	c := &calendar{w: bufio.NewWriter(w), result: r, opts: o, utc: utc}
	digest := sha256.Sum256([]byte(o.Source))
	c.line("BEGIN:VCALENDAR")
	c.line("VERSION:2.0")
	c.line("PRODID:-//assaybench//assay kairos//EN")
	c.line("CALSCALE:GREGORIAN")
	for i := range r.Listings {
		c.listing(i, digest[:])
	}
	c.line("END:VCALENDAR")
	return c.w.Flush()
}

type calendar struct {
	w      *bufio.Writer
	result *kairos.Result
	opts   Options
	utc    kairos.Zone
}

func (c *calendar) listing(i int, digest []byte) {
	l := &c.result.Listings[i]
	title := c.opts.Title
	if len(c.result.Listings) > 1 {
		title = fmt.Sprintf("%s (%d)", title, i+1)
	}
	summary := "SUMMARY:" + escape(title)
	stamp := "DTSTAMP:" + c.instant(c.opts.Stamp)
	same := 0
	for k, p := range l.Points {
		if same++; k == 0 || l.Points[k-1] != p {
			same = 0
		}
		c.line("BEGIN:VEVENT")
		c.line("UID:" + identifier(digest, i, p, same))
		c.line(stamp)
		if text := c.result.Text(p); len(text) == len("2026-01-05") {
			c.line("DTSTART;VALUE=DATE:" + strings.ReplaceAll(text, "-", ""))
		} else {
			c.line("DTSTART:" + c.instant(p))
		}
		c.line(summary)
		if doubt := doubts(l.Annotations, p); doubt != "" {
			c.line("STATUS:TENTATIVE")
			c.line("DESCRIPTION:" + escape(doubt))
		}
		c.line("END:VEVENT")
	}
}

// doubts says which sources do not cover a point.
func doubts(notes []kairos.Annotation, p int64) string {
	var out []string
	for _, a := range notes {
		if a.From <= p && p < a.To {
			s := fmt.Sprintf("May be wrong: it depends on %s, which covers %s only", a.Source, a.Covering)
			if a.AsOf != "" {
				s += " (as of " + a.AsOf + ")"
			}
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n")
}

// identifier names the event of a point; same counts the equal points before it.
func identifier(digest []byte, expression int, ms int64, same int) string {
	h := sha256.New()
	h.Write(digest)
	fmt.Fprintf(h, "\n%d\n%d\n%d", expression, ms, same)
	return hex.EncodeToString(h.Sum(nil)[:16]) + "@kairos.assaybench"
}

// instant prints an instant as 20260105T093000Z; what is below a second is left out.
func (c *calendar) instant(ms int64) string {
	ms -= ((ms % 1000) + 1000) % 1000
	day := c.utc.Date(ms)
	s := (ms - c.utc.Start(day)) / 1000
	return fmt.Sprintf("%04d%02d%02dT%02d%02d%02dZ", day.Year, day.Month, day.Day, s/3600, s/60%60, s%60)
}

// escape writes a text as the value of a property. Control characters, which no value may hold, become spaces.
func escape(s string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(s, "\r\n", "\n") {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\\' || r == ';' || r == ',':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r >= 0x7f && r < 0xa0:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// foldAt is the length in bytes of the longest line, its line break apart.
const foldAt = 75

// line writes a line, folded where it is long and never within a character. The writer keeps the first error.
func (c *calendar) line(s string) {
	for room := foldAt; len(s) > room; room = foldAt - 1 {
		cut := room
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		c.w.WriteString(s[:cut])
		c.w.WriteString("\r\n ")
		s = s[cut:]
	}
	c.w.WriteString(s)
	c.w.WriteString("\r\n")
}
