package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/qualify"
	"github.com/assaybench/assay/report/leaderboard"
	"github.com/assaybench/assay/store"
)

// Bench is a bench that is ready to be shown.
type Bench struct {
	Set    grade.Set
	Digest string
	Frozen string // when it was frozen, RFC 3339; "" where it is not
	Proofs []qualify.Proof
}

// Options say what is shown.
type Options struct {
	// Store holds the runs; nil where there is none, and Why says why.
	Store *store.DB
	Why   string
	// Benches are the names that the first page lists, and Open opens one of them, or the source that a run names.
	Benches []string
	Open    func(ctx context.Context, name string) (*Bench, error)
	// Token is asked for in every request; "" asks for none, and then only this machine's names are taken.
	Token string
	// Now is the clock, for how long ago something was.
	Now func() time.Time
	// Board makes the leaderboard of the publications that were named; nil where none were.
	Board func(ctx context.Context) (*leaderboard.Board, error)
}

// Server shows pages. It is safe for concurrent use.
type Server struct {
	Options
	token   string
	handler http.Handler
	benches benchCache
	figures figureCache
	heavy   chan struct{} // one large transcript at a time, so that memory stays bounded
	ending  context.Context
	end     context.CancelFunc
	work    sync.WaitGroup // what reads the store
	opening sync.WaitGroup // benches
}

// New makes a server. The store stays the caller's, and outlives Serve, which waits for what still reads it.
func New(o Options) (*Server, error) {
	if o.Token != "" && len(o.Token) < tokenLeast {
		return nil, fmt.Errorf("a token has at least %d characters", tokenLeast)
	}
	if o.Open == nil || o.Now == nil {
		return nil, errors.New("web: a server needs a way to open benches, and a clock")
	}
	s := &Server{Options: o, token: o.Token, heavy: make(chan struct{}, 1)}
	s.ending, s.end = context.WithCancel(context.Background())
	s.handler = s.guard(s.mux())
	return s, nil
}

// Close ends what is still being counted, and waits for benches that are being opened, which nothing breaks off.
func (s *Server) Close() {
	s.end()
	s.work.Wait()
	s.opening.Wait()
}

// Handler serves all pages, behind the checks of host, origin and token.
func (s *Server) Handler() http.Handler { return s.handler }

func (s *Server) mux() http.Handler {
	mux := http.NewServeMux()
	for name, kind := range map[string]string{"style.css": "text/css", "view.js": "text/javascript"} {
		b := mustRead("static/" + name)
		mux.HandleFunc("GET /static/"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind+"; charset=utf-8")
			w.Write(b)
		})
	}
	for pattern, h := range map[string]func(http.ResponseWriter, *http.Request) error{
		"/{$}":                         s.index,
		"/run/{run}":                   s.run,
		"/run/{run}/state":             s.state,
		"/run/{run}/figures":           s.figuresPage,
		"/run/{run}/attempts":          s.attempts,
		"/run/{run}/attempt/{n}":       s.attempt,
		"/run/{run}/attempt/{n}/{raw}": s.part,
		"/bench":                       s.bench,
		"/bench/item":                  s.item,
		"/bench/audit":                 s.audit,
		"/compare":                     s.compare,
		"/leaderboard":                 s.leaderboard,
	} {
		mux.HandleFunc("GET "+pattern, s.page(h))
	}
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /", s.page(func(http.ResponseWriter, *http.Request) error { return lost("There is no page at this address.") }))
	return mux
}

// Serve answers on a listener until the context ends. The error is nil after a context's end.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	h := &http.Server{Handler: s.handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(ln) }()
	defer s.work.Wait()
	defer s.end()
	select {
	case err := <-ended:
		return fmt.Errorf("the listener failed: %w", err)
	case <-ctx.Done():
	}
	s.end() // what is being counted is not waited for
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := h.Shutdown(stop); err != nil {
		h.Close() // a reader that does not take its page holds nobody up
	}
	<-ended
	return nil
}

// grace is what pages under way have to finish when the server ends.
const grace = 2 * time.Second
