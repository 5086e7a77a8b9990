package openai

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// propsPatience bounds the one request that only llama.cpp answers: a server that does not know the path must not hold
// up a run.
const propsPatience = 5 * time.Second

// Identify asks the server what stands behind the model's name, before any call: GET /models, and llama.cpp's /props. A
// server that does not answer, refuses the key or is not ready is a *model.Fault. A server without a list of models, or
// with one that lacks the name, is only noted in Details ("listed"): some servers answer to names that they do not list.
// Nothing in the result changes between two calls unless the model or the server did.
func (m *Model) Identify(ctx context.Context) (record.Identity, error) {
	id := record.Identity{Model: m.Spec.Name, Details: map[string]string{}}
	got := m.send(ctx, http.MethodGet, "models", "GET "+m.Base+"/models", nil)
	switch {
	case got.Status == http.StatusNotFound || got.Status == http.StatusMethodNotAllowed || got.Status == http.StatusNotImplemented:
		id.Details["listed"] = fmt.Sprintf("unknown: GET /models gives HTTP %d", got.Status)
	default:
		if f := m.Fault(ctx, got); f != nil {
			return record.Identity{}, f
		}
		m.readModels(got, &id)
	}
	if s := got.Header("Server"); s != "" {
		id.Server = model.OneLine(s, 120)
	}
	if !m.Official {
		m.readProps(ctx, &id)
		if ctx.Err() != nil {
			return record.Identity{}, model.Cancelled(ctx, got.Exchange)
		}
	}
	return id, nil
}

type listed struct {
	ID      string         `json:"id"`
	OwnedBy wire.Word      `json:"owned_by"` // "llamacpp", "vllm", "library": the software, where it says so
	Root    wire.Word      `json:"root"`     // vLLM: the path or repository that the name stands for
	MaxLen  wire.Count     `json:"max_model_len"`
	Digest  wire.Word      `json:"digest"`
	Meta    jsontext.Value `json:"meta"` // llama.cpp
}

func (m *Model) readModels(got *wire.Response, id *record.Identity) {
	var list struct {
		Data []listed `json:"data"`
	}
	err := json.Unmarshal(got.ResponseBody, &list, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if err != nil || list.Data == nil {
		id.Details["listed"] = "unknown: GET /models gives no list"
		return
	}
	for _, l := range list.Data {
		if l.ID != m.Spec.Name {
			continue
		}
		id.Details["listed"], id.Digest = "yes", string(l.Digest)
		set(id, "owned_by", string(l.OwnedBy))
		set(id, "root", string(l.Root))
		if l.MaxLen > 0 {
			set(id, "max_model_len", fmt.Sprint(int64(l.MaxLen)))
			id.Context = int64(l.MaxLen)
		}
		scalars(id, "meta.", l.Meta)
		return
	}
	id.Details["listed"] = "no"
}

// readProps notes what llama.cpp says of itself. Its address stands beside /v1, not below it.
func (m *Model) readProps(ctx context.Context, id *record.Identity) {
	ctx, cancel := context.WithTimeout(ctx, propsPatience)
	defer cancel()
	// A reference from the root: the SDK resolves it against the base, and keeps it on the same origin.
	path, ok := "props", false
	u, err := url.Parse(m.Base)
	if err != nil {
		return
	}
	if u.Path, ok = strings.CutSuffix(u.Path, "/v1"); ok {
		path = "../props"
	}
	got := m.send(ctx, http.MethodGet, path, "GET "+u.String()+"/props", nil)
	if got.Err != nil || got.Status != http.StatusOK || !wire.IsJSON(got.Header("Content-Type")) {
		return
	}
	var props struct {
		Build    wire.Word  `json:"build_info"`
		Slots    wire.Count `json:"total_slots"`
		Path     wire.Word  `json:"model_path"`
		Template string     `json:"chat_template"`
		Settings wire.Loose[struct {
			Context wire.Count `json:"n_ctx"`
		}] `json:"default_generation_settings"`
	}
	if json.Unmarshal(got.ResponseBody, &props, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) != nil || props.Build == "" {
		return
	}
	id.Server = "llama.cpp " + model.OneLine(string(props.Build), 80)
	set(id, "model_path", string(props.Path))
	if n := props.Settings.V.Context; n > 0 {
		set(id, "n_ctx", fmt.Sprint(int64(n)))
		id.Context = int64(n)
	}
	if props.Slots > 0 {
		set(id, "total_slots", fmt.Sprint(int64(props.Slots)))
	}
	if props.Template != "" {
		sum := sha256.Sum256([]byte(props.Template))
		set(id, "chat_template_sha256", hex.EncodeToString(sum[:]))
	}
}

func set(id *record.Identity, name, value string) {
	if value != "" {
		id.Details[name] = model.OneLine(value, 300)
	}
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
			set(id, prefix+model.OneLine(name, 60), string(f))
		case '"':
			var s string
			if json.Unmarshal(f, &s, jsontext.AllowInvalidUTF8(true)) == nil {
				set(id, prefix+model.OneLine(name, 60), s)
			}
		}
	}
}
