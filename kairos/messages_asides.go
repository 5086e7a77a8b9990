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
	case name == "now" || name == "today":
		return aside{"the language has no clock: write a date", "この言語に時計はありません。日付を書きます", nil}
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
	return aside{}
}

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
	}
	return aside{}
}

// aboutStream says what to write instead of a value that is no sequence of points.
func aboutStream(v value) aside {
	switch v.kind {
	case kindList:
		if len(v.ref.([]value)) == 0 {
			return aside{"an empty list of dates says what it covers, as in [] covering: 2026..2026", "空の日付のリストには [] covering: 2026..2026 のように被覆を書きます", nil}
		}
		return aside{"a list gives points when all its elements are dates", "リストは要素がすべて日付のときに点列になります", nil}
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

// aboutBracket says that a bracket before is still open.
func aboutBracket(mark string, line, column int) aside {
	return aside{"the `%[1]v` at %[2]v:%[3]v is not closed", "%[2]v 行 %[3]v 列の「%[1]v」が閉じていません", []any{mark, line, column}}
}

// aboutCharacter says what to write instead of a character that no program can have.
func aboutCharacter(r rune) aside {
	if r == '`' {
		return aside{"leave out the marks of a code block around the program", "プログラムを囲むコードブロックの印は除きます", nil}
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
	case '\u00A0', '\u3000', '\u2009', '\u202F', '\u200B', '\uFEFF', '\f', '\v':
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
