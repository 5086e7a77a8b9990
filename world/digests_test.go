package world

import (
	"errors"
	"fmt"
	"testing"
)

func TestDigestsAreKeptByWhatMadeThem(t *testing.T) {
	var d digests
	made := 0
	give := func(s string) func() (string, error) { return func() (string, error) { made++; return s, nil } }
	for _, c := range []struct{ changes, digest, want string }{{"a", "1", "1"}, {"a", "2", "1"}, {"b", "3", "3"}, {"a", "4", "1"}} {
		if got, err := d.of([]byte(c.changes), give(c.digest)); err != nil || got != c.want {
			t.Errorf("%s: %s %v, want %s", c.changes, got, err, c.want)
		}
	}
	if made != 2 {
		t.Errorf("%d digests were made, want 2", made)
	}
	if _, err := d.of([]byte("c"), func() (string, error) { return "", errors.New("no") }); err == nil {
		t.Error("an error is lost")
	}
	if got, err := d.of([]byte("c"), give("5")); err != nil || got != "5" {
		t.Errorf("after an error: %s %v", got, err)
	}
	for i := range 3 * mostDigests {
		if _, err := d.of(fmt.Appendf(nil, "%d", i), give("x")); err != nil {
			t.Fatal(err)
		}
		if len(d.m) > mostDigests {
			t.Fatalf("%d are kept", len(d.m))
		}
	}
}
