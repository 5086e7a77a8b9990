package kairos

import "sort"

// aboutName says why a name may mean nothing where it stands, when that is known better than by similar names.
func (ev *evaluation) aboutName(name string) aside {
	_, stage := coreStages[name]
	switch {
	case stage:
		return aside{"it is a stage: write it behind points, as in everyDay |> %[1]v(…)", "これは段です。everyDay |> %[1]v(…) のように点列のあとに書きます", []any{name}}
	case reservedWord(name) || name == "isOpen":
		return aside{"it needs a calendar: give the premise a member calendar:, with the name of a premise that defines nonWorking",
			"これには暦が必要です。nonWorking を定義した前提の名前を、前提に calendar: として書きます", nil}
	case generatorArgs[name] != nil:
		return aside{"the word stands between a name and an argument, as in day %[1]v …", "この語は day %[1]v … のように名前と引数の間に書きます", []any{name}}
	case name == "true" || name == "false":
		return aside{"there is no word for it: write a comparison, as in 1 == 1", "これを表す語はありません。1 == 1 のような比較を書きます", nil}
	case name == "if":
		return aside{"a choice between values is written CONDITION ? A : B", "値を選び分けるには 条件 ? A : B のように書きます", nil}
	case rollWords[name]:
		return aside{"roll goes Preceding (back), Following (on) or Modified (on, but not into the next month)",
			"roll の向きは Preceding（前へ）・Following（後へ）・Modified（後へ。ただし月は越えない）です", nil}
	case monthWords[name] > 0:
		return aside{"months are numbers, as in monthNo(d) == %[1]v", "月は monthNo(d) == %[1]v のように数で書きます", []any{monthWords[name]}}
	case name == "now" || name == "today":
		return aside{"the language has no clock: write a date", "この言語に時計はありません。日付を書きます", nil}
	case name == "wkst":
		return aside{"weeks need the day that they begin with: write @Gregorian wkst: Mon on a line before, or wkst: Mon in the premise",
			"週の始まりの曜日が要ります。前の行に @Gregorian wkst: Mon と書くか、前提に wkst: Mon を書きます", nil}
	case name == "and" || name == "or" || name == "not":
		return aside{"the word is for conditions: points are joined with |, & and \\", "この語は条件のためのものです。点列は |・&・\\ で組み合わせます", nil}
	case coreWords[name]:
		return aside{"it is called with arguments, as in %[1]v(…)", "%[1]v(…) のように引数を付けて呼びます", []any{name}}
	case ev.premises[name] != nil:
		return aside{"it is a premise: write @%[1]v on a line before, or name one of its words, as in %[1]v.day",
			"これは前提です。前の行に @%[1]v と書くか、%[1]v.day のように中の語を書きます", []any{name}}
	}
	if homes := ev.homes(name); len(homes) > 0 {
		return aside{"it is defined in %[2]v: write @%[3]v on a line before, or %[3]v.%[1]v", "%[2]vで定義されています。前の行に @%[3]v と書くか、%[3]v.%[1]v と書きます",
			[]any{name, homes, homes[0]}}
	}
	if len(name) == 1 && name[0] >= 'a' {
		return aside{"where it is the point of a condition, the condition begins with it, as in filter(%[1]v => …); else define it before, as in %[1]v = …",
			"条件の中の点であれば、条件を filter(%[1]v => …) のようにその名前で始めます。そうでなければ、使う前に %[1]v = … のように定義してください", []any{name}}
	}
	return aside{}
}

// rollWords are names that people give to the directions of roll.
var rollWords = map[string]bool{"Previous": true, "previous": true, "Prev": true, "Next": true, "next": true, "Before": true, "After": true,
	"Backward": true, "Forward": true, "Nearest": true, "ModifiedFollowing": true}

// monthWords are names of months, with their numbers.
var monthWords = map[string]int{"Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11, "Dec": 12,
	"January": 1, "February": 2, "March": 3, "April": 4, "June": 6, "July": 7, "August": 8, "September": 9, "October": 10, "November": 11, "December": 12}

// homes are the premises that define a word themselves, sorted.
func (ev *evaluation) homes(word string) []string {
	var names []string
	for n, p := range ev.premises {
		if p.defs[word] != nil {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	// What Gregorian defines is what most programs mean by the word.
	for i, n := range names {
		if n == "Gregorian" {
			copy(names[1:], names[:i])
			names[0] = n
		}
	}
	return names
}

// aboutNumber says what to do with a value that is no number.
func aboutNumber(k kind) aside {
	switch k {
	case kindPoint:
		return aside{"a point has no number of its own: compare dayNo(d), monthNo(d) or yearNo(d), and move points with shift",
			"時点は数ではありません。dayNo(d)・monthNo(d)・yearNo(d) を比べ、点を動かすには shift を使います", nil}
	case kindString:
		return aside{"labels are compared with == and in", "ラベルは == と in で比べます", nil}
	case kindStream, kindTable, kindWindows:
		return aside{"points are moved with shift, as in monthStart |> shift(14, unit: day)", "点を動かすには monthStart |> shift(14, unit: day) のように shift を使います", nil}
	case kindWidth:
		return aside{"days are counted by a number and a unit, as in shift(14, unit: day)", "日数は shift(14, unit: day) のように数と単位で書きます", nil}
	}
	return aside{}
}

// aboutPoint says how a point is written, where a number or a text stands in place of one.
func aboutPoint(k kind) aside {
	if k == kindNumber || k == kindString {
		return aside{"a date is written 2026-01-05 and a time of day T09:00, both without quotes", "日付は 2026-01-05、時刻は T09:00 のように引用符なしで書きます", nil}
	}
	return aside{}
}

// aboutUncallable says what to write instead of a value that cannot be called.
func aboutUncallable(k kind) aside {
	if k == kindBool {
		return aside{"a condition is a function of the point: write filter(d => …)", "条件は filter(d => …) のように点の関数として書きます", nil}
	}
	return aside{}
}

// aboutDot says what to write instead of a dot behind a name that is no premise.
func aboutDot(known bool, name, word string) aside {
	switch _, stage := coreStages[word]; {
	case !known && (len(name) != 1 || name[0] < 'a'): // a parameter mostly has one letter
		return aside{}
	case stage || word == "at":
		return aside{"a stage stands behind points with |>: write %[1]v |> %[2]v(…)", "段は点列のあとに %[1]v |> %[2]v(…) のように書きます", []any{name, word}}
	}
	return aside{"a dot stands between a premise and its word alone: write %[2]v(%[1]v)", "点は前提とその語の間にだけ書けます。%[2]v(%[1]v) と書きます", []any{name, word}}
}

// aboutSelector says what is written for a selector with a number.
func aboutSelector() aside {
	return aside{"the second of each window is nth(2)", "窓ごとに 2 番目の点は nth(2) です", nil}
}

// aboutAxis says how a stage does without an axis.
func aboutAxis(stage string) aside {
	switch stage {
	case "filter":
		return aside{"write filter(d => …) with a condition", "条件を filter(d => …) のように書きます", nil}
	case "shift":
		return aside{"write `unit: day` for days, `unit: month` for months", "日なら unit: day、月なら unit: month と書きます", nil}
	}
	return aside{}
}

// aboutUnit says how a width or a number of windows is written: neither "2w" nor "1 month" is one.
func aboutUnit() aside {
	return aside{"widths are written 7d, 12h, 30m or 15s; months are counted as in shift(1, unit: month)",
		"幅は 7d・12h・30m・15s のように書きます。月は shift(1, unit: month) のように数えます", nil}
}

// aboutMembers says what stands between the members of a premise.
func aboutMembers() aside {
	return aside{"members and definitions are divided by ; or a line break", "項目や定義は ; か改行で区切ります", nil}
}

// aboutStream says what to write instead of a value that is no sequence of points.
func aboutStream(v value) aside {
	switch v.kind {
	case kindList:
		if len(v.ref.([]value)) == 0 {
			return aside{"an empty list of dates says what it covers, as in [] covering: 2026..2026", "空の日付のリストには [] covering: 2026..2026 のように被覆を書きます", nil}
		}
		return aside{"a list gives points when all its elements are dates, such as 2026-01-05", "リストは要素がすべて 2026-01-05 のような日付のときに点列になります", nil}
	case kindBool:
		return aside{"a condition belongs into a filter, as in everyDay |> filter(d => …)", "条件は everyDay |> filter(d => …) のように filter の中に書きます", nil}
	case kindCycle:
		return aside{"pick by label, as in everyDay |> filter(d => weekday(d) == Mon)", "everyDay |> filter(d => weekday(d) == Mon) のようにラベルで選びます", nil}
	case kindLambda:
		return aside{"a function that makes points of points is a stage, written behind them: everyDay |> …", "点列から点列を作る関数は、everyDay |> … のように点列のあとに段として書きます", nil}
	case kindWidth:
		return aside{"write everyInstant |> strideBy(1h, from: 2026-01-01)", "everyInstant |> strideBy(1h, from: 2026-01-01) のように書きます", nil}
	case kindChronos:
		return aside{"divide it, as in chronos grid 1d", "chronos grid 1d のように区切ります", nil}
	}
	return aside{}
}

// aboutMark says what is meant by a mark that cannot stand where it does.
func aboutMark(meant string) aside {
	return aside{"is `%[1]v` meant?", "%[1]v のことですか", []any{meant}}
}

// aboutClock says how a time of day is written.
func aboutClock() aside {
	return aside{"a time of day is written T09:00", "時刻は T09:00 のように書きます", nil}
}

// aboutMissing says why an argument may be missing: T9:00 reads as an argument with the name T9.
func aboutMissing(args []Arg) aside {
	for _, a := range args {
		if len(a.Name) == 2 && a.Name[0] == 'T' && isDigit(a.Name[1]) {
			return aboutClock()
		}
	}
	return aside{}
}

// aboutStages says to which side of a combination stages belong that stand behind it.
func aboutStages(op byte) aside {
	return aside{`stages behind A %[1]v B are those of B alone: write (A %[1]v B) |> … where they are meant for both`,
		`A %[1]v B のあとの段は B だけのものです。両方に対するものなら (A %[1]v B) |> … と書きます`, []any{string(op)}}
}

// aboutComment says how a comment is written.
func aboutComment() aside {
	return aside{"a comment begins with #", "コメントは # で始めます", nil}
}

// aboutQuotes says that a text has quotes.
func aboutQuotes() aside {
	return aside{`a text such as the name of a zone is put in quotes, as in "Europe/Berlin"`, `時間帯の名前のような文字列は "Europe/Berlin" のように引用符で囲みます`, nil}
}

// aboutNotIn says how "not in" is written.
func aboutNotIn() aside {
	return aside{"write not (x in list)", "not (x in list) のように書きます", nil}
}

// aboutBracket says that a bracket before is still open.
func aboutBracket(mark string, line, column int) aside {
	return aside{"the `%[1]v` at %[2]v:%[3]v is not closed", "%[2]v 行 %[3]v 列の「%[1]v」が閉じていません", []any{mark, line, column}}
}

// notUTF8 says what to do about a byte that is no part of a character; quotes and comments cannot hold it either.
var notUTF8 = aside{"save the text as UTF-8", "UTF-8 で保存します", nil}

// aboutCharacter says what to write instead of a character that no program can have.
func aboutCharacter(r rune) aside {
	if r == '`' {
		return aside{"leave out the marks of a code block around the program", "プログラムを囲むコードブロックの印は除きます", nil}
	}
	if r == '\uFEFF' {
		return aside{"save the text without a byte order mark", "バイト順マーク（BOM）なしで保存します", nil}
	}
	if s := instead(r); s != "" {
		return aside{"write `%[1]v` instead", "代わりに「%[1]v」と書きます", []any{s}}
	}
	return aside{}
}

// instead gives what is often meant where a character stands that no program can have, or empty.
func instead(r rune) string {
	if '！' <= r && r <= '～' { // the wide forms of ASCII
		return string(r - '！' + '!')
	}
	switch r {
	case '\u00A0', '\u3000', '\u2009', '\u202F', '\u200B', '\f', '\v':
		return " "
	case '“', '”', '„', '«', '»', '\'', '‘', '’':
		return `"`
	case '、', '،':
		return ","
	case '。':
		return "."
	case '–', '—', '−', '‐', '‑':
		return "-"
	case '×':
		return "*"
	case '÷':
		return "/"
	case '≤':
		return "<="
	case '≥':
		return ">="
	case '≠':
		return "!="
	case '→', '⇒':
		return "=>"
	case '…':
		return ".."
	case '%':
		return "mod"
	case '!':
		return "not"
	case '∪':
		return "|"
	case '∩':
		return "&"
	}
	return ""
}
