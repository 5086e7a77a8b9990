package kairos

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"testing"
)

// BenchmarkWorkloads evaluates the programs of the shared list of workloads, from their text to printed points, as the
// reference's times beside them were taken.
func BenchmarkWorkloads(b *testing.B) {
	f, err := os.Open(vectorFolder + "perf-workloads.jsonl")
	if err != nil {
		b.Skipf("the workloads are not here: %v", err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<22)
	for s.Scan() {
		var w struct{ Name, Source, From, To, TZ string }
		if err := json.Unmarshal(s.Bytes(), &w); err != nil {
			b.Fatal(err)
		}
		b.Run(w.Name, func(b *testing.B) {
			b.ReportAllocs()
			from, _ := ParseDate(w.From)
			to, _ := ParseDate(w.To)
			n := 0
			for b.Loop() {
				p, err := Compile(w.Source)
				if err != nil {
					b.Fatal(err)
				}
				r, err := p.Eval(context.Background(), Range{from, to}, Options{TZ: w.TZ})
				if err != nil {
					b.Fatal(err)
				}
				n = 0
				for _, l := range r.Listings {
					n += len(r.Texts(l.Points))
				}
			}
			b.ReportMetric(float64(n), "points")
		})
	}
}
