package compat

import (
	"os"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract/exact"
)

type selectorVector struct {
	Actual   jsontext.Value `json:"actual"`
	Expected jsontext.Value `json:"expected"`
	Match    bool           `json:"match"`
}

type factVector struct {
	Text  string   `json:"text"`
	Facts []string `json:"facts"`
	Pass  bool     `json:"hub_v1_4_passes"`
}

// TestVectors reproduces the published decisions of the other engine.
func TestVectors(t *testing.T) {
	raw, err := os.ReadFile("../../../shared/realism/audit-vectors.json")
	if err != nil {
		t.Skipf("the vectors are not here, so nothing was reproduced: %v", err)
	}
	var all struct {
		Selectors []selectorVector `json:"selectorHubSemantics"`
		Facts     []factVector     `json:"literalFactMatch"`
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Selectors) != 13 || len(all.Facts) != 7 {
		t.Fatalf("%d selectors and %d facts, want 13 and 7", len(all.Selectors), len(all.Facts))
	}
	for _, v := range all.Selectors {
		if got := ResultContains(decode(t, v.Actual), decode(t, v.Expected)); got != v.Match {
			t.Errorf("%s in %s: %v, want %v", v.Expected, v.Actual, got, v.Match)
		}
	}
	for _, v := range all.Facts {
		if got := FactsMatch(v.Text, v.Facts); got != v.Pass {
			t.Errorf("%q in %q: %v, want %v", v.Facts, v.Text, got, v.Pass)
		}
	}
}

func decode(t *testing.T, raw []byte) any {
	t.Helper()
	v, err := exact.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestResultContains(t *testing.T) {
	for _, c := range []struct {
		actual, fragment string
		want             bool
	}{
		{`{"a":[{"b":1},{"b":2,"c":3}]}`, `{"b":2,"c":3}`, true},
		{`{"a":[{"b":1,"c":3},{"b":2}]}`, `{"b":2,"c":3}`, false},
		{`[1,2,2]`, `[2,2,2]`, true}, // one element may serve several
		{`{"ok":true}`, `{"ok":1}`, true},
		{`{"n":12.0}`, `{"n":12}`, true},
		{`"x"`, `{}`, false},
	} {
		if got := ResultContains(decode(t, []byte(c.actual)), decode(t, []byte(c.fragment))); got != c.want {
			t.Errorf("%s in %s: %v, want %v", c.fragment, c.actual, got, c.want)
		}
	}
	if FactsMatch("anything", []string{"--"}) {
		t.Error("a fact without a token matched")
	}
}
