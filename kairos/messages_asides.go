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
