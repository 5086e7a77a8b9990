package surface_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assaybench/assay/world"
)

// bearer adds the token to every request.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}

// mcp connects the Go SDK's client to a path.
func (s *served) mcp(path string) *mcp.ClientSession {
	s.Helper()
	tr := &http.Transport{}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := c.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: s.base + path, HTTPClient: &http.Client{Transport: bearer{s.token, tr}}}, nil)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		cs.Close()
		tr.CloseIdleConnections()
	})
	return cs
}

// tell calls a tool and gives the result with its only text.
func tell(t testing.TB, cs *mcp.ClientSession, name string, args json.RawMessage) (*mcp.CallToolResult, string) {
	t.Helper()
	r, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s gave %d contents", name, len(r.Content))
	}
	return r, r.Content[0].(*mcp.TextContent).Text
}

// TestReferenceByMCP does the example's task with the Go SDK's client.
func TestReferenceByMCP(t *testing.T) {
	s := serve(t, files(t, nil))
	cs := s.mcp("/mcp")
	for _, st := range reference(t) {
		r, text := tell(t, cs, st.Tool, st.Args)
		if r.IsError {
			t.Fatalf("%s: %s", st.Tool, text)
		}
		structured, err := json.Marshal(r.StructuredContent)
		if err != nil || !sameJSON(t, structured, []byte(text)) {
			t.Errorf("%s: the text %s is not the structured content %s", st.Tool, text, structured)
		}
	}
	mustPass(t, s.judge())
}

func sameJSON(t testing.TB, a, b []byte) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return bytes.Equal(p, q)
}

// TestReferenceByStdio does it over a pair of pipes.
func TestReferenceByStdio(t *testing.T) {
	s := serve(t, files(t, nil))
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.server.Stdio(context.Background(), toServer, fromServer) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := c.Connect(context.Background(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range reference(t) {
		if r, text := tell(t, cs, st.Tool, st.Args); r.IsError {
			t.Fatalf("%s: %s", st.Tool, text)
		}
	}
	if err := cs.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	mustPass(t, s.judge())
}

// TestToolsByMCP looks at what a client is told of the tools, on the endpoint of all and on a server's own.
func TestToolsByMCP(t *testing.T) {
	s := serve(t, files(t, nil))
	list := func(path string) map[string]*mcp.Tool {
		out := map[string]*mcp.Tool{}
		for tool, err := range s.mcp(path).Tools(context.Background(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			out[tool.Name] = tool
		}
		return out
	}
	all := list("/mcp")
	if len(all) != len(s.session.Tools()) {
		t.Errorf("%d tools, want %d", len(all), len(s.session.Tools()))
	}
	for _, own := range s.session.Tools() {
		got := all[own.Name]
		if got == nil {
			t.Fatalf("%s is missing", own.Name)
		}
		in, _ := json.Marshal(got.InputSchema)
		out, _ := json.Marshal(got.OutputSchema)
		if !sameJSON(t, in, own.Input.JSON) || !sameJSON(t, out, own.Output.JSON) {
			t.Errorf("%s has other schemas than the world's", own.Name)
		}
		a := got.Annotations
		read := own.Access == world.Read
		if a == nil || a.ReadOnlyHint != read || a.OpenWorldHint == nil || *a.OpenWorldHint || a.DestructiveHint == nil || *a.DestructiveHint != (!read && own.Server != "assay") ||
			a.Title != own.Title || got.Title != own.Title || got.Description != own.Description {
			t.Errorf("%s: %+v", own.Name, a)
		}
	}
	slips := list("/mcp/slips")
	if len(slips) != 3 || slips["slips.bookings.create"] == nil {
		t.Errorf("the server slips has %v", slips)
	}
	s.wantCalls()
}

// TestErrorsByMCP are results that an agent can read, and events.
func TestErrorsByMCP(t *testing.T) {
	s := serve(t, richer(t))
	all, slips := s.mcp("/mcp"), s.mcp("/mcp/slips")
	for _, c := range []struct {
		cs         *mcp.ClientSession
		tool, args string
		code       string
		status     world.Status
		retryable  bool
	}{
		{all, "maint.orders.get", `{"order_no":"X"}`, "not_found", world.Refused, false},
		{all, "maint.orders.get", `{"order_no":7}`, "invalid_arguments", world.Rejected, false},
		{all, "maint.orders.get", `{}`, "invalid_arguments", world.Rejected, false},
		{all, "maint.orders.fetch", `{"order_no":"X"}`, "unknown_tool", world.Rejected, false},
		{all, "stores.lots.list", `{"part":"RP-12"}`, "transient", world.Refused, true},
		{slips, "maint.orders.get", `{"order_no":"MO-31"}`, "not_mounted", world.Rejected, false},
		{slips, "slips.nope", `{}`, "unknown_tool", world.Rejected, false},
		{slips, "slips.bookings.create", `{"slip":"SLIP-2","day":"2034-05-16","vessel":"217","crew":1}`, "invalid_arguments", world.Rejected, false},
	} {
		n := len(s.session.Events())
		r, text := tell(t, c.cs, c.tool, json.RawMessage(c.args))
		var got struct{ Error world.CallError }
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if !r.IsError || r.StructuredContent != nil || got.Error.Code != c.code || got.Error.Retryable != c.retryable || got.Error.Message == "" {
			t.Errorf("%s %s: %v %s", c.tool, c.args, r.IsError, text)
		}
		ev := s.session.Events()
		if len(ev) != n+1 || ev[n].Status != c.status || ev[n].Error.Code != c.code || ev[n].Surface != "mcp" || ev[n].Tool != c.tool {
			t.Errorf("%s %s: the log has %d events more", c.tool, c.args, len(ev)-n)
		}
	}
}

// TestResources reads the brief and evidence files, each of which is recorded.
func TestResources(t *testing.T) {
	s := serve(t, richer(t))
	cs := s.mcp("/mcp")
	got, err := cs.ListResources(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var uris []string
	for _, r := range got.Resources {
		uris = append(uris, r.URI)
	}
	slices.Sort(uris)
	if want := []string{"assay://brief", "assay://evidence/letters/ada%201.md", "assay://evidence/page.html", "assay://evidence/scan.png"}; !slices.Equal(uris, want) {
		t.Errorf("the resources are %v", uris)
	}
	for _, uri := range uris {
		r, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || len(r.Contents) != 1 {
			t.Fatalf("%s: %v", uri, err)
		}
		c := r.Contents[0]
		switch uri {
		case "assay://brief":
			if !strings.Contains(c.Text, `"task":"ferry-217"`) {
				t.Error(c.Text)
			}
		case "assay://evidence/scan.png":
			if string(c.Blob) != "\x89PNG\x00\xff" || c.MIMEType != "image/png" {
				t.Errorf("%q %s", c.Blob, c.MIMEType)
			}
		case "assay://evidence/letters/ada%201.md":
			if c.Text != "The quay is free. Größe: 3 m.\n" {
				t.Error(c.Text)
			}
		}
	}
	if _, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: "assay://evidence/../sealed/contract.yaml"}); err == nil {
		t.Error("a resource outside of the evidence was read")
	}
	s.wantCalls("mcp:assay.context", "mcp:assay.evidence", "mcp:assay.evidence", "mcp:assay.evidence")
	if l, err := s.mcp("/mcp/slips").ListResources(context.Background(), nil); err != nil || len(l.Resources) != 0 {
		t.Errorf("the server slips has resources: %v %v", l, err)
	}
}

// TestRevisions speaks each revision of the protocol by hand, the newest and those of old clients.
func TestRevisions(t *testing.T) {
	s := serve(t, files(t, nil))
	for _, rev := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		headers := []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", rev}
		params := `{"name":"maint.orders.get","arguments":{"order_no":"MO-31"}}`
		if rev == "2026-07-28" {
			headers = append(headers, "Mcp-Method", "tools/call", "Mcp-Name", "maint.orders.get")
			params = `{"name":"maint.orders.get","arguments":{"order_no":"MO-31"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`
		}
		r := s.do("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`, headers...)
		if r.status != 200 || !strings.Contains(r.body, `"structuredContent":{"drums":3`) {
			t.Errorf("%s: %d %s", rev, r.status, r.body)
		}
	}
}
