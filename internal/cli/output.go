package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// writeJSON prints a value as indented JSON with a line break.
func (p *Process) writeJSON(v any) error {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return fault(fmt.Errorf("this cannot be written as JSON: %w", err))
	}
	_, err = fmt.Fprintf(p.Stdout, "%s\n", b)
	return err
}

// printf writes to standard output.
func (p *Process) printf(format string, args ...any) { fmt.Fprintf(p.Stdout, format, args...) }

// notef writes a note to standard error, each line marked as the program's.
func (p *Process) notef(format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		fmt.Fprintln(p.Stderr, "assay: "+plain(line))
	}
}

// block prints a text indented, with its label, wrapped to the terminal.
func block(w io.Writer, label, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	fmt.Fprintf(w, "%s\n", label)
	for line := range strings.SplitSeq(strings.TrimRight(plainText(text), "\n"), "\n") {
		fmt.Fprintf(w, "  %s\n", line)
	}
	fmt.Fprintln(w)
}

// wrap breaks a line into lines of at most width columns at white space.
func wrap(s string, width int) []string {
	if width < 20 {
		width = 76
	}
	var out []string
	line := ""
	for w := range strings.FieldsSeq(s) {
		switch {
		case line == "":
			line = w
		case len(line)+1+len(w) > width:
			out = append(out, line)
			line = w
		default:
			line += " " + w
		}
	}
	return append(out, line)
}
