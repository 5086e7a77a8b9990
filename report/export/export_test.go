package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

func TestHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		"plain, \"quoted\"":     "plain, \"quoted\"",
		"=1+1":                  "'=1+1",
		"+1":                    "'+1",
		"-1":                    "'-1",
		"@SUM(A1)":              "'@SUM(A1)",
		"|calc":                 "'|calc",
		"%0A=1":                 "'%0A=1",
		"  =1":                  "'  =1",
		"\t=1":                  "'\t=1",
		"\tx":                   "'\tx",
		"\r\n=1":                "'\n=1",
		"\u00a0=1":              "'\u00a0=1",
		"＝1":                    "'＝1",
		"a=1":                   "a=1",
		"\x1b[31mred\x07":       "\ufffd[31mred\ufffd",
		"a\u202eb\u200bc\x00":   "a\ufffdb\ufffdc\ufffd",
		"a\xffb":                "a\ufffdb",
		"two\nlines\rand\r\nmo": "two\nlines\ufffdand\nmo",
		"日本語 \U0001f600 é":      "日本語 \U0001f600 é",
	} {
		if got := harmless(in); got != want {
			t.Errorf("harmless(%q) = %q, want %q", in, got, want)
		}
	}
}

// Whatever the texts, another reader gets back as many rows and cells, none of which begins a formula or holds a control
// character, and texts that need no care come back as they are.
func TestCSVOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ \t\n=+@-]{0,3}[a-z"',;\n]{0,8}`), rapid.Just("\xf0\x28"))
		rows := rapid.SliceOfN(rapid.SliceOfN(text, 3, 3), 0, 8).Draw(t, "rows")
		table := Table{columns("a b c"), func(_ context.Context, yield func([]any) error) error {
			for _, r := range rows {
				if err := yield([]any{r[0], r[1], r[2]}); err != nil {
					return err
				}
			}
			return nil
		}}
		var b bytes.Buffer
		if err := table.CSV(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(b.Bytes()) {
			t.Fatal("not UTF-8")
		}
		c := csv.NewReader(&b)
		got, err := c.ReadAll()
		if err != nil || len(got) != len(rows)+1 {
			t.Fatalf("%v: %d rows of %d", err, len(got), len(rows))
		}
		for i, r := range got[1:] {
			for j, cell := range r {
				if trimmed := strings.TrimLeft(cell, " \t\n"); trimmed != "" && strings.ContainsRune("=+-@", rune(trimmed[0])) {
					t.Fatalf("%q is a formula", cell)
				}
				if strings.ContainsAny(cell, "\x00\x07\x1b\u009b\u202e\x7f") {
					t.Fatalf("%q holds a control character", cell)
				}
				if in := rows[i][j]; regexp.MustCompile(`^[a-z"',; ]*$`).MatchString(in) && cell != in {
					t.Fatalf("%q became %q", in, cell)
				}
			}
		}
	})
}

func TestCSVRefusesOtherCells(t *testing.T) {
	table := Table{columns("a"), func(_ context.Context, yield func([]any) error) error { return yield([]any{1}) }}
	if err := table.CSV(t.Context(), new(bytes.Buffer)); err == nil {
		t.Error("an int is written")
	}
}

// What an attempt came to, by how it ended and what is known of it.
func TestPassed(t *testing.T) {
	for _, c := range []struct {
		outcome     record.Outcome
		state       record.State
		pass        bool
		letter      record.Letter
		want, known bool
		shown       string
	}{
		{"", "", false, "", false, false, "-"},
		{record.Answered, record.Graded, true, ".", true, true, "."},
		{record.Answered, record.Graded, false, "F", false, true, "F"},
		{record.Answered, record.Unread, false, "U", false, true, "U"},
		{record.Answered, record.Ungradable, false, "?", false, false, "?"},
		{record.Answered, "", false, "", false, false, "?"},
		{record.Refused, "", false, "", false, true, "R"},
		{record.Truncated, "", false, "", false, true, "C"},
		{record.Timeout, "", false, "", false, true, "T"},
		{record.Undelivered, "", false, "", false, false, "D"},
		{record.Error, "", false, "", false, false, "E"},
	} {
		a := &Attempt{Row: store.Row{State: c.state, Pass: c.pass, Letter: c.letter, TryRow: store.TryRow{Outcome: c.outcome}}}
		if pass, known := a.passed(); pass != c.want || known != c.known || a.letter() != c.shown {
			t.Errorf("%q, %q: passed %v, known %v, letter %q", c.outcome, c.state, pass, known, a.letter())
		}
	}
}

func TestNames(t *testing.T) {
	if a, b := uuid("trial", "r", "1"), uuid("trial", "r", "2"); a == b || a != uuid("trial", "r", "1") || !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(a) {
		t.Errorf("%s, %s", a, b)
	}
	for in, want := range map[string]string{"openai/m@http://h:1/v1": "openai_m_http___h_1_v1", "../../etc": "_.._etc", "..": "", strings.Repeat("x", 99): strings.Repeat("x", 60), "a\x1b/é": "a___"} {
		if got := plainName(in); got != want {
			t.Errorf("plainName(%q) = %q, want %q", in, got, want)
		}
	}
	if got := instant(time.Date(2026, 1, 2, 3, 4, 5, 60, time.FixedZone("x", 3600))); got != "2026-01-02T02:04:05.00000006Z" {
		t.Error(got)
	}
}
