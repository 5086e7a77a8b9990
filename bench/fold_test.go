package bench

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestFold: what is said several times of one file is one line with all places.
func TestFold(t *testing.T) {
	at := func(file string, line, col int, msg string) error { return &Error{file, line, col, msg} }
	other := errors.New("no place")
	got := Fold(errors.Join(at("a", 9, 3, "no table x"), errors.Join(at("a", 4, 1, "no table x"), at("a", 4, 7, "no table x")), at("b", 5, 1, "no table x"), other, at("a", 12, 0, "no table x"), at("a", 2, 0, "no table y"),
		at("c", 0, 0, "missing"), at("c", 0, 0, "missing")))
	var lines []string
	for _, e := range got {
		lines = append(lines, e.Error())
	}
	want := "a:4:1: no table x; so in lines 9, 12|b:5:1: no table x|no place|a:2: no table y|c: missing|c: missing"
	if text := strings.Join(lines, "|"); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if Fold(nil) != nil {
		t.Error("nothing makes something")
	}
	var many []error
	for i := range 30 {
		many = append(many, at("a", i+1, 1, "x"))
	}
	if got := Fold(errors.Join(many...)); len(got) != 1 || got[0].Error() != "a:1:1: x; so in lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 19 more" {
		t.Error(fmt.Sprint(got))
	}
}
