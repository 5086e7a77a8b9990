package kairos

// place lays out something that can have comments in front of it: those before it that nobody took, and those within it
// that found no place there.
func (p *formatter) place(at Span, build func() *doc) *doc {
	outer := p.loose
	p.loose = p.take(at.Start)
	d := build()
	p.loosen(at.End)
	d = concatDoc(append(commentLines(p.loose), d)...)
	p.loose = outer
	return d
}

func commentLines(list []Comment) []*doc {
	docs := make([]*doc, 0, 2*len(list)+1)
	for _, c := range list {
		docs = append(docs, commentDoc(commentText(c)), hardDoc())
	}
	return docs
}

// trailingDoc is the comment on the line on which something ended, or empty.
func (p *formatter) trailingDoc(end, limit int) *doc {
	if c := p.trailing(end, limit); c != nil {
		return commentDoc(" " + commentText(*c))
	}
	return textDoc("")
}

// listItem is an element of a list or an argument.
type listItem struct {
	span   Span
	number bool // it may begin with a number or a date
	build  func(follow) *doc
}

// items lays out items with commas, each with its comments; end is the offset of the bracket that closes them. The
// comments before that bracket come last.
func (p *formatter) items(list []listItem, end int) []*doc {
	docs := make([]*doc, 0, len(list)+1)
	for i, it := range list {
		f, comma, limit := followNone, "", end
		if i+1 < len(list) {
			comma, limit = ",", list[i+1].span.Start
			if list[i+1].number {
				f = followComma
			}
		}
		it.span.End = p.closed(it.span.End, limit)
		d := p.place(it.span, func() *doc { return it.build(f) })
		docs = append(docs, concatDoc(d, textDoc(comma), p.trailingDoc(it.span.End, limit)))
	}
	last := p.take(end)
	for _, c := range last {
		docs = append(docs, commentDoc(commentText(c)))
	}
	return docs
}

// elems lays out the elements of a list with their brackets. start is an offset behind the opening bracket, before the
// first element.
func (p *formatter) elems(list []ListElem, start int) *doc {
	p.inside++
	items := make([]listItem, len(list))
	for i, e := range list {
		it := listItem{span: e.From.Span(), number: startsNumber(e.From)}
		it.build = func(f follow) *doc { return p.expr(e.From, levelCond, f) }
		if e.To != nil {
			it.span.End = e.To.Span().End
			it.build = func(f follow) *doc {
				return concatDoc(p.expr(e.From, levelCond, followNone), textDoc(".."), p.expr(e.To, levelCond, f))
			}
		}
		items[i] = it
		start = it.span.End
	}
	docs := p.items(items, p.find(start, ']'))
	p.inside--
	if len(docs) == 0 {
		return textDoc("[]")
	}
	return groupDoc(textDoc("["), indentDoc(lineDoc(""), fillDoc(docs)), lineDoc(""), textDoc("]"))
}

// args lays out arguments with their parentheses; end is the offset of the closing one.
func (p *formatter) args(list []Arg, end int) *doc {
	p.inside++
	items := make([]listItem, len(list))
	for i, a := range list {
		items[i] = listItem{a.Span, a.Name == "" && startsNumber(a.Value), func(f follow) *doc { return p.arg(a, f) }}
	}
	docs := p.items(items, end)
	p.inside--
	if len(docs) == 0 {
		return textDoc("()")
	}
	inner := []*doc{lineDoc("")}
	for i, d := range docs {
		if i > 0 {
			inner = append(inner, lineDoc(" "))
		}
		inner = append(inner, d)
	}
	return groupDoc(textDoc("("), indentDoc(inner...), lineDoc(""), textDoc(")"))
}

func (p *formatter) arg(a Arg, f follow) *doc {
	if a.Name == "" {
		return p.expr(a.Value, levelCombine, f)
	}
	key := textDoc(keyText(a.Name))
	if _, ok := a.Value.(*CycleLabels); a.Name == "labels" && !ok && startsWith(a.Value, "cycle") {
		return concatDoc(key, p.wrapped(a.Value)) // or `cycle` would begin the labels of windows
	}
	return concatDoc(key, p.expr(a.Value, levelCombine, f))
}

// firstLeaf gives the leaf with which an expression begins.
func firstLeaf(e Expr) Expr {
	for {
		switch x := e.(type) {
		case *Binary:
			e = x.L
		case *Combine:
			e = x.L
		case *Cond:
			e = x.C
		case *Call:
			e = x.Fn
		case *Index:
			e = x.X
		case *Pipe:
			e = x.Head
		case *Generate:
			return x.Operand
		default:
			return e
		}
	}
}

// startsNumber says whether an expression may begin with a number or a date, before which a comma goes on with a
// covering.
func startsNumber(e Expr) bool {
	switch firstLeaf(e).(type) {
	case *NumberLit, *DateLit:
		return true
	}
	return false
}

// startsWith says whether an expression may begin with a name.
func startsWith(e Expr, name string) bool {
	switch x := firstLeaf(e).(type) {
	case *NameRef:
		return x.Name == name
	case *QualifiedRef:
		return x.Premise == name
	case *Lambda:
		return lambdaHead(x.Params) == name
	}
	return false
}

func (p *formatter) list(e *ListLit, f follow) *doc {
	p.loosen(e.span.Start)
	parts := []*doc{p.elems(e.Elems, e.span.Start+1)}
	if e.HasCovering {
		after := f
		if e.HasLabels {
			after = followPostfix
		}
		parts = append(parts, textDoc(" covering: "), p.covering(e.Covering, after))
	}
	if e.HasLabels {
		start := e.span.Start + 1
		if n := len(e.Elems); n > 0 {
			start = e.Elems[n-1].From.Span().End
		}
		parts = append(parts, textDoc(" labels: "), p.elems(e.Labels, start))
	}
	return concatDoc(parts...)
}

func (p *formatter) covering(list []CoverRange, f follow) *doc {
	var parts []*doc
	for i, r := range list {
		if i > 0 {
			parts = append(parts, textDoc(", "))
		}
		if r.From != nil {
			parts = append(parts, p.expr(r.From, levelCond, followNone))
		}
		parts = append(parts, textDoc(".."))
		if r.To != nil {
			after := followComma
			if i == len(list)-1 {
				after = f
			}
			parts = append(parts, p.expr(r.To, levelCond, after))
		}
	}
	return concatDoc(parts...)
}

func (p *formatter) binding(b *Binding) *doc {
	head := b.Name
	if len(b.Params) > 0 {
		head += paramsText(b.Params)
	}
	if !b.HasClaim {
		return concatDoc(textDoc(head+" = "), p.expr(b.Value, levelCombine, followNone))
	}
	value := p.expr(b.Value, levelCombine, followPostfix)
	return concatDoc(textDoc(head+" = "), value, textDoc(" covering: "), p.covering(b.Claim, followNone))
}

func (p *formatter) pipe(e *Pipe) *doc {
	head := p.expr(e.Head, levelHead, followOperator)
	end := p.closed(e.Head.Span().End, e.Stages[0].Span.Start)
	p.loosen(end)
	return groupDoc(head, indentDoc(p.stages(e.Stages, end)...))
}

// stages lays out stages, each on a line of its own unless all fit on one with what stands before them, which ends at an
// offset.
func (p *formatter) stages(list []Stage, end int) []*doc {
	var docs []*doc
	for _, s := range list {
		docs = append(docs, p.trailingDoc(end, s.Span.Start), lineDoc(" "), p.place(s.Span, func() *doc { return p.stage(s) }))
		end = s.Span.End
	}
	return docs
}

func (p *formatter) stage(s Stage) *doc {
	name := "|> " + s.Name
	if s.Premise != "" {
		name = "|> " + s.Premise + "." + s.Name
	}
	if !s.HasArgs {
		return textDoc(name)
	}
	return concatDoc(textDoc(name), p.args(s.Args, s.Span.End-1))
}

// combine lays out a chain of combinators, each with its right operand on a line of its own unless all fit on one.
func (p *formatter) combine(e *Combine, f follow) *doc {
	chain := []*Combine{e}
	for {
		l, ok := chain[len(chain)-1].L.(*Combine)
		if !ok {
			break
		}
		chain = append(chain, l)
	}
	head := chain[len(chain)-1].L
	parts := []*doc{p.expr(head, levelPipe, followOperator)}
	end := p.closed(head.Span().End, chain[len(chain)-1].R.Span().Start)
	p.loosen(end)
	var rest []*doc
	for i := len(chain) - 1; i >= 0; i-- {
		c := chain[i]
		after := followOperator
		if i == 0 {
			after = f
		}
		at := c.R.Span()
		limit := e.span.End
		if i > 0 {
			limit = chain[i-1].R.Span().Start
		}
		at.End = p.closed(at.End, limit)
		rest = append(rest, p.trailingDoc(end, at.Start), lineDoc(" "), p.place(at, func() *doc {
			return concatDoc(textDoc(string(rune(c.Op))+" "), p.expr(c.R, levelPipe, after))
		}))
		end = at.End
	}
	return groupDoc(append(parts, indentDoc(rest...))...)
}
