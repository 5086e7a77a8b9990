package modeltest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// FindSecret looks for a secret in a value as it would be printed or stored: by every verb of formatting, along the chain
// of an error, and in the bytes of exchanges. It says where, or "".
func FindSecret(secret string, v any) string {
	switch v := v.(type) {
	case model.Reply:
		if where := findInExchange(secret, v.Exchange); where != "" {
			return where
		}
		v.Exchange = withoutBodies(v.Exchange)
		return findPrinted(secret, v)
	case record.Transcript:
		calls := make([]record.Exchange, 0, len(v.Calls))
		for _, x := range v.Calls {
			if where := findInExchange(secret, x); where != "" {
				return where
			}
			calls = append(calls, withoutBodies(x))
		}
		v.Calls = calls
		return findPrinted(secret, v)
	case *model.Fault:
		if where := findInExchange(secret, v.Exchange); where != "" {
			return where
		}
		light := *v
		light.Exchange = withoutBodies(v.Exchange)
		// As an error, and by its fields, past Error; what it wraps is looked at on its own.
		for _, form := range []any{&light, fmt.Sprintf("%+v", struct{ V any }{light.Exchange}), light.Msg} {
			if where := findPrinted(secret, form); where != "" {
				return where
			}
		}
		if v.Err != nil {
			if where := FindSecret(secret, v.Err); where != "" {
				return "wrapped: " + where
			}
		}
		return ""
	case error:
		if where := findPrinted(secret, v); where != "" {
			return where
		}
		if next := errors.Unwrap(v); next != nil {
			if where := FindSecret(secret, next); where != "" {
				return "wrapped: " + where
			}
		}
		return ""
	}
	return findPrinted(secret, v)
}

func findPrinted(secret string, v any) string {
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if strings.Contains(fmt.Sprintf(verb, v), secret) {
			return "printed by " + verb
		}
	}
	return ""
}

// withoutBodies leaves out the bytes, which are looked at as such: printed they may be hundreds of megabytes of numbers.
func withoutBodies(x record.Exchange) record.Exchange {
	x.RequestBody, x.ResponseBody = nil, nil
	return x
}

func findInExchange(secret string, x record.Exchange) string {
	for where, text := range map[string]string{"the request's body": string(x.RequestBody), "the response's body": string(x.ResponseBody),
		"the endpoint": x.Endpoint, "the error": x.Error, "the request's header": fmt.Sprint(x.RequestHeader), "the response's header": fmt.Sprint(x.ResponseHeader)} {
		if strings.Contains(text, secret) {
			return where
		}
	}
	return ""
}
