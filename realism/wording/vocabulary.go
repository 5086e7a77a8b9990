package wording

import (
	"regexp"
	"slices"
	"strings"
)

// RuleTool is the rule of names that only tools have.
const RuleTool = "tool"

// Vocabulary is what a world calls its parts.
type Vocabulary struct {
	Tools   []string // server.resource.operation
	Names   []string // tables, columns, fields of the answer, ids of options
	Servers []string
}

var (
	joined   = regexp.MustCompile(`\b[A-Za-z][A-Za-z0-9]*(?:[._/:]{1,2}[A-Za-z0-9]+)+\b`)
	surfaces = regexp.MustCompile(`(?i)https?://\S+|(?:^|[\s("'])/(?:mcp|api|rest|v\d+|evidence|console|openapi)\b[\w/.-]*|\bassay (?:world|call|grade|run|audit)\b`)
	system   = map[string]bool{"system": true, "systems": true, "server": true, "servers": true, "tool": true, "tools": true, "mcp": true, "api": true, "endpoint": true, "connector": true}
)

// ToolNames finds names of a world's parts, as nobody writes them to a colleague. The plain names of systems count only
// beside a word such as server or tool: the drive and the calendar are everybody's words.
func ToolNames(s string, v Vocabulary) []Hit {
	known := map[string]bool{}
	for _, t := range v.Tools {
		parts := strings.Split(t, ".")
		for i := range parts {
			for k := i + 2; k <= len(parts); k++ {
				known[bare(strings.Join(parts[i:k], "."))] = true
			}
		}
	}
	for _, n := range v.Names {
		if strings.ContainsAny(n, "_.") || compound.MatchString(n) {
			known[bare(n)] = true
		}
	}
	out := find(RuleTool, s, surfaces, "an address or a command of a surface")
	for _, re := range []*regexp.Regexp{joined, compound} {
		for _, h := range find(RuleTool, s, re, "a name of the world's") {
			if known[bare(s[h.Start:h.End])] {
				out = apart(out, h)
			}
		}
	}
	tokens := Tokens(s)
	for i, t := range tokens {
		if !slices.ContainsFunc(v.Servers, func(n string) bool { return strings.EqualFold(n, t.Text) }) {
			continue
		}
		if i+1 < len(tokens) && system[tokens[i+1].Text] {
			out = apart(out, Hit{RuleTool, t.Start, tokens[i+1].End, "a system called as a tool"})
		} else if i > 0 && system[tokens[i-1].Text] {
			out = apart(out, Hit{RuleTool, tokens[i-1].Start, t.End, "a system called as a tool"})
		}
	}
	return out
}

// apart adds a hit that lies in none that is there.
func apart(list []Hit, h Hit) []Hit {
	if slices.ContainsFunc(list, func(o Hit) bool { return o.Start <= h.Start && h.End <= o.End }) {
		return list
	}
	return append(list, h)
}

// RuleHarness and RuleGrading are the rules of what no colleague says.
const (
	RuleHarness = "harness"
	RuleGrading = "grading"
)

var harness = []struct {
	re   *regexp.Regexp
	note string
}{
	{regexp.MustCompile(`\bMCP\b|(?i:\bjson-?rpc\b)|\btools/(?:call|list)\b`), "a protocol"},
	{regexp.MustCompile("```|~~~"), "a fence of code"},
	{regexp.MustCompile(`(?i)\b(?:curl|wget) +(?:-|https?:)|\bcurl\b`), "a command"},
	{regexp.MustCompile(`\{\s*"[^"\n]*"\s*:|\[\s*\{\s*"`), "a piece of JSON"},
	{regexp.MustCompile(`\bSELECT\b[^.\n]{1,80}\bFROM\b|\bINSERT INTO\b|\bUPDATE \w+ SET\b|\bDELETE FROM\b|(?i:\bselect \* from\b)`), "a piece of SQL"},
	{regexp.MustCompile(`(?:^|[\s("'` + "`" + `])/(?:workspace|tests?|solution|logs|tmp|root|app)(?:/[\w.-]*)*`), "a path of a harness"},
	{regexp.MustCompile(`\$\{?[A-Z][A-Z0-9_]{2,}\}?|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b`), "a variable of the environment"},
	{regexp.MustCompile(`(?i)\bsubmit(?:ting)? (?:the|your|an|a final|the final) answers?\b|\bsubmit_answer\b|\bfinal answer\b`), "handing an answer in"},
	{regexp.MustCompile(`(?i)\b(?:return|write|reply|respond|output|answer)(?: with)? exactly\b|\bexactly (?:this|the following) (?:format|text|string)\b`), "a form to the letter"},
	{regexp.MustCompile(`(?i)\bcall (?:the )?(?:[\w]+[._][\w.]+|` + "`[^`\n]+`" + `|[\w ]{1,30}\b(?:tool|function|endpoint|api))\b`), "the call of a tool"},
	{regexp.MustCompile(`(?i)\boutput format\b|\bresponse format\b|\banswer schema\b|\bjson (?:object|schema|array|format)\b`), "a format"},
	{regexp.MustCompile(`(?i)\bdone when\b|\bdefinition of done\b|\bsuccess criteria\b`), "an end for a machine"},
	{regexp.MustCompile(`(?i)\bbase64\b|\b(?:required|optional) fields?\b|\benums?\b|\bidempotency key\b|\bstdout\b|\bexit code\b|\bsystem prompt\b`), "a word of schemas"},
	{regexp.MustCompile(`\A\s*-`), "a dash at the beginning, which a command line takes for an option"},
	{regexp.MustCompile(`(?m)\A\s*(?:---|\+\+\+)\s*$`), "front matter"},
}

// Harness finds what is said to programs and not to people.
func Harness(s string) []Hit {
	var out []Hit
	for _, h := range harness {
		out = append(out, find(RuleHarness, s, h.re, h.note)...)
	}
	return out
}

var (
	hardGrading = regexp.MustCompile(`(?i)\b(?:rubrics?|verifiers?|graders?|benchmarks?|oracles?|rewards?|test harness|hidden tests?|llm judges?|llm-as-a-judge|to pass this task|(?:you|your (?:answer|work|reply|response|submission))(?: will|'ll| are| is)?(?: be)? (?:being )?(?:graded|scored|evaluated|marked|judged|assessed))\b`)
	softGrading = regexp.MustCompile(`(?i)\b(?:scor(?:e|es|ed|ing)|grad(?:e|es|ed|ing)|milestones?|criteria|criterion|evaluations?|evaluated|pass/fail|pass or fail)\b`)
	taskWords   = regexp.MustCompile(`(?i)\bthis (?:task|submission|exercise|test|assessment|answer)\b`)
	ownTrade    = regexp.MustCompile(`(?i)\b(?:credit|acceptance|contract|contractual|steel|material|alloy|fuel|quality|supplier|vendor|risk|paper|lumber|timber|pay|salary|survey|selection|award|payment|project|delivery|eligibility|exclusion|release|inspection|visual|surface|bid|tender|proposal|site|medical|clinical)[ -](?:scores?|scoring|grades?|grading|milestones?|criteria|criterion|evaluations?)\b`)
)

const gradingWithin = 6

// Grading finds talk of tests. Words that trades have, too, count only where the reader or this task is spoken of nearby, and
// not in a trade's own term: a steel grade, acceptance criteria.
func Grading(s string) []Hit {
	out := find(RuleGrading, s, hardGrading, "talk of grading")
	trade := ownTrade.FindAllStringIndex(s, -1)
	tokens := Tokens(s)
	for _, m := range softGrading.FindAllStringIndex(s, -1) {
		if slices.ContainsFunc(trade, func(t []int) bool { return t[0] <= m[0] && m[1] <= t[1] }) {
			continue
		}
		first, last := -1, -1
		for i, t := range tokens {
			if t.Start < m[1] && t.End > m[0] {
				if first < 0 {
					first = i
				}
				last = i
			}
		}
		if first < 0 {
			continue
		}
		a, b := max(0, first-gradingWithin), min(len(tokens)-1, last+gradingWithin)
		near := s[tokens[a].Start:tokens[b].End]
		you := slices.ContainsFunc(tokens[a:b+1], func(t Token) bool {
			return slices.Contains([]string{"you", "your", "yours", "yourself", "you'll", "you're"}, t.Text)
		})
		if you || taskWords.MatchString(near) {
			out = append(out, Hit{RuleGrading, tokens[a].Start, tokens[b].End, "talk of grading"})
		}
	}
	return out
}

var outcome = regexp.MustCompile(`(?i)\b(?:need(?:s|ed)?|want(?:s|ed)?|must|has to|have to|would like|decid(?:e|es|ing)|settle|sort (?:this|it|that) out|whether|so that|promis(?:e|ed)|get (?:\w+ ){1,6}(?:by|before|back|in time)|waiting (?:for|on)|asks?(?: me| us)? (?:for|whether|when)|expects?|what (?:we|i|she|he|they) can|how (?:much|many|soon|long)|which (?:way|day|date|of)|when (?:we|it|the|she|he|they) can|by when|can we|could we|should we|do we)\b`)

// Outcomes finds the clauses that say what somebody wants to have in the end.
func Outcomes(s string) []Hit { return find("outcome", s, outcome, "") }
