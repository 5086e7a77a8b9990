package responses

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// mock makes a model over a mock of this wire.
func mock(t testing.TB, o modeltest.MockOptions) (*Model, *modeltest.Mock) {
	t.Helper()
	o.Wire = modeltest.WireResponses
	m, err := modeltest.NewMock(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return at(t, m.URL), m
}

func TestConformance(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{
		Can: modeltest.CanEcho | modeltest.CanThink | modeltest.CanCut | modeltest.CanRefuse | modeltest.CanWait | modeltest.HasWire |
			modeltest.CanTools | modeltest.CanSchema | modeltest.CanRawCalls | modeltest.CanSign,
		Secrets: []string{testKey},
		New: func(t testing.TB, act modeltest.Act) model.Model {
			m, _ := mock(t, modeltest.MockOptions{Reply: func(r modeltest.MockRequest) modeltest.MockReply {
				if r.Header.Get("Authorization") != "Bearer "+testKey {
					t.Errorf("the key was not sent")
				}
				return act.Reply(r)
			}})
			return m
		},
	})
}

// TestConformanceRemote is the suite over the official server, which is asked what its model takes.
func TestConformanceRemote(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{
		Can: modeltest.CanEcho | modeltest.CanThink | modeltest.HasWire | modeltest.CanTools | modeltest.CanSchema | modeltest.CanRawCalls |
			modeltest.CanSign | modeltest.CanLearn,
		Learns: []string{"temperature", "top_p", "thinking"},
		New: func(t testing.TB, act modeltest.Act) model.Model {
			_, mock := mock(t, modeltest.MockOptions{Reply: act.Reply})
			return remote(t, mock.URL, true)
		},
	})
}

// TestEveryFault makes every fault of the mock and wants the outcome and the kind of fault that an honest harness gives
// it, one line without a secret, and one request on the wire for each call.
func TestEveryFault(t *testing.T) {
	for _, f := range modeltest.FaultsOf(modeltest.WireResponses) {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			m, mock := mock(t, modeltest.MockOptions{Fault: func(int64) modeltest.Fault { return f }})
			outcome, kind := f.Expect()
			limit := 20 * time.Second
			if outcome == record.Timeout {
				limit = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), limit, model.ErrTimeLimit)
			defer cancel()
			req := modeltest.LongRequest()
			rep, err := m.Call(ctx, req)
			tr := model.Transcribe(req, rep, err)
			if tr.Outcome != outcome || (err != nil) != (kind != "") {
				t.Errorf("outcome %s (%s), want %s; error %v, want kind %q", tr.Outcome, tr.Reason, outcome, err, kind)
			}
			if err != nil {
				if fault := model.AsFault(err); fault.Kind != kind || fault.Msg == "" || strings.ContainsAny(fault.Msg, "\n\r\x1b") || len(fault.Msg) > 600 {
					t.Errorf("kind %s, want %s: %q", fault.Kind, kind, fault.Msg)
				}
			}
			for _, v := range []any{rep, err, tr, m} {
				if where := modeltest.FindSecret(testKey, v); where != "" {
					t.Errorf("the key is in %T: %s", v, where)
				}
			}
			if mock.Requests() != 1 {
				t.Errorf("%d requests on the wire for one call", mock.Requests())
			}
		})
	}
}
