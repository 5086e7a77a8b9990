package kairos

// unevaluated says whether a part of the program that is evaluated for some points alone, behind `and`, `or` or `?`, has
// not been, although it has sources or stages of its own: with the points that a local evaluation left out it may be.
func (ev *evaluation) unevaluated() bool {
	u := unevaluated{ev: ev, values: map[string]*Binding{}, seen: map[*Binding]bool{}}
	u.stmts(ev.prog.File.Stmts, func(*Binding, Expr) {})
	u.stmts(ev.prog.File.Stmts, func(_ *Binding, e Expr) {
		Walk(e, func(x Expr) {
			switch x := x.(type) {
			case *Binary:
				if x.Op == "and" || x.Op == "or" {
					u.part(x.R)
				}
			case *Cond:
				u.part(x.Then)
				u.part(x.Else)
			}
		})
	})
	return u.found
}

type unevaluated struct {
	ev     *evaluation
	values map[string]*Binding
	seen   map[*Binding]bool
	found  bool
}

// stmts calls f for the expressions of statements, and notes what names are bound to.
func (u *unevaluated) stmts(stmts []Stmt, f func(*Binding, Expr)) {
	binding := func(d *Binding) {
		u.values[d.Name] = d
		f(d, d.Value)
	}
	for _, st := range stmts {
		switch st := st.(type) {
		case *Binding:
			binding(st)
		case *Body:
			f(nil, st.X)
		case *PremiseDef:
			for _, d := range st.Defs {
				binding(d)
			}
		case *Preamble:
			for _, d := range st.Defs {
				binding(d)
			}
			u.stmts(st.Block, f)
		}
	}
}

// part looks at what a part would evaluate.
func (u *unevaluated) part(e Expr) {
	Walk(e, func(x Expr) {
		switch x := x.(type) {
		case *Pipe, *Combine:
			u.found = true
		case *ListLit:
			u.found = u.found || x.HasCovering
		case *NameRef:
			u.name(x.Name)
		case *QualifiedRef:
			u.name(x.Name)
		}
	})
}

func (u *unevaluated) name(name string) {
	switch name {
	case "bizDay":
		u.found = u.found || len(u.ev.business) == 0
	case "bizOpen", "bizClose", "isOpen":
		u.found = u.found || len(u.ev.sessions) == 0
	}
	d := u.values[name]
	if d == nil || u.seen[d] {
		return
	}
	u.seen[d] = true
	if _, function := d.Value.(*Lambda); function || len(d.Params) > 0 {
		u.part(d.Value)
		return
	}
	if !u.evaluated(name) {
		switch d.Value.(type) {
		case *NumberLit, *StringLit, *DateLit, *TimeLit, *WidthLit, *Generate:
		default:
			u.found = true
		}
	}
}

// evaluated says whether a definition of the name has been evaluated.
func (u *unevaluated) evaluated(name string) bool {
	for k := range u.ev.words {
		if k.word == name {
			return true
		}
	}
	for _, sc := range u.ev.scopes {
		if _, ok := sc.words[name]; ok {
			return true
		}
	}
	return false
}
