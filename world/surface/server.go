package surface

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assaybench/assay/world"
)

// Names of surfaces, as events carry them.
const (
	MCP      = "mcp"
	REST     = "rest"
	Console  = "console"
	CLI      = "cli"
	Evidence = "evidence"
)

// maxBody bounds a request's body in bytes: a call's arguments have at most 1 MiB, and forms and JSON-RPC wrap them.
const maxBody = 4 << 20

// Server shows one session on all surfaces. It is safe for concurrent use.
type Server struct {
	session   *world.Session
	token     string
	cookie    string // the console's cookie: its name is the episode's own, since cookies of one host know no ports
	secret    string // its value, from which the token cannot be told
	csrf      string // stands in every form
	tools     map[string]*tool
	systems   []system
	routes    map[string]*tool // server/resource/operation and server/operation → tool
	openapi   []byte
	handler   http.Handler
	endpoints []*endpoint
	underWay  atomic.Int64 // calls
	bounds    bounds
	reviewers reviewers
	broken    chan error
	once      sync.Once
}

// NewToken makes a random bearer token of 32 bytes.
func NewToken() string {
	b := make([]byte, 32)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// New makes the surfaces of a session. The session stays the caller's, and outlives the server.
func New(s *world.Session, token string) (*Server, error) {
	if len(token) < 32 {
		return nil, errors.New("a token has at least 32 characters")
	}
	v := &Server{session: s, token: token, broken: make(chan error, 1)}
	v.cookie, v.secret, v.csrf = "assay_"+derived(token, "cookie name")[:8], derived(token, "cookie"), derived(token, "form")
	if err := v.readTools(); err != nil {
		return nil, err
	}
	var err error
	if v.openapi, err = v.document(); err != nil {
		return nil, err
	}
	v.handler = v.guard(v.mux())
	return v, nil
}

// Handler serves all surfaces, behind the checks of host, origin and token.
func (v *Server) Handler() http.Handler { return v.handler }

func (v *Server) mux() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) { writeJSON(w, http.StatusOK, map[string]any{"ok": true}) })
	v.mountMCP(mux)
	mux.HandleFunc("/api/", v.api)
	mux.HandleFunc("/evidence/", v.evidence)
	mux.HandleFunc("/evidence", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/evidence/", http.StatusSeeOther) })
	mux.HandleFunc("/", v.console)
	return mux
}

// Close ends the protocol sessions of clients. Serve does it by itself.
func (v *Server) Close() {
	for _, e := range v.endpoints {
		e.close()
	}
}

// Serve answers on a listener until the context ends or the session's store fails, and then lets the calls that are under
// way finish. The error is nil after a context's end.
func (v *Server) Serve(ctx context.Context, ln net.Listener) error {
	h := &http.Server{Handler: v.handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	defer v.Close()
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(ln) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-v.broken:
	case err = <-ended:
		return fmt.Errorf("the listener failed: %w", err)
	}
	if serr := v.shutdown(context.WithoutCancel(ctx), h); serr != nil {
		err = errors.Join(err, serr)
	}
	<-ended
	return err
}

// Bounds of a server's end: what a whole request has to begin its call, and what calls under way have to finish.
const (
	graceBegin  = time.Second
	graceFinish = 15 * time.Second
)

// shutdown ends idle connections at once, and lets calls under way finish with their answers. A request that its client does
// not end, or an answer that it does not take, holds up nobody, and is no fault: it is no call, or one that is recorded.
func (v *Server) shutdown(ctx context.Context, h *http.Server) error {
	stop, cancel := context.WithTimeout(ctx, graceFinish)
	defer cancel()
	begun := time.AfterFunc(graceBegin, func() {
		for v.underWay.Load() > 0 && stop.Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	})
	defer begun.Stop()
	if err := h.Shutdown(stop); err != nil && stop.Err() == nil {
		return err
	}
	return h.Close()
}

// call is how every surface reaches the world: as the agent, or for a reviewer as the harness.
func (v *Server) call(ctx context.Context, surface, server, name string, args []byte) (*world.Event, error) {
	v.underWay.Add(1)
	defer v.underWay.Add(-1)
	actor := actorOf(ctx)
	if actor == world.Harness { // what changes the world is no look at it, by whatever way it came here
		if t := v.tools[name]; t == nil || !t.readOnly() {
			return &world.Event{Tool: name, Status: world.Rejected, Error: &world.CallError{Code: world.Denied, Message: "A reviewer looks, and changes nothing."}}, nil
		}
	} else if no := v.bounds.refuse(); no != nil {
		return &world.Event{Tool: name, Status: world.Refused, Error: no}, nil
	}
	e, err := v.session.Call(ctx, world.Call{Actor: actor, Surface: surface, Server: server, Tool: name, Args: args})
	if err != nil && ctx.Err() == nil {
		v.once.Do(func() { v.broken <- err })
	}
	return e, err
}

// Addresses are where the surfaces of a server are found. Its JSON is the line that assay world serve prints.
type Addresses struct {
	Episode  string            `json:"episode"`
	MCP      string            `json:"mcp"`
	Servers  map[string]string `json:"mcp_servers"`
	API      string            `json:"api"`
	Console  string            `json:"console"`
	Evidence string            `json:"evidence"`
	Folder   string            `json:"evidence_folder,omitempty"`
	Token    string            `json:"token"`
	Reviewer string            `json:"reviewer,omitempty"` // the token of who only looks, where there is one
}

// Addresses gives the addresses below a base such as http://127.0.0.1:4711.
func (v *Server) Addresses(base string) Addresses {
	a := Addresses{Episode: v.session.ID(), MCP: base + "/mcp", Servers: map[string]string{}, API: base + "/api/v1", Console: base + "/",
		Evidence: base + "/evidence/", Token: v.token, Reviewer: v.reviewers.token}
	for _, s := range v.systems {
		a.Servers[s.ID] = base + "/mcp/" + s.ID
	}
	return a
}
