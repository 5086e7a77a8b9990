// Package premise is the shape of authoring problems: a requirement in plain language becomes a program in the schedule
// language Kairos, and whoever writes it must declare the premises that it fills in. A reply is judged by what it
// declares and by the points of its program, never by the program's text.
package premise

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/record"
)

// Kinds are the kinds of premises that can be left open, in the order in which prompts name them.
var Kinds = []string{"tz", "week", "roll", "holidays", "fiscal", "anchor", "counting", "asof", "boundary"}

// Problem is one requirement with what it leaves open and how it may be read.
type Problem struct {
	bench.Head
	Prompt     string // the requirement, in the bench's language
	Gloss      string // the same in English, for readers
	AllDay     bool
	From, To   kairos.Date // the range of the grading, half open; never shown to a model
	Undeclared []Element   // what must be declared; empty for a plain problem
	Readings   []Reading   // at least one
	controls   []control
}

// Element is one thing that must be declared: any one of the kinds named.
type Element []string

func (e Element) String() string { return strings.Join(e, "|") }

// Reading is an accepted way to read a requirement.
type Reading struct {
	Key        string
	Assumption string   // one sentence
	Body       string   // a program that follows it, behind the prelude
	Expected   []string // the points within the range, as printed
	File       string
	Line       int
}

// compileProblem reads an item. Errors name file and line.
func compileProblem(raw *bench.Item) (*Problem, error) {
	f := bench.NewFields(raw.Node)
	for _, k := range bench.CommonKeys {
		f.Node(k)
	}
	p := &Problem{Head: raw.Head, Prompt: f.NeedText("prompt"), Gloss: f.Text("gloss"), AllDay: f.Bool("all_day", false)}
	f.Need("all_day")
	if p.Basis != record.Exact {
		f.Fault(raw.Node.Get("basis").Errorf("%s: points are right or wrong: the basis of a problem is exact", p.ID))
	}
	p.From, p.To = readDate(f, "from"), readDate(f, "to")
	if p.From != (kairos.Date{}) && p.To != (kairos.Date{}) && p.From.String() >= p.To.String() {
		f.Fault(raw.Node.Get("to").Errorf("%s: the range ends at %v and begins at %v", p.ID, p.To, p.From))
	}
	if u := f.Need("undeclared"); u != nil {
		p.readUndeclared(f, u)
	}
	if r := f.Need("readings"); r != nil {
		p.readReadings(f, r)
	}
	if c := f.Node("controls"); c != nil {
		p.readControls(f, c)
	}
	return p, f.Done()
}

func readDate(f *bench.Fields, key string) kairos.Date {
	text := f.NeedText(key)
	d, ok := kairos.ParseDate(text)
	if !ok && text != "" {
		f.Fault(f.Node(key).Errorf("%s is a day such as 2026-01-31, and %q is none", key, text))
	}
	return d
}

// readUndeclared reads a list of kinds, each of which may be several with a bar between them.
func (p *Problem) readUndeclared(f *bench.Fields, n *bench.Node) {
	if n.Kind != bench.List {
		f.Fault(n.Errorf("%s: undeclared is a list of kinds, [] for a plain problem", p.ID))
		return
	}
	for _, v := range n.Values {
		text, err := v.AsText()
		if err != nil {
			f.Fault(err)
			continue
		}
		e := Element(strings.Split(text, "|"))
		for i, k := range e {
			if !slices.Contains(Kinds, k) {
				f.Fault(v.Errorf("%s: the kind %q is not known%s", p.ID, k, bench.Nearest(k, Kinds)))
			} else if slices.Contains(e[:i], k) {
				f.Fault(v.Errorf("%s: the kind %q stands twice in %q", p.ID, k, text))
			}
		}
		p.Undeclared = append(p.Undeclared, e)
	}
}

func (p *Problem) readReadings(f *bench.Fields, n *bench.Node) {
	if n.Kind != bench.List || len(n.Values) == 0 {
		f.Fault(n.Errorf("%s: readings is a list of {key, assumption, body, expected}", p.ID))
		return
	}
	seen := map[string]bool{}
	for _, v := range n.Values {
		rf := bench.NewFields(v)
		r := Reading{Key: rf.NeedText("key"), Assumption: rf.NeedText("assumption"), Body: rf.NeedText("body"), File: v.File, Line: v.Line}
		if r.Key != "" && (!validKey(r.Key) || seen[r.Key]) {
			rf.Fault(v.Errorf("%s: the reading's key %q is malformed or stands twice", p.ID, r.Key))
		}
		seen[r.Key] = true
		if e := rf.Need("expected"); e != nil {
			if e.Kind != bench.List || len(e.Values) == 0 {
				rf.Fault(e.Errorf("%s, reading %s: expected is a list of points, at least one", p.ID, r.Key))
			}
			for i, x := range e.Values {
				text, err := x.AsText()
				rf.Fault(err)
				switch {
				case err == nil && !validPoint(text):
					rf.Fault(x.Errorf("%s, reading %s: %q is no point such as 2026-01-31 or 2026-01-31T09:30", p.ID, r.Key, text))
				case i > 0 && len(r.Expected) > 0 && text < r.Expected[len(r.Expected)-1]:
					rf.Fault(x.Errorf("%s, reading %s: the point %s stands after a later one", p.ID, r.Key, text))
				}
				r.Expected = append(r.Expected, text)
			}
		}
		f.Fault(rf.Done())
		p.Readings = append(p.Readings, r)
	}
}

// validKey says whether a text can name a reading: up to 100 bytes of anything that is seen, since published sets name them
// as they like.
func validKey(s string) bool {
	return len(s) <= 100 && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
}

// validPoint says whether a text is a point as results print them.
func validPoint(s string) bool {
	date, clock, timed := strings.Cut(s, "T")
	if _, ok := kairos.ParseDate(date); !ok {
		return false
	}
	if !timed {
		return true
	}
	parts := strings.Split(clock, ":")
	if len(parts) != 2 && len(parts) != 3 {
		return false
	}
	for i, part := range parts {
		most := []string{"23", "59", "59"}[i]
		if len(part) != 2 || strings.Trim(part, "0123456789") != "" || part > most {
			return false
		}
	}
	return true
}

// plain says whether the requirement leaves nothing open.
func (p *Problem) plain() bool { return len(p.Undeclared) == 0 }

// reading gives a reading by key.
func (p *Problem) reading(key string) *Reading {
	for i := range p.Readings {
		if p.Readings[i].Key == key {
			return &p.Readings[i]
		}
	}
	return nil
}
