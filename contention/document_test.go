package contention

import (
	"strings"
	"testing"
	"time"
)

func TestDecodeRefuses(t *testing.T) {
	good := string(mustEncode(t, fullDoc()))
	tests := []struct{ name, text, want string }{
		{"nothing", "", "not JSON"},
		{"null", "null", `the document is ""`},
		{"another version", strings.Replace(good, Version, "contention/2", 1), `is "contention/2", and this program reads "contention/1"`},
		{"a hostile version", strings.Replace(good, Version, `\u001b[31m`, 1), "and this program reads"},
		{"white space", good + "\n", "not as it was written"},
		{"a member more", strings.Replace(good, `"kind"`, `"extra":1,"kind"`, 1), "not as it was written"},
		{"a member twice", strings.Replace(good, `"kind"`, `"kind":"contention/1","kind"`, 1), "not as it was written"},
		{"another case", strings.Replace(good, `"timed_out":3`, `"Timed_Out":3`, 1), "not as it was written"},
		{"a float", strings.Replace(good, `"timed_out":3`, `"timed_out":3.5`, 1), "not JSON of the right shape"},
		{"a number like another", strings.Replace(good, `"timed_out":3`, `"timed_out":3e0`, 1), "not JSON of the right shape"},
		{"below zero", strings.Replace(good, `"timed_out":3`, `"timed_out":-3`, 1), "out of range"},
		{"another time zone", strings.Replace(good, "2026-03-01T12:00:00Z", "2026-03-01T14:00:00+02:00", 1), "not in UTC"},
		{"unknown failure", strings.Replace(good, `"failures":{"timeout":3}`, `"failures":{"evil":3}`, 1), "unknown kind"},
		{"a control character", strings.Replace(good, "http://a/", `http://\u001b/`, 1), "not printable"},
		{"too long", strings.Repeat(" ", documentMax+1), "more than 16 MiB"},
		{"cut", good[:len(good)/2], "not JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.text == good {
				t.Fatal("the case changes nothing")
			}
			if _, err := Decode([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, change := range map[string]func(*Document){
		"no kind":               func(d *Document) { d.Kind = "" },
		"ended before":          func(d *Document) { d.Ended = d.Started.Add(-1) },
		"local time":            func(d *Document) { d.Started = d.Started.In(time.FixedZone("x", 3600)) },
		"no interval":           func(d *Document) { d.Settings.Interval = 0 },
		"failures do not sum":   func(d *Document) { d.Services[0].During.Failed++ },
		"more failed than made": func(d *Document) { d.Services[1].During.N = 1 },
		"latency of too many":   func(d *Document) { d.Services[0].During.Latency.N++ },
		"no latency":            func(d *Document) { d.Services[0].During.Latency = nil },
		"latency out of order":  func(d *Document) { d.Services[0].During.Latency.Median = 90 * ms },
		"latency over limit":    func(d *Document) { d.Services[0].During.Latency.Worst = 6000 * ms },
		"median outside":        func(d *Document) { d.Host.During.Load.Median = 900 },
		"spread of nothing":     func(d *Document) { d.Host.During.Load.N = 0 },
		"speed of something":    func(d *Document) { d.Speed.Of = "x" },
		"speed of no call":      func(d *Document) { d.Speed.During.N = 0 },
		"stretches unordered":   func(d *Document) { d.Timeline.Stretches[1].At = 0 },
		"too many stretches":    func(d *Document) { d.Timeline.Stretches = make([]Stretch, stretchesMax+1) },
		"service unknown":       func(d *Document) { d.Timeline.Stretches[0].Services[1].Service = 2 },
		"service twice":         func(d *Document) { d.Timeline.Stretches[0].Services[1].Service = 0 },
		"range of nothing":      func(d *Document) { d.Timeline.Stretches[0].Load.N = 0 },
		"too many services":     func(d *Document) { d.Services = make([]Service, urlsMax+1) },
		"flags without reason":  func(d *Document) { d.Flagged.Flags[0].Reasons = nil },
		"more flags than times": func(d *Document) { d.Flagged.TimedOut = 2 },
		"a huge figure":         func(d *Document) { d.Host.Memory = figuresMax + 1 },
	} {
		d := fullDoc()
		change(d)
		if _, err := d.Encode(); err == nil {
			t.Errorf("%s: it is encoded", name)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(must(fullDoc().Encode()))
	f.Add(must(sampleDoc().Encode()))
	f.Add([]byte(`{"kind":"contention/1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Decode(data)
		if err != nil {
			return
		}
		again, err := d.Encode()
		if err != nil || string(again) != string(data) {
			t.Fatalf("%v: encoded again it is %q", err, again)
		}
		for _, l := range append(d.Lines(), d.Markdown(1)...) {
			if l != printable(l) && strings.TrimSpace(l) != printable(l) {
				t.Fatalf("not printable: %q", l)
			}
		}
	})
}
