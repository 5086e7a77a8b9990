package agent

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assaybench/assay/world"
)

// readyLimit bounds how long a world's server may take to list its tools.
const readyLimit = 30 * time.Second

// offersAll asks a served world for its tools as a client does, before a program is let in, and holds them against the
// task's. A server that offers fewer, or none, would make every agent fail: that is a fault of the environment, and none of
// theirs. Asking is no call of a tool, and leaves no event.
//
// The context is that of the whole session and not of its beginning: what bounds the handshake must not end what follows.
func offersAll(ctx context.Context, url, token string, tools []*world.Tool) (err error) {
	ctx, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "assay-ready", Version: "1"}, nil)
	transport := &http.Transport{DisableKeepAlives: true}
	s, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer{token, transport}}, MaxRetries: -1,
		DisableStandaloneSSE: true}, nil)
	if err != nil {
		return fmt.Errorf("its world's server does not answer: %w", err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var offered []string
	for t, err := range s.Tools(ctx, nil) {
		if err != nil {
			return fmt.Errorf("its world's server does not list its tools: %w", err)
		}
		offered = append(offered, t.Name)
	}
	var lacking []string
	for _, t := range tools {
		if !slices.Contains(offered, t.Name) {
			lacking = append(lacking, t.Name)
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("its world's server offers %d of the task's %d tools; these are missing: %s", len(tools)-len(lacking), len(tools), strings.Join(lacking, ", "))
	}
	return nil
}

// bearer sends the episode's token with every request.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}
