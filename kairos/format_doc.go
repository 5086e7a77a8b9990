package kairos

import (
	"strings"
	"unicode/utf8"
)

// lineWidth is the number of characters that a formatted line should not pass.
const lineWidth = 100

type docKind uint8

const (
	docText   docKind = iota
	docLine           // a line feed, or its text where the group around it stands on one line
	docConcat         // parts one after another
	docGroup          // one part, on one line if that fits
	docIndent         // one part, its lines indented
	docFill           // parts separated by spaces or, where a line is full, by line feeds
)

// doc is text with places at which it may go on in a new line.
type doc struct {
	kind  docKind
	text  string
	parts []*doc
	width int // on one line
	// lead is the width up to the first place for a line feed; open says that there is none.
	lead int
	open bool
	// forced: cannot stand on one line, since there is a comment in it.
	forced bool
}

func textDoc(s string) *doc {
	n := utf8.RuneCountInString(s)
	return &doc{kind: docText, text: s, width: n, lead: n, open: true}
}

// commentDoc is a comment, which counts no width: too long a comment is no reason to break the code before it.
func commentDoc(s string) *doc {
	return &doc{kind: docText, text: s, open: true, forced: true}
}

// lineDoc is a place for a line feed, where flat stands if the group is on one line.
func lineDoc(flat string) *doc { return &doc{kind: docLine, text: flat, width: len(flat)} }

// hardDoc is a line feed.
func hardDoc() *doc { return &doc{kind: docLine, forced: true} }

func concatDoc(parts ...*doc) *doc {
	d := &doc{kind: docConcat, parts: parts, open: true}
	for _, p := range parts {
		d.width += p.width
		d.forced = d.forced || p.forced
		if d.open {
			d.lead += p.lead
			d.open = p.open
		}
	}
	return d
}

func groupDoc(parts ...*doc) *doc {
	d := concatDoc(parts...)
	return &doc{kind: docGroup, parts: []*doc{d}, width: d.width, lead: d.lead, open: d.open, forced: d.forced}
}

func indentDoc(parts ...*doc) *doc {
	d := groupDoc(parts...)
	d.kind = docIndent
	d.parts = d.parts[0].parts
	return d
}

// fillDoc joins parts by spaces or line feeds, as many on a line as fit.
func fillDoc(parts []*doc) *doc {
	d := concatDoc(parts...)
	d.kind = docFill
	d.width += len(parts) - 1
	if len(parts) > 1 {
		d.lead, d.open = parts[0].lead, false
	}
	return d
}

// layout writes docs as text.
type layout struct {
	out strings.Builder
	col int
}

func (l *layout) write(s string, width int) {
	l.out.WriteString(s)
	l.col += width
}

func (l *layout) newline(indent int) {
	l.out.WriteByte('\n')
	for range indent {
		l.out.WriteByte(' ')
	}
	l.col = indent
}

// print writes d. rest is the width of what follows d before the next place for a line feed.
func (l *layout) print(d *doc, indent int, flat bool, rest int) {
	switch d.kind {
	case docText:
		l.write(d.text, d.width)
	case docLine:
		if flat {
			l.write(d.text, d.width)
		} else {
			l.newline(indent)
		}
	case docConcat:
		l.sequence(d.parts, indent, flat, rest)
	case docIndent:
		l.sequence(d.parts, indent+2, flat, rest)
	case docGroup:
		fits := !d.forced && l.col+d.width+rest <= lineWidth
		l.print(d.parts[0], indent, flat || fits, rest)
	case docFill:
		for i, p := range d.parts {
			after := 0
			if i == len(d.parts)-1 {
				after = rest
			}
			if i > 0 {
				full := p.forced || d.parts[i-1].forced || l.col+1+p.width+after > lineWidth
				if full && !flat {
					l.newline(indent)
				} else {
					l.write(" ", 1)
				}
			}
			l.print(p, indent, flat, after)
		}
	}
}

func (l *layout) sequence(parts []*doc, indent int, flat bool, rest int) {
	if flat {
		for _, p := range parts {
			l.print(p, indent, true, 0)
		}
		return
	}
	rests := make([]int, len(parts))
	for i := len(parts) - 1; i >= 0; i-- {
		rests[i] = rest
		if parts[i].open {
			rest += parts[i].lead
		} else {
			rest = parts[i].lead
		}
	}
	for i, p := range parts {
		l.print(p, indent, false, rests[i])
	}
}
