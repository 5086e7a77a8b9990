package qualify

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	gojson "github.com/go-json-experiment/json"

	"github.com/assaybench/assay/bench"
)

// claimingSet is a bench whose shape says how many controls it wants, and shows something beside them.
type claimingSet struct {
	*fakeSet
	claims bench.Claims
	err    error
	asked  int
}

func (s *claimingSet) Least(string) (accept, reject int) { return 1, 2 }
func (s *claimingSet) Claims(context.Context) (*bench.Claims, error) {
	s.asked++
	return &s.claims, s.err
}

func TestClaims(t *testing.T) {
	s := &claimingSet{fakeSet: sound()}
	s.controls = s.controls[1:4] // one to accept, two to refuse
	s.controls[2].Answer = "letters"
	s.claims = oneWrong()
	r, err := Check(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range r.Faults {
		lines = append(lines, f.String())
	}
	want := []string{
		"items/x.yaml:21: x: negative-1: other reason: breaks [letters], and says that it breaks [lines] (because); has the letter X, and should have S",
		"items/x.yaml:5: x: self-check: reading a: other points",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("faults:\n%s", strings.Join(lines, "\n"))
	}
	if !slices.Contains(r.Warnings, "x: not told apart") || r.Clean() {
		t.Errorf("warnings %v", r.Warnings)
	}
	b, err := gojson.Marshal(r)
	var got map[string]any
	if err == nil {
		err = json.Unmarshal(b, &got)
	}
	if err != nil || got["controls"] != 3.0 || got["controls_ok"] != 2.0 || got["problems"] != 1.0 || got["problems_ok"] != 0.0 || strings.Count(string(b), `"controls":`) != 1 {
		t.Errorf("%v, %s", err, b)
	}
	// Of some items alone nothing is claimed of the whole.
	if _, err := Check(context.Background(), s, Options{Only: []string{"x"}}); err != nil || s.asked != 1 {
		t.Errorf("%v, asked %d times", err, s.asked)
	}
	s.err = errors.New("no memory")
	if _, err := Check(context.Background(), s, Options{}); err == nil || err.Error() != "no memory" {
		t.Errorf("%v", err)
	}
}

func oneWrong() (c bench.Claims) {
	c.Counts = []bench.Claim{{Name: "problems", Says: "problems", Of: 1}, {Name: "controls", Says: "controls have their letter", OK: 2, Of: 3}}
	c.Warnings = []string{"x: not told apart"}
	c.Faults = []bench.ClaimFault{{Item: "x", Control: "negative-1", Msg: "has the letter X, and should have S", Place: "items/x.yaml:21"}, {Item: "x", Msg: "reading a: other points", Place: "items/x.yaml:5"}}
	return c
}
