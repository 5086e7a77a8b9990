package gemini

import (
	"context"
	"fmt"
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

// card is a model as GET models/NAME and GET models tell of it.
type card struct {
	Name    string     `json:"name"` // "models/…"
	Input   wire.Count `json:"inputTokenLimit"`
	Output  wire.Count `json:"outputTokenLimit"`
	Methods texts      `json:"supportedGenerationMethods"`
}

// texts is a list of texts; what has another form is empty.
type texts []string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (t *texts) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	var list []string
	if err == nil && json.Unmarshal(v, &list, loose) == nil {
		*t = list
	}
	return err
}

func (c *card) methods() string { return model.OneLine(strings.Join(c.Methods, ", "), 120) }

// inquire asks for the model's card. It is nil where the server is no better than one that answers calls alone, and a
// fault where no call would go well.
func (m *Model) inquire(ctx context.Context) (*card, *wire.Response, *model.Fault) {
	got := m.Send(ctx, http.MethodGet, m.path, nil)
	if f := m.fault(ctx, got); f != nil {
		_, google := readError(got.ResponseBody)
		switch got.Status {
		case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented, http.StatusBadRequest:
			if f.Kind != model.FaultDenied && !(f.Kind == model.FaultNoModel && google) {
				return nil, got, nil
			}
		}
		return nil, got, f
	}
	var c card
	if json.Unmarshal(got.ResponseBody, &c, loose) != nil || c.Name == "" {
		return nil, got, nil
	}
	return &c, got, nil
}

// Identify asks the server what stands behind the model's name: GET models/NAME. A server that does not answer, refuses
// the key or does not know the model is a *model.Fault; one that tells nothing of its models is only noted in Details
// ("listed"). Google gives no digest: the version, and the model's version in each reply, are all there is to compare.
// Context is the limit of the input alone; the output has its own, in Details.
func (m *Model) Identify(ctx context.Context) (record.Identity, error) {
	c, got, f := m.inquire(ctx)
	if f != nil {
		return record.Identity{}, f
	}
	id := record.Identity{Model: m.Spec.Name, Details: map[string]string{}}
	if s := got.Header("Server"); s != "" {
		id.Server = model.OneLine(s, 120)
	}
	if c == nil {
		id.Details["listed"] = fmt.Sprintf("unknown: GET %s gives HTTP %d and no model", m.path, got.Status)
		return id, nil
	}
	id.Model, id.Context = model.OneLine(c.Name, 200), int64(c.Input)
	id.Details["listed"] = "yes"
	var fields map[string]jsontext.Value
	if json.Unmarshal(got.ResponseBody, &fields, loose) == nil {
		for _, name := range []string{"version", "baseModelId", "displayName", "inputTokenLimit", "outputTokenLimit", "thinking", "temperature", "maxTemperature", "topP", "topK"} {
			if s := scalar(fields[name]); s != "" {
				id.Details[name] = s
			}
		}
	}
	if len(c.Methods) > 0 {
		id.Details["supportedGenerationMethods"] = c.methods()
	}
	return id, nil
}

// scalar is a text, a number or a boolean in words, "" for anything else.
func scalar(v jsontext.Value) string {
	if !wire.IsSet(v) {
		return ""
	}
	switch v.Kind() {
	case '"':
		var s string
		if json.Unmarshal(v, &s, loose) != nil {
			return ""
		}
		return model.OneLine(s, 200)
	case '0', 't', 'f':
		return model.OneLine(string(v), 40)
	}
	return ""
}

// maxPages bounds a list; a page holds up to 1,000 models.
const maxPages = 20

// List gives the models that answer generateContent, as the server orders them, without "models/".
func (m *Model) List(ctx context.Context) ([]model.Held, error) {
	var held []model.Held
	token := ""
	var seen []string
	for range maxPages {
		path := "models?pageSize=1000"
		if token != "" {
			path += "&pageToken=" + url.QueryEscape(token)
		}
		got := m.Send(ctx, http.MethodGet, path, nil)
		if f := m.fault(ctx, got); f != nil {
			if got.Status == http.StatusNotFound {
				return nil, m.NewFault(model.FaultRejected, got, m.Base+"/models is not there: is it the address of a Gemini server?")
			}
			return nil, f
		}
		var page struct {
			Models []card    `json:"models"`
			Next   wire.Word `json:"nextPageToken"`
		}
		if err := json.Unmarshal(got.ResponseBody, &page, loose); err != nil {
			return nil, m.Broken(got, "the list of models has not the known form: "+said(err))
		}
		for _, c := range page.Models {
			if slices.Contains(c.Methods, "generateContent") {
				held = append(held, model.Held{Name: model.OneLine(strings.TrimPrefix(c.Name, "models/"), 200), Context: int64(c.Input)})
			}
		}
		seen = append(seen, token)
		if token = string(page.Next); token == "" {
			return held, nil
		}
		if slices.Contains(seen, token) {
			return nil, m.Broken(got, "the list of models comes back to a page that was read")
		}
	}
	return nil, &model.Fault{Kind: model.FaultBroken, Status: http.StatusOK, Msg: fmt.Sprintf("the list of models does not end within %d pages", maxPages)}
}
