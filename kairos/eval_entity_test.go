package kairos

import (
	"errors"
	"strings"
	"testing"
)

// entity is a calendar C of the given definitions, and a user of it in the same zone.
func entity(defs string) string {
	return "premise C { calendar-system: Gregorian; tz: \"Asia/Tokyo\"\n" + defs + "\n}\npremise B { calendar-system: Gregorian; calendar: C; tz: \"Asia/Tokyo\"; wkst: Mon }\n@B\n"
}

const weekends = "nonWorking = everyDay |> filter(d => weekday(d) in [Sat, Sun])\n"

func TestBusinessDays(t *testing.T) {
	runCases(t, []evalCase{
		{name: "days", head: biz, src: "bizDay", rng: "2026-01-01 2026-01-16", want: "2026-01-02 2026-01-05 2026-01-06 2026-01-07 2026-01-08 2026-01-09 2026-01-13 2026-01-14 2026-01-15",
			cover: []string{"C.holidays [2026-01-01..2026-12-31] 2026-01-05 350"}},
		{name: "beyond the holidays that are known", head: biz, src: "bizDay", rng: "2026-12-30 2027-01-03", want: "2026-12-30 2026-12-31 2027-01-01",
			notes: []string{"2027-01-01..2027-01-03 C.holidays [2026-01-01..2026-12-31] 2026-01-05"}},
		{name: "last of the month", head: biz, src: "bizDay |> within(month) |> last", rng: "2026-01-01 2026-04-01", want: "2026-01-30 2026-02-27 2026-03-31"},
		{name: "steps", head: biz, src: "([2026-01-09] covering: ..) |> shift(1, unit: bizDay)", want: "2026-01-13"},
		{name: "at a time", head: biz, src: "bizDay |> at(T09:00) |> takeLast(1, until: 2026-01-13T12:00)", want: "2026-01-13T09:00"},
		{name: "bound by the program", head: biz, src: "bizDay = everyDay\n^bizDay", err: "name.reserved-bizDay"},
		{name: "a parameter of that name", head: biz, src: "everyDay |> filter(bizDay => dayNo(^bizDay) == 1)", err: "name.reserved-bizDay"},
		{name: "free where no calendar is", src: "bizDay = monthEnd\nbizDay", want: "2026-01-31"},
		{name: "none where no calendar is", src: "^bizDay", err: "name.unresolved"},
		{name: "calendar that is no name", src: "@JP calendar: \"C\"\n^bizDay", err: "entity.calendar-not-name"},
		{name: "unknown calendar", src: "@JP calendar: Nobody\n^bizDay", err: "entity.calendar-undefined"},
		{name: "not a calendar", src: "@JP calendar: Fiscal\n^bizDay", err: "entity.not-an-entity"},
		{name: "nonWorking with parameters", head: entity("nonWorking(x) = x"), src: "^bizDay", err: "entity.nonWorking-params"},
		{name: "no zone", head: "-", src: "premise C { calendar-system: Gregorian; " + weekends + "}\npremise B { calendar-system: Gregorian; calendar: C }\n@B\n^bizDay", err: "entity.tz-required"},
		{name: "closed by hours", head: entity("nonWorking = everyDay |> at(T09:00)"), src: "^bizDay", err: "entity.nonWorking-align"},
		{name: "never closed", head: entity("nonWorking = [] covering: .."), src: "bizDay", rng: "2026-01-03 2026-01-05", want: "2026-01-03 2026-01-04"},
		{name: "of itself", head: "-", src: "premise C { calendar-system: Gregorian; calendar: C; tz: \"Asia/Tokyo\"; nonWorking = ^bizDay }\n@C\nbizDay", err: "entity.cycle"},
		{name: "of each other", head: "-", src: "premise C { calendar-system: Gregorian; tz: \"UTC\"; calendar: D\nnonWorking = everyDay \\ ^bizDay }\npremise D { calendar-system: Gregorian; tz: \"UTC\"; calendar: C\nnonWorking = everyDay \\ bizDay }\n@C\nbizDay", err: "entity.cycle"},
		{name: "user of another zone", head: "-", src: "premise C { calendar-system: Gregorian; tz: \"UTC\"; " + weekends + "}\npremise B { calendar-system: Gregorian; calendar: C; tz: \"Asia/Tokyo\" }\n@B\n^bizDay", err: "align.mismatch"},
		{name: "calendar for a calendar system", head: biz, src: "@B calendar-system: C\n^everyDay", err: "entity.as-calendar-system"},
		{name: "derived calendar", head: "-", rng: "2026-01-01 2026-01-09", want: "2026-01-01 2026-01-02 2026-01-06 2026-01-07 2026-01-08",
			src: "premise C { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; extra = [] covering: ..\nnonWorking = (everyDay |> filter(d => weekday(d) in [Sat, Sun])) | extra }\n" +
				"premise D = C with { extra = [2026-01-05] covering: .. }\npremise B { calendar-system: Gregorian; calendar: D; tz: \"Asia/Tokyo\" }\n@B\nbizDay"},
	})
}

func TestBusinessHours(t *testing.T) {
	nine := weekends + "sessionOpens = everyDay |> at(T09:00)\nsessionCloses = everyDay |> at(T15:00)\n"
	night := weekends + "sessionOpens = everyDay |> at(T22:00)\nsessionCloses = everyDay |> at(T05:00)\n"
	day := weekends + "sessionOpens = everyDay |> filter(d => epochOrdinal(day, d) > 0)\nsessionCloses = everyDay |> filter(d => epochOrdinal(day, d) > 1)\n"
	ticks := "(everyInstant |> strideBy(3h, from: 2026-01-01T02:00)) |> filter(d => isOpen(d))"
	runCases(t, []evalCase{
		{name: "open", head: entity(nine), src: "bizOpen", rng: "2026-01-01 2026-01-06", want: "2026-01-01T09:00 2026-01-02T09:00 2026-01-05T09:00"},
		{name: "close", head: entity(nine), src: "bizClose", rng: "2026-01-01 2026-01-06", want: "2026-01-01T15:00 2026-01-02T15:00 2026-01-05T15:00"},
		{name: "asked", head: entity(nine), src: ticks, rng: "2026-01-01 2026-01-06", want: "2026-01-01T11:00 2026-01-01T14:00 2026-01-02T11:00 2026-01-02T14:00 2026-01-05T11:00 2026-01-05T14:00"},
		{name: "a session belongs to the day that it opens on", head: entity(night), src: ticks, rng: "2026-01-02 2026-01-06",
			want: "2026-01-02T02:00 2026-01-02T23:00 2026-01-03T02:00 2026-01-05T23:00"},
		{name: "its close too", head: entity(night), src: "bizClose", rng: "2026-01-01 2026-01-07", want: "2026-01-01T05:00 2026-01-02T05:00 2026-01-03T05:00 2026-01-06T05:00"},
		{name: "sessions that touch are one", head: entity(day), src: "bizClose", rng: "2026-01-01 2026-01-20", want: "2026-01-03 2026-01-10 2026-01-17"},
		{name: "and open as often", head: entity(day), src: "bizOpen", rng: "2026-01-01 2026-01-06", want: "2026-01-01 2026-01-02 2026-01-05"},
		{name: "a reader in another zone", head: entity(nine), src: "@B tz: \"UTC\"\n" + "(everyInstant |> strideBy(1d, from: T00:30)) |> filter(d => isOpen(d))", rng: "2026-01-01 2026-01-06",
			want: "2026-01-01T09:30 2026-01-02T09:30 2026-01-05T09:30"},
		{name: "two opens", head: entity(weekends + "sessionOpens = everyDay |> at(T09:00)\nsessionCloses = weekStart |> at(T15:00)\nweekStart = everyDay |> filter(d => weekday(d) == Mon)"), src: "^bizOpen", err: "hours.alternation"},
		{name: "two closes", head: entity(weekends + "sessionOpens = x |> at(T09:00)\nsessionCloses = everyDay |> at(T15:00)\nx = everyDay |> filter(d => weekday(d) == Mon)"), src: "^bizOpen", err: "hours.alternation"},
		{name: "no hours", head: entity(weekends), src: "^bizOpen", err: "hours.undeclared"},
		{name: "one of the pair", head: entity(weekends + "sessionOpens = everyDay"), src: "^bizClose", err: "hours.unpaired"},
		{name: "with parameters", head: entity(weekends + "sessionOpens(x) = x\nsessionCloses = everyDay"), src: "^bizClose", err: "hours.params"},
		{name: "hours of no calendar", head: "-", src: "premise B { calendar-system: Gregorian; calendar: Fiscal }\n@B\n^bizOpen", err: "entity.not-an-entity"},
		{name: "hours without zone", head: "-", src: "premise C { calendar-system: Gregorian; " + nine + "}\npremise B { calendar-system: Gregorian; calendar: C }\n@B\n^bizOpen", err: "entity.tz-required"},
		{name: "bound by the program", head: entity(nine), src: "bizClose = everyDay\n^bizClose", err: "name.reserved-bizOpenClose"},
		{name: "isOpen bound by the program", head: entity(nine), src: "isOpen(x) = 1 == 1\neveryDay |> filter(d => ^isOpen(d))", err: "name.reserved-isOpen"},
		{name: "isOpen for a parameter", head: entity(nine), src: "f(isOpen) = ^isOpen(1)\neveryDay |> filter(d => f(d))", err: "name.reserved-isOpen"},
		{name: "isOpen free where no calendar is", src: "isOpen(x) = dayNo(x) == 9\neveryDay |> filter(d => isOpen(d))", want: "2026-01-09"},
		{name: "isOpen of two", head: entity(nine), src: "everyDay |> filter(d => ^isOpen(d, d))", err: "hours.isOpen-arity"},
		{name: "isOpen of a named one", head: entity(nine), src: "everyDay |> filter(d => ^isOpen(at: d))", err: "hours.isOpen-arity"},
		{name: "isOpen of a number", head: entity(nine), src: "everyDay |> filter(d => isOpen(^5))", err: "value.not-point"},
		{name: "sessions known for some days", src: "everyDay |> at(T10:00) |> filter(d => isOpen(d))",
			head: entity(weekends + "o = [2026-01-05T09:00, 2026-01-06T09:00] covering: 2026-01-05..2026-01-06\nc = [2026-01-05T15:00, 2026-01-06T15:00] covering: 2026-01-05..2026-01-06\nsessionOpens = o\nsessionCloses = c"),
			want: "2026-01-05T10:00 2026-01-06T10:00",
			notes: []string{"2026-01-01..2026-01-05 C.o [2026-01-05..2026-01-06]", "2026-01-01..2026-01-05 C.c [2026-01-05..2026-01-06]",
				"2026-01-07..2026-02-01 C.o [2026-01-05..2026-01-06]", "2026-01-07..2026-02-01 C.c [2026-01-05..2026-01-06]"}},
		{name: "asked outside of a filter where it is unknown", src: "n = ^isOpen(2026-01-10T10:00) ? 1 : 2\neveryDay |> stride(n, from: 2026-01-01)",
			head: entity(weekends + "o = [2026-01-05T09:00] covering: 2026-01-05..2026-01-06\nsessionOpens = o\nsessionCloses = o |> shift(6, unit: hour)"), err: "ooc.isOpen"},
	})
}

func TestExternal(t *testing.T) {
	head := func(decl string) string {
		return "premise P { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; source: \"db\"\nx = " + decl + "\n}\n@P\n"
	}
	marked := func(head string) string { return strings.Replace(head, "external", "^external", 1) }
	give := func(d ExternalData) Supplier {
		return func(premise, word string, decl ExternalDecl) (*ExternalData, error) {
			if premise != "P" || word != "x" || decl.Source == "" {
				return nil, errors.New("asked for " + premise + "." + word)
			}
			return &d, nil
		}
	}
	days := ExternalData{Dates: []string{"2026-01-05", "2026-01-07"}, Covering: "2026..2026", AsOf: "2026-01-02"}
	with := func(change func(*ExternalData)) Supplier {
		d := days
		change(&d)
		return give(d)
	}
	dates, labelled := head("external(kind: dates)"), head("external(kind: dates, labels: [A, B])")
	instants := head("external(kind: instants)")
	instant := ExternalData{Instants: []float64{1767571200000}, Covering: "..", AsOf: "now"} // 2026-01-05T00:00Z
	runCases(t, []evalCase{
		{name: "dates", head: dates, src: "x", supply: give(days), want: "2026-01-05 2026-01-07", cover: []string{"P.x [2026-01-01..2026-12-31] 2026-01-02 334"}},
		{name: "instants", head: instants, src: "x", supply: give(instant), want: "2026-01-05T09:00", cover: []string{"P.x [..] now ∞!"}},
		{name: "in a pipe", head: head("external(kind: dates) |> filter(d => dayNo(d) == 7)"), src: "x", supply: give(days), want: "2026-01-07"},
		{name: "labels", head: labelled, src: "x |> filter(d => x(d) == B)", supply: with(func(d *ExternalData) { d.Labels = []string{"A", "B"} }), want: "2026-01-07"},
		{name: "dates are on the grid of days", head: dates, src: "x & everyDay", supply: give(days), want: "2026-01-05 2026-01-07"},
		{name: "instants are not", head: instants, src: "^x & everyDay", supply: give(instant), err: "align.mismatch"},
		{name: "other asof than declared", head: dates, src: "@P asof: 2026-01-01\nx", supply: give(days), want: "2026-01-05 2026-01-07",
			cover: []string{"P.x [2026-01-01..2026-12-31] 2026-01-02（宣言 asof 2026-01-01 と不一致） 334"}},
		{name: "asof latest", head: dates, src: "@P asof: latest\nx", supply: give(days), want: "2026-01-05 2026-01-07", cover: []string{"P.x [2026-01-01..2026-12-31] 2026-01-02 334"}},
		{name: "dates of the deriving premise's zone", head: "-", src: dates + "premise Q = P with { tz: \"UTC\" }\n@Q calendar-system: Gregorian\nx", supply: give(days), want: "2026-01-05T09:00 2026-01-07T09:00",
			notes: []string{"2026-01-01..2026-01-01T09:00 P.x [2026-01-01..2026-12-31] 2026-01-02"}},
		{name: "nobody supplies", head: marked(dates), src: "x", err: "supply.no-resolver"},
		{name: "supplier fails", head: marked(dates), src: "x", err: "supply.failed", supply: func(string, string, ExternalDecl) (*ExternalData, error) { return nil, errors.New("down") }},
		{name: "supplier has nothing", head: marked(dates), src: "x", err: "supply.no-value", supply: func(string, string, ExternalDecl) (*ExternalData, error) { return nil, nil }},
		{name: "supplier's own diagnostic", head: marked(dates), src: "x", err: "supply.missing-key", supply: func(string, string, ExternalDecl) (*ExternalData, error) {
			return nil, &Error{Code: "supply.missing-key"}
		}},
		{name: "no covering", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Covering = " " }), err: "contract.covering-missing"},
		{name: "covering that cannot be read", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Covering = "always" }), err: "contract.covering-unreadable"},
		{name: "covering reversed", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Covering = "2027..2026" }), err: "covering.reversed"},
		{name: "no asof", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.AsOf = "" }), err: "contract.asof-missing"},
		{name: "no dates", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Dates = nil }), err: "contract.dates-missing"},
		{name: "instants for dates", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Instants = []float64{1} }), err: "contract.dates-got-instants"},
		{name: "not a date", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Dates = []string{"5 Jan"} }), err: "contract.date-format"},
		{name: "letters for digits", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Dates = []string{"2026-01-0x"} }), err: "contract.date-format"},
		{name: "no such date", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Dates = []string{"2026-02-29"} }), err: "contract.date-not-real"},
		{name: "unsorted", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Dates = []string{"2026-01-07", "2026-01-05"} }), err: "contract.order"},
		{name: "outside its covering", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Covering = "2027.." }), err: "contract.outside-covering"},
		{name: "no instants", head: marked(instants), src: "x", supply: with(func(d *ExternalData) { d.Dates = nil }), err: "contract.instants-missing"},
		{name: "dates for instants", head: marked(instants), src: "x", supply: with(func(d *ExternalData) { d.Instants = []float64{1} }), err: "contract.instants-got-dates"},
		{name: "half a millisecond", head: marked(instants), src: "x", supply: give(ExternalData{Instants: []float64{0.5}, Covering: "..", AsOf: "x"}), err: "contract.instant-not-integer"},
		{name: "labels missing", head: marked(labelled), src: "x", supply: give(days), err: "contract.labels-missing"},
		{name: "too few labels", head: marked(labelled), src: "x", supply: with(func(d *ExternalData) { d.Labels = []string{"A"} }), err: "contract.labels-length"},
		{name: "another label", head: marked(labelled), src: "x", supply: with(func(d *ExternalData) { d.Labels = []string{"A", "C"} }), err: "contract.label-domain"},
		{name: "labels undeclared", head: marked(dates), src: "x", supply: with(func(d *ExternalData) { d.Labels = []string{"A", "B"} }), err: "contract.labels-undeclared"},
		{name: "not in a premise", src: "x = ^external(kind: dates)\nx", err: "external.position"},
		{name: "not at the head", head: "-", src: "premise P { tz: \"UTC\"; x = day | ^external(kind: dates) }\n@P\nx", err: "external.position"},
		{name: "with parameters", head: "-", src: "premise P { tz: \"UTC\"; x(a) = ^external(kind: dates) }\n@P\nx", err: "external.params"},
		{name: "positional", head: "-", src: "premise P { tz: \"UTC\"; x = external(^dates) }\n@P\nx", err: "external.positional"},
		{name: "other kind", head: "-", src: "premise P { tz: \"UTC\"; x = external(^kind: days) }\n@P\nx", err: "external.kind-value"},
		{name: "no kind", head: "-", src: "premise P { tz: \"UTC\"; x = ^external(source: \"s\") }\n@P\nx", err: "external.kind-missing"},
		{name: "labels no list", head: "-", src: "premise P { tz: \"UTC\"; x = external(^labels: A, kind: dates) }\n@P\nx", err: "external.labels-list"},
		{name: "labels no names", head: "-", src: "premise P { tz: \"UTC\"; x = external(^labels: [1], kind: dates) }\n@P\nx", err: "external.labels-name"},
		{name: "labels empty", head: "-", src: "premise P { tz: \"UTC\"; x = external(^labels: [], kind: dates) }\n@P\nx", err: "external.labels-empty"},
		{name: "source no string", head: "-", src: "premise P { tz: \"UTC\"; x = external(^source: 5, kind: dates) }\n@P\nx", err: "external.source-string"},
		{name: "unknown argument", head: "-", src: "premise P { tz: \"UTC\"; x = external(^url: \"s\", kind: dates) }\n@P\nx", err: "external.unknown-arg"},
		{name: "no source", head: "-", src: "premise P { tz: \"UTC\"; x = ^external(kind: dates) }\n@P\nx", err: "external.source-missing"},
		{name: "source in place", head: "-", src: "premise P { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; x = external(kind: dates, source: \"s\") }\n@P\nx", supply: give(days), want: "2026-01-05 2026-01-07"},
	})

	asked := 0
	c := evalCase{head: dates, src: "x | P.x\nx\neveryDay |> filter(d => coincides(x, day, d))", want: "2026-01-05 2026-01-07",
		supply: func(string, string, ExternalDecl) (*ExternalData, error) { asked++; return &days, nil }}
	c.check(t)
	if asked != 1 {
		t.Errorf("the supplier was asked %d times in one evaluation", asked)
	}
}
