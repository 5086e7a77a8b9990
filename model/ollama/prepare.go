package ollama

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

const (
	// warmUpOutput bounds the reply of the warm-up, in tokens. The output limit is no option that the model is loaded with,
	// so that another one makes no reload; so few tokens show whether the model begins by thinking.
	warmUpOutput = 32
	// warmUpTries is one for the wish about thinking and one without it.
	warmUpTries = 2
)

// thinkWords are those of a refusal that is about thinking: `"NAME" does not support thinking`, `invalid think value`,
// `think value "low" is not supported for this model`, `cannot unmarshal string into Go struct field ChatRequest.think`.
var thinkWords = model.NewPattern(`(?i)does not support thinking|\bthink value\b|\bthink must be\b|\.think\b`)

// Prepare finds out what the server is and holds, loads the model by a short request with the final options, and looks how
// it was loaded. A wish about thinking that the server refuses is left out from then on. A context that is not held, and
// thinking that goes on although it is off, are in the Readiness, for the protocol to judge.
func (m *Model) Prepare(ctx context.Context, req model.Request) (model.Readiness, error) {
	f, calls, fault := m.look(ctx)
	ready := model.Readiness{Calls: calls}
	if fault != nil {
		return ready, fault
	}
	warm := req
	if warm.MaxOutput == 0 || warm.MaxOutput > warmUpOutput {
		warm.MaxOutput = warmUpOutput
	}
	rep, fault := m.warmUp(ctx, warm, &ready)
	if fault != nil {
		return ready, fault
	}
	ready.Load = rep.Timing.Load
	if f.remote == "" && rep.Remote == "" {
		got := m.Send(ctx, http.MethodGet, "api/ps", nil)
		ready.Calls = append(ready.Calls, got.Exchange)
		r, fault := m.ps(ctx, got, &f, true)
		if fault != nil {
			return ready, fault
		}
		m.heldNow(req.Context, r)
		if r != nil {
			ready.Context = int64(r.Context)
		}
	}
	k := m.knowledge(req)
	if trained := k.show.trained(); ready.Context == 0 && trained > 0 && trained < int64(req.Context) {
		ready.Context = trained // it cannot be more
	}
	ready.Settings = readiness(req, warm, &rep, k, ready.Context)
	return ready, nil
}

// warmUp makes the request that loads the model.
func (m *Model) warmUp(ctx context.Context, warm model.Request, ready *model.Readiness) (model.Reply, *model.Fault) {
	for try := 1; ; try++ {
		rep, fault := m.call(ctx, warm, m.knowledge(warm))
		if fault == nil {
			ready.Calls = append(ready.Calls, rep.Exchange)
			return rep, nil
		}
		ready.Calls = append(ready.Calls, fault.Exchange)
		switch {
		case fault.Kind != model.FaultRejected:
			return rep, fault
		case try < warmUpTries && warm.Thinking != model.ThinkingUnset && thinkWords.MatchString(fault.Msg):
			m.mu.Lock()
			m.left[warm.Thinking] = fault.Msg
			m.mu.Unlock()
		case strings.Contains(fault.Msg, "does not support tools"):
			fault.Msg = fmt.Sprintf(`the model %q cannot call tools: choose one for which "ollama show" lists the capability tools`, m.Spec.Name)
			return rep, fault
		case strings.Contains(fault.Msg, "does not support chat"):
			fault.Msg = fmt.Sprintf(`the model %q cannot answer: choose one for which "ollama show" lists the capability completion`, m.Spec.Name)
			return rep, fault
		default:
			return rep, fault
		}
	}
}

// heldNow keeps how the model was loaded after a context was asked for.
func (m *Model) heldNow(asked int, r *running) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.loaded, asked)
	if r != nil && r.Context > 0 {
		m.loaded[asked] = int64(r.Context)
	}
}

// readiness is what the warm-up shows of a posture's settings.
func readiness(req, warm model.Request, rep *model.Reply, k knowledge, held int64) []record.Setting {
	// Of its output limit the warm-up, which has another, shows nothing.
	bare := *rep
	bare.Usage = record.Usage{}
	out := settings(req, &bare, k, false)
	if twoPasses(warm, rep) {
		out = settings(req, &bare, k, true)
	}
	if req.Context > 0 && held == 0 && rep.Remote == "" && !k.official {
		out = append(out, record.Setting{Name: "context", Asked: strconv.Itoa(req.Context), State: record.SettingAsked,
			Why: "the server does not say with how many tokens it loaded the model"})
	}
	if req.Thinking == model.ThinkingOff && strings.TrimSpace(rep.Thinking) != "" {
		out = append(out, record.Setting{Name: "thinking", Asked: "off", State: record.SettingNotHonoured,
			Why: "the model thought all the same when it was tried: " + model.OneLine(rep.Thinking, 80)})
	}
	return out
}
