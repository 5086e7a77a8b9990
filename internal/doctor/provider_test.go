package doctor

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/providers"
)

// TestWantedIsWhatProvidersAsk holds the table against what each provider really asks of its environment.
func TestWantedIsWhatProvidersAsk(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(wanted)), model.Providers(); !slices.Equal(got, want) {
		t.Fatalf("the table has %v, and the providers are %v", got, want)
	}
	for _, name := range model.Providers() {
		w := wanted[name]
		asked := map[string]bool{}
		_, _ = providers.Open(model.Spec{Raw: name, Provider: name, Name: placeholder}, providers.Env{Getenv: func(v string) string {
			asked[v] = true
			return ""
		}})
		want := map[string]bool{}
		for _, v := range w.keys {
			want[v] = true
		}
		if w.address != "" {
			want[w.address] = true
		}
		if !maps.Equal(asked, want) {
			t.Errorf("%s asks for %v, and the table has %v", name, asked, want)
		}
	}
}

func TestProviders(t *testing.T) {
	const own = "http://127.0.0.1:1"
	for _, tt := range []struct {
		name    string
		env     map[string]string
		of      string
		state   State
		key     string
		address string
		from    string
		say, do string
	}{
		{"no key", nil, "anthropic", Missing, "", "https://api.anthropic.com", "default", "ANTHROPIC_API_KEY is not set; https://api.anthropic.com (default)", "set ANTHROPIC_API_KEY, or name"},
		{"a key", map[string]string{"ANTHROPIC_API_KEY": canary}, "anthropic", OK, "ANTHROPIC_API_KEY", "https://api.anthropic.com", "default", "key found in ANTHROPIC_API_KEY;", ""},
		{"a blank key", map[string]string{"ANTHROPIC_API_KEY": "  "}, "anthropic", Missing, "", "https://api.anthropic.com", "default", "is not set", "set ANTHROPIC"},
		{"the second variable", map[string]string{"GOOGLE_API_KEY": canary}, "gemini", OK, "GOOGLE_API_KEY", "https://generativelanguage.googleapis.com/v1beta", "default", "GOOGLE_API_KEY", ""},
		{"the first of two", map[string]string{"GOOGLE_API_KEY": canary, "GEMINI_API_KEY": canary}, "gemini", OK, "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta", "default", "GEMINI", ""},
		{"a server of one's own", map[string]string{"OPENAI_BASE_URL": own + "/v1/"}, "openai", OK, "", own + "/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY is not set; " + own, ""},
		{"the same for responses", map[string]string{"OPENAI_BASE_URL": own + "/v1"}, "responses", OK, "", own + "/v1", "OPENAI_BASE_URL", own, ""},
		{"no address", map[string]string{"OPENAI_BASE_URL": "nonsense"}, "openai", Fault, "", "", "OPENAI_BASE_URL", "must begin with http", "correct OPENAI_BASE_URL"},
		{"unencrypted", map[string]string{"OPENAI_BASE_URL": "http://h/v1", "OPENAI_API_KEY": canary}, "openai", Fault, "OPENAI_API_KEY", "", "OPENAI_BASE_URL", "unencrypted to h", "use https"},
		{"the usual Ollama", map[string]string{"OLLAMA_HOST": ""}, "ollama", OK, "", "http://127.0.0.1:11434", "default", "http://127.0.0.1:11434 (default)", ""},
		{"Ollama elsewhere", map[string]string{"OLLAMA_HOST": "0.0.0.0:9"}, "ollama", OK, "", "http://127.0.0.1:9", "OLLAMA_HOST", "(OLLAMA_HOST)", ""},
		{"Ollama with /v1", map[string]string{"OLLAMA_HOST": own + "/v1"}, "ollama", Fault, "", "", "OLLAMA_HOST", "has no /v1", "give " + own},
		{"Ollama's hosted", map[string]string{"OLLAMA_HOST": "ollama.com"}, "ollama", Missing, "", "https://ollama.com:443", "OLLAMA_HOST", "ollama.com", "set OLLAMA_API_KEY"},
		{"a program", nil, "command", OK, "", "", "", "needs a program", ""},
		{"controls", nil, "control", OK, "", "", "", "needs nothing", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := setup(t)
			maps.Copy(b.env, tt.env)
			g := &gatherer{Options: b.Options}
			p := g.provider(tt.of)
			is(t, p.Finding, tt.state, tt.say, tt.do)
			if p.Key != tt.key || p.Address != tt.address || p.AddressFrom != tt.from || p.Keys == nil || p.Needs == "" {
				t.Errorf("provider %+v", p)
			}
		})
	}
}

func TestTargets(t *testing.T) {
	type brief struct {
		Provider, Address, From string
		Keyed, Guess, Ask       bool
	}
	targets := func(b *bundle) []brief {
		g := &gatherer{Options: b.Options}
		var out []brief
		for _, t := range g.targets(g.providers()) {
			out = append(out, brief{t.provider, t.address, t.from, t.keyed, t.guess, t.ask})
		}
		return out
	}
	elsewhere := func(ask bool) []brief {
		return []brief{
			{"anthropic", "https://api.anthropic.com", "default", true, false, ask},
			{"gemini", "https://generativelanguage.googleapis.com/v1beta", "default", true, false, ask},
			{"openai", "https://api.openai.com/v1", "default", true, false, ask},
		}
	}
	check := func(name string, b *bundle, want ...brief) {
		t.Helper()
		if got := targets(b); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, want)
		}
	}
	b := setup(t)
	b.env["OLLAMA_HOST"] = ""
	b.Ports = UsualPorts()
	usual := []brief{
		{"ollama", "http://127.0.0.1:11434", "default", false, false, true},
		{"openai", "http://127.0.0.1:8080/v1", "usual port of llama.cpp", false, true, true},
		{"openai", "http://127.0.0.1:8000/v1", "usual port of vLLM", false, true, true},
		{"openai", "http://127.0.0.1:1234/v1", "usual port of LM Studio", false, true, true},
	}
	check("usual", b, append(slices.Clone(usual), elsewhere(false)...)...)
	b.Online = true
	check("online", b, append(slices.Clone(usual), elsewhere(true)...)...)

	// What the user named comes first, is asked once, and may have the key.
	b = setup(t)
	b.Ports = []int{8080, 8080, 9}
	b.Servers = []Named{{"openai", "http://127.0.0.1:8080/v1"}, {"ollama", "http://127.0.0.1:1"}, {"openai", "https://models.example/v1"}}
	check("named", b, append([]brief{
		{"openai", "http://127.0.0.1:8080/v1", "--server", true, false, true},
		{"ollama", "http://127.0.0.1:1", "--server", true, false, true},
		{"openai", "https://models.example/v1", "--server", true, false, true},
		{"openai", "http://127.0.0.1:9/v1", "--ports", false, true, true},
	}, elsewhere(false)...)...)

	// Servers of the environment: on this machine, in the house, and elsewhere; a wrong address is not asked.
	b = setup(t)
	b.env["OLLAMA_HOST"], b.env["OPENAI_BASE_URL"], b.env["ANTHROPIC_BASE_URL"], b.env["GOOGLE_GEMINI_BASE_URL"] = "10.0.0.7", "http://localhost:8080/v1", "https://models.example", "nonsense"
	check("environment", b,
		brief{"openai", "http://localhost:8080/v1", "OPENAI_BASE_URL", true, false, true},
		brief{"ollama", "http://10.0.0.7:11434", "OLLAMA_HOST", true, false, true},
		brief{"anthropic", "https://models.example", "ANTHROPIC_BASE_URL", true, false, false})
	b = setup(t)
	b.env["OLLAMA_HOST"], b.env["OLLAMA_API_KEY"] = "ollama.com", canary
	check("hosted Ollama", b, append([]brief{{"ollama", "https://ollama.com:443", "OLLAMA_HOST", true, false, false}}, elsewhere(false)...)...)
}

// TestOnline asks hosted providers only where that is wanted, and only with a key.
func TestOnline(t *testing.T) {
	b := setup(t)
	r := b.look(t) // setup fails the test where anything but its servers is dialled
	is(t, at(t, r, "openai", "https://api.openai.com/v1").Finding, NotAsked, "not on this machine", "--online")
	b.Online = true
	r = b.look(t)
	is(t, at(t, r, "openai", "https://api.openai.com/v1").Finding, Missing, "OPENAI_API_KEY is not set", "set it")
	is(t, at(t, r, "gemini", "https://generativelanguage.googleapis.com/v1beta").Finding, Missing, "GEMINI_API_KEY or GOOGLE_API_KEY is not set", "set it")

	b.env["OPENAI_API_KEY"] = canary
	r = b.look(t)
	s := at(t, r, "openai", "https://api.openai.com/v1")
	is(t, s.Finding, Missing, "no server answers", "start it")
	if !slices.Equal(b.strange, []string{"api.openai.com:443"}) {
		t.Errorf("dialled: %v", b.strange)
	}
	b.strange = nil
	if where := holdsKey(t, r); where != "" {
		t.Error(where)
	}
}

func TestParseNamed(t *testing.T) {
	for in, want := range map[string]Named{
		"openai@http://127.0.0.1:8081/v1/": {"openai", "http://127.0.0.1:8081/v1"},
		"ollama@https://h":                 {"ollama", "https://h"},
	} {
		if got, err := ParseNamed(in); err != nil || got != want {
			t.Errorf("%q is %+v, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{
		"": "has no address", "openai": "has no address", "http://127.0.0.1:8080/v1": "the provider is missing", "http://u:hunter2@h/v1": "the provider is missing",
		"opnai@http://h": `no provider "opnai"`, "openai/m@http://h": "no provider", "control@http://h": "control has no server",
		"openai@h:80": "must begin with http", "openai@http://[": "not a URL", "openai@http://u:hunter2@h/v1": "user or a password", "openai@ftp://h": "must begin with http", "\x1b[2J@http://h": "no provider",
	} {
		_, err := ParseNamed(in)
		if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x1b") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func FuzzParseNamed(f *testing.F) {
	for _, s := range []string{"openai@http://127.0.0.1:8081/v1", "ollama@https://h", "openai", "x@y", "http://u:p@h", "gemini@https://u:p@h/?k=v"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseNamed(s)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("several lines: %q", err)
			}
			return
		}
		if wanted[n.Provider].address == "" || !strings.HasPrefix(strings.ToLower(n.URL), "http") {
			t.Errorf("%q is %+v", s, n)
		}
	})
}
