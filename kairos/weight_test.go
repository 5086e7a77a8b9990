package kairos

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// tall is a chain of n times " + 1" or another operator with its operand: a tree that is high without being nested.
func tall(operator string, n int) string { return strings.Repeat(operator, n) }

// manyRanges is a covering of n single days with a day between each.
func manyRanges(first Date, n int) string {
	parts := make([]string, n)
	for i := range parts {
		d := first.AddDays(2 * i)
		parts[i] = d.String() + ".." + d.String()
	}
	return strings.Join(parts, ", ")
}

// TestWorkIsLimited: whatever takes long is accounted for, so that the limits hold for few calls of long texts, too, for long
// lists and for many annotations. Each program is cheap by the number of its calls and points alone.
func TestWorkIsLimited(t *testing.T) {
	var layered strings.Builder // each function calls the forty before it
	for i := range 250 {
		fmt.Fprintf(&layered, "f%d(x) = 1", i)
		for j := max(0, i-40); j < i; j++ {
			fmt.Fprintf(&layered, " + f%d(x)", j)
		}
		layered.WriteString("\n")
	}
	known, other := manyRanges(Date{1971, 1, 1}, 2000), manyRanges(Date{1971, 1, 3}, 1999)
	data := "a = [] covering: " + known + "\nb = [] covering: " + other + "\n"
	for name, src := range map[string]string{
		"a long predicate":      `everyDay |> filter(d => dayNo(d)` + tall(" + 1", 3000) + ` > 0)`,
		"a long conjunction":    `everyDay |> filter(d => dayNo(d) > 0` + tall(" and dayNo(d) > 0", 400) + `)`,
		"a long function":       `f(n) = n` + tall(" + 1", 3000) + "\neveryDay |> filter(d => f(dayNo(d)) > 0)",
		"a long list":           "l = [99" + tall(", 99", 20_000) + "]\neveryDay |> filter(d => dayNo(d) in l)",
		"a long list made anew": `everyDay |> filter(d => [dayNo(d)` + tall(", 1", 3000) + `][0] > 0)`,
		"long texts":            `everyDay |> filter(d => (dayNo(d) > 0 ? "` + tall("a", 20_000) + `" : "b") == "` + tall("a", 20_000) + `")`,
		"functions in layers":   layered.String() + "everyDay |> filter(d => f249(dayNo(d)) > 0)",
		"windows in windows":    "everyDay" + tall(" |> within(month)", 2000),
		"annotations joined":    data + "a" + tall(" | b | a", 500),
		"annotations moved":     data + "(a | b)" + tall(" |> shift(0, unit: month)", 500),
		"annotations listed":    data + tall("a\n", 4000),
		"annotations met":       data + `everyDay |> filter(d => coincides(a, day, d))` + tall(" |> filter(d => coincides(a, month, d))", 5),
	} {
		_, err := evalSource(src, "", Options{Limits: Limits{Steps: 2_000_000}})
		if e, ok := errors.AsType[*Error](err); !ok || !strings.HasPrefix(e.Code, "limit.") {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	// What people write costs a step a call, as it did before.
	for _, src := range []string{
		`everyDay |> filter(d => weekday(d) in [Sat, Sun] and dayNo(d) > 7 and dayNo(d) <= 14 or monthNo(d) == 12)`,
		"l = [1, 2, 3, 5, 8, 13, 21]\neveryDay |> filter(d => dayNo(d) in l)",
	} {
		if _, err := evalSource(src, "", Options{Limits: Limits{Steps: 200_000}}); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// TestResultsAreLimited: what a result holds counts as points in memory, for points and for annotations.
func TestResultsAreLimited(t *testing.T) {
	for name, src := range map[string]string{
		"points":      tall("everyDay\n", 10_000),
		"annotations": "a = [] covering: " + manyRanges(Date{2026, 1, 2}, 10) + "\n" + tall("a\n", 2000),
		"ranges":      "[1971-01-01..2100-12-31]",
	} {
		_, err := evalSource(src, "", Options{Limits: Limits{Points: 200_000}})
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != "limit.points" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDeepCallsAreLimited: functions of high texts that call each other end before the stack does. Nobody could recover
// from that.
func TestDeepCallsAreLimited(t *testing.T) {
	for operator, use := range map[string]string{" + 1": "everyDay |> filter(d => g240(d) > 0)", " | x": "g240(2026-01-01)"} {
		var b strings.Builder
		fmt.Fprintf(&b, "f(g, x) = g(x)%s\ng0 = y => %s\n", tall(operator, 9900), map[string]string{" + 1": "1", " | x": "y"}[operator])
		for i := 1; i <= 240; i++ {
			fmt.Fprintf(&b, "g%d = y => f(g%d, y)\n", i, i-1)
		}
		_, err := evalSource(b.String()+use, "", Options{})
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != "limit.depth" {
			t.Errorf("%s: %v", operator, err)
		}
	}
}

// TestClaimOverManyRanges: a claim over data with gaps takes memory in proportion to the gaps, not to their square.
func TestClaimOverManyRanges(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	known := manyRanges(Date{1971, 1, 1}, 4000)
	r, err := evalSource("a = [] covering: "+known+"\nb = (a | a) covering: "+known+"\nb", "", Options{})
	runtime.ReadMemStats(&after)
	if err != nil || len(r.Listings[0].Annotations) != 1 {
		t.Fatalf("%v, %v", r, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 { // the square would be 256 MB
		t.Errorf("%d MB", used>>20)
	}
	_, err = evalSource("a = [] covering: "+known+"\nb = (a | a) covering: 1971-01-01..1971-01-02\nb", "", Options{})
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != "claim.too-wide" {
		t.Errorf("a claim over a gap: %v", err)
	}
}

func TestInside(t *testing.T) {
	cover := []interval{{minusInf, 10}, {20, 30}, {30, 40}, {50, plusInf}}
	for at, want := range map[int64]bool{-5: true, 9: true, 10: false, 19: false, 20: true, 29: true, 30: true, 39: true, 40: false, 49: false, 50: true, 1 << 50: true} {
		if got := inside(cover, at); got != want {
			t.Errorf("%d: %v", at, got)
		}
	}
	if inside(nil, 3) {
		t.Error("nothing covers something")
	}
}

func TestMeasure(t *testing.T) {
	for src, want := range map[string]measure{
		"1": {1, 1}, "1 + 2": {3, 2}, "-(1 + 2)": {4, 3}, "f(1, [2, 3])": {6, 3}, "x => x": {2, 2},
		`"` + tall("a", 6400) + `"`: {101, 1},
	} {
		f, err := Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := measureOf(f.Stmts[0].(*Body).X); got != want {
			t.Errorf("%.20s: %+v, want %+v", src, got, want)
		}
	}
}
