package surface

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio speaks MCP over a pair of streams, one message a line, with all tools, until the input or the context ends. What was
// read before the input's end is answered first.
func (v *Server) Stdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	p := newPending()
	w := &whole{to: out, pending: p}
	r := &messages{ctx: ctx, in: bufio.NewReaderSize(in, 64<<10), Closer: in, answer: w, pending: p}
	err := v.mcpServer("", nil).Run(ctx, &mcp.IOTransport{Reader: r, Writer: w, MaxLineLength: 2 * maxBody})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// whole writes one line at a time.
type whole struct {
	mu      sync.Mutex
	to      io.WriteCloser
	pending *pending
}

func (w *whole) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.to.Write(b)
	w.pending.wrote(b)
	return n, err
}

func (w *whole) Close() error { return w.to.Close() }

// messages passes on the lines of an input that are messages, and answers the others as JSON-RPC has it: the SDK's transport
// ends at the first line that is none, and with it the episode's server would.
type messages struct {
	io.Closer
	ctx     context.Context
	pending *pending
	in      *bufio.Reader
	answer  io.Writer
	rest    []byte // of the line that is being read
	batches bool   // the client asked for a revision that has them
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, long, err := m.line()
		if len(line) == 0 && err != nil {
			m.pending.wait(m.ctx)
			return 0, err
		}
		switch no := m.check(line, long); {
		case no == nil:
			m.pending.read(line)
			m.rest = append(line, '\n')
		case no != errBlank:
			if _, err := m.answer.Write(append(no.(*refusedLine).response(), '\n')); err != nil {
				return 0, err
			}
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line reads one line, of which it keeps no more than a message may have.
func (m *messages) line() (line []byte, long bool, err error) {
	for {
		part, err := m.in.ReadSlice('\n')
		if room := maxBody - len(line); len(part) > room {
			long, part = true, part[:max(room, 0)]
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return bytes.TrimRight(line, "\r\n"), long, err
		}
	}
}

var errBlank = errors.New("a blank line")

// refusedLine is a line that is no message.
type refusedLine struct {
	id   json.RawMessage
	code int
	say  string
}

func (r *refusedLine) Error() string { return r.say }

func (r *refusedLine) response() []byte {
	id := r.id
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": r.code, "message": r.say}})
	if err != nil { // valid JSON, a number and a text
		panic(err)
	}
	return b
}

// check says what is wrong with a line.
func (m *messages) check(line []byte, long bool) error {
	trimmed := bytes.TrimSpace(line)
	switch {
	case long:
		return &refusedLine{nil, jsonrpc.CodeInvalidRequest, "a message has at most 4 MiB"}
	case len(trimmed) == 0:
		return errBlank
	case !json.Valid(line):
		return &refusedLine{nil, jsonrpc.CodeParseError, "the line is no JSON; a message is one JSON object on a line of its own"}
	case trimmed[0] == '[':
		return m.batch(line)
	}
	msg, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return &refusedLine{idOf(line), jsonrpc.CodeInvalidRequest, "this is no message of JSON-RPC 2.0"}
	}
	if r, ok := msg.(*jsonrpc.Request); ok && r.Method == "initialize" {
		var p struct{ ProtocolVersion string }
		// The revisions with batches that the SDK speaks; of others it gives its own newest.
		m.batches = json.Unmarshal(r.Params, &p) == nil && slices.Contains([]string{"2024-11-05", "2025-03-26"}, p.ProtocolVersion)
	}
	return nil
}

// batch says what is wrong with several messages on one line.
func (m *messages) batch(line []byte) error {
	if !m.batches {
		return &refusedLine{nil, jsonrpc.CodeInvalidRequest, "this revision of the protocol has no batches; a message is one JSON object on a line of its own"}
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(line, &parts); err != nil || len(parts) == 0 {
		return &refusedLine{nil, jsonrpc.CodeInvalidRequest, "the batch is empty"}
	}
	seen := map[string]bool{}
	for _, p := range parts {
		msg, err := jsonrpc.DecodeMessage(p)
		if err != nil {
			return &refusedLine{idOf(p), jsonrpc.CodeInvalidRequest, "a part of the batch is no message of JSON-RPC 2.0"}
		}
		if r, ok := msg.(*jsonrpc.Request); ok {
			id := fmt.Sprintf("%T %v", r.ID.Raw(), r.ID.Raw())
			if seen[id] {
				return &refusedLine{idOf(p), jsonrpc.CodeInvalidRequest, "two requests of the batch have the same id"}
			}
			seen[id] = true
		}
	}
	return nil
}

// idOf finds the id of something that is no message otherwise, so that its sender knows what failed.
func idOf(b []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(b, &m) != nil || len(m.ID) == 0 || m.ID[0] != '"' && m.ID[0] != '-' && (m.ID[0] < '0' || m.ID[0] > '9') {
		return nil
	}
	return m.ID
}
