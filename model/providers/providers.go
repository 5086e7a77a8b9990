// Package providers opens a model by its spec. It is the only place that knows every provider, so that the rest of the
// program builds against the model interface alone.
package providers

import (
	"context"
	"fmt"
	"net"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/anthropic"
	"github.com/assaybench/assay/model/command"
	"github.com/assaybench/assay/model/control"
	"github.com/assaybench/assay/model/gemini"
	"github.com/assaybench/assay/model/ollama"
	"github.com/assaybench/assay/model/openai"
	"github.com/assaybench/assay/model/replay"
	"github.com/assaybench/assay/model/responses"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// Lookup finds what a recorded run holds for a key; false means nothing.
type Lookup = func(ctx context.Context, key record.Key) (record.Transcript, bool, error)

// Recorded is a run that can be replayed.
type Recorded struct {
	Lookup  Lookup
	Control bool // it is of a control, and so is what is replayed of it
}

// Env is what providers take from outside. What a spec does not need may be nil.
type Env struct {
	Getenv        func(string) string                     // keys and addresses
	Environ       []string                                // what command/PATH hands down; nil: this process's environment
	ControlAnswer func(name, item string) (string, error) // for control/NAME, but for control/empty
	Replay        func(run string) (Recorded, error)      // opens a recorded run for replay/RUN
	Concurrency   int                                     // calls at once
	// Dial opens network connections in place of the usual dialer; tests use it to stay on loopback.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Known lists the providers, in order.
func Known() []string { return model.Providers() }

// Open makes the model of a spec. Nothing is sent and no program is started yet, but whatever can be known to be missing
// (a key, a program, a recorded run) is an error of one line. A model that is also a model.Closer is to be closed.
func Open(spec model.Spec, env Env) (model.Model, error) {
	o := wire.Options{Spec: spec, Getenv: env.Getenv, Concurrency: env.Concurrency, Dial: env.Dial}
	switch spec.Provider {
	case "anthropic":
		return anthropic.New(o)
	case "command":
		return command.New(spec.Name, env.Environ)
	case "control":
		if spec.Name == control.Empty {
			return control.New(spec.Name, nil), nil
		}
		if env.ControlAnswer == nil {
			return nil, fmt.Errorf("model %q: no bench whose controls could answer", spec.Raw)
		}
		return control.New(spec.Name, func(item string) (string, error) { return env.ControlAnswer(spec.Name, item) }), nil
	case "gemini":
		return gemini.New(o)
	case "ollama":
		return ollama.New(o)
	case "openai":
		m, err := openai.New(o)
		if err != nil {
			return nil, err
		}
		// OpenAI's own server is asked by its newer API: chat completions there hold back what a reasoning model thought, and
		// some models are served by the newer one alone.
		if m.Official {
			return responses.New(o)
		}
		return m, nil
	case "responses":
		return responses.New(o)
	case "replay":
		if env.Replay == nil {
			return nil, fmt.Errorf("model %q: no store whose runs could be replayed", spec.Raw)
		}
		run, err := env.Replay(spec.Name)
		if err != nil {
			return nil, fmt.Errorf("model %q: %w", spec.Raw, err)
		}
		if run.Control {
			return replay.NewOfControl(spec.Name, run.Lookup), nil
		}
		return replay.New(spec.Name, run.Lookup), nil
	}
	return nil, fmt.Errorf("model %q: no provider %q", spec.Raw, spec.Provider)
}
