package modeltest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

const (
	defaultTrained = 131_072
	modelBytes     = 2_000_000_000
	ollamaDetails  = `"details":{"parent_model":"","format":"gguf","family":"mock","families":["mock"],"parameter_size":"3.2B","quantization_level":"Q4_K_M"}`
)

// sideOllama answers what is no call: the version, the models that are there, one of them, and those that are loaded.
func sideOllama(m *Mock, w http.ResponseWriter, r *http.Request) bool {
	switch r.Method + " " + r.URL.Path {
	case "GET /", "HEAD /":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		write(w, 200, []byte("Ollama is running"))
	case "GET /api/version":
		v := or(m.opts.Server.Version, "0.32.15")
		if m.changed("version") {
			v = "0.99.0"
		}
		write(w, 200, append(quote([]byte(`{"version":`), v), '}'))
	case "GET /api/tags":
		b := []byte(`{"models":[`)
		for i, name := range m.names() {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(m.held(b, name), `,"modified_at":"2026-08-01T10:00:00.5+02:00",`+ollamaDetails+`}`...)
		}
		write(w, 200, append(b, "]}"...))
	case "GET /api/ps":
		write(w, 200, m.running())
	case "POST /api/show":
		m.show(w, r)
	default:
		return false
	}
	return true
}

// names are the models that the server lists, with their tags.
func (m *Mock) names() []string {
	names := m.opts.Models
	if len(names) == 0 {
		names = []string{"mock-1"}
	}
	tags := make([]string, len(names))
	for i, n := range names {
		tags[i] = tagged(n)
	}
	return tags
}

// held begins the object of a model: what /api/tags and /api/ps have in common.
func (m *Mock) held(b []byte, name string) []byte {
	b = quote(append(quote(append(b, `{"name":`...), name), `,"model":`...), name)
	if remote := m.opts.Server.Remote; remote != "" {
		b = quote(append(quote(append(b, `,"remote_model":`...), strings.TrimSuffix(name, ":latest")), `,"remote_host":`...), remote)
	}
	b = fmt.Appendf(b, `,"size":%d`, modelBytes)
	return quote(append(b, `,"digest":`...), m.digest())
}

// digest is that of every model of the mock.
func (m *Mock) digest() string {
	d := m.opts.Server.Digest
	if d == "" {
		d = digestOf("the model of the mock")
	}
	if m.changed("digest") {
		d = digestOf(d)
	}
	return d
}

func digestOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// running is what /api/ps says: the models that calls have loaded, each with its context.
func (m *Mock) running() []byte {
	m.state.Lock()
	loaded := maps.Clone(m.state.loaded)
	m.state.Unlock()
	less := m.changed("context")
	b := []byte(`{"models":[`)
	for i, name := range slices.Sorted(maps.Keys(loaded)) {
		if i > 0 {
			b = append(b, ',')
		}
		context, vram := loaded[name], int64(modelBytes)
		if less {
			context /= 2
		}
		if m.opts.Server.InCPU {
			vram /= 2
		}
		b = fmt.Appendf(m.held(b, name), `,%s,"expires_at":"2026-08-21T11:00:00.5+02:00","size_vram":%d,"context_length":%d}`, ollamaDetails, vram, context)
	}
	return append(b, "]}"...)
}

func (m *Mock) show(w http.ResponseWriter, r *http.Request) {
	var req struct{ Model, Name string }
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, &req, json.MatchCaseInsensitiveNames(true)) != nil {
		write(w, 400, []byte(`{"error":"invalid character in the request"}`))
		return
	}
	name := or(req.Model, req.Name)
	switch {
	case name == "":
		write(w, 400, []byte(`{"error":"model is required"}`))
		return
	case !m.knows(name):
		write(w, 404, []byte(ollamaAbsent(name)))
		return
	}
	s := m.opts.Server
	capabilities := s.Capabilities
	if capabilities == nil {
		capabilities = []string{"completion", "tools", "thinking"}
	}
	b := quote([]byte(`{"license":"none","modelfile":"FROM mock","parameters":`), s.Parameters)
	b = quote(append(b, `,"template":`...), or(s.Template, "{{ .Prompt }}"))
	b = fmt.Appendf(b, `,%s,"model_info":{"general.architecture":"mock","general.parameter_count":3212749888,"mock.context_length":%d},"capabilities":[`,
		ollamaDetails, or(s.Trained, defaultTrained))
	for i, c := range capabilities {
		if i > 0 {
			b = append(b, ',')
		}
		b = quote(b, c)
	}
	b = append(b, `],"modified_at":"2026-08-01T10:00:00.5+02:00"`...)
	if s.Remote != "" {
		b = quote(append(quote(append(b, `,"remote_model":`...), name), `,"remote_host":`...), s.Remote)
	}
	write(w, 200, append(b, '}'))
}

// change makes the server another one from now on.
func (m *Mock) change(what string) {
	m.state.Lock()
	defer m.state.Unlock()
	m.state.changed[what] = true
}

func (m *Mock) changed(what string) bool {
	m.state.Lock()
	defer m.state.Unlock()
	return m.state.changed[what]
}
