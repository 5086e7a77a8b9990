package kairos

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// docsExample is a program of the documentation with what it is said to give.
type docsExample struct {
	place  string
	info   string // "from 2026-01-01 to 2026-07-01 tz Asia/Tokyo"
	source string
	supply map[string]suppliedVector
	want   string
}

var infoLine = regexp.MustCompile(`^from (\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d) tz (\S+)$`)

// given evaluates an example and writes the result as the documentation does: the points of an expression on one line, its
// annotations on lines with ~, expressions divided by an empty line; the codes of warnings on lines with !; or the code of
// the error.
func (e *docsExample) given(t *testing.T) string {
	t.Helper()
	m := infoLine.FindStringSubmatch(e.info)
	if m == nil {
		t.Fatalf("%s: the range is %q", e.place, e.info)
	}
	from, okFrom := ParseDate(m[1])
	to, okTo := ParseDate(m[2])
	if !okFrom || !okTo {
		t.Fatalf("%s: no such days: %q", e.place, e.info)
	}
	v := vector{Supply: e.supply}
	o := v.options()
	o.TZ = m[3]
	p, err := Compile(e.source)
	var r *Result
	if err == nil {
		r, err = p.Eval(context.Background(), Range{from, to}, o)
	}
	if err != nil {
		ke, ok := err.(*Error)
		if !ok {
			t.Fatalf("%s: %v", e.place, err)
		}
		return "error " + ke.Code
	}
	var parts []string
	for _, l := range r.Listings {
		lines := wrap(r.Texts(l.Points))
		for _, a := range l.Annotations {
			s := "~ " + a.FromText + ".." + a.ToText + " " + a.Source + " covering " + a.Covering
			if a.AsOf != "" {
				s += " asof " + a.AsOf
			}
			lines = append(lines, s)
		}
		parts = append(parts, strings.Join(lines, "\n"))
	}
	out := strings.Join(parts, "\n\n")
	var codes []string
	for _, w := range r.Warnings {
		if !slices.Contains(codes, w.Code) {
			codes = append(codes, w.Code)
			out += "\n! " + w.Code
		}
	}
	return out
}

// wrap lays points into lines of at most 120 characters.
func wrap(points []string) []string {
	if len(points) == 0 {
		return []string{"(none)"}
	}
	var lines []string
	line := ""
	for _, p := range points {
		if line != "" && len(line)+1+len(p) > 120 {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += p
	}
	return append(lines, line)
}

// passage is a fenced block of a Markdown text.
type passage struct {
	line       int
	lang, text string
}

func blocks(t *testing.T, name string) []passage {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []passage
	var b *passage
	for i, line := range strings.Split(string(text), "\n") {
		lang, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && b == nil:
			b = &passage{line: i + 1, lang: lang}
		case fence:
			out, b = append(out, *b), nil
		case b != nil:
			b.text += line + "\n"
		}
	}
	if b != nil {
		t.Fatalf("%s:%d: the fence has no end", name, b.line)
	}
	return out
}

func TestDocs(t *testing.T) {
	const name = "../docs/kairos.md"
	list := blocks(t, name)
	seen := 0
	for i := 0; i < len(list); i++ {
		if list[i].lang != "kairos" {
			continue
		}
		seen++
		e := docsExample{place: name + ":" + strconv.Itoa(list[i].line), source: list[i].text}
		first, _, _ := strings.Cut(list[i].text, "\n")
		e.info = strings.TrimPrefix(first, "# ")
		if i+1 < len(list) && list[i+1].lang == "json" {
			i++
			if err := json.Unmarshal([]byte(list[i].text), &e.supply); err != nil {
				t.Fatalf("%s: %v", e.place, err)
			}
		}
		if i+1 == len(list) || list[i+1].lang != "text" {
			t.Errorf("%s: nothing says what the program gives", e.place)
			continue
		}
		e.want = strings.TrimSuffix(list[i+1].text, "\n")
		if got := e.given(t); got != e.want {
			t.Errorf("%s gives\n%s\nand the text says\n%s", e.place, got, e.want)
		}
	}
	if seen < 40 {
		t.Errorf("only %d examples were found", seen)
	}
}

// TestDocsGo holds the Go of the documentation to the example that is compiled and run.
func TestDocsGo(t *testing.T) {
	text, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, line := range strings.Split(string(text), "\n") {
		code.WriteString(strings.TrimPrefix(line, "\t") + "\n")
	}
	seen := 0
	for _, b := range blocks(t, "../docs/kairos.md") {
		if b.lang == "go" {
			seen++
			if !strings.Contains(code.String(), b.text) {
				t.Errorf("line %d: the Go is not that of example_test.go", b.line)
			}
		}
	}
	if seen == 0 {
		t.Error("there is no Go")
	}
}

// TestExamples runs the programs of examples/kairos that say what they give.
func TestExamples(t *testing.T) {
	names, err := filepath.Glob("../examples/kairos/*.kairos")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range names {
		if filepath.Base(name) == "kyureki.kairos" {
			continue // a premise; its own package tests it
		}
		seen++
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		e := docsExample{place: name, source: string(text)}
		_, said, ok := strings.Cut(e.source, "\n# gives\n")
		if !ok {
			t.Errorf("%s does not say what it gives", name)
			continue
		}
		for _, line := range strings.Split(strings.TrimSuffix(said, "\n"), "\n") {
			e.want += strings.TrimPrefix(strings.TrimPrefix(line, "#"), " ") + "\n"
		}
		e.want = strings.TrimSuffix(e.want, "\n")
		for _, line := range strings.Split(e.source, "\n") {
			line, _ = strings.CutPrefix(line, "# ")
			if infoLine.MatchString(line) {
				e.info = line
			}
			if other, ok := strings.CutPrefix(line, "with "); ok && strings.HasSuffix(other, ".kairos") {
				before, err := os.ReadFile("../examples/kairos/" + other)
				if err != nil {
					t.Fatal(err)
				}
				e.source = string(before) + e.source
			}
		}
		if got := e.given(t); got != e.want {
			t.Errorf("%s gives\n%s\nand says\n%s", e.place, got, e.want)
		}
	}
	if seen < 6 {
		t.Errorf("only %d examples were found", seen)
	}
}

// TestDocsCron compares each line of the table of cron lines with a reading of the cron line itself, over three years.
func TestDocsCron(t *testing.T) {
	text, err := os.ReadFile("../docs/kairos.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `([^`]+)`(?: with `([^`]+)`)? \\|$")
	_, table, _ := strings.Cut(string(text), "\n## From cron\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := row.FindAllStringSubmatch(table, -1)
	from, to := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2029, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, m := range rows {
		source := strings.ReplaceAll(m[2], `\|`, "|")
		if m[3] != "" {
			source = strings.ReplaceAll(m[3], `\|`, "|") + "\n" + source
		}
		p, err := Compile(source)
		if err != nil {
			t.Errorf("%s: %v", m[1], err)
			continue
		}
		r, err := p.Eval(context.Background(), Range{Date{2026, 1, 1}, Date{2029, 1, 1}}, Options{TZ: "UTC"})
		if err != nil {
			t.Errorf("%s: %v", m[1], err)
			continue
		}
		fires := cronLine(t, m[1])
		var want []int64
		for at := from; at.Before(to); at = at.Add(time.Minute) {
			if fires(at) {
				want = append(want, at.UnixMilli())
			}
		}
		if got := r.Listings[0].Points; !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s: %d points %v, and cron has %d", m[1], len(got), brief(r.Texts(got)), len(want))
		}
	}
	if len(rows) < 12 {
		t.Errorf("only %d lines were found", len(rows))
	}
}

// cronLine reads a cron line as cron does: of day and weekday, one suffices where both are limited.
func cronLine(t *testing.T, line string) func(time.Time) bool {
	t.Helper()
	f := strings.Fields(line)
	if len(f) != 5 {
		t.Fatalf("%q has not five fields", line)
	}
	minute, hour, day := cronField(t, f[0]), cronField(t, f[1]), cronField(t, f[2])
	month, weekday := cronField(t, f[3]), cronField(t, f[4])
	return func(at time.Time) bool {
		onDay, onWeekday := day(at.Day(), 1), weekday(int(at.Weekday()), 0)
		on := onDay && onWeekday
		if f[2] != "*" && f[4] != "*" {
			on = onDay || onWeekday
		}
		return on && minute(at.Minute(), 0) && hour(at.Hour(), 0) && month(int(at.Month()), 1)
	}
}

func cronField(t *testing.T, field string) func(n, first int) bool {
	t.Helper()
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%q is no number", s)
		}
		return n
	}
	type part struct{ from, to, step int }
	var parts []part
	for _, s := range strings.Split(field, ",") {
		p := part{0, 99, 1}
		s, step, stepped := strings.Cut(s, "/")
		if stepped {
			p.step = number(step)
		}
		if s != "*" {
			from, to, ranged := strings.Cut(s, "-")
			if p.from = number(from); !ranged {
				to = from
			}
			p.to = number(to)
		}
		parts = append(parts, p)
	}
	return func(n, first int) bool {
		for _, p := range parts {
			if p.from <= n && n <= p.to && (n-max(p.from, first))%p.step == 0 {
				return true
			}
		}
		return false
	}
}
