package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const tokyo = `premise JP { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; wkst: Mon }\n@JP\n`

// batchLine gives a line of input; id is JSON.
func batchLine(id, source, from, to string) string {
	return fmt.Sprintf(`{"id":%s,"source":"%s%s","from":"%s","to":"%s"}`, id, tokyo, source, from, to)
}

// TestKairosBatchLines: each line of input gives one of output, with its id as it came.
func TestKairosBatchLines(t *testing.T) {
	january := func(id, source string) string { return batchLine(id, source, "2026-01-01", "2026-02-01") }
	clip := `everyDay |> takeLast(2, until: 2040-01-05)`
	for _, c := range []struct {
		name, in, want string
		code           int
	}{
		{"points", january(`"a"`, `everyDay |> within(month) |> first`),
			`{"id":"a","results":[{"points":["2026-01-01"],"ms":[1767193200000],"annotations":[]}],"warnings":[],"coverage":[]}`, 0},
		{"two bodies and a coverage", january(`null`, `t = [2026-01-05] covering: 2026-01-01..2026-01-31\n[2026-01-06T09:30] covering: ..\nt`),
			`{"id":null,"results":[{"points":["2026-01-06T09:30"],"ms":[1767659400000],"annotations":[]},{"points":["2026-01-05"],"ms":[1767538800000],"annotations":[]}],` +
				`"warnings":[],"coverage":[{"source":"(無名テーブル)","covering":"..","concluded":true,"runwayDays":null},{"source":"t","covering":"2026-01-01..2026-01-31","concluded":false,"runwayDays":0}]}`, 0},
		{"an annotation", batchLine(`1`, `t = [2026-01-05] covering: 2026-01-05..2026-01-31\nt`, "2026-01-01", "2026-01-31"),
			`{"id":1,"results":[{"points":["2026-01-05"],"ms":[1767538800000],"annotations":[{"from":"2026-01-01","to":"2026-01-05","fromMs":1767193200000,"toMs":1767538800000,` +
				`"source":"t","covering":"2026-01-05..2026-01-31","reason":"out-of-coverage"}]}],"warnings":[],"coverage":[{"source":"t","covering":"2026-01-05..2026-01-31","concluded":false,"runwayDays":1}]}`, 0},
		{"no body", january(`[1]`, `x = everyDay`), `{"id":[1],"results":[],"warnings":[],"coverage":[]}`, 0},
		{"ids as they come", january(`{"a" : [1.50, 1e400, "\u0041\ud83d\ude00", "\u009b"]}`, `[2026-03-01] covering: ..`),
			`{"id":{"a":[1.50,1e400,"\u0041\ud83d\ude00","\u009b"]},"results":[{"points":[],"ms":[],"annotations":[]}],"warnings":[],"coverage":[{"source":"(無名テーブル)","covering":"..","concluded":true,"runwayDays":null}]}`, 0},
		{"no id", `{"source":"","from":"2026-01-01","to":"2026-01-02","more":true}`, `{"id":null,"results":[],"warnings":[],"coverage":[]}`, 0},
		{"a zone", strings.Replace(january(`2`, clip), `"from"`, `"tz":"UTC","from"`, 1), `{"id":2,"results":[{"points":[],"ms":[],"annotations":[]}],"warnings":["horizon-clip: …"],"coverage":[]}`, 0},
		{"an unknown zone", strings.Replace(january(`2`, clip), `"from"`, `"tz":"Asia/Tokio","from"`, 1), `{"id":2,"error":{"code":"tz.unknown","message":"…","line":0,"column":0}}`, 0},
		{"an error with its place", january(`3`, `\n  everyDay |> first`), `{"id":3,"error":{"code":"select.no-window","message":"…","line":4,"column":15}}`, 0},
		{"a day that is none", batchLine(`4`, `everyDay`, "2026-02-30", "2026-03-01"), `{"id":4,"error":{"code":"run.bad-range-date","message":"…","line":0,"column":0}}`, 0},
		{"no JSON", `{"id":5,`, `{"id":null,"error":{"code":"batch.line","message":"…","line":1,"column":0}}`, 1},
		{"no object", `[5]`, `{"id":null,"error":{"code":"batch.line","message":"…","line":1,"column":0}}`, 1},
		{"a member absent", `{"id":6,"source":"","from":"2026-01-01"}`, `{"id":6,"error":{"code":"batch.line","message":"…","line":1,"column":0}}`, 1},
		{"a member null", `{"id":6,"source":null,"from":"2026-01-01","to":"2026-01-02"}`, `{"id":6,"error":{"code":"batch.line","message":"…","line":1,"column":0}}`, 1},
		{"a member of another kind", `{"id":7,"source":"","from":2026,"to":"2026-01-01"}`, `{"id":7,"error":{"code":"batch.line","message":"…","line":1,"column":0}}`, 1},
		{"data of another kind", `{"id":8,"source":"","from":"2026-01-01","to":"2026-01-02","supply":[]}`, `{"id":8,"error":{"code":"batch.line","message":"…","line":1,"column":0}}`, 1},
		{"a failing supplier", `{"id":9,"source":"premise E { calendar-system: Gregorian; tz: \"Asia/Tokyo\"; source: \"s\"; h = external(kind: dates) }\n@E\nh","from":"2026-01-01","to":"2026-01-02","supply":{"E.h":{"$throw":{"message":"DB down"}}}}`,
			`{"id":9,"error":{"code":"supply.failed","message":"…","line":1,"column":76}}`, 0},
		{"empty lines", "\n \r\n" + `x`, `{"id":null,"error":{"code":"batch.line","message":"…","line":3,"column":0}}`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := inside(t, t.TempDir(), strings.NewReader(c.in+"\n"), "kairos", "batch")
			if code != c.code || errs != "" {
				t.Errorf("exit %d, want %d: %s", code, c.code, errs)
			}
			// The words of messages are tested where they are made.
			var got map[string]any
			if err := json.Unmarshal([]byte(out), &got); err != nil && !strings.Contains(out, "1e400") {
				t.Fatalf("%s: %v", out, err)
			}
			if e, ok := got["error"].(map[string]any); ok {
				if e["message"] == "" {
					t.Error("no message")
				}
				m, _ := json.Marshal(e["message"])
				out = strings.Replace(out, string(m), `"…"`, 1)
			}
			if i := strings.Index(out, `"horizon-clip: `); i >= 0 {
				out = out[:i] + `"horizon-clip: …"],"coverage":[]}` + "\n"
			}
			if out != c.want+"\n" {
				t.Errorf("%s\nwant\n%s", out, c.want)
			}
		})
	}
}

// TestKairosBatchLocal: a program that fails long before the range has points with --local, and only then.
func TestKairosBatchLocal(t *testing.T) {
	in := batchLine(`1`, `everyDay |> filter(d => year(d) > 2000 ? dayNo(d) == 1 : nosuch)`, "2026-01-01", "2026-02-01")
	_, out, _ := inside(t, t.TempDir(), strings.NewReader(in), "kairos", "batch")
	if !strings.Contains(out, `"name.unresolved"`) {
		t.Errorf("everywhere: %s", out)
	}
	_, out, _ = inside(t, t.TempDir(), strings.NewReader(in), "kairos", "batch", "--local")
	if want := `{"id":1,"results":[{"points":["2026-01-01"],"ms":[1767193200000],"annotations":[]}],"warnings":[],"coverage":[],"local":true}` + "\n"; out != want {
		t.Errorf("near the range: %s, want %s", out, want)
	}
}

// TestKairosBatchLocalSays: a result says that it is local, and one for which --local had to look at everything does not.
func TestKairosBatchLocalSays(t *testing.T) {
	in := batchLine(`1`, `everyDay |> within(month) |> first`, "2026-01-01", "2026-02-01") + "\n" +
		batchLine(`2`, `everyDay |> within(month) |> first`, "1970-01-05", "1970-02-05")
	_, out, _ := inside(t, t.TempDir(), strings.NewReader(in), "kairos", "batch", "--local")
	lines := strings.Split(out, "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[0], `"coverage":[],"local":true}`) || !strings.HasSuffix(lines[1], `"coverage":[]}`) {
		t.Errorf("%s", out)
	}
	if _, out, _ = inside(t, t.TempDir(), strings.NewReader(in), "kairos", "batch"); strings.Contains(out, "local") {
		t.Errorf("without --local: %s", out)
	}
}

// TestKairosBatchGoesOn: what is wrong with a line does not touch the others, however long it is.
func TestKairosBatchGoesOn(t *testing.T) {
	good := batchLine(`"good"`, `everyDay |> within(month) |> first`, "2026-01-01", "2026-02-01")
	source := strings.Repeat("# 10 MB\\n", 1<<20)
	in := io.MultiReader(strings.NewReader(good+"\n"+batchLine(`"long program"`, source, "2026-01-01", "2026-02-01")+"\n"+`{"id":"long line","source":"`),
		&endless{left: 65 << 20}, strings.NewReader(`"}`+"\n"+`{"id":`+"\n"+good)) // the last line has no end
	code, out, errs := inside(t, t.TempDir(), in, "kairos", "batch")
	if code != 1 || errs != "" {
		t.Errorf("exit %d: %s", code, errs)
	}
	var got []string
	for l := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
		var o struct {
			ID    any
			Error struct {
				Code string
				Line int
			}
		}
		if err := json.Unmarshal([]byte(l), &o); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%v %s %d", o.ID, o.Error.Code, o.Error.Line))
	}
	want := []string{"good  0", "long program limit.source 0", "<nil> batch.line 3", "<nil> batch.line 4", "good  0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// endless gives so many bytes x.
type endless struct{ left int }

func (e *endless) Read(b []byte) (int, error) {
	n := min(len(b), e.left)
	if n == 0 {
		return 0, io.EOF
	}
	for i := range b[:n] {
		b[i] = 'x'
	}
	e.left -= n
	return n, nil
}

// TestKairosBatchOrder: results keep the order of their lines, with slow ones among fast ones, and with any number of jobs;
// and each is there before the input ends.
func TestKairosBatchOrder(t *testing.T) {
	slow := batchLine(`"slow"`, `everyInstant |> strideBy(1m, from: 2026-01-01T00:00)`, "2026-01-01", "2026-12-01")
	for _, jobs := range []string{"1", "2", "9"} {
		read, write := io.Pipe()
		answers, answer := io.Pipe()
		done := make(chan int, 1)
		go func() {
			p := process(t, t.TempDir(), read, answer, "kairos", "batch", "--jobs", jobs)
			done <- p
			answer.Close()
		}()
		s := bufio.NewScanner(answers)
		s.Buffer(nil, 1<<25)
		next := func() (id any) {
			if !s.Scan() {
				t.Fatalf("no answer: %v", s.Err())
			}
			var o struct{ ID any }
			if err := json.Unmarshal(s.Bytes(), &o); err != nil {
				t.Fatal(err)
			}
			return o.ID
		}
		fmt.Fprintln(write, batchLine(`0`, `everyDay`, "2026-01-01", "2026-02-01"))
		if id := next(); id != 0.0 { // though the input has not ended
			t.Fatalf("%s jobs: %v is first", jobs, id)
		}
		go func() {
			fmt.Fprintln(write, slow)
			for i := range 200 {
				fmt.Fprintln(write, batchLine(fmt.Sprint(i), `everyDay`, "2026-01-01", "2026-01-03"))
			}
			write.Close()
		}()
		if id := next(); id != "slow" {
			t.Fatalf("%s jobs: %v before the slow one", jobs, id)
		}
		for i := range 200 {
			if id := next(); id != float64(i) {
				t.Fatalf("%s jobs: %v instead of %d", jobs, id, i)
			}
		}
		if code := <-done; code != 0 {
			t.Errorf("exit %d", code)
		}
	}
}

// TestKairosBatchWaits: while nobody reads the output, the input is not read on without end.
func TestKairosBatchWaits(t *testing.T) {
	in := &counted{line: batchLine(`0`, `everyInstant |> strideBy(1m, from: 2026-01-01T00:00)`, "2026-01-01", "2026-02-01") + "\n"} // 44,640 points, about 1.5 MB
	_, answer := io.Pipe()
	done := make(chan int, 1)
	go func() { done <- process(t, t.TempDir(), in, answer, "kairos", "batch", "--jobs", "2") }()
	last := int64(-1)
	for now := in.lines.Load(); now != last || now == 0; now = in.lines.Load() {
		last = now
		time.Sleep(200 * time.Millisecond)
	}
	// 4 for each job and 4 more may wait, and the reader reads some lines ahead.
	if n := in.lines.Load(); n > 1000 {
		t.Errorf("%d lines were read", n)
	}
	answer.CloseWithError(io.ErrClosedPipe)
	if code := <-done; code != 3 {
		t.Errorf("exit %d", code)
	}
}

// counted gives the same line without end.
type counted struct {
	line  string
	rest  string
	lines atomic.Int64
}

func (c *counted) Read(b []byte) (int, error) {
	if c.rest == "" {
		c.rest = c.line
		c.lines.Add(1)
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}
