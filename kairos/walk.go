package kairos

// children calls f for every expression directly inside e.
func children(e Expr, f func(Expr)) {
	args := func(as []Arg) {
		for _, a := range as {
			f(a.Value)
		}
	}
	opt := func(e Expr) {
		if e != nil {
			f(e)
		}
	}
	elems := func(es []ListElem) {
		for _, el := range es {
			f(el.From)
			opt(el.To)
		}
	}
	switch e := e.(type) {
	case *ListLit:
		elems(e.Elems)
		for _, c := range e.Covering {
			opt(c.From)
			opt(c.To)
		}
		elems(e.Labels)
	case *Lambda:
		f(e.Body)
	case *CycleLabels:
		f(e.List)
		f(e.Anchor)
	case *Call:
		f(e.Fn)
		args(e.Args)
	case *Index:
		f(e.X)
		f(e.I)
	case *Unary:
		f(e.X)
	case *Binary:
		f(e.L)
		f(e.R)
	case *Cond:
		f(e.C)
		f(e.Then)
		f(e.Else)
	case *Generate:
		f(e.Operand)
		f(e.Arg)
		args(e.Named)
	case *Pipe:
		f(e.Head)
		for _, st := range e.Stages {
			args(st.Args)
		}
	case *Combine:
		f(e.L)
		f(e.R)
	}
}

// Walk calls f for an expression and every expression inside it, outermost first.
func Walk(e Expr, f func(Expr)) {
	f(e)
	children(e, func(c Expr) { Walk(c, f) })
}

// Inspect calls f for an expression and, where f gives true, for every expression inside it, outermost first.
func Inspect(e Expr, f func(Expr) bool) {
	if e != nil && f(e) {
		children(e, func(x Expr) { Inspect(x, f) })
	}
}

// externalCall says whether e is external(…).
func externalCall(e Expr) bool {
	c, ok := e.(*Call)
	if !ok {
		return false
	}
	n, ok := c.Fn.(*NameRef)
	return ok && n.Name == "external"
}

// hasDateTable says whether e holds data whose days depend on a zone: a list with a covering, with a date literal or
// with a range, or an external declaration.
func hasDateTable(e Expr) bool {
	found := false
	Walk(e, func(x Expr) {
		if externalCall(x) {
			found = true
		}
		if l, ok := x.(*ListLit); ok {
			found = found || l.HasCovering
			for _, el := range l.Elems {
				_, date := el.From.(*DateLit)
				found = found || date || el.To != nil
			}
		}
	})
	return found
}

// collectLabels adds to the vocabulary the names that e uses as labels: the elements of a cycle's list, of a `labels:`
// postfix, and of an argument named `labels`.
func (ev *evaluation) collectLabels(e Expr) {
	names := func(elems []ListElem) {
		for _, el := range elems {
			if n, ok := el.From.(*NameRef); ok && el.To == nil {
				ev.labels[n.Name] = true
			}
		}
	}
	args := func(as []Arg) {
		for _, a := range as {
			if a.Name != "labels" {
				continue
			}
			v := a.Value
			if c, ok := v.(*CycleLabels); ok {
				v = c.List
			}
			if l, ok := v.(*ListLit); ok {
				names(l.Elems)
			}
		}
	}
	Walk(e, func(x Expr) {
		switch x := x.(type) {
		case *Generate:
			if l, ok := x.Arg.(*ListLit); ok && x.Word == "cycle" {
				names(l.Elems)
			}
			args(x.Named)
		case *ListLit:
			names(x.Labels)
		case *Call:
			args(x.Args)
		case *Pipe:
			for _, st := range x.Stages {
				args(st.Args)
			}
		}
	})
}
