package wire

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// IsSet reports whether a value is there and not null.
func IsSet(v jsontext.Value) bool { return len(v) > 0 && v.Kind() != 'n' }

// IsJSON reports whether a media type is JSON. None at all is let through: then the body alone decides.
func IsJSON(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	return t == "" || t == "application/json" || strings.HasSuffix(t, "+json")
}

// Word is a string that may be null, absent or of another type, which all mean "not said".
type Word string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (w *Word) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*w = ""
	if d.PeekKind() != '"' {
		return d.SkipValue()
	}
	tok, err := d.ReadToken()
	*w = Word(tok.String())
	return err
}

// Count is a token count; 0 means not said, since servers leave counts out or send 0 for "unknown".
type Count int64

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (c *Count) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*c = 0
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	if n, err := strconv.ParseInt(string(v), 10, 64); err == nil && n > 0 {
		*c = Count(n)
	}
	return nil
}

// Ptr is nil where nothing was said.
func (c Count) Ptr() *int64 {
	if c == 0 {
		return nil
	}
	n := int64(c)
	return &n
}

// Loose is a value that only informs: where it has another form, it is left at zero.
type Loose[T any] struct{ V T }

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (l *Loose[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '{' {
		return d.SkipValue()
	}
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	var got T
	if json.Unmarshal(v, &got, jsontext.AllowInvalidUTF8(true)) == nil {
		l.V = got
	}
	return nil
}

// Finite reports whether a number can be written as JSON.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// IsObject reports whether a text is one JSON object and nothing else.
func IsObject(b []byte) bool {
	v := jsontext.Value(b)
	return v.Kind() == '{' && v.IsValid()
}

// Note adds what a server says of itself to an identity, bounded and on one line; nothing is not noted.
func Note(id *record.Identity, name, value string) {
	if value != "" {
		id.Details[name] = model.OneLine(value, 300)
	}
}
