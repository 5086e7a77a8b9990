package openai

import (
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
)

func TestNew(t *testing.T) {
	const key = "OPENAI_API_KEY"
	for _, c := range []struct {
		url  string
		env  []string
		want string // in the error, or the base address
		ok   bool
	}{
		{"", nil, "OPENAI_API_KEY is not set", false},
		{"", []string{key, "  "}, "OPENAI_API_KEY is not set", false},
		{"https://eu.api.openai.com/v1", nil, "OPENAI_API_KEY is not set", false},
		{"", []string{key, testKey}, "https://api.openai.com/v1", true},
		{"", []string{key, testKey + "\n"}, "https://api.openai.com/v1", true},
		{"", []string{key, "two words-and-more"}, "a character that no key has", false},
		{"", []string{key, "schlüssel-schlüssel"}, "a character that no key has", false},
		{"http://127.0.0.1:8080/v1", nil, "http://127.0.0.1:8080/v1", true},
		{"http://127.0.0.1:8080/v1", []string{key, testKey}, "http://127.0.0.1:8080/v1", true},
		{"http://[::1]:8080/v1", []string{key, testKey}, "http://[::1]:8080/v1", true},
		{"http://localhost:8080/v1", []string{key, testKey}, "http://localhost:8080/v1", true},
		{"http://192.168.1.5:8080/v1", nil, "http://192.168.1.5:8080/v1", true},
		{"http://192.168.1.5:8080/v1", []string{key, testKey}, "unencrypted to 192.168.1.5:8080", false},
		{"http://localhost.example.com/v1", []string{key, testKey}, "unencrypted", false},
		{"https://host.example/v1", []string{key, testKey}, "https://host.example/v1", true},
		{"", []string{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1/"}, "http://127.0.0.1:1/v1", true},
		{"http://127.0.0.1:2/v1", []string{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1"}, "http://127.0.0.1:2/v1", true},
		{"", []string{"OPENAI_BASE_URL", "http://far.example/v1", key, testKey}, "unencrypted", false},
		{"", []string{"OPENAI_BASE_URL", "http://u:hunter2hunter2@127.0.0.1/v1"}, "OPENAI_BASE_URL: the server's address holds a user", false},
		{"", []string{"OPENAI_BASE_URL", "127.0.0.1:80"}, "OPENAI_BASE_URL", false},
	} {
		m, err := New(Options{Spec: model.Spec{Raw: "openai/x", Name: "x", URL: c.url}, Getenv: env(c.env...)})
		switch {
		case c.ok && (err != nil || m.Base != c.want):
			t.Errorf("%s %v: %v", c.url, len(c.env), err)
		case !c.ok && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), testKey) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s: %v; want %q", c.url, err, c.want)
		}
	}
}

func TestLocal(t *testing.T) {
	for url, want := range map[string]bool{"http://127.0.0.1:1/v1": true, "http://localhost/v1": true, "https://[::1]/v1": true, "http://10.0.0.1/v1": false, "https://a.example/v1": false} {
		m, err := New(Options{Spec: model.Spec{Raw: "openai/x", Name: "x", URL: url}})
		if err != nil || m.Local() != want {
			t.Errorf("%s: %v, %v", url, m.Local(), err)
		}
	}
}
