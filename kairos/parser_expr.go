package kairos

// expression reads pipes joined by | & \, which all bind alike and to the left.
func (p *parser) expression() Expr {
	start := p.peek().start
	l := p.pipe()
	for {
		var op byte
		switch p.continuation() {
		case tokUnion:
			op = '|'
		case tokIntersect:
			op = '&'
		case tokMinusSet:
			op = '\\'
		default:
			return l
		}
		p.next()
		p.skipNewlines()
		height := p.height
		r := p.pipe()
		p.raise(height)
		l = &Combine{node: node{p.since(start)}, Op: op, L: l, R: r}
	}
}

// continuation gives the kind of the next token. It consumes line feeds before a mark that goes on with the expression:
// no statement begins with one.
func (p *parser) continuation() tokenKind {
	k := p.at()
	if k != tokNewline {
		return k
	}
	switch next := p.after(1).kind; next {
	case tokPipe, tokUnion, tokIntersect, tokMinusSet:
		p.i++
		return next
	}
	return k
}

func (p *parser) pipe() Expr {
	start := p.peek().start
	head := p.head()
	if p.continuation() != tokPipe {
		return head
	}
	n := &Pipe{Head: head}
	height := p.height
	for p.continuation() == tokPipe {
		p.next()
		p.skipNewlines()
		n.Stages = append(n.Stages, p.stage())
		height = max(height, p.height)
	}
	p.raise(height)
	n.span = p.since(start)
	return n
}

func (p *parser) stage() Stage {
	start := p.peek().start
	s := Stage{Name: p.name()}
	if p.skip(tokDot) {
		s.Premise, s.Name = s.Name, p.name()
	}
	p.height = 0
	if p.at() == tokLParen {
		s.HasArgs = true
		s.Args = p.args()
	}
	s.Span = p.since(start)
	return s
}

// args reads arguments with their parentheses. The height is that of the highest.
func (p *parser) args() []Arg {
	p.enter(p.expect(tokLParen))
	var list []Arg
	var seen map[string]bool
	height := 0
	for more := !p.skip(tokRParen); more; {
		start := p.peek().start
		var a Arg
		if p.peek().names(p.after(1)) {
			key := p.peek().word
			a.Name = p.name()
			if seen[a.Name] {
				p.fail(p.toks[p.i-1], "parse.duplicate-named-arg", a.Name)
			}
			if seen == nil {
				seen = make(map[string]bool)
			}
			seen[a.Name] = true
			p.next()
			if key == wordLabels && p.word() == wordCycle {
				a.Value = p.cycleLabels()
			} else {
				a.Value = p.expression()
			}
		} else {
			a.Value = p.expression()
		}
		a.Span = p.since(start)
		list = append(list, a)
		height = max(height, p.height)
		if more = p.skip(tokComma); !more {
			p.expect(tokRParen)
		}
	}
	p.leave()
	p.height = height
	return list
}

// cycleLabels reads `cycle LIST anchor: POINT`.
func (p *parser) cycleLabels() Expr {
	start := p.next().start
	n := &CycleLabels{}
	switch p.at() {
	case tokLBracket:
		n.List = p.list(false)
	case tokName:
		n.List = p.nameRef()
	default:
		p.fail(p.peek(), "parse.cycle-labels-list")
	}
	if p.at() == tokComma && p.after(1).word == wordAnchor {
		p.fail(p.peek(), "parse.cycle-labels-comma")
	}
	if p.word() != wordAnchor || p.after(1).kind != tokColon {
		p.fail(p.peek(), "parse.cycle-labels-anchor")
	}
	p.i += 2
	height := p.height
	n.Anchor = p.cond()
	p.raise(height)
	n.span = p.since(start)
	return n
}

// head reads what a pipe may begin with: a value, or a name followed by a word that makes windows of it.
func (p *parser) head() Expr {
	start := p.peek().start
	x := p.cond()
	if !p.word().generates() {
		return x
	}
	n := &Generate{}
	switch x := x.(type) {
	case *NameRef:
		n.Operand = x
	case *Wildcard: // reads as the name `_` here, which nothing can be bound to
		n.Operand = &NameRef{node: x.node, Name: "_"}
	default:
		return x
	}
	word := p.next()
	n.Word = p.src[word.start:word.end]
	n.Arg = p.generatorArg()
	height := p.height
	for p.peek().names(p.after(1)) && p.word() != wordMember {
		start := p.peek().start
		a := Arg{Name: p.name()}
		p.next()
		a.Value = p.cond()
		a.Span = p.since(start)
		n.Named = append(n.Named, a)
		height = max(height, p.height)
	}
	p.raise(height)
	n.span = p.since(start)
	return n
}

func (p *parser) generatorArg() Expr {
	switch t := p.peek(); {
	case t.kind == tokWidth:
		return p.literal()
	case t.kind == tokLParen:
		return p.parenthesised()
	case t.kind == tokLBracket:
		return p.list(true)
	case t.kind == tokBlank, t.kind == tokName && p.after(1).kind == tokArrow:
		return p.cond()
	case t.kind == tokName:
		return p.nameRef()
	default:
		p.fail(t, "parse.gen-arg", p.src[p.toks[p.i-1].start:p.toks[p.i-1].end])
		return nil
	}
}

// cond reads C ? Then : Else, or what binds tighter.
func (p *parser) cond() Expr {
	start := p.peek().start
	c := p.binary(precOr)
	if p.at() != tokQuestion {
		return c
	}
	p.enter(p.next())
	height := p.height
	then := p.cond()
	height = max(height, p.height)
	p.expect(tokColon)
	other := p.cond()
	p.raise(height)
	p.leave()
	return &Cond{node: node{p.since(start)}, C: c, Then: then, Else: other}
}

// How tight the operators on values bind.
const (
	precNone = iota
	precOr
	precAnd
	precNot
	precCompare
	precAdd
	precMultiply
)

// operator gives the operator that a token is between two operands, and how tight it binds.
func operator(t token) (op string, prec int) {
	switch t.kind {
	case tokEqual, tokUnequal, tokLess, tokAtMost, tokGreater, tokAtLeast:
		return t.kind.String(), precCompare
	case tokPlus, tokMinus:
		return t.kind.String(), precAdd
	case tokTimes, tokDivide:
		return t.kind.String(), precMultiply
	}
	switch t.word {
	case wordOr:
		return "or", precOr
	case wordAnd:
		return "and", precAnd
	case wordIn:
		return "in", precCompare
	case wordMod:
		return "mod", precMultiply
	case wordDiv:
		return "div", precMultiply
	}
	return "", precNone
}

// binary reads operators that bind at least as tight as lowest. `not` is an operator only where an operand of `or`, `and`
// or `not` begins; elsewhere it is a name.
func (p *parser) binary(lowest int) Expr {
	start := p.peek()
	var l Expr
	tightest := precMultiply // of the operators that may take l as their left operand
	if lowest <= precNot && start.word == wordNot {
		p.enter(p.next())
		x := p.binary(precNot)
		p.raise(0)
		p.leave()
		l = &Unary{node: node{p.since(start.start)}, Op: "not", X: x}
		tightest = precAnd
	} else {
		l = p.unary()
	}
	for {
		op, prec := operator(p.peek())
		if prec < lowest || prec > tightest || prec == precNone {
			return l
		}
		p.next()
		height := p.height
		r := p.binary(prec + 1)
		p.raise(height)
		l = &Binary{node: node{p.since(start.start)}, Op: op, L: l, R: r}
		tightest = prec
		if prec == precCompare {
			tightest = precAnd // comparisons do not chain
		}
	}
}
