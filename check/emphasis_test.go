package check

import (
	"strings"
	"testing"
)

// TestEmphasis: marks around words neither hide a text nor make one up.
func TestEmphasis(t *testing.T) {
	for _, c := range []struct {
		answer, needle string
		has            bool
	}{
		{"There is **no** such gambit.", "there is no such", true},
		{"There is *no such* gambit.", "no such gambit", true},
		{"It _does not_ exist", "does not exist", true},
		{"It ~~does~~ `exists`", "does exists", true},
		{"**Policy** is *policy*", "policy is policy", true},
		{"2*12 pounds", "212", false},
		{"unit_convert", "unitconvert", false},
		{"unit_convert", "unit_convert", true},
		{"a ** b", "a ** b", true},
		{"does`nt", "doesnt", false},
		{"doesn\u00b4t exist", "doesn't exist", true},
	} {
		for _, ban := range []bool{false, true} {
			kind := map[bool]string{false: "present", true: "absent"}[ban]
			set := mustLoad(t, tree(map[string]string{"x": item("x", "- "+kind+": "+quoteYAML(c.needle), "")}, nil))
			it, err := set.Item("x")
			if err != nil {
				t.Fatal(err)
			}
			v := it.judge(t.Context(), c.answer, nil, "")
			if v.Pass != (c.has != ban) {
				t.Errorf("%s %q on %q: pass %v", kind, c.needle, c.answer, v.Pass)
			}
			if ban && c.has {
				w := v.Findings[0].Where
				if w == nil || w.End > len(c.answer) || !strings.EqualFold(c.answer[w.Start:w.Start+1], c.needle[:1]) {
					t.Errorf("%q stands at %+v of %q", c.needle, w, c.answer)
				}
			}
		}
	}
}
