package gate_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/report/gate"
)

func figure(basis record.Basis, passed, items int, a report.Counts) report.Figure {
	return report.Figure{Score: report.Score{Basis: basis, Passed: passed, Items: items, Judged: items}, Unstable: 1, Answered: report.Answered{Passed: passed, Items: items - 1}, Attempts: a}
}

func check(t *testing.T, text string, s ...gate.Subject) []string {
	t.Helper()
	g, err := gate.Parse(text, append(slices.Clone(gate.Metrics), gate.PairMetrics...))
	if err != nil {
		t.Fatal(err)
	}
	return gate.Check([]gate.Gate{g}, s)
}

func TestGates(t *testing.T) {
	whole := gate.Subject{Name: "m at plain", Figures: []report.Figure{
		figure(record.Exact, 9, 10, report.Counts{Planned: 20, Answered: 18, Refused: 2, Unread: 3}), figure(record.Proxy, 1, 3, report.Counts{Planned: 6, Answered: 5, Timeout: 1}),
	}, Pairs: map[string][2]string{"exact-regressions": {"2", "2"}, "exact-difference": {"-1/10", "-10 points"}}}
	whole.Families = []report.FamilyFigure{{Family: "a.b-c", Score: report.Score{Basis: record.Exact, Passed: 1, Items: 2}}, {Family: "p", Score: report.Score{Basis: record.Proxy, Passed: 1, Items: 1}}}
	missing, failed, part, other := whole, whole, whole, gate.Subject{Name: "n\x1b[2J at plain", Figures: whole.Figures[:1]}
	missing.Figures = []report.Figure{figure(record.Exact, 9, 9, report.Counts{Planned: 20, Answered: 19, Missing: 1})}
	failed.Figures = []report.Figure{figure(record.Exact, 9, 9, report.Counts{Planned: 20, Answered: 18, Error: 2})}
	part.Part = "only 3 items were chosen"
	for _, c := range []struct {
		text string
		on   gate.Subject
		want string // "" passes
	}{
		{"exact>=0.9", whole, ""},
		{"exact>=90%", whole, ""},
		{" exact >= 9/10 ", whole, ""},
		{"exact>0.9", whole, "gate exact>0.9: m at plain has 9 of 10 (0.9000)"},
		{"exact>=0.900000000001", whole, "gate exact>=0.900000000001: m at plain has 9 of 10 (0.9000)"},
		{"exact<=0.9", whole, ""},
		{"exact<0.9", whole, "gate exact<0.9: m at plain has 9 of 10 (0.9000)"},
		{"exact!=0.9", whole, "gate exact!=0.9: m at plain has 9 of 10 (0.9000)"},
		{"exact-answered==1", whole, ""},
		{"proxy==1/3", whole, ""},
		{"proxy==0.333333333333", whole, "gate proxy==0.333333333333: m at plain has 1 of 3 (0.3333)"},
		{"exact/a.b-c>=0.5", whole, ""},
		{"exact/a.b-c>0.5", whole, "gate exact/a.b-c>0.5: m at plain has 1 of 2 (0.5000)"},
		{"exact/p>=0", whole, "gate exact/p>=0: m at plain has no exact items of the family p"},
		{"errors==0", whole, ""},
		{"refused<=1", whole, "gate refused<=1: m at plain has 2"},
		{"timeouts==1", whole, ""},
		{"unread==3", whole, ""},
		{"exact-unstable<1", whole, "gate exact-unstable<1: m at plain has 1"},
		{"exact-regressions==0", whole, "gate exact-regressions==0: m at plain has 2"},
		{"exact-difference>=-0.1", whole, ""},
		{"exact-difference>=-0.09", whole, "gate exact-difference>=-0.09: m at plain has -10 points"},
		{"proxy-regressions==0", whole, "gate proxy-regressions==0: m at plain has no proxy items to compare"},
		{"proxy>=0", other, "gate proxy>=0: n\ufffd[2J at plain has no proxy items"},
		{"exact>=0.5", missing, "gate exact>=0.5: m at plain is not complete: 1 of 20 attempts have no result"},
		{"missing<=5", missing, "gate missing<=5: m at plain is not complete: 1 of 20 attempts have no result"},
		{"errors==0", failed, "gate errors==0: m at plain has 2"},
		{"errors<=2", failed, "gate errors<=2: m at plain is not complete: 2 of 20 attempts have no result"},
		{"exact>=0", part, "gate exact>=0: m at plain is no whole run: only 3 items were chosen"},
		{"exact>=0", gate.Subject{Name: "m"}, "gate exact>=0: m is not complete: 0 of 0 attempts have no result"},
	} {
		if got := strings.Join(check(t, c.text, c.on), "\n"); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := check(t, "errors==0"); len(got) != 1 || got[0] != "gate errors==0: nothing was run" {
		t.Errorf("nothing: %q", got)
	}
	if got := gate.Line(check(t, "errors==1", whole, whole, whole, whole, whole)); strings.Contains(got, "\n") || !strings.HasSuffix(got, "has 0; and 2 more") {
		t.Errorf("five reasons: %q", got)
	}
}

func TestBadGates(t *testing.T) {
	for _, bad := range []string{"", "exact", ">=1", "exact>=", "exact=>1", "exact>=one", "exact>=1/0", "exact>=0.5/2", "Exact>=1", "exact>=1e9", "exact>=0.9 ; rm", "exact>=0.9\n", "speed>=1", "exact-regressions==0",
		"exact>=NaN", "exact>=" + strings.Repeat("9", 400), "\x1b[2J", "exact>=1%/2", "errors/a==0", "exact-answered/a>=1", "exact/>=1", "exact/a b>=1"} {
		_, err := gate.Parse(bad, gate.Metrics)
		if err == nil {
			t.Errorf("%q is taken for a gate", bad)
		} else if strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%q: the error is not one plain line: %q", bad, err)
		}
	}
}

// A gate decides as fractions do, for every count.
func TestGatesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.IntRange(1, 1000).Draw(t, "items")
		passed := rapid.IntRange(0, items).Draw(t, "passed")
		over := rapid.IntRange(1, 1000).Draw(t, "over")
		bound := rapid.IntRange(0, over).Draw(t, "bound")
		g, err := gate.Parse(fmt.Sprintf("exact>=%d/%d", bound, over), gate.Metrics)
		if err != nil {
			t.Fatal(err)
		}
		s := gate.Subject{Figures: []report.Figure{figure(record.Exact, passed, items, report.Counts{Planned: items, Answered: items})}}
		want := big.NewRat(int64(passed), int64(items)).Cmp(big.NewRat(int64(bound), int64(over))) >= 0
		if got := len(gate.Check([]gate.Gate{g}, []gate.Subject{s})) == 0; got != want {
			t.Fatalf("%d of %d against %d/%d: %v", passed, items, bound, over, got)
		}
	})
}
