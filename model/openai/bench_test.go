//go:build unix

package openai

import (
	"bytes"
	"io"
	"net/http"
	"syscall"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
)

// BenchmarkCall measures a call to an instant server beside the least that a Go program can do: send the same bytes with
// net/http and read the reply. The difference is what this package and the SDK cost. On a busy machine look at cpu-ns/op,
// which counts the time of all of this process, the mock included.
func BenchmarkCall(b *testing.B) {
	zero := 0.0
	req := model.Request{Messages: []model.Message{{Role: "user", Text: string(bytes.Repeat([]byte("forty bytes of a prompt that is ordinary "), 12))}}, Temperature: &zero, MaxOutput: 1536}
	b.Run("assay", func(b *testing.B) {
		m, _ := open(b, modeltest.MockOptions{Answer: "ANSWER: 71.50"})
		b.ReportAllocs()
		defer reportCPU(b, cpu(b))
		for b.Loop() {
			if rep, err := m.Call(b.Context(), req); err != nil || rep.Answer != "ANSWER: 71.50" {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		m, mock := open(b, modeltest.MockOptions{Answer: "ANSWER: 71.50"})
		body, err := m.appendRequest(nil, req)
		if err != nil {
			b.Fatal(err)
		}
		t := &http.Transport{DialContext: modeltest.Dial}
		defer t.CloseIdleConnections()
		client := &http.Client{Transport: t}
		b.ReportAllocs()
		defer reportCPU(b, cpu(b))
		for b.Loop() {
			r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, mock.URL+"/chat/completions", bytes.NewReader(body))
			if err != nil {
				b.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			res, err := client.Do(r)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadAll(res.Body); err != nil {
				b.Fatal(err)
			}
			res.Body.Close()
		}
	})
}

// cpu is the processor time that this process has used, in nanoseconds.
func cpu(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

func reportCPU(b *testing.B, before int64) {
	b.ReportMetric(float64(cpu(b)-before)/float64(b.N), "cpu-ns/op")
}
