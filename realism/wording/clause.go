package wording

import (
	"regexp"
	"slices"
	"strings"
)

// Hit is something that a rule found in a text: the rule, and the bytes that show it.
type Hit struct {
	Rule       string
	Start, End int
	Note       string
}

// find gives a hit for each match of an expression.
func find(rule, s string, re *regexp.Regexp, note string) []Hit {
	var out []Hit
	for _, m := range re.FindAllStringIndex(s, -1) {
		out = append(out, Hit{rule, m[0], m[1], note})
	}
	return out
}

// investigating are verbs of finding out, acting those of doing.
const (
	investigating = `check|open|read|look (?:up|at|in|into|through)|list|query|export|compare|calculate|compute|find(?: out)?|search|pull(?: up)?|review|inspect|verify|count|fetch|get|retrieve|examine|consult|cross-check|go through|download|load|add up|subtract|multiply|divide|sum|determine|work out|identify|note down`
	acting        = `book|send|e-?mail|write|draft|create|update|post|order|submit|tell|call|move|set|place|notify|record|file|save|copy|paste|click|select|enter|choose|take|make|reply|report|confirm|release|reserve|schedule|log|run|use|apply|ask|leave|put|open a|change|cancel|approve|print|attach|forward|pick|fill in|start|go to`
)

// lead is what may stand before the verb of an order: connectors, politeness, and being told that one must.
const lead = `(?:(?:and|but|so|also|please|now|just|first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|after that|afterwards|after this|from there|finally|lastly|at last|once (?:you have|you've|that is|this is|that's|you are|you're)[^,.;]{0,60},|when (?:you have|you've|that is|this is|that's)[^,.;]{0,60},|start by|begin by|to (?:start|begin)(?: with)?|step \d+[:.]?)[, :]+)*` +
	`(?:(?:you (?:should|must|need to|have to|will|can|could|may)|i (?:want|need|would like|'d like) you to|i'd like you to|we (?:want|need) you to|remember to|make sure (?:to|you)|be sure to|go and|try to)(?: then| first| next)? )?`

var (
	imperative    = regexp.MustCompile(`(?i)^` + lead + `(?:` + investigating + `|` + acting + `)\b`)
	investigation = regexp.MustCompile(`(?i)^` + lead + `(?:` + investigating + `)\b`)
	gerund        = regexp.MustCompile(`(?i)\b(?:start|begin|by|after|before|then|and)(?: with| by)? (?:checking|opening|reading|looking (?:up|at|in|into|through)|listing|querying|exporting|comparing|calculating|finding|searching|pulling|reviewing|inspecting|verifying|counting|fetching|getting|retrieving|examining|consulting|downloading)\b`)
	marker        = regexp.MustCompile(`(?i)^(?:and |but )?(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|after that|afterwards|after this|from there|finally|lastly|step \d+|once (?:you have|you've|that is|this is|that's|you are|you're)|when you(?: have|'ve)|to (?:start|begin))\b`)
	condition     = regexp.MustCompile(`(?i)^(?:and |but |so )?(?:if|when|unless|should|in case|once (?:it|they|she|he|the))\b`)
)

// clause is a piece of a sentence between commas and the like, or before another verb that "and" joins.
type clause struct {
	text       string
	start, end int
	sentence   int
	item       bool // it opens an item of a list
}

// ends of clauses: punctuation, line ends, and "and" or "then" before a verb of an order.
var (
	breaks  = regexp.MustCompile(`[.!?]+(?:\s|$)|[,;:](?:\s|$)|\n+|\s[–—-]\s`)
	inline  = regexp.MustCompile(`\s\(?(?:\d{1,2}|[a-h])[.)]\s`)
	joining = regexp.MustCompile(`(?i)\s(?:and|then|and then)\s+(?:then\s+)?(?:` + investigating + `|` + acting + `)\b`)
	item    = regexp.MustCompile(`(?m)(?:^|\s)(?:[-*•‣]|\(?(?:\d{1,2}|[a-h])[.)]|(?i:step) \d{1,2}[.:)]?)\s+`)
)

// clauses divides a text.
func clauses(s string) []clause {
	var out []clause
	sentence := 0
	add := func(a, b int, sentence int) {
		for a < b && strings.ContainsRune(" \t\n\r\"'()", rune(s[a])) {
			a++
		}
		opened := false
		if m := item.FindStringIndex(s[a:b]); m != nil && strings.TrimSpace(s[a:a+m[0]]) == "" {
			a, opened = a+m[1], true
		}
		if a < b && strings.TrimSpace(s[a:b]) != "" {
			out = append(out, clause{s[a:b], a, b, sentence, opened})
		}
	}
	split := func(a, b int) {
		at := a
		for at < b {
			m := joining.FindStringIndex(s[at:b])
			if m == nil {
				break
			}
			add(a, at+m[0], sentence)
			a = at + m[0] + 1
			// The joining word stays with the clause that it opens.
			at += m[1]
		}
		add(a, b, sentence)
	}
	at := 0
	ends := breaks.FindAllStringIndex(s, -1)
	for _, m := range inline.FindAllStringIndex(s, -1) {
		ends = append(ends, []int{m[0], m[0] + 1})
	}
	slices.SortFunc(ends, func(a, b []int) int { return a[0] - b[0] })
	for _, m := range ends {
		if m[0] < at {
			continue
		}
		if listMark(s, m) {
			continue
		}
		split(at, m[0])
		at = m[1]
		if strings.ContainsAny(s[m[0]:m[1]], ".!?\n") {
			sentence++
		}
	}
	split(at, len(s))
	return out
}

var bareMark = regexp.MustCompile(`(?:^|\s)\(?(?:\d{1,2}|[a-hA-H])$`)

// listMark says whether a point only ends the number of an item.
func listMark(s string, m []int) bool {
	return s[m[0]] == '.' && bareMark.MatchString(s[max(0, m[0]-6):m[0]])
}
