package kairos

const (
	// maxNesting bounds brackets, lambdas, operators before an operand and conditionals within one another, and blocks
	// within blocks: whatever makes the parser call itself.
	maxNesting = 500
	// maxHeight bounds the nodes from the root of an expression to its farthest leaf. It is more than maxNesting since
	// a + b + c + … grows a tree to the left without nesting anything.
	maxHeight = 10_000
)

// parser reads the tokens of a source by recursive descent. Its methods leave by panicking with *Error, which parseWith
// turns into a result; nothing else panics.
type parser struct {
	src   string
	toks  []token // the last is tokEOF and is never consumed
	i     int
	depth int
	// height is that of the expression read last.
	height int
}

// parseSource reads a program. The error has a place and a code, but no messages yet.
func parseSource(src string) (*File, *Error) {
	toks, comments, err := lex(src)
	if err != nil {
		return nil, err
	}
	f := &File{Source: src, Comments: comments}
	err = parseWith(&parser{src: src, toks: toks}, func(p *parser) { f.Stmts = p.program() })
	if err != nil {
		return nil, err
	}
	return f, nil
}

// parseCovering reads what may follow `covering:` and nothing else, as data from outside state their coverage. Spans are
// of s.
func parseCovering(s string) ([]CoverRange, bool) {
	if len(s) > MaxSource {
		return nil, false
	}
	toks, _, err := lex(s)
	if err != nil {
		return nil, false
	}
	var list []CoverRange
	err = parseWith(&parser{src: s, toks: toks}, func(p *parser) {
		p.skipNewlines()
		list = p.coveringList()
		p.skipNewlines()
		p.expect(tokEOF)
	})
	if err != nil {
		return nil, false
	}
	return list, true
}

// parseWith runs read and gives the error by which it left.
func parseWith(p *parser, read func(*parser)) (err *Error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	read(p)
	return nil
}

// fail leaves the parser. The last arguments of the error are always the token at fault and what else is known of it.
func (p *parser) fail(at token, code string, args ...any) {
	panic(fail(at.span(), code, append(args, found{at.kind, p.src[at.start:at.end]}, p.about(at))...))
}

// about says why a token may be wrong where it stands: other languages have other marks for conditions, and a bracket that
// is not closed shows only lines later.
func (p *parser) about(at token) aside {
	var before token
	if p.i > 0 {
		before = p.toks[p.i-1]
	}
	doubled := p.i > 0 && before.kind == at.kind
	switch {
	case at.kind == tokAssign:
		return aboutMark("==")
	case at.kind == tokIntersect && doubled:
		return aboutMark("and")
	case at.kind == tokUnion && doubled:
		return aboutMark("or")
	case at.kind == tokGreater && before.kind == tokUnion:
		return aboutMark("|>")
	case at.kind == tokColon && before.kind == tokNumber:
		return aboutClock()
	case at.kind == tokName && p.i > 0 && before.kind == tokNumber:
		return aboutUnit()
	case at.kind == tokName && p.src[at.start:at.end] == "is":
		return aboutMark("==")
	case at.kind == tokGreater && before.kind == tokLess:
		return aboutMark("!=")
	case at.kind == tokDivide && (doubled || p.after(1).kind == tokDivide):
		return aboutComment()
	case at.kind == tokDivide && before.kind == tokName:
		return aboutQuotes()
	case at.word == wordNot:
		return aboutNotIn()
	}
	var open []token
	for _, t := range p.toks[:p.i] {
		switch t.kind {
		case tokLParen, tokLBracket, tokLBrace:
			open = append(open, t)
		case tokRParen, tokRBracket, tokRBrace:
			open = open[:max(0, len(open)-1)]
		}
	}
	if len(open) == 0 {
		return aside{}
	}
	last := open[len(open)-1]
	if at.kind == tokComma && last.kind == tokLBrace {
		return aboutMembers()
	}
	starts := lineStarts(p.src)
	line, column := lineColumn(p.src, starts, int(last.start))
	if here, _ := lineColumn(p.src, starts, int(at.start)); here == line && at.kind != tokEOF {
		return aside{}
	}
	return aboutBracket(p.src[last.start:last.end], line, column)
}

func (p *parser) peek() token    { return p.toks[p.i] }
func (p *parser) at() tokenKind  { return p.toks[p.i].kind }
func (p *parser) word() wordKind { return p.toks[p.i].word }

// after gives the token n places further on.
func (p *parser) after(n int) token { return p.toks[min(p.i+n, len(p.toks)-1)] }

// next consumes a token.
func (p *parser) next() token {
	t := p.toks[p.i]
	p.i++
	return t
}

// expect consumes a token of the kind.
func (p *parser) expect(kind tokenKind) token {
	t := p.toks[p.i]
	if t.kind != kind {
		p.fail(t, "parse.token-expected", kind)
	}
	if kind != tokEOF {
		p.i++
	}
	return t
}

// skip consumes a token if it is of the kind.
func (p *parser) skip(kind tokenKind) bool {
	if p.at() != kind {
		return false
	}
	p.i++
	return true
}

func (p *parser) skipNewlines() { p.skip(tokNewline) }

// name consumes a name and gives its text.
func (p *parser) name() string {
	t := p.expect(tokName)
	return p.src[t.start:t.end]
}

// since is the span from a start to the end of the token consumed last; line feeds at its end do not count.
func (p *parser) since(start int32) Span {
	last := p.toks[p.i-1]
	if last.kind == tokNewline {
		last = p.toks[p.i-2]
	}
	return Span{int(start), int(last.end)}
}

// enter goes one level down at a token; leave comes back up.
func (p *parser) enter(at token) {
	p.depth++
	if p.depth > maxNesting {
		p.fail(at, "parse.nesting", maxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

// raise sets the height of a node whose children are the expression read last and others of the given height.
func (p *parser) raise(height int) {
	p.height = max(p.height, height) + 1
	if p.height > maxHeight {
		p.fail(p.toks[p.i-1], "parse.nesting", maxHeight)
	}
}

func (p *parser) program() []Stmt {
	var list []Stmt
	p.skipNewlines()
	for p.at() != tokEOF {
		list = append(list, p.statement())
		p.separators()
	}
	return list
}

// separators skips what may stand after a statement of a program or an entry of a premise.
func (p *parser) separators() {
	p.skipNewlines()
	for p.skip(tokSemicolon) {
		p.skipNewlines()
	}
}

func (p *parser) statement() Stmt {
	first := p.peek()
	switch {
	case first.word == wordPremise && p.after(1).kind == tokName:
		return p.premiseDef()
	case first.word == wordPremise:
		p.next()
		members, defs := p.premiseBlock()
		return &Preamble{Span: p.since(first.start), Members: members, Defs: defs}
	case first.kind == tokAt:
		return p.preamble()
	case first.kind == tokName:
		// Whether this is a binding shows only at the `=`, behind any parameters.
		save := p.i
		p.next()
		params, ok := p.params()
		if ok && p.at() == tokAssign {
			return p.binding(first, params)
		}
		p.i = save
	}
	x := p.expression()
	return &Body{Span: p.since(first.start), X: x}
}

// params reads the parameters of a binding or a lambda if a parenthesis follows. If they do not read as parameters,
// nothing is consumed and ok is false.
func (p *parser) params() (list []Param, ok bool) {
	save := p.i
	if !p.skip(tokLParen) || p.skip(tokRParen) {
		return nil, true
	}
	for p.at() == tokName {
		var param Param
		param.Name = p.name()
		if p.skip(tokColon) {
			if p.at() != tokName {
				break
			}
			param.Label, param.Name = param.Name, p.name()
		}
		list = append(list, param)
		if p.skip(tokComma) {
			continue
		}
		if p.skip(tokRParen) {
			return list, true
		}
		break
	}
	p.i = save
	return nil, false
}

// binding reads a binding from its `=` on.
func (p *parser) binding(name token, params []Param) *Binding {
	p.expect(tokAssign)
	b := &Binding{NameSpan: name.span(), Name: p.src[name.start:name.end], Params: params, Value: p.expression()}
	if p.postfix() == wordCovering {
		p.i += 2
		b.HasClaim = true
		b.Claim = p.coveringList()
	}
	b.Span = p.since(name.start)
	return b
}

// postfix says whether `covering:` or `labels:` comes next. It consumes line feeds only before these.
func (p *parser) postfix() wordKind {
	n := 0
	if p.at() == tokNewline {
		n = 1
	}
	t := p.after(n)
	if (t.word == wordCovering || t.word == wordLabels) && p.after(n+1).kind == tokColon {
		p.i += n
		return t.word
	}
	return wordPlain
}
