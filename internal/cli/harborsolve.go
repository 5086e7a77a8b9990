package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

// solver plays a trace through the surfaces that an agent has, each call through the next one: what it is rewarded for, all of
// them carried.
type solver struct {
	p        *Process
	at       *surface.Addresses
	client   *http.Client
	sessions map[string]*mcp.ClientSession // by address
}

// harborSolve plays a reference in a served world. A call that the world refuses is part of it; one that does not arrive is a fault.
func (p *Process) harborSolve(handoff, trace string) error {
	at, _, err := p.handoff(handoff)
	if err != nil {
		return err
	}
	b, err := p.readInput(trace, importMost)
	if err != nil {
		return err
	}
	calls, err := world.ReadTrace(b)
	if err != nil {
		return usage("%s: %v", shown(trace), err)
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil // the world is on this machine
	if p.Dial != nil {
		t.DialContext = p.Dial
	}
	defer t.CloseIdleConnections()
	s := &solver{p, at, &http.Client{Transport: withBearer{at.Token, t}, Timeout: time.Minute}, map[string]*mcp.ClientSession{}}
	ways := []func(world.TraceCall) (refused string, err error){s.mcp, s.rest, s.cli}
	refusals := 0
	for i, c := range calls {
		no, err := ways[i%len(ways)](c)
		if err != nil {
			return fault(fmt.Errorf("%s: line %d: %s: %w", shown(trace), c.Line, plain(c.Tool), err))
		}
		if no != "" {
			refusals++
			p.notef("line %d: %s: refused: %s", c.Line, plain(c.Tool), plain(clip(no, 300)))
		}
	}
	for _, c := range s.sessions {
		if err := c.Close(); err != nil {
			return fault(err)
		}
	}
	p.printf("%d calls were made; %d were refused\n", len(calls), refusals)
	return nil
}

type withBearer struct {
	token string
	next  http.RoundTripper
}

func (t withBearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+t.token)
	return t.next.RoundTrip(r)
}

// mcp calls by the endpoint of the tool's own server.
func (s *solver) mcp(c world.TraceCall) (string, error) {
	server, _, _ := strings.Cut(c.Tool, ".")
	address, ok := s.at.Servers[server]
	if !ok {
		address = s.at.MCP
	}
	session := s.sessions[address]
	if session == nil {
		var err error
		client := mcp.NewClient(&mcp.Implementation{Name: "assay-solve", Version: "1"}, nil)
		if session, err = client.Connect(s.p.Context, &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: s.client, DisableStandaloneSSE: true}, nil); err != nil {
			return "", err
		}
		s.sessions[address] = session
	}
	r, err := session.CallTool(s.p.Context, &mcp.CallToolParams{Name: c.Tool, Arguments: json.RawMessage(c.Args)})
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return wire.Message, nil
	}
	if err != nil {
		return "", err
	}
	if !r.IsError {
		return "", nil
	}
	for _, part := range r.Content {
		if t, ok := part.(*mcp.TextContent); ok && t.Text != "" {
			return t.Text, nil
		}
	}
	return "no reason is given", nil
}

func (s *solver) rest(c world.TraceCall) (string, error) { return s.post(c, "") }

func (s *solver) cli(c world.TraceCall) (string, error) { return s.post(c, surface.CLI) }

// post calls by REST, under the name of the command line where it is given.
func (s *solver) post(c world.TraceCall, as string) (string, error) {
	r, err := http.NewRequestWithContext(s.p.Context, http.MethodPost, s.at.API+"/tools/"+url.PathEscape(c.Tool), bytes.NewReader(c.Args))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	if as != "" {
		r.Header.Set("Assay-Surface", as)
	}
	resp, err := s.client.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
	if err != nil || resp.StatusCode == http.StatusOK {
		return "", err
	}
	var e struct{ Error *world.CallError }
	if json.Unmarshal(b, &e) != nil || e.Error == nil || resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden || resp.StatusCode == http.StatusInternalServerError {
		return "", fmt.Errorf("the world answers with status %d", resp.StatusCode)
	}
	return e.Error.Code + ": " + e.Error.Message, nil
}
