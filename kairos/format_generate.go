package kairos

// generate lays out a generator. Nothing but brackets may break its line.
func (p *formatter) generate(e *Generate, f follow) *doc {
	after := func(i int) follow {
		if i >= len(e.Named) {
			return f
		}
		switch word := wordOf(e.Named[i].Name); word {
		case wordCovering, wordLabels:
			return followPostfix
		case wordGenerator, wordCycle:
			return followWord
		default:
			if _, prec := operator(token{word: word}); prec != precNone {
				return followOperator
			}
			return followKey
		}
	}
	parts := []*doc{textDoc(nameText(e.Operand.Name, e.Operand.Name) + " " + e.Word + " ")}
	parts = append(parts, p.generatorArg(e.Arg, after(0)))
	for i, a := range e.Named {
		parts = append(parts, textDoc(" "+keyText(a.Name)), p.expr(a.Value, levelCond, after(i+1)))
	}
	return concatDoc(parts...)
}

// generatorArg lays out the first argument of a generator: a width, a name, a list or a lambda stands bare, all else in
// parentheses.
func (p *formatter) generatorArg(e Expr, f follow) *doc {
	switch e := e.(type) {
	case *NameRef:
		return textDoc(e.Name)
	case *WidthLit:
		return p.bare(e, f)
	case *ListLit:
		return p.expr(e, levelAtom, f)
	case *Lambda:
		if lambdaHead(e.Params)[0] != '(' {
			return p.expr(e, levelAtom, f)
		}
	}
	return p.wrapped(e)
}

func (p *formatter) cycleLabels(e *CycleLabels, f follow) *doc {
	list := textDoc("")
	switch l := e.List.(type) {
	case *NameRef:
		list = textDoc(l.Name)
	case *ListLit:
		list = p.elems(l.Elems, l.span.Start+1)
	}
	return concatDoc(textDoc("cycle "), list, textDoc(" anchor: "), p.expr(e.Anchor, levelCond, f))
}
