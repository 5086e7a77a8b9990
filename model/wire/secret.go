package wire

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assaybench/assay/record"
)

// secretHeaders never reach a record. Names are in canonical form.
var secretHeaders = map[string]bool{
	"Authorization": true, "Proxy-Authorization": true, "Cookie": true, "Set-Cookie": true, "Api-Key": true, "X-Api-Key": true, "X-Goog-Api-Key": true,
}

const (
	removed  = "[key removed]"
	withheld = "[body withheld: it held the key]"
	// leastKey is the length from which a key is looked for in whole replies: a shorter one is no secret, and would be
	// found in answers by chance.
	leastKey = 8
	// leastText is the same for messages and error responses, where a replacement by chance does no harm to a verdict.
	leastText = 4
)

// placeholders are what people set for servers that want no key; they are no secrets, and answers hold such words.
var placeholders = map[string]bool{
	"none": true, "empty": true, "null": true, "ollama": true, "lm-studio": true, "lmstudio": true, "llama.cpp": true, "llama-cpp": true, "not-needed": true,
	"not-required": true, "no-key": true, "no-key-required": true, "no-key-needed": true, "sk-no-key-required": true, "dummy": true,
	"placeholder": true, "anything": true, "whatever": true, "unused": true, "localhost": true,
}

// secret takes a key out of everything that is kept. The key is reached through closures, so that printing the struct
// shows addresses only.
type secret struct {
	// text cleans a message or a header value of any key; reply cleans a whole reply of a key that is a secret.
	text  func(string) string
	reply func([]byte) []byte
}

func newSecret(key string) secret {
	if key == "" || placeholders[strings.ToLower(key)] {
		return secret{text: func(s string) string { return s }, reply: func(b []byte) []byte { return b }}
	}
	return secret{
		text: func(s string) string {
			if len(key) < leastText {
				return s
			}
			return strings.ReplaceAll(s, key, removed)
		},
		reply: func(b []byte) []byte {
			return scrub(b, key)
		},
	}
}

// clean takes the key out of an exchange. Error responses are cleaned of all but the shortest keys; replies, which
// hold answers, of keys that cannot stand there by chance. Headers are edited in place: they are the exchange's own.
func (s secret) clean(x *record.Exchange) {
	for name, values := range x.ResponseHeader {
		if secretHeaders[name] {
			delete(x.ResponseHeader, name)
			continue
		}
		for i, v := range values {
			values[i] = s.text(v)
		}
	}
	if x.Status != 200 && len(x.ResponseBody) < 1<<20 {
		x.ResponseBody = []byte(s.text(string(x.ResponseBody)))
	}
	x.ResponseBody = s.reply(x.ResponseBody)
}

// scrub replaces a key in a body. Where the key is there only behind JSON escapes, the body is withheld whole, since what
// could be cut out of it without breaking it cannot be told.
func scrub(body []byte, key string) []byte {
	if len(key) < leastKey {
		return body
	}
	if bytes.Contains(body, []byte(key)) {
		body = bytes.ReplaceAll(body, []byte(key), []byte(removed))
	}
	// A key is ASCII, so that only \u00XX can hide its letters, and a plain backslash the three signs that JSON escapes.
	escaped := bytes.Contains(body, []byte(`\u00`)) || (strings.ContainsAny(key, `/"\`) && bytes.IndexByte(body, '\\') >= 0)
	if escaped { // JSON stands in JSON at routers, so that a key may lie behind several escapes
		for plain := body; ; {
			next := unescape(plain)
			if bytes.Contains(next, []byte(key)) {
				return []byte(withheld)
			}
			if len(next) == len(plain) {
				break
			}
			plain = next
		}
	}
	return body
}

// unescape resolves JSON string escapes wherever they stand, without regard to structure.
func unescape(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		if b[i] == 'u' && i+4 < len(b) {
			if r, err := strconv.ParseUint(string(b[i+1:i+5]), 16, 16); err == nil {
				out = utf8.AppendRune(out, rune(r))
				i += 4
				continue
			}
		}
		out = append(out, b[i])
	}
	return out
}
