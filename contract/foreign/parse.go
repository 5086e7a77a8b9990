package foreign

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
)

// Parse reads a contract: a task file with expected, required_investigations and so on, or the sealed part alone. The error says
// what is wrong and where, in one line.
func Parse(data []byte) (*Contract, error) {
	if len(data) > MaxContract {
		return nil, fmt.Errorf("it has more than %d bytes", MaxContract)
	}
	v, err := exact.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	top, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("it is no JSON object")
	}
	p := &parser{c: &Contract{}}
	p.c.Task = p.text(top, "task_id", "", false)
	expected := top
	if e, ok := top["expected"]; ok {
		if expected, ok = e.(map[string]any); !ok {
			return nil, errors.New("expected: it is no object")
		}
	}
	if !Recognised(top) {
		return nil, errors.New("it is no contract that is known here: it has none of required_investigations, investigations, post_write_verifications and expected.assertions")
	}
	reads := "required_investigations"
	if _, ok := top[reads]; !ok {
		reads = "investigations"
	}
	p.each(top, reads, p.investigation)
	p.each(top, "post_write_verifications", p.readback)
	p.each(expected, "assertions", p.assertion)
	answer, _ := expected["answer"].(map[string]any)
	p.each(expected, "answer_checks", func(at string, o map[string]any) { p.answer(at, o, answer) })
	p.each(expected, "calculations", func(at string, o map[string]any) { p.answer(at, o, answer) })
	p.each(top, "rubric_milestones", p.milestone)
	if _, ok := top["allowed_write_tables"]; ok {
		p.c.WriteTables = p.texts(top, "allowed_write_tables", "")
	}
	if len(p.errs) > 0 {
		return nil, errors.New(p.errs[0])
	}
	return p.c, p.c.unique()
}

// Recognised says whether a JSON object is a contract in this form.
func Recognised(top map[string]any) bool {
	expected, _ := top["expected"].(map[string]any)
	for _, k := range []string{"required_investigations", "investigations", "post_write_verifications", "assertions"} {
		if _, ok := top[k].([]any); ok {
			return true
		}
		if _, ok := expected[k].([]any); ok {
			return true
		}
	}
	return false
}

type parser struct {
	c    *Contract
	errs []string
	n    int
}

func (p *parser) failf(at, format string, args ...any) {
	p.errs = append(p.errs, at+": "+fmt.Sprintf(format, args...))
}

// each goes through a list of objects; one that is not there is empty.
func (p *parser) each(o map[string]any, key string, do func(at string, o map[string]any)) {
	v, ok := o[key]
	if !ok || v == nil {
		return
	}
	list, ok := v.([]any)
	if !ok {
		p.failf(key, "it is no list")
		return
	}
	for i, e := range list {
		at := fmt.Sprintf("%s[%d]", key, i)
		m, ok := e.(map[string]any)
		if p.n++; !ok || p.n > MaxChecks {
			p.failf(at, "it is no object, or there are more than %d checks", MaxChecks)
			return
		}
		do(at, m)
	}
}

func (p *parser) text(o map[string]any, key, at string, must bool) string {
	v, ok := o[key]
	if !ok || v == nil {
		if must {
			p.failf(at, "%s is missing", key)
		}
		return ""
	}
	s, ok := v.(string)
	if !ok || must && s == "" {
		p.failf(at, "%s is no text", key)
	}
	return s
}

func (p *parser) texts(o map[string]any, key, at string) []string {
	list, ok := o[key].([]any)
	out := []string{}
	for _, v := range list {
		s, is := v.(string)
		ok = ok && is
		out = append(out, s)
	}
	if !ok {
		p.failf(strings.TrimPrefix(at+"."+key, "."), "it is no list of texts")
	}
	return out
}

func (p *parser) selectors(at string, o map[string]any) (out []Selector) {
	before := len(p.errs)
	list, ok := o["any_of"].([]any)
	if !ok || len(list) == 0 {
		p.failf(at, "any_of is missing or empty")
		return nil
	}
	for i, e := range list {
		at := fmt.Sprintf("%s.any_of[%d]", at, i)
		m, ok := e.(map[string]any)
		if !ok {
			p.failf(at, "it is no object")
			continue
		}
		s := Selector{Tool: p.text(m, "tool", at, true), Match: p.text(m, "match", at, false)}
		args, hasArgs := m["arguments"]
		fragment, hasFragment := m["expected_result_contains"]
		s.Args, s.Fragment = args, fragment
		if !hasArgs {
			s.Args = NoArgs{}
		}
		switch s.Match {
		case "result_contains":
			if !hasFragment {
				p.failf(at, "match is result_contains, and expected_result_contains is missing")
			}
		case "successful_tool_call", "":
		default:
			p.failf(at, "match %.40q is not known", s.Match)
		}
		out = append(out, s)
	}
	if len(p.errs) > before {
		return nil
	}
	return out
}

// NoArgs stands for arguments that a selector does not speak of.
type NoArgs struct{}

func (p *parser) investigation(at string, o map[string]any) {
	p.c.Investigations = append(p.c.Investigations, Investigation{p.text(o, "id", at, true), p.selectors(at, o)})
}

func (p *parser) readback(at string, o map[string]any) {
	r := Readback{ID: p.text(o, "id", at, true), AfterTool: p.text(o, "after_tool", at, true), AnyOf: p.selectors(at, o)}
	r.Contains, r.Has = o["expected_result_contains"]
	if _, ok := o["write_argument_projection_paths"]; ok {
		r.Projected = p.texts(o, "write_argument_projection_paths", at)
	}
	p.c.Readbacks = append(p.c.Readbacks, r)
}

func (p *parser) object(o map[string]any, key, at string) map[string]any {
	v, ok := o[key]
	if !ok || v == nil {
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		p.failf(at, "%s is no object", key)
	}
	return m
}

func (p *parser) assertion(at string, o map[string]any) {
	a := Assertion{ID: p.text(o, "id", at, true), Table: p.text(o, "table", at, true), Where: p.object(o, "where", at), Values: p.object(o, "values", at)}
	if v, ok := o["count"]; ok && v != nil {
		r, ok := v.(*big.Rat)
		if !ok || !r.IsInt() || !r.Num().IsInt64() || r.Sign() < 0 {
			p.failf(at, "count is no whole number")
		} else {
			n := int(r.Num().Int64())
			a.Count = &n
		}
	}
	y := &a.Payload
	y.contains, y.has = o["payload_contains"]
	if v, ok := o["payload_argument_text"]; ok {
		y.facts, y.bad = factsOf(v)
	}
	if _, ok := o["payload_text_contains"]; ok {
		y.texts = p.texts(o, "payload_text_contains", at)
	}
	if _, ok := o["payload_text_any_of"]; ok {
		y.anyText = p.texts(o, "payload_text_any_of", at)
	}
	if _, ok := o["payload_allowed_argument_paths"]; ok {
		y.paths, y.closed = p.texts(o, "payload_allowed_argument_paths", at), true
	}
	for k := range o {
		if strings.HasPrefix(k, "payload_") && !slices.Contains([]string{"payload_contains", "payload_argument_text", "payload_text_contains", "payload_text_any_of", "payload_allowed_argument_paths"}, k) {
			a.Opaque = k + " is not known here"
			p.c.Opaque = append(p.c.Opaque, at+"."+k)
		}
	}
	p.c.Assertions = append(p.c.Assertions, a)
}

// factsOf reads the facts of each argument. A malformed rule is no error of the file: it fails every text.
func factsOf(v any) (map[string][]string, string) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, "payload_argument_text is no object"
	}
	out := map[string][]string{}
	for k, v := range m {
		list, ok := v.([]any)
		if !ok {
			return nil, "payload_argument_text." + k + " is no list"
		}
		out[k] = []string{}
		for _, f := range list {
			s, ok := f.(string)
			if !ok {
				return nil, "payload_argument_text." + k + " holds what is no text"
			}
			out[k] = append(out[k], s)
		}
	}
	return out, ""
}

func (p *parser) answer(at string, o, answer map[string]any) {
	a := Answer{ID: p.text(o, "id", at, true), Field: p.text(o, "field", at, true)}
	want, ok := o["expected"]
	if !ok {
		want, ok = answer[a.Field]
	}
	switch want.(type) {
	case string, *big.Rat, bool:
		a.Want = want
	default:
		ok = false
	}
	if !ok {
		a.Opaque = "the file gives no plain value for the field " + a.Field
		p.c.Opaque = append(p.c.Opaque, at+": "+a.Opaque)
	}
	p.c.Answers = append(p.c.Answers, a)
}

func (p *parser) milestone(at string, o map[string]any) {
	m := Milestone{ID: p.text(o, "id", at, true), Criteria: p.texts(o, "criterion_ids", at)}
	for key, into := range map[string]*string{"weight": &m.Weight, "atomic_weight": &m.Atomic} {
		r, ok := o[key].(*big.Rat)
		if !ok || r.Sign() < 0 {
			p.failf(at, "%s is no number from 0", key)
			return
		}
		*into = r.RatString()
	}
	p.c.Milestones = append(p.c.Milestones, m)
}

// unique refuses two checks of one id: what a milestone counts would be open.
func (c *Contract) unique() error {
	seen := map[string]bool{}
	for _, id := range c.ids() {
		if seen[id] {
			return fmt.Errorf("two checks have the id %.80q", id)
		}
		seen[id] = true
	}
	return nil
}

// ids are the ids of all checks, in the order in which they are judged.
func (c *Contract) ids() (out []string) {
	for _, i := range c.Investigations {
		out = append(out, i.ID)
	}
	for _, r := range c.Readbacks {
		out = append(out, r.ID)
	}
	for _, a := range c.Assertions {
		out = append(out, a.ID)
	}
	for _, a := range c.Answers {
		out = append(out, a.ID)
	}
	return append(out, WriteScope, NoRejected)
}

// Ids of the two checks that every contract has.
const (
	WriteScope = "write_scope"
	NoRejected = "no_rejected_mutation"
)
