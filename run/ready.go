package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// prepareTimeout bounds what a model may take to be made ready: loading a large one takes minutes.
const prepareTimeout = 15 * time.Minute

var errPrepareTimeout = fmt.Errorf("it was not ready within %v", prepareTimeout)

// readyPrompt is what models are made ready with. Nobody looks at the answer.
const readyPrompt = "Answer with one word: ready"

// requestFor is a call under a posture, with everything that the protocol decides.
func requestFor(p *bench.Protocol, q bench.Posture, messages []model.Message) model.Request {
	return model.Request{Messages: messages, Temperature: p.Temperature, TopP: p.TopP, Seed: p.Seed,
		MaxOutput: q.MaxOutput, Context: p.Context, Thinking: model.Thinking(q.Thinking)}
}

// duty is a model at a posture that has attempts to make.
type duty struct{ model, posture int }

// duties lists what is left to do, by model and posture, in the plan's order: all of a new run, or what a tally says of an
// old one.
func duties(p *store.Plan, t store.Tally) []duty {
	left := map[[2]string]bool{}
	for _, l := range t {
		if l.Outcome == "" || l.Outcome == record.Error {
			left[[2]string{l.Model, l.Posture}] = true
		}
	}
	var out []duty
	for m := range p.Models {
		for _, q := range p.Models[m].Postures {
			if t == nil || left[[2]string{p.Models[m].Name, p.Postures[q]}] {
				out = append(out, duty{m, q})
			}
		}
	}
	return out
}

// prepare makes the models ready, each at each posture that it has attempts at, and gives what they said as facts, and the
// models whose servers were asked something for it, which may have loaded them. A model that cannot be made ready is a *ModelError; one that holds too little, or does not take a setting where the protocol
// wants it refused, a *UsageError.
func (s *Session) prepare(ctx context.Context, p *store.Plan) (facts []store.Fact, asked map[int]bool, err error) {
	asked = map[int]bool{}
	proto := &s.spec.Set.Bench().Protocol
	var unhonoured []string
	schema := false // among them
	for _, d := range s.todo {
		m := s.spec.Models[d.model].Model
		who, ok := m.(model.Preparer)
		if !ok {
			continue
		}
		posture := p.Postures[d.posture]
		ready, err := s.makeReady(ctx, who, posture)
		if err != nil {
			return nil, nil, &ModelError{Model: m.Name(), Err: fmt.Errorf("posture %s: %w", posture, err)}
		}
		if len(ready.Calls) > 0 {
			asked[d.model] = true
		}
		if err := holds(m.Name(), ready.Context, proto); err != nil {
			return nil, nil, err
		}
		for _, x := range ready.Settings {
			if x.State == record.SettingNotAccepted || x.State == record.SettingNotHonoured {
				schema = schema || x.Name == "schema"
				unhonoured = append(unhonoured, fmt.Sprintf("model %s, posture %s: %s %s: %s (%s)", m.Name(), posture, x.Name, x.Asked, x.State, model.OneLine(x.Why, 0)))
			}
		}
		f, err := readyFact(d, s.engine.Now(), ready)
		if err != nil {
			return nil, nil, err
		}
		facts = append(facts, f)
	}
	if len(unhonoured) > 0 && proto.Unhonoured == bench.UnhonouredRefuse {
		hint := ""
		if schema {
			hint = "\nof the schema: " + withoutSchema
		}
		return nil, nil, usagef("%s: its protocol wants every setting honoured (unhonoured: refuse), and that cannot be\n  %s%s", s.spec.Set.Bench().Name(), strings.Join(unhonoured, "\n  "), hint)
	}
	for _, u := range unhonoured {
		s.engine.note("warning: %s; the results say so", u)
	}
	return facts, asked, nil
}

// makeReady makes a model ready at a posture.
func (s *Session) makeReady(ctx context.Context, who model.Preparer, posture string) (ready model.Readiness, err error) {
	proto := &s.spec.Set.Bench().Protocol
	q, _ := proto.Posture(posture)
	req := requestFor(proto, q, []model.Message{{Role: "user", Text: readyPrompt}})
	if conv, ok := s.spec.Set.(Converser); ok && !s.spec.NoSchema {
		req.Schema = conv.Schema("")
	}
	err = s.engine.persist(ctx, func() (err error) {
		ready, err = askReady(ctx, who, req)
		return err
	})
	if f, ok := errors.AsType[*model.Fault](err); ok {
		schemaRefused(&req, f)
	}
	return ready, err
}

// askReady asks once, and keeps a provider's panic from taking the program down.
func askReady(ctx context.Context, who model.Preparer, req model.Request) (ready model.Readiness, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, prepareTimeout, errPrepareTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while it was made ready: %s", model.OneLine(fmt.Sprint(p), 0))
		}
	}()
	return who.Prepare(ctx, req)
}

// holds refuses a model whose server holds less than the protocol needs. 0 is unknown, and refuses nothing.
func holds(name string, context int64, p *bench.Protocol) error {
	if need := int64(p.Context); context > 0 && context < need {
		return usagef("model %s: its server holds a context of %d tokens, and the protocol needs %d; load the model with a larger context", name, context, need)
	}
	return nil
}

// readyFact keeps a readiness, without the exchanges' bodies where these are too large.
func readyFact(d duty, now time.Time, ready model.Readiness) (store.Fact, error) {
	f, err := store.NewFact(store.FactReady, d.model, d.posture, now, ready)
	if store.KindOf(err) == store.TooLarge {
		ready.Calls = bodiless(ready.Calls)
		f, err = store.NewFact(store.FactReady, d.model, d.posture, now, ready)
	}
	return f, err
}

// bodiless are exchanges without their bodies, with a word about it.
func bodiless(calls []record.Exchange) []record.Exchange {
	out := make([]record.Exchange, min(len(calls), 64))
	for i := range out {
		out[i] = record.Exchange{Endpoint: calls[i].Endpoint, Status: calls[i].Status, Started: calls[i].Started, Elapsed: calls[i].Elapsed,
			Error: strings.TrimPrefix(calls[i].Error+"; the bodies were too large to be kept", "; ")}
	}
	return out
}
