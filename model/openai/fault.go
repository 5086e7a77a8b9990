package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
)

// fault classifies an exchange that is not a 200 with a whole body; nil means that it is one. The server's status comes
// before a fault of reading its body: a 429 that breaks off is still a 429.
func (m *Model) fault(ctx context.Context, got *response) *model.Fault {
	switch {
	case got.Status >= 300:
		return m.fromStatus(got)
	case ended(ctx, got):
		return model.Cancelled(ctx, got.Exchange)
	case got.err != nil && got.Status == 0:
		return m.unsent(got)
	case got.err != nil:
		return m.broken(got, "the reply broke off: "+model.OneLine(got.err.Error(), 120))
	case got.tooBig:
		return m.broken(got, fmt.Sprintf("the reply is larger than %d MB", maxBody>>20))
	case got.Status != http.StatusOK:
		return m.broken(got, fmt.Sprintf("HTTP %d instead of 200", got.Status))
	}
	return nil
}

// newFault is the one place where faults of this package are made, so that none holds the key. The transport's error is kept
// as text only: its type may reach the request and with it the Authorization header.
func (m *Model) newFault(kind model.FaultKind, got *response, msg string) *model.Fault {
	x := got.Exchange
	if got.err != nil {
		x.Error = m.secret.text(model.OneLine(got.err.Error(), 0))
	}
	return &model.Fault{Kind: kind, Status: got.Status, Msg: m.secret.text(msg), Exchange: x}
}

func (m *Model) broken(got *response, msg string) *model.Fault {
	f := m.newFault(model.FaultBroken, got, msg)
	if f.Exchange.Error == "" {
		f.Exchange.Error = f.Msg
	}
	return f
}

// unsent classifies an exchange without a status.
func (m *Model) unsent(got *response) *model.Fault {
	err := got.err
	said := err.Error()
	var dns *net.DNSError
	why := model.OneLine(said, 160)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		why = "connection refused"
	case errors.As(err, &dns):
		why = "no such host as " + model.OneLine(dns.Name, 80)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return m.newFault(model.FaultUnreachable, got, fmt.Sprintf("the connection to %s was closed before the first byte of a reply", m.base))
	case strings.Contains(said, "gave HTTP response to HTTPS client"), strings.Contains(said, "does not look like a TLS handshake"):
		why = "the server does not speak https: write @http://"
	case errors.Is(err, io.ErrUnexpectedEOF), strings.Contains(said, "malformed"), strings.Contains(said, "response headers exceeded"),
		strings.Contains(said, "bad Content-Length"):
		return m.newFault(model.FaultBroken, got, "the reply is not HTTP as it should be: "+why)
	case strings.Contains(said, "requestconfig:"), strings.Contains(said, "the SDK sent nothing"):
		return m.newFault(model.FaultOurs, got, why)
	}
	return m.newFault(model.FaultUnreachable, got, fmt.Sprintf("no server answers at %s (%s): start it or give another @URL", m.base, why))
}

// fromStatus classifies a response by its status and by what its error says.
func (m *Model) fromStatus(got *response) *model.Fault {
	e := readError(got.ResponseBody)
	said := e.line(got)
	switch s := got.Status; {
	case s < 400:
		return m.newFault(model.FaultRejected, got, "the server redirects to "+target(got.header("Location"))+
			"; redirects are not followed: give the model's own address as @URL")
	case s == http.StatusUnauthorized && !m.keyed:
		return m.newFault(model.FaultDenied, got, "the server wants a key: set "+keyVariable+" ("+said+")")
	case s == http.StatusUnauthorized, s == http.StatusForbidden:
		return m.newFault(model.FaultDenied, got, "the server refused the key or the account: check "+keyVariable+" ("+said+")")
	case s == http.StatusPaymentRequired, s == http.StatusTooManyRequests && e.code == "insufficient_quota":
		return m.newFault(model.FaultDenied, got, "the account cannot pay for the call ("+said+")")
	case s == http.StatusTooManyRequests, s == http.StatusServiceUnavailable, s == 529:
		f := m.newFault(model.FaultBusy, got, "the server is busy ("+said+")")
		f.RetryAfter = retryAfter(got, time.Now())
		return f
	case e.isContext():
		return m.newFault(model.FaultContext, got, "the prompt does not fit the model's context ("+said+")")
	case s >= 500:
		f := m.newFault(model.FaultServer, got, said)
		f.RetryAfter = retryAfter(got, time.Now())
		return f
	case s == http.StatusNotFound && e.isModel(), e.code == "model_not_found":
		return m.newFault(model.FaultNoModel, got, fmt.Sprintf("the server at %s does not know the model %q (%s)", m.base, m.spec.Name, said))
	case s == http.StatusNotFound:
		hint := "is it the address of an OpenAI-compatible server?"
		if !strings.Contains(m.base, "/v1") {
			hint = "the address probably lacks /v1: give @" + m.base + "/v1"
		}
		return m.newFault(model.FaultNoModel, got, fmt.Sprintf("%s/%s is not there; %s (%s)", m.base, callPath, hint, said))
	}
	return m.newFault(model.FaultRejected, got, "the server did not accept the request ("+said+")")
}

// errorInside is the fault of a 200 that holds an error.
func (m *Model) errorInside(got *response, v jsontext.Value) *model.Fault {
	var e serverError
	e.read(v)
	if e.isContext() {
		return m.newFault(model.FaultContext, got, "the prompt does not fit the model's context ("+e.line(got)+")")
	}
	return m.newFault(model.FaultServer, got, "an error inside a 200 ("+e.line(got)+")")
}

// serverError is what the dialects of error bodies have in common.
type serverError struct{ message, code, kind string }

// readError reads {"error": {...}}, {"error": "..."}, {"message": ...}, {"detail": ...}; what has another form is empty.
func readError(body []byte) serverError {
	var outer struct {
		Error jsontext.Value `json:"error"`
	}
	var e serverError
	if json.Unmarshal(body, &outer, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) != nil {
		return e
	}
	if isSet(outer.Error) {
		e.read(outer.Error)
	} else {
		e.read(body)
	}
	return e
}

func (e *serverError) read(v jsontext.Value) {
	opts := json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if json.Unmarshal(v, &e.message, opts) == nil {
		return
	}
	var o struct {
		Message word           `json:"message"`
		Detail  jsontext.Value `json:"detail"` // FastAPI: a text or a list of objects
		Code    jsontext.Value `json:"code"`
		Type    word           `json:"type"`
	}
	if json.Unmarshal(v, &o, opts) != nil {
		return
	}
	e.message, e.kind = string(o.Message), string(o.Type)
	if e.message == "" && isSet(o.Detail) && json.Unmarshal(o.Detail, &e.message, opts) != nil {
		e.message = string(o.Detail)
	}
	if json.Unmarshal(o.Code, &e.code, opts) != nil {
		e.code = string(o.Code)
	}
}

// line is the server's own words for a message, bounded.
func (e serverError) line(got *response) string {
	switch {
	case e.message != "":
		return model.OneLine(e.message, 240)
	case e.kind != "" || e.code != "":
		return model.OneLine(strings.TrimSpace(e.kind+" "+e.code), 240)
	case strings.Contains(got.header("Content-Type"), "html"):
		return "an HTML page"
	case len(got.ResponseBody) == 0:
		return "no more was said"
	}
	return model.OneLine(string(got.ResponseBody[:min(len(got.ResponseBody), 1000)]), 160)
}

// contextWords are what the servers say when prompt and output do not fit: llama.cpp, vLLM, OpenAI, Ollama, LM Studio,
// and routers that hand on Anthropic's words.
var contextWords = regexp.MustCompile(`(?i)maximum context length|exceeds? the available context size|exceed_context_size|context_length_exceeded|` +
	`context (length|window|size) (was )?exceeded|exceeds? (the )?(model's )?context (length|window|size)|longer than the context length|` +
	`greater than the context length|prompt is too long:`)

func (e serverError) isContext() bool {
	return e.code == "context_length_exceeded" || e.kind == "exceed_context_size_error" || contextWords.MatchString(e.message)
}

var modelWords = regexp.MustCompile(`(?i)\bmodel\b.*(not (be )?found|not exist|unknown|not available)|(unknown|no such) model`)

func (e serverError) isModel() bool {
	return e.code == "model_not_found" || modelWords.MatchString(e.message)
}

// maxRetryAfter bounds what a server can ask for.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads Retry-After, in seconds or as an HTTP date, and the finer retry-after-ms; 0 when there is none.
func retryAfter(got *response, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(got.header("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(min(ms, float64(maxRetryAfter.Milliseconds())) * float64(time.Millisecond))
	}
	v := strings.TrimSpace(got.header("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		if !(s > 0) {
			return 0
		}
		return time.Duration(min(s, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil && at.After(now) {
		return min(at.Sub(now), maxRetryAfter)
	}
	return 0
}

// target is a redirect's address without anything that could be a secret.
func target(location string) string {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return "an address that cannot be read"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return model.OneLine(u.String(), 160)
}

func (r *response) header(name string) string {
	if v := r.ResponseHeader[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}
