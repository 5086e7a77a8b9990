package premise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/check/strictjson"
)

// memberReader reads the members of lines. A member that is missing is an error rather than a value of nobody's choice: a
// problem without its list of open kinds would pass as one that leaves nothing open.
type memberReader struct {
	private bool     // nothing that a problem holds is quoted, and a member that is not known is an error
	unknown []string // members that were left out
}

// quote shows a text that is wrong, but for a private set's.
func (m *memberReader) quote(s string) string {
	if m.private {
		return `"…"`
	}
	return fmt.Sprintf("%q", clip(s, 40))
}

// word shows what stands where the format wants a word of its own, such as a kind: of a private set's a word, for whoever
// misspelt it, and nothing that could be more.
func (m *memberReader) word(s string) string {
	letter := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' }
	if m.private && (len(s) > 20 || strings.ContainsFunc(s, func(r rune) bool { return !letter(r) })) {
		return `"…"`
	}
	return fmt.Sprintf("%q", clip(s, 40))
}

// object wants an object with all members of need, and otherwise only members of may. inside is what unknown ones are
// named behind.
func (m *memberReader) object(v *strictjson.Value, inside string, need, may []string) error {
	if v.Kind != strictjson.Object {
		return fmt.Errorf("it is %v and must be an object", v.Kind)
	}
	for _, n := range v.Names {
		switch {
		case slices.Contains(need, n) || slices.Contains(may, n):
		case m.private:
			return fmt.Errorf("it has no member %s", m.word(n))
		case !slices.Contains(m.unknown, inside+n):
			m.unknown = append(m.unknown, inside+n)
		}
	}
	for _, n := range need {
		if v.Get(n) == nil {
			return fmt.Errorf("%q is missing", n)
		}
	}
	return nil
}

// textMember gives a member that is a string; "" for one that is not there.
func textMember(v *strictjson.Value, name string) (string, error) {
	x := v.Get(name)
	if x == nil {
		return "", nil
	}
	if x.Kind != strictjson.String {
		return "", fmt.Errorf("%s is %v and must be a string", name, x.Kind)
	}
	return x.Text, nil
}

// textsMember gives a member that is a list of strings; nil for one that is not there.
func textsMember(v *strictjson.Value, name string) ([]string, error) {
	x := v.Get(name)
	if x == nil {
		return nil, nil
	}
	if x.Kind != strictjson.Array {
		return nil, fmt.Errorf("%s is %v and must be a list", name, x.Kind)
	}
	out := []string{}
	for i, e := range x.Values {
		if e.Kind != strictjson.String {
			return nil, fmt.Errorf("%s[%d] is %v and must be a string", name, i, e.Kind)
		}
		out = append(out, e.Text)
	}
	return out, nil
}

// line reads a problem.
func (m *memberReader) line(v *strictjson.Value) (l line, err error) {
	if err := m.object(v, "", []string{"id", "prompt", "allDay", "from", "to", "ambiguity", "interpretations"}, []string{"expected"}); err != nil {
		return l, err
	}
	for name, to := range map[string]*string{"id": &l.ID, "prompt": &l.Prompt, "from": &l.From, "to": &l.To} {
		if *to, err = textMember(v, name); err != nil {
			return l, err
		}
	}
	allDay := v.Get("allDay")
	if allDay.Kind != strictjson.Bool {
		return l, fmt.Errorf("allDay is %v and must be true or false", allDay.Kind)
	}
	l.AllDay = allDay.Text == "true"
	if l.Ambiguity, err = textsMember(v, "ambiguity"); err != nil {
		return l, err
	}
	if l.Expected, err = textsMember(v, "expected"); err != nil {
		return l, err
	}
	list := v.Get("interpretations")
	if list.Kind != strictjson.Array {
		return l, fmt.Errorf("interpretations is %v and must be a list", list.Kind)
	}
	for i, x := range list.Values {
		r, err := m.reading(x)
		if err != nil {
			return l, fmt.Errorf("interpretation %d: %w", i+1, err)
		}
		l.Readings = append(l.Readings, r)
	}
	return l, nil
}

func (m *memberReader) reading(v *strictjson.Value) (r lineReading, err error) {
	if err := m.object(v, "interpretations[].", []string{"key", "assumption", "expected"}, []string{"body"}); err != nil {
		return r, err
	}
	if r.Key, err = textMember(v, "key"); err != nil {
		return r, err
	}
	if r.Assumption, err = textMember(v, "assumption"); err != nil {
		return r, err
	}
	if r.Body, err = textMember(v, "body"); err != nil {
		return r, err
	}
	r.Expected, err = textsMember(v, "expected")
	return r, err
}

// answers reads the bodies of a problem as they are published.
func (m *memberReader) answers(v *strictjson.Value) (a answersLine, err error) {
	if err := m.object(v, "", []string{"id", "bodies"}, nil); err != nil {
		return a, err
	}
	if a.ID, err = textMember(v, "id"); err != nil {
		return a, err
	}
	list := v.Get("bodies")
	if list.Kind != strictjson.Array {
		return a, fmt.Errorf("bodies is %v and must be a list", list.Kind)
	}
	for i, x := range list.Values {
		b := answersBody{}
		if err = m.object(x, "bodies[].", []string{"key", "body"}, nil); err == nil {
			b.Key, err = textMember(x, "key")
		}
		if err == nil {
			b.Body, err = textMember(x, "body")
		}
		if err != nil {
			return a, fmt.Errorf("bodies[%d]: %w", i, err)
		}
		a.Bodies = append(a.Bodies, b)
	}
	return a, nil
}
