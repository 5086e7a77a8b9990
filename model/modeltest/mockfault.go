package modeltest

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// Fault names one way in which a mock misbehaves, or lets a model end otherwise than well.
type Fault string

// behaviour is what a fault does on the wire, and what an honest harness must make of it.
type behaviour struct {
	status  int
	header  map[string]string
	body    string
	act     func(w http.ResponseWriter, r *http.Request, reply MockReply) // in place of status, header and body
	outcome record.Outcome
	kind    model.FaultKind // for the outcomes of failed calls
	costly  bool            // slow or large: left out of Every("all")
}

const (
	htmlPage = "<!DOCTYPE html><html><head><title>Welcome</title></head><body>It works!</body></html>"
	goodHead = `{"id":"x","object":"chat.completion","model":"mock-1","choices":[{"index":0,`
	goodBody = goodHead + `"finish_reason":"stop","message":{"role":"assistant","content":"ok"}}],"usage":{"prompt_tokens":9}}`
	llamaLog = `{"error":{"code":400,"type":"exceed_context_size_error","message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it","n_prompt_tokens":5000,"n_ctx":4096}}`
)

func failing(kind model.FaultKind, status int, body string, header ...string) behaviour {
	b := behaviour{status: status, body: body, outcome: record.Error, kind: kind}
	for i := 0; i+1 < len(header); i += 2 {
		if b.header == nil {
			b.header = map[string]string{}
		}
		b.header[header[i]] = header[i+1]
	}
	if kind == model.FaultContext {
		b.outcome = record.Undelivered
	}
	return b
}

func acting(kind model.FaultKind, act func(w http.ResponseWriter, r *http.Request, reply MockReply)) behaviour {
	return behaviour{outcome: record.Error, kind: kind, act: act}
}

func ending(outcome record.Outcome, change func(*MockReply)) behaviour {
	return behaviour{outcome: outcome, act: func(w http.ResponseWriter, _ *http.Request, reply MockReply) {
		change(&reply)
		write(w, 200, encode(reply))
	}}
}

func apiError(message, kind, code string) string {
	return fmt.Sprintf(`{"error":{"message":%q,"type":%q,"param":null,"code":%q}}`, message, kind, code)
}

// behaviours is every fault that a mock can make.
var behaviours = map[Fault]behaviour{
	// refused, by status
	"400":            failing(model.FaultRejected, 400, apiError("Unsupported parameter: 'temperature'", "invalid_request_error", "unsupported_parameter")),
	"401":            failing(model.FaultDenied, 401, apiError("Incorrect API key provided", "invalid_request_error", "invalid_api_key")),
	"402":            failing(model.FaultDenied, 402, `{"error":{"message":"Insufficient credits","code":402}}`),
	"403":            failing(model.FaultDenied, 403, `{"error":"forbidden"}`),
	"404-model":      failing(model.FaultNoModel, 404, apiError("The model 'x' does not exist or you do not have access to it.", "invalid_request_error", "model_not_found")),
	"404-model-vllm": failing(model.FaultNoModel, 404, `{"object":"error","message":"The model `+"`x`"+` does not exist.","type":"NotFoundError","param":null,"code":404}`),
	"400-model":      failing(model.FaultNoModel, 400, apiError("no such thing", "invalid_request_error", "model_not_found")),
	"404-path":       failing(model.FaultNoModel, 404, `{"detail":"Not Found"}`),
	"405":            failing(model.FaultRejected, 405, `{"detail":"Method Not Allowed"}`),
	"408":            failing(model.FaultRejected, 408, ""),
	"413":            failing(model.FaultRejected, 413, htmlPage, "Content-Type", "text/html"),
	"422":            failing(model.FaultRejected, 422, `{"detail":[{"loc":["body","seed"],"msg":"extra fields not permitted"}]}`),
	"redirect":       failing(model.FaultRejected, 307, "", "Location", "http://elsewhere.invalid/v1/chat/completions"),
	"redirect-get":   failing(model.FaultRejected, 302, htmlPage, "Location", "/login?next=secret", "Content-Type", "text/html"),
	// busy
	"429":       failing(model.FaultBusy, 429, apiError("Rate limit reached", "requests", "rate_limit_exceeded"), "Retry-After", "1"),
	"429-ms":    failing(model.FaultBusy, 429, apiError("Rate limit reached", "requests", "rate_limit_exceeded"), "Retry-After-Ms", "250", "Retry-After", "1"),
	"429-bare":  failing(model.FaultBusy, 429, ""),
	"429-quota": failing(model.FaultDenied, 429, apiError("You exceeded your current quota", "insufficient_quota", "insufficient_quota")),
	"429-date": acting(model.FaultBusy, func(w http.ResponseWriter, _ *http.Request, _ MockReply) {
		w.Header().Set("Retry-After", time.Now().Add(90*time.Second).UTC().Format(http.TimeFormat))
		write(w, 429, []byte(`{"error":"slow down"}`))
	}),
	"503": failing(model.FaultBusy, 503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`),
	"529": failing(model.FaultBusy, 529, `{"error":{"type":"overloaded_error","message":"Overloaded"}}`),
	// broken servers
	"500":            failing(model.FaultServer, 500, apiError("The server had an error", "server_error", "")),
	"500-html":       failing(model.FaultServer, 500, htmlPage, "Content-Type", "text/html"),
	"502":            failing(model.FaultServer, 502, htmlPage, "Content-Type", "text/html"),
	"504":            failing(model.FaultServer, 504, ""),
	"error-200":      failing(model.FaultServer, 200, apiError("CUDA out of memory", "server_error", "")),
	"error-200-text": failing(model.FaultServer, 200, `{"error":"model runner has stopped"}`),
	"choice-error":   failing(model.FaultServer, 200, goodHead+`"error":{"code":502,"message":"upstream"},"finish_reason":"error","message":{"content":""}}]}`),
	"finish-error":   failing(model.FaultServer, 200, goodHead+`"finish_reason":"error","message":{"content":"half"}}]}`),
	// the prompt does not fit
	"context-llama":  failing(model.FaultContext, 400, llamaLog),
	"context-vllm":   failing(model.FaultContext, 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 6536 tokens (5000 in the messages, 1536 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}`),
	"context-openai": failing(model.FaultContext, 400, apiError("Input tokens exceed the configured limit", "invalid_request_error", "context_length_exceeded")),
	"context-200":    failing(model.FaultContext, 200, llamaLog),
	"context-ollama": failing(model.FaultContext, 400, `{"error":{"message":"the prompt is longer than the context length currently available to the model","type":"invalid_request_error","param":null,"code":null}}`),
	// a reply that is none
	"html-200":       failing(model.FaultBroken, 200, htmlPage, "Content-Type", "text/html; charset=utf-8"),
	"content-type":   failing(model.FaultBroken, 200, goodBody, "Content-Type", "text/plain"),
	"sse-200":        failing(model.FaultBroken, 200, "data: "+goodBody+"\n\ndata: [DONE]\n\n", "Content-Type", "text/event-stream"),
	"encoded":        failing(model.FaultBroken, 200, goodBody, "Content-Encoding", "br"),
	"empty-200":      failing(model.FaultBroken, 200, ""),
	"201":            failing(model.FaultBroken, 201, goodBody),
	"bad-json":       failing(model.FaultBroken, 200, `{"choices":[{'finish_reason':'stop'}]}`),
	"cut-json":       failing(model.FaultBroken, 200, goodBody[:len(goodBody)-30]),
	"trailing":       failing(model.FaultBroken, 200, goodBody+"\n<!-- proxied -->"),
	"twice":          failing(model.FaultBroken, 200, goodBody+goodBody),
	"twin-keys":      failing(model.FaultBroken, 200, goodHead+`"finish_reason":"stop","message":{"content":"a","content":"b"}}]}`),
	"array-200":      failing(model.FaultBroken, 200, "["+goodBody+"]"),
	"no-choices":     failing(model.FaultBroken, 200, `{"id":"x","object":"chat.completion","usage":{"prompt_tokens":9}}`),
	"empty-choices":  failing(model.FaultBroken, 200, `{"choices":[]}`),
	"no-message":     failing(model.FaultBroken, 200, goodHead+`"finish_reason":"stop"}]}`),
	"no-finish":      failing(model.FaultBroken, 200, goodHead+`"message":{"role":"assistant","content":"ok"}}]}`),
	"null-finish":    failing(model.FaultBroken, 200, goodHead+`"finish_reason":null,"message":{"role":"assistant","content":"ok"}}]}`),
	"content-number": failing(model.FaultBroken, 200, goodHead+`"finish_reason":"stop","message":{"content":42}}]}`),
	"content-image":  failing(model.FaultBroken, 200, goodHead+`"finish_reason":"stop","message":{"content":[{"type":"image_url","image_url":"x"}]}}]}`),
	// below HTTP
	"close": acting(model.FaultUnreachable, func(w http.ResponseWriter, _ *http.Request, _ MockReply) { raw(w, "", false) }),
	"reset": acting(model.FaultUnreachable, func(w http.ResponseWriter, _ *http.Request, _ MockReply) { raw(w, "", true) }),
	"not-http": acting(model.FaultBroken, func(w http.ResponseWriter, _ *http.Request, _ MockReply) {
		raw(w, "SSH-2.0-OpenSSH_9.6\r\n\r\n", false)
	}),
	"cut-head": acting(model.FaultBroken, func(w http.ResponseWriter, _ *http.Request, _ MockReply) {
		raw(w, "HTTP/1.1 200 OK\r\nContent-Ty", false)
	}),
	"cut": acting(model.FaultBroken, func(w http.ResponseWriter, _ *http.Request, _ MockReply) {
		raw(w, plain(len(goodBody), goodBody[:60]), false)
	}),
	"cut-reset": acting(model.FaultBroken, func(w http.ResponseWriter, _ *http.Request, _ MockReply) {
		raw(w, plain(len(goodBody), goodBody[:60]), true)
	}),
	"cut-chunked": acting(model.FaultBroken, func(w http.ResponseWriter, _ *http.Request, _ MockReply) { raw(w, chunked(goodBody), false) }),
	"cut-429": acting(model.FaultBusy, func(w http.ResponseWriter, _ *http.Request, _ MockReply) {
		raw(w, "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nRetry-After: 2\r\nContent-Length: 900\r\n\r\n{\"error\"", false)
	}),
	"huge": {outcome: record.Error, kind: model.FaultBroken, act: huge, costly: true},
	"drip": {outcome: record.Timeout, kind: model.FaultCancelled, act: drip, costly: true},
	"hang": {outcome: record.Timeout, kind: model.FaultCancelled, act: func(_ http.ResponseWriter, r *http.Request, _ MockReply) { <-r.Context().Done() }, costly: true},
	// the server gives away what it was sent
	"echo-key": acting(model.FaultDenied, func(w http.ResponseWriter, r *http.Request, _ MockReply) {
		key := r.Header.Get("Authorization")
		w.Header().Set("X-Echo", key)
		w.Header().Set("Set-Cookie", "auth="+key)
		write(w, 401, []byte(apiError("Incorrect API key provided: "+strings.TrimPrefix(key, "Bearer "), "invalid_request_error", key)))
	}),
	"echo-key-escaped": acting(model.FaultDenied, func(w http.ResponseWriter, r *http.Request, _ MockReply) {
		var b strings.Builder
		for _, c := range strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") {
			fmt.Fprintf(&b, `\u%04x`, c)
		}
		write(w, 403, []byte(`{"error":{"message":"no: `+b.String()+`"}}`))
	}),
	"echo-key-redirect": acting(model.FaultRejected, func(w http.ResponseWriter, r *http.Request, _ MockReply) {
		w.Header().Set("Location", "http://elsewhere.invalid/"+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		write(w, 308, nil)
	}),
	// the model's own doing
	"length":          ending(record.Truncated, func(r *MockReply) { r.Finish = "length" }),
	"length-thinking": ending(record.Truncated, func(r *MockReply) { r.Finish, r.Thinking, r.Content = "length", "and so on", "" }),
	"think-open":      ending(record.Truncated, func(r *MockReply) { r.Content = "<think>first, then" }),
	"think":           ending(record.Answered, func(r *MockReply) { r.Content = "<think>thought</think>\n\n" + r.Content }),
	"think-template":  ending(record.Answered, func(r *MockReply) { r.Content = "thought\n</think>\n\n" + r.Content }),
	"abort":           ending(record.Error, func(r *MockReply) { r.Finish = "abort" }),
	"refusal":         ending(record.Refused, func(r *MockReply) { r.Refusal, r.Content = "I can't help with that.", "" }),
	"filter":          ending(record.Refused, func(r *MockReply) { r.Finish, r.Content = "content_filter", "" }),
	"finish-unknown":  ending(record.Error, func(r *MockReply) { r.Finish = "because" }),
	"tools":           ending(record.Answered, func(r *MockReply) { r.Finish, r.Content = "tool_calls", "" }),
	"low-tokens":      ending(record.Undelivered, func(r *MockReply) { r.PromptTokens = 7 }), // for prompts of 2,000 bytes and more
}

// Faults lists every fault, in order.
func Faults() []Fault {
	out := make([]Fault, 0, len(behaviours))
	for f := range behaviours {
		out = append(out, f)
	}
	slices.Sort(out)
	return out
}

// Expect is what an honest harness makes of a fault: the outcome, and the kind of fault where the call fails ("" where it
// gives a reply).
func (f Fault) Expect() (record.Outcome, model.FaultKind) {
	b := behaviours[f]
	return b.outcome, b.kind
}

// Transient reports whether a further try may go well: the call fails, by a fault that may be retried, and quickly.
func (f Fault) Transient() bool {
	b := behaviours[f]
	return b.outcome == record.Error && !b.costly && (&model.Fault{Kind: b.kind}).Retryable()
}

// Every reads a plan of faults, "KIND:N,KIND:N": every N-th call suffers that fault (N is 1 when it is left out). KIND is
// a fault, or "all" for each transient one in turn. The first part of the plan that applies to a call decides.
func Every(plan string) (func(n int64) Fault, error) {
	type part struct {
		kinds []Fault
		every int64
	}
	var parts []part
	for _, p := range strings.Split(plan, ",") {
		name, count, ok := strings.Cut(strings.TrimSpace(p), ":")
		every := int64(1)
		if ok {
			n, err := strconv.ParseInt(count, 10, 64)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("fault plan %q: %q is not a whole number from 1", plan, count)
			}
			every = n
		}
		kinds := []Fault{Fault(name)}
		if name == "all" {
			kinds = slices.DeleteFunc(Faults(), func(f Fault) bool { return !f.Transient() })
		} else if _, known := behaviours[Fault(name)]; !known {
			return nil, fmt.Errorf("fault plan %q: no fault %q; known: all, %s", plan, name, strings.Trim(fmt.Sprint(Faults()), "[]"))
		}
		parts = append(parts, part{kinds, every})
	}
	return func(n int64) Fault {
		for _, p := range parts {
			if n%p.every == 0 {
				return p.kinds[(n/p.every-1)%int64(len(p.kinds))]
			}
		}
		return ""
	}, nil
}

func (f Fault) serve(w http.ResponseWriter, r *http.Request, reply MockReply) {
	b := behaviours[f]
	if b.act != nil {
		b.act(w, r, reply)
		return
	}
	for name, value := range b.header {
		w.Header().Set(name, value)
	}
	write(w, b.status, []byte(b.body))
}

// raw writes bytes to the connection in place of a response and closes it, with a reset if asked for.
func raw(w http.ResponseWriter, text string, reset bool) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err) // only a response that was begun cannot be hijacked
	}
	_, _ = conn.Write([]byte(text))
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		// The bytes must arrive before the reset throws them away.
		if text != "" {
			time.Sleep(20 * time.Millisecond)
		}
		_ = tcp.SetLinger(0)
	}
	conn.Close()
}

func plain(length int, body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", length, body)
}

// chunked is a chunked body without its end: all of the JSON is there, and yet it may have been cut.
func chunked(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body), body)
}

// huge writes an answer of 80 MB.
func huge(w http.ResponseWriter, _ *http.Request, _ MockReply) {
	w.Header()["Content-Type"] = jsonType
	head, tail, _ := strings.Cut(goodBody, "ok")
	if _, err := w.Write([]byte(head)); err != nil {
		return
	}
	mb := []byte(strings.Repeat("x", 1<<20))
	for range 80 {
		if _, err := w.Write(mb); err != nil {
			return
		}
	}
	_, _ = w.Write([]byte(tail))
}

// drip writes a byte now and then until the client goes away.
func drip(w http.ResponseWriter, r *http.Request, _ MockReply) {
	w.Header()["Content-Type"] = jsonType
	rc := http.NewResponseController(w)
	for i := 0; r.Context().Err() == nil; i++ {
		if _, err := w.Write([]byte{goodBody[i%60]}); err != nil || rc.Flush() != nil {
			return
		}
		pause(r, 20*time.Millisecond)
	}
}
