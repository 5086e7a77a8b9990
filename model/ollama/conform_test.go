package ollama

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// open makes a model over a mock of the wire, with a key, that can reach loopback only.
func open(t testing.TB, o modeltest.MockOptions) (*Model, *modeltest.Mock) {
	t.Helper()
	o.Wire = modeltest.WireOllama
	mock, err := modeltest.NewMock(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := mock.Close(); err != nil {
			t.Error(err)
		}
	})
	return at(t, mock.URL, "mock-1"), mock
}

func TestConformance(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{
		Can: modeltest.CanEcho | modeltest.CanThink | modeltest.CanCut | modeltest.CanWait | modeltest.HasWire |
			modeltest.CanTools | modeltest.CanSchema | modeltest.CanLearn,
		Secrets: []string{testKey},
		Learns:  []string{"thinking"}, // all else is taken by every model of this server
		New: func(t testing.TB, act modeltest.Act) model.Model {
			m, _ := open(t, modeltest.MockOptions{Reply: func(req modeltest.MockRequest) modeltest.MockReply {
				if req.Header.Get("Authorization") != "Bearer "+testKey {
					t.Errorf("the key was not sent")
				}
				return act.Reply(req)
			}})
			return m
		},
	})
}

// TestEveryFault makes every fault of the wire after a good Prepare, and wants the outcome and the kind of fault that an
// honest harness gives it, one line without a secret, and one request on the wire for each call.
func TestEveryFault(t *testing.T) {
	for _, f := range modeltest.FaultsOf(modeltest.WireOllama) {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			m, mock := open(t, modeltest.MockOptions{Fault: func(n int64) modeltest.Fault {
				if n == 1 {
					return "" // Prepare's
				}
				return f
			}})
			req := modeltest.LongRequest()
			if _, err := m.Prepare(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			outcome, kind := f.Expect()
			limit := 20 * time.Second
			if outcome == record.Timeout {
				limit = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), limit, model.ErrTimeLimit)
			defer cancel()
			rep, err := m.Call(ctx, req)
			tr := model.Transcribe(req, rep, err)
			if f == "remote" {
				// What becomes of such a reply is decided where outcomes are; here it must be seen.
				if rep.Remote == "" || rep.Prompt.Refuses || !rep.Prompt.Partial {
					t.Errorf("another machine answered, and the reply says %q, %+v", rep.Remote, rep.Prompt)
				}
			} else if tr.Outcome != outcome {
				t.Errorf("outcome %s (%s), want %s", tr.Outcome, tr.Reason, outcome)
			}
			if (err != nil) != (kind != "") {
				t.Errorf("error %v, want kind %q", err, kind)
			}
			if err != nil {
				fault := model.AsFault(err)
				if fault.Kind != kind || fault.Msg == "" || strings.ContainsAny(fault.Msg, "\n\r\x1b") || len(fault.Msg) > 600 {
					t.Errorf("kind %s, want %s: %q", fault.Kind, kind, fault.Msg)
				}
				if kind != model.FaultUnreachable && kind != model.FaultCancelled && f != "not-http" && f != "cut-head" && fault.Status == 0 {
					t.Errorf("no status in %+v", fault)
				}
				if fault.Err != nil && kind != model.FaultCancelled {
					t.Errorf("the fault holds %T, which may reach the request", fault.Err)
				}
			}
			for _, v := range []any{rep, err, tr, m} {
				if where := modeltest.FindSecret(testKey, v); where != "" {
					t.Errorf("the key is in %T: %s", v, where)
				}
			}
			if mock.Requests() != 2 {
				t.Errorf("%d requests on the wire for two calls", mock.Requests())
			}
		})
	}
}

// TestEveryFaultWhilePreparing: Prepare fails as a call does, and forgets nothing of what was exchanged.
func TestEveryFaultWhilePreparing(t *testing.T) {
	for _, f := range modeltest.FaultsOf(modeltest.WireOllama) {
		if f.Costly() || f.Shows() != "" {
			continue
		}
		m, mock := open(t, modeltest.MockOptions{Fault: func(int64) modeltest.Fault { return f }})
		ready, err := m.Prepare(t.Context(), modeltest.LongRequest())
		_, kind := f.Expect()
		if (err != nil) != (kind != "") || err != nil && model.AsFault(err).Kind != kind {
			t.Errorf("%s: %v, want kind %q", f, err, kind)
		}
		if mock.Requests() != 1 || len(ready.Calls) < 5 {
			t.Errorf("%s: %d calls, %d exchanges", f, mock.Requests(), len(ready.Calls))
		}
		for _, v := range []any{ready, err} {
			if where := modeltest.FindSecret(testKey, v); where != "" {
				t.Errorf("%s: the key is in %T: %s", f, v, where)
			}
		}
	}
}

// TestChanges: what a server shows of itself after a call that went well.
func TestChanges(t *testing.T) {
	for f, look := range map[modeltest.Fault]func(before, after record.Identity, ready model.Readiness) bool{
		"digest-changed":  func(b, a record.Identity, _ model.Readiness) bool { return a.Digest != b.Digest && a.Digest != "" },
		"version-changed": func(b, a record.Identity, _ model.Readiness) bool { return a.Server != b.Server },
		"context-less":    func(b, a record.Identity, r model.Readiness) bool { return a.Context < b.Context && r.Context < 4096 },
	} {
		m, _ := open(t, modeltest.MockOptions{Fault: func(n int64) modeltest.Fault {
			if n == 2 {
				return f
			}
			return ""
		}})
		req := modeltest.LongRequest()
		if _, err := m.Prepare(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		before, err := m.Identify(t.Context())
		if err != nil || before.Context != 4096 {
			t.Fatalf("%+v, %v", before, err)
		}
		if _, err := m.Call(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		after, err := m.Identify(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ready, err := m.Prepare(t.Context(), req)
		if err != nil || !look(before, after, ready) {
			t.Errorf("%s: before %+v, after %+v, readiness %+v, %v", f, before, after, ready, err)
		}
	}
}
