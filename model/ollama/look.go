package ollama

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// look asks the server for everything that can be known without a call of the model: four requests. The exchanges made
// are given in every case; a fault is that of the last.
func (m *Model) look(ctx context.Context) (facts, []record.Exchange, *model.Fault) {
	var f facts
	var calls []record.Exchange
	get := func(method, path string, body []byte) *wire.Response {
		got := m.Send(ctx, method, path, body)
		calls = append(calls, got.Exchange)
		return got
	}
	got := get(http.MethodGet, "api/version", nil)
	if !absent(got) {
		var v struct {
			Version wire.Word `json:"version"`
		}
		if fault := m.decode(ctx, got, &v); fault != nil {
			return f, calls, fault
		}
		f.said = model.OneLine(string(v.Version), 60)
		f.version = parseVersion(string(v.Version))
	}
	list, fault := m.tags(ctx, get(http.MethodGet, "api/tags", nil))
	if fault != nil {
		return f, calls, fault
	}
	for _, h := range list {
		if sameModel(m.Spec.Name, h.name()) {
			f.listed, f.digest = true, model.OneLine(string(h.Digest), 120)
			f.remote = strings.TrimSpace(string(h.RemoteHost) + " " + string(h.RemoteModel))
			break
		}
	}
	w := writer{b: []byte(`{"model":`)}
	w.quote(m.Spec.Name, "the model's name")
	w.raw(`}`)
	if w.err != nil {
		return f, calls, m.Ours(w.err)
	}
	got = get(http.MethodPost, "api/show", w.b)
	if got.Status == http.StatusNotFound && !f.listed && !cloudName(m.Spec.Name) {
		return f, calls, m.missing(got, list)
	}
	if fault := m.decode(ctx, got, &f.show); fault != nil {
		return f, calls, fault
	}
	if r := strings.TrimSpace(string(f.show.RemoteHost) + " " + string(f.show.RemoteModel)); r != "" {
		f.remote = r
	}
	if f.remote == "" && cloudName(m.Spec.Name) {
		f.remote = cloudHost
	}
	f.remote = model.OneLine(f.remote, 200)
	f.running, fault = m.ps(ctx, get(http.MethodGet, "api/ps", nil), &f, false)
	if fault != nil {
		return f, calls, fault
	}
	m.mu.Lock()
	m.known = &f
	m.mu.Unlock()
	return f, calls, nil
}

// absent reports whether a server lacks a path, as older ones and those that stand before an Ollama may.
func absent(got *wire.Response) bool {
	return got.Status == http.StatusNotFound || got.Status == http.StatusMethodNotAllowed || got.Status == http.StatusNotImplemented
}

// decode reads an answer that informs: it must be JSON of the known form at large, no more.
func (m *Model) decode(ctx context.Context, got *wire.Response, to any) *model.Fault {
	if f := m.Fault(ctx, got); f != nil {
		return f
	}
	err := json.Unmarshal(got.ResponseBody, to, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if err != nil || !wire.IsJSON(got.Header("Content-Type")) {
		return m.Broken(got, fmt.Sprintf("%s does not answer as Ollama does: is %s the address of an Ollama server?", got.Endpoint, m.Base))
	}
	return nil
}

func (m *Model) tags(ctx context.Context, got *wire.Response) ([]held, *model.Fault) {
	var list struct {
		Models []held `json:"models"`
	}
	if f := m.decode(ctx, got, &list); f != nil {
		return nil, f
	}
	return list.Models, nil
}

// ps is what the server says of the model as it is loaded; nil where it is not, or the server cannot say. surely is that it
// must be loaded.
func (m *Model) ps(ctx context.Context, got *wire.Response, f *facts, surely bool) (*running, *model.Fault) {
	if absent(got) {
		return nil, nil
	}
	var list struct {
		Models []running `json:"models"`
	}
	if fault := m.decode(ctx, got, &list); fault != nil {
		return nil, fault
	}
	return f.find(m.Spec.Name, list.Models, surely), nil
}

// nearNames is how many of the models held a message lists.
const nearNames = 5

// missing is the fault of a model that the server does not hold.
func (m *Model) missing(got *wire.Response, list []held) *model.Fault {
	names := make([]string, 0, len(list))
	for _, h := range list {
		names = append(names, h.name())
	}
	hint := "; it holds no model"
	if len(names) > 0 {
		hint = "; it holds "
		for i, name := range near(m.Spec.Name, names, nearNames) {
			if i > 0 {
				hint += ", "
			}
			hint += model.OneLine(name, 60)
		}
		if more := len(names) - nearNames; more > 0 {
			hint += fmt.Sprintf(" and %d more", more)
		}
	}
	return m.NewFault(model.FaultNoModel, got, fmt.Sprintf(`the server at %s does not hold the model %q: "ollama pull %s" would get it, if there is such a model%s`,
		m.Base, m.Spec.Name, model.OneLine(m.Spec.Name, 120), hint))
}
