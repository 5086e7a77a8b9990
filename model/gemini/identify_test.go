package gemini

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

func TestIdentify(t *testing.T) {
	for name, c := range map[string]struct {
		reply reply
		want  record.Identity
	}{
		"card": {reply{200, cardJSON, map[string]string{"Server": "scaffolding on HTTPServer2"}}, record.Identity{Model: "models/mock-1", Server: "scaffolding on HTTPServer2", Context: 1048576, Details: map[string]string{
			"listed": "yes", "version": "001", "baseModelId": "mock", "displayName": "Mock 1", "inputTokenLimit": "1048576", "outputTokenLimit": "65536",
			"supportedGenerationMethods": "generateContent, countTokens", "temperature": "1", "topP": "0.95", "topK": "64", "maxTemperature": "2", "thinking": "true"}}},
		"odd card":  {reply{200, `{"name":"models/\u001bx","version":{"a":1},"inputTokenLimit":"many","supportedGenerationMethods":7,"thinking":null}`, nil}, record.Identity{Model: `models/\x1bx`, Details: map[string]string{"listed": "yes", "inputTokenLimit": "many"}}},
		"no such":   {reply{404, `{"detail":"Not Found"}`, nil}, record.Identity{Model: "mock-1", Details: map[string]string{"listed": "unknown: GET models/mock-1 gives HTTP 404 and no model"}}},
		"no method": {reply{405, ``, nil}, record.Identity{Model: "mock-1", Details: map[string]string{"listed": "unknown: GET models/mock-1 gives HTTP 405 and no model"}}},
		"a page":    {reply{200, html, nil}, record.Identity{Model: "mock-1", Details: map[string]string{"listed": "unknown: GET models/mock-1 gives HTTP 200 and no model"}}},
	} {
		s := serve(t, c.reply)
		m := at(t, s.URL)
		got, err := m.Identify(t.Context())
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, got, c.want)
		}
		if again, err := m.Identify(t.Context()); err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s: a second look differs: %+v, %v", name, again, err)
		}
		if r := s.requests()[0]; r.method != "GET" || r.uri != "/v1beta/models/mock-1" || r.key != testKey || r.body != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for want, r := range map[model.FaultKind]reply{
		model.FaultDenied:  refusedBy(400, "INVALID_ARGUMENT", "API key not valid.", reason("API_KEY_INVALID")),
		model.FaultNoModel: refusedBy(404, "NOT_FOUND", "models/mock-1 is not found for API version v1beta"),
		model.FaultBusy:    refusedBy(503, "UNAVAILABLE", "x"),
	} {
		_, err := at(t, serve(t, r).URL).Identify(t.Context())
		if err == nil || model.AsFault(err).Kind != want {
			t.Errorf("%v, want %s", err, want)
		}
		keepsKey(t, err)
	}
}

func TestList(t *testing.T) {
	s := serve(t, reply{200, `{"models":[` + cardJSON + `,{"name":"models/embed","supportedGenerationMethods":["embedContent"]}],"nextPageToken":"a/b+c=="}`, nil},
		reply{200, `{"models":[{"name":"tunedModels/own","supportedGenerationMethods":["generateContent"],"inputTokenLimit":"x"}]}`, nil})
	got, err := at(t, s.URL).List(t.Context())
	if want := []model.Held{{Name: "mock-1", Context: 1048576}, {Name: "tunedModels/own"}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if r := s.requests(); len(r) != 2 || r[0].uri != "/v1beta/models?pageSize=1000" || r[1].uri != "/v1beta/models?pageSize=1000&pageToken=a%2Fb%2Bc%3D%3D" || r[1].key != testKey {
		t.Errorf("%+v", r)
	}
	for says, r := range map[string]reply{
		"comes back to a page":      {200, `{"nextPageToken":"a"}`, nil},
		"not the known form":        {200, `[]`, nil},
		"/v1beta/models is not the": {404, html, nil},
		"API key not valid":         refusedBy(400, "INVALID_ARGUMENT", "API key not valid.", reason("API_KEY_INVALID")),
	} {
		_, err := at(t, serve(t, r).URL).List(t.Context())
		if err == nil || !strings.Contains(err.Error(), says) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%v; want %q", err, says)
		}
		keepsKey(t, err)
	}
}
