package check

import (
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/record"
)

// hostileAnswers are as long as an answer may be, each of a kind that makes careless code slow.
var hostileAnswers = map[string]string{
	"words":         "a ",
	"sentences":     "B.",
	"answer lines":  "ANSWER:\n",
	"answers":       "ANSWER: 71.50\n",
	"fences":        "```",
	"fence lines":   "```\n",
	"zero width":    "a\u200b",
	"only Cf":       "\u200b\u200b\ufeff.",
	"brackets":      "[",
	"bracket pairs": "[]",
	"numbers":       "[0,0,0,0",
	"quotes":        `\"`,
	"backslashes":   `\\\\`,
	"line breaks":   "\n",
	"CR":            "x\r",
	"paragraphs":    "b\n\n",
	"stops":         ".",
	"spaced stops":  ". ",
	"digits":        "9",
	"groups":        "1,000,",
	"needles":       "do",
	"dogs":          "dog ",
	"curly":         "’“",
	"Kelvin":        "\u212a",
	"end marks":     "<|eot|>",
	"closers":       ".\"",
	"openers":       "(\"",
	"prefixes":      "is a ",
	"tabs":          "\t",
	"bold":          "**",
}

// hostile makes an answer of n bytes at most; it does not end in white space, so that nothing trims it away.
func hostile(unit string, n int) string {
	return "x" + strings.Repeat(unit, (n-12)/len(unit)) + "x"
}

// full makes TestLinearTime use answers of the greatest length; without it they are long enough to show what grows with
// the square of the length, and short enough for every day.
var full = flag.Bool("full", false, "judge hostile answers of 4 MiB in TestLinearTime (minutes)")

// TestLinearTime judges a long answer of every hostile kind by every kind of rule.
func TestLinearTime(t *testing.T) {
	size, bound := MaxAnswer/96, 300*time.Millisecond
	if *full {
		size, bound = MaxAnswer, 2*time.Second
	}
	if raceEnabled {
		size, bound = size/4, 2*bound
	}
	extra := map[string]string{
		"a long string": `{"set": "` + strings.Repeat(`\"`, (size-100)/2) + `", "pieces": 28}`,
		"many keys":     `{` + strings.Repeat(`"":0,`, (size-100)/5) + `"a":1}`,
		"nested":        strings.Repeat(`{"a":`, size/5-1),
		"strings":       `["` + strings.Repeat(`","`, (size-100)/3) + `"]`,
	}
	for name, unit := range hostileAnswers {
		extra[name] = hostile(unit, size)
	}
	worst, what := time.Duration(0), ""
	for kind, list := range forms {
		set := one(t, "- "+kind+": "+list[len(list)-1])
		for name, answer := range extra {
			if len(answer) > MaxAnswer {
				t.Fatalf("%s has %d bytes", name, len(answer))
			}
			var v record.Verdict
			took := time.Hour
			for try := 0; try < 4 && took > bound; try++ { // on a busy machine the best of some tries counts
				start := time.Now()
				v = set.answer(t, "x", answer)
				took = min(took, time.Since(start))
			}
			if took > worst {
				worst, what = took, kind+" on "+name
			}
			if took > bound {
				t.Errorf("%s on %s (%d bytes) took %v", kind, name, len(answer), took)
			}
			if b, err := record.Canonical(v); err != nil || len(b) > 8000 {
				t.Errorf("%s on %s: the verdict has %d bytes: %v", kind, name, len(b), err)
			}
		}
	}
	t.Logf("slowest: %s, %v for %d bytes", what, worst, size)
}
