package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// marksMax is how many combining marks in a row are let through, so that a stack of them cannot cover other lines.
const marksMax = 3

// Printable makes untrusted text safe for a line of a terminal or a table: white space of any kind becomes a space, and
// control characters, bidi and other invisible marks, and bytes that are not UTF-8 become U+FFFD, so that a reader sees
// that something stood there. Spaces around the text go.
func Printable(s string) string {
	var b strings.Builder
	marks := 0
	for _, r := range s { // a byte that is not UTF-8 comes as U+FFFD
		if unicode.Is(unicode.Mn, r) {
			if marks++; marks > marksMax {
				continue
			}
		} else {
			marks = 0
		}
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteRune(utf8.RuneError)
		}
	}
	return strings.TrimSpace(b.String())
}

// clip cuts a text to at most n bytes at a rune's edge and says so with "...".
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("...")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// mdEscape takes the meaning that Markdown gives to characters, so that a name cannot become a link, an image or HTML.
// The pipe is left to the table writer.
var mdEscape = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "~", `\~`, "#", `\#`,
)
