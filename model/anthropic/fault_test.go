package anthropic

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

// whole has a good answer, so that only what a test changes is wrong.
var whole = reply(text("ok"), "end_turn")

// TestEveryFault drives what this protocol can end in to its class: one line without a secret, one request on the wire
// for each call, the outcome that the decision table wants.
func TestEveryFault(t *testing.T) {
	plain := func(status int, body string) func(http.ResponseWriter) (int, string) {
		return func(http.ResponseWriter) (int, string) { return status, body }
	}
	typed := func(status int, contentType, body string) func(http.ResponseWriter) (int, string) {
		return func(w http.ResponseWriter) (int, string) {
			w.Header().Set("Content-Type", contentType)
			return status, body
		}
	}
	cut := func(w http.ResponseWriter) (int, string) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(whole[:50]))
		return 0, ""
	}
	drop := func(http.ResponseWriter) (int, string) { panic(http.ErrAbortHandler) }
	for name, c := range map[string]struct {
		answer  func(http.ResponseWriter) (int, string)
		outcome record.Outcome
		kind    model.FaultKind // "" for a reply
		want    string          // in the message, or in the outcome's reason
	}{
		"invalid request":    {plain(400, refusal("invalid_request_error", "messages: at least one message is required")), record.Error, model.FaultRejected, "did not accept the request (messages: at least one message is required)"},
		"credit":             {plain(400, refusal("invalid_request_error", "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.")), record.Error, model.FaultDenied, "the account cannot pay for the call (Your credit balance is too low"},
		"spend limit":        {plain(400, refusal("invalid_request_error", "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.")), record.Error, model.FaultDenied, "regain access on 2026-12-01"},
		"workspace limit":    {plain(429, refusal("rate_limit_error", "You have reached your specified workspace API usage limits.")), record.Error, model.FaultDenied, "cannot pay"},
		"disabled":           {plain(400, refusal("invalid_request_error", "This organization has been disabled.")), record.Error, model.FaultDenied, "check ANTHROPIC_API_KEY (This organization has been disabled.)"},
		"authentication":     {plain(401, refusal("authentication_error", "invalid x-api-key")), record.Error, model.FaultDenied, "check ANTHROPIC_API_KEY (invalid x-api-key)"},
		"billing":            {plain(402, refusal("billing_error", "There is an issue with your billing")), record.Error, model.FaultDenied, "cannot pay"},
		"permission":         {plain(403, refusal("permission_error", "Your API key does not have permission")), record.Error, model.FaultDenied, "check ANTHROPIC_API_KEY"},
		"no model":           {plain(404, refusal("not_found_error", "model: claude-x")), record.Error, model.FaultNoModel, `does not know the model "claude-x" (model: claude-x): "assay doctor" lists`},
		"no model, another":  {plain(404, refusal("not_found_error", "model 'claude-x' not found")), record.Error, model.FaultNoModel, `does not know the model "claude-x"`},
		"no path":            {plain(404, `{"detail":"Not Found"}`), record.Error, model.FaultNoModel, "is it the address of a server with Anthropic's Messages API?"},
		"too large":          {plain(413, refusal("request_too_large", "Request exceeds the maximum size")), record.Undelivered, model.FaultContext, "does not fit"},
		"too large, proxy":   {plain(413, "<html>413</html>"), record.Error, model.FaultRejected, "did not accept"},
		"too long":           {plain(400, refusal("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum")), record.Undelivered, model.FaultContext, "208310 tokens > 200000 maximum"},
		"no room":            {plain(400, refusal("invalid_request_error", "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again")), record.Undelivered, model.FaultContext, "178959 + 64000 > 200000"},
		"max_tokens":         {plain(400, refusal("invalid_request_error", "max_tokens: 128001 > 64000, which is the maximum allowed number of output tokens for claude-x")), record.Error, model.FaultRejected, "128001 > 64000"},
		"rate limit":         {plain(429, refusal("rate_limit_error", "Number of request tokens has exceeded your per-minute rate limit")), record.Error, model.FaultBusy, "busy (Number of request tokens"},
		"api error":          {plain(500, refusal("api_error", "Internal server error")), record.Error, model.FaultServer, "Internal server error"},
		"timeout":            {plain(504, refusal("timeout_error", "Request timed out")), record.Error, model.FaultServer, "Request timed out"},
		"overloaded":         {plain(529, refusal("overloaded_error", "Overloaded")), record.Error, model.FaultBusy, "busy (Overloaded)"},
		"overloaded, 500":    {plain(500, refusal("overloaded_error", "Overloaded")), record.Error, model.FaultBusy, "busy (Overloaded)"},
		"bad gateway":        {typed(502, "text/html", "<html>bad gateway</html>"), record.Error, model.FaultServer, "an HTML page"},
		"error in 200":       {plain(200, refusal("api_error", "Internal server error")), record.Error, model.FaultServer, "an error inside a 200 (Internal server error)"},
		"error in 200, ctx":  {plain(200, refusal("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum")), record.Undelivered, model.FaultContext, "9 tokens > 8 maximum"},
		"error in 200, key":  {plain(200, refusal("authentication_error", "invalid x-api-key")), record.Error, model.FaultDenied, "check ANTHROPIC_API_KEY"},
		"error in 200, bare": {plain(200, `{"type":"error"}`), record.Error, model.FaultServer, "an error inside a 200"},
		"error in 200, text": {plain(200, `{"error":"model runner has stopped"}`), record.Error, model.FaultServer, "model runner has stopped"},
		"201":                {plain(201, whole), record.Error, model.FaultBroken, "HTTP 201 instead of 200"},
		"cut body":           {cut, record.Error, model.FaultBroken, "broke off"},
		"dropped":            {drop, record.Error, model.FaultUnreachable, "closed before the first byte"},
		"empty":              {plain(200, ""), record.Error, model.FaultBroken, "not one whole JSON value"},
		"html":               {typed(200, "text/html", "<html>welcome</html>"), record.Error, model.FaultBroken, "content type text/html"},
		"event stream":       {typed(200, "text/event-stream", "event: message_start\n\n"), record.Error, model.FaultBroken, "content type text/event-stream"},
		"broken JSON":        {plain(200, whole[:len(whole)-2]), record.Error, model.FaultBroken, "not one whole JSON value"},
		"two values":         {plain(200, whole+whole), record.Error, model.FaultBroken, "not one whole JSON value"},
		"chat completion":    {plain(200, `{"object":"chat.completion","choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`), record.Error, model.FaultBroken, "a server with the Messages API?"},
		"no stop_reason":     {plain(200, strings.Replace(whole, `"end_turn"`, "null", 1)), record.Error, model.FaultBroken, "no stop_reason"},
		"unknown stop":       {plain(200, strings.Replace(whole, "end_turn", "weird", 1)), record.Error, "", `"weird"`},
		"paused":             {plain(200, strings.Replace(whole, "end_turn", "pause_turn", 1)), record.Error, "", `"pause_turn"`},
		"length":             {plain(200, strings.Replace(whole, "end_turn", "max_tokens", 1)), record.Truncated, "", "limit"},
		"length, no answer":  {plain(200, reply(`{"type":"thinking","thinking":"hm","signature":"s"}`, "max_tokens")), record.Truncated, "", "while thinking"},
		"context":            {plain(200, strings.Replace(whole, "end_turn", "model_context_window_exceeded", 1)), record.Undelivered, "", ""},
		"refusal":            {plain(200, strings.Replace(strings.Replace(whole, "end_turn", "refusal", 1), `"stop_details":null`, `"stop_details":{"type":"refusal","category":"bio"}`, 1)), record.Refused, "", "refusal: bio"},
		"unknown block":      {plain(200, reply(`{"type":"hologram"}`, "end_turn")), record.Error, model.FaultBroken, `type "hologram"`},
		"compressed": {func(w http.ResponseWriter) (int, string) {
			w.Header().Set("Content-Encoding", "br")
			return 200, "\x0b"
		}, record.Error, model.FaultBroken, "compressed"},
		"redirect": {func(w http.ResponseWriter) (int, string) {
			w.Header().Set("Location", "http://elsewhere.invalid/v1/messages?key="+testKey)
			return 307, ""
		}, record.Error, model.FaultRejected, "redirects to http://elsewhere.invalid/v1/messages;"},
		"key echoed": {func(w http.ResponseWriter) (int, string) {
			w.Header().Set("X-Echo", testKey)
			return 401, refusal("authentication_error", "invalid x-api-key: "+testKey)
		}, record.Error, model.FaultDenied, "[key removed]"},
		"escape codes":  {plain(400, refusal("invalid_request_error", "\x1b[31mred\nnext line")), record.Error, model.FaultRejected, `\x1b[31mred next line`},
		"never answers": {func(http.ResponseWriter) (int, string) { time.Sleep(400 * time.Millisecond); return 200, whole }, record.Timeout, model.FaultCancelled, "time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := serve(t, func(w http.ResponseWriter, _ seen) (int, string) { return c.answer(w) })
			m := at(t, srv.URL)
			limit := 20 * time.Second
			if c.outcome == record.Timeout {
				limit = 100 * time.Millisecond
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), limit, model.ErrTimeLimit)
			defer cancel()
			req := model.Request{Messages: user, MaxOutput: 9}
			rep, err := m.Call(ctx, req)
			tr := model.Transcribe(req, rep, err)
			if tr.Outcome != c.outcome || (err != nil) != (c.kind != "") || !strings.Contains(tr.Reason+"|"+fmt.Sprint(err), c.want) {
				t.Errorf("outcome %s (%s), want %s; error %v; want %q", tr.Outcome, tr.Reason, c.outcome, err, c.want)
			}
			if err != nil {
				f := model.AsFault(err)
				if f.Kind != c.kind || f.Msg == "" || strings.ContainsAny(f.Msg, "\n\r\x1b") || len(f.Msg) > 600 || f.Err != nil && c.kind != model.FaultCancelled {
					t.Errorf("kind %s, want %s: %q", f.Kind, c.kind, f.Msg)
				}
				if len(f.Exchange.RequestBody) == 0 || f.Status == 0 && c.kind != model.FaultCancelled && c.kind != model.FaultUnreachable {
					t.Errorf("the exchange is not filled: %+v", f)
				}
			}
			for _, v := range []any{rep, err, tr, m} {
				if where := modeltest.FindSecret(testKey, v); where != "" {
					t.Errorf("the key is in %T: %s", v, where)
				}
			}
			if n := len(srv.requests()); n != 1 {
				t.Errorf("%d requests on the wire for one call", n)
			}
		})
	}
}

func TestWantsAKey(t *testing.T) {
	srv := serve(t, func(_ http.ResponseWriter, r seen) (int, string) {
		if _, ok := r.header["X-Api-Key"]; ok {
			t.Error("a key was sent")
		}
		return 401, refusal("authentication_error", "x-api-key header is required")
	})
	m, err := New(Options{Spec: model.Spec{Raw: "anthropic/x", Provider: "anthropic", Name: "x"}, Getenv: env("ANTHROPIC_BASE_URL", srv.URL), Dial: modeltest.Dial})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Call(t.Context(), model.Request{Messages: user, MaxOutput: 9}); err == nil || !strings.Contains(err.Error(), "wants a key: set ANTHROPIC_API_KEY (x-api-key header is required)") {
		t.Errorf("got %v", err)
	}
}

func TestRetryAfter(t *testing.T) {
	for header, want := range map[string]time.Duration{"7": 7 * time.Second, "": 0} {
		srv := serve(t, func(w http.ResponseWriter, _ seen) (int, string) {
			if header != "" {
				w.Header().Set("Retry-After", header)
			}
			return 429, refusal("rate_limit_error", "slow down")
		})
		_, err := at(t, srv.URL).Call(t.Context(), model.Request{Messages: user, MaxOutput: 9})
		if f := model.AsFault(err); f.RetryAfter != want || !f.Retryable() || f.Exchange.ResponseHeader["Request-Id"] == nil {
			t.Errorf("%q: %v (%v)", header, f.RetryAfter, err)
		}
	}
}

func TestNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + l.Addr().String()
	l.Close()
	m := at(t, base)
	_, err = m.Call(t.Context(), model.Request{Messages: user, MaxOutput: 9})
	f := model.AsFault(err)
	want := "no server answers at " + base + " (connection refused): start it or give another @URL"
	if f.Kind != model.FaultUnreachable || f.Msg != want || !f.Retryable() || f.Exchange.Error == "" || len(f.Exchange.RequestBody) == 0 || errors.Unwrap(f) != nil {
		t.Errorf("got %v, want %s", err, want)
	}
	for name, call := range map[string]func() error{
		"Identify": func() error { _, err := m.Identify(t.Context()); return err },
		"List":     func() error { _, err := m.List(t.Context()); return err },
		"Prepare": func() error {
			_, err := m.Prepare(t.Context(), model.Request{Messages: user, MaxOutput: 9})
			return err
		},
	} {
		if err := call(); err == nil || model.AsFault(err).Msg != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestForeignHostsAreRefusedInTests(t *testing.T) {
	m, err := New(Options{Spec: model.Spec{Raw: "anthropic/x", Provider: "anthropic", Name: "x"}, Getenv: env(keyVariable, testKey), Dial: modeltest.Dial})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Call(t.Context(), model.Request{Messages: user, MaxOutput: 9}); err == nil || !strings.Contains(err.Error(), "loopback only") {
		t.Errorf("got %v", err)
	}
}
