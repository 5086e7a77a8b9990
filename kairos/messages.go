package kairos

import "fmt"

// warningText gives a warning's text in English and Japanese. Both begin with what is warned of, the stage and the instant.
func warningText(code string, args ...any) (en, ja string) {
	if code == "I5" {
		return fmt.Sprintf("I5: the windows of %v have a gap at %v", args...), fmt.Sprintf("I5: 窓 %v は連続でない（%v 付近）", args...)
	}
	reason, stage, at := args[0], args[1], args[2]
	switch reason {
	case clipTail:
		return fmt.Sprintf("horizon-clip: %v until %v (it is beyond what is computed, up to 400 days after the range; counted back from the last point computed)", stage, at),
			fmt.Sprintf("horizon-clip: %v until %v（計算範囲 to+400日 の実体化地平線——実体化済みの末尾から数える。言語の地平線ではない。ADR-37 判断 8）", stage, at)
	case clipFew:
		return fmt.Sprintf("horizon-clip: %v %v (only %v of %v points: nothing is computed before 1970)", stage, at, args[4], args[3]),
			fmt.Sprintf("horizon-clip: %v %v（実体化下限で切れ——n=%v 個中 %v 個のみ。紀元は tz 相対・言語の地平線ではない。ADR-37 判断 8・F107）", stage, at, args[3], args[4])
	case clipFloor:
		what := "単位窓列"
		if stage == "snapTo" {
			what = "対象窓列"
		}
		return fmt.Sprintf("horizon-clip: %v %v (it is before the first window, at 1970-01-01 of the windows' zone)", stage, at),
			fmt.Sprintf("horizon-clip: %v %v（%sの実体化下限より前——紀元は tz 相対・言語の地平線ではない。ADR-37 判断 8・F107）", stage, at, what)
	}
	return fmt.Sprintf("horizon-clip: %v %v (its target is outside of what is computed, from 1970 to 400 days after the range)", stage, at),
		fmt.Sprintf("horizon-clip: %v %v（計算範囲 to+400日 の実体化地平線——言語の地平線ではない。ADR-37 判断 8）", stage, at)
}

// finished gives an error what it shows when it leaves the package: its place in lines, its class and its messages.
func finished(err error, src string) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	if e.Span != (Span{}) && e.Span.Start >= 0 {
		e.Line, e.Column = lineColumn(src, lineStarts(src), e.Span.Start)
	}
	e.Message = fmt.Sprint(append([]any{e.Code}, e.args...)...)
	return e
}
