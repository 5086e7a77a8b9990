package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
)

// Fault classifies an exchange that is not a 200 with a whole body; nil means that it is one. The server's status comes
// before a fault of reading its body: a 429 that breaks off is still a 429.
func (c *Client) Fault(ctx context.Context, got *Response) *model.Fault {
	switch {
	case got.Status >= 300:
		return c.fromStatus(got)
	case ended(ctx, got) && got.unconnected && model.TimedOut(ctx):
		// The protocol's time went by before there was a server to speak to, which is no doing of the model's.
		return c.NewFault(model.FaultUnreachable, got, fmt.Sprintf("no connection to %s within the protocol's time: is the server there, and not behind something that drops what it is sent?", c.Base))
	case ended(ctx, got):
		return model.Cancelled(ctx, got.Exchange)
	case got.Err != nil && got.Status == 0:
		return c.unsent(got)
	case got.Err != nil:
		return c.Broken(got, "the reply broke off: "+model.OneLine(c.secret.text(got.Err.Error()), 120))
	case got.TooBig:
		return c.Broken(got, fmt.Sprintf("the reply is larger than %d MB", maxBody>>20))
	case got.Status != http.StatusOK:
		return c.Broken(got, fmt.Sprintf("HTTP %d instead of 200", got.Status))
	}
	return nil
}

// NewFault is the one place where faults of exchanges are made, so that none holds the key. The transport's error is kept
// as text only: its type may reach the request and with it the Authorization header.
func (c *Client) NewFault(kind model.FaultKind, got *Response, msg string) *model.Fault {
	x := got.Exchange
	if got.Err != nil {
		x.Error = c.secret.text(model.OneLine(got.Err.Error(), 0))
	}
	return &model.Fault{Kind: kind, Status: got.Status, Msg: c.secret.text(msg), Exchange: x}
}

// Broken is the fault of a response that began and did not end as it should.
func (c *Client) Broken(got *Response, msg string) *model.Fault {
	f := c.NewFault(model.FaultBroken, got, msg)
	if f.Exchange.Error == "" {
		f.Exchange.Error = f.Msg
	}
	return f
}

// unsent classifies an exchange without a status.
func (c *Client) unsent(got *Response) *model.Fault {
	err := got.Err
	said := c.secret.text(err.Error())
	var dns *net.DNSError
	why := model.OneLine(said, 160)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		why = "connection refused"
	case errors.As(err, &dns):
		why = "no such host as " + model.OneLine(dns.Name, 80)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return c.NewFault(model.FaultUnreachable, got, fmt.Sprintf("the connection to %s was closed before the first byte of a reply", c.Base))
	case strings.Contains(said, "gave HTTP response to HTTPS client"), strings.Contains(said, "does not look like a TLS handshake"):
		why = "the server does not speak https: write @http://"
	case errors.Is(err, io.ErrUnexpectedEOF), strings.Contains(said, "malformed"), strings.Contains(said, "response headers exceeded"),
		strings.Contains(said, "bad Content-Length"):
		return c.NewFault(model.FaultBroken, got, "the reply is not HTTP as it should be: "+why)
	case errors.As(err, new(notSent)):
		return c.NewFault(model.FaultOurs, got, why)
	}
	return c.NewFault(model.FaultUnreachable, got, fmt.Sprintf("no server answers at %s (%s): start it or give another @URL", c.Base, why))
}

// fromStatus classifies a response by its status and by what its error says.
func (c *Client) fromStatus(got *Response) *model.Fault {
	e := ReadError(got.ResponseBody)
	said := e.line(got)
	key := strings.Join(c.dialect.Keys, " or ")
	switch kind := c.kindOf(got.Status, e); {
	case got.Status < 400:
		return c.NewFault(model.FaultRejected, got, "the server redirects to "+target(got.Header("Location"))+
			"; redirects are not followed: give the model's own address as @URL")
	case kind == model.FaultDenied && got.Status == http.StatusUnauthorized && !c.Keyed:
		return c.NewFault(kind, got, "the server wants a key: set "+key+" ("+said+")")
	case kind == model.FaultDenied && isMoney(got.Status, e):
		return c.NewFault(kind, got, "the account cannot pay for the call ("+said+")")
	case kind == model.FaultDenied:
		return c.NewFault(kind, got, "the server refused the key or the account: check "+key+" ("+said+")")
	case kind == model.FaultBusy, kind == model.FaultServer:
		if kind == model.FaultBusy {
			said = "the server is busy (" + said + ")"
		}
		f := c.NewFault(kind, got, said)
		f.RetryAfter = retryAfter(got, time.Now())
		return f
	case kind == model.FaultContext:
		return c.NewFault(kind, got, "the prompt does not fit the model's context ("+said+")")
	case kind == model.FaultNoModel && (got.Status != http.StatusNotFound || e.isModel()):
		hint := ""
		if c.dialect.Absent != nil {
			hint = c.dialect.Absent(c.Spec.Name)
		}
		return c.NewFault(kind, got, fmt.Sprintf("the server at %s does not know the model %q (%s)%s", c.Base, c.Spec.Name, said, hint))
	case kind == model.FaultNoModel:
		hint := "is it the address of " + c.dialect.Server + "?"
		if end := c.dialect.Base; end != "" && !strings.Contains(c.Base, end) {
			hint = "the address of such a server usually ends in " + end
			if u, err := url.Parse(c.Base); err == nil && u.Path == "" {
				hint = "the address probably lacks " + end + ": give @" + c.Base + end
			}
		}
		return c.NewFault(kind, got, fmt.Sprintf("%s/%s is not there; %s (%s)", c.Base, c.dialect.CallPath, hint, said))
	}
	return c.NewFault(model.FaultRejected, got, "the server did not accept the request ("+said+")")
}

// kindOf sorts a status with its error; a dialect's own words come first.
func (c *Client) kindOf(status int, e ServerError) model.FaultKind {
	if c.dialect.Sort != nil {
		if kind := c.dialect.Sort(status, e); kind != "" {
			return kind
		}
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, isMoney(status, e):
		return model.FaultDenied
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable, status == 529:
		return model.FaultBusy
	case e.isContext():
		return model.FaultContext
	case status >= 500:
		return model.FaultServer
	case status == http.StatusNotFound, e.Code == "model_not_found":
		return model.FaultNoModel
	}
	return model.FaultRejected
}

// isMoney reports whether the account cannot pay: that stops a run, whatever status it comes under.
func isMoney(status int, e ServerError) bool {
	return status == http.StatusPaymentRequired || status == http.StatusTooManyRequests && e.Code == "insufficient_quota" || e.Kind == "billing_error"
}

// ErrorInside is the fault of a 200 that holds an error.
func (c *Client) ErrorInside(got *Response, v jsontext.Value) *model.Fault {
	var e ServerError
	e.read(v)
	// Routers put the status of whoever is behind them into the error's code.
	status := http.StatusOK
	if n, err := strconv.Atoi(e.Code); err == nil && n >= 400 && n <= 599 {
		status = n
	}
	kind := c.kindOf(status, e)
	switch {
	case kind == model.FaultContext:
		return c.NewFault(kind, got, "the prompt does not fit the model's context ("+e.line(got)+")")
	case kind == model.FaultDenied && isMoney(status, e):
		return c.NewFault(kind, got, "an error inside a 200: the account cannot pay for the call ("+e.line(got)+")")
	case kind == model.FaultDenied:
		return c.NewFault(kind, got, "an error inside a 200: check "+strings.Join(c.dialect.Keys, " or ")+" ("+e.line(got)+")")
	case status == http.StatusOK && kind == model.FaultRejected, status == http.StatusNotFound:
		kind = model.FaultServer // it took the request, and says no more than that something went wrong
	}
	return c.NewFault(kind, got, "an error inside a 200 ("+e.line(got)+")")
}

// ServerError is what the dialects of error bodies have in common: what it says, its code, its type.
type ServerError struct{ Message, Code, Kind string }

// ReadError reads {"error": {...}}, {"error": "..."}, {"message": ...}, {"detail": ...}; what has another form is empty.
func ReadError(body []byte) ServerError {
	var outer struct {
		Error jsontext.Value `json:"error"`
	}
	var e ServerError
	if json.Unmarshal(body, &outer, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) != nil {
		return e
	}
	if IsSet(outer.Error) {
		e.read(outer.Error)
	} else {
		e.read(body)
	}
	return e
}

func (e *ServerError) read(v jsontext.Value) {
	opts := json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if json.Unmarshal(v, &e.Message, opts) == nil {
		return
	}
	var o struct {
		Message Word           `json:"message"`
		Detail  jsontext.Value `json:"detail"` // FastAPI: a text or a list of objects
		Code    jsontext.Value `json:"code"`
		Type    Word           `json:"type"`
	}
	if json.Unmarshal(v, &o, opts) != nil {
		return
	}
	e.Message, e.Kind = string(o.Message), string(o.Type)
	if e.Message == "" && IsSet(o.Detail) && json.Unmarshal(o.Detail, &e.Message, opts) != nil {
		e.Message = string(o.Detail)
	}
	if json.Unmarshal(o.Code, &e.Code, opts) != nil {
		e.Code = string(o.Code)
	}
}

// line is the server's own words for a message, bounded.
func (e ServerError) line(got *Response) string {
	switch { // what is white space alone says nothing
	case strings.TrimSpace(e.Message) != "":
		return model.OneLine(e.Message, 240)
	case strings.TrimSpace(e.Kind+e.Code) != "":
		return model.OneLine(strings.TrimSpace(e.Kind+" "+e.Code), 240)
	case strings.Contains(got.Header("Content-Type"), "html"):
		return "an HTML page"
	case len(bytes.TrimSpace(got.ResponseBody)) == 0:
		return "no more was said"
	}
	return model.OneLine(string(got.ResponseBody[:min(len(got.ResponseBody), 1000)]), 160)
}

// contextWords are what the servers say when prompt and output do not fit: llama.cpp, vLLM, OpenAI, Ollama, LM Studio,
// and routers that hand on Anthropic's words.
var contextWords = model.NewPattern(`(?i)maximum context length|exceeds? the available context size|exceed_context_size|context_length_exceeded|` +
	`context (length|window|size) (was )?exceeded|exceeds? (the )?(model's )?context (length|window|size)|longer than the context length|` +
	`greater than the context length|prompt is too long:`)

func (e ServerError) isContext() bool {
	return e.Code == "context_length_exceeded" || e.Kind == "exceed_context_size_error" || contextWords.MatchString(e.Message)
}

var modelWords = model.NewPattern(`(?i)\bmodel\b.*(not (be )?found|not exist|unknown|not available)|(unknown|no such) model`)

func (e ServerError) isModel() bool {
	return e.Code == "model_not_found" || modelWords.MatchString(e.Message)
}

// MaxRetryAfter bounds what a server can ask for.
const MaxRetryAfter = 24 * time.Hour

// retryAfter reads Retry-After, in seconds or as an HTTP date, and the finer retry-after-ms; 0 when there is none.
func retryAfter(got *Response, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(got.Header("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(min(ms, float64(MaxRetryAfter.Milliseconds())) * float64(time.Millisecond))
	}
	v := strings.TrimSpace(got.Header("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		if !(s > 0) {
			return 0
		}
		return time.Duration(min(s, MaxRetryAfter.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil && at.After(now) {
		return min(at.Sub(now), MaxRetryAfter)
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
