package model

import (
	"strings"
	"testing"
)

func TestParseSpec(t *testing.T) {
	for _, c := range []struct{ in, provider, name, url string }{
		{"openai/qwen3-8b@http://127.0.0.1:8080/v1", "openai", "qwen3-8b", "http://127.0.0.1:8080/v1"},
		{"openai/qwen3-8b@http://127.0.0.1:8080/v1///", "openai", "qwen3-8b", "http://127.0.0.1:8080/v1"},
		{"openai/org/model:8b", "openai", "org/model:8b", ""},
		{"openai/m@20240101", "openai", "m@20240101", ""},
		{"openai/m@sha256:abcdef01", "openai", "m@sha256:abcdef01", ""},
		{"openai/a@http://one/v1@https://two/v1", "openai", "", ""}, // the name would hold an address
		{"openai/a@v2@https://host/v1", "openai", "a@v2", "https://host/v1"},
		{"openai/m@http://[::1]:9/v1", "openai", "m", "http://[::1]:9/v1"},
		{"control/reference", "control", "reference", ""},
		{"replay/01J", "replay", "01J", ""},
		{"command/./x.sh", "command", "./x.sh", ""},
		{"command//usr/bin/x", "command", "/usr/bin/x", ""},
	} {
		s, err := ParseSpec(c.in)
		if c.name == "" {
			if err == nil {
				t.Errorf("%q: no error, got %+v", c.in, s)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		if s.Provider != c.provider || s.Name != c.name || s.URL != c.url || s.BenchName() != c.name {
			t.Errorf("%q: got %+v", c.in, s)
		}
	}
}

func TestParseSpecErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "no provider"},
		{"openai", "name is missing"},
		{"openai/", "name is missing"},
		{"opnai/x", `did you mean "openai"`},
		{"OpenAI/x", `did you mean "openai"`},
		{"zzzzzz/x", "known: anthropic, command, control, gemini, ollama, openai, replay, responses"},
		{"reference", "write provider/model"},
		{"openai/x@127.0.0.1:8080", "openai/x@http://127.0.0.1:8080"},
		{"openai/x@localhost", "openai/x@http://localhost"},
		{"openai/x@host.lan:80/v1", "needs its scheme"},
		{"openai/x@ftp://h/", "@http://"},
		{"openai/x@http://", "names no host"},
		{"openai/x@http://h:99999999x/", "not a URL"},
		{"openai/x@http://h/v1?api_key=hunter2hunter2", "without ? or #"},
		{"openai/x@http://u:hunter2hunter2@h/v1", "holds a user"},
		{"http://u:hunter2hunter2@h/v1", "no provider"},
		{"openai/x@http://h/v1/chat/completions", "give its base"},
		{"control/reference@http://h/v1", "leave @URL off"},
		{"openai/a\x1b[31m", "control characters"},
		{"openai/a\xff", "UTF-8"},
		{"opnai\n/x", "control characters"},
	} {
		_, err := ParseSpec(c.in)
		if err == nil {
			t.Errorf("%q: no error", c.in)
			continue
		}
		if msg := err.Error(); !strings.Contains(msg, c.want) || strings.ContainsAny(msg, "\n\x1b") || strings.Contains(msg, "hunter2") {
			t.Errorf("%q: %s; want %q in it", c.in, msg, c.want)
		}
	}
}

func FuzzParseSpec(f *testing.F) {
	for _, s := range []string{"openai/a@http://h/v1", "control/empty", "command//x", "@http://@", "openai/x@h:1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		s, err := ParseSpec(in)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Fatalf("more than one line: %q", err)
			}
			return
		}
		again, err := ParseSpec(s.Raw)
		if err != nil || again != s {
			t.Fatalf("%q: %+v is not stable: %+v, %v", in, s, again, err)
		}
	})
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{"localhost": true, "LOCALHOST.": true, "a.localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true,
		"::ffff:127.0.0.1": true, "10.0.0.1": false, "localhost.example.com": false, "0.0.0.0": false, "": false, "127.0.0.1.nip.io": false} {
		if got := Loopback(host); got != want {
			t.Errorf("Loopback(%q) = %v", host, got)
		}
	}
}
