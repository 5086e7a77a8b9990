package doctor

import (
	"testing"

	"github.com/assaybench/assay/internal/llamatest"
)

// TestRealServers looks at a server of real llama.cpp models, which answers at two addresses: as llama.cpp's server, and as an
// Ollama.
func TestRealServers(t *testing.T) {
	server := llamatest.Start(t, map[string]string{"right": "Rain fell."}, llamatest.ContextSize(4096))
	b := setup(t)
	b.allow(t, server.OllamaURL())
	b.env["OLLAMA_HOST"] = server.OllamaURL()
	b.Ports = []int{b.allow(t, server.URL)}
	r := b.look(t)

	s := at(t, r, "openai", server.URL)
	// This one names its software only to whoever names a model, unlike llama.cpp's own server; see identify.
	if s.State != OK || s.Total != 1 || s.Models[0].Name != "right" || s.Models[0].Context != 4096 || s.Models[0].Bytes == 0 {
		t.Errorf("as llama.cpp: %+v", s)
	}
	s = at(t, r, "ollama", server.OllamaURL())
	if s.State != OK || s.Version != "0.32.15" || s.Total != 1 {
		t.Fatalf("as Ollama: %+v", s)
	}
	if m := s.Models[0]; m.Name != "right:latest" || len(m.Digest) != 64 || m.Context == 0 || m.Bytes == 0 {
		t.Errorf("model %+v", m)
	}
}
