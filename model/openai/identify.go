package openai

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// Identify asks the server what stands behind the model's name, before any call: GET /models, and then what only one
// kind of server knows, to find out which it is. A server that does not answer, refuses the key or is not ready is a
// *model.Fault. A server without a list of models, or with one that lacks the name, is only noted in Details ("listed"):
// some servers answer to names that they do not list. Nothing in the result changes between two calls unless the model or
// the server did; a server that loads a model when it is first called has no context before.
func (m *Model) Identify(ctx context.Context) (record.Identity, error) {
	id, _, err := m.identify(ctx)
	return id, err
}

// identify is Identify with its exchanges.
func (m *Model) identify(ctx context.Context) (record.Identity, []record.Exchange, error) {
	id := record.Identity{Model: m.Spec.Name, Details: map[string]string{}}
	var calls []record.Exchange
	got := m.Send(ctx, http.MethodGet, "models", nil)
	calls = append(calls, got.Exchange)
	owners := map[string]bool{}
	switch {
	case got.Status == http.StatusNotFound || got.Status == http.StatusMethodNotAllowed || got.Status == http.StatusNotImplemented:
		id.Details["listed"] = fmt.Sprintf("unknown: GET /models gives HTTP %d", got.Status)
	default:
		if f := m.Fault(ctx, got); f != nil {
			return record.Identity{}, calls, f
		}
		list, ok := readList(got)
		if !ok {
			id.Details["listed"] = "unknown: GET /models gives no list"
			break
		}
		m.readModels(list, &id)
		for _, l := range list {
			owners[string(l.OwnedBy)] = true
		}
	}
	if s := got.Header("Server"); s != "" {
		id.Server = model.OneLine(s, 120)
	}
	if m.Official {
		return id, calls, nil
	}
	s := m.probe(ctx, &id, owners, func(got *wire.Response) { calls = append(calls, got.Exchange) })
	if ctx.Err() != nil {
		return record.Identity{}, calls, model.Cancelled(ctx, got.Exchange)
	}
	m.server.Store(&s)
	m.counts.forget()
	return id, calls, nil
}

// List says which models the server has. A server without such a list is a *model.Fault.
func (m *Model) List(ctx context.Context) ([]model.Held, error) {
	got := m.Send(ctx, http.MethodGet, "models", nil)
	if f := m.Fault(ctx, got); f != nil {
		return nil, f
	}
	list, ok := readList(got)
	if !ok {
		return nil, m.Broken(got, "GET "+m.Base+"/models gives no list of models: is it the address of a model server?")
	}
	held := make([]model.Held, 0, len(list))
	for _, l := range list {
		h := model.Held{Name: model.OneLine(l.ID, 200), Digest: model.OneLine(string(l.Digest), 120), Context: int64(l.MaxLen)}
		var meta struct {
			Context wire.Count `json:"n_ctx"`
			Size    wire.Count `json:"size"`
		}
		if wire.IsSet(l.Meta) && json.Unmarshal(l.Meta, &meta, jsontext.AllowInvalidUTF8(true)) == nil {
			h.Bytes, h.Context = int64(meta.Size), max(h.Context, int64(meta.Context))
		}
		held = append(held, h)
	}
	return held, nil
}

type listed struct {
	ID      string         `json:"id"`
	OwnedBy wire.Word      `json:"owned_by"` // "llamacpp", "vllm", "library": the software, where it says so
	Root    wire.Word      `json:"root"`     // vLLM: the path or repository that the name stands for
	MaxLen  wire.Count     `json:"max_model_len"`
	Digest  wire.Word      `json:"digest"`
	Meta    jsontext.Value `json:"meta"` // llama.cpp
}

func readList(got *wire.Response) ([]listed, bool) {
	var list struct {
		Data []listed `json:"data"`
	}
	err := json.Unmarshal(got.ResponseBody, &list, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	return list.Data, err == nil && list.Data != nil
}

func (m *Model) readModels(list []listed, id *record.Identity) {
	for _, l := range list {
		if l.ID != m.Spec.Name {
			continue
		}
		id.Details["listed"], id.Digest = "yes", model.OneLine(string(l.Digest), 120)
		wire.Note(id, "owned_by", string(l.OwnedBy))
		wire.Note(id, "root", string(l.Root))
		if l.MaxLen > 0 {
			wire.Note(id, "max_model_len", fmt.Sprint(int64(l.MaxLen)))
			id.Context = int64(l.MaxLen)
		}
		scalars(id, "meta.", l.Meta)
		return
	}
	id.Details["listed"] = "no"
}

// maxScalars bounds what a server can put into an identity.
const maxScalars = 64

// scalars notes the numbers, texts and booleans of an object, by name.
func scalars(id *record.Identity, prefix string, v jsontext.Value) {
	var fields map[string]jsontext.Value
	if !wire.IsSet(v) || json.Unmarshal(v, &fields, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) != nil {
		return
	}
	names := slices.Sorted(maps.Keys(fields))
	for _, name := range names[:min(len(names), maxScalars)] {
		switch f := fields[name]; f.Kind() {
		case '0', 't', 'f':
			wire.Note(id, prefix+model.OneLine(name, 60), string(f))
		case '"':
			var s string
			if json.Unmarshal(f, &s, jsontext.AllowInvalidUTF8(true)) == nil {
				wire.Note(id, prefix+model.OneLine(name, 60), s)
			}
		}
	}
}
