package anthropic

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// info is what the API says of a model.
type info struct {
	ID           wire.Word  `json:"id"`
	DisplayName  wire.Word  `json:"display_name"`
	CreatedAt    wire.Word  `json:"created_at"`
	MaxInput     wire.Count `json:"max_input_tokens"` // "maximum input context window size": the window
	MaxTokens    wire.Count `json:"max_tokens"`
	Capabilities wire.Loose[struct {
		Effort   jsontext.Value `json:"effort"`
		Thinking wire.Loose[struct {
			Types jsontext.Value `json:"types"`
		}] `json:"thinking"`
	}] `json:"capabilities"`
}

var loosely = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// info asks what stands behind the model's name; it is empty where the server does not say.
func (m *Model) info(ctx context.Context) (info, *wire.Response) {
	got := m.Send(ctx, http.MethodGet, modelsPath+"/"+url.PathEscape(m.Spec.Name), nil)
	var i info
	if got.Err != nil || got.Status != http.StatusOK || json.Unmarshal(got.ResponseBody, &i, loosely) != nil || i.ID == "" {
		return info{}, got
	}
	return i, got
}

// Identify asks the server what stands behind the model's name, before any call. An alias is resolved: Model is then the
// dated name and Details has the alias. A server that does not answer, refuses the key or is not ready is a *model.Fault;
// one that has no such list, or a list without the name, is only noted in Details ("listed"), since a call decides
// whether it knows the model. Context is the size of the context window. Nothing in the result changes between two calls
// unless the model did.
func (m *Model) Identify(ctx context.Context) (record.Identity, error) {
	id := record.Identity{Model: m.Spec.Name, Details: map[string]string{}}
	i, got := m.info(ctx)
	switch {
	case got.Status == http.StatusNotFound && absentWords.MatchString(wire.ReadError(got.ResponseBody).Message):
		id.Details["listed"] = "no"
	case got.Status == http.StatusNotFound || got.Status == http.StatusMethodNotAllowed || got.Status == http.StatusNotImplemented:
		id.Details["listed"] = fmt.Sprintf("unknown: GET /%s/NAME gives HTTP %d", modelsPath, got.Status)
	default:
		if f := m.fault(ctx, got); f != nil {
			return record.Identity{}, f
		}
		if i.ID == "" {
			id.Details["listed"] = "unknown: GET /" + modelsPath + "/NAME describes no model"
		}
	}
	if m.Official {
		id.Server = "Anthropic API, version " + apiVersion
	} else {
		id.Server = model.OneLine(got.Header("Server"), 120)
	}
	if i.ID == "" {
		return id, nil
	}
	id.Details["listed"] = "yes"
	id.Model = model.OneLine(string(i.ID), 200)
	if id.Model != m.Spec.Name {
		id.Details["alias"] = m.Spec.Name
	}
	m.holds.Store(int64(i.MaxInput))
	id.Context = int64(i.MaxInput)
	wire.Note(&id, "display_name", string(i.DisplayName))
	wire.Note(&id, "created_at", string(i.CreatedAt))
	if i.MaxTokens > 0 {
		wire.Note(&id, "max_tokens", fmt.Sprint(int64(i.MaxTokens)))
	}
	wire.Note(&id, "effort", supported(i.Capabilities.V.Effort))
	wire.Note(&id, "thinking", supported(i.Capabilities.V.Thinking.V.Types))
	return id, nil
}

// supported lists the members of an object that say {"supported": true}, in order.
func supported(v jsontext.Value) string {
	var members map[string]wire.Loose[struct {
		Supported bool `json:"supported"`
	}]
	if !wire.IsSet(v) || json.Unmarshal(v, &members, loosely) != nil {
		return ""
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if members[name].V.Supported {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

const (
	pageSize = 1000
	maxPages = 20
)

// List gives the models that the key may use, newest first, as the server lists them. Its error is a *model.Fault.
func (m *Model) List(ctx context.Context) ([]model.Held, error) {
	var held []model.Held
	path := fmt.Sprintf("%s?limit=%d", modelsPath, pageSize)
	for pages := 1; ; pages++ {
		got := m.Send(ctx, http.MethodGet, path, nil)
		if f := m.fault(ctx, got); f != nil {
			return nil, f
		}
		var page struct {
			Data    []info    `json:"data"`
			HasMore bool      `json:"has_more"`
			LastID  wire.Word `json:"last_id"`
		}
		if json.Unmarshal(got.ResponseBody, &page, loosely) != nil || page.Data == nil {
			return nil, m.Broken(got, fmt.Sprintf("GET /%s gives no list of models: is %s the address of %s?", modelsPath, m.Base, dialect.Server))
		}
		for _, i := range page.Data {
			if i.ID != "" {
				held = append(held, model.Held{Name: model.OneLine(string(i.ID), 200), Context: int64(i.MaxInput)})
			}
		}
		switch {
		case !page.HasMore || page.LastID == "":
			return held, nil
		case pages == maxPages:
			return nil, m.Broken(got, fmt.Sprintf("the list of models at %s does not end after %d pages", m.Base, maxPages))
		}
		path = fmt.Sprintf("%s?limit=%d&after_id=%s", modelsPath, pageSize, url.QueryEscape(string(page.LastID)))
	}
}
