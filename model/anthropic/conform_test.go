package anthropic

import (
	"net/http"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
)

// TestConformance runs the suite over a server of this package's own, which only knows the published form.
func TestConformance(t *testing.T) {
	words := map[model.Finish]string{"": "end_turn", model.FinishStop: "end_turn", model.FinishLength: "max_tokens", model.FinishRefusal: "refusal"}
	modeltest.Run(t, modeltest.Subject{
		Can:     modeltest.CanEcho | modeltest.CanThink | modeltest.CanCut | modeltest.CanRefuse | modeltest.CanWait | modeltest.HasWire,
		Secrets: []string{testKey},
		New: func(t testing.TB, act modeltest.Act) model.Model {
			done := make(chan struct{})
			srv := serve(t, func(_ http.ResponseWriter, r seen) (int, string) {
				if r.header.Get("X-Api-Key") != testKey {
					t.Error("the key was not sent")
				}
				select {
				case <-time.After(act.Delay):
				case <-done:
				}
				answer := act.Answer
				if act.Echo {
					var req struct {
						Messages []struct {
							Content string `json:"content"`
						} `json:"messages"`
					}
					if err := json.Unmarshal([]byte(r.body), &req); err != nil {
						t.Error(err)
						return 400, "{}"
					}
					answer = req.Messages[len(req.Messages)-1].Content
				}
				blocks := text(answer)
				if act.Thinking != "" {
					blocks = `{"type":"thinking","thinking":` + quoted(act.Thinking) + `,"signature":"c2ln"},` + blocks
				}
				return 200, reply(blocks, words[act.Finish])
			})
			t.Cleanup(func() { close(done) }) // before the server's own Close, which waits for its handlers
			spec := model.Spec{Raw: "anthropic/claude-x@" + srv.URL, Provider: "anthropic", Name: "claude-x", URL: srv.URL}
			m, err := New(Options{Spec: spec, Getenv: env(keyVariable, testKey), Dial: modeltest.Dial})
			if err != nil {
				t.Fatal(err)
			}
			return m
		},
	})
}
