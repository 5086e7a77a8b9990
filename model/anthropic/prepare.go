package anthropic

import (
	"context"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

// maxTries bounds the probes of one Prepare: each but the last leaves out one more part, and there are no more parts than
// this in a request.
const maxTries = 10

// Prepare sends the request as the posture wants it and learns from the server's own refusals what to leave out, for all
// further calls with this posture's thinking. A probe is a whole call and costs what it costs; one that is refused costs
// nothing. With a fault, which has the last exchange, the result still holds those before it. See model.Preparer.
func (m *Model) Prepare(ctx context.Context, req model.Request) (model.Readiness, error) {
	var ready model.Readiness
	l := m.limits(req.Thinking)
	for try := 1; ; try++ {
		rep, f := m.call(ctx, req, l)
		if f == nil {
			ready.Calls = append(ready.Calls, rep.Exchange)
			break
		}
		if f.Kind != model.FaultRejected || f.Status != 400 && f.Status != 422 || try == maxTries {
			return ready, f
		}
		p, words := lesson(wire.ReadError(f.Exchange.ResponseBody).Message, newPlan(req, l, 0))
		if p == "" {
			return ready, f
		}
		ready.Calls = append(ready.Calls, f.Exchange)
		if l = l.with(p, words); p == partDisabled && strings.Contains(words, string(partBetween)) {
			l = l.with(offersBetween, words)
		}
	}
	m.mu.Lock()
	m.learned[req.Thinking] = l
	m.mu.Unlock()
	if m.holds.Load() == 0 {
		i, got := m.info(ctx)
		if ctx.Err() != nil {
			return ready, model.Cancelled(ctx, got.Exchange)
		}
		ready.Calls = append(ready.Calls, got.Exchange)
		m.holds.Store(int64(i.MaxInput))
	}
	ready.Context = m.holds.Load()
	ready.Settings = newPlan(req, l, ready.Context).settings
	return ready, nil
}

var (
	// formWords name a way of asking for thinking that the model does not have.
	formWords = model.NewPattern(`(?i)"?thinking\.type\.\w+"? is not supported|adaptive thinking is not (supported|available)|` +
		`thinking(\.\w+)*: input (tag|should be)|does not support (adaptive |extended )?thinking|thinking is not (supported|available)|thinking: extra inputs`)
	notTaken = model.NewPattern(`(?i)not support|not available|extra inputs|not permitted|not allowed|unknown|unrecognized|unexpected`)
)

// lesson finds in a refusal's words which part of what was sent is not accepted; "" is none. The order matters, since a
// refusal of one part often names others as the reason or the remedy: "`temperature` may only be set to 1 when thinking
// is enabled", "Use "thinking.type.adaptive" and "output_config.effort"".
func lesson(said string, sent plan) (part, string) {
	words := model.OneLine(said, 200)
	s := strings.ToLower(said)
	has := func(w string) bool { return strings.Contains(s, w) }
	switch {
	case sent.topP != nil && sent.temperature != nil && has("temperature") && has("top_p") && has("both"):
		return partTopP, words // "Please use only one": temperature is what a protocol is about
	case sent.temperature != nil && has("temperature"):
		return partTemperature, words
	case sent.topP != nil && has("top_p"):
		return partTopP, words
	case sent.display && has("display"):
		return partDisplay, words
	case sent.thinking != "" && formWords.MatchString(said):
		return sent.thinking, words
	case sent.effort != "" && has("effort"):
		return partEffort, words
	case isStrict(sent) && (has("strict") || has("grammar") || has("too complex") || has("tools.") && (has("schema") || has("additionalproperties"))):
		return partStrict, words
	case sent.format && !has("format.schema") && (has("output format") || has("output_config.format") || has("structured output")) && notTaken.MatchString(said):
		return partFormat, words
	case has("output_config") && notTaken.MatchString(said) && !has("format.schema"): // the server knows none of it
		if sent.effort != "" {
			return partEffort, words
		}
		if sent.format {
			return partFormat, words
		}
	}
	return "", ""
}

func isStrict(p plan) bool {
	for _, s := range p.strict {
		if s {
			return true
		}
	}
	return false
}
