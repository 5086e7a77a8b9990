package anthropic

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// open makes a model over the mock, with a key, that can reach loopback only.
func open(t testing.TB, o modeltest.MockOptions) (*Model, *modeltest.Mock) {
	t.Helper()
	o.Wire = modeltest.WireAnthropic
	mock, err := modeltest.NewMock(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := mock.Close(); err != nil {
			t.Error(err)
		}
	})
	return at(t, mock.URL), mock
}

// TestConformanceOverMock runs the suite over the mock that all providers share.
func TestConformanceOverMock(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{
		Can: modeltest.CanEcho | modeltest.CanThink | modeltest.CanCut | modeltest.CanRefuse | modeltest.CanWait | modeltest.HasWire |
			modeltest.CanTools | modeltest.CanSchema | modeltest.CanLearn | modeltest.CanSign,
		Secrets: []string{testKey},
		Learns:  []string{"temperature", "top_p", "thinking"},
		New: func(t testing.TB, act modeltest.Act) model.Model {
			m, _ := open(t, modeltest.MockOptions{Reply: act.Reply})
			return m
		},
	})
}

// TestEveryFaultOfTheMock makes every fault of the wire and wants the outcome and the kind of fault that an honest harness
// gives it, one line without a secret, and one request on the wire for each call.
func TestEveryFaultOfTheMock(t *testing.T) {
	req := modeltest.LongRequest()
	for _, f := range modeltest.FaultsOf(modeltest.WireAnthropic) {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			m, mock := open(t, modeltest.MockOptions{Fault: func(int64) modeltest.Fault { return f }})
			outcome, kind := f.Expect()
			limit := 20 * time.Second
			if outcome == record.Timeout {
				limit = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), limit, model.ErrTimeLimit)
			defer cancel()
			rep, err := m.Call(ctx, req)
			tr := model.Transcribe(req, rep, err)
			if tr.Outcome != outcome {
				t.Errorf("outcome %s (%s), want %s", tr.Outcome, tr.Reason, outcome)
			}
			if (err != nil) != (kind != "") {
				t.Errorf("error %v, want kind %q", err, kind)
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

// TestMockKnowsItsModels: identity and list, as the mock gives them.
func TestMockKnowsItsModels(t *testing.T) {
	m, _ := open(t, modeltest.MockOptions{Models: []string{"a", "claude-x"}})
	id, err := m.Identify(t.Context())
	if err != nil || id.Model != "claude-x" || id.Details["listed"] != "yes" || id.Context == 0 {
		t.Errorf("%+v, %v", id, err)
	}
	if held, err := m.List(t.Context()); err != nil || len(held) != 2 || held[0].Name != "a" || held[1].Context != id.Context {
		t.Errorf("%+v, %v", held, err)
	}
	m, _ = open(t, modeltest.MockOptions{Models: []string{"a"}})
	if id, err := m.Identify(t.Context()); err != nil || id.Details["listed"] != "no" {
		t.Errorf("%+v, %v", id, err)
	}
	if _, err := m.Prepare(t.Context(), model.Request{Messages: user, MaxOutput: 9}); err == nil || !strings.Contains(err.Error(), `does not know the model "claude-x"`) {
		t.Errorf("%v", err)
	}
}
