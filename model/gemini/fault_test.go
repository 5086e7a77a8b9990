package gemini

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
)

const (
	exceeded = "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits."
	html     = "<!DOCTYPE html><html><body>It works!</body></html>"
)

func quota(id, value string) string {
	return `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"generativelanguage.googleapis.com/generate_content_free_tier_requests","quotaId":"` + id + `","quotaDimensions":{"location":"global","model":"mock-1"},"quotaValue":"` + value + `"}]}`
}

func retryIn(delay string) string {
	return `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"` + delay + `"}`
}

func reason(r string) string {
	return `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"` + r + `","domain":"googleapis.com","metadata":{"service":"generativelanguage.googleapis.com"}}`
}

// faultCase is something that a server does, and what an honest harness makes of it.
type faultCase struct {
	reply reply
	kind  model.FaultKind
	says  string
	retry time.Duration
}

var faults = map[string]faultCase{
	// refused
	"key":            {refusedBy(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", reason("API_KEY_INVALID")), model.FaultDenied, "check GEMINI_API_KEY or GOOGLE_API_KEY (API key not valid", 0},
	"key reason":     {refusedBy(400, "INVALID_ARGUMENT", "Not good.", `7`, reason("API_KEY_EXPIRED")), model.FaultDenied, "check GEMINI_API_KEY", 0},
	"key words":      {refusedBy(400, "INVALID_ARGUMENT", "API key expired. Please renew the API key."), model.FaultDenied, "API key expired", 0},
	"401":            {refusedBy(401, "UNAUTHENTICATED", "Request had invalid authentication credentials."), model.FaultDenied, "invalid authentication", 0},
	"402":            {refusedBy(402, "FAILED_PRECONDITION", "Billing is required."), model.FaultDenied, "cannot pay", 0},
	"403":            {refusedBy(403, "PERMISSION_DENIED", "Your API key was reported as leaked. Please use another API key."), model.FaultDenied, "reported as leaked", 0},
	"location":       {refusedBy(400, "FAILED_PRECONDITION", "User location is not supported for the API use."), model.FaultDenied, "User location is not supported", 0},
	"model":          {refusedBy(404, "NOT_FOUND", "models/mock-1 is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods."), model.FaultNoModel, `does not know the model "mock-1" (models/mock-1 is not found`, 0},
	"entity":         {refusedBy(404, "NOT_FOUND", "Requested entity was not found."), model.FaultNoModel, "assay doctor", 0},
	"path":           {reply{404, `{"detail":"Not Found"}`, nil}, model.FaultNoModel, "models/mock-1:generateContent is not there; is it the address of a Gemini server?", 0},
	"path html":      {reply{404, html, map[string]string{"Content-Type": "text/html"}}, model.FaultNoModel, "is not there", 0},
	"argument":       {refusedBy(400, "INVALID_ARGUMENT", "Request contains an invalid argument."), model.FaultRejected, "did not accept the request (Request contains", 0},
	"unknown field":  {refusedBy(400, "INVALID_ARGUMENT", `Invalid JSON payload received. Unknown name "x" at 'generation_config': Cannot find field.`, `{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"generation_config","description":"d"}]}`), model.FaultRejected, "Unknown name", 0},
	"signature":      {refusedBy(400, "INVALID_ARGUMENT", "Function call is missing a thought_signature in functionCall parts."), model.FaultRejected, "missing a thought_signature", 0},
	"list":           {reply{400, "[" + refusedBy(400, "INVALID_ARGUMENT", "API key not valid.", reason("API_KEY_INVALID")).body + "\n]", nil}, model.FaultDenied, "API key not valid", 0},
	"no words":       {reply{400, ``, nil}, model.FaultRejected, "no more was said", 0},
	"odd error":      {reply{400, `{"error":{"message":7,"status":"INVALID_ARGUMENT","details":"x"}}`, nil}, model.FaultRejected, "INVALID_ARGUMENT", 0},
	"redirect":       {reply{307, ``, map[string]string{"Location": "http://elsewhere.invalid/v1beta"}}, model.FaultRejected, "redirects to http://elsewhere.invalid/v1beta", 0},
	"escape codes":   {refusedBy(400, "INVALID_ARGUMENT", "\x1b[31mred\nline"), model.FaultRejected, `\x1b[31mred line`, 0},
	"thought in 200": {reply{200, ended("MISSING_THOUGHT_SIGNATURE", `{}`), nil}, model.FaultRejected, "signature is missing", 0},
	// the prompt does not fit
	"context":       {refusedBy(400, "INVALID_ARGUMENT", "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)."), model.FaultContext, "does not fit the model's context (The input token count (1200293)", 0},
	"context old":   {refusedBy(400, "INVALID_ARGUMENT", "The input token count exceeds the maximum number of tokens allowed 1048576."), model.FaultContext, "does not fit", 0},
	"payload":       {refusedBy(400, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 20971520 bytes."), model.FaultContext, "payload size", 0},
	"context 200":   {reply{200, refusedBy(400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens allowed (8).").body, nil}, model.FaultContext, "does not fit", 0},
	"other gateway": {reply{400, `{"error":{"message":"This model's maximum context length is 4096 tokens.","code":400}}`, nil}, model.FaultContext, "does not fit", 0},
	// busy
	"429":            {refusedBy(429, "RESOURCE_EXHAUSTED", exceeded+"\n* Quota exceeded for metric: x, limit: 15, model: mock-1\nPlease retry in 38.292227434s.", quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "15"), retryIn("38s")), model.FaultBusy, "busy (You exceeded", 38 * time.Second},
	"429 fraction":   {refusedBy(429, "RESOURCE_EXHAUSTED", "x", retryIn("0.5s")), model.FaultBusy, "busy", 500 * time.Millisecond},
	"429 in words":   {refusedBy(429, "RESOURCE_EXHAUSTED", "Please retry in 1.5s."), model.FaultBusy, "busy", 1500 * time.Millisecond},
	"429 huge":       {refusedBy(429, "RESOURCE_EXHAUSTED", "x", retryIn("1e300s")), model.FaultBusy, "busy", 24 * time.Hour},
	"429 odd":        {refusedBy(429, "RESOURCE_EXHAUSTED", "x", retryIn("NaNs")), model.FaultBusy, "busy", 0},
	"429 negative":   {refusedBy(429, "RESOURCE_EXHAUSTED", "x", retryIn("-5s")), model.FaultBusy, "busy", 0},
	"429 header":     {reply{429, refusedBy(429, "RESOURCE_EXHAUSTED", "x", retryIn("2s")).body, map[string]string{"Retry-After": "7"}}, model.FaultBusy, "busy", 7 * time.Second},
	"429 bare":       {reply{429, ``, nil}, model.FaultBusy, "busy", 0},
	"429 input":      {refusedBy(429, "RESOURCE_EXHAUSTED", exceeded+"\n* Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000, model: m", quota("GenerateContentInputTokensPerModelPerMinute-FreeTier", "250000"), retryIn("55s")), model.FaultBusy, "busy", 55 * time.Second},
	"503":            {refusedBy(503, "UNAVAILABLE", "The model is overloaded. Please try again later."), model.FaultBusy, "overloaded", 0},
	"503 with retry": {refusedBy(503, "UNAVAILABLE", "x", retryIn("3s")), model.FaultBusy, "busy", 3 * time.Second},
	// quotas that no waiting brings back
	"day":     {refusedBy(429, "RESOURCE_EXHAUSTED", exceeded, quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "250"), retryIn("30s")), model.FaultDenied, "quota is used up for the day, or its plan has none for this model (GenerateRequestsPerDayPerProjectPerModel-FreeTier 250", 0},
	"limit 0": {refusedBy(429, "RESOURCE_EXHAUSTED", exceeded+"\n* Quota exceeded for metric: x, limit: 0, model: mock-1\nPlease retry in 45s.", retryIn("45s")), model.FaultDenied, "its plan has none for this model", 0},
	"value 0": {refusedBy(429, "RESOURCE_EXHAUSTED", exceeded, quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "0")), model.FaultDenied, "its plan has none for this model", 0},
	"credits": {refusedBy(429, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted. Please go to AI Studio."), model.FaultDenied, "cannot pay", 0},
	"cap":     {refusedBy(429, "RESOURCE_EXHAUSTED", "Your project has exceeded its monthly spending cap."), model.FaultDenied, "cannot pay", 0},
	// broken servers
	"500":       {refusedBy(500, "INTERNAL", "An internal error has occurred. Please retry."), model.FaultServer, "An internal error", 0},
	"500 html":  {reply{500, html, map[string]string{"Content-Type": "text/html"}}, model.FaultServer, "an HTML page", 0},
	"504":       {refusedBy(504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete."), model.FaultServer, "Deadline expired", 0},
	"499":       {refusedBy(499, "CANCELLED", "The operation was cancelled."), model.FaultServer, "cancelled", 0},
	"409":       {refusedBy(409, "ABORTED", "The operation was aborted."), model.FaultServer, "aborted", 0},
	"error 200": {reply{200, refusedBy(503, "UNAVAILABLE", "The model is overloaded.").body, nil}, model.FaultServer, "an error inside a 200 (The model is overloaded.)", 0},
	"text 200":  {reply{200, `{"error":"upstream has gone"}`, nil}, model.FaultServer, "upstream has gone", 0},
	// a reply that is none
	"html 200":       {reply{200, html, map[string]string{"Content-Type": "text/html"}}, model.FaultBroken, "is " + "http", 0},
	"content type":   {reply{200, good(`{"text":"a"}`), map[string]string{"Content-Type": "text/plain"}}, model.FaultBroken, "content type text/plain", 0},
	"stream":         {reply{200, "data: " + good(`{"text":"a"}`) + "\n\n", map[string]string{"Content-Type": "text/event-stream"}}, model.FaultBroken, "text/event-stream", 0},
	"encoded":        {reply{200, good(`{"text":"a"}`), map[string]string{"Content-Encoding": "br"}}, model.FaultBroken, "compressed", 0},
	"empty":          {reply{200, ``, nil}, model.FaultBroken, "not one whole JSON", 0},
	"null":           {reply{200, `null`, nil}, model.FaultBroken, "no candidates", 0},
	"201":            {reply{201, good(`{"text":"a"}`), nil}, model.FaultBroken, "HTTP 201", 0},
	"cut json":       {reply{200, good(`{"text":"a"}`)[:80], nil}, model.FaultBroken, "not one whole JSON", 0},
	"trailing":       {reply{200, good(`{"text":"a"}`) + "<!-- -->", nil}, model.FaultBroken, "not one whole JSON", 0},
	"twice":          {reply{200, good(`{"text":"a"}`) + good(`{"text":"a"}`), nil}, model.FaultBroken, "not one whole JSON", 0},
	"array":          {reply{200, "[" + good(`{"text":"a"}`) + "]", nil}, model.FaultBroken, "not one whole JSON", 0},
	"twin keys":      {reply{200, good(`{"text":"a","text":"b"}`), nil}, model.FaultBroken, "", 0},
	"no candidates":  {reply{200, `{"usageMetadata":{"promptTokenCount":9}}`, nil}, model.FaultBroken, "no candidates and no blockReason", 0},
	"empty list":     {reply{200, `{"candidates":[]}`, nil}, model.FaultBroken, "no candidates", 0},
	"no reason":      {reply{200, `{"promptFeedback":{"safetyRatings":[]}}`, nil}, model.FaultBroken, "no blockReason", 0},
	"unspecified":    {reply{200, `{"promptFeedback":{"blockReason":"BLOCK_REASON_UNSPECIFIED"}}`, nil}, model.FaultBroken, "no blockReason", 0},
	"null candidate": {reply{200, `{"candidates":[null]}`, nil}, model.FaultBroken, "is null", 0},
	"no finish":      {reply{200, `{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, nil}, model.FaultBroken, "no finishReason", 0},
	"null finish":    {reply{200, `{"candidates":[{"finishReason":null,"content":{"parts":[{"text":"a"}]}}]}`, nil}, model.FaultBroken, "no finishReason", 0},
	"finish number":  {reply{200, `{"candidates":[{"finishReason":1,"content":{"parts":[{"text":"a"}]}}]}`, nil}, model.FaultBroken, "known form", 0},
	"text number":    {reply{200, good(`{"text":42}`), nil}, model.FaultBroken, "content has not the known form", 0},
	"thought text":   {reply{200, good(`{"text":"a","thought":"yes"}`), nil}, model.FaultBroken, "content has not the known form", 0},
	"content text":   {reply{200, ended("STOP", `"a"`), nil}, model.FaultBroken, "content has not the known form", 0},
	"image":          {reply{200, good(`{"inlineData":{"mimeType":"image/png","data":""}}`), nil}, model.FaultBroken, `a part holds "inlineData" and no text`, 0},
	"code":           {reply{200, good(`{"executableCode":{"language":"PYTHON","code":"1"}}`), nil}, model.FaultBroken, `"executableCode"`, 0},
	"part text":      {reply{200, good(`"a"`), nil}, model.FaultBroken, "content has not the known form", 0},
	"nameless call":  {reply{200, good(`{"functionCall":{"args":{}}}`), nil}, model.FaultBroken, "names no tool", 0},
	// the server gives away what it was sent
	"echo key": {refusedBy(400, "INVALID_ARGUMENT", "API key "+testKey+" is bad"), model.FaultDenied, "[key removed]", 0},
}

// TestEveryFault makes every fault and wants its kind, one line without a key that says what it must, the wait, and one
// request on the wire for each call.
func TestEveryFault(t *testing.T) {
	for name, c := range faults {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.reply)
			m := at(t, s.URL)
			rep, err := m.Call(t.Context(), user("x"))
			if err == nil {
				t.Fatalf("no error: %+v", rep)
			}
			f := model.AsFault(err)
			if f.Kind != c.kind || !strings.Contains(f.Msg, c.says) || strings.ContainsAny(f.Msg, "\n\r\x1b") || f.Msg == "" || len(f.Msg) > 600 || f.Status != c.reply.status {
				t.Errorf("kind %s, want %s; HTTP %d: %q, want %q in it", f.Kind, c.kind, f.Status, f.Msg, c.says)
			}
			if f.RetryAfter != c.retry {
				t.Errorf("wait %v, want %v", f.RetryAfter, c.retry)
			}
			if body := strings.ReplaceAll(c.reply.body, testKey, "[key removed]"); string(f.Exchange.ResponseBody) != body {
				t.Errorf("the record holds %q, not what came", f.Exchange.ResponseBody)
			}
			tr := model.Transcribe(user("x"), rep, err)
			if want := map[bool]record.Outcome{true: record.Undelivered, false: record.Error}[c.kind == model.FaultContext]; tr.Outcome != want {
				t.Errorf("outcome %s, want %s", tr.Outcome, want)
			}
			keepsKey(t, rep, err, tr, m)
			if n := len(s.requests()); n != 1 {
				t.Errorf("%d requests for one call", n)
			}
		})
	}
}

func keepsKey(t *testing.T, values ...any) {
	t.Helper()
	for _, v := range values {
		if where := modeltest.FindSecret(testKey, v); where != "" {
			t.Errorf("the key is in %T: %s", v, where)
		}
	}
}

// TestBelowHTTP drives what breaks off, hangs, or answers without end.
func TestBelowHTTP(t *testing.T) {
	body := good(`{"text":"a"}`)
	raw := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			_, _ = conn.Write([]byte(text))
			conn.Close()
		}
	}
	for name, c := range map[string]struct {
		act     http.HandlerFunc
		kind    model.FaultKind
		outcome record.Outcome
	}{
		"close":    {raw(""), model.FaultUnreachable, record.Error},
		"not http": {raw("SSH-2.0-OpenSSH_9.6\r\n\r\n"), model.FaultBroken, record.Error},
		"cut":      {raw(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:60])), model.FaultBroken, record.Error},
		"chunked":  {raw(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body), body)), model.FaultBroken, record.Error},
		"cut 429":  {raw("HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{\"error\""), model.FaultBusy, record.Error},
		"hang":     {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, model.FaultCancelled, record.Timeout},
		"drip": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte(" ")); err != nil || http.NewResponseController(w).Flush() != nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}, model.FaultCancelled, record.Timeout},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // before that the server does not see that a client has gone
				c.act(w, r)
			}))
			defer s.Close()
			m := at(t, s.URL)
			defer m.Close()
			limit := 20 * time.Second
			if c.outcome == record.Timeout {
				limit = 200 * time.Millisecond
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), limit, model.ErrTimeLimit)
			defer cancel()
			rep, err := m.Call(ctx, user("x"))
			tr := model.Transcribe(user("x"), rep, err)
			if err == nil || model.AsFault(err).Kind != c.kind || tr.Outcome != c.outcome {
				t.Errorf("%v, outcome %s; want %s, %s", err, tr.Outcome, c.kind, c.outcome)
			}
			keepsKey(t, rep, err, tr)
		})
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
	want := "no server answers at " + base + "/v1beta (connection refused): start it or give another @URL"
	_, err = m.Call(t.Context(), user("x"))
	f := model.AsFault(err)
	if f.Kind != model.FaultUnreachable || f.Msg != want || f.Err != nil || errors.Unwrap(f) != nil {
		t.Errorf("got %v, want %s", err, want)
	}
	for name, ask := range map[string]func() error{
		"Identify": func() error { _, err := m.Identify(t.Context()); return err },
		"List":     func() error { _, err := m.List(t.Context()); return err },
		"Prepare":  func() error { _, err := m.Prepare(t.Context(), user("x")); return err },
	} {
		if err := ask(); err == nil || model.AsFault(err).Msg != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWithoutKey: a server of one's own that wants a key after all.
func TestWithoutKey(t *testing.T) {
	for _, r := range []reply{
		refusedBy(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers."), refusedBy(401, "UNAUTHENTICATED", "no"),
		refusedBy(400, "INVALID_ARGUMENT", "Missing API key."), {401, `{"error":"no"}`, nil},
	} {
		m := at(t, serve(t, r).URL, "NOTHING", "set")
		_, err := m.Call(t.Context(), user("x"))
		if err == nil || model.AsFault(err).Kind != model.FaultDenied || !strings.Contains(err.Error(), "the server wants a key: set GEMINI_API_KEY or GOOGLE_API_KEY (") {
			t.Errorf("%d: %v", r.status, err)
		}
	}
}

func TestForeignHostsAreRefusedInTests(t *testing.T) {
	m, err := New(Options{Spec: model.Spec{Raw: "gemini/x", Name: "x"}, Getenv: env("GEMINI_API_KEY", testKey), Dial: modeltest.Dial})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Call(t.Context(), user("x")); err == nil || !strings.Contains(err.Error(), "loopback only") {
		t.Errorf("got %v", err)
	}
}
