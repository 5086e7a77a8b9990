package openai

import (
	"context"

	"github.com/assaybench/assay/model"
)

// params are what a call can do without.
var params = []string{"temperature", "top_p", "seed", "max_tokens", "max_completion_tokens", "reasoning_effort", "chat_template_kwargs",
	"response_format", "tools"}

// Prepare finds out which software answers. A server on this machine gets no call for it: its context and its ways are
// known from what it says. Any other gets one short call with the posture's final settings, repeated without what the
// server's own error says that it does not take. See model.Preparer.
func (m *Model) Prepare(ctx context.Context, req model.Request) (model.Readiness, error) {
	if s := m.server.Load(); m.Local() && s != nil { // looked at just now, by Identify, and nothing is loaded by a look
		return model.Readiness{Context: s.Loaded, Settings: m.settings(&req, *s, false)}, nil
	}
	ready, err := m.Look(ctx)
	if err != nil {
		return ready, err
	}
	if m.Local() {
		ready.Settings = m.settings(&req, m.Server(), false)
		return ready, nil
	}
	rep, calls, err := m.learned.Settle(ctx, req, params, m.Call)
	ready.Calls = append(ready.Calls, calls...)
	if err != nil {
		return ready, err
	}
	ready.Settings = rep.Settings
	return ready, nil
}

// Look is the part of Prepare that makes no call: which software answers, and what context it holds.
func (m *Model) Look(ctx context.Context) (model.Readiness, error) {
	_, calls, err := m.identify(ctx)
	if err != nil {
		return model.Readiness{Calls: calls}, err
	}
	return model.Readiness{Context: m.Server().Loaded, Calls: calls}, nil
}
