package ollama

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// Identify asks the server what stands behind the model's name: its version, the digest of the manifest, template,
// parameters and capabilities, and how the model is loaded, where it is. A model that the server does not hold is a
// *model.Fault that says how to get it; a model that runs on another machine is one with the detail "remote".
//
// Context is that of the loaded model. Before it is loaded, what it will be is known only once Prepare has asked for one;
// before that it is 0. The detail "vram_percent" is there only while the model is loaded.
func (m *Model) Identify(ctx context.Context) (record.Identity, error) {
	f, _, fault := m.look(ctx)
	if fault != nil {
		return record.Identity{}, fault
	}
	id := record.Identity{Model: m.Spec.Name, Digest: f.digest, Server: strings.TrimSpace("ollama " + f.said), Details: map[string]string{}}
	if !f.listed {
		wire.Note(&id, "listed", "no")
	}
	f.show.describe(id)
	wire.Note(&id, "remote", f.remote)
	if r := f.running; r != nil {
		id.Context = int64(r.Context)
		if r.Size > 0 {
			wire.Note(&id, "vram_percent", fmt.Sprint(min(100, int64(float64(r.VRAM)/float64(r.Size)*100))))
		}
	}
	if id.Context == 0 && f.remote == "" {
		id.Context = m.foreseen(f.show.trained())
	}
	return id, nil
}

// foreseen is the least context that a Prepare of this session found, capped as the server caps it; 0 without one.
func (m *Model) foreseen(trained int64) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var least int64
	for _, n := range m.loaded {
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	if trained > 0 {
		least = min(least, trained)
	}
	return least
}

// describe notes what decides how the model answers. A system text or messages of the Modelfile stand before every
// conversation that brings no system text of its own.
func (s *show) describe(id record.Identity) {
	d := s.Details.V
	wire.Note(&id, "architecture", s.architecture())
	if n := s.trained(); n > 0 {
		wire.Note(&id, "trained_context", fmt.Sprint(n))
	}
	wire.Note(&id, "format", string(d.Format))
	wire.Note(&id, "family", string(d.Family))
	wire.Note(&id, "parent_model", lastPart(string(d.Parent)))
	wire.Note(&id, "parameter_size", string(d.Parameters))
	wire.Note(&id, "quantization", string(d.Quantization))
	wire.Note(&id, "capabilities", strings.Join(s.Capabilities, ","))
	wire.Note(&id, "renderer", s.builtin(s.Renderer, rendererLine))
	wire.Note(&id, "parser", s.parser())
	hash(id, "template", string(s.Template))
	hash(id, "system", string(s.System))
	if s.Messages.Kind() == '[' && string(s.Messages) != "[]" {
		hash(id, "messages", string(s.Messages))
	}
	if len(s.Projector.V) > 0 {
		wire.Note(&id, "projector", "yes")
	}
	// The server lists the parameters in a new order each time.
	lines := strings.Split(string(s.Parameters), "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	slices.Sort(lines)
	params := strings.TrimSpace(strings.Join(lines, "\n"))
	wire.Note(&id, "parameters", strings.ReplaceAll(params, "\n", "; "))
	hash(id, "parameters", params)
}

// lastPart is a path's last part: a model that was made of a file has the path of its weights as its parent, which names a
// folder of whoever made it, and ends in their digest.
func lastPart(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// hash notes the SHA-256 of a text that is too long to note, where there is one.
func hash(id record.Identity, name, text string) {
	if text != "" {
		sum := sha256.Sum256([]byte(text))
		id.Details[name+"_sha256"] = hex.EncodeToString(sum[:])
	}
}

// List says which models the server holds, in its order.
func (m *Model) List(ctx context.Context) ([]model.Held, error) {
	list, fault := m.tags(ctx, m.Send(ctx, http.MethodGet, "api/tags", nil))
	if fault != nil {
		return nil, fault
	}
	out := make([]model.Held, 0, len(list))
	for _, h := range list {
		out = append(out, model.Held{Name: h.name(), Digest: string(h.Digest), Context: int64(h.Details.V.Context), Bytes: int64(h.Size)})
	}
	return out, nil
}
