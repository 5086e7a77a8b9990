package kairos

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Programs whose points in the range depend on what was long before: a local evaluation must notice and begin again.
func TestLocalNotices(t *testing.T) {
	for _, c := range []struct {
		name, src string
		local     bool // it need not begin again
	}{
		{"days", "everyDay |> filter(d => weekday(d) == Fri)", true},
		{"business days", "bizDay |> within(month) |> last |> at(T09:00)", false},
		{"weeks", "everyDay |> within(week) |> first |> filter(d => ordinalIn(week, month, d) == 2)", true},
		{"a short shift", "monthStart |> shift(3, unit: month) |> roll(Following, on: bizDay) |> shift(10, unit: bizDay)", false},
		{"a long shift", "everyDay |> shift(5, unit: year)", false},
		{"long shifts together", "everyDay |> shift(300, unit: day) |> shift(200, unit: everyDay)", false},
		{"a shift back", "everyDay |> shift(-300, unit: day) |> shift(-200, unit: everyDay)", false},
		{"a long shift, then days of another zone", "everyDay |> shift(40, unit: quarter) |> rebase(to: \"UTC\")", false},
		{"steps on a thin axis", "leap = everyDay |> filter(d => dayNo(d) == 29 and monthNo(d) == 2)\nleap |> shift(1, unit: leap)", false},
		{"rolled along a thin axis", "leap = everyDay |> filter(d => dayNo(d) == 29 and monthNo(d) == 2)\neveryDay |> filter(d => dayNo(d) == 1) |> roll(Following, on: leap)", false},
		{"rolled from long ago", "leap = everyDay |> filter(d => dayNo(d) == 29 and monthNo(d) == 2)\neveryDay |> filter(d => yearNo(d) == 2024 and monthNo(d) == 3) |> roll(Following, on: leap)", false},
		{"a late day is read, and moved", "late = everyDay |> shift(300, unit: day)\nlate\neveryDay |> filter(d => coincides(late, day, d)) |> shift(200, unit: day)", false},
		{"one by one, too", "late = everyDay |> shift(300, unit: day)\nlate\neveryDay |> filter(d => coincides(late, dayNo(d) > 0 ? day : month, d)) |> shift(200, unit: day)", false},
		{"a late window is counted, and moved", "s = everyDay |> segmentBy(monthStart |> shift(10, unit: month), edges: clip, empties: keep)\ns\neveryDay |> filter(d => ordinalIn(day, s, d) == 3) |> shift(5, unit: month)", false},
		{"a label is read, and moved", "s = everyDay |> segmentBy(monthStart |> shift(10, unit: month), edges: clip, empties: keep, label: (p => monthNo(p)))\ns\neveryDay |> filter(d => s(d) == 9) |> shift(5, unit: month)", false},
		{"a late day is read, and not moved", "late = everyDay |> shift(300, unit: day)\nlate\neveryDay |> filter(d => coincides(late, day, d))", true},
		{"another day is read", "everyDay |> filter(d => coincides(everyDay, day, 2001-02-03))", false},
		{"the tenth month of a decade's thin days", "decade = year span (_ => 10)\n(everyDay |> filter(d => dayNo(d) == 29 and monthNo(d) == 2)) |> within(decade) |> nth(2)", false},
		{"the last of a decade", "decade = year span (_ => 10)\neveryDay |> within(decade) |> last", true},
		{"whether a thin day lies in the decade", "decade = year span (_ => 10)\nleap = everyDay |> filter(d => dayNo(d) == 29 and monthNo(d) == 2)\neveryDay |> filter(d => coincides(leap, decade, d))", false},
		{"segments from thin days", "leap = everyDay |> filter(d => dayNo(d) == 29 and monthNo(d) == 2)\neveryDay |> segmentBy(leap, edges: clip, empties: keep) |> nth(600)", false},
		{"the day's number in such a segment", "leap = everyDay |> filter(d => dayNo(d) == 29 and monthNo(d) == 2)\ns = everyDay |> segmentBy(leap, edges: clip, empties: keep)\neveryDay |> filter(d => ordinalIn(day, s, d) mod 100 == 0)", false},
		{"label of such a segment", "leap = everyDay |> filter(d => dayNo(d) == 29 and monthNo(d) == 2)\ns = everyDay |> segmentBy(leap, edges: clip, empties: keep, label: (p => yearNo(p)))\neveryDay |> filter(d => s(d) == 2024)", false},
		{"snapped to such a segment", "leap = everyDay |> filter(d => dayNo(d) == 29 and monthNo(d) == 2)\ns = everyDay |> segmentBy(leap, edges: clip, empties: keep)\n(everyDay |> snapTo(s)) | (everyDay |> within(s) |> last)", false},
		{"counted from long ago", "everyDay |> stride(13, from: 2001-01-01)", false},
		{"counted from lately", "everyDay |> stride(13, from: 2026-01-01)", true},
		{"number of a week among all", "everyDay |> filter(d => epochOrdinal(week, d) mod 2 == 0)", false},
		{"number of a day among all", "everyDay |> filter(d => epochOrdinal(day, d) mod 2 == 0)", true},
		{"segments that are not empty in the neighbourhood", "everyDay |> segmentBy([2001-01-01, 2026-01-05] covering: .., edges: drop, empties: error) |> first", false},
		{"windows by their label, then moved", "month(3) |> shift(2, unit: year)", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole, err := evalSource(biz+c.src, "2025-12-20 2028-04-01", Options{})
			if err != nil {
				t.Fatal(err)
			}
			local, err := evalSource(biz+c.src, "2025-12-20 2028-04-01", Options{Local: true})
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range whole.Listings {
				if l := local.Listings[i]; !slices.Equal(w.Points, l.Points) {
					t.Errorf("local %v\nwhole %v", brief(local.Texts(l.Points)), brief(whole.Texts(w.Points)))
				}
			}
			if !slices.Equal(whole.Warnings, local.Warnings) {
				t.Errorf("warnings: local %v\nwhole %v", local.Warnings, whole.Warnings)
			}
			if c.local && !local.Local {
				t.Error("it began again without need")
			}
		})
	}
}

// differsLocally compares the whole evaluation of a program with a local one that looks at so many days before the range; it
// gives what differs, whether the whole evaluation succeeds, and whether the local one had to.
func differsLocally(src string, r Range, o Options, days int64) (diff string, succeeds, local bool) {
	p, err := Compile(src)
	if err != nil {
		return "", false, false
	}
	whole, err := p.Eval(context.Background(), r, o)
	if err != nil {
		return "", false, false
	}
	near, err := p.evalNear(context.Background(), r, o, days)
	if err != nil {
		return "the local evaluation fails: " + err.Error(), true, false
	}
	local = near.Local
	for i, w := range whole.Listings {
		switch l := near.Listings[i]; {
		case !slices.Equal(w.Points, l.Points):
			return fmt.Sprintf("points: whole %v\nlocal %v", brief(whole.Texts(w.Points)), brief(near.Texts(l.Points))), true, local
		case !slices.Equal(w.Annotations, l.Annotations):
			return fmt.Sprintf("annotations: whole %v\nlocal %v", w.Annotations, l.Annotations), true, local
		}
	}
	if !slices.Equal(whole.Coverage, near.Coverage) {
		return fmt.Sprintf("coverage: whole %v\nlocal %v", whole.Coverage, near.Coverage), true, local
	}
	if !slices.Equal(whole.Warnings, near.Warnings) {
		return fmt.Sprintf("warnings: whole %v\nlocal %v", whole.Warnings, near.Warnings), true, local
	}
	return "", true, local
}

// neighbourhoods are days before the range: what is used, and fewer, so that more depends on what lies before them.
var neighbourhoods = []int64{horizonDays, 40, 5}

// Generated programs give the same points, annotations, coverage and warnings locally.
func TestLocalIsTheSame(t *testing.T) {
	succeed, local := 0, 0
	check := func(t interface {
		Fatalf(string, ...any)
	}, g *programs, rng string) {
		src := g.program()
		for _, days := range neighbourhoods {
			diff, ok, near := differsLocally(src, rangeOf(rng), Options{TZ: g.tz}, days)
			if diff != "" {
				t.Fatalf("%d days before %s: %s\n%s", days, rng, diff, src)
			}
			if ok {
				succeed++
			}
			if near {
				local++
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		g.thin = g.chance(50)
		check(t, g, lawRange)
	})
	for seed := range uint64(150) {
		g := seededPrograms(seed)
		g.thin = seed%3 != 0
		check(t, g, []string{lawRange, "2026-06-01 2026-06-20"}[seed%2])
	}
	if local < succeed/3 || local == succeed {
		t.Errorf("of %d evaluations, %d were local", succeed, local)
	}
}

// So do the programs of the conformance corpus.
func TestLocalCorpus(t *testing.T) {
	vectors := readVectors(t, "vectors.jsonl")
	local := 0
	for _, v := range vectors {
		from, _ := ParseDate(v.From)
		to, _ := ParseDate(v.To)
		for _, days := range neighbourhoods {
			diff, _, near := differsLocally(v.Source, Range{from, to}, v.options(), days)
			if diff != "" {
				t.Errorf("%s, %d days before %s .. %s %s: %s\n%s", v.ID, days, v.From, v.To, v.TZ, diff, v.Source)
			}
			if near {
				local++
			}
		}
	}
	if local < len(vectors) {
		t.Errorf("of %d evaluations, %d were local", len(neighbourhoods)*len(vectors), local)
	}
}

// A program that fails long before the range, and not near it, gives its local result; one that fails in both fails as the
// whole evaluation does.
func TestLocalStands(t *testing.T) {
	far := jp + "g = chronos grid 7d anchor: 2024-07-01\neveryDay |> filter(d => ordinalIn(day, g, d) == 1)"
	(&evalCase{src: far, err: "ordinalIn.outside-frame"}).check(t)
	for src, want := range map[string][]string{
		far: {"2026-01-05", "2026-01-12", "2026-01-19", "2026-01-26"},
		// A shift back warns of the first days of all, which a local evaluation does not see. Its points stand.
		far + " |> shift(-1, unit: day)": {"2026-01-04", "2026-01-11", "2026-01-18", "2026-01-25"},
	} {
		r, err := evalSource(src, "2026-01-01 2026-01-27", Options{Local: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Texts(r.Listings[0].Points); !r.Local || !slices.Equal(got, want) {
			t.Errorf("points %v, local %v", got, r.Local)
		}
	}
	(&evalCase{src: "everyDay |> filter(d => ^nobody(d))", err: "name.unresolved", opts: Options{Local: true}}).check(t)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := Compile(far)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Eval(ctx, rangeOf("2026-01-01 2026-02-01"), Options{Local: true}); err == nil || err.(*Error).Code != "limit.cancelled" {
		t.Errorf("a local evaluation that is called off gives %v", err)
	}
}

func BenchmarkLocal(b *testing.B) {
	for _, c := range []struct{ name, src string }{
		{"filter", "everyDay |> filter(d => weekday(d) == Fri and dayNo(d) == 13)"},
		{"business", "bizDay |> within(month) |> last |> at(T09:00)"},
	} {
		p, err := Compile(strings.Replace(biz, "2026..2026", "..", 1) + c.src)
		if err != nil {
			b.Fatal(err)
		}
		for _, far := range []string{"2026-01-01 2026-03-01", "2150-01-01 2150-03-01"} {
			for _, local := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/%s/local=%v", c.name, far[:4], local), func(b *testing.B) {
					for b.Loop() {
						if _, err := p.Eval(context.Background(), rangeOf(far), Options{Local: local}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
