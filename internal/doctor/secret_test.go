package doctor

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
)

// canary is a key; no six letters of it stand in any other text of a report.
const canary = "sk-Zq7Xw9Kv3Jp5Ry1Hn8Bd"

// holdsKey says where a report holds the key or a part of it, in any form in which it could be printed.
func holdsKey(t *testing.T, r *Report) string {
	t.Helper()
	if where := modeltest.FindSecret(canary, r); where != "" {
		return where
	}
	body, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(canary) - 6 {
		if part := canary[i : i+6]; strings.Contains(string(body), part) {
			return fmt.Sprintf("the JSON holds %q", part)
		}
	}
	return ""
}

// TestNoKeyIsTold sets every key and meets servers that give back what they were sent, in every place they can.
func TestNoKeyIsTold(t *testing.T) {
	b := setup(t)
	var mu sync.Mutex
	sent := map[string]string{} // by server, all headers that could hold a key
	echo := func(name string, status int, body string) string {
		return b.serve(t, func(w http.ResponseWriter, r *http.Request) {
			key := r.Header.Get("Authorization") + r.Header.Get("X-Api-Key") + r.Header.Get("X-Goog-Api-Key")
			mu.Lock()
			sent[name] += key
			mu.Unlock()
			w.Header()["Server"] = []string{key}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			// Whoever has the key can always say it, also where it was not sent.
			fmt.Fprint(w, strings.ReplaceAll(body, "KEY", canary))
		})
	}
	lists := `{"data":[{"id":"KEY","digest":"KEY"}],"models":[{"name":"KEY","digest":"KEY","remote_host":"KEY"},{"name":"models/KEY","supportedGenerationMethods":["generateContent"]}],"version":"KEY","build_info":"KEY"}`
	for _, name := range model.Providers() {
		for _, v := range wanted[name].keys {
			b.env[v] = canary
		}
	}
	guess := echo("guess", 200, lists)
	b.Ports = []int{portOf(t, strings.TrimPrefix(guess, "http://"))}
	b.env["OLLAMA_HOST"] = echo("OLLAMA_HOST", 200, lists)
	b.env["OPENAI_BASE_URL"] = echo("OPENAI_BASE_URL", 401, `{"error":{"message":"bad key KEY"}}`) + "/v1"
	b.env["ANTHROPIC_BASE_URL"] = echo("ANTHROPIC_BASE_URL", 500, `{"error":{"message":"KEY"}}`)
	for _, p := range []string{"openai", "anthropic", "gemini", "ollama", "responses"} {
		b.Servers = append(b.Servers, Named{p, echo(p, 200, lists)})
	}
	r := b.look(t)
	if where := holdsKey(t, r); where != "" {
		t.Error(where)
	}
	if sent["guess"] != "" {
		t.Error("the key went to a server that nobody named")
	}
	for _, name := range []string{"openai", "anthropic", "gemini", "ollama", "responses", "OLLAMA_HOST", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"} {
		if !strings.Contains(sent[name], canary) {
			t.Errorf("the key did not go to %s, which was named", name)
		}
	}
	for _, p := range r.Providers {
		if keys := wanted[p.Name].keys; len(keys) > 0 && p.Key != keys[0] {
			t.Errorf("%s: the key is found in %q", p.Name, p.Key)
		}
	}
}

// TestKeysInTheWrongPlace puts keys where addresses belong, and such as cannot be sent.
func TestKeysInTheWrongPlace(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"as addresses": {"OPENAI_BASE_URL": canary, "ANTHROPIC_BASE_URL": "https://x:" + canary + "@h/", "GOOGLE_GEMINI_BASE_URL": "https://h/?key=" + canary,
			"OLLAMA_HOST": "http://127.0.0.1:1/" + canary, "OLLAMA_API_KEY": canary},
		"with a line break": {"OPENAI_API_KEY": canary + "\n" + canary, "ANTHROPIC_API_KEY": canary + " x"},
		"over plain HTTP":   {"OPENAI_API_KEY": canary, "OPENAI_BASE_URL": "http://models.example/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			for k, v := range env {
				b.env[k] = v
			}
			r := b.look(t)
			if where := holdsKey(t, r); where != "" {
				t.Error(where)
			}
			faults := 0
			for _, p := range r.Providers {
				if p.State == Fault {
					faults++
					if p.Do == "" || p.Address != "" {
						t.Errorf("%s: %+v", p.Name, p)
					}
				}
			}
			if faults < 2 {
				t.Errorf("%d providers are at fault", faults)
			}
		})
	}
}

func TestPlaceholdersAreNoKeys(t *testing.T) {
	b := setup(t)
	b.env["OPENAI_API_KEY"], b.env["OLLAMA_API_KEY"] = "lm-studio", "127.0.0.1"
	g := &gatherer{Options: b.Options}
	g.secrets = g.keys()
	if got := g.line("lm-studio at 127.0.0.1", 0); got != "lm-studio at "+removed {
		t.Errorf("the line is %q", got)
	}
}
