package compat

import (
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/contract/exact"
)

// A fragment that is looked for at every depth of a result of its own shape takes no exponential time.
func TestDeepFragments(t *testing.T) {
	nest := func(n int, inner string) any {
		v, err := exact.Decode([]byte(strings.Repeat(`{"a":`, n) + inner + strings.Repeat(`}`, n)))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	begun := time.Now()
	if ResultContains(nest(60, `{"b":1}`), nest(30, `{"c":1}`)) {
		t.Error("a fragment was found that is not there")
	}
	if !ResultContains(nest(60, `{"b":1}`), nest(30, `{"b":1}`)) {
		t.Error("a fragment was not found")
	}
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
}
