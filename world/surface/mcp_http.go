package surface

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// endpoint serves one MCP server over streamable HTTP. A client that begins with initialize gets a protocol session, which
// saves the making of one for every request. Nothing of the world hangs on it: a request without one, or with one that an
// earlier process gave, is answered as well, so that a client goes on when the server was killed and started again.
type endpoint struct {
	server     *mcp.Server
	with, each http.Handler // with the client's protocol session, and with one for the request alone
	mu         sync.Mutex
	known      map[string]bool
}

// maxSessions bounds the protocol sessions of an endpoint; clients beyond it are served without.
const maxSessions = 256

func (v *Server) newEndpoint(only string) *endpoint {
	e := &endpoint{known: map[string]bool{}}
	e.server = v.mcpServer(only, e.open)
	get := func(*http.Request) *mcp.Server { return e.server }
	e.with = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{JSONResponse: true, MaxRequestBodyBytes: maxBody})
	e.each = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody})
	return e
}

const sessionHeader = "Mcp-Session-Id"

// open names a new protocol session.
func (e *endpoint) open() string {
	id := rand.Text()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.known[id] = true
	return id
}

func (e *endpoint) knows(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.known[id]
}

func (e *endpoint) full() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.known) >= maxSessions
}

func (e *endpoint) forget(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.known, id)
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(sessionHeader)
	switch {
	case r.Method == http.MethodDelete && id != "":
		if e.knows(id) {
			e.forget(id)
			e.with.ServeHTTP(w, r)
			return
		}
		w.WriteHeader(http.StatusNoContent) // an earlier process's, and gone with it
	case r.Method != http.MethodPost: // the server sends nothing of its own accord, so there is no stream to open
		notAllowed(w, r, http.MethodPost, http.MethodDelete)
	case id != "" && e.knows(id):
		e.with.ServeHTTP(w, r)
	case id == "" && r.Header.Get("Mcp-Method") == "" && !e.full() && begins(r):
		e.with.ServeHTTP(w, r)
	default:
		r.Header.Del(sessionHeader)
		e.each.ServeHTTP(w, r)
	}
}

// begins says whether a request is initialize, and leaves its body as it was.
func begins(r *http.Request) bool {
	b, err := io.ReadAll(r.Body)
	rest := io.Reader(bytes.NewReader(b))
	if err != nil {
		rest = io.MultiReader(rest, failing{err})
	}
	r.Body = io.NopCloser(rest)
	var m struct {
		Method string `json:"method"`
	}
	return err == nil && json.Unmarshal(b, &m) == nil && m.Method == "initialize"
}

// failing gives a reader's error once more.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// close ends the protocol sessions.
func (e *endpoint) close() {
	for s := range e.server.Sessions() {
		s.Close() // a session that is gone already is as good as closed
	}
}
