package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assaybench/assay/check/token"
	"github.com/assaybench/assay/record"
)

// MaxAnswer is how many bytes of answer are read; a longer one is unread. No item asks for a thousandth of it.
const MaxAnswer = 4 << 20

// emptyRule names the finding of an answer that shows nothing: "an empty answer never passes".
const emptyRule = "empty"

// judge makes the verdict of an answer. who fills in bench and grader.
func (it *Item) judge(ctx context.Context, answer string, box Box, nobox string) record.Verdict {
	v := record.Verdict{Item: it.ID, Frozen: it.Frozen, Basis: it.Basis, Findings: []record.Finding{}, Diagnostics: map[string]any{}}
	if it.Blocked != "" {
		return it.settle(v, record.Ungradable, it.Blocked)
	}
	it.apply(ctx, &v, answer, box, nobox, false)
	if !v.Pass && v.State != record.Ungradable {
		if d := it.tolerant(ctx, answer, box, nobox); d != nil {
			v.Diagnostics["tolerant"] = d
		}
	}
	return v
}

// apply holds the rules against an answer and settles the verdict.
func (it *Item) apply(ctx context.Context, v *record.Verdict, answer string, box Box, nobox string, diagno bool) {
	switch {
	case len(answer) > MaxAnswer:
		*v = it.settle(*v, record.Unread, fmt.Sprintf("the answer has %d bytes, and at most %d are read", len(answer), MaxAnswer))
		return
	case !utf8.ValidString(answer):
		*v = it.settle(*v, record.Unread, fmt.Sprintf("the answer is not UTF-8 (byte %d)", invalidAt(answer)))
		return
	case token.Blank(answer):
		v.Findings = append(v.Findings, record.Finding{Rule: emptyRule, Why: "the answer is empty", Expected: "an answer", Got: "nothing"})
		*v = it.settle(*v, record.Unread, "the answer is empty")
		return
	}
	in := &input{text: answer, box: box, nobox: nobox, diagno: diagno}
	results := make([]*result, len(it.rules))
	refused := false
	for i, r := range it.rules {
		if !r.kind.executes {
			res := r.rule.judge(ctx, in)
			results[i] = &res
			refused = refused || !res.pass
		}
	}
	// What is already refused is not run, wherever its rule stands: the verdict is the same on every machine.
	for i, r := range it.rules {
		if r.kind.executes && !refused {
			res := r.rule.judge(ctx, in)
			results[i] = &res
			refused = !res.pass
		}
	}
	state, reason := record.Graded, ""
	for i, r := range it.rules {
		res := results[i]
		if res == nil {
			v.Findings = append(v.Findings, record.Finding{Rule: r.name, Skipped: true, Why: "not run: another rule is broken", Expected: r.rule.words()})
			continue
		}
		v.Findings = append(v.Findings, finding(answer, r, *res))
		maps.Copy(v.Diagnostics, res.diag)
		if state == record.Graded && res.state != record.Graded {
			state, reason = res.state, res.why
		}
	}
	*v = it.settle(*v, state, reason)
}

// settle draws what follows from the findings.
func (it *Item) settle(v record.Verdict, state record.State, reason string) record.Verdict {
	v.State, v.Reason, v.Pass = state, reason, state == record.Graded
	for _, f := range v.Findings {
		v.Pass = v.Pass && f.Pass
	}
	switch {
	case state == record.Ungradable:
		v.Letter = record.LetterUngradable
	case state == record.Unread:
		v.Letter = record.LetterUnread
	case v.Pass:
		v.Letter = record.LetterPass
	default:
		v.Letter = record.LetterWrong
	}
	return v
}

func finding(answer string, r named, res result) record.Finding {
	f := record.Finding{Rule: r.name, Pass: res.pass && res.state == record.Graded, Why: res.why, Expected: res.want, Got: res.got}
	if res.where != nil {
		f.Where = &record.Span{Start: res.where.Start, End: res.where.End,
			RuneStart: token.RuneOffset(answer, res.where.Start), RuneEnd: token.RuneOffset(answer, res.where.End)}
	}
	return f
}

func invalidAt(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return len(s)
}

// tolerant judges the answer again after undoing what models often wrap around it. It is a diagnostic beside the binding
// parse and never changes the verdict; nil where there was nothing to undo.
func (it *Item) tolerant(ctx context.Context, answer string, box Box, nobox string) map[string]any {
	if len(answer) > MaxAnswer {
		return nil
	}
	text, undone := unwrap(strings.ToValidUTF8(answer, "\uFFFD"))
	if len(undone) == 0 {
		return nil
	}
	v := record.Verdict{Item: it.ID, Basis: it.Basis, Diagnostics: map[string]any{}}
	it.apply(ctx, &v, text, box, nobox, true)
	d := map[string]any{"undone": undone, "pass": v.Pass, "state": string(v.State)}
	if v.Reason != "" {
		d["reason"] = v.Reason
	}
	return d
}

// endMarks are end-of-turn tokens that servers with a wrong template leave in the text.
var endMarks = []string{"<|eot|>", "<|eot_id|>", "<|im_end|>", "<|end|>", "<|endoftext|>", "<end_of_turn>", "</s>"}

// unwrap undoes wrappings and names each that it undid.
func unwrap(s string) (string, []string) {
	undone := []string{}
	for changed := true; changed; {
		changed = false
		for _, m := range endMarks {
			if t := token.Trim(s); strings.HasSuffix(t, m) {
				s, changed = strings.TrimSuffix(t, m), true
				if what := "end mark " + m; !slices.Contains(undone, what) {
					undone = append(undone, what)
				}
			}
		}
	}
	if inner, ok := unfence(s); ok {
		s = inner
		undone = append(undone, "code fence")
	}
	if t, ok := plainAnswerLine(s); ok {
		s = t
		undone = append(undone, "marks around the answer line")
	}
	if t := strings.TrimPrefix(s, "\ufeff"); t != s {
		s = t
		undone = append(undone, "byte order mark")
	}
	return s, undone
}

// unfence takes the one fence off that stands around the whole text, or the single fenced block in it.
func unfence(s string) (string, bool) {
	if !strings.Contains(s, "```") && !strings.Contains(s, "~~~") {
		return s, false
	}
	lines := token.AllLines(s)
	var marks []int
	for i, l := range lines {
		if t := strings.TrimSpace(l.Of(s)); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			marks = append(marks, i)
		}
	}
	if len(marks) != 2 || marks[1] == marks[0]+1 {
		return s, false
	}
	return s[lines[marks[0]+1].Start:lines[marks[1]-1].End], true
}

// plainAnswerLine takes bold, quotes, list and heading marks off the last answer line, in any case, and a unit-free value's
// closing point.
func plainAnswerLine(s string) (string, bool) {
	if !strings.Contains(strings.ToUpper(s), answerMark) {
		return s, false
	}
	lines := token.Lines(s)
	const around = "*_`\"'“”> #$\\"
	for i := len(lines) - 1; i >= 0; i-- {
		l := token.TrimSpan(s, lines[i])
		t := strings.Trim(l.Of(s), around)
		if len(t) < len(answerMark) || !strings.EqualFold(t[:len(answerMark)], answerMark) {
			continue
		}
		value := strings.TrimSuffix(strings.Trim(t[len(answerMark):], around), ".")
		if strings.HasPrefix(value, "\\boxed{") || strings.HasPrefix(value, "boxed{") {
			value = strings.TrimSuffix(value[strings.Index(value, "{")+1:], "}")
		}
		plain := answerMark + " " + strings.TrimSpace(value)
		if plain == l.Of(s) {
			return s, false
		}
		return s[:l.Start] + plain + s[l.End:], true
	}
	return s, false
}

// LintPrompt gives warnings about a prompt's wording: "a prompt that ends in a bare ANSWER: gets a warning that its form was
// lost".
func LintPrompt(prompt string) []string {
	if strings.HasSuffix(token.Trim(prompt), answerMark) {
		return []string{`the prompt ends in a bare "ANSWER:": the form that the answer line must have was lost`}
	}
	return nil
}
