package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/openai"
	"github.com/assaybench/assay/model/providers"
	"github.com/assaybench/assay/model/wire"
)

var errPatience = errors.New("the patience is over")

const (
	// looked is of how many models of an Ollama more is asked than its list says, lookedAtOnce of how many at a time.
	looked       = 24
	lookedAtOnce = 4
	nameMost     = 200
	digestMost   = 120
)

// server asks one server what it is and what it holds.
func (g *gatherer) server(ctx context.Context, t target) Server {
	s := Server{Provider: t.provider, Address: g.line(t.address, sayMost), AddressFrom: t.from, Models: []Model{}}
	if !t.ask {
		s.Finding = Finding{NotAsked, "it is not on this machine", "assay doctor --online asks"}
		return s
	}
	a := newAllowance(g.Dial)
	m, err := g.open(t, placeholder, a)
	if err != nil {
		msg := strings.TrimPrefix(err.Error(), fmt.Sprintf("model %q: ", t.provider))
		state := Fault
		if strings.Contains(msg, " is not set: ") {
			state = Missing
		}
		s.Finding = g.finding(state, msg, "correct the address or the key")
		return s
	}
	c := clientOf(m)
	defer c.Close()
	patience := g.Patience
	if !t.local {
		patience = max(patience, remotePatience)
	}
	first, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	held, err := m.(model.Lister).List(first)
	cancel()
	if err != nil {
		s.Finding = g.silence(model.AsFault(err), t, a, patience, c.Keyed)
		return s
	}
	s.take(g, held)
	then, cancel := context.WithTimeoutCause(ctx, patience*4/5, errPatience)
	defer cancel()
	switch {
	case t.provider == "ollama":
		if g.ollama(then, t, m, a, &s); s.Total == 0 && s.Version == "" {
			s.Finding = Finding{Fault, "answers, but not as Ollama does", "correct the address"}
			return s
		}
	case c.Official:
		s.Software = wanted[t.provider].service
	case t.provider == "openai" || t.provider == "responses":
		g.identify(then, t, a, &s)
	}
	software := strings.TrimSpace(s.Software + " " + s.Version)
	if software == "" {
		software = "software not said"
	}
	s.Finding = Finding{State: OK, Say: software + ", " + counted(s.Total, "model")}
	if s.Total == 0 {
		s.State, s.Say, s.Do = Missing, software+", holds no model", "load a model there"
		if t.provider == "ollama" {
			s.Do = "ollama pull NAME gets one"
		}
	}
	return s
}

// open makes a model of a target's provider, whose every byte counts against the allowance.
func (g *gatherer) open(t target, name string, a *allowance) (model.Model, error) {
	env := providers.Env{Dial: a.Dial, Concurrency: 1}
	switch {
	case t.keyed:
		env.Getenv = g.Getenv
	case t.url == "":
		// The address comes from the same place as the key, and the key stays here.
		variable := wanted[t.provider].address
		env.Getenv = func(name string) string {
			if name != variable {
				return ""
			}
			return g.Getenv(name)
		}
	}
	return providers.Open(model.Spec{Raw: t.provider, Provider: t.provider, Name: name, URL: t.url}, env)
}

// take keeps a list of models.
func (s *Server) take(g *gatherer, held []model.Held) {
	s.Total = len(held)
	for _, h := range held[:min(len(held), ListMost)] {
		s.Models = append(s.Models, Model{Name: g.line(h.Name, nameMost), Digest: g.line(h.Digest, digestMost), Context: h.Context, Bytes: h.Bytes})
	}
}

// silence is what is found of a server that gave no list.
func (g *gatherer) silence(f *model.Fault, t target, a *allowance, patience time.Duration, keyed bool) Finding {
	start := "start it, or correct the address"
	if t.start != "" {
		start = "start it: " + t.start
	}
	if t.guess {
		start += " (--server openai@URL looks at another address)"
	}
	switch {
	case f.Kind == model.FaultCancelled && !a.connected.Load():
		return Finding{Missing, fmt.Sprintf("no connection within %v", patience), start}
	case f.Kind == model.FaultCancelled:
		return Finding{Fault, fmt.Sprintf("accepts a connection, and gives no whole answer within %v", patience), "assay doctor --patience 10s waits longer"}
	case f.Kind == model.FaultUnreachable && strings.HasSuffix(f.Exchange.Error, "connection refused"):
		return Finding{Missing, "nothing listens there", start}
	case f.Kind == model.FaultUnreachable && !a.connected.Load():
		return g.finding(Missing, f.Msg, start)
	case f.Kind == model.FaultBusy:
		return g.finding(Fault, f.Msg, "ask again in a moment")
	case f.Kind == model.FaultDenied && t.guess:
		return Finding{Missing, "answers, and wants a key, which is not sent to an address that nobody named", "assay doctor --server openai@" + t.address + " asks it with OPENAI_API_KEY"}
	case f.Kind == model.FaultDenied && !keyed:
		return g.finding(Missing, f.Msg, "set "+strings.Join(wanted[t.provider].keys, " or "))
	case t.guess:
		return Finding{Missing, g.line("something answers, but not as a model server does: "+f.Msg, sayMost), start}
	}
	return g.finding(Fault, f.Msg, "correct the address, or see that server's log")
}

// identify finds out which software a server with OpenAI's protocol is. No model is named, since llama.cpp's server, where
// it has several, loads the one that its /props are asked for; without a name it answers for itself.
func (g *gatherer) identify(ctx context.Context, t target, a *allowance, s *Server) {
	m, err := g.open(t, "", a)
	if err != nil {
		return // New's only reasons were met before
	}
	defer clientOf(m).Close()
	id, err := m.(model.Identifier).Identify(ctx)
	if err != nil {
		return // it answered before; what is not known is left out
	}
	s.Software = g.line(id.Server, nameMost)
	known, ok := m.(interface{ Server() openai.Server })
	if !ok || known.Server().Software == "" {
		return
	}
	is := known.Server()
	s.Software, s.Version = is.Software, g.line(is.Version, digestMost)
	if s.Total == 1 {
		s.Models[0].Loaded = is.Loaded
	}
}

// ollama asks an Ollama for its version, and for what its list of models does not say of the first of them.
func (g *gatherer) ollama(ctx context.Context, t target, m model.Model, a *allowance, s *Server) {
	s.Software = "Ollama"
	var said struct {
		Version wire.Word `json:"version"`
	}
	if got := clientOf(m).Send(ctx, http.MethodGet, "api/version", nil); got.Err == nil && got.Status == http.StatusOK && json.Unmarshal(got.ResponseBody, &said) == nil {
		s.Version = g.line(string(said.Version), digestMost)
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, lookedAtOnce)
	for i := range s.Models[:min(len(s.Models), looked)] {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			g.ollamaModel(ctx, t, a, &s.Models[i])
		})
	}
	wg.Wait()
}

// ollamaModel adds what is known of one model; what the server does not tell in time stays 0.
func (g *gatherer) ollamaModel(ctx context.Context, t target, a *allowance, held *Model) {
	if ctx.Err() != nil {
		return
	}
	m, err := g.open(t, held.Name, a)
	if err != nil {
		return // New's only reasons were met before
	}
	defer clientOf(m).Close()
	id, err := m.(model.Identifier).Identify(ctx)
	if err != nil {
		return
	}
	held.Loaded, held.Remote = id.Context, g.line(id.Details["remote"], nameMost)
	var trained int64
	if _, err := fmt.Sscan(id.Details["trained_context"], &trained); err == nil {
		held.Context = trained
	}
}
