package kairos

import (
	"go/ast"
	"slices"
	"testing"
)

// TestCatalogueIsComplete: every code of the source has an entry and the arguments that it needs, and every entry is used.
func TestCatalogueIsComplete(t *testing.T) {
	s := scanCodes(t)
	if len(s.uses) < 150 {
		t.Errorf("only %d codes were found", len(s.uses))
	}
	for code, uses := range s.uses {
		e, ok := entryOf(code)
		if !ok {
			t.Errorf("%v: %s has no entry", uses[0].at, code)
			continue
		}
		for _, u := range uses {
			if want := len(e.words()); u.args != want {
				t.Errorf("%v: %s has %d arguments; its entry names %d: %s", u.at, code, u.args, want, e.args)
			}
		}
	}
	for _, c := range Codes() {
		if len(s.uses[c.Code]) == 0 {
			t.Errorf("the entry %s is used nowhere", c.Code)
		}
	}
	for text := range composed {
		if !s.composed[text] {
			t.Errorf("no code is put together as %s", text)
		}
	}
	for _, want := range []string{"fail", ".fail", ".missing", ".first", ".count", "asCount"} {
		if _, ok := s.carriers[want]; !ok {
			t.Errorf("the scan does not see that %s takes a code", want)
		}
	}
}

// TestWarningCodes: warnings have the two codes that their texts know.
func TestWarningCodes(t *testing.T) {
	s := scanCodes(t)
	var codes []string
	for _, f := range s.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && nameOf(c.Fun) == ".warn" {
				codes = append(codes, literals(c.Args[:1])...)
			}
			return true
		})
	}
	slices.Sort(codes)
	if got := slices.Compact(codes); !slices.Equal(got, []string{"I5", "horizon-clip"}) {
		t.Errorf("codes of warnings: %q", got)
	}
}
