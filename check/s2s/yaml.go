package s2s

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/assaybench/assay/check/strictjson"
)

// The writer of bench files. A prompt must come back from the YAML byte for byte, whatever it holds, so texts are written
// in two forms only, both without any folding: a literal block where each of its bytes is safe there, and otherwise a
// double-quoted scalar in which everything doubtful is an escape. The importer reads back what it wrote and compares.

// mapping is a YAML mapping in order.
type mapping []entry

type entry struct {
	key   string
	value any
}

// The values beside mapping: text, plain (a number or a boolean, as it is to stand) and list.
type (
	text  string
	plain string
	list  []any
	block []any // a list that is written with a line for each entry, however short
)

func count(n int) plain { return plain(fmt.Sprint(n)) }

func boolean(b bool) plain { return plain(fmt.Sprint(b)) }

func textList(texts []string) list {
	out := make(list, len(texts))
	for i, t := range texts {
		out[i] = text(t)
	}
	return out
}

// one makes a mapping with one key.
func one(key string, value any) mapping { return mapping{{key, value}} }

// with adds a key unless the value is an empty text or list.
func (m mapping) with(key string, value any) mapping {
	switch v := value.(type) {
	case text:
		if v == "" {
			return m
		}
	case list:
		if len(v) == 0 {
			return m
		}
	}
	return append(m, entry{key, value})
}

// writeYAML writes a document; each line of the comment becomes a comment line.
func writeYAML(comment string, m mapping) []byte {
	var b strings.Builder
	for line := range strings.SplitSeq(comment, "\n") {
		b.WriteString("# " + line + "\n")
	}
	writeMapping(&b, m, 0)
	return []byte(b.String())
}

const flowWidth = 120

// writeMapping writes a mapping's lines; the first stands where the writer is, the others at the indent.
func writeMapping(b *strings.Builder, m mapping, indent int) {
	for i, e := range m {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", indent))
		}
		b.WriteString(key(e.key) + ":")
		writeValue(b, e.value, indent)
	}
}

// writeValue writes what stands behind "key:" or "-", the line's end included.
func writeValue(b *strings.Builder, v any, indent int) {
	if t, ok := v.(text); ok && literalSafe(string(t)) {
		writeLiteral(b, string(t), indent+2)
		return
	}
	if l, ok := v.(block); ok {
		v = list(l)
	} else if s := flow(v); len(s) <= flowWidth || !composite(v) {
		b.WriteString(" " + s + "\n")
		return
	}
	pad := strings.Repeat(" ", indent+2)
	switch v := v.(type) {
	case mapping:
		b.WriteString("\n" + pad)
		writeMapping(b, v, indent+2)
	case list:
		b.WriteString("\n")
		for _, e := range v {
			b.WriteString(pad + "-")
			if m, ok := e.(mapping); ok && len(m) > 0 {
				b.WriteString(" ")
				writeMapping(b, m, indent+4)
				continue
			}
			writeValue(b, e, indent+2)
		}
	}
}

func composite(v any) bool {
	switch v := v.(type) {
	case mapping:
		return len(v) > 0
	case list:
		return len(v) > 0
	}
	return false
}

// flow writes a value on one line.
func flow(v any) string {
	switch v := v.(type) {
	case plain:
		return string(v)
	case text:
		if bare.MatchString(string(v)) && !reserved[string(v)] {
			return string(v)
		}
		return quote(string(v))
	case mapping:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = key(e.key) + ": " + flow(e.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case list:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = flow(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	panic(fmt.Sprintf("s2s: a value of type %T cannot be written", v))
}

// bare texts need no quotes: nothing in them means anything to YAML.
var bare = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z][A-Za-z0-9_./-]*)*$`)

// reserved are bare words that some reader of YAML takes for something else.
var reserved = map[string]bool{}

func init() {
	for _, w := range strings.Fields("true false null yes no on off y n") {
		reserved[w], reserved[strings.ToUpper(w)], reserved[strings.ToUpper(w[:1])+w[1:]] = true, true, true
	}
}

func key(s string) string {
	if bare.MatchString(s) && !strings.Contains(s, " ") && !reserved[s] {
		return s
	}
	return quote(s)
}

// literalSafe reports whether a literal block gives a text back as it is: several lines that begin and end visibly, of
// characters that YAML lets stand.
func literalSafe(s string) bool {
	body := strings.TrimSuffix(s, "\n")
	if !strings.Contains(body, "\n") {
		return false
	}
	for i, l := range strings.Split(body, "\n") {
		if i == 0 && (l == "" || l[0] == ' ') || l != "" && (l[0] == '\t' || strings.HasSuffix(l, " ") || strings.HasSuffix(l, "\t")) {
			return false
		}
	}
	if strings.HasSuffix(body, "\n") {
		return false
	}
	for _, r := range s {
		if r != '\n' && !printable(r) {
			return false
		}
	}
	return true
}

// printable reports whether a character may stand in YAML as it is and is no line break to any reader.
func printable(r rune) bool {
	switch {
	case r == '\t', r >= 0x20 && r <= 0x7e:
		return true
	case r < 0xa0, r == 0xad, r == 0x2028, r == 0x2029, r == 0xfeff, r == utf8.RuneError:
		return false
	}
	return r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000
}

func writeLiteral(b *strings.Builder, s string, indent int) {
	mark := " |-\n"
	if strings.HasSuffix(s, "\n") {
		mark = " |\n"
	}
	b.WriteString(mark)
	pad := strings.Repeat(" ", indent)
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		if line != "" {
			line = pad + line
		}
		b.WriteString(line + "\n")
	}
}

// quote writes a double-quoted scalar on one line.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString("\\" + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case printable(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// fromJSON gives a JSON value as it is to stand in the YAML; numbers keep their digits.
func fromJSON(v *strictjson.Value) any {
	switch v.Kind {
	case strictjson.String:
		return text(v.Text)
	case strictjson.Array:
		out := make(list, len(v.Values))
		for i, e := range v.Values {
			out[i] = fromJSON(e)
		}
		return out
	case strictjson.Object:
		out := make(mapping, len(v.Values))
		for i, e := range v.Values {
			out[i] = entry{v.Names[i], fromJSON(e)}
		}
		return out
	}
	return plain(v.Text)
}
