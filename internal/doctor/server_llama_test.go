package doctor

import (
	"strings"
	"testing"

	"github.com/assaybench/assay/internal/llamatest"
)

// TestRealServers looks at a real llama.cpp, which answers at two addresses: as its own server, and as an Ollama.
func TestRealServers(t *testing.T) {
	server := llamatest.Start(t, map[string]string{"right": "Rain fell.", "wrong": "No rain."}, llamatest.ContextSize(4096))
	b := setup(t)
	b.allow(t, server.OllamaURL())
	b.env["OLLAMA_HOST"] = server.OllamaURL()
	b.Ports = []int{b.allow(t, server.URL)}
	r := b.look(t)

	s := at(t, r, "openai", server.URL)
	if s.State != OK || s.Software != "llama.cpp" || s.Version == "" || s.Total != 2 || s.Models[0].Context == 0 || s.Models[0].Bytes == 0 {
		t.Errorf("as llama.cpp: %+v", s)
	}
	s = at(t, r, "ollama", server.OllamaURL())
	if s.State != OK || s.Version != "0.32.15" || s.Total != 2 {
		t.Fatalf("as Ollama: %+v", s)
	}
	for _, m := range s.Models {
		// Nothing may have been loaded by looking.
		if len(m.Digest) != 64 || m.Context == 0 || m.Bytes == 0 || m.Loaded != 0 || !strings.Contains("right:latest wrong:latest", m.Name) {
			t.Errorf("model %+v", m)
		}
	}
}
