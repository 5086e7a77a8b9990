package doctor

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assaybench/assay/model"
)

// usualPorts are where servers with OpenAI's protocol listen unless they are told otherwise, in order.
var usualPorts = []struct {
	port     int
	software string
	start    string // how one is started
}{
	{8080, "llama.cpp", "llama-server -m FILE.gguf"},
	{8000, "vLLM", "vllm serve MODEL"},
	{1234, "LM Studio", "lms server start"},
}

// UsualPorts are the ports of this machine at which model servers are looked for.
func UsualPorts() []int {
	var out []int
	for _, u := range usualPorts {
		out = append(out, u.port)
	}
	return out
}

// Named is a server that the user names.
type Named struct{ Provider, URL string }

// ParseNamed reads provider@URL. Errors are one line and never repeat a password written into the URL.
func ParseNamed(s string) (Named, error) {
	const form = "write provider@URL, such as openai@http://127.0.0.1:8081/v1 or ollama@http://127.0.0.1:11434"
	provider, address, ok := strings.Cut(s, "@")
	switch {
	case strings.Contains(provider, "://"):
		return Named{}, fmt.Errorf("the provider is missing; %s", form)
	case !ok:
		return Named{}, fmt.Errorf("%q has no address; %s", s, form)
	case !slices.Contains(model.Providers(), provider):
		return Named{}, fmt.Errorf("no provider %q (known: %s); %s", model.OneLine(provider, 60), strings.Join(model.Providers(), ", "), form)
	case wanted[provider].address == "":
		return Named{}, fmt.Errorf("%s has no server; %s", provider, form)
	}
	u, err := model.ParseURL(address)
	if err != nil {
		return Named{}, fmt.Errorf("%s: %w", provider, err)
	}
	return Named{provider, u}, nil
}

// target is a server to ask.
type target struct {
	provider, address, from string
	url                     string // for the model's spec; "": the provider's own choice of an address
	keyed                   bool   // the provider's key may be sent there
	guess                   bool   // nobody said that a model server is there
	start                   string // how such a server is started, "" where that is not known
	local                   bool
	ask                     bool
}

// targets lists the servers: those that the user names, Ollama, others that the environment names on this machine, the
// usual ports, and last those that are elsewhere. No address is asked twice.
func (g *gatherer) targets(all []Provider) []target {
	var out []target
	add := func(t target) {
		if t.address != "" && !slices.ContainsFunc(out, func(o target) bool { return o.address == t.address }) {
			out = append(out, t)
		}
	}
	for _, n := range g.Servers {
		add(target{provider: n.Provider, address: n.URL, url: n.URL, from: "--server", keyed: true, local: isLocal(n.URL), ask: true})
	}
	own := func(name string, local bool) {
		for _, p := range all {
			if p.Name != name || isLocal(p.Address) != local {
				continue
			}
			t := target{provider: name, address: p.Address, from: p.AddressFrom, keyed: !local || p.AddressFrom != "default", local: local, ask: local || g.Online}
			if name == "ollama" {
				t.start = "ollama serve"
				// An address in OLLAMA_HOST is a machine of the user's own, but for Ollama's hosted models.
				t.ask = t.ask || !p.official
			}
			add(t)
		}
	}
	hosted := []string{"anthropic", "gemini", "openai"} // responses has openai's address
	for _, name := range append([]string{"ollama"}, hosted...) {
		own(name, true)
	}
	for _, port := range g.Ports {
		t := target{provider: "openai", address: fmt.Sprintf("http://127.0.0.1:%d/v1", port), from: "--ports", guess: true, local: true, ask: true}
		t.url = t.address
		for _, u := range usualPorts {
			if u.port == port {
				t.from, t.start = "usual port of "+u.software, u.start
			}
		}
		add(t)
	}
	for _, name := range append([]string{"ollama"}, hosted...) {
		own(name, false)
	}
	return out
}

// isLocal reports whether an address is on this machine, by its form.
func isLocal(address string) bool {
	u, err := url.Parse(address)
	return err == nil && model.Loopback(u.Hostname())
}
