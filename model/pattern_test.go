package model

import "testing"

func TestPattern(t *testing.T) {
	p := NewPattern(`(?i)limit: ([0-9]+)`)
	if !p.MatchString("LIMIT: 12") || p.MatchString("limit") || p.String() != `(?i)limit: ([0-9]+)` {
		t.Error("the pattern does not match as its expression does")
	}
	if m := p.FindStringSubmatch("a limit: 7"); len(m) != 2 || m[1] != "7" {
		t.Errorf("%q", m)
	}
	defer func() {
		if recover() == nil {
			t.Error("a broken expression is let through")
		}
	}()
	NewPattern("(").MatchString("")
}
