package modeltest

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

const htmlPage = "<!DOCTYPE html><html><head><title>Welcome</title></head><body>It works!</body></html>"

// common are the faults of HTTP and of what carries it, which every wire has, with the wire's own bodies.
func common(f *form) map[Fault]behaviour {
	say := f.words
	good := f.good
	return map[Fault]behaviour{
		// refused, by status
		"400":          failing(model.FaultRejected, 400, say.rejected),
		"401":          failing(model.FaultDenied, 401, say.denied),
		"402":          failing(model.FaultDenied, 402, `{"error":{"message":"Insufficient credits","code":402}}`),
		"403":          failing(model.FaultDenied, 403, say.forbidden),
		"404-model":    failing(model.FaultNoModel, 404, say.absent),
		"404-path":     failing(model.FaultNoModel, 404, say.path, "Content-Type", say.pathType()),
		"405":          failing(model.FaultRejected, 405, `{"detail":"Method Not Allowed"}`),
		"408":          failing(model.FaultRejected, 408, ""),
		"413":          failing(model.FaultRejected, 413, htmlPage, "Content-Type", "text/html"),
		"422":          failing(model.FaultRejected, 422, `{"detail":[{"loc":["body","seed"],"msg":"extra fields not permitted"}]}`),
		"redirect":     failing(model.FaultRejected, 307, "", "Location", "http://elsewhere.invalid"+f.path),
		"redirect-get": failing(model.FaultRejected, 302, htmlPage, "Location", "/login?next=secret", "Content-Type", "text/html"),
		// busy
		"429":      failing(model.FaultBusy, 429, say.busy, "Retry-After", "1"),
		"429-ms":   failing(model.FaultBusy, 429, say.busy, "Retry-After-Ms", "250", "Retry-After", "1"),
		"429-bare": failing(model.FaultBusy, 429, ""),
		"429-html": failing(model.FaultBusy, 429, htmlPage, "Content-Type", "text/html", "Retry-After", "soon"),
		"429-date": acting(model.FaultBusy, func(c *call) {
			c.w.Header().Set("Retry-After", time.Now().Add(90*time.Second).UTC().Format(http.TimeFormat))
			write(c.w, 429, []byte(`{"error":"slow down"}`))
		}),
		"503": failing(model.FaultBusy, 503, say.loading),
		"529": failing(model.FaultBusy, 529, `{"error":{"type":"overloaded_error","message":"Overloaded"}}`),
		// broken servers
		"500":       failing(model.FaultServer, 500, say.broken),
		"500-html":  failing(model.FaultServer, 500, htmlPage, "Content-Type", "text/html"),
		"502":       failing(model.FaultServer, 502, htmlPage, "Content-Type", "text/html"),
		"504":       failing(model.FaultServer, 504, ""),
		"error-200": failing(model.FaultServer, 200, say.inside),
		// a reply that is none
		"html-200":     failing(model.FaultBroken, 200, htmlPage, "Content-Type", "text/html; charset=utf-8"),
		"content-type": failing(model.FaultBroken, 200, good, "Content-Type", "text/plain"),
		"sse-200":      failing(model.FaultBroken, 200, "data: "+good+"\n\ndata: [DONE]\n\n", "Content-Type", "text/event-stream"),
		"encoded":      failing(model.FaultBroken, 200, good, "Content-Encoding", "br"),
		"empty-200":    failing(model.FaultBroken, 200, ""),
		"null-200":     failing(model.FaultBroken, 200, "null"),
		"201":          failing(model.FaultBroken, 201, good),
		"bad-json":     failing(model.FaultBroken, 200, strings.Replace(good, `"`, `'`, 2)),
		"cut-json":     failing(model.FaultBroken, 200, good[:len(good)-30]),
		"trailing":     failing(model.FaultBroken, 200, good+"\n<!-- proxied -->"),
		"twice":        failing(model.FaultBroken, 200, good+good),
		"array-200":    failing(model.FaultBroken, 200, "["+good+"]"),
		// below HTTP
		"close":    acting(model.FaultUnreachable, func(c *call) { raw(c.w, "", false) }),
		"reset":    acting(model.FaultUnreachable, func(c *call) { raw(c.w, "", true) }),
		"not-http": acting(model.FaultBroken, func(c *call) { raw(c.w, "SSH-2.0-OpenSSH_9.6\r\n\r\n", false) }),
		"cut-head": acting(model.FaultBroken, func(c *call) { raw(c.w, "HTTP/1.1 200 OK\r\nContent-Ty", false) }),
		"cut":      acting(model.FaultBroken, func(c *call) { raw(c.w, plain(c.kind(), len(good), good[:60]), false) }),
		"cut-reset": acting(model.FaultBroken, func(c *call) {
			raw(c.w, plain(c.kind(), len(good), good[:60]), true)
		}),
		"cut-chunked": acting(model.FaultBroken, func(c *call) { raw(c.w, chunked(c.kind(), good), false) }),
		"cut-429": acting(model.FaultBusy, func(c *call) {
			raw(c.w, "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nRetry-After: 2\r\nContent-Length: 900\r\n\r\n{\"error\"", false)
		}),
		"huge": {outcome: record.Error, kind: model.FaultBroken, act: huge, costly: true},
		"drip": {outcome: record.Timeout, kind: model.FaultCancelled, act: drip, costly: true},
		"hang": {outcome: record.Timeout, kind: model.FaultCancelled, act: func(c *call) { <-c.r.Context().Done() }, costly: true},
		// the server gives away what it was sent
		"echo-key": acting(model.FaultDenied, func(c *call) {
			key := f.key(c.r.Header)
			c.w.Header().Set("X-Echo", key)
			c.w.Header().Set("Set-Cookie", "auth="+key)
			write(c.w, 401, []byte(strings.Replace(say.denied, say.key, say.key+": "+key, 1)))
		}),
		"echo-key-escaped": acting(model.FaultDenied, func(c *call) {
			var b strings.Builder
			for _, r := range f.key(c.r.Header) {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
			write(c.w, 403, []byte(`{"error":{"message":"no: `+b.String()+`"}}`))
		}),
		"echo-key-redirect": acting(model.FaultRejected, func(c *call) {
			c.w.Header().Set("Location", "http://elsewhere.invalid/"+f.key(c.r.Header))
			write(c.w, 308, nil)
		}),
		// the model's own doing
		"length":     ending(record.Truncated, func(r *MockReply) { r.Finish = string(model.FinishLength) }),
		"low-tokens": ending(record.Undelivered, func(r *MockReply) { r.PromptTokens = 7 }),
	}
}

// kind is the content type of a good reply to this call.
func (c *call) kind() string {
	if c.asked.stream {
		return c.m.form.streams
	}
	return jsonType[0]
}

// huge writes an answer of 80 MB.
func huge(c *call) {
	c.w.Header()["Content-Type"] = []string{c.kind()}
	head, tail, _ := strings.Cut(c.m.form.good, `"ok"`)
	if _, err := c.w.Write([]byte(head + `"`)); err != nil {
		return
	}
	mb := []byte(strings.Repeat("x", 1<<20))
	for range 80 {
		if _, err := c.w.Write(mb); err != nil {
			return
		}
	}
	_, _ = c.w.Write([]byte(`"` + tail))
}

// drip writes a byte now and then until the client goes away.
func drip(c *call) {
	c.w.Header()["Content-Type"] = []string{c.kind()}
	rc := http.NewResponseController(c.w)
	for i := 0; c.r.Context().Err() == nil; i++ {
		if _, err := c.w.Write([]byte{c.m.form.good[i%60]}); err != nil || rc.Flush() != nil {
			return
		}
		pause(c.r, 20*time.Millisecond)
	}
}
