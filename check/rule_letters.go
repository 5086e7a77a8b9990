package check

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/token"
)

// charsRule bans or wants single characters: listed ones, or a class.
type charsRule struct {
	Any      string `json:"any,omitempty"` // the characters, one after another
	Class    string `json:"class,omitempty"`
	FoldCase bool   `json:"fold_case"`
	Ban      bool   `json:"ban"`
}

var classes = map[string]func(rune) bool{
	"digit":       unicode.IsDigit,
	"letter":      unicode.IsLetter,
	"upper":       unicode.IsUpper,
	"lower":       unicode.IsLower,
	"punctuation": unicode.IsPunct,
	"non_ascii":   func(r rune) bool { return r > unicode.MaxASCII },
}

func (r *charsRule) params() any { return r }

func (r *charsRule) what() string {
	if r.Class != "" {
		return "character of the class " + r.Class
	}
	list := make([]string, 0, len(r.Any))
	for _, c := range r.Any {
		list = append(list, string(c))
	}
	s := "of the characters " + quoteList(list, "and")
	if len(list) == 1 {
		s = fmt.Sprintf("character %q", list[0])
	}
	if r.FoldCase {
		s += " (upper or lower case)"
	}
	return s
}

func (r *charsRule) words() string {
	if r.Ban {
		return "no " + r.what() + " appears anywhere"
	}
	return "some " + r.what() + " appears"
}

func (r *charsRule) judge(_ context.Context, in *input) result {
	want := r.words()
	for i, c := range in.text {
		if token.Invisible(c) || !r.is(c) {
			continue
		}
		if r.Ban {
			return failAt(token.Span{Start: i, End: i + len(string(c))}, fmt.Sprintf("contains %q", string(c)), want, fmt.Sprintf("%q", string(c)))
		}
		return pass(want, fmt.Sprintf("%q", string(c)))
	}
	if r.Ban {
		return pass(want, "none")
	}
	return fail("no "+r.what()+" appears", want, "none")
}

func (r *charsRule) is(c rune) bool {
	if r.Class != "" {
		return classes[r.Class](c)
	}
	if !r.FoldCase {
		return strings.ContainsRune(r.Any, c)
	}
	for _, w := range r.Any {
		if strings.EqualFold(string(w), string(c)) {
			return true
		}
	}
	return false
}

func init() {
	for _, ban := range []bool{true, false} {
		verb, suffix := "wants", "_present"
		if ban {
			verb, suffix = "bans", "_absent"
		}
		register(kind{name: "letters" + suffix, version: 1, mutate: mutateChars,
			doc: verb + " letters in upper and lower case: \"e\" or a list of single letters",
			compile: func(_ *compiler, n *bench.Node) (rule, error) {
				texts, err := n.AsTexts()
				if err != nil {
					return nil, err
				}
				r := &charsRule{FoldCase: true, Ban: ban}
				r.Any, err = singles(n, texts, unicode.IsLetter, "letter")
				return r, err
			}})
		register(kind{name: "characters" + suffix, version: 1, mutate: mutateChars,
			doc: verb + " characters: {any: [\",\"]} or {class: digit}; classes: " + strings.Join(sorted(keys(classes)), ", "),
			compile: func(_ *compiler, n *bench.Node) (rule, error) {
				f := bench.NewFields(n)
				r := &charsRule{Ban: ban, Class: f.Text("class")}
				texts := f.Texts("any")
				if (r.Class == "") == (len(texts) == 0) && n.Kind == bench.Map {
					f.Fault(n.Errorf("give either any or class"))
				}
				if r.Class != "" && classes[r.Class] == nil {
					f.Fault(n.Get("class").Errorf("unknown class %q%s", r.Class, bench.Nearest(r.Class, sorted(keys(classes)))))
				}
				var err error
				r.Any, err = singles(n, texts, func(r rune) bool { return !token.Invisible(r) }, "visible character")
				f.Fault(err)
				return r, f.Done()
			}})
	}
}

// singles joins texts that must each be one character.
func singles(n *bench.Node, texts []string, ok func(rune) bool, what string) (string, error) {
	for _, t := range texts {
		runes := []rune(t)
		if len(runes) != 1 || !ok(runes[0]) {
			return "", n.Errorf("%q is not one %s", t, what)
		}
	}
	return strings.Join(texts, ""), nil
}
