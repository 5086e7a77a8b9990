package gemini

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// maxTries bounds the probes of one Prepare. An honest server needs 13 at most: one setting named, and a schema refused
// without a word in both forms, after all that is suspected before it.
const maxTries = 16

// Prepare asks what the model is, and makes a call with the posture's own settings. What the server says in a 400 that it
// does not take is left out from then on; where its 400 names nothing ("Request contains an invalid argument."), one
// setting at a time is left out until the call goes well. A limit on the output is never left out: a model that does
// not take it is a fault.
func (m *Model) Prepare(ctx context.Context, req model.Request) (model.Readiness, error) {
	var ready model.Readiness
	info, got, f := m.inquire(ctx)
	if f == nil {
		f = m.note(got, info)
	}
	if f != nil {
		return ready, f
	}
	ready.Calls = append(ready.Calls, got.Exchange)
	var unnamed *model.Fault // the first refusal that names nothing
	var tried []string       // what was left out by itself since
	suspect := ""
	for range maxTries {
		p := m.plan(req)
		p.leave(suspect)
		body, err := appendRequest(nil, req, p)
		if err != nil {
			return ready, m.Ours(err)
		}
		got := m.generate(ctx, body)
		f := m.fault(ctx, got)
		var rep model.Reply
		if f == nil {
			rep, f = m.readReply(got, len(req.Messages))
		}
		if f != nil && (f.Kind != model.FaultRejected || got.Status != http.StatusBadRequest) {
			return ready, f
		}
		ready.Calls = append(ready.Calls, got.Exchange)
		if f == nil {
			if suspect != "" && m.learned.refuse(req, suspect, unnamed.Msg) {
				unnamed, tried, suspect = nil, nil, "" // another form of it may be taken
				continue
			}
			return m.readiness(ready, req, rep), nil
		}
		e, _ := readError(got.ResponseBody)
		words := f.Msg + e.message + e.fields
		switch name := culprit(words, &p); {
		case name == "thinking" && noThinking.MatchString(words):
			m.learned.setUnthinking(f.Msg)
			unnamed, tried, suspect = nil, nil, ""
		case name != "":
			m.learned.refuse(req, name, f.Msg)
			unnamed, tried, suspect = nil, nil, ""
		default:
			if unnamed == nil {
				unnamed = f
			}
			p = m.plan(req)
			if suspect = nextSuspect(&p, tried); suspect == "" {
				return ready, unnamed
			}
			tried = append(tried, suspect)
		}
	}
	return ready, &model.Fault{Kind: model.FaultRejected, Status: http.StatusBadRequest, Exchange: ready.Calls[len(ready.Calls)-1],
		Msg: fmt.Sprintf("the server did not accept the request in any of %d forms, and named nothing that helps", maxTries)}
}

// readiness is what is known once a probe went well. A probe that thought in spite of "off" is told here, since some
// models take a budget of none and think all the same.
func (m *Model) readiness(ready model.Readiness, req model.Request, rep model.Reply) model.Readiness {
	p := m.plan(req)
	ready.Settings, ready.Context = p.settings, p.inputLimit
	thought := rep.Thinking != "" || rep.Usage.Thinking != nil
	if req.Thinking == model.ThinkingOff && thought && p.thinking != left {
		ready.Settings = append(ready.Settings, record.Setting{Name: "thinking", Asked: string(req.Thinking), State: record.SettingNotHonoured,
			Why: "the probe's reply shows thinking although a budget of 0 was taken"})
	}
	return ready
}

// suspects are the settings that a refusal may be about, the likeliest first, with the words that point to them.
var suspects = []struct {
	name  string
	words *model.Pattern
}{
	{"tools", model.NewPattern(`(?i)tools\[|function_?declarations|function calling is not|tool use is not`)},
	{"thinking", model.NewPattern(`(?i)thinking|\bbudget\b`)},
	{"schema", model.NewPattern(`(?i)schema|mime_? ?type|response_?format|json mode|too many states`)},
	{"top_p", model.NewPattern(`(?i)\btop_?p\b|sampling`)},
	{"temperature", model.NewPattern(`(?i)temperature|sampling`)},
	{"seed", model.NewPattern(`(?i)\bseed\b`)},
	{"tools", model.NewPattern(`(?i)\btools?\b|function call`)},
}

// noThinking are the words of a model that has none, as against one that cannot leave it or has no such level.
var noThinking = model.NewPattern(`(?i)\bthinking( mode)? is not (enabled|supported|available)|(does not|doesn't) support thinking\b`)

// culprit is the setting, of those that were sent, that a refusal names; "" where it names none.
func culprit(words string, p *plan) string {
	for _, s := range suspects {
		if p.sent(s.name) && s.words.MatchString(words) {
			return s.name
		}
	}
	return ""
}

func nextSuspect(p *plan, tried []string) string {
	for _, name := range []string{"thinking", "top_p", "temperature", "seed", "schema", "tools"} {
		if p.sent(name) && !slices.Contains(tried, name) {
			return name
		}
	}
	return ""
}

func (l *learned) setUnthinking(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unthinking = why
}

// note keeps a model's limits, and finds a model that cannot be asked for text.
func (m *Model) note(got *wire.Response, info *card) *model.Fault {
	if info == nil {
		return nil
	}
	m.learned.mu.Lock()
	m.learned.inputLimit, m.learned.outputLimit = int64(info.Input), int64(info.Output)
	m.learned.mu.Unlock()
	if len(info.Methods) > 0 && !slices.Contains(info.Methods, "generateContent") {
		return m.NewFault(model.FaultNoModel, got, fmt.Sprintf("the model %q does not answer generateContent; it takes %s", m.Spec.Name, info.methods()))
	}
	return nil
}
