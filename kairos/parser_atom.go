package kairos

// unary reads `-x`, `+x` or what binds tighter. Like parentheses, a plus before an operand changes nothing, not even
// what the operand may be, and leaves no trace in the tree.
func (p *parser) unary() Expr {
	t := p.peek()
	if t.kind != tokMinus && t.kind != tokPlus {
		return p.applied()
	}
	p.enter(p.next())
	x := p.unary()
	p.leave()
	if t.kind == tokPlus {
		return x
	}
	p.raise(0)
	return &Unary{node: node{p.since(t.start)}, Op: "-", X: x}
}

// applied reads an atom with any calls and indexes behind it.
func (p *parser) applied() Expr {
	start := p.peek().start
	x := p.atom()
	for {
		height := p.height
		switch p.at() {
		case tokLBracket:
			p.enter(p.next())
			i := p.expression()
			p.expect(tokRBracket)
			p.leave()
			p.raise(height)
			x = &Index{node: node{p.since(start)}, X: x, I: i}
		case tokLParen:
			args := p.args()
			p.raise(height)
			x = &Call{node: node{p.since(start)}, Fn: x, Args: args}
		default:
			return x
		}
	}
}

func (p *parser) atom() Expr {
	t := p.peek()
	switch t.kind {
	case tokName:
		if p.after(1).kind == tokArrow {
			return p.lambda(t, []Param{{Name: p.name()}})
		}
		if p.after(1).kind == tokDot && p.after(2).kind == tokName && p.after(3).kind != tokDot {
			q := &QualifiedRef{Premise: p.name()}
			p.next()
			q.Name = p.name()
			q.span = p.since(t.start)
			p.height = 1
			return q
		}
		return p.nameRef()
	case tokBlank:
		p.next()
		if p.at() == tokArrow {
			return p.lambda(t, []Param{{Name: "_"}})
		}
		p.height = 1
		return &Wildcard{node{t.span()}}
	case tokLParen:
		save := p.i
		if params, ok := p.params(); ok && p.at() == tokArrow {
			for i := range params {
				params[i].Label = "" // a lambda takes its arguments by position
			}
			return p.lambda(t, params)
		}
		p.i = save
		return p.parenthesised()
	case tokLBracket:
		return p.list(true)
	case tokNumber, tokDate, tokTime, tokWidth, tokString:
		return p.literal()
	}
	p.fail(t, "parse.expression-expected")
	return nil
}

func (p *parser) nameRef() Expr {
	t := p.expect(tokName)
	p.height = 1
	return &NameRef{node{t.span()}, p.src[t.start:t.end]}
}

func (p *parser) parenthesised() Expr {
	p.enter(p.expect(tokLParen))
	x := p.expression()
	p.expect(tokRParen)
	p.leave()
	return x
}

// lambda reads a lambda from its arrow on. Its body is a whole expression: it takes all that it can.
func (p *parser) lambda(first token, params []Param) Expr {
	p.enter(p.expect(tokArrow))
	body := p.expression()
	p.raise(0)
	p.leave()
	return &Lambda{node: node{p.since(first.start)}, Params: params, Body: body}
}

// literal reads a token that is a value by itself.
func (p *parser) literal() Expr {
	t := p.next()
	s := p.src[t.start:t.end]
	at := node{t.span()}
	p.height = 1
	switch t.kind {
	case tokNumber:
		return &NumberLit{at, parseNumber(s), s}
	case tokDate:
		d := &DateLit{node: at}
		d.Year, d.Month, d.Day = dateOf(s)
		if clock := s[len("0000-00-00"):]; clock != "" {
			d.HasTime = true
			d.Time = clockOf(clock)
		}
		return d
	case tokTime:
		return &TimeLit{at, clockOf(s)}
	case tokWidth:
		civil, amount := widthOf(s)
		return &WidthLit{at, civil, amount, s}
	default:
		return &StringLit{at, s[1 : len(s)-1]}
	}
}

// list reads a list, and the `covering:` and `labels:` behind it when postfixes are allowed.
func (p *parser) list(postfixes bool) Expr {
	start := p.peek().start
	n := &ListLit{}
	n.Elems = p.elems()
	height := p.height
	for postfixes {
		word := p.postfix()
		if word == wordPlain {
			break
		}
		if word == wordCovering {
			if n.HasCovering {
				p.fail(p.peek(), "parse.covering-twice")
			}
			p.i += 2
			n.HasCovering = true
			n.Covering = p.coveringList()
		} else {
			if n.HasLabels {
				p.fail(p.peek(), "parse.labels-twice")
			}
			p.i += 2
			n.HasLabels = true
			n.Labels = p.elems()
		}
		height = max(height, p.height)
	}
	p.raise(height)
	n.span = p.since(start)
	return n
}

// elems reads the elements of a list with their brackets. The height is that of the highest.
func (p *parser) elems() []ListElem {
	p.enter(p.expect(tokLBracket))
	var list []ListElem
	height := 0
	for more := !p.skip(tokRBracket); more; {
		e := ListElem{From: p.cond()}
		height = max(height, p.height)
		if p.skip(tokRange) {
			e.To = p.cond()
			height = max(height, p.height)
		}
		list = append(list, e)
		if more = p.skip(tokComma); !more {
			p.expect(tokRBracket)
		}
	}
	p.leave()
	p.height = height
	return list
}

// coveringList reads the ranges of a covering. A comma goes on with it only before a number, a date or `..`; any other
// comma belongs to the arguments or elements in which the covering stands.
func (p *parser) coveringList() []CoverRange {
	var list []CoverRange
	height := 0
	for more := true; more; {
		list = append(list, p.coverRange())
		height = max(height, p.height)
		more = false
		if p.at() == tokComma {
			switch p.after(1).kind {
			case tokNumber, tokDate, tokRange:
				p.next()
				more = true
			}
		}
	}
	p.height = height
	return list
}

// coverRange reads one range of a covering. Its end is open unless a number or a date follows the `..`: what else
// follows is not part of it.
func (p *parser) coverRange() CoverRange {
	first := p.peek()
	p.enter(first)
	var r CoverRange
	height := 0
	if first.kind != tokRange {
		r.From = p.cond()
		height = p.height
	}
	p.expect(tokRange)
	p.height = 0
	if p.at() == tokNumber || p.at() == tokDate {
		r.To = p.cond()
	}
	p.height = max(p.height, height)
	p.leave()
	r.Span = p.since(first.start)
	return r
}
