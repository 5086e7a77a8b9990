package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/contention"
	"github.com/assaybench/assay/internal/web/viewtest"
	"github.com/assaybench/assay/store"
)

// TestFigures holds what the page of figures says against the made run's numbers.
func TestFigures(t *testing.T) {
	s := serve(t, nil)
	r, err := viewtest.Many(t.Context(), s.db, "made1", 40, 160)
	if err != nil {
		t.Fatal(err)
	}
	from := viewtest.Start
	doc := &contention.Document{Kind: contention.Version, Started: from, Ended: from.Add(8 * time.Second)}
	doc.Settings = contention.Settings{Interval: 1e9, Timeout: 5e9, Sample: 1e9}
	doc.Accelerators.List = []contention.Accelerator{}
	doc.Services = []contention.Service{{URL: "http://127.0.0.1:9/<health>"}}
	for i := range int64(4) {
		doc.Timeline.Step = int64(2 * time.Second)
		doc.Timeline.Stretches = append(doc.Timeline.Stretches, contention.Stretch{At: i * int64(2*time.Second), Services: []contention.ServedRange{{N: 2, Failed: i / 3, Latency: &contention.Range{N: 2, Sum: 2 * (i + 1) * 10_000_000, Worst: 50_000_000}}}})
	}
	raw, err := doc.Encode()
	if err != nil {
		t.Fatal(err)
	}
	f, err := store.NewFact(store.FactContention, store.NoIndex, store.NoIndex, from, rawJSON(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.db.AddFacts(t.Context(), r, f); err != nil {
		t.Fatal(err)
	}
	body := s.want("/run/made1/figures", "Probes of http://127.0.0.1:9/&lt;health&gt;", "Items by how many of their repeats passed", "<td>0.040</td><td>yes</td>", "<td>2 of 2</td>")
	if strings.Contains(body, "NaN") || strings.Contains(body, "Inf") {
		t.Error("a chart has a coordinate that is no number")
	}
	if n := strings.Count(body, "<svg "); n != 1+4+6+3 {
		t.Errorf("%d charts, want the rates, 4 of repeats, 6 of families and 3 over time", n)
	}
	if n := strings.Count(body, "<desc "); n != strings.Count(body, "<svg ") {
		t.Errorf("%d charts have a description", n)
	}
}

type rawJSON []byte

func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }
