package wording

import (
	"regexp"
	"slices"
	"strings"
)

// Rules of the recipe. The first five are found by form alone; the sixth tells how a graded value comes about.
const (
	RuleList      = "R1" // a list of orders
	RuleMarkers   = "R2" // orders linked by "first", "then" and the like
	RuleChain     = "R3" // three orders to find out, one after the other
	RuleResources = "R4" // four sources, in the order in which the reference reads them
	RuleNames     = "R5" // names of files, records or fields that an employee would not know
	RuleMethod    = "R6" // what to leave out, or how to calculate
)

// Case is what a request's rules must know of its task.
type Case struct {
	Handles   []string   // what the employee holds: the subject's ids
	Resources []Resource // what the reference reads, in the order of the first read
	Fields    []string   // names of columns and of fields of the answer
	Methods   []Method   // of each graded derivation
}

// Resource is a source by the words for it.
type Resource struct {
	Name  string
	Words []string
}

// Method is how a graded value comes about: values that its conditions sort out, and the words of what it computes with.
type Method struct {
	Name     string
	Excludes []string
	Operands [][]string // of each operand its words
}

// Recipe finds what tells an agent how to work.
func Recipe(s string, c Case) []Hit {
	list := clauses(s)
	var out []Hit
	out = append(out, lists(list)...)
	out = append(out, marked(list)...)
	out = append(out, chained(s, list)...)
	out = append(out, ordered(s, c.Resources)...)
	out = append(out, named(s, c)...)
	return append(out, Methods(s, c.Methods)...)
}

// lists finds two items or more that begin with an order.
func lists(list []clause) []Hit {
	var items []clause
	for _, c := range list {
		if c.item && imperative.MatchString(c.text) {
			items = append(items, c)
		}
	}
	if len(items) < 2 {
		return nil
	}
	return []Hit{{RuleList, items[0].start, items[len(items)-1].end, "a list whose items are orders"}}
}

// marked finds two orders or more of which one is opened by a word of sequence, which may stand in a clause of its own
// ("Once you have it, read …"). What follows a condition ("if it is late, then tell her") is no step.
func marked(list []clause) []Hit {
	var out []Hit
	opens := func(k int) bool {
		return k+1 < len(list) && !imperative.MatchString(list[k].text) && marker.MatchString(list[k].text) &&
			list[k+1].sentence == list[k].sentence && imperative.MatchString(list[k+1].text)
	}
	for i := 0; i < len(list); {
		k, orders, markers := i, 0, 0
		for k < len(list) && (imperative.MatchString(list[k].text) || opens(k)) {
			if k > i && list[k].sentence > list[k-1].sentence+1 {
				break
			}
			conditional := k > 0 && list[k-1].sentence == list[k].sentence && condition.MatchString(list[k-1].text)
			if imperative.MatchString(list[k].text) {
				orders++
			}
			if marker.MatchString(list[k].text) && !conditional {
				markers++
			}
			k++
		}
		if orders >= 2 && markers >= 1 {
			out = append(out, Hit{RuleMarkers, list[i].start, list[k-1].end, "orders in a sequence"})
		}
		i = max(k, i+1)
	}
	return out
}

// chained finds three clauses in a row that say what to look at.
func chained(s string, list []clause) []Hit {
	var out []Hit
	for i := 0; i < len(list); {
		k := i
		for k < len(list) && (investigation.MatchString(list[k].text) || gerund.MatchString(list[k].text)) {
			k++
		}
		if k-i >= 3 {
			out = append(out, Hit{RuleChain, list[i].start, list[k-1].end, "three things or more to look at, one after the other"})
		}
		i = max(k, i+1)
	}
	return out
}

const leastOrdered = 4

// ordered finds four sources or more in the order in which the reference reads them.
func ordered(s string, resources []Resource) []Hit {
	type place struct{ at, end, rank int }
	var places []place
	words := Tokens(s)
	for rank, r := range resources {
		for _, t := range words {
			if slices.ContainsFunc(r.Words, func(w string) bool { return sameWord(w, t.Text) }) {
				places = append(places, place{t.Start, t.End, rank})
				break
			}
		}
	}
	if len(places) < leastOrdered {
		return nil
	}
	slices.SortFunc(places, func(a, b place) int { return a.at - b.at })
	for i := 1; i < len(places); i++ {
		if places[i].rank < places[i-1].rank || places[i].at == places[i-1].at {
			return nil
		}
	}
	return []Hit{{RuleResources, places[0].at, places[len(places)-1].end, "sources in the order in which the reference reads them"}}
}

// sameWord compares a word with its plural.
func sameWord(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a == b || singular(a) == singular(b)
}

func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

var (
	fileName = regexp.MustCompile(`(?i)\b[\w-]+\.(?:pdf|xlsx?|docx?|csv|json|ya?ml|md|txt|log|eml|ics|sql|html?)\b`)
	recordID = regexp.MustCompile(`\b[A-Z]{1,8}-[A-Z0-9]*\d[A-Z0-9]*(?:-[A-Z0-9]+)*\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	compound = regexp.MustCompile(`\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b`)
)

// named finds names that only somebody knows who has looked already.
func named(s string, c Case) []Hit {
	out := find(RuleNames, s, fileName, "the name of a file")
	for _, h := range find(RuleNames, s, recordID, "a record beside the subject") {
		id := s[h.Start:h.End]
		if !slices.ContainsFunc(c.Handles, func(have string) bool { return strings.Contains(have, id) || strings.Contains(id, have) }) {
			out = append(out, h)
		}
	}
	for _, h := range find(RuleNames, s, compound, "the name of a field") {
		if slices.ContainsFunc(c.Fields, func(f string) bool { return strings.Contains(f, "_") && bare(f) == bare(s[h.Start:h.End]) }) {
			out = append(out, h)
		}
	}
	return out
}

// bare gives a name without what joins its parts.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("._-/: ", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

var (
	excluding = []string{"not", "no", "without", "exclude", "excluding", "excluded", "except", "ignore", "ignoring", "only", "skip", "minus", "less", "leave", "leaving", "never", "nor", "apart"}
	computing = regexp.MustCompile(`(?i)\b(?:minus|subtract(?:ed|ing)?|divided? by|times|multipl(?:y|ied|ying)|plus|added to|add up|sum of|net of|per each|difference between|rounded (?:up|down))\b`)
)

// Methods finds graded values whose making a text tells: a class that it says to leave out, or a calculation with two of its
// operands. Each value counts once.
func Methods(s string, methods []Method) []Hit {
	var out []Hit
	tokens := Tokens(s)
	said := map[string]bool{}
	for _, m := range methods {
		for _, x := range m.Excludes {
			if h, ok := excluded(tokens, x); ok && !said[strings.ToLower(x)] {
				said[strings.ToLower(x)] = true
				h.Note = "what " + m.Name + " leaves out or counts alone"
				out = append(out, h)
			}
		}
		if h, ok := formula(s, m); ok && !said["="+m.Name] {
			said["="+m.Name] = true
			out = append(out, h)
		}
	}
	return out
}

const excludingWithin = 6

// excluded finds the words of a class within a few words of one that leaves it out.
func excluded(tokens []Token, class string) (Hit, bool) {
	want := Words(strings.ReplaceAll(class, "_", " "))
	if len(want) == 0 || len([]rune(strings.Join(want, ""))) < 4 {
		return Hit{}, false
	}
	for i := 0; i+len(want) <= len(tokens); i++ {
		same := true
		for k, w := range want {
			same = same && tokens[i+k].Text == w
		}
		if !same {
			continue
		}
		for k := max(0, i-excludingWithin); k < min(len(tokens), i+len(want)+excludingWithin); k++ {
			if slices.Contains(excluding, tokens[k].Text) {
				a, b := min(i, k), max(i+len(want)-1, k)
				return Hit{Rule: RuleMethod, Start: tokens[a].Start, End: tokens[b].End}, true
			}
		}
	}
	return Hit{}, false
}

// formula finds a sentence that names two operands and a calculation.
func formula(s string, m Method) (Hit, bool) {
	for _, at := range sentences(s) {
		part := s[at[0]:at[1]]
		if !computing.MatchString(part) {
			continue
		}
		words := Words(part)
		named := 0
		for _, operand := range m.Operands {
			all := len(operand) > 0
			for _, w := range operand {
				all = all && slices.ContainsFunc(words, func(have string) bool { return sameWord(have, w) })
			}
			if all {
				named++
			}
		}
		if named >= 2 {
			return Hit{RuleMethod, at[0], at[1], "how " + m.Name + " is calculated"}, true
		}
	}
	return Hit{}, false
}

var sentenceEnd = regexp.MustCompile(`[.!?]+(?:\s+|$)|\n{2,}`)

func sentences(s string) [][2]int {
	var out [][2]int
	at := 0
	for _, m := range sentenceEnd.FindAllStringIndex(s, -1) {
		if strings.TrimSpace(s[at:m[0]]) != "" {
			out = append(out, [2]int{at, m[0]})
		}
		at = m[1]
	}
	if strings.TrimSpace(s[at:]) != "" {
		out = append(out, [2]int{at, len(s)})
	}
	return out
}
