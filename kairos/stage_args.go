package kairos

import "slices"

// stageArgs reads the arguments of a core stage; it gives nil for a stage that is not the language's own.
func (c *compiler) stageArgs(st *Stage) (*stageArgs, error) {
	known, core := coreStages[st.Name]
	if !core || st.Premise != "" {
		return nil, nil
	}
	a := &stageArgs{c: c, st: st}
	for _, arg := range st.Args {
		if arg.Name == "" {
			a.positional = append(a.positional, arg.Value)
			continue
		}
		if !slices.Contains(known, arg.Name) {
			return nil, unknownArgument(st, arg, known)
		}
	}
	return a, nil
}

func unknownArgument(st *Stage, arg Arg, known []string) error {
	switch {
	case st.Name == "takeLast" && arg.Name == "from":
		return fail(arg.Span, "args.takeLast-from")
	case st.Name == "take" && arg.Name == "until":
		return fail(arg.Span, "args.take-until")
	}
	return fail(arg.Span, "args.unknown-named", st.Name, arg.Name, nearest(arg.Name, known), known)
}

// stageArgs are the arguments of a core stage.
type stageArgs struct {
	c          *compiler
	st         *Stage
	positional []Expr
	final      bool // nothing follows but the cut to the range
}

// cut is what of a stage's points is asked for: of a final one, those within the range.
func (a *stageArgs) cut() interval {
	if a.final && a.c.ev.trace == nil {
		return interval{a.c.ev.from, a.c.ev.to}
	}
	return everything
}

// byPredicate says whether a stage is a filter by a predicate.
func (a *stageArgs) byPredicate() bool {
	return a.st.Name == "filter" && len(a.positional) > 0 && a.named("on") == nil
}

// first compiles the first argument without a name; code is the error when there is none.
func (a *stageArgs) first(code string) code {
	if len(a.positional) == 0 {
		return failing(fail(a.st.Span, code))
	}
	return a.c.expr(a.positional[0])
}

func (a *stageArgs) named(name string) Expr {
	for _, arg := range a.st.Args {
		if arg.Name == name {
			return arg.Value
		}
	}
	return nil
}

// axis compiles the argument that names an axis, or the `axis` member in force.
func (a *stageArgs) axis(name string) code {
	ev := a.c.ev
	if e := a.named(name); e != nil {
		return ev.axis(a.c, e)
	}
	if e := a.c.sc.members.vals["axis"]; e != nil {
		return ev.axis(&compiler{ev: ev, sc: a.c.sc, unit: a.c.unit}, e)
	}
	return failing(fail(a.st.Span, "axis.missing", a.st.Name, name, aboutAxis(a.st.Name)))
}

// axisName is the bare name that an axis is written as, for messages, or empty.
func (a *stageArgs) axisName(name string) string {
	e := a.named(name)
	if e == nil {
		e = a.c.sc.members.vals["axis"]
	}
	switch e := e.(type) {
	case *NameRef:
		return e.Name
	case *QualifiedRef:
		return e.Premise + "." + e.Name
	}
	return ""
}

func (a *stageArgs) span(i int) Span {
	if i < len(a.positional) {
		return a.positional[i].Span()
	}
	return a.st.Span
}

// count gives the first argument as a whole number.
func (a *stageArgs) count(fr *frame, run code, bad string) (int64, error) {
	v, err := run(fr)
	if err != nil {
		return 0, err
	}
	return asCount(v, a.span(0), bad)
}
