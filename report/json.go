package report

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// JSON writes the results as one JSON value and a line feed. Names stand as they were recorded, so that a program can
// compare them; what a terminal would act on or hide is written as \u escapes, and what is not UTF-8 becomes U+FFFD.
func (r *Result) JSON(w io.Writer) error {
	b, err := json.Marshal(r, json.Deterministic(true), json.FormatNilSliceAsNull(false), jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	if err != nil {
		return fmt.Errorf("run %s: its results do not fit JSON: %w", Printable(r.Run), err)
	}
	_, err = w.Write(append(EscapeHidden(b), '\n'))
	return err
}

// EscapeHidden writes invisible characters of a JSON text as escapes. Beyond ASCII, JSON has text in strings only, where an escape means
// the same; within ASCII the encoder has done it already, but for DEL.
func EscapeHidden(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r < utf8.RuneSelf && r != 0x7f, unicode.IsPrint(r):
			out = append(out, b[:n]...)
		case r > 0xffff:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[n:]
	}
	return out
}
