package onepage

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// index is every attempt in a few small numbers, column by column: what the list shows, sorts and filters by.
type index struct {
	Part     int      `json:"part"`
	Items    []string `json:"items"`
	Families []string `json:"families"`
	Of       []int    `json:"of"`       // by item, its family
	Settings []string `json:"settings"` // model and posture
	Outcomes []string `json:"outcomes"`
	Letters  []string `json:"letters"`
	Meanings []string `json:"meanings"` // by letter

	Item    []int `json:"item"`
	Setting []int `json:"setting"`
	Repeat  []int `json:"repeat"`
	Outcome []int `json:"outcome"`
	Letter  []int `json:"letter"`
	Pass    []int `json:"pass"`

	known []report.Meaning
	seen  map[string]int // a kind, NUL and a text, to its place
}

// missing stands for the outcome of an attempt that was not made.
const missing = "missing"

func newIndex(part int, letters []report.Meaning) *index {
	return &index{known: letters, Part: part, Items: []string{}, Families: []string{}, Of: []int{}, Settings: []string{}, Outcomes: []string{}, Letters: []string{}, Meanings: []string{},
		Item: []int{}, Setting: []int{}, Repeat: []int{}, Outcome: []int{}, Letter: []int{}, Pass: []int{}, seen: map[string]int{}}
}

// place is where a text stands in its list; it is added where it does not.
func (x *index) place(kind string, list *[]string, text string) int {
	k := kind + "\x00" + text
	n, ok := x.seen[k]
	if !ok {
		n = len(*list)
		x.seen[k], *list = n, append(*list, report.Printable(text))
	}
	return n
}

func (x *index) add(a Attempt) {
	family := x.place("family", &x.Families, a.Family)
	item := x.place("item", &x.Items, a.Key.Item)
	if item == len(x.Of) {
		x.Of = append(x.Of, family)
	}
	outcome := string(a.Outcome)
	if outcome == "" {
		outcome = missing
	}
	x.Item = append(x.Item, item)
	x.Setting = append(x.Setting, x.place("setting", &x.Settings, strings.TrimSpace(a.Key.Model+"  "+a.Key.Posture)))
	x.Repeat = append(x.Repeat, a.Key.Repeat)
	x.Outcome = append(x.Outcome, x.place("outcome", &x.Outcomes, outcome))
	letter := x.place("letter", &x.Letters, string(a.Letter))
	if letter == len(x.Meanings) {
		meaning := ""
		for _, m := range x.known {
			if m.Letter == a.Letter {
				meaning = report.Printable(m.Meaning)
			}
		}
		x.Meanings = append(x.Meanings, meaning)
	}
	x.Letter = append(x.Letter, letter)
	pass := 0
	if a.Pass {
		pass = 1
	}
	x.Pass = append(x.Pass, pass)
}

// details collects what is shown of one attempt, and writes a part whenever it is full.
type details struct {
	out  io.Writer
	each int // bytes of one attempt's answer, and of its findings
	rows []detail
	n    int // parts written
}

type detail struct {
	Reason   string    `json:"reason,omitempty"`
	Tries    int       `json:"tries"`
	Basis    string    `json:"basis"`
	Findings []finding `json:"findings"`
	Answer   string    `json:"answer"`
	Cut      int       `json:"cut,omitempty"`  // bytes of the answer that are left out
	Left     int       `json:"left,omitempty"` // findings that are left out
}

type finding struct {
	Rule     string `json:"rule"`
	Pass     bool   `json:"pass"`
	Skipped  bool   `json:"skipped,omitempty"`
	Why      string `json:"why"`
	Expected string `json:"expected,omitempty"`
	Got      string `json:"got,omitempty"`
}

func (d *details) add(a Attempt) error {
	out := detail{Reason: report.Printable(a.Reason), Tries: a.Tries, Basis: string(a.Basis), Findings: []finding{}}
	answer := strings.ToValidUTF8(a.Answer, "\ufffd")
	out.Answer = head(answer, d.each)
	out.Cut = len(answer) - len(out.Answer)
	room := d.each
	for i, f := range failedFirst(a.Findings) {
		s := finding{report.Printable(f.Rule), f.Pass, f.Skipped, report.Printable(f.Why), report.Printable(head(f.Expected, 300)), report.Printable(head(f.Got, 300))}
		if room -= len(s.Rule) + len(s.Why) + len(s.Expected) + len(s.Got); room < 0 && i > 0 {
			out.Left = len(a.Findings) - i
			break
		}
		out.Findings = append(out.Findings, s)
	}
	if d.rows = append(d.rows, out); len(d.rows) == part {
		return d.flush()
	}
	return nil
}

// failedFirst puts what decided against an answer before what held.
func failedFirst(list []record.Finding) []record.Finding {
	out := make([]record.Finding, 0, len(list))
	for _, want := range []bool{false, true} {
		for _, f := range list {
			if (f.Pass || f.Skipped) == want {
				out = append(out, f)
			}
		}
	}
	return out
}

func (d *details) flush() error {
	if len(d.rows) == 0 {
		return nil
	}
	b, err := json.Marshal(d.rows)
	if err != nil {
		return err
	}
	id := "part" + strconv.Itoa(d.n)
	d.n, d.rows = d.n+1, d.rows[:0]
	return pack(d.out, id, b)
}

// head is the beginning of a text, cut between characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
