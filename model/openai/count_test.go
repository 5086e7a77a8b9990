package openai

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
)

// counting is a llama.cpp in as much as a count needs: a template that renders turns as lines, and a tokenizer that makes
// a token of each byte. It keeps what it was asked.
type counting struct {
	mu     sync.Mutex
	asked  []string // path and body
	status map[string]int
	body   map[string]string
	build  string
}

func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, _ := io.ReadAll(r.Body)
	c.asked = append(c.asked, r.URL.Path+" "+string(b))
	w.Header().Set("Content-Type", "application/json")
	if s := c.status[r.URL.Path]; s != 0 {
		w.WriteHeader(s)
		return
	}
	body := map[string]string{
		"/v1/models":           `{"data":[{"id":"mock-1","owned_by":"llamacpp"}]}`,
		"/props":               `{"build_info":"` + c.build + `","default_generation_settings":{"n_ctx":256}}`,
		"/apply-template":      `{"prompt":"<|user|>hello"}`,
		"/tokenize":            `{"tokens":[1,[2,3],{"id":4,"piece":"[5"}, 6 ]}`,
		"/v1/chat/completions": `{"choices":[{"finish_reason":"stop","message":{"content":"ok"}}],"usage":{"prompt_tokens":4}}`,
	}[r.URL.Path]
	if own, ok := c.body[r.URL.Path]; ok {
		body = own
	}
	_, _ = io.WriteString(w, body)
}

// take gives what was asked since the last time.
func (c *counting) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked := c.asked
	c.asked = nil
	return asked
}

func count(t *testing.T, c *counting) *Model {
	t.Helper()
	s := httptest.NewServer(c)
	t.Cleanup(s.Close)
	m := at(t, s.URL+"/v1")
	if _, err := m.Prepare(t.Context(), model.Request{Messages: []model.Message{{Role: "user", Text: "x"}}}); err != nil {
		t.Fatal(err)
	}
	c.take()
	return m
}

func ask(t *testing.T, m *Model, req model.Request) model.Prompted {
	t.Helper()
	rep, err := m.Call(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return rep.Prompt
}

// TestExactCount: the prompt is counted by the server itself, from what decides how it is rendered and nothing else, and
// once for each distinct prompt.
func TestExactCount(t *testing.T) {
	c := &counting{build: "b10488-00dc8057"}
	m := count(t, c)
	zero, one := int64(0), int64(1)
	temperature := 0.5
	req := model.Request{Messages: []model.Message{{Role: "user", Text: "hello"}}, Temperature: &temperature, MaxOutput: 16, Seed: &zero, Thinking: model.ThinkingOff,
		Schema: &model.Schema{Name: "s", JSON: []byte(`{"type":"object"}`)}, Tools: []model.Tool{{Name: "f", Input: []byte(`{}`)}}}
	const parts = `,"tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"tool_choice":"auto","response_format":{"type":"json_schema","json_schema":{"name":"s","strict":true,"schema":{"type":"object"}}},"chat_template_kwargs":{"enable_thinking":false}}`
	const call = `/v1/chat/completions {"model":"mock-1","messages":[{"role":"user","content":"hello"}],"temperature":0.5,"max_tokens":16,"seed":`
	if got, want := ask(t, m, req), (model.Prompted{Exact: 4, Loaded: 256, Refuses: true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	want := []string{
		`/apply-template {"model":"mock-1","messages":[{"role":"user","content":"hello"}]` + parts,
		`/tokenize {"model":"mock-1","content":"<|user|>hello","add_special":true,"parse_special":true}`,
		call + `0` + parts,
	}
	if got := c.take(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	req.Seed = &one // a repeat: the same prompt
	if got := ask(t, m, req); got.Exact != 4 {
		t.Errorf("%+v", got)
	}
	if got := c.take(); len(got) != 1 || got[0] != call+`1`+parts {
		t.Errorf("a repeat asked %s", got)
	}
	req.Thinking = model.ThinkingOn // another prompt
	if ask(t, m, req); len(c.take()) != 3 {
		t.Errorf("another posture was not counted")
	}
	if _, err := m.Identify(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.take()
	if ask(t, m, req); len(c.take()) != 3 {
		t.Errorf("after another look at the server the old counts are still believed")
	}
}

// TestNoCount: a call goes on without a count, and a server that cannot count is not asked for ever.
func TestNoCount(t *testing.T) {
	for name, c := range map[string]struct {
		server *counting
		asked  [2]int // requests of the first and of the second call
	}{
		"no template path":   {&counting{status: map[string]int{"/apply-template": 404}}, [2]int{2, 1}},
		"no tokenizer path":  {&counting{status: map[string]int{"/tokenize": 501}}, [2]int{3, 1}},
		"busy":               {&counting{status: map[string]int{"/apply-template": 503}}, [2]int{2, 2}},
		"a template's error": {&counting{status: map[string]int{"/apply-template": 400}}, [2]int{2, 2}},
		"not JSON":           {&counting{body: map[string]string{"/tokenize": "<html>"}}, [2]int{3, 1}},
		"no prompt":          {&counting{body: map[string]string{"/apply-template": `{}`}}, [2]int{2, 2}},
		"no tokens":          {&counting{body: map[string]string{"/tokenize": `{"tokens":[]}`}}, [2]int{3, 3}},
		"tokens of no list":  {&counting{body: map[string]string{"/tokenize": `{"tokens":12}`}}, [2]int{3, 3}},
	} {
		c.server.build = "b10488-00dc8057"
		m := count(t, c.server)
		for i, want := range c.asked {
			if got := ask(t, m, longPrompt); got.Exact != 0 || got.Loaded != 256 {
				t.Errorf("%s: %+v", name, got)
			}
			if got := c.server.take(); len(got) != want {
				t.Errorf("%s: call %d made %d requests, want %d: %.300s", name, i+1, len(got), want, got)
			}
		}
	}
	mock, err := modeltest.NewMock(modeltest.MockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer mock.Close()
	m := at(t, mock.URL)
	if _, err := m.Prepare(t.Context(), longPrompt); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, m, longPrompt); got != (model.Prompted{}) || mock.Requests() != 1 {
		t.Errorf("something is claimed of a server of which nothing is known: %+v, %d calls", got, mock.Requests())
	}
}

func TestCountsAreBounded(t *testing.T) {
	var c counts
	key := func(i int) (k [32]byte) {
		copy(k[:], fmt.Sprint(i))
		return k
	}
	c.put(key(-1), 77)
	for i := range 5 * maxCounts {
		c.put(key(i), int64(i+1))
		if n, ok := c.get(key(-1)); !ok || n != 77 {
			t.Fatalf("what is used all the time was forgotten after %d", i)
		}
	}
	if n := len(c.young) + len(c.old); n > 2*maxCounts {
		t.Errorf("%d counts are kept", n)
	}
	if n, ok := c.get(key(5*maxCounts - 1)); !ok || n != 5*maxCounts {
		t.Errorf("the last count is %d, %v", n, ok)
	}
	if _, ok := c.get(key(1)); ok {
		t.Error("the first count is still there")
	}
	c.forget()
	if _, ok := c.get(key(-1)); ok {
		t.Error("nothing was forgotten")
	}
}
