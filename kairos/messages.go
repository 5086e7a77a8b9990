package kairos

import (
	"slices"
	"strings"
)

// entry is what is said of one code. The texts are templates over the arguments of fail: %[2]v stands for the second of
// them, {2?…} is kept when the second is not empty, {2!…} when it is; these nest. The Japanese text has the hint in
// parentheses.
type entry struct {
	args string // what the arguments are, each in a word; one that a table of all codes leaves empty ends with ?
	en   string
	hint string // what to do, or empty
	ja   string
}

// catalogue is the entries of all codes, by area.
var catalogue = [...]map[string]entry{sourceMessages, nameMessages, valueMessages, labelMessages, windowMessages, stageMessages,
	dataMessages, supplyMessages, runMessages}

func entryOf(code string) (entry, bool) {
	for _, area := range catalogue {
		if e, ok := area[code]; ok {
			return e, true
		}
	}
	return entry{}, false
}

// classes gives the class of codes by what stands before their first dot; all others are of EvalError.
var classes = map[string]Class{"lex": LexError, "parse": ParseError, "supply": SupplyError, "ooc": Uncovered, "limit": LimitError}

func classOf(code string) Class {
	area, _, _ := strings.Cut(code, ".")
	if c, ok := classes[area]; ok {
		return c
	}
	return EvalError
}

// finished gives an error what it shows when it leaves the package: its place in lines, its class and its messages. An
// error that brings a message of its own, as one from a Supplier may, keeps it. Finishing an error again changes nothing.
func finished(err error, src string) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	if e.Span != (Span{}) && e.Span.Start >= 0 {
		e.Line, e.Column = lineColumn(src, lineStarts(src), e.Span.Start)
	}
	if e.Class == "" {
		e.Class = classOf(e.Code)
	}
	if e.Message == "" {
		m, known := entryOf(e.Code)
		if !known {
			m = entry{en: "an error of the code %[1]v", ja: "コード %[1]v のエラーです"}
			e.args = []any{e.Code}
		}
		e.Message, e.Hint, e.Japanese = fill(m.en, e.args, english), fill(m.hint, e.args, english), fill(m.ja, e.args, japanese)
	}
	if e.Japanese == "" {
		e.Japanese = e.Message
	}
	return e
}

// fill puts arguments into a template.
func fill(template string, args []any, in language) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = shown(a, in)
	}
	return expand(template, texts)
}

// expand puts texts into a template. What the texts themselves hold is not looked at.
func expand(t string, args []string) string {
	arg := func(digit byte) string {
		if i := int(digit) - '1'; i >= 0 && i < len(args) {
			return args[i]
		}
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(t); {
		rest := t[i:]
		switch {
		case len(rest) >= len("%[1]v") && rest[:2] == "%[" && rest[3:5] == "]v":
			b.WriteString(arg(rest[2]))
			i += len("%[1]v")
		case len(rest) >= len("{1?}") && rest[0] == '{' && isDigit(rest[1]) && (rest[2] == '?' || rest[2] == '!'):
			end := closing(rest)
			if (arg(rest[1]) != "") == (rest[2] == '?') {
				b.WriteString(expand(rest[len("{1?"):end], args))
			}
			i += min(end+1, len(rest))
		default:
			b.WriteByte(t[i])
			i++
		}
	}
	return b.String()
}

// closing gives the place of the brace that closes the one with which t begins.
func closing(t string) int {
	depth := 0
	for i := range len(t) {
		switch t[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(t)
}

// Code is a diagnostic as a table of all of them shows it. Names and values that come from the program stand in capital
// letters.
type Code struct {
	Code    string
	Class   Class
	Message string
	Hint    string // what to do, or empty
}

// Codes gives the diagnostics of the package, sorted by code.
func Codes() []Code {
	var list []Code
	for _, area := range catalogue {
		for code, e := range area {
			words := e.words()
			for i, w := range words {
				if strings.HasSuffix(w, "?") {
					words[i] = ""
				}
			}
			list = append(list, Code{code, classOf(code), expand(e.en, words), expand(e.hint, words)})
		}
	}
	slices.SortFunc(list, func(a, b Code) int { return strings.Compare(a.Code, b.Code) })
	return list
}

// words are what the arguments are.
func (e entry) words() []string { return strings.Fields(e.args) }
