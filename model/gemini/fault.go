package gemini

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

// serverError is an error in Google's form: {"error":{"code","message","status","details"}}. Status is the word that the
// transport's status stands for, and what decides stands in the details.
type serverError struct {
	message, status string
	reason          string        // of ErrorInfo, "API_KEY_INVALID"
	fields          string        // what BadRequest says of single fields
	retry           time.Duration // of RetryInfo, or of the message where that is missing
	exhausted       string        // the quota that no waiting within a run brings back, "" where it is none
}

type detail struct {
	Reason     wire.Word `json:"reason"`     // ErrorInfo
	RetryDelay wire.Word `json:"retryDelay"` // RetryInfo, "38s" or "38.292227434s"
	Violations []struct {
		QuotaID    wire.Word `json:"quotaId"`
		QuotaValue wire.Word `json:"quotaValue"`
	} `json:"violations"` // QuotaFailure
	FieldViolations []struct {
		Field       wire.Word `json:"field"`
		Description wire.Word `json:"description"`
	} `json:"fieldViolations"` // BadRequest
}

var loose = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// readError reads an error body; some servers put it into a list. ok is false where it is not in Google's form, which
// has a status in words.
func readError(body []byte) (e serverError, ok bool) {
	type outer struct {
		Error jsontext.Value `json:"error"`
	}
	var o outer
	if json.Unmarshal(body, &o, loose) != nil {
		var list []outer
		if json.Unmarshal(body, &list, loose) != nil || len(list) == 0 {
			return e, false
		}
		o = list[0]
	}
	return readErrorValue(o.Error)
}

func readErrorValue(v jsontext.Value) (e serverError, ok bool) {
	var o struct {
		Message wire.Word      `json:"message"`
		Status  wire.Word      `json:"status"`
		Details jsontext.Value `json:"details"`
	}
	if !wire.IsSet(v) || json.Unmarshal(v, &o, loose) != nil || o.Status == "" {
		return e, false
	}
	e.message, e.status = string(o.Message), string(o.Status)
	var details []wire.Loose[detail]
	if wire.IsSet(o.Details) && json.Unmarshal(o.Details, &details, loose) != nil {
		details = nil
	}
	var fields strings.Builder
	for _, d := range details {
		if e.reason == "" {
			e.reason = string(d.V.Reason)
		}
		if e.retry == 0 {
			e.retry = seconds(strings.TrimSuffix(string(d.V.RetryDelay), "s"))
		}
		for _, q := range d.V.Violations {
			if e.exhausted == "" && (strings.Contains(string(q.QuotaID), "PerDay") || q.QuotaValue == "0") {
				e.exhausted = string(q.QuotaID) + " " + string(q.QuotaValue)
			}
		}
		for _, f := range d.V.FieldViolations {
			fields.WriteString(" " + string(f.Field) + " " + string(f.Description))
		}
	}
	e.fields = fields.String()
	if m := retryWords.FindStringSubmatch(e.message); m != nil && e.retry == 0 {
		e.retry = seconds(m[1])
	}
	if e.exhausted == "" && noQuota.MatchString(e.message) {
		e.exhausted = "limit: 0"
	}
	return e, true
}

var (
	retryWords = model.NewPattern(`retry in ([0-9.]+)s`)
	noQuota    = model.NewPattern(`limit: 0(,|\s|$)`)
)

// seconds reads a duration of the server, bounded; what is none is 0.
func seconds(s string) time.Duration {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || v <= 0 {
		return 0
	}
	return time.Duration(min(v, wire.MaxRetryAfter.Seconds()) * float64(time.Second))
}

// common is the error in the form that all providers share, so that Sort sees the words that decide: the status as the
// type, the reason as the code.
func (e serverError) common() []byte {
	code := e.reason
	if e.status == "NOT_FOUND" {
		code = "model_not_found" // all that is asked for by name is the model
	}
	b := []byte(`{"error":{`)
	for i, f := range [][2]string{{`"message":`, e.message}, {`"type":`, e.status}, {`"code":`, code}} {
		b = append(comma(b, i), f[0]...)
		b, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(f[1], "\ufffd")) // fails for broken UTF-8 only
	}
	return append(b, `}}`...)
}

// fault classifies an exchange that is not a 200 with a whole body; nil means that it is one.
func (m *Model) fault(ctx context.Context, got *wire.Response) *model.Fault {
	e, ok := readError(got.ResponseBody)
	if got.Status < http.StatusMultipleChoices || !ok {
		return m.Fault(ctx, got)
	}
	plain := *got
	plain.ResponseBody = e.common()
	f := m.Fault(ctx, &plain)
	switch {
	case got.Status == http.StatusTooManyRequests && e.exhausted != "":
		f = m.NewFault(model.FaultDenied, got, "the key's quota is used up for the day, or its plan has none for this model ("+
			model.OneLine(e.exhausted, 80)+": "+e.line()+")")
	case got.Status == http.StatusTooManyRequests && creditWords.MatchString(e.message):
		f = m.NewFault(model.FaultDenied, got, "the account cannot pay for the call ("+e.line()+")")
	case f.Kind == model.FaultBusy || f.Kind == model.FaultServer:
		f.RetryAfter = max(f.RetryAfter, e.retry)
	}
	if f.Kind == model.FaultDenied && !m.Keyed && e.status != failedPrecondition {
		f = m.NewFault(model.FaultDenied, got, "the server wants a key: set "+keyWanted+" ("+e.line()+")") // it answers such calls with a 403 or a 400
	}
	f.Exchange.ResponseBody = got.ResponseBody
	return f
}

const failedPrecondition = "FAILED_PRECONDITION"

func (e serverError) line() string {
	if strings.TrimSpace(e.message) == "" {
		return model.OneLine(e.status, 80)
	}
	return model.OneLine(e.message, 240)
}

// errorInside is the fault of a 200 that holds an error.
func (m *Model) errorInside(got *wire.Response, v jsontext.Value) *model.Fault {
	if e, ok := readErrorValue(v); ok {
		var o struct {
			Error jsontext.Value `json:"error"`
		}
		if json.Unmarshal(e.common(), &o) == nil {
			return m.ErrorInside(got, o.Error)
		}
	}
	return m.ErrorInside(got, v)
}

var (
	contextWords = model.NewPattern(`(?i)input token count|maximum number of tokens allowed|request payload size exceeds|prompt is too long`)
	keyWords     = model.NewPattern(`(?i)\bapi[ _]?key\b`)
	creditWords  = model.NewPattern(`(?i)prepa(id|yment) credits|credits are depleted|spending cap|spend limit`)
)

// kindOf gives the kind of an error of Google's; the words are those of google.rpc.Code. What is not named goes by the
// HTTP status: 403 denied, 404 no model, 429 and 503 busy, 500 and 504 the server's.
func kindOf(status int, e wire.ServerError) model.FaultKind {
	switch {
	case contextWords.MatchString(e.Message) && status < 500 && status != http.StatusTooManyRequests:
		return model.FaultContext
	case status == http.StatusOK:
		return ""
	case status == http.StatusBadRequest && (strings.HasPrefix(e.Code, "API_KEY_") || keyWords.MatchString(e.Message)):
		return model.FaultDenied // a wrong key is INVALID_ARGUMENT here, and no 401
	case e.Kind == failedPrecondition:
		return model.FaultDenied // "not available in your country", "enable billing": the account, not the request
	case e.Kind == "CANCELLED", e.Kind == "ABORTED":
		return model.FaultServer // 499 and 409: the server gave the call up
	}
	return ""
}
