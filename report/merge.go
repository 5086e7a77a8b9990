package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// firsts keeps values by name, at most as many as limit: those whose names sort first. A name that belongs to them is
// never dropped on the way, so neither what is kept nor its value depends on the order in which names come.
type firsts[V any] struct {
	limit  int
	values map[string]*V
	sorted []string
}

// at gives the value of a name, made when it is first asked for; nil for one that is not kept.
func (f *firsts[V]) at(name string) *V {
	if v, ok := f.values[name]; ok {
		return v
	}
	at, _ := slices.BinarySearch(f.sorted, name)
	if at == f.limit {
		return nil
	}
	if f.values == nil {
		f.values = map[string]*V{}
	}
	v := new(V)
	f.values[name] = v
	f.sorted = slices.Insert(f.sorted, at, name)
	if len(f.sorted) > f.limit {
		delete(f.values, f.sorted[f.limit])
		f.sorted = f.sorted[:f.limit]
	}
	return v
}

// causes counts reasons. Those that differ in their numbers only are one, with each number's least and greatest.
type causes struct {
	groups firsts[cause]
	total  int
}

// cause is one reason: text stands between numbers, and has one part more than there are of these.
type cause struct {
	text  []string
	least []int64
	most  []int64
	n     int
}

// Cause is a reason and how many attempts have it.
type Cause struct {
	Reason   string `json:"reason"`
	Attempts int    `json:"attempts"`
}

const causesKept = 64

func (c *causes) add(reason string) {
	c.total++
	text, numbers := splitNumbers(clip(Printable(reason), reasonWidth))
	if c.groups.limit == 0 {
		c.groups.limit = causesKept
	}
	g := c.groups.at(strings.Join(text, "\x00"))
	if g == nil {
		return
	}
	if g.n++; g.n == 1 {
		g.text, g.least, g.most = text, slices.Clone(numbers), numbers
		return
	}
	for i, v := range numbers {
		g.least[i], g.most[i] = min(g.least[i], v), max(g.most[i], v)
	}
}

// list gives the reasons, the most frequent first, and the dropped ones as the last.
func (c *causes) list() []Cause {
	out := []Cause{}
	rest := c.total
	for _, name := range c.groups.sorted {
		g := c.groups.values[name]
		out = append(out, Cause{g.String(), g.n})
		rest -= g.n
	}
	slices.SortStableFunc(out, func(a, b Cause) int {
		return cmp.Or(-cmp.Compare(a.Attempts, b.Attempts), cmp.Compare(a.Reason, b.Reason))
	})
	if rest > 0 {
		out = append(out, Cause{otherReasons, rest})
	}
	return out
}

func (g *cause) String() string {
	var b strings.Builder
	for i, t := range g.text {
		b.WriteString(t)
		if i < len(g.least) {
			b.WriteString(strconv.FormatInt(g.least[i], 10))
			if g.most[i] != g.least[i] {
				b.WriteString(" to " + strconv.FormatInt(g.most[i], 10))
			}
		}
	}
	return b.String()
}

// splitNumbers takes the whole numbers out of a text. Digits within a name or a version ("gemma4", "0.31.2") are text, and so
// are numbers that would read otherwise when written anew.
func splitNumbers(s string) (text []string, numbers []int64) {
	from := 0
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		if j == i {
			i++
			continue
		}
		if n, err := strconv.ParseInt(s[i:j], 10, 64); err == nil && strconv.FormatInt(n, 10) == s[i:j] && alone(s, i, j) {
			text, numbers = append(text, s[from:i]), append(numbers, n)
			from = j
		}
		i = j
	}
	return append(text, s[from:]), numbers
}

// alone reports whether the digits from i to j stand by themselves.
func alone(s string, i, j int) bool {
	joins := func(c byte) bool { return strings.IndexByte(".,:-_/@#+", c) >= 0 }
	part := func(c byte) bool {
		return c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
	}
	if i > 0 && (part(s[i-1]) || joins(s[i-1])) {
		return false
	}
	return j == len(s) || !part(s[j]) && (!joins(s[j]) || j+1 == len(s) || !part(s[j+1]))
}

// words writes the most frequent reasons for one line: "HTTP 500 (3), no reply (1)"; a single one without its count.
func causeWords(list []Cause) string {
	var parts []string
	rest := 0
	for i, c := range list {
		text := clip(c.Reason, causePrinted)
		switch {
		case i >= causesPrinted:
			rest += c.Attempts
		case text == "":
			parts = append(parts, "no reason given")
		default:
			parts = append(parts, text)
		}
		if i < causesPrinted && len(list) > 1 {
			parts[i] += ": " + thousands(int64(c.Attempts))
		}
	}
	if rest > 0 {
		parts = append(parts, "other reasons: "+thousands(int64(rest)))
	}
	return strings.Join(parts, "; ")
}

const (
	causesPrinted = 3
	causePrinted  = 160 // bytes
)
