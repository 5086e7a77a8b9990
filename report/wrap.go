package report

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// wrap breaks a text between words, and within words that are longer than the width.
func wrap(s string, width int) []string {
	if columns(s) <= width {
		return []string{s}
	}
	var out []string
	line := ""
	for _, word := range strings.Fields(s) {
		for _, piece := range hard(word, width) {
			switch {
			case line == "":
				line = piece
			case columns(line)+1+columns(piece) <= width:
				line += " " + piece
			default:
				out = append(out, line)
				line = piece
			}
		}
	}
	return append(out, line)
}

const hang = 4

// wrapHanging is wrap with the spaces before the text kept, and later lines set in by hang columns.
func wrapHanging(s string, width int) []string {
	if columns(s) <= width {
		return []string{s}
	}
	trimmed := strings.TrimLeft(s, " ")
	lead := s[:len(s)-len(trimmed)]
	lines := wrap(trimmed, width-max(len(lead), hang))
	for i := range lines {
		if i == 0 {
			lines[i] = lead + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", hang) + lines[i]
		}
	}
	return lines
}

// hard breaks a text at the width, wherever that falls.
func hard(s string, width int) []string {
	var out []string
	line, used := "", 0
	for _, r := range s {
		w := text.RuneWidth(r)
		if used+w > width && line != "" {
			out = append(out, line)
			line, used = "", 0
		}
		line += string(r)
		used += w
	}
	return append(out, line)
}

// breakName breaks a name after one of the signs that join its parts, where a line of it has one beyond its first third.
func breakName(s string, width int) []string {
	var out []string
	for columns(s) > width {
		line := hard(s, width)[0]
		if i := strings.LastIndexAny(line, "/@:-_"); i >= len(line)/3 {
			line = line[:i+1]
		}
		out = append(out, line)
		s = s[len(line):]
	}
	return append(out, s)
}

// columns is the width of a text, rune by rune as the table writer measures it, so that both agree on every text.
func columns(s string) int { return text.StringWidthWithoutEscSequences(s) }

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
