package modeltest

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, o MockOptions) *Mock {
	t.Helper()
	m, err := NewMock(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	res, err := http.Post(url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func TestMock(t *testing.T) {
	const body = `{"model":"m","messages":[{"role":"user","content":"first"},{"role":"user","content":"last"},{"role":"assistant","content":"x"}]}`
	m := start(t, MockOptions{Answer: "a \"b\"\n", Models: []string{"one", "two"}})
	want := `{"id":"chatcmpl-mock","object":"chat.completion","model":"mock-1","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"a \"b\"\n"}}],` +
		fmt.Sprintf(`"usage":{"prompt_tokens":%d,"completion_tokens":2}}`, 1+len(body)/4)
	for range 2 {
		if status, got := post(t, m.URL, body); status != 200 || got != want {
			t.Errorf("%d\n got %s\nwant %s", status, got, want)
		}
	}
	if m.Requests() != 2 {
		t.Errorf("%d requests counted", m.Requests())
	}
	for path, want := range map[string]string{"/v1/models": `"id":"two"`, "/mock/requests": "2", "/elsewhere": "Not Found"} {
		res, err := http.Get(strings.TrimSuffix(m.URL, "/v1") + path)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if !strings.Contains(string(b), want) {
			t.Errorf("%s: %s", path, b)
		}
	}

	echo := start(t, MockOptions{Reply: func(r MockRequest) MockReply {
		return MockReply{Content: r.User, Thinking: "t", OutputTokens: 3, CachedTokens: 2, ThinkingTokens: 1, PromptTokens: 9}
	}})
	want = `"message":{"role":"assistant","content":"last","reasoning_content":"t"}}],"usage":{"prompt_tokens":9,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":1}}}`
	if _, got := post(t, echo.URL, body); !strings.HasSuffix(got, want) {
		t.Errorf(" got %s\nwant %s", got, want)
	}
}

func TestMockStaysOnLoopback(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.168.0.1:80", "example.com:80", "nonsense"} {
		if m, err := NewMock(MockOptions{Addr: addr}); err == nil {
			m.Close()
			t.Errorf("%s was listened on", addr)
		}
	}
	for _, addr := range []string{"10.0.0.1:80", "example.com:443", "nonsense"} {
		if c, err := Dial(t.Context(), "tcp", addr); err == nil {
			c.Close()
			t.Errorf("%s was dialled", addr)
		}
	}
}

func TestEvery(t *testing.T) {
	plan, err := Every("429:3, cut:2")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for n := int64(1); n <= 6; n++ {
		got = append(got, string(plan(n)))
	}
	if s := strings.Join(got, ","); s != ",cut,429,cut,,429" {
		t.Errorf("got %s", s)
	}
	all, err := Every("all:20")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[Fault]int{}
	for n := int64(1); n <= 20*1000; n++ {
		if f := all(n); f != "" {
			seen[f]++
		}
	}
	low, high := 1000, 0
	for f, n := range seen {
		if outcome, _ := f.Expect(); outcome != record.Error || !f.Transient() {
			t.Errorf("%s is no fault of the infrastructure that may pass", f)
		}
		low, high = min(low, n), max(high, n)
	}
	if len(seen) < 15 || high-low > 1 {
		t.Errorf("%d kinds, from %d to %d times each", len(seen), low, high)
	}
	for _, plan := range []string{"", "nonsense", "429:0", "429:-1", "429:x", "429:1:2", "429,,cut"} {
		if _, err := Every(plan); err == nil {
			t.Errorf("plan %q: no error", plan)
		}
	}
}

func TestFindSecret(t *testing.T) {
	const s = "sk-secret-0123456789"
	x := record.Exchange{ResponseBody: []byte("a " + s)}
	for name, v := range map[string]any{
		"reply": model.Reply{Answer: s}, "reply's bytes": model.Reply{Exchange: x}, "transcript": record.Transcript{Thinking: s},
		"transcript's bytes": record.Transcript{Calls: []record.Exchange{{}, x}}, "fault": &model.Fault{Msg: s}, "fault's bytes": &model.Fault{Exchange: x},
		"fault's header": &model.Fault{Exchange: record.Exchange{ResponseHeader: map[string][]string{"X": {s}}}},
		"fault's cause":  &model.Fault{Err: errors.New(s)}, "wrapped": fmt.Errorf("x: %w", &model.Fault{Err: fmt.Errorf("y: %w", errors.New(s))}),
		"wrapped bytes": fmt.Errorf("x: %w", &model.Fault{Exchange: x}), "field": struct{ a string }{s}, "pointer": &struct{ a string }{s},
	} {
		if FindSecret(s, v) == "" {
			t.Errorf("%s: not found", name)
		}
	}
	for name, v := range map[string]any{"reply": model.Reply{Answer: "x"}, "fault": &model.Fault{Msg: "x", Err: errors.New("y")}, "nil": nil} {
		if where := FindSecret(s, v); where != "" {
			t.Errorf("%s: found %s", name, where)
		}
	}
}
