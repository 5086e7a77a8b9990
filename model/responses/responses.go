// Package responses speaks OpenAI's Responses API, which its reasoning models are made for: the official server, and
// others that have it. Nothing is stored there (store is false) and no prompt is cut (truncation is disabled); what a
// model thought is handed back encrypted, as it came. Keys, faults and identities are those of package openai.
package responses

import (
	"context"
	"net/http"
	"strconv"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/openai"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

const callPath = "responses"

// Options is what New needs to know. Getenv is asked for OPENAI_API_KEY, and for OPENAI_BASE_URL when the spec names no
// server.
type Options = wire.Options

// Model is one model behind one server.
type Model struct {
	*wire.Client
	server  *openai.Model // identities and lists, which both calls share
	learned openai.Learned
}

var (
	_ model.Model      = (*Model)(nil)
	_ model.Identifier = (*Model)(nil)
	_ model.Preparer   = (*Model)(nil)
	_ model.Lister     = (*Model)(nil)
	_ model.Closer     = (*Model)(nil)
	_ model.Local      = (*Model)(nil)
)

// New makes the model of a spec. Errors are one line, say what to set, and come before any connection is made.
func New(o Options) (*Model, error) {
	server, err := openai.Open(o, callPath)
	if err != nil {
		return nil, err
	}
	return &Model{Client: server.Client, server: server}, nil
}

// Call sends one request and waits for the whole reply, for as long as ctx lasts. See model.Model.
//
// It goes over package wire and not through the SDK: the body is written here byte by byte and the reply read here
// strictly, so that the SDK would only carry them.
func (m *Model) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	body, err := m.appendRequest(nil, &req)
	if err != nil {
		return model.Reply{}, m.Ours(err)
	}
	got := m.Send(ctx, http.MethodPost, callPath, body)
	if f := m.Fault(ctx, got); f != nil {
		if rep, ok := openai.Declined(got); ok {
			return rep, nil
		}
		return model.Reply{}, f
	}
	rep, f := m.readReply(got)
	if f != nil {
		return model.Reply{}, f
	}
	s := m.facts()
	rep.Prompt = model.Prompted{Partial: s.Partial, Loaded: s.Loaded, Refuses: s.Refuses}
	rep.Settings = m.settings(&req, s, openai.Thought(&rep))
	return rep, nil
}

// facts is what is known of the server. That others constrain the output of this call is known of none.
func (m *Model) facts() openai.Server {
	s := m.server.Server()
	s.Enforces = s.Enforces && s.Software == openai.Official
	return s
}

// Identify asks the server what stands behind the model's name. See openai.Model.Identify.
func (m *Model) Identify(ctx context.Context) (record.Identity, error) { return m.server.Identify(ctx) }

// List says which models the server has. A server without such a list is a *model.Fault.
func (m *Model) List(ctx context.Context) ([]model.Held, error) { return m.server.List(ctx) }

// params are what a call can do without.
var params = []string{"temperature", "top_p", "reasoning.summary", "reasoning.effort", "reasoning", "include", "text.format", "tools"}

// Prepare makes one short call with the posture's final settings, repeated without what the server's own error says that
// it does not take; a server on this machine is only looked at. See model.Preparer.
func (m *Model) Prepare(ctx context.Context, req model.Request) (model.Readiness, error) {
	ready, err := m.server.Look(ctx)
	if err != nil {
		return ready, err
	}
	if m.Local() {
		ready.Settings = m.settings(&req, m.facts(), false)
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

// settings says what of a request was not plainly sent as it was asked, and what is known of a schema and of tools.
func (m *Model) settings(req *model.Request, s openai.Server, thought bool) []record.Setting {
	out := m.learned.Left(nil, req, "temperature", "top_p")
	if req.Seed != nil {
		out = append(out, record.Setting{Name: "seed", Asked: strconv.FormatInt(*req.Seed, 10), State: record.SettingNotAccepted, Why: "the Responses API has no seed"})
	}
	if req.MaxOutput > 0 && req.MaxOutput < leastOutput {
		out = append(out, record.Setting{Name: "max_output", Asked: strconv.Itoa(req.MaxOutput), State: record.SettingNotAccepted,
			Why: "the Responses API takes no limit below 16 tokens; 16 was sent"})
	}
	if req.Context > 0 && s.Software == openai.Ollama {
		out = append(out, record.Setting{Name: "context", Asked: strconv.Itoa(req.Context), State: record.SettingNotAccepted,
			Why: "Ollama's OpenAI endpoint takes no num_ctx; use ollama/NAME"})
	}
	if set, say := m.thinking(req.Thinking, thought); say {
		out = append(out, set)
	}
	if req.Schema != nil {
		out = append(out, m.learned.Schema(req, "text.format", s))
	}
	if len(req.Tools) > 0 {
		out = append(out, m.learned.Tools(req, s))
	}
	return out
}

// thinking is the setting of the posture's wish; false: it was plainly sent.
func (m *Model) thinking(t model.Thinking, thought bool) (record.Setting, bool) {
	if t == model.ThinkingUnset {
		return record.Setting{}, false
	}
	for _, param := range []string{"reasoning", "reasoning.effort"} {
		if set, refused := m.learned.Effort(t, param, thought); refused {
			return set, true
		}
	}
	if t != model.ThinkingOn {
		return record.Setting{}, false
	}
	set := record.Setting{Name: "thinking", Asked: string(t), State: record.SettingAsked,
		Why: "this call has no switch that turns thinking on: its models think or do not, at an effort of their own"}
	if r, refused := m.learned.Of(t, "reasoning.summary"); refused && r.Whole && !thought {
		set.State, set.Why = record.SettingNotAccepted, r.Why
	}
	return set, true
}
