package surface_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assaybench/assay/world/surface"
)

// BenchmarkMCP is calls of 16 clients over streamable HTTP, in each revision of the protocol that the SDK has a way of its own
// for: of a bare echo tool of the same SDK, served as it must be for the revision, and of a recorded read of a world, in
// memory and on disk. The two take turns in one run; the ratio is the world's calls in a second to the echo's.
func BenchmarkMCP(b *testing.B) {
	for _, c := range []struct {
		revision, kind string
		opts           *mcp.StreamableHTTPOptions
	}{
		{"2025-11-25", "memory", nil}, {"2025-11-25", "file", nil},
		{"2026-07-28", "memory", &mcp.StreamableHTTPOptions{Stateless: true}}, {"2026-07-28", "file", &mcp.StreamableHTTPOptions{Stateless: true}},
	} {
		b.Run(c.revision+"/"+c.kind, func(b *testing.B) {
			echo, stopEcho := serveEcho(b, c.opts)
			defer stopEcho()
			w, token, stopWorld := serveRead(b, c.kind)
			defer stopWorld()
			var took [2]time.Duration
			var calls [2]int
			for range 4 {
				for i, x := range []struct{ at, token, tool, args string }{{echo, "", "echo", `{"text":"MO-31"}`}, {w, token, "maint.orders.get", `{"order_no":"MO-31"}`}} {
					n := max(b.N/4, 16)
					took[i] += sixteen(b, c.revision, x.at, x.token, x.tool, x.args, n)
					calls[i] += n
				}
			}
			rate := func(i int) float64 { return float64(calls[i]) / took[i].Seconds() }
			b.ReportMetric(rate(0), "echo/s")
			b.ReportMetric(rate(1), "world/s")
			b.ReportMetric(rate(1)/rate(0), "ratio")
		})
	}
}

// sixteen makes n calls by 16 clients and gives the time of the calls alone.
func sixteen(b *testing.B, revision, at, token, tool, args string, n int) time.Duration {
	b.Helper()
	tr := &http.Transport{MaxIdleConnsPerHost: 32}
	defer tr.CloseIdleConnections()
	var clients []*mcp.ClientSession
	for range 16 {
		cs, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(context.Background(),
			&mcp.StreamableClientTransport{Endpoint: at, HTTPClient: &http.Client{Transport: bearer{token, tr}}}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
		if err != nil {
			b.Fatal(err)
		}
		if got := cs.InitializeResult(); got != nil && got.ProtocolVersion != revision {
			b.Fatalf("the client speaks %s, not %s", got.ProtocolVersion, revision)
		}
		defer cs.Close()
		clients = append(clients, cs)
	}
	var left atomic.Int64
	left.Store(int64(n))
	var wg sync.WaitGroup
	begin := time.Now()
	for _, cs := range clients {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				r, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
				if err != nil || r.IsError {
					b.Error(err, r)
					return
				}
			}
		})
	}
	wg.Wait()
	return time.Since(begin)
}

func listen(b *testing.B, h http.Handler) (base string, stop func()) {
	b.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	srv := &http.Server{Handler: h}
	done := make(chan struct{})
	go func() { defer close(done); srv.Serve(ln) }()
	return "http://" + ln.Addr().String(), func() { srv.Close(); <-done }
}

func serveEcho(b *testing.B, o *mcp.StreamableHTTPOptions) (at string, stop func()) {
	m := mcp.NewServer(&mcp.Implementation{Name: "echo", Version: "1"}, nil)
	m.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: r.Params.Arguments, Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
	})
	base, stop := listen(b, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return m }, o))
	return base, stop
}

func serveRead(b *testing.B, kind string) (at, token string, stop func()) {
	task, err := open(b, files(b, nil)).Task("ferry-217")
	if err != nil {
		b.Fatal(err)
	}
	s, err := task.Session(context.Background(), "bench")
	if kind == "file" {
		s.Close()
		s, err = task.World.CreateSession(context.Background(), task.Spec("bench"), b.TempDir())
	}
	if err != nil {
		b.Fatal(err)
	}
	token = surface.NewToken()
	v, err := surface.New(s, token)
	if err != nil {
		b.Fatal(err)
	}
	base, end := listen(b, v.Handler())
	return base + "/mcp", token, func() { end(); v.Close(); s.Close() }
}
