package kairos

import (
	"fmt"
	"strings"
)

// show writes a syntax tree, or an error, in a short form that tells every structure apart.
func show(src string) string {
	f, err := parseSource(src)
	if err != nil {
		line, column := lineColumn(src, lineStarts(src), err.Span.Start)
		return fmt.Sprintf("%s@%d:%d", err.Code, line, column)
	}
	return showAll(f.Stmts, "; ", showStmt)
}

func showAll[T any](list []T, sep string, one func(T) string) string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = one(x)
	}
	return strings.Join(parts, sep)
}

func showStmt(s Stmt) string {
	switch s := s.(type) {
	case *Body:
		return showExpr(s.X)
	case *Binding:
		return showBinding(s)
	case *PremiseDef:
		return strings.TrimSpace(fmt.Sprintf("premise %s:%s{%s} %s", s.Name, s.Base, showBlock(s.Members, s.Defs), showAll(s.Stages, " ", showStage)))
	case *Preamble:
		if s.Name == "" {
			return "premise{" + showBlock(s.Members, s.Defs) + "}"
		}
		out := "@" + s.Name + "{" + showBlock(s.Members, nil) + "}"
		if s.Scoped {
			out += "{" + showAll(s.Block, "; ", showStmt) + "}"
		}
		return out
	}
	return fmt.Sprintf("%T", s)
}

func showBlock(members []Member, defs []*Binding) string {
	parts := make([]string, 0, len(members)+len(defs))
	for _, m := range members {
		parts = append(parts, m.Key+":"+showExpr(m.Value))
	}
	for _, d := range defs {
		parts = append(parts, showBinding(d))
	}
	return strings.Join(parts, ", ")
}

func showBinding(b *Binding) string {
	out := b.Name
	if len(b.Params) > 0 {
		out += showParams(b.Params)
	}
	out += " = " + showExpr(b.Value)
	if b.HasClaim {
		out += " covers " + showAll(b.Claim, " ", showRange)
	}
	return out
}

func showParams(list []Param) string {
	return "(" + showAll(list, " ", func(p Param) string {
		if p.Label != "" {
			return p.Label + ":" + p.Name
		}
		return p.Name
	}) + ")"
}

func showRange(r CoverRange) string {
	out := ".."
	if r.From != nil {
		out = showExpr(r.From) + out
	}
	if r.To != nil {
		out += showExpr(r.To)
	}
	return out
}

func showElem(e ListElem) string {
	if e.To != nil {
		return showExpr(e.From) + ".." + showExpr(e.To)
	}
	return showExpr(e.From)
}

func showArg(a Arg) string {
	if a.Name != "" {
		return a.Name + ":" + showExpr(a.Value)
	}
	return showExpr(a.Value)
}

func showStage(s Stage) string {
	out := "|>" + s.Name
	if s.Premise != "" {
		out = "|>" + s.Premise + "." + s.Name
	}
	if s.HasArgs {
		out += "(" + showAll(s.Args, " ", showArg) + ")"
	}
	return out
}

func showExpr(e Expr) string {
	switch e := e.(type) {
	case *NumberLit:
		return fmt.Sprint(e.Value)
	case *StringLit:
		return fmt.Sprintf("%q", e.Value)
	case *DateLit:
		if !e.HasTime {
			return fmt.Sprintf("%d/%d/%d", e.Year, e.Month, e.Day)
		}
		return fmt.Sprintf("%d/%d/%d+%d", e.Year, e.Month, e.Day, e.Time)
	case *TimeLit:
		return fmt.Sprintf("+%d", e.Time)
	case *WidthLit:
		if e.Civil {
			return fmt.Sprintf("%vdays", e.Amount)
		}
		return fmt.Sprintf("%vms", e.Amount)
	case *NameRef:
		return e.Name
	case *QualifiedRef:
		return e.Premise + "." + e.Name
	case *Wildcard:
		return "_"
	case *ListLit:
		out := "[" + showAll(e.Elems, " ", showElem)
		if e.HasCovering {
			out += " covers " + showAll(e.Covering, " ", showRange)
		}
		if e.HasLabels {
			out += " labels " + showAll(e.Labels, " ", showElem)
		}
		return out + "]"
	case *CycleLabels:
		return "(cycle " + showExpr(e.List) + " at " + showExpr(e.Anchor) + ")"
	case *Lambda:
		return "{" + showParams(e.Params) + " " + showExpr(e.Body) + "}"
	case *Call:
		return "(call " + showExpr(e.Fn) + " " + showAll(e.Args, " ", showArg) + ")"
	case *Index:
		return "(index " + showExpr(e.X) + " " + showExpr(e.I) + ")"
	case *Unary:
		return "(" + e.Op + " " + showExpr(e.X) + ")"
	case *Binary:
		return "(" + e.Op + " " + showExpr(e.L) + " " + showExpr(e.R) + ")"
	case *Combine:
		return "(" + string(rune(e.Op)) + " " + showExpr(e.L) + " " + showExpr(e.R) + ")"
	case *Cond:
		return "(if " + showExpr(e.C) + " " + showExpr(e.Then) + " " + showExpr(e.Else) + ")"
	case *Generate:
		return "(" + e.Word + " " + showExpr(e.Operand) + " " + showExpr(e.Arg) + " " + showAll(e.Named, " ", showArg) + ")"
	case *Pipe:
		return "(pipe " + showExpr(e.Head) + " " + showAll(e.Stages, " ", showStage) + ")"
	}
	return fmt.Sprintf("%T", e)
}
