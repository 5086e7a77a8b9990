package openai

import (
	"strconv"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// settings says what of a request was not plainly sent as it was asked, and what is known of a schema and of tools.
// thought reports whether the reply shows thinking; nothing is allocated where there is nothing to say.
func (m *Model) settings(req *model.Request, s Server, thought bool) []record.Setting {
	var out []record.Setting
	if !m.learned.Empty() {
		out = m.learned.Left(out, req, "temperature", "top_p", "seed")
		if req.MaxOutput > 0 && m.limit(req.Thinking) == "" {
			r, _ := m.learned.Of(req.Thinking, "max_completion_tokens")
			out = append(out, record.Setting{Name: "max_output", Asked: strconv.Itoa(req.MaxOutput), State: record.SettingNotAccepted, Why: r.Why})
		}
	}
	if req.Context > 0 && s.Software == Ollama {
		out = append(out, record.Setting{Name: "context", Asked: strconv.Itoa(req.Context), State: record.SettingNotAccepted,
			Why: "Ollama's OpenAI endpoint takes no num_ctx; use ollama/NAME"})
	}
	out = m.thinkingSetting(out, req.Thinking, s, thought)
	if req.Schema != nil {
		set := m.learned.Schema(req, "response_format", s)
		// Without a reasoning parser vLLM constrains all of the output, thinking included.
		if s.Software == VLLM && set.State == record.SettingEnforced && req.Thinking != model.ThinkingOff && !thought {
			set.Why += "; no thinking came apart, and without --reasoning-parser the schema leaves a model no room to think"
		}
		out = append(out, set)
	}
	if len(req.Tools) > 0 {
		out = append(out, m.learned.Tools(req, s))
	}
	return out
}

// thinkingSetting is the part for the posture's wish.
func (m *Model) thinkingSetting(out []record.Setting, t model.Thinking, s Server, thought bool) []record.Setting {
	set := record.Setting{Name: "thinking", Asked: string(t), State: record.SettingAsked}
	switch {
	case t == model.ThinkingUnset:
		return out
	case t == model.ThinkingOff || t == model.ThinkingOn:
		if s.Software != Official && s.Software != Ollama {
			r, refused := m.learned.Of(t, "chat_template_kwargs")
			switch {
			case refused:
				set.State, set.Why = record.SettingNotAccepted, r.Why
			case s.Software == LMStudio:
				set.Why = "sent for the model's template, and LM Studio does not say whether it hands it on"
			default:
				return out
			}
			return append(out, set)
		}
		if t == model.ThinkingOn {
			set.Why = "this endpoint has no switch that turns thinking on: its models think or do not, at an effort of their own"
			return append(out, set)
		}
	}
	r, refused := m.learned.Of(t, "reasoning_effort")
	if !refused {
		return out
	}
	return append(out, refusedEffort(set, r, thought))
}

// refusedEffort tells a model that has no thinking to switch off from one whose thinking cannot be.
func refusedEffort(set record.Setting, r Refusal, thought bool) record.Setting {
	if r.Whole && set.Asked == string(model.ThinkingOff) && !thought {
		set.Why = "the model takes no effort, and its reply shows no thinking (" + r.Why + ")"
		return set
	}
	set.State, set.Why = record.SettingNotAccepted, r.Why
	return set
}

// Left adds the numbers that were asked for and not sent, by the names of the parameters.
func (l *Learned) Left(out []record.Setting, req *model.Request, params ...string) []record.Setting {
	for _, p := range params {
		asked := ""
		switch {
		case p == "temperature" && req.Temperature != nil:
			asked = strconv.FormatFloat(*req.Temperature, 'g', -1, 64)
		case p == "top_p" && req.TopP != nil:
			asked = strconv.FormatFloat(*req.TopP, 'g', -1, 64)
		case p == "seed" && req.Seed != nil:
			asked = strconv.FormatInt(*req.Seed, 10)
		}
		if r, refused := l.Of(req.Thinking, p); refused && asked != "" {
			out = append(out, record.Setting{Name: p, Asked: asked, State: record.SettingNotAccepted, Why: r.Why})
		}
	}
	return out
}

// Effort is the setting of an effort that was asked for and refused, under the parameter's name; false: it was not
// refused.
func (l *Learned) Effort(t model.Thinking, param string, thought bool) (record.Setting, bool) {
	r, refused := l.Of(t, param)
	if !refused {
		return record.Setting{}, false
	}
	return refusedEffort(record.Setting{Name: "thinking", Asked: string(t), State: record.SettingAsked}, r, thought), true
}

// Schema is the setting of a schema that was asked for under the parameter's name.
func (l *Learned) Schema(req *model.Request, param string, s Server) record.Setting {
	set := record.Setting{Name: "schema", Asked: req.Schema.Name, State: record.SettingAsked, Why: "nothing says that the server constrains the output"}
	whole, refused := l.Of(req.Thinking, param)
	loose, loosened := l.Of(req.Thinking, param+Strict)
	switch {
	case refused:
		set.State, set.Why = record.SettingNotAccepted, whole.Why
	case loosened:
		set.Why = "not taken strictly: " + loose.Why
	case s.Enforces:
		set.State, set.Why = record.SettingEnforced, s.Software+" constrains the output to it"
	case s.Software == Ollama:
		set.Why = "Ollama constrains the output for some models and some versions only"
	}
	return set
}

// Tools is the setting of the tools that were asked for.
func (l *Learned) Tools(req *model.Request, s Server) record.Setting {
	names := make([]string, len(req.Tools))
	for i, t := range req.Tools {
		names[i] = t.Name
	}
	set := record.Setting{Name: "tools", Asked: model.OneLine(strings.Join(names, ", "), 200), State: record.SettingAsked,
		Why: "nothing says that the server holds arguments to their schema"}
	whole, refused := l.Of(req.Thinking, "tools")
	loose, loosened := l.Of(req.Thinking, "tools"+Strict)
	switch {
	case refused:
		set.State, set.Why = record.SettingNotAccepted, whole.Why
	case loosened:
		set.Why = "not taken strictly: " + loose.Why
	case s.Software == Official:
		set.State, set.Why = record.SettingEnforced, "strict functions: the server constrains arguments to their schema"
	}
	return set
}
