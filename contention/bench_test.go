package contention

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// BenchmarkSample is one sample of this machine, read and recorded; one is taken every second.
func BenchmarkSample(b *testing.B) {
	o := testOptions()
	o.Sample = time.Minute
	w := start(b, o)
	if w.opts.Proc == nil {
		b.Skip(notKnown())
	}
	b.ReportAllocs()
	for b.Loop() {
		w.sampleHost()
	}
}

// BenchmarkProbe is one probe of a server on this machine, the server's own work included.
func BenchmarkProbe(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "ok") }))
	defer s.Close()
	o, err := testOptions(s.URL).ready()
	if err != nil {
		b.Fatal(err)
	}
	targets, err := parseTargets(o.URLs)
	if err != nil {
		b.Fatal(err)
	}
	p := newProber(o)
	b.ReportAllocs()
	for b.Loop() {
		if got, ok := p.probe(b.Context(), targets[0]); !ok || got.kind != "" {
			b.Fatal(got.kind)
		}
	}
}

// BenchmarkRecord is what the watch itself does with one probe.
func BenchmarkRecord(b *testing.B) {
	var t probeTally
	line := timeline{start: epoch, step: time.Second}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		p := probed{elapsed: time.Duration(i%1000) * 100 * time.Microsecond}
		t.add(p)
		line.at(epoch.Add(time.Duration(i) * time.Second)).service(0).add(p)
		i++
	}
}

// BenchmarkNow is what an attempt that timed out costs.
func BenchmarkNow(b *testing.B) {
	w := start(b, testOptions())
	b.ReportAllocs()
	for b.Loop() {
		w.Now()
	}
}
