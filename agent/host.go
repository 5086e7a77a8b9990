package agent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

// Host serves a session to a program from outside. Whatever the program says of itself, the record is the world's.
type Host struct {
	// World tells the program where its world is: ASSAY_MCP_URL, ASSAY_API_URL, ASSAY_CONSOLE_URL and ASSAY_TOKEN, a file with
	// the request and a folder with the evidence files.
	World model.World

	s      *world.Session
	limits world.Limits
	dir    string
	stop   context.CancelFunc
	ended  chan error
	once   sync.Once
	failed error // how the server ended
	server *surface.Server
	capped atomic.Bool // more calls were made than an episode has
}

// EndedCrash is the ending of a program that failed amid its work. What it did is judged as it stands.
const EndedCrash = "crash"

// NewHost serves a session on loopback. The session is the host's from then on.
func NewHost(s *world.Session, asked []model.Message, limits world.Limits) (*Host, error) {
	dir, err := os.MkdirTemp("", "assay-episode-*")
	if err != nil {
		return nil, err
	}
	h := &Host{s: s, limits: limits, dir: dir, ended: make(chan error, 1)}
	if err := h.begin(asked); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return h, nil
}

func (h *Host) begin(asked []model.Message) error {
	var request strings.Builder
	for _, m := range asked {
		fmt.Fprintf(&request, "%s\n\n", strings.TrimSpace(m.Text))
	}
	file, evidence := filepath.Join(h.dir, "request.txt"), filepath.Join(h.dir, "evidence")
	if err := os.WriteFile(file, []byte(request.String()), 0o600); err != nil {
		return err
	}
	if err := surface.WriteEvidence(evidence, h.s.Task()); err != nil {
		return err
	}
	token := surface.NewToken()
	v, err := surface.New(h.s, token)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	h.server = v
	a := v.Addresses("http://" + ln.Addr().String())
	h.World = model.World{Env: []string{"ASSAY_MCP_URL=" + a.MCP, "ASSAY_API_URL=" + a.API, "ASSAY_CONSOLE_URL=" + a.Console, "ASSAY_TOKEN=" + token},
		Address: ln.Addr().String(), Request: file, Evidence: evidence}
	ctx, stop := context.WithCancel(context.Background())
	h.stop = stop
	go func() { h.ended <- v.Serve(ctx, ln) }()
	if err := offersAll(ctx, a.MCP, token, h.s.Tools()); err != nil {
		return errors.Join(err, h.end())
	}
	return nil
}

// Limit is how long the program may work: the bench's limit of an episode, or otherwise where it has none.
func (h *Host) Limit(otherwise time.Duration) time.Duration {
	if h.limits.Time > 0 {
		return h.limits.Time
	}
	return otherwise
}

// errCapped is why a program was ended that made more calls than an episode has.
var errCapped = errors.New("the program made more calls than an episode has")

// Work begins the program's time, which is within, and gives the context that it works under. Calls and time are counted by
// the server: a call beyond a limit is not made, and ends the program. end gives back what that takes.
func (h *Host) Work(ctx context.Context, within time.Duration) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	h.server.Bound(h.limits.Calls, time.Now().Add(within), func(met surface.Capped) {
		if met == surface.CappedCalls {
			h.capped.Store(true)
			cancel(errCapped)
		} // the end of the time is the caller's to see to: a call after it comes from what the program left running
	})
	return ctx, func() { cancel(nil) }
}

// Begun says whether the program made a call.
func (h *Host) Begun() bool {
	for _, e := range h.s.Events() {
		if e.Actor == world.Agent {
			return true
		}
	}
	return false
}

// Whole makes the attempt's transcript of how the program ended and what the world recorded. Where the program was not sealed
// off, it could have read the bench's files, and the episode is marked as unsealed.
//
// Nothing is served any more from then on: what the program left running can call no longer, so that the record is final.
func (h *Host) Whole(ctx context.Context, t record.Transcript, name string, sealed bool) (record.Transcript, error) {
	if err := h.end(); err != nil {
		return t, err
	}
	events := h.s.Events()
	for i := range events {
		if events[i].Status == world.Fault {
			return t, errors.New(events[i].Error.Message)
		}
	}
	_, answers := world.Answer(events)
	ended := EndedSilent
	switch {
	case h.capped.Load() && answers == 0:
		ended, t.Outcome, t.Reason = EndedCalls, record.Truncated, fmt.Sprintf("the limit of %d calls was reached", h.limits.Calls)
	case answers > 0 && (h.capped.Load() || t.Outcome == record.Timeout):
		// As in the loop, a limit that is met after the answer changes nothing.
		t.Outcome, t.Reason = record.Answered, "the agent went on after its answer until it was ended"
	case t.Outcome == record.Timeout:
		ended, t.Outcome, t.Reason = EndedTime, record.Truncated, "the limit of "+h.Limit(0).String()+" was reached"
		if h.limits.Time == 0 {
			t.Reason = "the posture's time limit was reached"
		}
	case t.Outcome == record.Error:
		ended, t.Outcome, t.Reason = EndedCrash, record.Answered, "the agent failed amid its work: "+t.Reason
	case answers == 0:
		t.Reason = "the agent stopped without handing in an answer"
	}
	if answers > 0 && t.Outcome == record.Answered {
		ended = EndedAnswer
	}
	ep, err := world.Bundle(ctx, h.s, ended)
	if err != nil {
		return t, err
	}
	ep.Sealed, ep.Agent = sealed, name
	t.Episode = ep
	return t, nil
}

// end ends the server, once.
func (h *Host) end() error {
	h.once.Do(func() {
		h.stop()
		h.failed = <-h.ended
	})
	return h.failed
}

// Close ends the server and the session, and removes what the program was given.
func (h *Host) Close() error {
	return errors.Join(h.end(), h.s.Close(), os.RemoveAll(h.dir))
}
