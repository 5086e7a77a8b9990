package record

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Canonical gives the canonical JSON of a value: RFC 8785 member order and escapes, so that equal values are equal bytes.
// Integers keep their digits (RFC 8785 alone would round those beyond 2^53).
func Canonical(v any) ([]byte, error) {
	b, err := json.Marshal(v, json.Deterministic(true), json.FormatNilSliceAsNull(false), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, err
	}
	val := jsontext.Value(b)
	if err := val.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, err
	}
	return val, nil
}
