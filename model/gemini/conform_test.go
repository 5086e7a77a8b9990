package gemini

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

const abilities = modeltest.CanEcho | modeltest.CanThink | modeltest.CanCut | modeltest.CanRefuse | modeltest.CanWait | modeltest.HasWire |
	modeltest.CanTools | modeltest.CanSchema | modeltest.CanLearn | modeltest.CanSign

var learns = []string{"temperature", "top_p", "thinking"}

// open makes a model over a mock, with a key, that can reach loopback only.
func open(t testing.TB, o modeltest.MockOptions) (*Model, *modeltest.Mock) {
	t.Helper()
	o.Wire = modeltest.WireGemini
	mock, err := modeltest.NewMock(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := mock.Close(); err != nil {
			t.Error(err)
		}
	})
	return at(t, mock.URL), mock
}

// TestConformance runs the suite over the shared mock.
func TestConformance(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{Can: abilities, Learns: learns, Secrets: []string{testKey},
		New: func(t testing.TB, act modeltest.Act) model.Model {
			m, _ := open(t, modeltest.MockOptions{Reply: func(req modeltest.MockRequest) modeltest.MockReply {
				if req.Header.Get("X-Goog-Api-Key") != testKey || strings.Contains(req.Path, "?") {
					t.Errorf("the key was not sent, or not as a header alone: %s", req.Path)
				}
				return act.Reply(req)
			}})
			return m
		}})
}

// TestConformanceOfOwn runs the suite over a server that was written apart from the mock.
func TestConformanceOfOwn(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{Can: abilities, Learns: learns, Secrets: []string{testKey},
		New: func(t testing.TB, act modeltest.Act) model.Model {
			s := httptest.NewServer(actor{t, act})
			t.Cleanup(s.Close)
			return at(t, s.URL)
		}})
}

// actor is a server that acts as the suite wants.
type actor struct {
	t   testing.TB
	act modeltest.Act
}

type turn struct {
	Role  string           `json:"role"`
	Parts []map[string]any `json:"parts"`
}

func (a actor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	if r.Header.Get("X-Goog-Api-Key") != testKey || r.URL.RawQuery != "" {
		a.t.Errorf("the key was not sent, or not as a header alone: %s", r.RequestURI)
	}
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(w, cardJSON)
		return
	}
	var req struct {
		Contents []turn           `json:"contents"`
		Tools    []map[string]any `json:"tools"`
		Config   map[string]any   `json:"generationConfig"`
	}
	if err := json.Unmarshal(raw, &req); err != nil {
		a.t.Errorf("not JSON: %s", raw)
	}
	for _, name := range a.act.Rejects {
		if _, ok := req.Config[map[string]string{"temperature": "temperature", "top_p": "topP", "thinking": "thinkingConfig"}[name]]; ok {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, refusedBy(400, "INVALID_ARGUMENT", invalid).body)
			return
		}
	}
	select {
	case <-time.After(a.act.Delay):
	case <-r.Context().Done():
		return
	}
	_, _ = io.WriteString(w, a.reply(req.Contents, len(req.Tools) > 0, 1+len(raw)/4))
}

func (a actor) reply(contents []turn, tools bool, tokens int) string {
	answered, last := false, ""
	for _, c := range contents {
		for _, p := range c.Parts {
			if text, ok := p["text"].(string); ok && c.Role == "user" {
				last = text
			}
			_, result := p["functionResponse"]
			answered = answered || result
		}
	}
	var parts []string
	if a.act.Thinking != "" {
		parts = append(parts, `{"text":`+quoted(a.act.Thinking)+`,"thought":true,"thoughtSignature":"`+modeltest.Signature+`"}`)
	}
	answer := a.act.Answer
	if a.act.Echo {
		answer = last
	}
	if tools && !answered && len(a.act.Calls) > 0 {
		for _, c := range a.act.Calls {
			id := ""
			if c.ID != "" {
				id = `"id":` + quoted(c.ID) + `,`
			}
			parts = append(parts, `{"functionCall":{`+id+`"name":`+quoted(c.Name)+`,"args":`+c.Arguments+`}}`)
		}
	} else if answer != "" {
		parts = append(parts, `{"text":`+quoted(answer)+`}`)
	}
	finish := map[model.Finish]string{model.FinishLength: "MAX_TOKENS", model.FinishRefusal: "SAFETY", model.FinishFilter: "SAFETY"}[a.act.Finish]
	if finish == "" {
		finish = "STOP"
	}
	return fmt.Sprintf(`{"candidates":[{"content":{"parts":[%s],"role":"model"},"finishReason":%q,"index":0}],"usageMetadata":{"promptTokenCount":%d},"modelVersion":"mock-1"}`, strings.Join(parts, ","), finish, tokens)
}

// TestEveryFaultOfTheMock makes every fault of the shared mock and wants the outcome and the kind that it expects.
func TestEveryFaultOfTheMock(t *testing.T) {
	for _, f := range modeltest.FaultsOf(modeltest.WireGemini) {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			m, mock := open(t, modeltest.MockOptions{Fault: func(int64) modeltest.Fault { return f }})
			outcome, kind := f.Expect()
			limit := 20 * time.Second
			if outcome == record.Timeout {
				limit = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), limit, model.ErrTimeLimit)
			defer cancel()
			req := modeltest.LongRequest()
			rep, err := m.Call(ctx, req)
			tr := model.Transcribe(req, rep, err)
			if tr.Outcome != outcome || (err != nil) != (kind != "") {
				t.Errorf("outcome %s (%s), want %s; error %v, want kind %q", tr.Outcome, tr.Reason, outcome, err, kind)
			}
			if err != nil {
				if fault := model.AsFault(err); fault.Kind != kind || fault.Msg == "" || strings.ContainsAny(fault.Msg, "\n\r\x1b") || len(fault.Msg) > 600 {
					t.Errorf("kind %s, want %s: %q", fault.Kind, kind, fault.Msg)
				}
			}
			keepsKey(t, rep, err, tr, m)
			if mock.Requests() != 1 {
				t.Errorf("%d requests on the wire for one call", mock.Requests())
			}
		})
	}
}
