package anthropic

import (
	"context"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
)

// moneyWords are what the API says when it will serve the account nothing more. It says so with status 400 and type
// invalid_request_error, which otherwise blame the request.
var moneyWords = model.NewPattern(`(?i)credit balance is too low|reached your specified (workspace )?api usage limits?`)

// accountWords are the same for an account that is closed.
var accountWords = model.NewPattern(`(?i)(organization|workspace|account) has been (disabled|suspended)`)

// contextWords are what the API says when prompt, or prompt and output, exceed the context.
var contextWords = model.NewPattern(`(?i)prompt is too long|exceeds? (the )?context (limit|window)|input is too long`)

// absentWords are the whole of what the API says of a model that it does not know.
var absentWords = model.NewPattern(`(?i)^model: `)

// sortError gives the kind of fault behind the API's own error types and words; "" leaves it to the usual rules. The type
// decides where it can, since routers change the status.
func sortError(_ int, e wire.ServerError) model.FaultKind {
	switch {
	case e.Kind == "billing_error", moneyWords.MatchString(e.Message), accountWords.MatchString(e.Message):
		return model.FaultDenied
	case e.Kind == "request_too_large", contextWords.MatchString(e.Message):
		return model.FaultContext
	}
	switch e.Kind {
	case "authentication_error", "permission_error":
		return model.FaultDenied
	case "rate_limit_error", "overloaded_error":
		return model.FaultBusy
	}
	return "" // invalid_request_error, not_found_error, api_error, timeout_error: the status says it
}

// fault is wire's, with the messages that only this protocol's words can give.
func (m *Model) fault(ctx context.Context, got *wire.Response) *model.Fault {
	f := m.Fault(ctx, got)
	if f == nil || got.Status < 400 {
		return f
	}
	e := wire.ReadError(got.ResponseBody)
	switch {
	case f.Kind == model.FaultDenied && moneyWords.MatchString(e.Message):
		return m.NewFault(f.Kind, got, "the account cannot pay for the call ("+model.OneLine(e.Message, 240)+")")
	case f.Kind == model.FaultNoModel && absentWords.MatchString(e.Message):
		return m.NewFault(f.Kind, got, m.absent(e))
	}
	return f
}

func (m *Model) absent(e wire.ServerError) string {
	return fmt.Sprintf("the server at %s does not know the model %q (%s): \"assay doctor\" lists those that it has", m.Base, m.Spec.Name, model.OneLine(e.Message, 160))
}

// errorInside is the fault of a 200 that holds an error: what would stop a run under its own status stops it here too.
func (m *Model) errorInside(got *wire.Response, v jsontext.Value) *model.Fault {
	f := m.ErrorInside(got, v)
	if e := wire.ReadError(got.ResponseBody); f.Kind == model.FaultServer && sortError(http.StatusOK, e) == model.FaultDenied {
		return m.NewFault(model.FaultDenied, got, "the server refused the key or the account: check "+keyVariable+" ("+model.OneLine(e.Message, 240)+")")
	}
	return f
}
