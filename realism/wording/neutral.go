package wording

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// Classes of what stands for somebody's own names and figures. They are in capitals, which no word of a normal form is.
const (
	classID     = "ID"
	classDate   = "DATE"
	classTime   = "TIME"
	classMoney  = "MONEY"
	classNumber = "NUMBER"
)

const months = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`

// classes are tried in order at each place; the first that fits is taken.
var classes = []struct {
	name string
	re   *regexp.Regexp
}{
	{classID, regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)},
	{classDate, regexp.MustCompile(`^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b`)},
	{classDate, regexp.MustCompile(`^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b`)},
	{classDate, regexp.MustCompile(`^\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:` + months + `)\b(?:,? \d{4}\b)?`)},
	{classDate, regexp.MustCompile(`^(?:` + months + `) \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4}\b)?`)},
	{classDate, regexp.MustCompile(`^(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:'s|s)?\b`)},
	{classTime, regexp.MustCompile(`^\d{1,2}:\d{2}(?::\d{2})?\b`)},
	{classTime, regexp.MustCompile(`^\d{1,2} ?(?:am|pm|h)\b`)},
	{classMoney, regexp.MustCompile(`^[$€£¥] ?\d[\d.,]*\d|^[$€£¥] ?\d`)},
	{classMoney, regexp.MustCompile(`^(?:eur|usd|gbp|chf|jpy) ?\d(?:[\d.,]*\d)?\b`)},
	{classMoney, regexp.MustCompile(`^\d(?:[\d.,]*\d)? ?(?:eur|usd|gbp|chf|jpy|euros?|dollars?|pounds?)\b`)},
	{classID, regexp.MustCompile(`^[a-z]{1,12}(?:[-_/]?\d[a-z0-9]*)(?:[-_/][a-z0-9]+)*\b`)},
	{classID, regexp.MustCompile(`^[0-9a-f]*[0-9][0-9a-f]*[a-f][0-9a-f]*\b`)},
	{classNumber, regexp.MustCompile(`^\d(?:[\d.,]*\d)?\b`)},
}

// minHex is from how many digits on a hexadecimal number is somebody's id.
const minHex = 8

// Neutral gives a text's words without what only names this case: the identities (which are left out, longest first), and
// ids, dates, times, sums and numbers (which become the name of their class).
func Neutral(s string, identities []string) []string {
	text := Normal(s)
	text = without(text, identities)
	var out []string
	for i := 0; i < len(text); {
		if i > 0 && wordByte(text[i-1]) && wordByte(text[i]) {
			i++ // inside a word that was taken
			continue
		}
		if name, n := classAt(text[i:]); n > 0 {
			out = append(out, name)
			i += n
			continue
		}
		tokens := Tokens(head(text[i:]))
		if len(tokens) == 0 || tokens[0].Start > 0 {
			i++
			continue
		}
		out = append(out, tokens[0].Text)
		i += tokens[0].End
	}
	return out
}

// head gives a text up to its first white space, so that a long one is not read again at each word.
func head(s string) string {
	if i := strings.IndexAny(s, " \t\n\r\f"); i >= 0 {
		return s[:i]
	}
	return s
}

func wordByte(b byte) bool {
	return b >= 0x80 || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b == '_'
}

// classWithin is how far a class's name may reach: they are short, and a text is long.
const classWithin = 80

func classAt(s string) (string, int) {
	if len(s) > classWithin {
		s = s[:classWithin]
	}
	for _, c := range classes {
		m := c.re.FindString(s)
		if m == "" || c.name == classID && isHex(m) && len(m) < minHex && !strings.ContainsAny(m, "-_/") && m[0] <= '9' {
			continue
		}
		return c.name, len(m)
	}
	return "", 0
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// Without gives a text, with its white space squeezed, without the identities where they stand as whole words.
func Without(s string, identities []string) string { return without(Normal(s), identities) }

// without leaves identities out where they stand as whole words.
func without(text string, identities []string) string {
	list := make([]string, 0, len(identities))
	for _, id := range identities {
		if id = squeezed(id); len([]rune(id)) > 1 {
			list = append(list, id)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	list = slices.Compact(list)
	text = strings.Join(strings.Fields(text), " ")
	for _, id := range list {
		text = cut(text, id)
	}
	return text
}

func cut(text, id string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, id)
		if i < 0 {
			break
		}
		end := i + len(id)
		whole := (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end]))
		b.WriteString(text[:i])
		if !whole {
			b.WriteString(id)
		} else {
			b.WriteByte(' ')
		}
		text = text[end:]
	}
	b.WriteString(text)
	return b.String()
}

// AlikeNeutral is Alike without what only names each case.
func AlikeNeutral(a string, aIdentities []string, b string, bIdentities []string) *big.Rat {
	return Jaccard(Shingles(Neutral(a, aIdentities), Window), Shingles(Neutral(b, bIdentities), Window))
}
