package anthropic

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// part is something of a request that a server may not accept.
type part string

const (
	partTemperature part = "temperature"
	partTopP        part = "top_p"
	partDisplay     part = "display"
	partEffort      part = "effort"
	partFormat      part = "format" // structured output
	partStrict      part = "strict" // of tools

	// The ways of asking for thinking, or for none, by their types on the wire.
	partAdaptive part = "adaptive"
	partEnabled  part = "enabled"
	partDisabled part = "disabled"
	partBetween  part = "between_tools"
	// offersBetween is no part: that the server named between_tools when it refused "disabled".
	offersBetween part = "offers between_tools"
)

// limits is what was found not to be accepted, each with the server's own words. It is never changed once it is shared.
type limits map[part]string

// limits gives what was learned for a posture's thinking: some limits hold only with it.
func (m *Model) limits(t model.Thinking) limits {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.learned[t]
}

// with is l and one more.
func (l limits) with(p part, words string) limits {
	n := maps.Clone(l)
	if n == nil {
		n = limits{}
	}
	n[p] = words
	return n
}

func (l limits) takes(p part) bool {
	_, refused := l[p]
	return !refused
}

const (
	// leastBudget is the API's own lower bound of a thinking budget, in tokens.
	leastBudget = 1024
	// shown is true of every thinking text on this wire.
	shown = "the text shown is at most a summary of the thinking, never the text thought"
)

// plan is what becomes of a request on this wire.
type plan struct {
	temperature, topP *float64
	thinking          part // "" is not sent
	budget            int  // of thinking, with partEnabled
	display           bool // ask for a summary of the thinking
	effort            string
	format            bool
	strict            []bool // for each tool
	settings          []record.Setting
}

// newPlan decides what of a request is sent, and says what is not plainly as it was asked. holds is the size of the
// context window, 0 where it is not known. It is a pure function.
func newPlan(req model.Request, l limits, holds int64) plan {
	var p plan
	set := func(name, asked, state, why string) {
		p.settings = append(p.settings, record.Setting{Name: name, Asked: asked, State: state, Why: model.OneLine(why, 300)})
	}
	sampling := func(of part, v *float64) *float64 {
		if v == nil || l.takes(of) {
			return v
		}
		set(string(of), strconv.FormatFloat(*v, 'g', -1, 64), record.SettingNotAccepted, "sampling not accepted: "+l[of])
		return nil
	}
	p.temperature = sampling(partTemperature, req.Temperature)
	p.topP = sampling(partTopP, req.TopP)
	if req.Seed != nil {
		set("seed", strconv.FormatInt(*req.Seed, 10), record.SettingNotAccepted, "the Messages API has no seed")
	}
	if holds > 0 && int64(req.Context) > holds {
		set("context", strconv.Itoa(req.Context), record.SettingNotAccepted, fmt.Sprintf("the model holds %d tokens", holds))
	}
	if state, why := p.think(req, l); state != "" {
		set("thinking", string(req.Thinking), state, why)
	}
	if req.Schema != nil {
		if p.format = l.takes(partFormat); p.format {
			set("schema", req.Schema.Name, record.SettingEnforced, "output_config.format; a refusal or a cut reply may still not follow it")
		} else {
			set("schema", req.Schema.Name, record.SettingNotAccepted, l[partFormat])
		}
	}
	if len(req.Tools) > 0 {
		state, why := p.tools(req.Tools, l)
		set("tools", strconv.Itoa(len(req.Tools)), state, why)
	}
	return p
}

// think decides how a posture's wish is put, and what is to be said of it; state "" is nothing.
func (p *plan) think(req model.Request, l limits) (state, why string) {
	switch req.Thinking {
	case model.ThinkingUnset:
		return "", ""
	case model.ThinkingOff:
		switch {
		case l.takes(partDisabled):
			p.thinking = partDisabled
			return "", ""
		case l[offersBetween] != "" && l.takes(partBetween):
			p.thinking = partBetween
			return record.SettingAsked, "the model takes no thinking off; sent was between_tools, its least, which leaves short notes between calls of tools"
		case l[partBetween] != "":
			return record.SettingNotAccepted, l[partBetween]
		}
		return record.SettingNotAccepted, l[partDisabled]
	case model.ThinkingOn:
	default:
		if !l.takes(partEffort) {
			return record.SettingNotAccepted, l[partEffort]
		}
		p.effort = string(req.Thinking)
	}
	why = p.reason(req, l)
	if p.thinking != "" {
		p.display = l.takes(partDisplay)
		return record.SettingAsked, why + "; " + shown
	}
	if p.effort != "" {
		return record.SettingAsked, "the level was sent, thinking was not asked for: " + why
	}
	return record.SettingNotAccepted, why
}

// reason picks the way in which thinking is asked for, and says why this one.
func (p *plan) reason(req model.Request, l limits) string {
	switch {
	case l.takes(partAdaptive):
		p.thinking = partAdaptive
		if p.effort != "" {
			return "a level guides the model and binds it to nothing"
		}
		return "adaptive: the model decides whether and how much it thinks"
	case !l.takes(partEnabled):
		return l[partEnabled]
	case req.MaxOutput <= leastBudget:
		return fmt.Sprintf("the model thinks by a fixed budget of at least %d tokens, and the output limit of %d leaves no room for it and an answer", leastBudget, req.MaxOutput)
	}
	p.thinking, p.budget = partEnabled, max(leastBudget, req.MaxOutput/2)
	return fmt.Sprintf("a fixed budget of %d of the %d tokens of output, since the model takes no adaptive thinking", p.budget, req.MaxOutput)
}

// tools decides which tools are strict: those whose schema the server can hold a model to.
func (p *plan) tools(tools []model.Tool, l limits) (state, why string) {
	p.strict = make([]bool, len(tools))
	if !l.takes(partStrict) {
		return record.SettingAsked, "strict tools not accepted: " + l[partStrict]
	}
	for i, t := range tools {
		reason := strictable(t.Input)
		p.strict[i] = reason == ""
		if reason != "" && why == "" {
			why = fmt.Sprintf("the tool %s is not strict: %s", t.Name, reason)
		}
	}
	if why != "" {
		return record.SettingAsked, why
	}
	return record.SettingEnforced, "every tool is strict: names and arguments follow its schema"
}
