package ollama

import (
	"slices"
	"strings"
	"testing"
)

// TestHostURL: OLLAMA_HOST as Ollama's own client reads it.
func TestHostURL(t *testing.T) {
	for in, want := range map[string]string{
		"": "http://127.0.0.1:11434", "  ": "http://127.0.0.1:11434", "example.com": "http://example.com:11434", "example.com:56789": "http://example.com:56789",
		":56789": "http://127.0.0.1:56789", "1.2.3.4": "http://1.2.3.4:11434", "1.2.3.4:1": "http://1.2.3.4:1", "0.0.0.0": "http://127.0.0.1:11434",
		"0.0.0.0:80": "http://127.0.0.1:80", "[::]": "http://[::1]:11434", "[::]:7": "http://[::1]:7", "::": "http://[::1]:11434", "[::1]": "http://[::1]:11434", "[::1]:1": "http://[::1]:1",
		"http://example.com": "http://example.com:80", "https://example.com": "https://example.com:443", "https://example.com:8443/": "https://example.com:8443",
		"https://example.com/ollama/": "https://example.com:443/ollama", "example.com:66000": "http://example.com:11434", "http://example.com:-1": "http://example.com:80",
		"example.com:abc": "http://example.com:11434", "example.com:": "http://example.com:11434", "ollama.com": "https://ollama.com:443", " 10.0.0.2 \n": "http://10.0.0.2:11434",
	} {
		if got := hostURL(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestNew(t *testing.T) {
	for _, c := range []struct {
		url  string
		env  []string
		want string // in the error, or the base address
		ok   bool
	}{
		{"", nil, "http://127.0.0.1:11434", true},
		{"", []string{hostVariable, "0.0.0.0"}, "http://127.0.0.1:11434", true},
		{"", []string{hostVariable, "192.168.1.5:7"}, "http://192.168.1.5:7", true},
		{"http://127.0.0.1:2", []string{hostVariable, "192.168.1.5:7"}, "http://127.0.0.1:2", true},
		{"http://127.0.0.1:2/v1", nil, "has no /v1 at its end: give http://127.0.0.1:2", false},
		{"http://127.0.0.1:2/api", nil, "has no /api at its end: give http://127.0.0.1:2", false},
		{"", []string{hostVariable, "http://127.0.0.1:2/v1"}, "OLLAMA_HOST: Ollama's own address has no /v1 at its end: give http://127.0.0.1:2", false},
		{"http://127.0.0.1:2/behind/a/proxy", nil, "http://127.0.0.1:2/behind/a/proxy", true},
		{"http://127.0.0.1:2", []string{keyVariable, testKey}, "http://127.0.0.1:2", true},
		{"http://192.168.1.5:7", []string{keyVariable, testKey}, "OLLAMA_API_KEY would go over the network unencrypted to 192.168.1.5:7", false},
		{"", []string{hostVariable, "192.168.1.5:7", keyVariable, testKey}, "unencrypted to 192.168.1.5:7", false},
		{"", []string{hostVariable, "ollama.com"}, "OLLAMA_API_KEY is not set", false},
		{"", []string{hostVariable, "ollama.com", keyVariable, testKey}, "https://ollama.com:443", true},
		{"", []string{hostVariable, "http://u:hunter2hunter2@a.example"}, "OLLAMA_HOST holds a user or a password", false},
		{"", []string{hostVariable, "ftp://a.example"}, "OLLAMA_HOST: the server's address must begin with http:// or https://", false},
		{"", []string{hostVariable, "a b"}, "OLLAMA_HOST: the server's address is not a URL", false},
		{"", []string{keyVariable, "two words"}, "OLLAMA_API_KEY holds a character that no key has", false},
	} {
		m, err := New(Options{Spec: spec("x", c.url), Getenv: env(c.env...)})
		switch {
		case c.ok && (err != nil || m.Base != c.want || m.Name() != spec("x", c.url).Raw):
			t.Errorf("%s %v: %v", c.url, c.env, err)
		case !c.ok && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), testKey) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s %v: %v; want %q", c.url, c.env, err, c.want)
		}
	}
	if m, err := New(Options{Spec: spec("x", "")}); err != nil || !m.Local() {
		t.Errorf("without an environment: %v", err)
	}
}

func TestVersions(t *testing.T) {
	for in, want := range map[string][4]bool{ // no cut, whole count, two passes, format off
		"": {}, "0.0.0": {}, "dev": {}, "0.12": {}, "0.12.3": {}, "0.12.4": {false, false, true, false}, "0.12.5": {false, false, true, false},
		"0.12.6-rc0": {false, false, true, false}, "0.12.6": {true, false, true, false}, "0.30.0": {true, false, true, false}, "0.30.1": {true, true, true, false},
		"v0.32.15": {true, true, true, true}, "0.31.2": {true, true, true, true}, "0.31.2-rc1": {true, true, true, false}, "0.31.3-5-gabc": {true, true, true, true}, "1.0.0": {true, true, true, true},
		"99999999.0.0": {},
	} {
		v := parseVersion(in)
		if got := [4]bool{v.has(sinceNoCut), v.has(sinceWholeCount), v.has(sinceTwoPasses), v.has(sinceFormatOff)}; got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		asked, held string
		same        bool
	}{
		{"qwen3", "qwen3:latest", true}, {"qwen3", "qwen3:8b", false}, {"qwen3:8b", "qwen3:8b", true}, {"Qwen3:8B", "qwen3:8b", true}, {"qwen3:8b", "qwen3:8b-q4", false},
		{"library/qwen3", "qwen3:latest", true}, {"registry.ollama.ai/library/qwen3", "qwen3:latest", true}, {"me/qwen3", "qwen3:latest", false},
		{"hf.co/a/b", "hf.co/a/b:latest", true}, {"hf.co/a/b:Q4_K_M", "hf.co/a/b:q4_k_m", true}, {"localhost:5000/a/b", "localhost:5000/a/b:latest", true},
		{"qwen3:local", "qwen3:latest", true}, {"qwen3:8b:local", "qwen3:8b", true}, {"qwen3:local", "qwen3:local", true}, {"qwen3", "qwen3:local", false}, {"", "a", false},
	} {
		if got := sameModel(c.asked, c.held); got != c.same {
			t.Errorf("%q and %q: %v", c.asked, c.held, got)
		}
	}
	held := []string{"llama3:8b", "zeta", "qwen2.5:7b", "qwen3:8b", "qwen3:14b", "qwen3-coder:30b"}
	if got := near("qwen3:9b", held, 3); !slices.Equal(got, []string{"qwen3:14b", "qwen3:8b", "qwen3-coder:30b"}) {
		t.Errorf("got %v", got)
	}
	if got := near("x", nil, 3); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}
