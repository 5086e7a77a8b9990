package contention

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/assaybench/assay/record"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	path, got := filepath.Join("testdata", name), strings.Join(lines, "\n")+"\n"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s has changed; it is now\n%s", name, got)
	}
}

// fullDoc has something of everything.
func fullDoc() *Document {
	d := sampleDoc()
	d.Services[0].After = &Probes{N: 5, Latency: &Latency{5, 5000 * ms, 5000 * ms, 5000 * ms}, Failed: 5, Failures: map[Kind]int64{TimedOut: 5}, Cut: 1, Missed: 2}
	d.Speed = Speed{Total, Phased[SpeedPhase]{
		Before: &SpeedPhase{N: 3, Tokens: 9, Rate: &Spread{3, 41_000, 41_249, 41_300}},
		During: &SpeedPhase{N: 7, Failed: 1, Tokens: 9, Rate: &Spread{7, 9_000, 17_950, 30_000}},
		After:  &SpeedPhase{N: 1, Tokens: 9, Rate: &Spread{1, 41_000, 41_000, 41_000}},
	}}
	d.Host.During.Busy, d.Host.During.Available = &Spread{90, 10, 505, 1000}, &Spread{90, 26, 600, 605}
	d.Accelerators = Accelerators{Note: "1 of 50 calls to it failed, the last one so: nvidia-smi failed (exit status 9)", List: []Accelerator{{
		Index: 0, Name: "NVIDIA RTX 6000 Ada", Total: 49140, Phased: Phased[AcceleratorPhase]{
			Before: &AcceleratorPhase{Busy: &Spread{3, 0, 35, 90}, Used: &Spread{3, 1000, 1024, 2000}}, During: &AcceleratorPhase{Busy: &Spread{45, 90, 99, 100}},
		},
	}}}
	d.Flagged = d.Flags([]Attempt{
		attempt("c2-cw-1", record.Timeout, 10*time.Second, 25*time.Second), attempt("c2-cw-2", record.Timeout, 71*time.Second, 85*time.Second),
		attempt("late", record.Timeout, time.Hour, 2*time.Hour),
	}, DefaultThresholds())
	return d
}

func TestRender(t *testing.T) {
	d := fullDoc()
	golden(t, "lines.txt", d.Lines())
	golden(t, "markdown.md", d.Markdown(3))
	golden(t, "document.json", []string{string(mustEncode(t, d))})
}

func TestRenderOfNothing(t *testing.T) {
	d := start(t, func() Options { o := testOptions(); o.Proc = procOf("", "", ""); return o }()).Stop()
	want := []string{
		"what the bench did to the services is not known: none was watched",
		"the services did this to the bench: not known, since the model's speed was not measured",
	}
	if got := d.Summary(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the summary is %q", got)
	}
	if got := d.Tables(); len(got) != 0 {
		t.Errorf("there are tables: %v", got)
	}
	empty := (&Document{Services: []Service{{URL: "x"}}}).Summary()
	if empty[0] != "the bench did this to the services: x: not probed during the run" {
		t.Errorf("without the run: %q", empty[0])
	}
}

func TestLoadInWords(t *testing.T) {
	l := Load{
		At: epoch, Average: &Average{Load1: 720, CPUs: 1}, Busy: ptr(int64(981)), Memory: &Memory{41 << 20, 1000 << 20},
		Accelerators: []AcceleratorLoad{{Index: 0, Busy: ptr(int64(98)), Used: ptr(int64(5)), Total: ptr(int64(9))}, {Index: 1}, {Index: 2, Busy: ptr(int64(0))}},
	}
	want := "load 7.20 on 1 CPU; CPUs 98.1 % busy; 4.1 % of 1.0 GiB memory available; accelerator 0 98 % busy, 5 of 9 MiB used; accelerator 2 0 % busy"
	if l.String() != want {
		t.Errorf("in words: %q, want %q", l, want)
	}
	if got := (Load{Average: &Average{Load1: 5}}).String(); got != "load 0.05" {
		t.Errorf("without processors: %q", got)
	}
}

func TestSummaryOfParts(t *testing.T) {
	d := sampleDoc()
	s := &d.Services[0]
	for _, tt := range []struct {
		change func()
		want   string
	}{
		{func() { s.Before = nil }, "median not probed -> 48.0 ms, 95th percentile not probed -> 80.0 ms, failures not probed -> 3/90 (3 timeout)"},
		{func() { s.Before = &Probes{Missed: 5} }, "median not probed -> 48.0 ms, 95th percentile not probed -> 80.0 ms, failures 0/0 -> 3/90 (3 timeout)"},
		// Nothing is so many times as much as "at least 5 s".
		{func() {
			s.Before = &Probes{N: 1, Failed: 1, Failures: map[Kind]int64{TimedOut: 1}, Latency: &Latency{1, 5000 * ms, 5000 * ms, 5000 * ms}}
		}, "median >= 5.00 s -> 48.0 ms, 95th percentile >= 5.00 s -> 80.0 ms, failures 1/1 -> 3/90 (3 timeout)"},
		// A latency below the clock's resolution gives no ratio.
		{func() { s.Before = &Probes{N: 1, Latency: &Latency{N: 1}} }, "median 0 us -> 48.0 ms, 95th percentile 0 us -> 80.0 ms, failures 0/1 -> 3/90 (3 timeout)"},
	} {
		tt.change()
		if got := d.serviceSentence(s); got != "http://a/: "+tt.want {
			t.Errorf("it says %q, want %q", got, tt.want)
		}
	}
	d.Speed = Speed{Generation, Phased[SpeedPhase]{Before: &SpeedPhase{N: 1, Tokens: 1, Rate: &Spread{1, 5, 5, 5}}}}
	if got, want := d.speedSentence(), "0.0 tokens/s alone -> not measured under the run (medians of 1 calls, time of the output alone)"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// TestRenderIsSafe renders what check would refuse: whoever builds a Document by hand cannot harm a terminal or a page either.
func TestRenderIsSafe(t *testing.T) {
	const evil = "\x1b[2J\u202e\x00\r\n| a | <b>x</b> [l](http://evil.test) `c` *d* ![i](j) \xff\u0301\u0301\u0301\u0301\u0301"
	d := fullDoc()
	d.Services[0].URL, d.Host.Note, d.Accelerators.Note, d.Accelerators.List[0].Name = evil, evil, evil, evil
	for i := range d.Flagged.Flags {
		f := &d.Flagged.Flags[i]
		f.Key = record.Key{Model: evil, Posture: evil, Item: evil + strings.Repeat("x", 1000), Repeat: -1}
		for j := range f.Reasons {
			f.Reasons[j].Subject = evil
		}
		f.Reasons = append(f.Reasons, Reason{Kind: evil})
	}
	for _, l := range append(d.Lines(), d.Markdown(2)...) {
		if strings.ContainsFunc(l, func(r rune) bool { return !unicode.IsPrint(r) && r != unicode.ReplacementChar }) {
			t.Errorf("not printable: %q", l)
		}
	}
	for _, l := range d.Markdown(2) {
		if strings.ContainsAny(l, "<") || strings.Contains(l, "](") && !strings.Contains(l, `\](`) || strings.Contains(l, "://") {
			t.Errorf("markup: %q", l)
		}
		if strings.HasPrefix(l, "|") {
			if n := strings.Count(l, "|") - strings.Count(l, `\|`); n != 8 && n != 7 && n != 5 && n != 4 {
				t.Errorf("a cell became %d: %q", n, l)
			}
		}
	}
	if _, err := d.Encode(); err == nil {
		t.Error("it is encoded all the same")
	}
}

func TestRenderIsBounded(t *testing.T) {
	d := sampleDoc()
	var many []Attempt
	for range 1000 {
		many = append(many, attempt("x", record.Timeout, 71*time.Second, 85*time.Second))
	}
	d.Flagged = d.Flags(many, DefaultThresholds())
	lines := d.Lines()
	if len(d.Flagged.Flags) != 1000 || len(lines) > 20*5+40 || lines[len(lines)-1] != "  and 980 more" {
		t.Errorf("%d flags are %d lines, the last %q", len(d.Flagged.Flags), len(lines), lines[len(lines)-1])
	}
}

func TestWords(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{length(0), "0 us"}, {length(999), "1 us"}, {length(412_345), "412 us"}, {length(999_499), "999 us"}, {length(999_500), "1.00 ms"}, {length(1_236_000), "1.24 ms"},
		{length(9_994_999), "9.99 ms"}, {length(9_995_000), "10.0 ms"}, {length(48_000_000), "48.0 ms"}, {length(99_949_999), "99.9 ms"}, {length(99_950_000), "100 ms"},
		{length(350_400_000), "350 ms"}, {length(999_499_999), "999 ms"}, {length(999_500_000), "1.00 s"}, {length(5_000_000_000), "5.00 s"},
		{length(99_994_999_999), "99.99 s"}, {length(99_995_000_000), "100 s"}, {length(1<<63 - 1), "9223372037 s"},
		{times(12, 48), "x4.0"}, {times(12, 12), "x1.0"}, {times(412, 180), "x0.44"}, {times(0, 5), ""}, {times(1, 250), "x250"}, {times(100, 9_999), "x100.0"}, {times(5, 0), "x0.00"},
		{fixed(5, 1000, 1), "0.0"}, {fixed(50, 1000, 1), "0.1"}, {fixed(7, 1, 0), "7"}, {fixed(1<<63-1, 1, 2), "9223372036854775807.00"},
		{percent(1000), "100.0 %"}, {percent(26), "2.6 %"}, {size(24684092 * 1024), "23.5 GiB"}, {rate(41_249), "41.2 tokens/s"}, {count(1, "probe"), "1 probe"}, {count(0, "probe"), "0 probes"},
		{clip("abcdef", 6), "abcdef"}, {clip("abcdefg", 6), "abc..."}, {clip("ééé", 5), "é..."},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
	if permille(1<<59, 1<<60) != 500 || permille(1, 0) != 0 {
		t.Error("permille is wrong")
	}
}
