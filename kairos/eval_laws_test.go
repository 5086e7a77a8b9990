package kairos

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func drawn(t *rapid.T) *programs {
	return &programs{choose: func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }}
}

const lawRange = "2026-01-01 2026-10-01"

// laws evaluates pairs of expressions over the same definitions and checks that the members of each pair give the same
// points. A program that breaks a rule of the language has no points to compare.
func laws(t *rapid.T, head string, pairs [][2]string) {
	src := head
	for _, p := range pairs {
		src += "(" + p[0] + ")\n(" + p[1] + ")\n"
	}
	r, err := evalSource(src, lawRange, Options{})
	if err != nil {
		if e, ok := err.(*Error); !ok || strings.HasPrefix(e.Code, "parse.") || strings.HasPrefix(e.Code, "lex.") || strings.HasPrefix(e.Code, "limit.") {
			t.Fatalf("%v\n%s", err, src)
		}
		t.Skip("the program breaks a rule: " + err.Error())
	}
	for i, p := range pairs {
		a, b := r.Listings[2*i], r.Listings[2*i+1]
		if !slices.Equal(a.Points, b.Points) {
			t.Fatalf("%s\n and %s\n differ:\n%v\n%v\n%s", p[0], p[1], r.Texts(a.Points), r.Texts(b.Points), head)
		}
	}
}

func TestCombinatorLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		head := g.head() + "a = (" + g.days(1) + ")\nb = (" + g.days(1) + ")\nc = (" + g.days(1) + ")\nnone = [] covering: ..\n"
		// A shift by windows can make a point twice; a union with nothing keeps that, so sets are made first.
		head += "x = a & everyDay\ny = b & everyDay\nz = c & everyDay\n"
		laws(t, head, [][2]string{
			{"x | y", "y | x"}, {"x & y", "y & x"}, {"(x | y) | z", "x | (y | z)"}, {"(x & y) & z", "x & (y & z)"},
			{"x | x", "x"}, {"x & x", "x"}, {"x & (x | y)", "x"}, {"x | (x & y)", "x"}, {"x & (y | z)", "(x & y) | (x & z)"},
			{"x \\ x", "none"}, {"x \\ y", "x \\ (x & y)"}, {"(x \\ y) & y", "none"}, {"(x \\ y) | (x & y)", "x"}, {"x \\ none", "x"}, {"x | none", "x"},
			{"x \\ (y | z)", "(x \\ y) \\ z"}, {"x |> filter(on: y)", "x & y"},
		})
	})
}

func TestStageLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		head := g.head() + "x = (" + g.days(1) + ") & everyDay\nax = (" + g.axis() + ") & everyDay\nnone = [] covering: ..\n"
		n := g.choose(20)
		p, q, w := g.predicate(1), g.predicate(1), g.window()
		pairs := [][2]string{
			{"x |> filter(d => " + p + ") |> filter(d => " + q + ")", "x |> filter(d => " + p + " and " + q + ")"},
			{"(x |> filter(d => " + p + ")) | (x |> filter(d => not (" + p + ")))", "x |> filter(d => " + p + " or 1 == 1)"},
			{fmt.Sprintf("x |> shift(%d, unit: everyDay) |> shift(-%d, unit: everyDay)", n, n), "x"},
			{fmt.Sprintf("ax |> shift(%d, unit: ax)", n), fmt.Sprintf("ax |> shift(%d, unit: ax) |> shift(0, unit: ax)", n)},
			{"x |> snapTo(" + w + ") |> snapTo(" + w + ")", "x |> snapTo(" + w + ")"},
			{"x |> within(" + w + ") |> first |> within(" + w + ") |> last", "x |> within(" + w + ") |> first"},
			{"x |> within(" + w + ") |> nth(1)", "x |> within(" + w + ") |> first"},
			{"x |> stride(1, from: 2026-01-01)", "x"},
		}
		for _, conv := range []string{"Following", "Preceding"} {
			roll := "x |> roll(" + conv + ", on: ax)"
			pairs = append(pairs, [2]string{roll + " |> roll(" + conv + ", on: ax)", roll}, [2]string{"(" + roll + ") \\ ax", "none"}, [2]string{"ax |> roll(" + conv + ", on: ax)", "ax"})
		}
		laws(t, head, pairs)
	})
}

// evalAs evaluates a program and gives its first listing; ok is false when it breaks a rule of the language.
func evalAs(t *rapid.T, src, rng string, o Options) (l Listing, ok bool) {
	r, err := evalSource(src, rng, o)
	if err != nil {
		return l, false
	}
	return r.Listings[0], true
}

func TestRangeDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		src := g.program()
		day := func(n int) string { return time.Date(2026, 1, 1+n, 0, 0, 0, 0, time.UTC).Format("2006-01-02") }
		a := g.choose(200)
		b := a + g.choose(100)
		c := b + g.choose(100)
		var parts [4]Listing
		for i, rng := range []string{day(a) + " " + day(b), day(b) + " " + day(c), day(a) + " " + day(c), "2025-11-01 " + day(c+60)} {
			l, ok := evalAs(t, src, rng, Options{TZ: g.tz})
			if !ok {
				t.Skip("the program breaks a rule")
			}
			parts[i] = l
		}
		whole := parts[2].Points
		if joined := append(slices.Clone(parts[0].Points), parts[1].Points...); !slices.Equal(joined, whole) {
			t.Fatalf("[%s, %s) and from there to %s: %v, in one: %v\n%s", day(a), day(b), day(c), joined, whole, src)
		}
		z := mustLoadZone(g.tz)
		if cut := cutPoints(parts[3].Points, z.dayStart(2026, 1, 1+a), z.dayStart(2026, 1, 1+c)); !slices.Equal(cut, whole) {
			t.Fatalf("[%s, %s) cut from a wider range: %v, alone: %v\n%s", day(a), day(c), cut, whole, src)
		}
	})
}

func mustLoadZone(name string) *zone {
	z, err := loadZone(name)
	if err != nil {
		panic(err)
	}
	return z
}

func TestEvaluationsDoNotMeet(t *testing.T) {
	for seed := range uint64(12) {
		src := seededPrograms(seed).program()
		p, err := Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		var results [9]*Result
		var errs [9]string
		run := func(i int) {
			r, err := p.Eval(context.Background(), rangeOf(lawRange), Options{Local: i%3 == 2})
			if err != nil {
				errs[i] = err.Error()
				return
			}
			r.Local, r.zone = false, nil
			results[i] = r
		}
		run(0)
		var wg sync.WaitGroup
		for i := 1; i < len(results); i++ {
			wg.Go(func() { run(i) })
		}
		wg.Wait()
		for i := 1; i < len(results); i++ {
			switch {
			case i%3 == 2 && results[0] != nil && results[i] != nil:
				if !slices.Equal(results[i].Listings[0].Points, results[0].Listings[0].Points) {
					t.Errorf("seed %d: local evaluation %d differs", seed, i)
				}
			case i%3 != 2 && (errs[i] != errs[0] || !reflect.DeepEqual(results[i], results[0])):
				t.Errorf("seed %d: evaluation %d differs: %v %v", seed, i, errs[i], errs[0])
			}
		}
	}
}

// Printed points, written as literals, are the points.
func TestPrintedPointsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom([]string{"Asia/Tokyo", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo"}).Draw(t, "zone")
		at := int64(rapid.IntRange(0, 2_500_000_000).Draw(t, "second")) * 1000
		z := mustLoadZone(zone)
		text := z.format(at)
		r, err := evalSource("premise P { calendar-system: Gregorian; tz: \""+zone+"\" }\n@P\n"+text, "1970-01-02 2060-01-01", Options{TZ: zone})
		if e, ok := err.(*Error); ok && e.Code == "tz.overlap" {
			t.Skip("the clock shows it twice")
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Listings[0].Points; len(got) == 1 && got[0] != at {
			t.Fatalf("%s in %s is %d, want %d", text, zone, got[0], at)
		}
	})
}
