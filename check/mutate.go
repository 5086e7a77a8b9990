package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/number"
	"github.com/assaybench/assay/check/strictjson"
	"github.com/assaybench/assay/check/token"
)

// mutation is a generated near-miss of a reference answer, made so that it must break the rule that generated it.
type mutation struct {
	name   string
	answer string
}

// foreignProse is an answer to no item: plain text without digits, in a length that no limit of words bans by itself.
const foreignProse = "Quartz clocks keep quiet hours. Lime trees along the avenue were pruned in spring; nobody complained."

// Mutants makes near-misses out of an item's first reference: those that each rule makes for itself and must be broken by,
// those that no item may accept (an empty answer, the prompt echoed back, foreign prose), and those that change nothing
// a rule may look at (a line break behind the answer, CR LF line ends), which must leave the verdict as it was.
func (s *Set) Mutants(item string) ([]bench.Mutant, error) {
	controls, err := s.Controls(item)
	if err != nil {
		return nil, err
	}
	it, err := s.Item(item)
	if err != nil {
		return nil, err
	}
	ref, ok := firstReference(controls)
	if !ok {
		return nil, nil
	}
	out := []bench.Mutant{
		{Name: "empty", Answer: "", Breaks: bench.AnyRule},
		{Name: "blank", Answer: " \n\u200b\n", Breaks: bench.AnyRule},
		{Name: "prompt-echo", Answer: it.Prompt, Breaks: bench.AnyRule},
		{Name: "foreign-prose", Answer: foreignProse, Breaks: bench.AnyRule},
		{Name: "line-break-behind", Answer: ref + "\n", Breaks: bench.NoRule},
		{Name: "cr-lf", Answer: strings.ReplaceAll(strings.ReplaceAll(ref, "\r\n", "\n"), "\n", "\r\n") + "\r\n", Breaks: bench.NoRule},
	}
	for _, r := range it.rules {
		if r.kind.mutate == nil {
			continue
		}
		for _, m := range r.kind.mutate(r.rule, ref) {
			// What shows nothing is refused before any rule looks, and has its own mutants above.
			if m.answer != ref && !token.Blank(m.answer) && len(m.answer) <= MaxAnswer {
				out = append(out, bench.Mutant{Name: r.name + "/" + m.name, Answer: m.answer, Breaks: r.name})
			}
		}
	}
	return out, nil
}

// fence wraps an answer as chat models like to.
func fence(s string) string { return "```\n" + strings.TrimRight(s, "\n") + "\n```" }

// maxGrown bounds how much a near-miss adds to an answer; where more would be needed, none is made.
const maxGrown = 1 << 20

func mutateCount(r rule, ref string) []mutation {
	c := r.(*countRule)
	u := units[c.Unit]
	n := u.count(ref)
	most, bounded := c.most()
	var out []mutation
	if u.spans == nil {
		if bounded && most-n < maxGrown {
			out = append(out, mutation{"too-many", ref + strings.Repeat("x", max(1, most-n+1))})
		}
		return out
	}
	if !c.allow(n + 1) {
		out = append(out, mutation{"one-more", grow(c.Unit, ref, 1)})
	}
	if bounded && n < most && most-n < maxGrown/16 {
		out = append(out, mutation{"too-many", grow(c.Unit, ref, most-n+1)})
	}
	spans := u.spans(ref)
	if n > 0 && !c.allow(n-1) {
		last := spans[n-1]
		out = append(out, mutation{"one-less", strings.TrimRight(ref[:last.Start]+ref[last.End:], " \n")})
	}
	if c.Min != nil && *c.Min > 1 && n >= *c.Min {
		out = append(out, mutation{"too-few", ref[:spans[*c.Min-2].End]})
	}
	if c.Unit == "sentences" && n > 0 {
		out = append(out, mutation{"unfinished", strings.TrimRight(ref, " \n") + " And more"})
	}
	return out
}

// grow adds units to the end of an answer.
func grow(unit, s string, times int) string {
	more := map[string]string{"words": " so", "sentences": " So it is.", "lines": "\nso", "paragraphs": "\n\nso"}[unit]
	return strings.TrimRight(s, " \n") + strings.Repeat(more, times)
}

func mutatePer(r rule, ref string) []mutation {
	p := r.(*perRule)
	most, ok := p.most()
	parts := units[p.Per].spans(ref)
	if !ok || len(parts) == 0 || most > maxGrown/4 {
		return nil
	}
	filler := strings.Repeat(" so", most+1)
	switch p.Unit {
	case "characters":
		filler = strings.Repeat("x", most+1)
	case "sentences":
		filler = strings.Repeat(" So it is.", most+1)
	}
	last := parts[len(parts)-1]
	own := token.TrimSpan(ref, last)
	end := own.End
	if p.Per == "sentences" {
		end = token.Tail(ref, own)
	}
	return []mutation{{"too-long", ref[:end] + filler + ref[end:]}}
}

func mutateAffix(r rule, ref string) []mutation {
	a := r.(*affixRule)
	parts := a.parts(ref)
	if len(parts) == 0 {
		return nil
	}
	own := a.own(ref, parts[len(parts)-1])
	if a.Each == "sentence" && a.End {
		own.End = token.Foot(ref, own)
	}
	at := own.Start // where the affix stands, if it stands there letter for letter
	if a.End {
		at = own.End - len(a.Text)
	}
	if at < own.Start || at+len(a.Text) > own.End || !strings.EqualFold(ref[at:at+len(a.Text)], a.Text) {
		return nil
	}
	with := func(text string) string { return ref[:at] + text + ref[at+len(a.Text):] }
	var out []mutation
	for _, other := range []string{"Q", "Z"} {
		m := with(other)
		if p := a.parts(m); len(p) == len(parts) && !a.holds(m, a.own(m, p[len(p)-1])) {
			out = append(out, mutation{"lost", m})
			break
		}
	}
	if lower := strings.ToLower(a.Text); lower != a.Text && !a.FoldCase {
		out = append(out, mutation{"lower-case", with(lower)})
	}
	return out
}

func mutatePresent(r rule, ref string) []mutation {
	p := r.(*presentRule)
	var out []mutation
	remove := func(name string, texts ...string) {
		s := ref
		for _, t := range texts {
			s = replaceFolded(s, p.needles[t], p.FoldCase)
		}
		out = append(out, mutation{name, s})
	}
	for _, t := range p.All {
		remove("without "+clip(t), t)
	}
	for i, g := range p.Groups {
		remove(fmt.Sprintf("without-group-%d", i+1), g...)
	}
	return out
}

// replaceFolded takes a needle out of a text wherever it stands.
func replaceFolded(s, needle string, foldCase bool) string {
	out := func(string) string { return "qx" }
	s = rewrite(s, needle, foldCase, token.Substring, out)
	if f, marked := token.Fold(s, foldCase).Unmarked(); marked {
		s = rewriteIn(f, s, needle, token.Substring, out)
	}
	return s
}

// rewrite puts another text in every place where a needle stands.
func rewrite(s, needle string, foldCase bool, how token.Match, to func(string) string) string {
	return rewriteIn(token.Fold(s, foldCase), s, needle, how, to)
}

func rewriteIn(f token.Folded, s, needle string, how token.Match, to func(string) string) string {
	var b strings.Builder
	at := 0
	for _, p := range f.Count(needle, how) {
		raw := f.Raw(p)
		b.WriteString(s[at:raw.Start] + to(raw.Of(s)))
		at = raw.End
	}
	return b.String() + s[at:]
}

func mutateAbsent(r rule, ref string) []mutation {
	a := r.(*absentRule)
	var out []mutation
	for _, t := range a.Any {
		out = append(out, mutation{"with " + clip(t), insertBefore(ref, t)})
		// "ß" has no upper case that folds back to it.
		if up := strings.ToUpper(t); a.FoldCase && up != t && token.Fold(up, true).Text == a.needles[t] {
			out = append(out, mutation{"with " + clip(up), insertBefore(ref, up)})
		}
	}
	return out
}

// insertBefore puts a text, between spaces, before the answer's last word.
func insertBefore(s, text string) string {
	words := token.Words(s)
	if len(words) == 0 {
		return text
	}
	at := words[len(words)-1].Start
	return s[:at] + text + " " + s[at:]
}

func mutateWords(r rule, ref string) []mutation {
	w := r.(*wordsRule)
	var out []mutation
	for _, word := range w.Words {
		n := len(tokenCount(w, ref, word))
		if !w.allow(n + 1) {
			out = append(out, mutation{"again " + word, insertBefore(ref, word)})
		}
		if n > 0 && !w.allow(0) {
			out = append(out, mutation{"without " + word, replaceFolded(ref, w.needles[word], w.FoldCase)})
			out = append(out, mutation{"longer " + word, lengthen(ref, w, word)})
		}
	}
	return out
}

func tokenCount(w *wordsRule, s, word string) []token.Span {
	f := token.Fold(s, w.FoldCase)
	return f.Count(w.needles[word], token.WholeWords)
}

// lengthen makes every standing of a word part of a longer one.
func lengthen(s string, w *wordsRule, word string) string {
	return rewrite(s, w.needles[word], w.FoldCase, token.WholeWords, func(found string) string { return found + "qx" })
}

func mutateChars(r rule, ref string) []mutation {
	c := r.(*charsRule)
	var out []mutation
	if c.Ban {
		for _, ch := range sampleOf(c) {
			out = append(out, mutation{fmt.Sprintf("with %q", string(ch)), appendInside(ref, ch)})
		}
		return out
	}
	for _, other := range "#qZ0 " {
		if c.is(other) {
			continue
		}
		return []mutation{{"without", strings.Map(func(ch rune) rune {
			if c.is(ch) {
				return other
			}
			return ch
		}, ref)}}
	}
	return nil
}

// sampleOf gives characters that a rule bans, in both cases where it folds case.
func sampleOf(c *charsRule) []rune {
	if c.Class != "" {
		for _, ch := range "7aA!é" {
			if c.is(ch) {
				return []rune{ch}
			}
		}
		return nil
	}
	var out []rune
	for _, ch := range c.Any {
		out = append(out, ch)
		if up := unicode.ToUpper(ch); up != ch && c.is(up) {
			out = append(out, up)
		}
	}
	return out
}

// appendInside puts a character behind the answer's first word.
func appendInside(s string, ch rune) string {
	words := token.Words(s)
	if len(words) == 0 {
		return string(ch)
	}
	at := words[0].End
	return s[:at] + string(ch) + s[at:]
}

func mutateAnswer(r rule, ref string) []mutation {
	a := r.(*answerRule)
	line, ok := answerLine(ref)
	if !ok {
		return nil
	}
	with := func(value string) string { return ref[:line.Start] + answerMark + " " + value + ref[line.End:] }
	bare := ref
	for l, ok := line, true; ok; l, ok = answerLine(bare) { // earlier answer lines would bind in its place
		bare = bare[:l.Start] + bare[l.End:]
	}
	out := []mutation{{"no-line", bare + "\ndone"}, {"empty-line", with("")}}
	if _, more := answerLine(ref[:line.Start]); !more {
		out = append(out, mutation{"bold", ref[:line.Start] + "**" + line.Of(ref) + "**" + ref[line.End:]})
	}
	switch {
	case a.Number != "":
		unit := a.value.Unit()
		if u := a.tolerance.Unit(); u.Cmp(unit) < 0 {
			unit = u
		}
		value := a.value.String()
		other := "-" + value
		if a.value.Negative() {
			other = value[1:]
		}
		out = append(out, mutation{"one-unit-more", with(a.value.Add(a.tolerance).Add(unit).String())},
			mutation{"percent", with(value + "%")}, mutation{"unit", with(value + " units")}, mutation{"nan", with("nan")}, mutation{"exponent", with(value + "e0")})
		for _, m := range []mutation{{"other-sign", other}, {"tenfold", strings.Replace(value+"0", ".", "", 1)}} {
			if d, err := number.Parse(m.answer); err == nil && !d.Within(a.value, a.tolerance) {
				out = append(out, mutation{m.name, with(m.answer)})
			}
		}
	case a.Date != "":
		next := a.date.next()
		out = append(out, mutation{"next-day", with(next.String() + " " + next.weekday())}, mutation{"other-weekday", with(a.date.String() + " " + next.weekday())}, mutation{"no-weekday", with(a.date.String())})
	case a.Choice != "":
		for _, o := range a.Of {
			if o != a.Choice {
				out = append(out, mutation{"choice " + o, with(o)})
			}
		}
	}
	return out
}

func mutateJSON(r rule, ref string) []mutation {
	j := r.(*jsonRule)
	out := []mutation{{"fence", fence(ref)}, {"text-before", "Here it is: " + ref}, {"text-behind", ref + "\nDone."}, {"twice", ref + "\n" + ref}, {"list", "[" + ref + "]"}}
	v, err := strictjson.Parse(ref)
	if err != nil || v.Kind != strictjson.Object || len(v.Values) == 0 {
		return out
	}
	quote := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			return `"?"`
		}
		return string(b)
	}
	last := v.End - 1 // the closing brace
	out = append(out,
		mutation{"extra-key", ref[:last] + `, "qx-note": "none"}` + ref[v.End:]},
		mutation{"trailing-comma", ref[:last] + ",}" + ref[v.End:]},
		mutation{"duplicate-key", ref[:v.Start+1] + quote(v.Names[0]) + ": null, " + ref[v.Start+1:]},
		mutation{"missing-key", "{" + strings.TrimLeft(ref[v.Values[0].End:], ", \t\r\n")})
	for _, k := range j.Keys {
		m := v.Get(k.Name)
		if m == nil {
			continue
		}
		with := func(name, value string) {
			if value != ref[m.Start:m.End] {
				out = append(out, mutation{name + " " + k.Name, ref[:m.Start] + value + ref[m.End:]})
			}
		}
		switch k.Type {
		case "integer", "number":
			n, err := number.Parse(k.Equals[0])
			if err != nil {
				continue
			}
			with("shift", n.Add(n.Unit()).String())
			with("text", quote(m.Text))
		case "boolean":
			with("flip", map[string]string{"true": "false", "false": "true"}[m.Text])
			with("text", quote(m.Text))
		case "string":
			with("other", quote(m.Text+" qx"))
			with("null", "null")
		case "strings":
			entries := make([]string, len(m.Values))
			for i, e := range m.Values {
				entries[i] = ref[e.Start:e.End]
			}
			with("longer", "["+strings.Join(append(slices.Clone(entries), `"qx"`), ", ")+"]")
			if n := len(entries); n > 1 && !k.equal(m.Values[n-1].Text, k.Equals[0]) {
				slices.Reverse(entries)
				with("reversed", "["+strings.Join(entries, ", ")+"]")
			}
		}
	}
	return out
}

func mutateOneLine(_ rule, ref string) []mutation {
	return []mutation{{"fence", fence(ref)}, {"second-line", ref + "\n# that is it"}}
}

func mutateWhole(r rule, ref string) []mutation {
	switch r := r.(type) {
	case *equalsRule:
		return []mutation{{"more", ref + " qx"}}
	case *patternRule:
		if !r.Ban && !r.re.MatchString(token.Plain(foreignProse).Text) {
			return []mutation{{"other-text", foreignProse}}
		}
	}
	return nil
}

func firstReference(controls []bench.Control) (string, bool) {
	for _, c := range controls {
		if c.Accept {
			return c.Answer, true
		}
	}
	return "", false
}
