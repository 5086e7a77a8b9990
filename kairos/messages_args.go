package kairos

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// language is one in which messages are given.
type language int

const (
	english language = iota
	japanese
)

// prose is text from outside that messages quote at more length than a name.
type prose string

// zoneLike stands for the zones that a name may mean. They are looked up when they are shown: many are compared.
type zoneLike string

// route is the way round a circle of definitions.
type route []string

// found is a token of the program where another was expected.
type found struct {
	kind tokenKind
	text string
}

// aside is a hint that depends on more than can be put into one template. The zero aside is empty.
type aside struct {
	en, ja string // templates
	args   []any
}

// How many runes of a text, and how many members of a list, a message shows.
const (
	mostText  = 60
	mostProse = 300
	mostItems = 8
)

// shown gives an argument of a message as text. Everything that a program or its data can choose passes through here, so
// that no message is long or holds characters that a terminal obeys or that hide others.
func shown(arg any, in language) string {
	switch a := arg.(type) {
	case string:
		if a == AnonymousTable && in == english {
			return "a list without a name"
		}
		return clean(a, mostText)
	case prose:
		return clean(string(a), mostProse)
	case []string:
		return items(len(a), [...]string{", ", "、"}[in], func(i int) string { return quoted(clean(a[i], mostText), in) })
	case zoneLike:
		return shown(nearZones(string(a)), in)
	case route:
		return items(len(a), " → ", func(i int) string { return clean(a[i], mostText) })
	case []value:
		return items(len(a), ", ", func(i int) string { return shown(a[i], in) })
	case value:
		return shownValue(a, in)
	case kind:
		return kindNames[a][in]
	case tokenKind:
		return shownKind(a, in)
	case found:
		if a.kind == tokEOF || a.kind == tokNewline {
			return shownKind(a.kind, in)
		}
		return quoted(clean(a.text, mostText), in)
	case align:
		return shownAlign(a, in)
	case aside:
		if in == japanese {
			return fill(a.ja, a.args, in)
		}
		return fill(a.en, a.args, in)
	}
	return clean(fmt.Sprint(arg), mostText)
}

// quoted sets what stands in the program off from the words around it.
func quoted(s string, in language) string {
	if in == japanese {
		return "「" + s + "」"
	}
	return "`" + s + "`"
}

// items joins the first members of a list and the last.
func items(n int, sep string, item func(i int) string) string {
	var list []string
	for i := range n {
		if n > mostItems && i == mostItems-1 {
			list = append(list, "…", item(n-1))
			break
		}
		list = append(list, item(i))
	}
	return strings.Join(list, sep)
}

// clean cuts a text and writes out what cannot be seen: control characters, and those that order or hide others.
func clean(s string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range s { // what is not UTF-8 comes as U+FFFD
		if n == most {
			b.WriteString("…")
			break
		}
		n++
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			fmt.Fprintf(&b, `\u%04X`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// kindNames is how messages name the kinds of values.
var kindNames = [...][2]string{
	kindNone:    {"nothing", "値なし"},
	kindNumber:  {"a number", "数"},
	kindBool:    {"a condition", "真偽値"},
	kindString:  {"a label or text", "ラベルまたは文字列"},
	kindList:    {"a list", "リスト"},
	kindPoint:   {"a point in time", "時点"},
	kindTime:    {"a time of day", "時刻"},
	kindWidth:   {"a width", "幅"},
	kindTable:   {"a list of dates", "日付のリスト"},
	kindStream:  {"a sequence of points", "点列"},
	kindWindows: {"windows", "窓"},
	kindCycle:   {"a cycle of labels", "周期ラベル"},
	kindLambda:  {"a function", "関数"},
	kindChronos: {"`chronos`", "「chronos」"},
	kindInstant: {"`everyInstant`", "「everyInstant」"},
}

func (k kind) String() string { return kindNames[k][english] }

func shownValue(v value, in language) string {
	switch v.kind {
	case kindNumber:
		return formatNumber(v.num)
	case kindBool:
		return strconv.FormatBool(v.int != 0)
	case kindString:
		return clean(v.ref.(string), mostText)
	}
	return kindNames[v.kind][in]
}

// shownKind names a kind of token.
func shownKind(k tokenKind, in language) string {
	words := [...][2]string{
		tokEOF:     {"the end of the program", "プログラムの終わり"},
		tokNewline: {"the end of the line", "行の終わり"},
		tokName:    {"a name", "名前"},
		tokNumber:  {"a number", "数"},
		tokDate:    {"a date", "日付"},
		tokTime:    {"a time of day", "時刻"},
		tokWidth:   {"a width", "幅"},
		tokString:  {"a text in quotes", "引用符で囲んだ文字列"},
	}
	if int(k) < len(words) {
		return words[k][in]
	}
	return quoted(k.String(), in)
}

// shownAlign describes the grid that points lie on.
func shownAlign(a align, in language) string {
	ja := in == japanese
	switch a.kind {
	case alignCivil:
		zone := clean(a.zone, mostText)
		at, phase := "", ""
		if a.off != 0 {
			at = " " + clockText(a.off)
		}
		if a.step == 1 {
			if ja {
				return fmt.Sprintf("%s の毎日%s", zone, at)
			}
			if at != "" {
				at = " at" + at
			}
			return fmt.Sprintf("the days of %s%s", zone, at)
		}
		if ja {
			if a.phase != 0 {
				phase = fmt.Sprintf("（位相 %d）", a.phase)
			}
			return fmt.Sprintf("%s の %d 日ごと%s%s", zone, a.step, at, phase)
		}
		if at != "" {
			at = " at" + at
		}
		if a.phase != 0 {
			phase = fmt.Sprintf(" (phase %d)", a.phase)
		}
		return fmt.Sprintf("every %d days of %s%s%s", a.step, zone, at, phase)
	case alignElapsed:
		step, phase := elapsedText(a.step), ""
		if ja {
			if a.phase != 0 {
				phase = "（位相 " + elapsedText(a.phase) + "）"
			}
			return step + " ごと" + phase
		}
		if a.phase != 0 {
			phase = " (phase " + elapsedText(a.phase) + ")"
		}
		return "steps of " + step + phase
	case alignVacuous:
		return [...]string{"no points", "点なし"}[in]
	}
	return [...]string{"no grid", "格子なし"}[in]
}

// elapsedText writes milliseconds as a width.
func elapsedText(ms int64) string {
	var b strings.Builder
	for _, u := range [...]struct {
		ms   int64
		unit string
	}{{3_600_000, "h"}, {60_000, "m"}} {
		if n := ms / u.ms; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, u.unit)
			ms %= u.ms
		}
	}
	if ms > 0 || b.Len() == 0 {
		b.WriteString(strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) + "s")
	}
	return b.String()
}

// clockText prints a time of day as a time literal.
func clockText(ms int64) string {
	s := fmt.Sprintf("T%02d:%02d", ms/3_600_000, ms/60_000%60)
	switch sec, frac := ms/1000%60, ms%1000; {
	case frac != 0:
		s += fmt.Sprintf(":%02d.%03d", sec, frac)
	case sec != 0:
		s += fmt.Sprintf(":%02d", sec)
	}
	return s
}
