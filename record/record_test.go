package record

import (
	"encoding/json"
	"math"
	"testing"
)

func TestCanonical(t *testing.T) {
	type embedded struct {
		B int `json:"b"`
	}
	for _, c := range []struct {
		name string
		in   any
		want string
	}{
		{"keys in order", map[string]any{"b": 1, "a": 2, "A": 3, "": 4}, `{"":4,"A":3,"a":2,"b":1}`},
		{"keys in UTF-16 order", map[string]int{"\ufb33": 1, "\U0001f600": 2}, "{\"\U0001f600\":2,\"\ufb33\":1}"},
		{"struct members in order", struct {
			Z int `json:"z"`
			embedded
			A *int `json:"a"`
		}{Z: 1}, `{"a":null,"b":0,"z":1}`},
		{"integers beyond 2^53 keep their digits", []any{int64(9007199254740993), int64(math.MinInt64), uint64(math.MaxUint64)}, `[9007199254740993,-9223372036854775808,18446744073709551615]`},
		{"floats", []float64{0, 0.5, 1, 1e21, 0.1}, `[0,0.5,1,1e+21,0.1]`},
		{"escapes", "\"\\\b\f\n\r\t\x01\u007f</>é\u2028", `"\"\\\b\f\n\r\t\u0001` + "\u007f</>é\u2028" + `"`},
		{"bytes that are not UTF-8", "a\xffb", "\"a\ufffdb\""},
		{"nil slices and maps", Verdict{}, `{"basis":"","bench":"","diagnostics":{},"findings":[],"frozen":false,"grader":"","item":"","letter":"","pass":false,"reason":"","score":null,"state":""}`},
		{"a finding", Finding{Rule: "words", Where: &Span{1, 2, 1, 2}}, `{"expected":"","got":"","pass":false,"rule":"words","where":{"end":2,"rune_end":2,"rune_start":1,"start":1},"why":""}`},
		{"a skipped finding", Finding{Rule: "shell", Skipped: true}, `{"expected":"","got":"","pass":false,"rule":"shell","skipped":true,"where":null,"why":""}`},
	} {
		got, err := Canonical(c.in)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v\n\twant %s", c.name, got, err, c.want)
		}
		var back any
		if err := json.Unmarshal(got, &back); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, in := range []any{math.NaN(), math.Inf(1), []float64{math.Inf(-1)}, map[string]any{"a": math.NaN()}, func() {}, make(chan int)} {
		if got, err := Canonical(in); err == nil {
			t.Errorf("%T gives %s", in, got)
		}
	}
}

func TestOutcomes(t *testing.T) {
	for o, want := range map[Outcome]struct {
		letter  Letter
		ofModel bool
	}{Answered: {"", true}, Refused: {LetterRefused, true}, Truncated: {LetterTruncated, true}, Timeout: {LetterTimeout, true}, Undelivered: {LetterUndelivered, false}, Error: {LetterError, false}} {
		if !o.Valid() || o.OfModel() != want.ofModel || LetterOf(o) != want.letter {
			t.Errorf("%s: valid %v, of the model %v, letter %q", o, o.Valid(), o.OfModel(), LetterOf(o))
		}
	}
	if Outcome("").Valid() || Outcome("lost").Valid() || Outcome("lost").OfModel() || Basis("").Valid() || !Exact.Valid() || !Proxy.Valid() || Basis("Exact").Valid() {
		t.Error("what is not one of the words must not be valid")
	}
	seen := map[Letter]bool{}
	for _, l := range []Letter{LetterPass, LetterWrong, LetterUnread, LetterTimeout, LetterTruncated, LetterRefused, LetterUndelivered, LetterError, LetterMissing, LetterUngradable} {
		if seen[l] || len(l) != 1 {
			t.Errorf("the letter %q stands twice or is no letter", l)
		}
		seen[l] = true
	}
}
