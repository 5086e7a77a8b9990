// Package providers opens a model by its spec. It is the only place that knows every provider, so that the rest of the
// program builds against the model interface alone.
package providers

import (
	"context"
	"fmt"
	"net"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/command"
	"github.com/assaybench/assay/model/control"
	"github.com/assaybench/assay/model/openai"
	"github.com/assaybench/assay/model/replay"
	"github.com/assaybench/assay/record"
)

// Lookup finds what a recorded run holds for a key; false means nothing.
type Lookup = func(ctx context.Context, key record.Key) (record.Transcript, bool, error)

// Env is what providers take from outside. What a spec does not need may be nil.
type Env struct {
	Getenv        func(string) string                     // keys and addresses
	Environ       []string                                // what command/PATH hands down; nil: this process's environment
	ControlAnswer func(name, item string) (string, error) // for control/NAME, but for control/empty
	Replay        func(run string) (Lookup, error)        // opens a recorded run for replay/RUN
	Concurrency   int                                     // calls at once
	// Dial opens network connections in place of the usual dialer; tests use it to stay on loopback.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Known lists the providers, in order.
func Known() []string { return model.Providers() }

// Open makes the model of a spec. Nothing is sent and no program is started yet, but whatever can be known to be missing
// (a key, a program, a recorded run) is an error of one line. A model that is also a model.Closer is to be closed.
func Open(spec model.Spec, env Env) (model.Model, error) {
	switch spec.Provider {
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
	case "openai":
		return openai.New(openai.Options{Spec: spec, Getenv: env.Getenv, Concurrency: env.Concurrency, Dial: env.Dial})
	case "replay":
		if env.Replay == nil {
			return nil, fmt.Errorf("model %q: no store whose runs could be replayed", spec.Raw)
		}
		lookup, err := env.Replay(spec.Name)
		if err != nil {
			return nil, fmt.Errorf("model %q: %w", spec.Raw, err)
		}
		return replay.New(spec.Name, lookup), nil
	}
	return nil, fmt.Errorf("model %q: no provider %q", spec.Raw, spec.Provider)
}
