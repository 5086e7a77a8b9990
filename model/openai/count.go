package openai

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// countPatience bounds the counting of one prompt, which is work of milliseconds.
const countPatience = 10 * time.Second

var errPatience = errors.New("the server counts too slowly")

// exact counts a prompt before the call, in two requests that run nothing: /apply-template renders what the body asks
// for, and /tokenize reads the text as a call does, with the special tokens that a template writes and those that the
// tokenizer adds. 0 means that there is no count; then the call goes on without, and a server that has no such paths
// is not asked again.
func (m *Model) exact(ctx context.Context, body []byte, at cut) int64 {
	s := m.server.Load()
	if s == nil || !s.counts {
		return 0
	}
	prompt := append(append(make([]byte, 0, at.head+len(body)-at.tail), body[:at.head]...), body[at.tail:]...)
	key := sha256.Sum256(prompt)
	if n, ok := m.counts.get(key); ok {
		return n
	}
	ctx, cancel := context.WithTimeoutCause(ctx, countPatience, errPatience)
	defer cancel()
	root := strings.TrimSuffix(m.Base, "/v1")
	var rendered struct {
		Prompt *string `json:"prompt"`
	}
	if !m.ask(ctx, s, root+"/apply-template", prompt, &rendered) || rendered.Prompt == nil {
		return 0
	}
	text := append([]byte(nil), `{"model":`...)
	text, err := jsontext.AppendQuote(text, m.Spec.Name) // a server of several models sends the request on by it
	if err != nil {
		return 0
	}
	if text, err = jsontext.AppendQuote(append(text, `,"content":`...), *rendered.Prompt); err != nil {
		return 0
	}
	text = append(text, `,"add_special":true,"parse_special":true}`...)
	var counted struct {
		Tokens length `json:"tokens"`
	}
	if !m.ask(ctx, s, root+"/tokenize", text, &counted) || counted.Tokens == 0 {
		return 0
	}
	m.counts.put(key, int64(counted.Tokens))
	return int64(counted.Tokens)
}

// ask makes one request of a count. A server that is busy may count the next prompt; one that refuses to, or gives
// something else, is no longer asked.
func (m *Model) ask(ctx context.Context, s *Server, address string, body []byte, v any) bool {
	got := m.SendTo(ctx, http.MethodPost, address, body)
	if got.Err == nil && !got.TooBig && got.Status == http.StatusOK && json.Unmarshal(got.ResponseBody, v, jsontext.AllowInvalidUTF8(true)) == nil {
		return true
	}
	if got.Status == http.StatusNotFound || got.Status == http.StatusMethodNotAllowed || got.Status == http.StatusNotImplemented ||
		got.Status == http.StatusOK || context.Cause(ctx) == errPatience {
		without := *s
		without.counts = false
		m.server.CompareAndSwap(s, &without)
	}
	return false
}

// length is how many elements a JSON array has.
type length int64

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (l *length) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*l = 0
	if d.PeekKind() != '[' {
		return d.SkipValue()
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		if err := d.SkipValue(); err != nil {
			return err
		}
		*l++
	}
	_, err := d.ReadToken()
	return err
}

// maxCounts bounds how many prompts are remembered, twice: what was used since the last half is kept.
const maxCounts = 4096

// counts remembers the counts of prompts, so that repeats and retries cost nothing. The zero value is ready.
type counts struct {
	mu         sync.Mutex
	young, old map[[sha256.Size]byte]int64
}

func (c *counts) get(key [sha256.Size]byte) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.young[key]; ok {
		return n, true
	}
	n, ok := c.old[key]
	if ok {
		c.keep(key, n)
	}
	return n, ok
}

func (c *counts) put(key [sha256.Size]byte, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(key, n)
}

// forget is for a server that may serve another model now.
func (c *counts) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.young, c.old = nil, nil
}

func (c *counts) keep(key [sha256.Size]byte, n int64) {
	if len(c.young) >= maxCounts || c.young == nil {
		c.young, c.old = map[[sha256.Size]byte]int64{}, c.young
	}
	c.young[key] = n
}
