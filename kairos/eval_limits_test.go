package kairos

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// numbered writes n lines of a program; each may refer to the one before it.
func numbered(n int, format string, args func(i int) []any) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, format, args(i)...)
	}
	return b.String()
}

// hostile are programs that ask for much in few words. Most of them must run into a limit; with a code, into that of the
// small limits that hostileLimits sets.
var hostile = []struct{ name, src, rng, code string }{
	{"filter in filter in filter", jp + "everyDay |> filter(a => coincides(everyDay |> filter(b => coincides(everyDay |> filter(c => dayNo(c) == dayNo(a) and dayNo(b) == 1), day, b)), day, a))", "", "limit.steps"},
	{"windows in filter", jp + "everyDay |> filter(a => coincides(month(monthNo(a)), day, a))", "", "limit.steps"},
	{"grid in filter", jp + "everyDay |> filter(a => coincides((chronos grid 1d anchor: a) |> first, day, a))", "", "limit.steps"},
	{"span in filter", jp + "everyDay |> filter(a => ordinalIn(day, day span (x => x mod 3 + dayNo(a)), a) == 1)", "", "limit.steps"},
	{"table in filter", jp + "everyDay |> filter(d => coincides([d..2026-12-31] covering: .., day, d))", "", "limit.steps"},
	{"axis in filter", jp + "everyDay |> filter(a => coincides(everyDay |> roll(Following, on: day |> shift(dayNo(a), unit: day)), day, a))", "", "limit.points"},
	{"warnings in filter", jp + "everyDay |> filter(d => coincides(everyDay |> shift(100000 + dayNo(d), unit: day), day, d))", "", "limit.points"},
	{"one warning a day, kept", jp + "everyDay |> filter(d => coincides(everyDay |> shift(15000, unit: day), day, d))", "", "limit.points"},
	{"list in filter", jp + "everyDay |> filter(d => dayNo(d) in [" + strings.Repeat("99, ", 100_000) + "99])", "", "limit.steps"},
	{"list made in filter", jp + "everyDay |> filter(d => [" + strings.Repeat("99, ", 100_000) + "dayNo(d)][0] == 1)", "", "limit.steps"},
	{"grid of seconds", jp + "g = chronos grid 1s\ng", "", "limit.points"},
	{"grid of milliseconds", jp + "g = chronos grid 0.001s\ng", "", "limit.points"},
	{"seconds since 1970", jp + "everyInstant |> strideBy(1s, from: 1970-01-01)", "", "limit.points"},
	{"eight thousand years", jp + "everyDay", "1970-01-01 9999-12-31", "limit.points"},
	{"ten thousand years of days", jp + "[0001-01-01..9999-12-31] covering: ..", "", "limit.points"},
	{"a million points", jp + "(everyInstant |> strideBy(30m, from: 1970-01-01)) |> filter(t => dayNo(t) == 1)", "", "limit.points"},
	{"steps beyond any number", jp + "everyDay |> shift(9007199254740992, unit: day)", "", "limit.points"},
	{"windows beyond any number", jp + "w = day span (_ => 9007199254740992) phase: 9007199254740992\nw", "", ""},
	{"calls that double", jp + "a0(x) = x + 1\n" + numbered(60, "a%d(x) = a%d(a%d(x))\n", func(i int) []any { return []any{i, i - 1, i - 1} }) + "everyDay |> filter(d => a60(1) == 1)", "", "limit.steps"},
	{"stages that double", jp + "b0 = filter(d => 1 == 1)\n" + numbered(40, "b%d = b%d |> b%d\n", func(i int) []any { return []any{i, i - 1, i - 1} }) + "everyDay |> b40", "", "limit.points"},
	{"names that double", jp + "b0 = everyDay\n" + numbered(60, "b%d = b%d | b%d\n", func(i int) []any { return []any{i, i - 1, i - 1} }) + "b60", "", "limit.points"},
	{"lists that double", jp + "b0 = [1, 2]\n" + numbered(60, "b%d = [b%d, b%d]\n", func(i int) []any { return []any{i, i - 1, i - 1} }) + "everyDay |> filter(d => b60 == b60)", "", ""},
	{"calls within calls", jp + "a0(x) = x\n" + numbered(300, "a%d(x) = a%d(x)\n", func(i int) []any { return []any{i, i - 1} }) + "everyDay |> filter(d => a300(1) == 1)", "", "limit.depth"},
	{"stages within stages", jp + "a0 = filter(d => 1 == 1)\n" + numbered(300, "a%d = a%d\n", func(i int) []any { return []any{i, i - 1} }) + "everyDay |> a300", "", "limit.depth"},
	{"names within names", jp + "a0 = everyDay\n" + numbered(5000, "a%d = a%d\n", func(i int) []any { return []any{i, i - 1} }) + "a5000", "", "limit.depth"},
	{"premises on premises", "premise P0 = Gregorian with { x = 1 }\n" + numbered(10_000, "premise P%d = P%d with { x%d = 1 }\n", func(i int) []any { return []any{i, i - 1, i} }), "", "limit.depth"},
	{"labels of labels", jp + "w0 = day span (_ => 7) label: (p => 1)\n" + numbered(300, "w%d = day span (_ => 7) label: (p => w%d(p))\n", func(i int) []any { return []any{i, i - 1} }) + "w300(1)", "", "limit.points"},
	{"windows on windows", jp + "everyDay" + strings.Repeat(" |> within(day)", 20_000), "", "limit.steps"},
	{"a long pipe", jp + "everyDay" + strings.Repeat(" |> filter(d => 1 == 1)", 2000), "", "limit.points"},
	{"statements", jp + strings.Repeat("x=1\n", 100_000) + "everyDay", "", ""},
	{"scopes and statements", jp + numbered(8000, "@JP asof: \"%d\"\nx%d = 1\neveryDay & [] covering: ..\n", func(i int) []any { return []any{i, i} }), "", "limit.points"},
	{"a name of a megabyte", jp + "everyDay |> filter(d => " + strings.Repeat("n", 1_000_000) + "(d))", "", "name.unresolved"},
	{"brackets", jp + strings.Repeat("(", 100_000) + "everyDay", "", "parse.nesting"},
	{"more than a megabyte", jp + strings.Repeat("# nothing\n", 200_000), "", "limit.source"},
}

var hostileLimits = Limits{Steps: 1_000_000, Points: 400_000, Depth: 200}

func TestHostilePrograms(t *testing.T) {
	for _, h := range hostile {
		t.Run(strings.ReplaceAll(h.name, " ", "-"), func(t *testing.T) {
			began := time.Now()
			_, err := evalSource(h.src, h.rng, Options{Limits: hostileLimits})
			if took := time.Since(began); took > time.Minute {
				t.Errorf("it took %v", took)
			}
			switch e, _ := err.(*Error); {
			case h.code == "" && err != nil:
				t.Errorf("error %v", err)
			case h.code != "" && (e == nil || e.Code != h.code):
				t.Errorf("error %.200v, want %s", err, h.code)
			case e != nil && strings.HasPrefix(e.Code, "limit.") && e.Code != "limit.source" && e.Line == 0:
				t.Errorf("%s has no place", e.Code)
			}
		})
	}
}

// What a program makes and drops again must not stay in memory, nor what it holds exceed what it may.
func TestMemoryStaysBounded(t *testing.T) {
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	peak := uint64(0)
	for _, h := range hostile {
		p, err := Compile(h.src)
		if err != nil {
			continue
		}
		rng := h.rng
		if rng == "" {
			rng = "2026-01-01 2026-02-01"
		}
		r, err := p.Eval(t.Context(), rangeOf(rng), Options{Limits: hostileLimits})
		now := held()
		if err == nil && len(r.Listings) == 0 {
			t.Errorf("%s: no result", h.name)
		}
		runtime.KeepAlive(r)
		peak = max(peak, now-min(now, before))
	}
	if peak > 64<<20 {
		t.Errorf("%d MB are held after an evaluation", peak>>20)
	}
}

func TestCancellation(t *testing.T) {
	long := []string{
		jp + "everyDay |> filter(a => coincides(everyDay |> filter(b => dayNo(b) == dayNo(a)), day, a))",
		jp + "everyDay |> filter(a => ordinalIn(day, day span (x => x mod 3 + dayNo(a)), a) == 1)",
		jp + "everyDay |> filter(d => dayNo(d) in [" + strings.Repeat("99, ", 100_000) + "99])",
		jp + "everyDay |> filter(d => coincides([d..2026-12-31] covering: .., day, d))",
	}
	for _, src := range long {
		p, err := Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var ended time.Time
		time.AfterFunc(30*time.Millisecond, func() { ended = time.Now(); cancel() })
		_, err = p.Eval(ctx, rangeOf("2026-01-01 2026-02-01"), Options{})
		late := time.Since(ended)
		var e *Error
		if !errors.As(err, &e) || e.Code != "limit.cancelled" {
			t.Errorf("%.100s: %v", src, err)
		} else if late > 10*time.Second { // a few milliseconds, but not on a busy machine with the race detector
			t.Errorf("%.100s: it went on for %v", src, late)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := Compile(jp + "everyDay |> filter(d => weekday(d) == Mon)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = p.Eval(ctx, rangeOf("2026-01-01 2026-02-01"), Options{}); err == nil || !strings.Contains(err.Error(), "limit.cancelled") {
		t.Errorf("under an ended context: %v", err)
	}
}

// A limit beyond 32 bits is one, too.
func TestLimitsBeyond32Bits(t *testing.T) {
	p, err := Compile(jp + "g = chronos grid 1s\neveryDay |> within(g) |> first")
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Eval(t.Context(), Range{Date{9998, 1, 1}, Date{9998, 1, 2}}, Options{Limits: Limits{Points: 1 << 32}})
	if e := (*Error)(nil); !errors.As(err, &e) || e.Code != "limit.points" || !strings.Contains(e.Message, "4294967296") {
		t.Errorf("%v", err)
	}
}
