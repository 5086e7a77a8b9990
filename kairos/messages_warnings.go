package kairos

import "fmt"

// warningText gives a warning's text in English and Japanese. Both begin with what is warned of, the stage and the
// instant. The Japanese texts are part of what programs print and compare; they never change.
func warningText(code string, args ...any) (en, ja string) {
	if code == "I5" {
		name := shown(args[0], english)
		return fmt.Sprintf("I5: the windows of %v have a gap at %v (points in the gap belong to no window, and selectors leave them out)", name, args[1]),
			fmt.Sprintf("I5: 窓 %v は連続でない（%v 付近）", args...)
	}
	reason, stage, at := args[0], args[1], args[2]
	switch reason {
	case clipTail:
		return fmt.Sprintf("horizon-clip: %v until %v (points are computed up to 400 days after the range only; they are counted back from the last of those)", stage, at),
			fmt.Sprintf("horizon-clip: %v until %v（計算範囲 to+400日 の実体化地平線——実体化済みの末尾から数える。言語の地平線ではない。ADR-37 判断 8）", stage, at)
	case clipFew:
		return fmt.Sprintf("horizon-clip: %v %v (only %v of %v points, since no point is computed before 1970)", stage, at, args[4], args[3]),
			fmt.Sprintf("horizon-clip: %v %v（実体化下限で切れ——n=%v 個中 %v 個のみ。紀元は tz 相対・言語の地平線ではない。ADR-37 判断 8・F107）", stage, at, args[3], args[4])
	case clipFloor:
		what := "単位窓列"
		if stage == "snapTo" {
			what = "対象窓列"
		}
		return fmt.Sprintf("horizon-clip: %v %v (the point is left out, since its windows begin with 1970-01-01 of their zone only)", stage, at),
			fmt.Sprintf("horizon-clip: %v %v（%sの実体化下限より前——紀元は tz 相対・言語の地平線ではない。ADR-37 判断 8・F107）", stage, at, what)
	}
	return fmt.Sprintf("horizon-clip: %v %v (the point is left out, since it would go beyond what is computed, from 1970 to 400 days after the range)", stage, at),
		fmt.Sprintf("horizon-clip: %v %v（計算範囲 to+400日 の実体化地平線——言語の地平線ではない。ADR-37 判断 8）", stage, at)
}
