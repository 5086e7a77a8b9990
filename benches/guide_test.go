package benches_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/kairos"
	"github.com/assaybench/assay/premise"
)

// promptFiles are the texts of which a prompt is made.
var promptFiles = []string{"return.md", "declaration.md", "rules.md", "guide.md", "repair.md"}

var (
	fence = regexp.MustCompile("(?s)```kairos\n(.*?)```")
	span  = regexp.MustCompile(`(?m)^# (\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$`)
	gives = regexp.MustCompile(`(?m)^#=> (.*)$`)
)

// evalBehind evaluates a body behind a prelude.
func evalBehind(t *testing.T, prelude, body, from, to string) ([]string, error) {
	t.Helper()
	f, ok1 := kairos.ParseDate(from)
	u, ok2 := kairos.ParseDate(to)
	if !ok1 || !ok2 {
		t.Fatalf("no range %q..%q", from, to)
	}
	p, err := kairos.Compile(prelude + "\n" + body)
	if err != nil {
		return nil, err
	}
	r, err := p.Eval(t.Context(), kairos.Range{From: f, To: u}, kairos.Options{TZ: "Asia/Tokyo"})
	if err != nil {
		return nil, err
	}
	if len(r.Listings) != 1 {
		t.Errorf("%d expressions give points: %s", len(r.Listings), body)
		return nil, nil
	}
	return r.Texts(r.Listings[0].Points), nil
}

// TestGuideExamples runs every example of both guides; the guides have the same ones.
func TestGuideExamples(t *testing.T) {
	var first []string
	for _, name := range []string{"premise", "premise-en"} {
		guide, prelude := premiseFile(t, name, "guide.md"), premiseFile(t, name, "prelude.kairos")
		if n := len(guide); n < 5000 || n > 7000 {
			t.Errorf("the guide of %s has %d bytes", name, n)
		}
		var programs []string
		for _, m := range fence.FindAllStringSubmatch(guide, -1) {
			r, want := span.FindStringSubmatch(m[1]), gives.FindStringSubmatch(m[1])
			if r == nil || want == nil {
				t.Errorf("%s: an example without range or points:\n%s", name, m[1])
				continue
			}
			got, err := evalBehind(t, prelude, m[1], r[1], r[2])
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, m[1])
			} else if strings.Join(got, " ") != want[1] {
				t.Errorf("%s: the example gives %v\n%s", name, got, m[1])
			}
			programs = append(programs, m[1])
		}
		if len(programs) != 10 || strings.Count(guide, "```") != 20 {
			t.Errorf("%s has %d examples", name, len(programs))
		}
		if first == nil {
			first = programs
		} else if !slices.Equal(first, programs) {
			t.Error("the guides have different examples")
		}
	}
}

// TestGuideMistakes makes every mistake that the guides warn of: each gives the diagnostic that they name, or the points
// that they foretell.
func TestGuideMistakes(t *testing.T) {
	prelude := premiseFile(t, "premise", "prelude.kairos")
	guides := []string{premiseFile(t, "premise", "guide.md"), premiseFile(t, "premise-en", "guide.md")}
	for _, c := range []struct{ body, code, named string }{
		{"monthEnd |> shift(-2, unit: bizDay)", "shift.off-axis", "`shift.off-axis`"},
		{"bizDay |> at(T09:00) |> filter(on: bizDay)", "align.mismatch", "`align.mismatch`"},
		{"@JP tz: \"Europe/London\"\nbizDay |> at(T16:30)", "align.mismatch", "`align.mismatch`"},
		{"(everyDay |> at(T10:00)) \\ monthEnd", "align.mismatch", "`align.mismatch`"},
		{"premise LON { calendar-system: Gregorian; tz: \"Europe/London\" }\n@LON\nbizDay", "name.unresolved", "`name.unresolved`"},
		{"bizDay |> last", "select.no-window", "`select.no-window`"},
		{"month(11) |> last", "select.no-window", "`month(11)`"},
		{"monthEnd |> roll(Following)", "axis.missing", "`axis.missing`"},
		{"everyDay |> stride(2)", "stride.from", "`stride.from`"},
		{"everyDay |> filter(d => weekday(d) == Monday)", "name.unresolved", "`Monday`"},
		{"everyDay |> filter(d => true)", "name.unresolved", "`true`"},
		{"everyDay |> filter(d => weekday(d) = Mon)", "parse.token-expected", "`parse.`"},
		{"everyDay |> filter(d => weekday(d) == Mon && dayNo(d) < 8)", "parse.expression-expected", "`parse.`"},
		{"monthEnd |> at(T9:00)", "args.missing", "`args.missing`"},
		{"monthEnd |> at(T24:00)", "lex.time-range", "`T24:00`"},
		{"everyDay |> filter(d => d < 2026-11-01)", "value.not-number", "`value.not-number`"},
		{"everyDay |> filter(d => d in bizDay)", "value.in-non-list", "`value.in-non-list`"},
		{"everyDay |> within(month) |> nth(-1)", "", "`nth(-1)`"},
		{"((everyDay |> filter(d => weekday(d) == Fri)) \\ [2026-10-30]) |> at(T09:00)", "", "`filter(d => d != 2026-10-30)`"},
		{"first_day = monthStart\nfirst_day", "name.unresolved", "`_`"},
	} {
		got, err := evalBehind(t, prelude, c.body, "2026-10-01", "2026-12-01")
		var e *kairos.Error
		switch {
		case c.code == "" && (err != nil || len(got) != 0):
			t.Errorf("%s gives %v, %v", c.body, got, err)
		case c.code != "" && (!errors.As(err, &e) || e.Code != c.code):
			t.Errorf("%s gives %v, %v, and should fail with %s", c.body, got, err, c.code)
		}
		for i, g := range guides {
			if !strings.Contains(g, c.named) {
				t.Errorf("guide %d does not speak of %s", i, c.named)
			}
		}
	}
	for body, want := range map[string]string{
		"(everyDay |> filter(d => weekday(d) == Fri and d != 2026-10-30)) |> at(T09:00)":                    "2026-10-23T09:00 2026-11-06T09:00",
		"((everyDay |> filter(d => weekday(d) == Fri)) \\ ([2026-10-30] covering: ..)) |> at(T09:00)":       "2026-10-23T09:00 2026-11-06T09:00",
		"month(11) |> filter(d => weekday(d) == Fri) |> within(month) |> first":                             "2026-11-06",
		"@JP calendar-system: Fiscal\neveryDay |> within(year) |> nth(204)":                                 "2026-10-21",
		"everyInstant |> strideBy(6h, from: 2026-11-06T18:00) |> filter(d => ordinalIn(day, month, d) < 7)": "2026-11-06T18:00",
	} {
		got, err := evalBehind(t, prelude, body, "2026-10-20", "2026-11-07")
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s gives %v, %v", body, got, err)
		}
	}
}

// TestPremisePrompts holds the prompts to what they must say and must not: all kinds, the shape of a reply, the prelude
// once, and neither a problem's range nor its answer.
func TestPremisePrompts(t *testing.T) {
	for _, name := range premiseBenches {
		s := compilePremise(t, name)
		texts := map[string]string{}
		var all strings.Builder
		for _, f := range promptFiles {
			texts[f] = premiseFile(t, name, f)
			all.WriteString(texts[f])
			if name == "premise-regression" && texts[f] != premiseFile(t, "premise", f) {
				t.Errorf("%s: %s is not that of premise", name, f)
			}
		}
		if strings.Count(all.String(), "{prelude}") != 1 || strings.Count(texts["repair.md"], "{diagnostic}") != 1 {
			t.Errorf("%s: the prelude and the diagnostic must be asked for once", name)
		}
		for _, k := range premise.Kinds {
			if !strings.Contains(texts["declaration.md"], "| "+k+" |") || !strings.Contains(texts["return.md"], k) {
				t.Errorf("%s: the kind %s is not explained", name, k)
			}
		}
		if !strings.Contains(texts["return.md"], `{"body": "`) || !strings.Contains(texts["return.md"], `"assumptions": [{"topic": "`) {
			t.Errorf("%s: the shape of a reply is not spelled out", name)
		}
		examples := map[string]bool{}
		for _, m := range fence.FindAllStringSubmatch(texts["guide.md"], -1) {
			examples[program(m[1])] = true
		}
		prelude := strings.TrimSpace(premiseFile(t, name, "prelude.kairos"))
		for _, p := range s.Problems() {
			for f, text := range texts {
				if strings.Contains(text, p.From.String()) && strings.Contains(text, p.To.String()) {
					t.Errorf("%s: %s holds the range of %s", name, f, p.ID)
				}
				if strings.Contains(text, p.Prompt) {
					t.Errorf("%s: %s holds the requirement of %s", name, f, p.ID)
				}
			}
			for _, r := range p.Readings {
				if examples[program(r.Body)] {
					t.Errorf("%s: the guide holds the body of %s, %s", name, p.ID, r.Key)
				}
			}
			m, err := s.Prompt(p.ID)
			if err != nil {
				t.Fatal(err)
			}
			system, user := m[0].Text, m[1].Text
			if strings.Count(system, prelude) != 1 {
				t.Errorf("%s %s: the prelude does not stand in the prompt once", name, p.ID)
			}
			whole := strings.Contains(user, "終日でよい") || strings.Contains(user, "Whole days will do")
			if !strings.Contains(user, p.Prompt) || whole != p.AllDay || strings.Contains(user, p.From.String()) || strings.Contains(system+user, "{prompt}") {
				t.Errorf("%s %s is asked as %q", name, p.ID, user)
			}
			if name != "premise-en" && !strings.HasPrefix(user, "要件: ") {
				t.Errorf("%s %s is asked as %q", name, p.ID, user)
			}
		}
	}
}

// program is a program's text without comments and white space.
func program(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		line, _, _ = strings.Cut(line, "#")
		b.WriteString(strings.Join(strings.Fields(line), ""))
	}
	return b.String()
}
