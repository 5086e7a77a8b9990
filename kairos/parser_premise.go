package kairos

// premiseDef reads `premise N { … }` or `premise N = Base with { … } |> stage`.
func (p *parser) premiseDef() *PremiseDef {
	start := p.next().start
	d := &PremiseDef{Name: p.name()}
	if p.at() == tokLBrace {
		d.Members, d.Defs = p.premiseBlock()
		d.Span = p.since(start)
		return d
	}
	p.expect(tokAssign)
	d.BaseSpan = p.peek().span()
	d.Base = p.name()
	if p.word() == wordWith {
		p.next()
		d.Members, d.Defs = p.premiseBlock()
	}
	for p.continuation() == tokPipe {
		p.next()
		d.Stages = append(d.Stages, p.stage())
	}
	d.Span = p.since(start)
	return d
}

// premiseBlock reads the members and definitions of a premise, with their braces.
func (p *parser) premiseBlock() (members []Member, defs []*Binding) {
	p.expect(tokLBrace)
	p.skipNewlines()
	for p.at() != tokRBrace {
		if p.atMember() {
			members = append(members, p.member())
		} else {
			name := p.expect(tokName)
			params, ok := p.params()
			if !ok {
				p.fail(p.peek(), "parse.params-expected")
			}
			defs = append(defs, p.binding(name, params))
		}
		p.separators()
	}
	p.next()
	return members, defs
}

// atMember says whether a member comes next. A name that is no key of members begins a definition instead.
func (p *parser) atMember() bool { return p.word() == wordMember && p.after(1).kind == tokColon }

// member reads KEY: value. The value is a single token.
func (p *parser) member() Member {
	start := p.peek().start
	m := Member{Key: p.name()}
	p.expect(tokColon)
	switch p.at() {
	case tokDate, tokNumber, tokString:
		m.Value = p.literal()
	case tokName:
		m.Value = p.nameRef()
	default:
		p.fail(p.peek(), "parse.member-value", m.Key)
	}
	m.Span = p.since(start)
	return m
}

// preamble reads `@N`, with members on the same line and perhaps a block.
func (p *parser) preamble() *Preamble {
	at := p.next()
	d := &Preamble{Name: p.name()}
	for p.atMember() {
		d.Members = append(d.Members, p.member())
	}
	if p.skip(tokLBrace) {
		d.Scoped = true
		p.enter(at)
		p.skipNewlines()
		for !p.skip(tokRBrace) {
			d.Block = append(d.Block, p.statement())
			p.skipNewlines()
		}
		p.leave()
	}
	d.Span = p.since(at.start)
	return d
}
