package kairos

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// jpPremise is a calendar for the programs of these tests. The body of a program begins on line 5.
const jpPremise = `premise JP = Gregorian with {
  tz: "Asia/Tokyo"; calendar-system: Gregorian
  nonWorking = (everyDay |> filter(d => weekday(d) in [Sat, Sun])) | ([2026-01-01, 2026-01-12] covering: 2020..) }
@JP calendar: JP
`

// TestMessages holds the whole line that a program's error gives.
func TestMessages(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"tz = \"Asia", "1:6: the text that begins here is not closed on its line (close it with \"; a text cannot contain a line break) [lex.string-unclosed]"},
		{"@Gregorian\neveryDay　|> first", "2:9: the character \"　\" (U+3000) cannot stand here (write ` ` instead) [lex.unknown-char]"},
		{"[2026-02-29]", "1:2: there is no day `2026-02-29` (check the month and the day; only leap years have a 29 February) [lex.date-not-real]"},
		{"everyDay |> filter(d => dayNo(d) = 5)", "1:34: `)` is expected here, not `=` (is `==` meant?) [parse.token-expected]"},
		{"x = [2026-01-05,\n  2026-01-06\neveryDay", "3:1: `]` is expected here, not `everyDay` (the `[` at 1:5 is not closed) [parse.token-expected]"},
		{"premise P {\n  day = chronos grid 1d\n", "3:1: a name is expected here, not the end of the program (the `{` at 1:11 is not closed) [parse.token-expected]"},
		{"everyDay |> filter(d => a(d) && b(d))", "1:31: a value is expected here, not `&` (is `and` meant?) [parse.expression-expected]"},
		{"everyDay |> shift(1, unit: day, unit: day)", "1:33: the argument `unit:` is given twice (leave one of them out) [parse.duplicate-named-arg]"},
		{"isoWeek", "1:1: nothing is called `isoWeek` here (it is defined in `ISOWeek`: write @ISOWeek on a line before, or ISOWeek.isoWeek) [name.unresolved]"},
		{"@Gregorian\nmonthStrat", "2:1: nothing is called `monthStrat` here (did you mean `monthStart`?) [name.unresolved]"},
		{"@Gregorian\nbizDay", "2:1: nothing is called `bizDay` here (it needs a calendar: give the premise a member calendar:, with the name of a premise that defines nonWorking) [name.unresolved]"},
		{"@Gregorian\nfirst(everyDay)", "2:1: nothing is called `first` here (it is a stage: write it behind points, as in everyDay |> first(…)) [name.unresolved]"},
		{"@Gregorian\neveryDay |> fist", "2:13: there is no stage `fist` (did you mean `first`?) [name.unknown-stage]"},
		{"@Gregorain\neveryDay", "1:1: `@Gregorain` names no premise (did you mean `Gregorian`?) [premise.undefined-preamble]"},
		{"premise P = Gregorian with { tz: \"Asia/Tokio\" }\n@P\neveryDay", "1:34: there is no time zone `Asia/Tokio` (did you mean `Asia/Tokyo`?) [tz.unknown]"},
		{"@Gregorian\neveryDay |> first", "2:13: `first` picks from windows, but the points before it have none (put windows before it, as in |> within(month) |> first) [select.no-window]"},
		{"@Gregorian\neveryDay |> take(3)", "2:13: `take` needs `from:` with the date from which it counts (write take(3, from: 2026-01-01)) [take.from]"},
		{"@Gregorian\neveryDay |> rebase(zone: \"UTC\")", "2:20: `rebase` has no argument `zone:` (it has `to`) [args.unknown-named]"},
		{jpPremise + "monthEnd |> shift(-3, unit: bizDay)", "5:13: `shift` cannot move 2020-02-29, which is no point of `bizDay` (bring all points onto it first, with roll(Following, on: bizDay) or filter(on: bizDay); points since 1970 count too) [shift.off-axis]"},
		{jpPremise + "monthEnd |> roll(Following)", "5:13: `roll` needs `on:`, since no `axis` is in force (write `on: bizDay` or another sequence, or give the premise a member `axis:`) [axis.missing]"},
		{jpPremise + "bizDay & [2026-01-05T09:00]", "5:1: `&` compares points, so both sides must lie on the same grid; here they have the days of Asia/Tokyo and no grid (bring both to the same grid, as with snapTo(day) or rebase(to: …)) [align.mismatch]"},
		{"```\n@Gregorian\n```", "1:1: the character \"`\" (U+0060) cannot stand here (leave out the marks of a code block around the program) [lex.unknown-char]"},
		{"@Gregorian\neveryDay |> filter(d => d > 5)", "2:25: a number is needed here, not a point in time (a point has no number of its own: compare dayNo(d), monthNo(d) or yearNo(d), and move points with shift) [value.not-number]"},
		{"@Gregorian\nweekday", "2:1: a sequence of points is needed here, not a cycle of labels (pick by label, as in everyDay |> filter(d => weekday(d) == Mon)) [value.not-stream]"},
		{"@Gregorian\nordinalIn(day)", "2:1: `ordinalIn` lacks arguments: it needs 3 and has 1 [args.missing]"},
		{"@Gregorian\nx = y\ny = x\nx", "3:5: a definition needs its own value: x → y → x (define one of them without the others) [name.binding-cycle]"},
		{"[2026-03-01, 2026-02-01]", "1:1: the dates of a list must ascend, and 2026-02-01 does not follow 2026-03-01 (sort the list and write each date once) [table.order]"},
		{"@Gregorian\nquarter2 = year split (_ => [3, 3, 3]) by: month\nquarter2", "2:12: the parts of `split` add up to 9, but the window from 1971-01-01 to 1972-01-01 has 12 windows of `by:` [gen.split-sum]"},
		{"@Gregorian\nday span (_ => 7) phase: -1", "2:26: the `phase:` of `span` must be a whole number from 0 on, not -1 [gen.span-phase]"},
		{"@Gregorian\nw = everyDay |> segmentBy([2026-01-05, 2026-01-08] covering: 2026..2026, edges: drop, empties: keep, labels: [A, B])\nw(C)", "3:3: nothing is called `C` here (define it before it is used, as in C = …) [name.unresolved]"},
		{"@Gregorian\nw = everyDay |> segmentBy([2026-01-05, 2026-01-08] covering: 2026..2026, edges: drop, empties: keep, labels: [A, B])\nw(\"C\")", "3:1: no window of `w` has the label C (the labels are A, B) [apply.label-domain]"},
		{"@Gregorian tz: \"America/New_York\"\n[2026-03-08T02:30]", "2:2: 2026-03-08T02:30 does not exist in America/New_York, where the clocks skip it (choose a time before or after the change of the clocks) [tz.gap]"},
		{"@Gregorian\n[2026-01-05] |> filter(d => ([2026-01-05..2026-01-06] |> within(day) |> first |> within(month) |> filter(x => 1 == 1))(d))", "2:29: this is a sequence of points, which takes no argument (only functions, cycles and windows or lists with labels can be called) [apply.not-applicable]"},
		{"everyDay |> at(9:00)", "1:17: `)` is expected here, not `:` (a time of day is written T09:00) [parse.token-expected]"},
		{"everyDay |> at(T9:00)", "1:13: `at` lacks arguments: it needs 1 and has 0 (a time of day is written T09:00) [args.missing]"},
		{"// nine\neveryDay", "1:1: a value is expected here, not `/` (a comment begins with #) [parse.expression-expected]"},
		{"everyDay // nine", "1:11: a value is expected here, not `/` (a comment begins with #) [parse.expression-expected]"},
		{"premise P { tz: Europe/Berlin }", "1:23: a name is expected here, not `/` (a text such as the name of a zone is put in quotes, as in \"Europe/Berlin\") [parse.token-expected]"},
		{"everyDay |> filter(d => weekday(d) not in [Sat])", "1:36: `)` is expected here, not `not` (write not (x in list)) [parse.token-expected]"},
		{"everyDay | > first", "1:12: a value is expected here, not `>` (is `|>` meant?) [parse.expression-expected]"},
		{"week |> first", "1:1: nothing is called `wkst` here (weeks need the day that they begin with: write @Gregorian wkst: Mon on a line before, or wkst: Mon in the premise) [name.unresolved]"},
		{"everyDay |> filter(dayNo(d) == 5)", "1:26: nothing is called `d` here (where it is the point of a condition, the condition begins with it, as in filter(d => …); else define it before, as in d = …) [name.unresolved]"},
		{"everyDay |> at(T09:00) and monthEnd", "1:24: nothing is called `and` here (the word is for conditions: points are joined with |, & and \\) [name.unresolved]"},
		{"everyDay |> at(\"09:00\")", "1:13: a point in time is needed here, such as 2026-01-05, not a label or text (a date is written 2026-01-05 and a time of day T09:00, both without quotes) [value.not-point]"},
		{"everyDay |> at(9)", "1:13: a point in time is needed here, such as 2026-01-05, not a number (a date is written 2026-01-05 and a time of day T09:00, both without quotes) [value.not-point]"},
		{"everyDay |> filter(dayNo == 25)", "1:20: this is a condition, which takes no argument (a condition is a function of the point: write filter(d => …)) [apply.not-applicable]"},
		{"everyDay |> filter d => dayNo(d) == 25", "1:13: `filter` needs `on:`, since no `axis` is in force (write filter(d => …) with a condition, or `on: bizDay` or another sequence, or give the premise a member `axis:`) [axis.missing]"},
		{"monthStart |> shift(14)", "1:15: `shift` needs `unit:`, since no `axis` is in force (write `unit: day` for days, `unit: month` for months, or `unit: bizDay` or another sequence, or give the premise a member `axis:`) [axis.missing]"},
		{"monthStart |> shift(14d)", "1:21: a number is needed here, not a width (days are counted by a number and a unit, as in shift(14, unit: day)) [value.not-number]"},
		{"monthStart + 14d", "1:1: a number is needed here, not a sequence of points (points are moved with shift, as in monthStart |> shift(14, unit: day)) [value.not-number]"},
		{"month |> first(3)", "1:16: too many arguments for `first`: it takes 0 without a name and has 1 (the second of each window is nth(2)) [args.too-many]"},
		{"everyDay |> at(T09:00, T10:00)", "1:24: too many arguments for `at`: it takes 1 without a name and has 2 [args.too-many]"},
		{"everyDay |> filter(d => d.weekday == Mon)", "1:25: there is no premise `d` (a dot stands between a premise and its word alone: write weekday(d)) [premise.undefined]"},
		{"everyDay.filter(d => dayNo(d) == 25)", "1:1: there is no premise `everyDay` (a stage stands behind points with |>: write everyDay |> filter(…)) [premise.undefined]"},
		{"Tokio.holidays", "1:1: there is no premise `Tokio` (define it before it is used, as in premise Tokio { … }) [premise.undefined]"},
		{"everyInstant |> strideBy(2w, from: 2026-01-01)", "1:27: `)` is expected here, not `w` (widths are written 7d, 12h, 30m or 15s; months are counted as in shift(1, unit: month)) [parse.token-expected]"},
		{"monthStart |> shift(1 month)", "1:23: `)` is expected here, not `month` (widths are written 7d, 12h, 30m or 15s; months are counted as in shift(1, unit: month)) [parse.token-expected]"},
		{"premise A { tz: \"UTC\", wkst: Mon }", "1:22: a name is expected here, not `,` (members and definitions are divided by ; or a line break) [parse.token-expected]"},
		{"everyDay |> filter(d => weekday(d) is Mon)", "1:36: `)` is expected here, not `is` (is `==` meant?) [parse.token-expected]"},
		{"everyDay |> filter(d => weekday(d) <> Mon)", "1:37: a value is expected here, not `>` (is `!=` meant?) [parse.expression-expected]"},
		{"everyDay |> filter(d => monthNo(d) == Jan)", "1:39: nothing is called `Jan` here (months are numbers, as in monthNo(d) == 1) [name.unresolved]"},
		{"monthEnd |> roll(Previous, on: everyDay)", "1:18: nothing is called `Previous` here (roll goes Preceding (back), Following (on) or Modified (on, but not into the next month)) [name.unresolved]"},
		{"if x", "1:1: nothing is called `if` here (a choice between values is written CONDITION ? A : B) [name.unresolved]"},
		{"everyDay \\ monthEnd |> at(T09:00)", "1:1: `\\` compares points, so both sides must lie on the same grid; here they have the days of Asia/Tokyo and the days of Asia/Tokyo at T09:00 (stages behind A \\ B are those of B alone: write (A \\ B) |> … where they are meant for both) [align.mismatch]"},
		{"premise P = Gregorian with { tz: \"UTC\"; source: \"db\"\n  h = external(kind: dates) }\n@P\nh", "2:7: `P.h` is `external`, and no data from outside were given (supply the data of P.h with the evaluation; its source is db) [supply.no-resolver]"},
	} {
		if got := failure(t, c.src, Options{}).Error(); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

func TestMessagesInJapanese(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"@Gregorian\neveryDay |> first", "選択子 first の前に窓がありません（|> within(month) |> first のように窓を置きます）"},
		{"@Gregorian\nmonthStrat", "monthStrat という名前は定義されていません（「monthStart」のことですか）"},
		{"@Gregorian\nnichigin", "nichigin という名前は定義されていません（使う前に nichigin = … のように定義してください）"},
		{"everyDay |> filter(d => dayNo(d) = 5)", "ここには「)」が必要ですが、「=」があります（== のことですか）"},
		{"[2026-01-05", "ここには「]」が必要ですが、プログラムの終わりがあります（1 行 1 列の「[」が閉じていません）"},
		{jpPremise + "monthEnd |> shift(-3, unit: bizDay)", "2020-02-29 は bizDay の点ではないので、shift で動かせません（先に roll(Following, on: bizDay) か filter(on: bizDay) で軸に乗せます。1970 年以降のすべての点が対象です）"},
		{jpPremise + "bizDay & [2026-01-05T09:00]", "& は時点を比べるので両側が同じ格子の上になければなりませんが、一方は「Asia/Tokyo の毎日」、他方は「格子なし」です（snapTo(day) や rebase(to: …) で格子をそろえます）"},
		{"@Gregorian\neveryDay |> rebase(zone: \"UTC\")", "rebase に zone: という引数はありません（使えるのは「to」です）"},
		{"@Gregorian\nweekday(Mon)", "weekday は時点のラベルを返すので、引数は時点でなければなりません（ラベルで選ぶには everyDay |> filter(d => weekday(d) == …) のように書きます）"},
		{"premise P = Gregorian with { tz: \"Mars/Tokyo\" }\n@P\neveryDay", "Mars/Tokyo という時間帯はありません（「Asia/Tokyo」のことですか）"},
		{"everyDay |> filter(dayNo == 25)", "これは真偽値で、引数をとりません（条件は filter(d => …) のように点の関数として書きます）"},
		{"monthStart |> shift(14)", "shift には unit: が必要です。有効な axis もありません（日なら unit: day、月なら unit: month と書きます。または unit: bizDay のように点列を指定するか、前提に axis: を書きます）"},
		{"everyDay.filter(d => dayNo(d) == 25)", "everyDay という前提はありません（段は点列のあとに everyDay |> filter(…) のように書きます）"},
		{"@Gregorian\neveryDay |> strideBy(0.5d, from: 2026-01-01)", "strideBy で進む日数は整数ですが、0.5d になっています（一日に満たない長さは 12h のように時間で書きます）"},
	} {
		if got := failure(t, c.src, Options{}).Japanese; got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

// obeyed says whether a text holds something that a terminal obeys or that hides other characters.
func obeyed(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) })
}

func TestHostileTexts(t *testing.T) {
	long := strings.Repeat("é", 5000)
	cut := strings.Repeat("é", 60) + "…"
	esc := "a\x1b[31mb\u202ec\u2028d\x00e"
	escaped := `a\u001B[31mb\u202Ec\u2028d\u0000e`
	supply := func(d ExternalData, err error) Options {
		return Options{Supply: func(string, string, ExternalDecl) (*ExternalData, error) { return &d, err }}
	}
	const external = "premise P = Gregorian with { tz: \"UTC\"; source: \"db\"\n  h = external(kind: dates, labels: [A]) }\n@P\nh"
	for _, c := range []struct {
		src  string
		o    Options
		want string
	}{
		{"@Gregorian\n" + long, Options{}, "nothing is called `" + cut + "` here"},
		{"@Gregorian\neveryDay |> " + long, Options{}, "there is no stage `" + cut + "`"},
		{"everyDay", Options{TZ: esc}, "there is no time zone `" + escaped + "`"},
		{"@Gregorian tz: \"+" + long + "\"\n[2026-01-05]", Options{}, "`+" + cut[:2*59] + "…` is not an offset of a time zone"},
		{"@Gregorian\neveryDay |> segmentBy(monthStart, edges: \"" + esc + "\", empties: keep)", Options{}, "`edges:` cannot be `" + escaped + "`"},
		{"everyDay \"" + esc + "\" )", Options{}, "a value is expected here, not `)`"},
		{"everyDay |> \"" + esc + "\"", Options{}, "a name is expected here, not `\"" + escaped + "\"`"},
		{"everyDay \x07", Options{}, `the character "\u0007" (U+0007) cannot stand here`},
		{"everyDay \xff", Options{}, `the character "\xff" (not UTF-8) cannot stand here`},
		{external, supply(ExternalData{}, errors.New(esc)), "the data of `P.h` could not be had: " + escaped},
		{external, supply(ExternalData{}, errors.New(strings.Repeat("x", 9999))), "the data of `P.h` could not be had: " + strings.Repeat("x", 300) + "…"},
		{external, supply(ExternalData{Covering: esc}, nil), "the covering of the data supplied for `P.h` cannot be read: " + escaped},
		{external, supply(ExternalData{Covering: "..", AsOf: "x", Dates: []string{esc}}, nil), "a date supplied for `P.h` is not written as YYYY-MM-DD: " + escaped},
		{external, supply(ExternalData{Covering: "..", AsOf: "x", Dates: []string{"2026-01-05"}, Labels: []string{"\xff\x1b"}}, nil),
			"a label supplied for `P.h` is none of those that it declares: \uFFFD\\u001B"},
	} {
		e := failure(t, c.src, c.o)
		if e.Message != c.want {
			t.Errorf("got %q\nwant %q", e.Message, c.want)
		}
		if s := e.Error() + e.Japanese; obeyed(s) || len(s) > 2000 {
			t.Errorf("%d bytes: %q", len(s), s)
		}
	}
}

// TestHostileArguments puts texts that do harm into every place of every message.
func TestHostileArguments(t *testing.T) {
	evil := "\x1b]0;\a\u202e\n{1?%[1]v" + strings.Repeat("\u200b", 100)
	for _, c := range Codes() {
		m, _ := entryOf(c.Code)
		for _, arg := range []any{evil, prose(evil), []string{evil, evil}, route{evil}, found{tokString, evil}, value{kind: kindString, ref: evil},
			align{kind: alignCivil, step: 2, zone: evil}, errors.New(evil), aside{"%[1]v", "%[1]v", []any{evil}}} {
			args := make([]any, len(m.words()))
			for i := range args {
				args[i] = arg
			}
			e := fail(Span{}, c.Code, args...)
			_ = finished(e, "")
			if s := e.Error() + e.Japanese; obeyed(s) {
				t.Errorf("%s with %T: %q", c.Code, arg, s)
			}
		}
	}
}

func FuzzShown(f *testing.F) {
	f.Add("bizDay", 60)
	f.Add("\x1b[31m\u202e\xff", 2)
	f.Fuzz(func(t *testing.T, s string, most int) {
		most = max(0, min(most, 1000))
		got := clean(s, most)
		if obeyed(got) {
			t.Errorf("%q", got)
		}
		if n := len([]rune(got)); n > 7*most+1 { // the longest of what is written out has seven: \uE0001
			t.Errorf("%d runes of at most %d", n, most)
		}
		if utf8.ValidString(s) && !obeyed(s) && len([]rune(s)) <= most && got != s {
			t.Errorf("%q became %q", s, got)
		}
	})
}
