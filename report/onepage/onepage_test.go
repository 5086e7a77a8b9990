package onepage

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
)

// attacks would run, or end the element that they stand in, where they were taken for markup.
var attacks = []string{
	`<script>document.title='run'</script>`, `</script><script>document.title='run'</script>`, `<img src=x onerror="document.title='run'">`,
	`"><svg onload=document.title='run'>`, `<!--<script>`, `]]>`, "\u2028document.title='run'", `{{.}}`, `javascript:document.title='run'`, "\x1b]0;run\x07", "\xff\xfe", "\u202egnp.exe",
}

// made is a run of n attempts of two settings in which every text is hostile.
func made(n int) (Run, iter.Seq2[Attempt, error]) {
	at := func(i int) string { return attacks[i%len(attacks)] }
	r := Run{ID: "0f3a" + at(0), Bench: "made@1" + at(2), Digest: strings.Repeat("ab", 32), Grader: strings.Repeat("cd", 32), Created: "2026-12-01T00:00:00Z", Program: "1.0" + at(1), Face: attacks, Notes: attacks, Planned: n,
		Letters: []report.Meaning{{Letter: ".", Meaning: "passed" + at(0)}, {Letter: "x", Meaning: "wrong"}}}
	for _, model := range []string{"mock/a" + at(1), "mock/b"} {
		r.Figures = append(r.Figures, report.Figure{Model: model, Posture: "plain" + at(3), Score: report.Score{Basis: record.Exact, Passed: 3, Items: 5, Judged: 4, Interval: [2]float64{0.3, 0.95}}})
		r.Settings = append(r.Settings, report.Setting{Model: model, Posture: "plain", Counts: report.Counts{Planned: n / 2, Answered: n / 2}})
	}
	return r, func(yield func(Attempt, error) bool) {
		for i := range n {
			a := Attempt{Key: record.Key{Model: r.Figures[i%2].Model, Posture: "plain", Item: fmt.Sprintf("item-%05d%s", i/4, at(i/4)), Repeat: i/2%2 + 1}, Family: "family" + at(i%5), Basis: record.Exact,
				Outcome: record.Answered, Letter: ".", Pass: true, Tries: 1, Answer: "answer " + at(i) + strings.Repeat(" and so on", i%40), Findings: []record.Finding{{Rule: "number" + at(i), Pass: true, Why: "it is " + at(i+1)}}}
			switch i % 7 {
			case 3:
				a.Letter, a.Pass, a.Findings = "x", false, append(a.Findings, record.Finding{Rule: "absent", Why: "it is there", Expected: at(i + 2), Got: at(i + 3)})
			case 5:
				a.Outcome, a.Letter, a.Pass, a.Answer, a.Findings = record.Timeout, "T", false, "", nil
			}
			if !yield(a, nil) {
				return
			}
		}
	}
}

func write(t testing.TB, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	r, list := made(n)
	if err := Write(&b, r, list); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// opened is what the page's script reads: the index and the details of every attempt.
func opened(t *testing.T, page []byte) (ix index, rows []detail) {
	t.Helper()
	for _, m := range regexp.MustCompile(`<script type="application/octet-stream" id="(index|part\d+)">([A-Za-z0-9+/=]*)</script>`).FindAllSubmatch(page, -1) {
		raw, err := base64.StdEncoding.DecodeString(string(m[2]))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(flate.NewReader(bytes.NewReader(raw)))
		if err != nil {
			t.Fatal(err)
		}
		if string(m[1]) == "index" {
			err = json.Unmarshal(text, &ix)
		} else {
			var part []detail
			err = json.Unmarshal(text, &part)
			rows = append(rows, part...)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return ix, rows
}

func TestEveryAttemptIsThere(t *testing.T) {
	const n = 2500
	page := write(t, n)
	ix, rows := opened(t, page)
	if len(rows) != n || len(ix.Item) != n || len(ix.Pass) != n || len(ix.Of) != len(ix.Items) {
		t.Fatalf("%d details, %d in the index, %d items of %d families", len(rows), len(ix.Item), len(ix.Items), len(ix.Of))
	}
	_, list := made(n)
	i := 0
	for a := range list {
		pass := 0
		if a.Pass {
			pass = 1
		}
		if got := ix.Items[ix.Item[i]]; got != report.Printable(a.Key.Item) || ix.Repeat[i] != a.Key.Repeat || ix.Pass[i] != pass || ix.Letters[ix.Letter[i]] != string(a.Letter) || ix.Outcomes[ix.Outcome[i]] != string(a.Outcome) {
			t.Fatalf("attempt %d is %q in the index", i, got)
		}
		if d := rows[i]; len(d.Findings) != len(a.Findings) || !strings.HasPrefix(strings.ToValidUTF8(a.Answer, "\ufffd"), d.Answer) || len(d.Answer)+d.Cut != len(strings.ToValidUTF8(a.Answer, "\ufffd")) || d.Cut != 0 {
			t.Fatalf("attempt %d: %+v", i, d)
		}
		if f := rows[i].Findings; len(f) == 2 && (f[0].Pass || !f[1].Pass) {
			t.Fatalf("attempt %d: what failed does not come first", i)
		}
		i++
	}
	if again := write(t, n); !bytes.Equal(page, again) {
		t.Error("the same run gives another page")
	}
}

// What was written by others is text or base64: the page's only elements of script are the parts and its own.
func TestNothingIsMarkup(t *testing.T) {
	page := string(write(t, 40))
	if n := strings.Count(page, "<script"); n != 3 {
		t.Errorf("%d elements of script: the index, one part and the page's own are 3", n)
	}
	for _, bad := range []string{"<img", "<svg onload", "\x1b", "\u202e"} {
		if strings.Contains(page, bad) {
			t.Errorf("%q stands in the page", bad)
		}
	}
	if !strings.Contains(page, "default-src &#39;none&#39;; style-src &#39;sha256-") && !strings.Contains(page, "default-src 'none'; style-src 'sha256-") {
		t.Error("no policy, or another one")
	}
}

func TestLongTextsAreCut(t *testing.T) {
	r, _ := made(0)
	r.Planned = 1
	answer := strings.Repeat("ä", 100_000)
	var many []record.Finding
	for range 4000 {
		many = append(many, record.Finding{Rule: "rule", Why: strings.Repeat("w", 90)})
	}
	var b bytes.Buffer
	if err := Write(&b, r, func(yield func(Attempt, error) bool) {
		yield(Attempt{Answer: answer, Findings: many, Tries: 1}, nil)
	}); err != nil {
		t.Fatal(err)
	}
	ix, rows := opened(t, b.Bytes())
	if d := rows[0]; len(d.Answer) != mostText || d.Cut != 200_000-mostText || !strings.HasPrefix(answer, d.Answer) || d.Left != len(many)-len(d.Findings) || d.Left == 0 {
		t.Errorf("answer %d, cut %d, %d findings, %d left", len(d.Answer), d.Cut, len(d.Findings), d.Left)
	}
	if ix.Outcomes[ix.Outcome[0]] != missing {
		t.Errorf("an attempt without an outcome is %q", ix.Outcomes[ix.Outcome[0]])
	}
}

func TestErrorsEndIt(t *testing.T) {
	r, _ := made(0)
	want := errors.New("the file ends")
	if err := Write(io.Discard, r, func(yield func(Attempt, error) bool) { yield(Attempt{}, want) }); !errors.Is(err, want) {
		t.Errorf("%v", err)
	}
}

func BenchmarkWrite(b *testing.B) {
	r, list := made(100_000)
	for b.Loop() {
		if err := Write(io.Discard, r, list); err != nil {
			b.Fatal(err)
		}
	}
}
