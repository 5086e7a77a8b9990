package contention

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/record"
)

const ms = int64(time.Millisecond)

// sampleDoc is a run of 100 s: quiet until 60 s, loaded after.
func sampleDoc() *Document {
	d := &Document{
		Kind: Version, Started: epoch, Ended: epoch.Add(100 * time.Second),
		Settings: Settings{Interval: 1000 * ms, Timeout: 5000 * ms, Around: 5000 * ms, Sample: 1000 * ms},
		Services: []Service{
			{URL: "http://a/", Phased: Phased[Probes]{
				Before: &Probes{N: 5, Latency: &Latency{5, 12 * ms, 13 * ms, 13 * ms}},
				During: &Probes{N: 90, Failed: 3, Failures: map[Kind]int64{TimedOut: 3}, Latency: &Latency{90, 48 * ms, 80 * ms, 5000 * ms}},
			}},
			{URL: "http://dead/", Phased: Phased[Probes]{
				Before: &Probes{N: 5, Failed: 5, Failures: map[Kind]int64{Refused: 5}},
				During: &Probes{N: 90, Failed: 90, Failures: map[Kind]int64{Refused: 90}},
			}},
		},
		Host:         Host{Known: true, CPUs: 2, Memory: 16 << 30, Phased: Phased[HostPhase]{During: &HostPhase{Load: &Spread{90, 20, 50, 800}}}},
		Accelerators: Accelerators{List: []Accelerator{}},
		Timeline:     Timeline{Step: 10_000 * ms},
	}
	for i := range int64(10) {
		load, memory, latency, failed := int64(150), int64(600), 12*ms, int64(0)
		if i >= 6 {
			load, memory, latency, failed = 640, 31, 200*ms, 3
		}
		d.Timeline.Stretches = append(d.Timeline.Stretches, Stretch{
			At: i * 10_000 * ms, Load: &Range{10, 10 * load, load + 60}, Available: &Range{10, 10 * memory, memory - 5},
			Services: []ServedRange{{0, 10, failed, &Range{10, 10 * latency, latency * 2}}, {1, 10, 10, nil}},
		})
	}
	return d
}

func attempt(item string, o record.Outcome, from, to time.Duration) Attempt {
	return Attempt{record.Key{Model: "m", Posture: "p", Item: item, Repeat: 1}, o, epoch.Add(from), epoch.Add(to)}
}

func TestFlags(t *testing.T) {
	const s = time.Second
	var (
		load    = "the load average was 6.40 on 2 CPUs (20 samples, at worst 7.00; flagged above 1.00 for each)"
		memory  = "3.1 % of memory was available (20 samples, at worst 2.6 %; flagged below 5.0 %)"
		slow    = "http://a/ took 200 ms on average (20 probes, at worst 400 ms), against a median of 12.0 ms before (flagged above x3.0)"
		failing = "http://a/ failed 6 of 20 probes, against 0 of 5 before (flagged above 10.0 %)"
		speed   = "the model gave 18.0 tokens/s under the run, against 41.2 tokens/s alone (medians of 7 and 3 calls; flagged below 50.0 %)"
		card    = "accelerator 1 after the run was 35 % busy, while the bench asked nothing of it (median of 3 samples, at most 90 %; flagged from 20 %)"
	)
	slowModel := func(d *Document) {
		d.Speed = Speed{Generation, Phased[SpeedPhase]{
			Before: &SpeedPhase{N: 3, Tokens: 9, Rate: &Spread{3, 41_000, 41_200, 41_300}}, During: &SpeedPhase{N: 7, Tokens: 9, Rate: &Spread{7, 9_000, 18_000, 30_000}},
		}}
	}
	tests := []struct {
		name     string
		change   func(*Document)
		attempts []Attempt
		timedOut int64
		unseen   int64
		want     [][]string
	}{
		{"none", nil, nil, 0, 0, nil},
		{"only those that timed out", nil, []Attempt{
			attempt("a", record.Answered, 70*s, 80*s), attempt("b", record.Error, 70*s, 80*s), attempt("c", record.Truncated, 70*s, 80*s),
		}, 0, 0, nil},
		{"quiet and loaded", nil, []Attempt{
			attempt("quiet", record.Timeout, 10*s, 25*s), attempt("loaded", record.Timeout, 71*s, 85*s),
		}, 2, 0, [][]string{{load, memory, slow, failing}}},
		{"the mean counts, and not a moment", nil, []Attempt{attempt("long", record.Timeout, 0, 61*s)}, 1, 0, [][]string{
			{"the load average was 2.20 on 2 CPUs (70 samples, at worst 7.00; flagged above 1.00 for each)"},
		}},
		{"within one stretch", nil, []Attempt{attempt("short", record.Timeout, 61*s, 61*s)}, 1, 0, [][]string{{
			strings.Replace(load, "20 s", "10 s", 1), strings.Replace(memory, "20 s", "10 s", 1), strings.Replace(slow, "20 p", "10 p", 1),
			"http://a/ failed 3 of 10 probes, against 0 of 5 before (flagged above 10.0 %)",
		}}},
		{"outside, and backwards", nil, []Attempt{
			attempt("earlier", record.Timeout, -20*s, -s), attempt("later", record.Timeout, 200*s, 300*s), attempt("back", record.Timeout, 80*s, 70*s),
			{Key: record.Key{Item: "no times"}, Outcome: record.Timeout},
		}, 4, 4, nil},
		{"partly outside", nil, []Attempt{attempt("edge", record.Timeout, -100*s, 5*s)}, 1, 0, nil},
		{"nothing sampled", func(d *Document) { d.Timeline.Stretches = nil }, []Attempt{attempt("a", record.Timeout, 70*s, 80*s)}, 1, 1, nil},
		{"no processors known", func(d *Document) { d.Host.CPUs = 0 }, []Attempt{attempt("a", record.Timeout, 70*s, 85*s)}, 1, 0, [][]string{{memory, slow, failing}}},
		{"nothing before", func(d *Document) { d.Services[0].Before = nil }, []Attempt{attempt("a", record.Timeout, 70*s, 85*s)}, 1, 0, [][]string{{load, memory}}},
		{"failing before as well", func(d *Document) {
			d.Services[0].Before = &Probes{N: 10, Failed: 3, Failures: map[Kind]int64{Refused: 3}, Latency: &Latency{7, 190 * ms, 200 * ms, 200 * ms}}
		}, []Attempt{attempt("a", record.Timeout, 70*s, 85*s)}, 1, 0, [][]string{{load, memory}}},
		{"many times as slow, but not by much", func(d *Document) {
			d.Services[0].Before.Latency = &Latency{5, ms, ms, ms}
			for i := range d.Timeline.Stretches {
				d.Timeline.Stretches[i].Services[0] = ServedRange{0, 10, 0, &Range{10, 10 * 40 * ms, 50 * ms}}
			}
		}, []Attempt{attempt("a", record.Timeout, 70*s, 85*s)}, 1, 0, [][]string{{load, memory}}},
		{"the model lost speed", slowModel, []Attempt{
			attempt("quiet", record.Timeout, 10*s, 25*s), attempt("loaded", record.Timeout, 71*s, 85*s),
		}, 2, 0, [][]string{{speed}, {load, memory, slow, failing, speed}}},
		{"half the speed is not below half", func(d *Document) {
			slowModel(d)
			d.Speed.During.Rate.Median = 20_600
		}, []Attempt{attempt("quiet", record.Timeout, 10*s, 25*s)}, 1, 0, nil},
		{"an accelerator in use by others", func(d *Document) {
			d.Accelerators.List = []Accelerator{
				{Index: 0, Name: "A", Phased: Phased[AcceleratorPhase]{Before: &AcceleratorPhase{Busy: &Spread{3, 0, 19, 100}}, During: &AcceleratorPhase{Busy: &Spread{3, 90, 99, 100}}}},
				{Index: 1, Name: "B", Phased: Phased[AcceleratorPhase]{Before: &AcceleratorPhase{Used: &Spread{3, 1, 1, 1}}, After: &AcceleratorPhase{Busy: &Spread{3, 0, 35, 90}}}},
			}
		}, []Attempt{attempt("quiet", record.Timeout, 10*s, 25*s)}, 1, 0, [][]string{{card}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := sampleDoc()
			if tt.change != nil {
				tt.change(d)
			}
			got := d.Flags(tt.attempts, DefaultThresholds())
			if got.TimedOut != tt.timedOut || got.Unseen != tt.unseen {
				t.Errorf("%d timed out and %d are unseen, want %d and %d", got.TimedOut, got.Unseen, tt.timedOut, tt.unseen)
			}
			var words [][]string
			for _, f := range got.Flags {
				var list []string
				for _, r := range f.Reasons {
					list = append(list, r.String())
				}
				words = append(words, list)
			}
			if !reflect.DeepEqual(words, tt.want) {
				t.Errorf("the flags are\n%q\nwant\n%q", words, tt.want)
			}
			if again := d.Flags(tt.attempts, DefaultThresholds()); !reflect.DeepEqual(got, again) {
				t.Error("a second time gives other flags")
			}
			d.Flagged = got
			mustEncode(t, d)
		})
	}
}

func TestFlagsDoNotOverflow(t *testing.T) {
	d := sampleDoc()
	d.Host.CPUs = figuresMax
	for i := range d.Timeline.Stretches {
		s := &d.Timeline.Stretches[i]
		s.Load, s.Available = &Range{sumMax, sumMax, figuresMax}, &Range{1, sumMax, figuresMax}
		s.Services = []ServedRange{{0, sumMax, sumMax, &Range{1, sumMax, figuresMax}}}
	}
	th := Thresholds{Load: figuresMax, Available: figuresMax, Slow: figuresMax, SlowLeast: figuresMax, Failing: 100}
	got := d.Flags([]Attempt{attempt("a", record.Timeout, 0, 100*time.Second)}, th)
	if len(got.Flags) != 1 || len(got.Flags[0].Reasons) != 2 || got.Flags[0].Reasons[0].Kind != ReasonMemory || got.Flags[0].Reasons[1].Kind != ReasonFailing {
		t.Errorf("the flags are %+v", got.Flags)
	}
	d.Flagged = got
	for _, l := range d.Lines() {
		if strings.Contains(l, "-") && strings.Contains(l, "x-") {
			t.Errorf("a figure overflowed: %s", l)
		}
	}
}

func TestSpeed(t *testing.T) {
	w := start(t, testOptions())
	take := func(p Phase, m Measure) {
		t.Helper()
		if err := w.Speed(p, m); err != nil {
			t.Error(err)
		}
	}
	take(Before, Measure{Failed: true})
	take(Before, Measure{Of: Generation, Tokens: 100, Elapsed: 3 * time.Second})
	take(Before, Measure{Of: Generation, Tokens: 1, Elapsed: time.Nanosecond * 1_000_000_007})
	take(Before, Measure{Of: Generation, Tokens: 7, Elapsed: time.Second})
	take(During, Measure{Failed: true})
	for _, tt := range []struct {
		p    Phase
		m    Measure
		want string
	}{
		{Idle, Measure{Of: Generation, Tokens: 1, Elapsed: 1}, "before, during or after"},
		{Before, Measure{Of: "prompt", Tokens: 1, Elapsed: time.Second}, `not of "prompt"`},
		{Before, Measure{Of: Generation, Tokens: 0, Elapsed: time.Second}, "no speed"},
		{Before, Measure{Of: Generation, Tokens: 1}, "no speed"},
		{Before, Measure{Of: Generation, Tokens: -1, Elapsed: time.Second}, "no speed"},
		{Before, Measure{Of: Generation, Tokens: 1 << 62, Elapsed: 1}, "too great"},
		{Before, Measure{Of: Generation, Tokens: 1 << 50, Elapsed: time.Second}, "too great"},
		{After, Measure{Of: Total, Tokens: 1, Elapsed: time.Second}, `of "generation" and of "total" cannot be compared`},
	} {
		if err := w.Speed(tt.p, tt.m); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.m, err, tt.want)
		}
	}
	d := w.Stop()
	want := Speed{Generation, Phased[SpeedPhase]{
		Before: &SpeedPhase{N: 3, Failed: 1, Tokens: 108, Rate: &Spread{3, 999, 7_000, 33_333}}, During: &SpeedPhase{Failed: 1},
	}}
	if !reflect.DeepEqual(d.Speed, want) {
		t.Errorf("the speed is %+v %+v", d.Speed.Before, d.Speed.During)
	}
	const words = "7.0 tokens/s with 1 of 4 calls failed alone -> no answer to 1 call under the run (medians of 3 and 0 calls, time of the output alone); the run's own requests take part in it"
	if got := d.speedSentence(); got != words {
		t.Errorf("in words: %q", got)
	}
	mustEncode(t, d)
}
