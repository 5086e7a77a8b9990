package openai

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// longPrompt is long enough for a token count to prove that it was cut.
var longPrompt = model.Request{Messages: []model.Message{{Role: "user", Text: strings.Repeat("eight by", 400)}}}

// TestEveryFault makes every fault of the mock and wants the outcome and the kind of fault that an honest harness gives
// it, one line without a secret, and one request on the wire for each call.
func TestEveryFault(t *testing.T) {
	for _, f := range modeltest.Faults() {
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
			rep, err := m.Call(ctx, longPrompt)
			tr := model.Transcribe(longPrompt, rep, err)
			if tr.Outcome != outcome {
				t.Errorf("outcome %s (%s), want %s", tr.Outcome, tr.Reason, outcome)
			}
			if (err != nil) != (kind != "") {
				t.Errorf("error %v, want kind %q", err, kind)
			}
			if err != nil {
				fault := model.AsFault(err)
				if fault.Kind != kind || fault.Msg == "" || strings.ContainsAny(fault.Msg, "\n\r") || len(fault.Msg) > 600 {
					t.Errorf("kind %s, want %s: %q", fault.Kind, kind, fault.Msg)
				}
				if kind != model.FaultUnreachable && kind != model.FaultCancelled && f != "not-http" && f != "cut-head" && fault.Status == 0 {
					t.Errorf("no status in %+v", fault)
				}
			}
			for _, v := range []any{rep, err, tr, m} {
				if where := modeltest.FindSecret(testKey, v); where != "" {
					t.Errorf("the key is in %T: %s", v, where)
				}
			}
			if mock.Requests() != 1 {
				t.Errorf("%d requests on the wire for one call", mock.Requests())
			}
		})
	}
}

func TestMessagesSayWhatToDo(t *testing.T) {
	for f, want := range map[modeltest.Fault]string{
		"404-path": "is it the address of an OpenAI-compatible server?", "404-model": `does not know the model "mock-1"`, "401": "check OPENAI_API_KEY (Incorrect API key provided)",
		"redirect": "redirects to http://elsewhere.invalid/v1/chat/completions", "context-llama": "request (5000 tokens) exceeds", "html-200": "content type text/html",
		"422": "extra fields not permitted", "502": "an HTML page", "429": "busy (Rate limit reached)", "402": "Insufficient credits", "no-finish": "no finish_reason",
		"echo-key": "[key removed]", "huge": "larger than 64 MB", "error-200-text": "model runner has stopped",
	} {
		m, _ := open(t, modeltest.MockOptions{Fault: func(int64) modeltest.Fault { return f }})
		_, err := m.Call(t.Context(), longPrompt)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q in it", f, err, want)
		}
	}
	_, mock := open(t, modeltest.MockOptions{})
	m := at(t, strings.TrimSuffix(mock.URL, "/v1"))
	if _, err := m.Call(t.Context(), longPrompt); err == nil || model.AsFault(err).Kind != model.FaultNoModel || !strings.Contains(err.Error(), "lacks /v1: give @"+mock.URL) {
		t.Errorf("an address without /v1: %v", err)
	}
}

func TestRetryAfter(t *testing.T) {
	for f, want := range map[modeltest.Fault][2]time.Duration{
		"429": {time.Second, time.Second}, "429-ms": {250 * time.Millisecond, 250 * time.Millisecond}, "429-date": {80 * time.Second, 91 * time.Second},
		"429-bare": {0, 0}, "cut-429": {2 * time.Second, 2 * time.Second},
	} {
		m, _ := open(t, modeltest.MockOptions{Fault: func(int64) modeltest.Fault { return f }})
		_, err := m.Call(t.Context(), longPrompt)
		if got := model.AsFault(err); got.RetryAfter < want[0] || got.RetryAfter > want[1] {
			t.Errorf("%s: %v (%v)", f, got.RetryAfter, err)
		}
	}
}

func TestNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	m := at(t, "http://"+addr+"/v1")
	_, err = m.Call(t.Context(), longPrompt)
	f := model.AsFault(err)
	want := "no server answers at http://" + addr + "/v1 (connection refused): start it or give another @URL"
	if f.Kind != model.FaultUnreachable || f.Msg != want || !f.Retryable() || f.Exchange.Error == "" || len(f.Exchange.RequestBody) == 0 {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := m.Identify(t.Context()); err == nil || model.AsFault(err).Msg != want {
		t.Errorf("Identify: %v", err)
	}
}

func TestTLSAgainstPlainServer(t *testing.T) {
	_, mock := open(t, modeltest.MockOptions{})
	m := at(t, "https"+strings.TrimPrefix(mock.URL, "http"))
	_, err := m.Call(t.Context(), longPrompt)
	if f := model.AsFault(err); f.Kind != model.FaultUnreachable || !strings.Contains(f.Msg, "write @http://") {
		t.Errorf("got %v", err)
	}
}

func TestForeignHostsAreRefusedInTests(t *testing.T) {
	m, err := New(Options{Spec: model.Spec{Raw: "openai/x", Name: "x"}, Getenv: env("OPENAI_API_KEY", testKey), Dial: modeltest.Dial})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Call(t.Context(), longPrompt); err == nil || !strings.Contains(err.Error(), "loopback only") {
		t.Errorf("got %v", err)
	}
}

func FuzzReadReply(f *testing.F) {
	m, err := New(Options{Spec: model.Spec{Raw: "openai/x@http://127.0.0.1:1/v1", Name: "x", URL: "http://127.0.0.1:1/v1"}})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{`{"choices":[{"finish_reason":"stop","message":{"content":"a"}}],"usage":{"prompt_tokens":1.5,"prompt_tokens_details":[]}}`,
		`{"error":{"message":"x"}}`, `{"choices":[{"finish_reason":"stop","message":{"content":[{"type":"text","text":"a"}]}}]}`, `{"choices":[null]}`} {
		f.Add(s, 200)
	}
	f.Fuzz(func(t *testing.T, body string, status int) {
		got := &wire.Response{Exchange: record.Exchange{Status: status, ResponseBody: []byte(body)}}
		if fault := m.Fault(t.Context(), got); fault != nil {
			if strings.ContainsAny(fault.Msg, "\n\r\x1b") {
				t.Fatalf("more than one line: %q", fault.Msg)
			}
			return
		}
		rep, fault := m.readReply(got)
		if fault != nil {
			if strings.ContainsAny(fault.Msg, "\n\r\x1b") {
				t.Fatalf("more than one line: %q", fault.Msg)
			}
			return
		}
		if rep.FinishRaw == "" || !strings.Contains(body, "choices") {
			t.Fatalf("%q became the reply %+v", body, rep)
		}
	})
}

func TestFaultsWrapNoTransportError(t *testing.T) {
	m := at(t, "http://127.0.0.1:1/v1")
	_, err := m.Call(t.Context(), longPrompt)
	if f := model.AsFault(err); f.Err != nil || errors.Unwrap(f) != nil {
		t.Errorf("the fault holds %T, which may reach the request", f.Err)
	}
}
