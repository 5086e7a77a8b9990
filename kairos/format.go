package kairos

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// formatter lays out a program. It goes through the tree in the order of the source and takes each comment along at the
// first place at or after it that can have one.
type formatter struct {
	layout
	src      string
	comments []Comment // not yet taken
	// loose are comments from the inside of what is being laid out, where no comment can stand. The nearest place around
	// takes them in front of it.
	loose []Comment
	// inside counts the round and square brackets around the current place: within them a line may end anywhere.
	inside int
}

// Format gives the canonical layout of a program as Parse returned it. The result parses to the same program, has all
// its comments, and formatting it again changes nothing.
func Format(f *File) string {
	p := &formatter{src: f.Source, comments: f.Comments}
	p.entries(p.statements(f.Stmts), 0, 0, len(f.Source))
	if p.out.Len() == 0 {
		return ""
	}
	return p.out.String()[1:] + "\n" // every line begins with its line feed
}

// take removes and returns the comments that begin before an offset.
func (p *formatter) take(before int) []Comment {
	n := 0
	for n < len(p.comments) && p.comments[n].Span.Start < before {
		n++
	}
	taken := p.comments[:n:n]
	p.comments = p.comments[n:]
	return taken
}

// loosen lets the comments before an offset look for a place further out.
func (p *formatter) loosen(before int) { p.loose = append(p.loose, p.take(before)...) }

// trailing takes a comment that begins on the line on which something ended, before a limit.
func (p *formatter) trailing(end, limit int) *Comment {
	if len(p.comments) == 0 {
		return nil
	}
	c := &p.comments[0]
	if c.Span.Start < end || c.Span.Start >= limit || strings.Contains(p.src[end:c.Span.Start], "\n") {
		return nil
	}
	p.comments = p.comments[1:]
	return c
}

func commentText(c Comment) string { return strings.TrimRight(c.Text, " \t\r") }

// blank says whether there is an empty line between two offsets.
func (p *formatter) blank(from, to int) bool {
	_, gap, found := strings.Cut(p.src[from:max(from, to)], "\n")
	for found {
		var line string
		line, gap, found = strings.Cut(gap, "\n")
		if found && strings.Trim(line, " \t\r") == "" {
			return true
		}
	}
	return false
}

// find gives the offset of the next c, outside comments, at or after an offset. There are no strings on the way.
func (p *formatter) find(from int, c byte) int {
	i := from
	for p.src[i] != c {
		if p.src[i] == '#' {
			i += strings.IndexByte(p.src[i:], '\n')
		}
		i++
	}
	return i
}

// closed gives the end of an expression that ends at an offset, with the parentheses around it: what closes them comes
// before a limit, at which something else begins.
func (p *formatter) closed(end, limit int) int {
	for i := end; i < limit; i++ {
		switch p.src[i] {
		case ')':
			end = i + 1
		case '#':
			i += strings.IndexByte(p.src[i:], '\n')
		}
	}
	return end
}

// formatEntry is a line, or more, of a program or a block.
type formatEntry struct {
	span  Span
	build func() *doc      // for what is one doc
	write func(indent int) // for what has a block
}

// entries writes lines one below the other, from the source between two offsets, with their comments and at most one
// empty line between them.
func (p *formatter) entries(list []formatEntry, indent, start, end int) {
	prev, first := start, true
	begin := func(at int) {
		if !first && p.blank(prev, at) {
			p.out.WriteByte('\n')
		}
		first = false
	}
	comments := func(list []Comment) {
		for _, c := range list {
			begin(c.Span.Start)
			p.newline(indent)
			p.out.WriteString(commentText(c))
			prev = c.Span.End
		}
	}
	for i, e := range list {
		comments(p.take(e.span.Start))
		begin(e.span.Start)
		if e.write != nil {
			p.newline(indent)
			e.write(indent)
		} else {
			d := e.build()
			p.loosen(e.span.End)
			for _, c := range p.loose {
				p.newline(indent)
				p.out.WriteString(commentText(c))
			}
			p.loose = nil
			p.newline(indent)
			p.print(d, indent, false, 0)
		}
		prev = e.span.End
		limit := end
		if i+1 < len(list) {
			limit = list[i+1].span.Start
		}
		if c := p.trailing(prev, limit); c != nil {
			p.out.WriteString(" " + commentText(*c))
			prev = c.Span.End
		}
	}
	comments(p.take(end))
}

func (p *formatter) statements(list []Stmt) []formatEntry {
	entries := make([]formatEntry, len(list))
	for i, s := range list {
		switch s := s.(type) {
		case *Body:
			entries[i] = formatEntry{span: s.Span, build: func() *doc { return p.expr(s.X, levelCombine, followNone) }}
		case *Binding:
			entries[i] = formatEntry{span: s.Span, build: func() *doc { return p.binding(s) }}
		case *Preamble:
			entries[i] = formatEntry{span: s.Span, write: func(indent int) { p.preamble(s, indent) }}
		case *PremiseDef:
			entries[i] = formatEntry{span: s.Span, write: func(indent int) { p.premise(s, indent) }}
		}
	}
	return entries
}

// preamble writes `@N`, `@N { … }` or `premise { … }`.
func (p *formatter) preamble(s *Preamble, indent int) {
	if s.Name == "" {
		p.write("premise ", 0)
		p.premiseBlock(s.Members, s.Defs, indent, s.Span.Start)
		return
	}
	p.write("@"+s.Name, 0)
	from := s.Span.Start
	for _, m := range s.Members {
		p.write(" "+formatMember(m), 0)
		from = m.Span.End
	}
	if s.Scoped {
		p.write(" ", 0)
		p.block(p.statements(s.Block), indent, p.find(from, '{'), s.Span.End)
	}
}

// premise writes `premise N { … }` or `premise N = Base with { … } |> stage`. A block without content says nothing when
// there is a base, and goes.
func (p *formatter) premise(s *PremiseDef, indent int) {
	head := "premise " + s.Name + " "
	from := s.Span.Start
	if s.Base != "" {
		head += "= " + s.Base
		from = s.BaseSpan.End
		if len(s.Members)+len(s.Defs) > 0 {
			head += " with "
		}
	}
	p.write(head, 0)
	if s.Base == "" || len(s.Members)+len(s.Defs) > 0 {
		from = p.premiseBlock(s.Members, s.Defs, indent, from)
		head = "}"
	}
	if len(s.Stages) > 0 {
		p.col = indent + utf8.RuneCountInString(head)
		p.print(groupDoc(indentDoc(p.stages(s.Stages, from)...)), indent, false, 0)
	}
}

// premiseBlock writes the block of a premise, whose brace is the next one from an offset on, and gives the offset of
// its end.
func (p *formatter) premiseBlock(members []Member, defs []*Binding, indent, from int) int {
	open := p.find(from, '{')
	entries := make([]formatEntry, 0, len(members)+len(defs))
	for _, m := range members {
		entries = append(entries, formatEntry{span: m.Span, build: func() *doc { return textDoc(formatMember(m)) }})
	}
	for _, d := range defs {
		entries = append(entries, formatEntry{span: d.Span, build: func() *doc { return p.binding(d) }})
	}
	slices.SortStableFunc(entries, func(a, b formatEntry) int { return a.span.Start - b.span.Start })
	last := open + 1
	if n := len(entries); n > 0 {
		last = entries[n-1].span.End
	}
	end := p.find(last, '}') + 1
	p.block(entries, indent, open, end)
	return end
}

// block writes braces and what is between them. open is the offset of the first brace, end that behind the second.
func (p *formatter) block(list []formatEntry, indent, open, end int) {
	p.out.WriteByte('{')
	start, limit := open+1, end-1
	before := p.out.Len()
	if len(list) > 0 {
		limit = list[0].span.Start
	}
	if c := p.trailing(start, limit); c != nil {
		p.out.WriteString(" " + commentText(*c))
		start = c.Span.End
	}
	p.entries(list, indent+2, start, end-1)
	if p.out.Len() > before {
		p.newline(indent)
	}
	p.out.WriteByte('}')
}

func formatMember(m Member) string {
	value := ""
	switch v := m.Value.(type) {
	case *NameRef:
		value = v.Name
	default:
		value = literalText(v)
	}
	return m.Key + ": " + value
}
