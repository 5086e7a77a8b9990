package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/internal/cli"
)

// kairosFolder holds the conformance corpus, beside the project.
const kairosFolder = "../../../shared/kairos/"

// corpus reads a file of the corpus, a line at a time.
func corpus[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.Open(kairosFolder + name)
	if err != nil {
		t.Skipf("the conformance corpus is not here: %v", err)
	}
	defer f.Close()
	var out []T
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<22)
	for s.Scan() {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := s.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%s: %d lines, %v", name, len(out), err)
	}
	return out
}

// inside runs a command within this process.
func inside(t testing.TB, dir string, in io.Reader, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = cli.Main(outside(dir, in, &o, &e, args...))
	return code, o.String(), e.String()
}

// process runs a command within this process and gives its exit code; what it says to people goes to the test's log.
func process(t testing.TB, dir string, in io.Reader, out io.Writer, args ...string) int {
	var e bytes.Buffer
	code := cli.Main(outside(dir, in, out, &e, args...))
	if e.Len() > 0 {
		t.Log(e.String())
	}
	return code
}

func outside(dir string, in io.Reader, out, errs io.Writer, args ...string) *cli.Process {
	return &cli.Process{Args: args, Getenv: func(string) string { return "" }, Stdin: in, Stdout: out, Stderr: errs, Dir: dir,
		Now: func() time.Time { return time.Date(2026, 8, 5, 20, 0, 0, 0, time.UTC) }, Context: context.Background()}
}

// TestKairosCommandLines holds list and next to the recorded command lines of the reference: standard output byte for byte,
// the exit status, and whether anything is said on standard error. Where a line says no language, the record is Japanese.
func TestKairosCommandLines(t *testing.T) {
	type vector struct {
		ID     string
		Args   []string
		Files  map[string]string
		Exit   int
		Stdout string
		Stderr string
	}
	for _, v := range corpus[vector](t, "cli-vectors.jsonl") {
		t.Run(v.ID, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range v.Files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			args := append([]string{"kairos"}, v.Args...)
			if !slices.Contains(v.Args, "--lang") {
				args = append(args, "--lang", "ja")
			}
			code, out, errs := inside(t, dir, strings.NewReader(""), args...)
			if slices.Equal(v.Args, []string{"--help"}) {
				// The one difference: help is help, as with every other command.
				if code != 0 || !strings.Contains(out, "assay kairos") || errs != "" {
					t.Errorf("--help: exit %d, %q, %q", code, out, errs)
				}
				return
			}
			if code != v.Exit {
				t.Errorf("exit %d, want %d: %s", code, v.Exit, errs)
			}
			if out != v.Stdout {
				t.Errorf("standard output\n%s\nwant\n%s", out, v.Stdout)
			}
			if (errs != "") != (v.Stderr != "") {
				t.Errorf("standard error %q, want %q", errs, v.Stderr)
			}
		})
	}
}

// TestKairosBatchCorpus feeds the whole corpus through batch, as one input.
func TestKairosBatchCorpus(t *testing.T) {
	type vector struct {
		ID     string
		Expect struct {
			Points      []string
			Ms          []int64
			Error, Code string
		}
		Annotations   []string
		AnnotationsMs [][]int64
		Coverage      []map[string]any
		Warnings      []string
		Flags         []string
	}
	vectors := corpus[vector](t, "vectors.jsonl")
	in, err := os.Open(kairosFolder + "vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	code, out, errs := inside(t, t.TempDir(), in, "kairos", "batch", "--lang", "ja")
	if code != 0 || errs != "" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(vectors) {
		t.Fatalf("%d lines, want %d", len(lines), len(vectors))
	}
	for i, v := range vectors {
		var got struct {
			ID      string
			Results []struct {
				Points      []string
				Ms          []int64
				Annotations []struct {
					From, To, Source, Covering, AsOf, Reason string
					FromMs, ToMs                             int64
				}
			}
			Coverage []map[string]any
			Warnings []string
			Error    *struct {
				Code, Message string
				Line, Column  int
			}
		}
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
			t.Fatalf("%s: %v", lines[i], err)
		}
		if got.ID != v.ID {
			t.Fatalf("line %d is of %q, want %q", i+1, got.ID, v.ID)
		}
		if v.Expect.Error != "" {
			if got.Error == nil || got.Error.Code != v.Expect.Code || got.Error.Message == "" {
				t.Errorf("%s: error %+v, want %s", v.ID, got.Error, v.Expect.Code)
			}
			continue
		}
		if got.Error != nil {
			t.Errorf("%s: %+v", v.ID, got.Error)
			continue
		}
		if len(got.Results) == 0 {
			if len(v.Expect.Points) > 0 {
				t.Errorf("%s: no results", v.ID)
			}
			continue
		}
		last := got.Results[len(got.Results)-1]
		if !slices.Equal(last.Points, v.Expect.Points) || !slices.Equal(last.Ms, v.Expect.Ms) {
			t.Errorf("%s: %v, want %v", v.ID, last.Points, v.Expect.Points)
		}
		var notes []string
		for k, a := range last.Annotations {
			s := "範囲外 " + a.From + ".." + a.To + "（" + a.Source + " covering " + a.Covering
			if a.AsOf != "" {
				s += ", asof " + a.AsOf
			}
			notes = append(notes, s+"）")
			if a.Reason != "out-of-coverage" || v.AnnotationsMs[k][0] != a.FromMs || v.AnnotationsMs[k][1] != a.ToMs {
				t.Errorf("%s: annotation %+v, want %v", v.ID, a, v.AnnotationsMs[k])
			}
		}
		if !slices.Equal(notes, v.Annotations) {
			t.Errorf("%s: annotations %q, want %q", v.ID, notes, v.Annotations)
		}
		for _, c := range append(got.Coverage, v.Coverage...) {
			if c["asof"] == nil {
				delete(c, "asof")
			}
		}
		g, _ := json.Marshal(got.Coverage)
		w, _ := json.Marshal(v.Coverage)
		if string(g) != string(w) {
			t.Errorf("%s: coverage %s, want %s", v.ID, g, w)
		}
		if len(got.Warnings) != len(v.Warnings) && !slices.Contains(v.Flags, "horizon-warnings-only") {
			t.Errorf("%s: %d warnings, want %d", v.ID, len(got.Warnings), len(v.Warnings))
		}
	}
}

const everyDay = "premise JP { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; wkst: Mon }\n@JP\neveryDay\n"

// TestKairosToday: where no range is given it begins today in the run's zone; the clock stands at 2026-08-05T20:00Z.
func TestKairosToday(t *testing.T) {
	for _, c := range []struct {
		args     []string
		from, to string
	}{
		{[]string{"list"}, "2026-08-06", "2027-08-06"},
		{[]string{"list", "--tz", "UTC"}, "2026-08-05", "2027-08-05"},
		{[]string{"list", "--to", "2026-08-08"}, "2026-08-06", "2026-08-08"},
		{[]string{"list", "--from", "2024-02-29"}, "2024-02-29", "2025-03-01"},
		{[]string{"next", "--tz", "-11:00"}, "", ""}, // a value that begins with a dash
		{[]string{"next", "--tz=-11:00"}, "2026-08-05", "2026-08-06"},
		{[]string{"explain"}, "2026-08-06", "2027-08-06"},
	} {
		args := append(append([]string{"kairos"}, c.args...), "--json", "-")
		code, out, errs := inside(t, t.TempDir(), strings.NewReader(everyDay), args...)
		if c.from == "" {
			if code != 1 || out != "" || !strings.Contains(errs, "--tz=VALUE") {
				t.Errorf("%v: exit %d, %s", c.args, code, errs)
			}
			continue
		}
		var got struct{ From, To string }
		if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil || got.From != c.from || got.To != c.to {
			t.Errorf("%v: exit %d, %+v, %v, want %s to %s: %s", c.args, code, got, err, c.from, c.to, errs)
		}
	}
}

// TestKairosCaret: the caret stands below the place of the fault, by columns of a terminal, on lines of any length.
func TestKairosCaret(t *testing.T) {
	const head = "premise JP { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; wkst: Mon }\n@JP\n"
	for _, c := range []struct{ name, line, want string }{
		{"plain", "everyDay |> first", "  everyDay |> first\n              ^"},
		{"tabs and indentation", "\t \teveryDay\t|> first", "  everyDay |> first\n              ^"},
		{"wide characters", "平日 = everyDay; 平日 |> first", "  平日 = everyDay; 平日 |> first\n                           ^"},
		{"beyond the basic plane", "[2026-01-01] labels: [a] covering: .. # \U0001F600\n  everyDay |> first", ""},
		{"a long line", strings.Repeat("everyDay;", 1000) + " everyDay |> first; " + strings.Repeat("everyDay;", 1000), "long"},
	} {
		_, out, errs := inside(t, t.TempDir(), strings.NewReader(head+c.line), "kairos", "check", "-", "--from", "2026-01-01", "--to", "2026-01-02")
		lines := strings.Split(out, "\n")
		if len(lines) < 3 || !strings.Contains(lines[0], "select.no-window") {
			t.Errorf("%s: %q, %s", c.name, out, errs)
			continue
		}
		got := lines[1] + "\n" + lines[2]
		switch c.want {
		case "long":
			at := strings.Index(lines[2], "^")
			if r := []rune(lines[1]); len(r) > 100 || len(r) < at+5 || string(r[at:at+5]) != "first" || !strings.HasPrefix(lines[1], "  …") || !strings.HasSuffix(lines[1], "…") {
				t.Errorf("%s:\n%s", c.name, got)
			}
		case "":
			if at := strings.Index(lines[2], "^"); !strings.HasPrefix(lines[1][at:], "first") {
				t.Errorf("%s:\n%s", c.name, got)
			}
		default:
			if got != c.want {
				t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
			}
		}
	}
}

// TestKairosEnglishJSON: warnings in --json are in the language asked for.
func TestKairosEnglishJSON(t *testing.T) {
	const src = "premise JP { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; wkst: Mon }\n@JP\neveryDay |> takeLast(2, until: 2040-01-05)\n"
	for lang, word := range map[string]string{"en": "counted back from the last", "ja": "実体化地平線"} {
		_, out, errs := inside(t, t.TempDir(), strings.NewReader(src), "kairos", "list", "-", "--json", "--from", "2026-01-01", "--lang", lang)
		var got struct{ Warnings []string }
		if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], word) || !strings.Contains(errs, word) {
			t.Errorf("%s: %v, %q, %s", lang, err, got.Warnings, errs)
		}
	}
}

// TestKairosEmptyListing holds what a person at a terminal is told when there are no points, and that scripts are told nothing.
func TestKairosEmptyListing(t *testing.T) {
	for _, c := range []struct {
		name, src, lang, want string
		width                 int
		args                  []string
	}{
		{"no points", "everyDay |> filter(d => weekday(d) == 1)", "en",
			"-: no points from 2026-02-01 to 2027-02-01 (assay kairos explain tells at which stage they went)\n", 80, nil},
		{"no expression", "x = everyDay", "en",
			"-: no expression gives points (add a line such as everyDay |> filter(d => dayNo(d) == 1))\n", 80, nil},
		{"Japanese", "x = everyDay", "ja",
			"-: 時点を返す式がありません（everyDay |> filter(d => dayNo(d) == 1) のような行を書きます）\n", 80, nil},
		{"points", "monthStart", "en", "", 80, nil},
		{"one of two expressions", "monthStart\nmonth |> nth(0)", "en", "", 80, nil},
		{"no terminal", "x = everyDay", "en", "", 0, nil},
		{"JSON", "x = everyDay", "en", "", 80, []string{"--json"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			p := outside(t.TempDir(), strings.NewReader(c.src), &out, &errs,
				append([]string{"kairos", "list", "--tz", "UTC", "--lang", c.lang, "--from", "2026-02-01", "-"}, c.args...)...)
			p.Width = c.width
			if code := cli.Main(p); code != 0 {
				t.Fatalf("exit %d: %s", code, &errs)
			}
			if errs.String() != c.want {
				t.Errorf("standard error %q, want %q", &errs, c.want)
			}
		})
	}
}
