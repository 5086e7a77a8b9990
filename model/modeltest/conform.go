// Package modeltest is what every provider is tested by: a conformance suite (Run), and a server on loopback that behaves
// like the model servers of five wires, or misbehaves in every way that they do (Mock).
package modeltest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// Act is what a model under test is to do with every request.
type Act struct {
	Answer   string
	Echo     bool // answer with the last user message, which is also the key's item
	Thinking string
	Finish   model.Finish // "" is FinishStop
	Delay    time.Duration
	// Calls is what the model asks for when a request offers tools and holds no tool's result yet; with one it answers.
	Calls []record.ToolCall
	// Rejects are the names of settings that the model does not take: a request that holds one is refused with a 400.
	Rejects []string
}

// Reply is the act on a mock of any wire: MockOptions{Wire: …, Reply: act.Reply}.
func (a Act) Reply(r MockRequest) MockReply {
	for _, setting := range a.Rejects {
		if r.Asks(setting) {
			return MockReply{Fault: Fault("400-" + setting)}
		}
	}
	m := MockReply{Content: a.Answer, Thinking: a.Thinking, Finish: string(a.Finish), Delay: a.Delay}
	if a.Echo {
		m.Content = r.User
	}
	if a.Finish == model.FinishRefusal {
		m.Finish, m.Refusal, m.Content = "", m.Content, ""
	}
	if len(a.Calls) > 0 && len(r.Tools) > 0 && len(r.Results) == 0 {
		m.Calls, m.Content = a.Calls, ""
	}
	return m
}

// Ability is what a provider can be made to show. The suite tests a provider by its abilities, and never less than the
// plain answers.
type Ability int

const (
	CanEcho     Ability = 1 << iota // answer by the request
	CanThink                        // thinking apart from the answer
	CanCut                          // FinishLength
	CanRefuse                       // FinishRefusal
	CanWait                         // Delay
	HasWire                         // something is sent and received, so that exchanges hold bytes
	CanTools                        // tools are offered, called, answered
	CanSchema                       // a schema for the answer
	CanLearn                        // Prepare finds out what the model does not take; Subject.Learns says of which settings
	CanSign                         // thinking is signed, and is handed back with its signature (Signature)
	CanRawCalls                     // a call's arguments travel as text, so that broken ones arrive as they are
)

// Subject is a provider under test.
type Subject struct {
	// New makes a model that acts so, and registers with t.Cleanup whatever it needs beside Close.
	New func(t testing.TB, act Act) model.Model
	Can Ability
	// Secrets are what must be found nowhere in what a model gives back or prints.
	Secrets []string
	// Learns are the names of settings that CanLearn is tried with: temperature, top_p, thinking (asked "on"), effort (thinking
	// asked "high"); "temperature" alone when nil.
	Learns []string
	// Answers replaces the answers that must come back byte for byte, for a provider that cannot say everything.
	Answers []string
}

// anyAnswers are texts that something on the way may be tempted to change.
var anyAnswers = []string{
	"", "ok", "ANSWER: 71.50", " leading and trailing \n", "\r\n\r\nCRLF\r\n", "NUL\x00and\x01controls\x1b[31m", "日本語 – “curly” … 🦊\u200b\ufeff",
	"```json\n{\"a\": \"\\u0041\"}\n```", "</s><|eot|>", "&lt;b&gt; <b>", "x</think>y", strings.Repeat("long line ", 20000), "\u2028\u2029", `\n "quoted" \`,
}

// soon bounds what must happen at once, on a busy machine with the race detector.
const soon = 2 * time.Second

// Run puts a provider through the suite.
func Run(t *testing.T, s Subject) {
	answers := s.Answers
	if answers == nil {
		answers = anyAnswers
	}
	t.Run("answers byte for byte", func(t *testing.T) {
		for _, text := range answers {
			m := s.open(t, Act{Answer: text})
			req := request("an item", 1)
			rep, err := m.Call(t.Context(), req)
			tr := s.transcribe(t, req, rep, err)
			if err != nil || tr.Outcome != record.Answered || tr.Answer != text || tr.Thinking != "" || rep.Answer != text {
				t.Errorf("%.60q: %s (%s), answer %.60q, thinking %q, error %v", text, tr.Outcome, tr.Reason, tr.Answer, tr.Thinking, err)
			}
			if len(tr.Calls) == 0 || tr.Calls[0].Endpoint == "" {
				t.Errorf("%.60q: the exchange does not say what was asked", text)
			} else if x := tr.Calls[0]; s.Can&HasWire != 0 && (len(x.RequestBody) == 0 || x.Started.IsZero() || x.Elapsed <= 0 || (len(x.ResponseBody) == 0 && text != "")) {
				t.Errorf("%.60q: the exchange is not filled: %d bytes sent, %d received, started %v, %d ns", text, len(x.RequestBody), len(x.ResponseBody), x.Started, x.Elapsed)
			}
		}
	})
	t.Run("has a name", func(t *testing.T) {
		if m := s.open(t, Act{}); !strings.Contains(m.Name(), "/") {
			t.Errorf("the name %q is not provider/model", m.Name())
		}
	})
	t.Run("thinking apart", func(t *testing.T) {
		s.needs(t, CanThink)
		m := s.open(t, Act{Answer: "ok", Thinking: "thought\nit over"})
		req := request("i", 1)
		rep, err := m.Call(t.Context(), req)
		if tr := s.transcribe(t, req, rep, err); tr.Answer != "ok" || tr.Thinking != "thought\nit over" || tr.Outcome != record.Answered {
			t.Errorf("%s, answer %q, thinking %q (%v)", tr.Outcome, tr.Answer, tr.Thinking, err)
		}
	})
	t.Run("cut off", func(t *testing.T) {
		s.needs(t, CanCut)
		m := s.open(t, Act{Answer: "half of", Finish: model.FinishLength})
		req := request("i", 1)
		rep, err := m.Call(t.Context(), req)
		if tr := s.transcribe(t, req, rep, err); tr.Outcome != record.Truncated || tr.Answer != "half of" {
			t.Errorf("%s, answer %q (%v)", tr.Outcome, tr.Answer, err)
		}
	})
	t.Run("refused", func(t *testing.T) {
		s.needs(t, CanRefuse)
		m := s.open(t, Act{Answer: "I will not.", Finish: model.FinishRefusal})
		req := request("i", 1)
		rep, err := m.Call(t.Context(), req)
		if tr := s.transcribe(t, req, rep, err); tr.Outcome != record.Refused {
			t.Errorf("%s (%v)", tr.Outcome, err)
		}
	})
	t.Run("ended before it began", func(t *testing.T) {
		m := s.open(t, Act{Answer: "ok"})
		for _, cause := range []error{model.ErrTimeLimit, errors.New("the user pressed Ctrl-C")} {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(cause)
			s.ended(t, m, ctx, cause)
		}
	})
	t.Run("time limit", func(t *testing.T) {
		s.needs(t, CanWait)
		m := s.open(t, Act{Answer: "ok", Delay: time.Minute})
		ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, model.ErrTimeLimit)
		defer cancel()
		s.ended(t, m, ctx, model.ErrTimeLimit)
	})
	t.Run("cancelled", func(t *testing.T) {
		s.needs(t, CanWait)
		m := s.open(t, Act{Answer: "ok", Delay: time.Minute})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		s.ended(t, m, ctx, context.Canceled)
	})
	t.Run("tools", func(t *testing.T) {
		s.needs(t, CanTools)
		s.tools(t)
	})
	t.Run("schema", func(t *testing.T) {
		s.needs(t, CanSchema)
		s.schema(t)
	})
	t.Run("learns what is not accepted", func(t *testing.T) {
		s.needs(t, CanLearn)
		s.learns(t)
	})
	t.Run("32 at once", func(t *testing.T) {
		s.needs(t, CanEcho)
		m := s.open(t, Act{Echo: true})
		var wg sync.WaitGroup
		for i := range 32 {
			wg.Go(func() {
				for j := range 4 {
					text := fmt.Sprintf("caller %d, turn %d %s", i, j, strings.Repeat("é", 100*i))
					req := request(text, j+1)
					rep, err := m.Call(t.Context(), req)
					if tr := s.transcribe(t, req, rep, err); tr.Answer != text || tr.Outcome != record.Answered {
						t.Errorf("%.40q got %.40q (%s, %v)", text, tr.Answer, tr.Outcome, err)
					}
				}
			})
		}
		wg.Wait()
	})
}

// request asks for an item whose only message is the item's name, so that all who answer by either can echo.
func request(item string, repeat int) model.Request {
	zero := 0.0
	return model.Request{Key: record.Key{Model: "m", Posture: "plain", Item: item, Repeat: repeat},
		Messages: []model.Message{{Role: "user", Text: item}}, Temperature: &zero, MaxOutput: 1536, Context: 4096}
}

func (s Subject) needs(t *testing.T, a Ability) {
	t.Helper()
	if s.Can&a == 0 {
		t.Skip("the provider has no such ability")
	}
}

// open makes a model whose printed forms hold no secret, and which leaves no goroutine behind when it is closed.
func (s Subject) open(t *testing.T, act Act) model.Model {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) }) // runs after the cleanups that New registers
	m := s.New(t, act)
	t.Cleanup(func() {
		if c, ok := m.(model.Closer); ok {
			if err := c.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		}
	})
	s.keepsSecrets(t, m)
	return m
}

// transcribe decides the outcome and looks for secrets in all that came back.
func (s Subject) transcribe(t *testing.T, req model.Request, rep model.Reply, err error) record.Transcript {
	t.Helper()
	if err != nil {
		if f, ok := errors.AsType[*model.Fault](err); !ok || strings.ContainsAny(f.Msg, "\r\n\x1b") || f.Msg == "" {
			t.Errorf("the error is no fault of one line: %q", err)
		}
	}
	tr := model.Transcribe(req, rep, err)
	s.keepsSecrets(t, rep, err, tr)
	return tr
}

// ended makes a call whose context has ended or will end, and wants it back soon with the cause and the right outcome.
func (s Subject) ended(t *testing.T, m model.Model, ctx context.Context, cause error) {
	t.Helper()
	req := request("i", 1)
	began := time.Now()
	rep, err := m.Call(ctx, req)
	took := time.Since(began)
	tr := s.transcribe(t, req, rep, err)
	want := record.Error
	if errors.Is(cause, model.ErrTimeLimit) {
		want = record.Timeout
	}
	if f := model.AsFault(err); err == nil || f.Kind != model.FaultCancelled || !errors.Is(err, cause) || tr.Outcome != want {
		t.Errorf("%v: outcome %s, want %s; error %v", cause, tr.Outcome, want, err)
	}
	if took > soon {
		t.Errorf("%v: came back after %v", cause, took)
	}
}

// keepsSecrets looks for secrets in every way of printing a value, and in the bytes of exchanges.
func (s Subject) keepsSecrets(t testing.TB, values ...any) {
	t.Helper()
	for _, secret := range s.Secrets {
		for _, v := range values {
			if where := FindSecret(secret, v); where != "" {
				t.Errorf("a secret is in %T: %s", v, where)
			}
		}
	}
}
