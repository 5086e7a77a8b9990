package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assaybench/assay/run"
)

// Server is what a model and its server were in a run, beside its attempts.
type Server struct {
	Model string `json:"model"` // as in the plan
	Asked string `json:"asked"` // the name that the server was asked for
	// Names are those under which the server says it answered, in the order in which they were met.
	Names []string `json:"names"`
	// Start and End are what the model and its server said of themselves first and last; null where they were not asked, or
	// asked once. Checks is how often they were asked, and Changed says whether any answer differed from the first in
	// something that both tell.
	Start   *Identity `json:"start"`
	End     *Identity `json:"end"`
	Checks  int       `json:"checks"`
	Changed bool      `json:"changed"`
	Invalid []Invalid `json:"invalid"`
	// Concurrency is how many calls were made at once, for each session.
	Concurrency []run.Concurrency `json:"concurrency"`
	Cost        *Cost             `json:"cost"` // null: no price known
}

// Identity is what a model and its server said of themselves.
type Identity struct {
	Phase   string            `json:"phase"` // "start", "check" or "end"
	Taken   time.Time         `json:"taken"`
	Model   string            `json:"model"`
	Digest  string            `json:"digest"`
	Server  string            `json:"server"`
	Context int64             `json:"context"` // tokens; 0: not known
	Details map[string]string `json:"details"`
}

// vramDetail is the detail with the share of a loaded model that lies in the accelerator's memory.
const vramDetail = "vram_percent"

// Invalid is a stretch of a run in which a model was not what it had been: its attempts are no results.
type Invalid struct {
	Attempts    int       `json:"attempts"`
	Reason      string    `json:"reason"`
	Differences []string  `json:"differences"`
	From        time.Time `json:"from"`
	To          time.Time `json:"to"`
}

// Differs reports whether two identities say something different; what one of them does not say proves nothing.
func (id *Identity) Differs(other *Identity) bool {
	differ := func(a, b string) bool { return a != b && a != "" && b != "" }
	if differ(id.Model, other.Model) || differ(id.Digest, other.Digest) || differ(id.Server, other.Server) ||
		id.Context != other.Context && id.Context > 0 && other.Context > 0 {
		return true
	}
	for k, v := range id.Details {
		// Where a model was loaded is not what it is, for the engine neither.
		if k != vramDetail && differ(v, other.Details[k]) {
			return true
		}
	}
	return false
}

// Before is what was found out of a model at a posture before its first call; nil where nothing was.
type Before struct {
	Ready *Ready
	Probe *Probe
}

// copied gives the server with lists that are never null, for the model of that name.
func (s Server) copied(name string) Server {
	s.Model = name
	s.Names = append([]string{}, s.Names...)
	s.Invalid = append([]Invalid{}, s.Invalid...)
	s.Concurrency = append([]run.Concurrency{}, s.Concurrency...)
	return s
}

// lines says what there is to know of a server, little where all is as it should be.
func (s *Server) lines(loadNS int64) []string {
	var out []string
	if l := s.identityLine(loadNS); l != "" {
		out = append(out, l)
	}
	if l := s.namesLine(); l != "" {
		out = append(out, l)
	}
	for i := range s.Concurrency {
		c := &s.Concurrency[i]
		l := concurrencyWords(c)
		if l == "" {
			continue
		}
		if len(s.Concurrency) > 1 {
			l = fmt.Sprintf("session %d: %s", i+1, l)
		}
		out = append(out, l)
	}
	return out
}

// identityLine is like "ollama 0.13.1, digest 6d3a1b22c3d4, context 32,768, 68 % in VRAM, the same at the end".
func (s *Server) identityLine(loadNS int64) string {
	id := s.Start
	if id == nil {
		id = s.End
	}
	if id == nil {
		return ""
	}
	last := s.End
	if last == nil {
		last = id
	}
	var parts []string
	add := func(s string) {
		if s = clip(Printable(s), 120); s != "" {
			parts = append(parts, s)
		}
	}
	add(id.Server)
	if id.Digest != "" {
		parts = append(parts, "digest "+shortDigest(id.Digest))
	}
	if n := max(last.Context, id.Context); n > 0 {
		parts = append(parts, fmt.Sprintf("context %s", thousands(n)))
	}
	if v := cmp.Or(last.Details[vramDetail], id.Details[vramDetail]); v != "" {
		parts = append(parts, clip(Printable(v), 8)+" % in VRAM")
	}
	if loadNS > 0 {
		parts = append(parts, fmt.Sprintf("loaded in %.1f s", float64(loadNS)/1e9))
	}
	if len(parts) == 0 && !s.Changed {
		return ""
	}
	end := "the same at the end"
	switch {
	case s.Changed:
		end = "CHANGED during the run (see the notes)"
	case s.End == nil:
		end = "not asked again at the end"
	}
	return strings.Join(append(parts, end), ", ")
}

// shortDigest is the beginning of a digest, enough to tell it from others by eye.
func shortDigest(s string) string {
	if _, hex, ok := strings.Cut(s, ":"); ok {
		s = hex
	}
	r := []rune(Printable(s))
	return string(r[:min(12, len(r))])
}

// namesLine tells of names that answered and were not asked for.
func (s *Server) namesLine() string {
	var other []string
	for _, n := range s.Names {
		if n != s.Asked && !slices.Contains(other, n) {
			other = append(other, clip(Printable(n), 80))
		}
	}
	if len(other) == 0 {
		return ""
	}
	const shown = 4
	more := ""
	if len(other) > shown {
		more = fmt.Sprintf(" and %d more", len(other)-shown)
		other = other[:shown]
	}
	also := "answered as "
	if slices.Contains(s.Names, s.Asked) {
		also = "answered also as "
	}
	return also + strings.Join(other, ", ") + more
}

// changesShown is how many turns of a limit are written out.
const changesShown = 6

// concurrencyWords is "calls at once: 8, halved to 4 at 12:03:10 UTC on HTTP 429, back to 8 at 12:04:00"; "" where the
// limit never moved.
func concurrencyWords(c *run.Concurrency) string {
	if len(c.Changes) == 0 {
		return ""
	}
	parts := []string{fmt.Sprint(c.Ceiling)}
	limit, left := c.Ceiling, 0
	day := c.Changes[0].At.UTC().Format(time.DateOnly)
	for i := 0; i < len(c.Changes); i++ {
		ch := &c.Changes[i]
		grew := ch.Limit > limit
		for grew && i+1 < len(c.Changes) && c.Changes[i+1].Limit > ch.Limit { // a limit grows by one at a time: say where it came to
			i++
			ch = &c.Changes[i]
		}
		limit = ch.Limit
		if len(parts) > changesShown {
			left++
			continue
		}
		at := ch.At.UTC().Format(time.TimeOnly)
		if len(parts) == 1 {
			at += " UTC"
		}
		if d := ch.At.UTC().Format(time.DateOnly); d != day {
			at = d + " " + at
		}
		switch {
		case !grew && strings.HasPrefix(parts[len(parts)-1], "halved"):
			parts = append(parts, fmt.Sprintf("and to %d at %s%s", limit, at, busyWord(ch.Why)))
		case !grew:
			parts = append(parts, fmt.Sprintf("halved to %d at %s%s", limit, at, busyWord(ch.Why)))
		case limit >= c.Ceiling:
			parts = append(parts, fmt.Sprintf("back to %d at %s", limit, at))
		default:
			parts = append(parts, fmt.Sprintf("up to %d at %s", limit, at))
		}
	}
	s := "calls at once: " + strings.Join(parts, ", ")
	if left += c.Dropped; left > 0 {
		s += fmt.Sprintf("; %d more turns, at the least %d, at the end %d", left, c.Least, c.Last)
	}
	if c.Busy > 0 {
		s += fmt.Sprintf(" (%s of %s answered with busy)", thousands(c.Busy), callWords(int(c.Calls)))
	}
	return s
}

// busyWord is the status with which a server said that it was busy.
func busyWord(why string) string {
	const mark = "HTTP "
	i := strings.Index(why, mark)
	if i < 0 || len(why) < i+len(mark)+3 {
		return ""
	}
	status := why[i : i+len(mark)+3]
	for _, c := range status[len(mark):] {
		if c < '0' || c > '9' {
			return ""
		}
	}
	return " on " + status
}
