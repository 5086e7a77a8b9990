package surface

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// pending are the requests that were read from a stream and not answered yet. The end of the input is passed on when there are
// none: the SDK's server drops what it works on when its input ends, and a client that wrote its calls into a pipe would never
// hear of them, nor the world.
type pending struct {
	mu    sync.Mutex
	ids   map[string]int
	empty chan struct{} // closed, and made anew, when the last one was answered
}

func newPending() *pending { return &pending{ids: map[string]int{}, empty: make(chan struct{})} }

// read notes the requests of a line that is passed on, or the end of one that its client takes back.
func (p *pending) read(line []byte) {
	each(line, func(m jsonrpc.Message) {
		r, ok := m.(*jsonrpc.Request)
		switch {
		case !ok:
		case r.IsCall():
			p.add(r.ID.Raw(), 1)
		case r.Method == "notifications/cancelled": // which need not be answered
			var c struct {
				RequestID any `json:"requestId"`
			}
			dec := json.NewDecoder(bytes.NewReader(r.Params))
			dec.UseNumber()
			if dec.Decode(&c) == nil && c.RequestID != nil {
				p.add(c.RequestID, -1)
			}
		}
	})
}

// wrote notes the answers of a line that was written.
func (p *pending) wrote(line []byte) {
	each(line, func(m jsonrpc.Message) {
		if r, ok := m.(*jsonrpc.Response); ok && r.ID.IsValid() {
			p.add(r.ID.Raw(), -1)
		}
	})
}

func (p *pending) add(id any, n int) {
	key := fmt.Sprint(id)
	if _, text := id.(string); text {
		key = fmt.Sprintf("%q", id)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ids[key] += n; p.ids[key] <= 0 {
		delete(p.ids, key)
	}
	if len(p.ids) == 0 {
		close(p.empty)
		p.empty = make(chan struct{})
	}
}

// wait waits until all is answered, or the context ends, or nothing was answered for as long as a server's end may take: a
// request that nobody answers must not hold up the end for ever.
func (p *pending) wait(ctx context.Context) {
	for before := -1; ; {
		p.mu.Lock()
		done, left := p.empty, len(p.ids)
		p.mu.Unlock()
		if left == 0 || left == before {
			return
		}
		before = left
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-time.After(graceFinish):
		}
	}
}

// each gives the messages of a line, which may be a batch.
func each(line []byte, take func(jsonrpc.Message)) {
	parts := []json.RawMessage{line}
	if t := bytes.TrimSpace(line); len(t) > 0 && t[0] == '[' {
		parts = nil
		if json.Unmarshal(t, &parts) != nil {
			return
		}
	}
	for _, part := range parts {
		if m, err := jsonrpc.DecodeMessage(part); err == nil {
			take(m)
		}
	}
}
