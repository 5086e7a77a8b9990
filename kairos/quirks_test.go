package kairos

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// outcome writes what an evaluation gave: the points of each expression, of many only the number and the ends; or the code
// of the error.
func outcome(r *Result, err error) string {
	if err != nil {
		if e, ok := err.(*Error); ok {
			return "error " + e.Code
		}
		return err.Error()
	}
	var parts []string
	for _, l := range r.Listings {
		pts := r.Texts(l.Points)
		switch n := len(pts); {
		case n == 0:
			parts = append(parts, "none")
		case n > 7:
			parts = append(parts, fmt.Sprintf("%d: %s..%s", n, pts[0], pts[n-1]))
		default:
			parts = append(parts, strings.Join(pts, " "))
		}
	}
	return strings.Join(parts, " / ")
}

// TestQuirkVectors holds what we give for the programs on which the reference does what nobody should want. The reasons
// stand in docs/kairos.md.
func TestQuirkVectors(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range readVectors(t, "vectors-quirks.jsonl") {
		seen[v.ID] = true
		want, ok := quirkOutcomes[v.ID]
		if !ok {
			t.Errorf("%s: nobody has decided what to give", v.ID)
			continue
		}
		if got := outcome(v.eval()); got != want {
			t.Errorf("%s: %s, want %s\n%s", v.ID, got, want, v.Source)
		}
	}
	for id := range quirkOutcomes {
		if !seen[id] {
			t.Errorf("%s is decided, but not in the corpus", id)
		}
	}
}

var quirkOutcomes = map[string]string{
	"extra/lex.date-year-00xx":                               "none",
	"extra/parse.inline-premise-bindings-dropped":            "2026-01-01 2026-01-02",
	"extra/parse.combinator-left-assoc":                      "2026-01-01 2026-01-03",
	"extra/name.no-premise-everyDay":                         "2026-01-01 2026-01-02",
	"extra/name.no-calendar-system-default":                  "2026-01-01 2026-01-02",
	"extra/name.with-derived-preamble-members-not-inherited": "21: 2026-01-05..2026-01-25",
	"extra/name.rebinding-is-memoised":                       "2026-01-04 / 2026-01-05",
	"extra/name.stage-qualified-ns-ignored":                  "error premise.undefined",
	"extra/name.lambda-param-shadows-stdlib-dynamic":         "28: 2026-02-01..2026-02-28",
	"extra/name.lambda-param-named-day":                      "2026-02-03 2026-03-03",
	"extra/name.dynamic-scope-param-binding":                 "error name.unresolved",
	"extra/name.dynamic-scope-zero-arg-binding":              "error name.unresolved",
	"extra/name.dynamic-scope-zero-arg-memo-leak":            "error name.unresolved",
	"extra/name.bizDay-lambda-param-with-calendar":           "error name.reserved-bizDay",
	"extra/name.recursion-param-binding-terminating":         "error name.sugar-cycle",
	"extra/name.recursion-param-binding-infinite":            "error name.sugar-cycle",
	"extra/name.recursion-stage-pointfree":                   "error name.sugar-cycle",
	"extra/name.lambda-missing-arg":                          "error args.missing",
	"extra/types.table-indexing":                             "error value.index-non-list",
	"extra/cycle.on-span-window-alternating-weeks":           "2026-01-09 2026-01-23 2026-02-06",
	"extra/within.nested-default-innermost":                  "2026-01-01 2026-02-01 2026-03-01 2026-04-01 2026-05-01 2026-06-01",
	"extra/segment.edges-unknown":                            "error segment.edges-unknown",
	"extra/select.first-positional-ignored":                  "error args.too-many",
	"extra/select.last-positional-ignored":                   "error args.too-many",
	"extra/select.nth-fraction":                              "error select.nth-whole",
	"extra/cycle.negative-side-ok":                           "1970-01-01 1970-01-04 1970-01-07",
	"extra/week.wkst-thu-empty-head":                         "2026-01-01 2026-01-08 2026-01-15",
	"extra/week.ordinal-of-week-in-month":                    "2026-01-12 2026-01-13 2026-01-14 2026-01-15 2026-01-16 2026-01-17 2026-01-18",
	"extra/week.ordinal-of-week-in-month-1":                  "11: 2026-01-01..2026-01-11",
	"extra/week.shift-unit-week":                             "2026-01-12",
	"extra/roll.modified":                                    "2026-05-29",
	"extra/roll.member-roll-not-inherited":                   "2026-05-29",
	"extra/shift.month-duplicates":                           "2026-03-01 2026-03-01 2026-03-02 2026-03-02 2026-03-03 2026-03-03 2026-03-04",
	"extra/shift.fraction":                                   "error shift.whole",
	"extra/strideBy.ignores-input":                           "2026-01-01 2026-01-01T06:00 2026-01-01T12:00 2026-01-01T18:00",
	"extra/strideBy.civil-from-pre-epoch":                    "2026-01-02 2026-01-04",
	"extra/ann.asof-number":                                  "2026-02-01",
	"extra/proj.weekday-before-1999-horizon":                 "1990-01-01 1990-01-08 1990-01-15 1990-01-22 1990-01-29",
	"extra/tz.no-tz-premise-uses-exec-tz":                    "2026-03-07 2026-03-08 2026-03-09",
	"extra/tz.apia-missing-date-literal":                     "error tz.gap",
	"extra/tz.apia-weekday-after-skip":                       "2011-12-26 2012-01-02 2012-01-09",
	"extra/tz.apia-month-day-count-after-skip":               "2012-01-01 2012-02-01 2012-03-01",
	"extra/tz.far-future-dst-frozen":                         "2126-07-01T02:00 2126-07-01T08:00 2126-07-01T14:00 2126-07-01T20:00",
	"extra/align.filter-both":                                "error filter.both",
	"extra/fiscal.head-fragment-label":                       "1970-01-01 1970-02-01 1970-03-01 1970-04-01 1970-05-01",
	"extra/err.ordinalIn-outside-unit-hard":                  "error ordinalIn.outside-unit",
	"extra/err.shift-outside-unit-hard":                      "error shift.outside-unit",
	"extra/misc.point-list-as-value-in-in":                   "error value.in-non-list",
	"fuzz/051":                                               "none",
	"fuzz/157":                                               "2026-10-07T13:00",
	"fuzz/182":                                               "none",
	"fuzz/297":                                               "2026-10-02T02:30",
	"fuzz/298":                                               "none",
	"fuzz/438":                                               "none",
	"fuzz/499":                                               "none",
	"fuzz/524":                                               "29: 2026-05-18T13:00..2026-11-30T14:00",
	"fuzz/577":                                               "none",
	"fuzz/578":                                               "105: 2026-03-22T22:00..2026-08-25T22:00",
	"fuzz/580":                                               "51: 2026-02-17T12:00..2026-05-17T13:00",
	"fuzz/605":                                               "2026-09-30T12:00 2026-12-31T12:00 2027-03-31T12:00 2027-06-30T13:00",
	"mistakes/fiscal-quarter-premise-tz-west-of-run-tz":      "2026-01-01T14:00 2026-04-01T13:00 2026-07-01T13:00 2026-10-01T13:00",
}

// TestQuirks covers each kind of difference by a program of its own.
func TestQuirks(t *testing.T) {
	const preamble = "premise P { tz: \"Asia/Tokyo\"; wkst: Mon }\n@P\n"
	for _, c := range []struct {
		name, from, to, tz, src, want string
	}{
		{"years below 100 are themselves", "1970-01-01", "1990-01-01", "",
			"@Gregorian\nlongAgo = [0080-02-29] covering: ..\nlongAgo", "none"},
		{"an anonymous preamble can define words", "2026-01-01", "2026-03-01", "",
			"premise { tz: \"Asia/Tokyo\"; third = everyDay |> filter(d => dayNo(d) == 3) }\nthird", "2026-01-03 2026-02-03"},
		{"the words of an anonymous preamble end with it", "2026-01-01", "2026-03-01", "",
			"premise { tz: \"Asia/Tokyo\"; third = everyDay |> filter(d => dayNo(d) == 3) }\nthird\n@Gregorian\nthird", "error name.unresolved"},
		{"a table in an anonymous preamble needs a zone", "2026-01-01", "2026-03-01", "",
			"premise { closed = [2026-01-03] covering: 2026..2026 }\nclosed", "error premise.tz-required"},
		{"data from outside need a premise with a name", "2026-01-01", "2026-03-01", "",
			"premise { tz: \"UTC\"; source: \"s\"; asof: latest; closed = external(kind: dates) }\nclosed", "error external.position"},
		{"core words cannot be bound there", "2026-01-01", "2026-03-01", "", "premise { first = 3 }\neveryDay", "error premise.core-word"},
		{"a part of nothing is no window", "2026-01-01", "2027-01-01", "", preamble + "halves = year split (_ => [12, 0]) by: month\nhalves |> first", "error gen.split-width"},
		{"all parts of something are windows", "2026-01-01", "2027-01-01", "", preamble + "halves = year split (_ => [11, 1]) by: month\nhalves |> first", "2026-01-01 2026-12-01"},
		{"an index is whole", "2026-01-01", "2026-01-10", "", preamble + "everyDay |> filter(d => dayNo(d) == [3, 5][0.5])", "error value.index-range"},
		{"an index counts from 0", "2026-01-01", "2026-01-10", "", preamble + "everyDay |> filter(d => dayNo(d) == [3, 5][1])", "2026-01-05"},
		{"without a preamble the calendar is Gregorian", "2026-01-01", "2026-01-03", "", "everyDay", "2026-01-01 2026-01-02"},
		{"a premise without calendar-system is Gregorian", "2026-02-01", "2026-03-01", "",
			"premise P { tz: \"Asia/Tokyo\" }\n@P\nmonthEnd", "2026-02-28"},
		{"an unknown calendar-system is none", "2026-02-01", "2026-03-01", "",
			"premise P { calendar-system: Julian }\n@P\nmonthEnd", "error name.unresolved"},
		{"a premise with days of its own has no other calendar", "2026-02-01", "2026-03-01", "",
			"premise Mars { day = chronos grid 1d }\n@Mars\nmonth |> first", "error name.unresolved"},
		{"a preamble has the members of the premise's bases", "2026-03-08", "2026-03-10", "",
			"premise A { tz: \"America/New_York\"; wkst: Mon }\npremise B = A with { wkst: Sun }\n@B\nweek |> first", "2026-03-08T14:00"},
		{"rebinding takes effect from there on", "2026-01-01", "2026-01-10", "",
			preamble + "n = 4\nf = everyDay |> filter(d => dayNo(d) == n)\nf\nn = 6\nf", "2026-01-04 / 2026-01-06"},
		{"a qualified stage is that of its premise", "2026-01-01", "2026-01-02", "",
			"premise A { noon = 1; tick(t) = s => s |> Gregorian.at(t) }\neveryDay |> A.tick(T12:00)", "2026-01-01T12:00"},
		{"a qualified stage has the zone of its premise", "2026-01-01", "2026-01-02", "Europe/Paris",
			"premise A { tz: \"Asia/Tokyo\"; nine = s => (everyInstant |> strideBy(1d, from: T09:00)) }\neveryDay |> A.nine", "2026-01-01T01:00"},
		{"an unknown premise of a stage is an error", "2026-01-01", "2026-01-02", "", "everyDay |> Nobody.at(T09:00)", "error premise.undefined"},
		{"core stages belong to no premise", "2026-01-01", "2026-01-02", "", "month |> Gregorian.first", "error name.qualified-undefined"},
		{"a qualified stage can be a stage of one's own", "2026-01-01", "2026-01-02", "",
			"eight = Gregorian.at(T08:00)\neveryDay |> eight", "2026-01-01T08:00"},
		{"a parameter's name disturbs no standard word", "2026-02-01", "2026-02-10", "",
			preamble + "everyDay |> filter(day => dayNo(day) == 3 and weekday(day) == Tue)", "2026-02-03"},
		{"a definition does not see its caller's parameters", "2026-01-01", "2026-01-10", "",
			preamble + "sum(a) = a + b\nof = b => sum(1)\neveryDay |> filter(d => dayNo(d) == of(2))", "error name.unresolved"},
		{"nor does one without parameters", "2026-01-01", "2026-01-10", "",
			preamble + "next = b + 1\nof = b => next\neveryDay |> filter(d => dayNo(d) == of(2))", "error name.unresolved"},
		{"definitions in a circle are refused also where they would end", "2026-01-01", "2026-01-10", "",
			preamble + "down(n) = n <= 0 ? 0 : down(n - 1)\neveryDay |> filter(d => down(2) == 0)", "error name.sugar-cycle"},
		{"stages in a circle too", "2026-01-01", "2026-01-10", "", preamble + "a = b |> first\nb = a |> last\neveryDay |> a", "error name.sugar-cycle"},
		{"every parameter of a function needs its argument", "2026-01-01", "2026-01-10", "",
			preamble + "f = (a, b) => b\neveryDay |> filter(d => f(1) == 1)", "error args.missing"},
		{"a list of dates is a table, also behind in", "2026-01-01", "2026-01-10", "",
			preamble + "everyDay |> filter(d => d in [2026-01-02, 2026-01-04])", "error value.in-non-list"},
		{"a cycle over an anchored grid has labels from the first day on", "1970-01-01", "1970-01-12", "",
			preamble + "pair = chronos grid 2d anchor: 1970-01-04\nside = pair cycle [L, R] anchor: 1970-01-04\neveryDay |> filter(d => side(d) == L)",
			"1970-01-01 1970-01-04 1970-01-05 1970-01-08 1970-01-09"},
		{"edges must be a word that there is", "2026-01-01", "2026-03-01", "",
			preamble + "everyDay |> segmentBy(monthStart, edges: keep, empties: keep) |> first", "error segment.edges-unknown"},
		{"empties too", "2026-01-01", "2026-03-01", "",
			preamble + "everyDay |> segmentBy(monthStart, edges: drop, empties: clip) |> first", "error segment.empties-unknown"},
		{"first takes no number", "2026-01-01", "2026-03-01", "", preamble + "month |> first(2)", "error args.too-many"},
		{"nth takes a whole number", "2026-01-01", "2026-03-01", "", preamble + "month |> nth(2.5)", "error select.nth-whole"},
		{"shift takes a whole number", "2026-01-01", "2026-03-01", "", preamble + "monthEnd |> shift(1.5, unit: day)", "error shift.whole"},
		{"a grid of no width is refused", "2026-01-01", "2026-03-01", "", preamble + "g = chronos grid 0d\ng |> first", "error gen.grid-step"},
		{"steps of no width too", "2026-01-01", "2026-03-01", "", "everyInstant |> strideBy(0h, from: 2026-01-01)", "error strideBy.zero"},
		{"an anchor may lie beyond what is computed", "1970-01-01", "1970-01-12", "",
			preamble + "c = day cycle [A, B, C, D] anchor: 2040-01-01\neveryDay |> filter(d => c(d) == A)", "1970-01-04 1970-01-08"},
		{"weekdays can be asked for before 1999", "1985-01-01", "1985-01-15", "",
			preamble + "everyDay |> filter(d => weekday(d) == Sun)", "1985-01-06 1985-01-13"},
		{"weeks can begin on Thursday", "2026-01-01", "2026-01-20", "",
			"premise P { tz: \"Asia/Tokyo\"; wkst: Thu }\n@P\nweek |> first", "2026-01-01 2026-01-08 2026-01-15"},
		{"also in a zone west of the run's", "2026-01-01", "2026-01-10", "UTC",
			"premise P { tz: \"America/New_York\"; wkst: Thu }\n@P\nweek |> first", "2026-01-01T05:00 2026-01-08T05:00"},
		{"a shift by weeks is a shift by weeks", "2026-05-01", "2026-06-01", "",
			preamble + "due = [2026-05-06] covering: ..\ndue |> shift(2, unit: week)", "2026-05-20"},
		{"by a stream with windows of which some points are left, it is by points", "2026-05-01", "2026-06-01", "",
			preamble + "mondays = week |> filter(d => weekday(d) == Mon)\nmondays |> filter(d => dayNo(d) < 8) |> shift(1, unit: mondays)", "2026-05-11"},
		{"modified following stays in the month", "2026-05-01", "2026-07-01", "",
			preamble + "open = everyDay |> filter(d => not (weekday(d) in [Sat, Sun]))\nmonthEnd |> roll(Modified, on: open)", "2026-05-29 2026-06-30"},
		{"modified following stays in another window", "2026-05-01", "2026-06-01", "",
			preamble + "open = everyDay |> filter(d => weekday(d) == Wed)\nten = everyDay |> filter(d => dayNo(d) in [8, 18])\nten |> roll(Modified, on: open, of: week)",
			"2026-05-06 2026-05-20"},
		{"other conventions take no window", "2026-05-01", "2026-06-01", "",
			preamble + "monthEnd |> roll(Preceding, on: everyDay, of: week)", "error args.unknown-named"},
		{"the roll member is what roll does", "2026-05-01", "2026-07-01", "",
			preamble + "open = everyDay |> filter(d => not (weekday(d) in [Sat, Sun]))\n@P roll: Preceding axis: open\nmonthEnd |> roll", "2026-05-29 2026-06-30"},
		{"without it, roll needs a convention", "2026-05-01", "2026-07-01", "", preamble + "monthEnd |> roll(on: everyDay)", "error roll.conv-required"},
		{"points that a shift by months brings together stay two", "2026-02-28", "2026-03-04", "",
			preamble + "ends = everyDay |> filter(d => dayNo(d) == 29 or dayNo(d) == 1)\nends |> shift(1, unit: month)", "2026-03-01 2026-03-01"},
		{"strideBy does not look at what comes in", "2026-01-01", "2026-01-03", "",
			"monthEnd |> strideBy(12h, from: 2026-01-02)", "2026-01-02 2026-01-02T12:00"},
		{"civil steps from before 1970 keep their phase", "1970-01-01", "1970-01-10", "",
			"everyInstant |> strideBy(3d, from: 1969-12-30)", "1970-01-02 1970-01-05 1970-01-08"},
		{"a premise without tz has the run's zone", "2026-03-29", "2026-03-31", "Europe/Paris", "everyDay", "2026-03-29 2026-03-30"},
		{"a date that the zone leaps over does not exist", "2011-12-28", "2012-01-02", "Pacific/Apia",
			"premise P { tz: \"Pacific/Apia\" }\n@P\nt = [2011-12-30] covering: ..\nt", "error tz.gap"},
		{"weekdays go by the date there", "2011-12-26", "2012-01-10", "Pacific/Apia",
			"premise P { tz: \"Pacific/Apia\" }\n@P\neveryDay |> filter(d => weekday(d) == Tue)", "2011-12-27 2012-01-03"},
		{"months too", "2011-11-15", "2012-02-05", "Pacific/Apia", "premise P { tz: \"Pacific/Apia\" }\n@P\nmonthStart | monthEnd",
			"2011-11-30 2011-12-01 2011-12-31 2012-01-01 2012-01-31 2012-02-01"},
		{"and days of the month", "2011-12-28", "2012-01-02", "Pacific/Apia",
			"premise P { tz: \"Pacific/Apia\" }\n@P\neveryDay |> filter(d => dayNo(d) in [29, 30, 31])", "2011-12-29 2011-12-31"},
		{"a shift by days passes the date by", "2011-12-28", "2012-01-02", "Pacific/Apia",
			"premise P { tz: \"Pacific/Apia\" }\n@P\nd = everyDay |> filter(d => dayNo(d) == 29) |> filter(d => monthNo(d) == 12)\nd |> shift(1, unit: day)\nd |> shift(1, unit: everyDay)",
			"2011-12-31 / 2011-12-31"},
		{"backwards as well", "2011-12-28", "2012-01-02", "Pacific/Apia",
			"premise P { tz: \"Pacific/Apia\" }\n@P\n(everyDay |> filter(d => dayNo(d) == 31)) |> shift(-1, unit: day)", "2011-12-29"},
		{"steps of days go by the date", "2011-12-27", "2012-01-04", "Pacific/Apia",
			"premise P { tz: \"Pacific/Apia\" }\n@P\neveryInstant |> strideBy(2d, from: 2011-12-28)", "2011-12-28 2012-01-01 2012-01-03"},
		{"daylight saving goes on", "2150-07-01", "2150-07-02", "UTC",
			"premise P { tz: \"Europe/Berlin\" }\n@P\neveryDay |> at(T12:00)", "2150-07-01T10:00"},
		{"a filter has one criterion", "2026-01-01", "2026-01-10", "",
			preamble + "everyDay |> filter(d => dayNo(d) == 3, on: everyDay)", "error filter.both"},
		{"quarters of a fiscal year in a zone west of the run's", "2026-01-01", "2027-01-01", "",
			"premise P { calendar-system: Fiscal; tz: \"America/New_York\" }\n@P\nquarter |> first",
			"2026-01-01T14:00 2026-04-01T13:00 2026-07-01T13:00 2026-10-01T13:00"},
		{"points of tables far away are not asked about", "2026-01-01", "2027-01-01", "",
			preamble + "t = [1955-05-05, 2026-05-05, 2035-05-05] covering: ..\nt |> filter(d => weekday(d) == Tue)", "2026-05-05"},
		{"modified following knows where its windows end", "2026-01-01", "2026-02-01", "",
			preamble + "w = chronos grid 7d anchor: 1970-01-05\nmonthStart |> roll(Modified, on: weekStart, of: w)", "error roll.outside"},
		{"a point whose window has nothing to roll to vanishes", "2026-01-01", "2026-04-01", "",
			preamble + "open = [2026-01-10, 2026-03-20] covering: ..\nmonthStart |> roll(Modified, on: open)", "2026-01-10 2026-03-20"},
		{"a shift by segments of data", "2026-01-01", "2026-04-01", "",
			preamble + "m = [2026-01-05, 2026-01-20, 2026-02-10] covering: 2026-01-01..2026-03-31\nw = day |> segmentBy(m, edges: drop, empties: keep)\n" +
				"d = everyDay |> filter(d => dayNo(d) == 7)\nd |> shift(1, unit: w)", "2026-01-22 2026-02-28"},
		{"windows of an anchored grid begin with its first boundary", "2026-01-01", "2026-01-10", "",
			preamble + "w = chronos grid 7d anchor: 2026-01-05\neveryDay |> filter(d => ordinalIn(day, w, d) == 1)", "error ordinalIn.outside-frame"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Compile(c.src)
			if err != nil {
				t.Fatal(err)
			}
			from, _ := ParseDate(c.from)
			to, _ := ParseDate(c.to)
			if got := outcome(p.Eval(context.Background(), Range{from, to}, Options{TZ: c.tz})); got != c.want {
				t.Errorf("%s, want %s\n%s", got, c.want, c.src)
			}
		})
	}
}

// TestLocalWeeks holds that weeks mean the same where only the neighbourhood is evaluated.
func TestLocalWeeks(t *testing.T) {
	p, err := Compile("premise P { tz: \"Asia/Tokyo\"; wkst: Thu }\n@P\nweek |> first |> shift(1, unit: week)")
	if err != nil {
		t.Fatal(err)
	}
	for _, local := range []bool{false, true} {
		r, err := p.Eval(context.Background(), Range{Date{2026, 1, 1}, Date{2026, 1, 20}}, Options{Local: local})
		if got, want := outcome(r, err), "2026-01-01 2026-01-08 2026-01-15"; got != want {
			t.Errorf("local %v: %s, want %s", local, got, want)
		}
	}
}

// TestNumberAsOf holds how an edition is printed that is written as a number.
func TestNumberAsOf(t *testing.T) {
	p, err := Compile("premise D { tz: \"Asia/Tokyo\"; asof: 12; a = [2026-02-01] covering: 2026-01-01..2026-06-30 }\nD.a")
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Eval(context.Background(), Range{Date{2026, 1, 1}, Date{2026, 12, 31}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a := r.Listings[0].Annotations; len(a) != 1 || a[0].AsOf != "12" || a[0].Source != "D.a" {
		t.Errorf("annotations %+v", a)
	}
	if c := r.Coverage; len(c) != 1 || c[0].AsOf != "12" {
		t.Errorf("coverage %+v", c)
	}
}
