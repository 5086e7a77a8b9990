package world

import (
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/record"
)

// appendJSON appends the canonical JSON of a result's value, as record.Canonical would write it. Most of a call's time
// went into the general way, and results are of few kinds.
func appendJSON(b []byte, v any) ([]byte, error) {
	switch x := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, x), nil
	case int64:
		return strconv.AppendInt(b, x, 10), nil
	case string:
		return jsontext.AppendQuote(b, x)
	case json.Number:
		return appendJSON(b, normal(x))
	case []any:
		b = append(b, '[')
		for i, e := range x {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = appendJSON(b, e); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case map[string]any:
		names := sortedKeys(x)
		for _, n := range names {
			if !ascii(n) { // RFC 8785 sorts by UTF-16, which is another order than that of bytes
				return appendCanonical(b, normal(x))
			}
		}
		b = append(b, '{')
		for i, n := range names {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = jsontext.AppendQuote(b, n); err != nil {
				return nil, err
			}
			if b, err = appendJSON(append(b, ':'), x[n]); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	}
	return appendCanonical(b, v)
}

func appendCanonical(b []byte, v any) ([]byte, error) {
	c, err := record.Canonical(v)
	return append(b, c...), err
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// canonical gives an event's canonical JSON with a hash. Args and Result are canonical by themselves.
func (e *Event) canonical(hash string) ([]byte, error) {
	b := make([]byte, 0, 512+len(e.Args)+len(e.Result))
	var err error
	text := func(key, v string) {
		b = append(b, key...)
		if err == nil {
			b, err = jsontext.AppendQuote(b, v)
		}
	}
	raw := func(key string, v jsontext.Value) {
		b = append(b, key...)
		if v == nil {
			v = jsontext.Value("null")
		}
		b = append(b, v...)
	}
	text(`{"actor":`, string(e.Actor))
	raw(`,"args":`, e.Args)
	text(`,"at":`, e.At)
	b = append(b, `,"effect":`...)
	if len(e.Effect) == 0 {
		b = append(b, "[]"...)
	} else if err == nil {
		b, err = appendCanonical(b, e.Effect)
	}
	b = append(b, `,"error":`...)
	if e.Error == nil {
		b = append(b, "null"...)
	} else if err == nil {
		b, err = appendCanonical(b, e.Error)
	}
	text(`,"hash":`, hash)
	text(`,"prev":`, e.Prev)
	b = strconv.AppendBool(append(b, `,"replayed":`...), e.Replayed)
	raw(`,"result":`, e.Result)
	b = strconv.AppendInt(append(b, `,"seq":`...), int64(e.Seq), 10)
	text(`,"session":`, e.Session)
	text(`,"status":`, string(e.Status))
	text(`,"surface":`, e.Surface)
	text(`,"tool":`, e.Tool)
	return append(b, '}'), err
}

// Canonical gives the canonical JSON of an event, a line of events.jsonl without its end.
func (e *Event) Canonical() ([]byte, error) { return e.canonical(e.Hash) }
