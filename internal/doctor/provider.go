package doctor

import (
	"fmt"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/anthropic"
	"github.com/assaybench/assay/model/gemini"
	"github.com/assaybench/assay/model/ollama"
	"github.com/assaybench/assay/model/openai"
	"github.com/assaybench/assay/model/providers"
	"github.com/assaybench/assay/model/responses"
	"github.com/assaybench/assay/model/wire"
)

// want is what a provider needs from outside.
type want struct {
	needs   string
	keys    []string // variables that may hold the key
	address string   // variable of the server's address, "" where there is no server
	service string   // what the provider's own server is called
}

// wanted is in words what each provider's New asks of its environment; a test holds the two together.
var wanted = map[string]want{
	"anthropic": {"a key, or a server of your own", []string{"ANTHROPIC_API_KEY"}, "ANTHROPIC_BASE_URL", "Anthropic API"},
	"command":   {needs: "a program of yours"},
	"control":   {needs: "nothing: the bench's own answers"},
	"gemini":    {"a key, or a server of your own", []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, "GOOGLE_GEMINI_BASE_URL", "Gemini API"},
	"ollama":    {"a running Ollama", []string{"OLLAMA_API_KEY"}, "OLLAMA_HOST", "ollama.com"},
	"openai":    {"a key, or a server of your own", []string{"OPENAI_API_KEY"}, "OPENAI_BASE_URL", "OpenAI API"},
	"replay":    {needs: "a recorded run"},
	"responses": {"a key, or a server of your own", []string{"OPENAI_API_KEY"}, "OPENAI_BASE_URL", "OpenAI API"},
}

// placeholder stands for a model's name where any will do: nothing is called.
const placeholder = "NAME"

// providers says of each provider what it needs and what of it is there. Nothing is sent.
func (g *gatherer) providers() []Provider {
	var out []Provider
	for _, name := range model.Providers() {
		out = append(out, g.provider(name))
	}
	return out
}

func (g *gatherer) provider(name string) Provider {
	w := wanted[name]
	p := Provider{Name: name, Needs: w.needs, Keys: append([]string{}, w.keys...), Key: g.found(w.keys), Finding: Finding{State: OK, Say: "needs " + w.needs}}
	if w.address == "" {
		return p
	}
	p.AddressFrom = "default"
	if strings.TrimSpace(g.Getenv(w.address)) != "" {
		p.AddressFrom = w.address
	}
	spec := model.Spec{Raw: name, Provider: name, Name: placeholder}
	m, err := providers.Open(spec, providers.Env{Getenv: g.Getenv})
	lacking := false
	if err != nil && p.Key == "" {
		// Whether the key is all that is missing shows when one is there.
		withKey := func(variable string) string {
			if variable == w.keys[0] {
				return "stand-in"
			}
			return g.Getenv(variable)
		}
		if other, otherErr := providers.Open(spec, providers.Env{Getenv: withKey}); otherErr == nil {
			m, lacking = other, true
		}
	}
	if err != nil && !lacking {
		p.Finding = g.finding(Fault, strings.TrimPrefix(err.Error(), fmt.Sprintf("model %q: ", name)), "correct "+w.address)
		return p
	}
	c := clientOf(m)
	defer c.Close()
	p.Address, p.official = g.line(c.Base, sayMost), c.Official
	at := fmt.Sprintf("%s (%s)", p.Address, p.AddressFrom)
	switch {
	case p.Key != "":
		p.Say = "key found in " + p.Key + "; " + at
	case name == "ollama": // which wants none on a machine of one's own
		p.Say = at
	default:
		p.Say = strings.Join(w.keys, " or ") + " is not set; " + at
	}
	if lacking {
		p.State = Missing
		p.Do = fmt.Sprintf("set %s, or name a server of your own: --model %s/NAME@http://HOST:PORT%s", strings.Join(w.keys, " or "), name, ending(name))
	}
	return p
}

// ending is what addresses of a provider end in.
func ending(provider string) string {
	if provider == "openai" || provider == "responses" {
		return "/v1"
	}
	return ""
}

// found is the variable that holds the key, "" where none does.
func (g *gatherer) found(variables []string) string {
	for _, v := range variables {
		if strings.TrimSpace(g.Getenv(v)) != "" {
			return v
		}
	}
	return ""
}

// clientOf is the HTTP side of a model of a provider with a server.
func clientOf(m model.Model) *wire.Client {
	switch m := m.(type) {
	case *anthropic.Model:
		return m.Client
	case *gemini.Model:
		return m.Client
	case *ollama.Model:
		return m.Client
	case *openai.Model:
		return m.Client
	case *responses.Model:
		return m.Client
	}
	panic(fmt.Sprintf("doctor: %T has no server", m))
}

// conclude says of providers what only a look at servers and files could tell.
func (g *gatherer) conclude(r *Report) {
	for i := range r.Providers {
		switch p := &r.Providers[i]; p.Name {
		case "ollama":
			if p.State != OK {
				break
			}
			for _, s := range r.Servers {
				if s.Address != p.Address || s.Provider != p.Name || s.State == OK || s.State == NotAsked {
					continue
				}
				p.State, p.Say, p.Do = s.State, p.Say+": "+s.Say, s.Do
			}
		case "replay":
			if r.Database.Runs == 0 {
				p.State, p.Say, p.Do = Missing, "needs a recorded run, and there is none here", "assay run records one"
			}
		}
	}
}
