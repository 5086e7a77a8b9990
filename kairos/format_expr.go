package kairos

import (
	"fmt"
	"strings"
)

// The levels of the grammar, from loose to tight. An expression stands bare only where the grammar asks for its level or
// a looser one.
const (
	levelCombine = iota
	levelPipe
	levelHead // generators
	levelCond
	levelOr
	levelAnd
	levelNot
	levelCompare
	levelAdd
	levelMultiply
	levelUnary
	levelApplied
	levelAtom
)

func levelOf(e Expr) int {
	switch e := e.(type) {
	case *Combine:
		return levelCombine
	case *Pipe:
		return levelPipe
	case *Generate:
		return levelHead
	case *Cond:
		return levelCond
	case *Binary:
		return binaryLevel(e.Op)
	case *Unary:
		if e.Op == "not" {
			return levelNot
		}
		return levelUnary
	case *Call, *Index:
		return levelApplied
	}
	return levelAtom
}

func binaryLevel(op string) int {
	switch op {
	case "or":
		return levelOr
	case "and":
		return levelAnd
	case "+", "-":
		return levelAdd
	case "*", "/", "mod", "div":
		return levelMultiply
	}
	return levelCompare
}

// follow is what comes behind an expression. Some expressions are open at their end (the body of a lambda, the last
// range of a covering, the arguments of a generator) and would take what is not theirs.
type follow uint8

const (
	followNone     follow = iota // the end of a line, a closing bracket or another mark that no expression takes
	followOperator               // an operator, a stage, an index or a call
	followComma                  // a comma and then a number or a date
	followKey                    // a named argument of a generator
	followPostfix                // `covering:` or `labels:`
	followWord                   // a named argument of a generator whose name makes a generator of a name before it
)

// wraps says whether e needs parentheses at a level, with what follows it.
func wraps(e Expr, level int, f follow) bool {
	switch e := e.(type) {
	case *Lambda:
		return f == followOperator || f == followWord
	case *ListLit:
		open := e.HasCovering && !e.HasLabels
		return f == followPostfix || open && (f == followOperator || f == followComma)
	case *Generate:
		return level > levelHead || f == followKey || f == followPostfix || f == followWord
	}
	return levelOf(e) < level
}

// expr lays out e for a place where the grammar asks for a level.
func (p *formatter) expr(e Expr, level int, f follow) *doc {
	if wraps(e, level, f) {
		return p.wrapped(e)
	}
	return p.bare(e, f)
}

func (p *formatter) wrapped(e Expr) *doc {
	p.inside++
	d := p.bare(e, followNone)
	p.inside--
	return groupDoc(textDoc("("), indentDoc(lineDoc(""), d), lineDoc(""), textDoc(")"))
}

func (p *formatter) bare(e Expr, f follow) *doc {
	switch e := e.(type) {
	case *NameRef:
		return textDoc(nameText(e.Name, e.Name))
	case *QualifiedRef:
		return textDoc(nameText(e.Premise, e.Premise+"."+e.Name))
	case *Wildcard:
		return textDoc("_")
	case *ListLit:
		return p.list(e, f)
	case *CycleLabels:
		return p.cycleLabels(e, f)
	case *Lambda:
		return concatDoc(textDoc(lambdaHead(e.Params)+" => "), p.expr(e.Body, levelCombine, f))
	case *Call:
		fn := p.expr(e.Fn, levelApplied, followOperator)
		p.loosen(e.Fn.Span().End)
		return concatDoc(fn, p.args(e.Args, e.span.End-1))
	case *Index:
		x := p.expr(e.X, levelApplied, followOperator)
		p.inside++
		i := p.expr(e.I, levelCombine, followNone)
		p.inside--
		return concatDoc(x, groupDoc(textDoc("["), indentDoc(lineDoc(""), i), lineDoc(""), textDoc("]")))
	case *Unary:
		if e.Op == "not" {
			return concatDoc(textDoc("not "), p.expr(e.X, levelNot, f))
		}
		return concatDoc(textDoc("-"), p.expr(e.X, levelUnary, f))
	case *Binary:
		return p.binary(e, f)
	case *Cond:
		return p.cond(e, f)
	case *Generate:
		return p.generate(e, f)
	case *Pipe:
		return p.pipe(e)
	case *Combine:
		return p.combine(e, f)
	}
	return textDoc(literalText(e))
}

// nameText gives a name as an operand. Two names mean something else at the beginning of an expression or a statement:
// a plus keeps `not` from being an operator, parentheses keep `premise` from beginning a definition.
func nameText(name, whole string) string {
	switch name {
	case "not":
		return "+" + whole
	case "premise":
		return "(" + whole + ")"
	}
	return whole
}

func lambdaHead(params []Param) string {
	if len(params) == 1 && params[0].Name != "not" && params[0].Name != "premise" {
		return params[0].Name
	}
	return paramsText(params)
}

func paramsText(params []Param) string {
	list := make([]string, len(params))
	for i, p := range params {
		list[i] = p.Name
		if p.Label != "" {
			list[i] = keyText(p.Label) + p.Name
		}
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// keyText gives a name with its colon. A name such as T12 would make a time of day with a colon at its end.
func keyText(name string) string {
	if len(name) == 3 && matches(name, 0, "T00") {
		return name + " : "
	}
	return name + ": "
}

func literalText(e Expr) string {
	switch e := e.(type) {
	case *NumberLit:
		return e.Text
	case *WidthLit:
		return e.Text
	case *StringLit:
		return `"` + e.Value + `"`
	case *TimeLit:
		return formatClock(e.Time)
	case *DateLit:
		s := fmt.Sprintf("%04d-%02d-%02d", e.Year, e.Month, e.Day)
		if e.HasTime {
			s += formatClock(e.Time)
		}
		return s
	}
	panic(fmt.Sprintf("kairos: %T is no literal", e))
}

// formatClock gives the time of day that reads as ms.
func formatClock(ms int64) string {
	if ms >= dayLength {
		return "T23:59:59.9999" // rounds up to midnight, which has no literal of its own
	}
	s := fmt.Sprintf("T%02d:%02d", ms/3_600_000, ms/60_000%60)
	if ms%60_000 != 0 {
		s += fmt.Sprintf(":%02d", ms/1000%60)
	}
	if ms%1000 != 0 {
		s += strings.TrimRight(fmt.Sprintf(".%03d", ms%1000), "0")
	}
	return s
}

const dayLength = 24 * 3_600_000

// binary lays out an operator. Within brackets, a chain of `or` or `and` may have a line for each operand.
func (p *formatter) binary(e *Binary, f follow) *doc {
	level := binaryLevel(e.Op)
	left, right := level, level+1
	if level == levelCompare {
		left = levelAdd // comparisons do not chain
	}
	if level > levelAnd || p.inside == 0 {
		l := p.expr(e.L, left, followOperator)
		r := p.expr(e.R, right, f)
		return concatDoc(l, textDoc(" "+e.Op+" "), r)
	}
	chain := []*Binary{e}
	for {
		l, ok := chain[len(chain)-1].L.(*Binary)
		if !ok || l.Op != e.Op {
			break
		}
		chain = append(chain, l)
	}
	first := p.expr(chain[len(chain)-1].L, left, followOperator)
	var rest []*doc
	for i := len(chain) - 1; i >= 0; i-- {
		after := followOperator
		if i == 0 {
			after = f
		}
		rest = append(rest, lineDoc(" "), textDoc(e.Op+" "), p.expr(chain[i].R, right, after))
	}
	return groupDoc(first, indentDoc(rest...))
}

func (p *formatter) cond(e *Cond, f follow) *doc {
	c := p.expr(e.C, levelOr, followOperator)
	then := p.expr(e.Then, levelCond, followNone)
	other := p.expr(e.Else, levelCond, f)
	if p.inside == 0 {
		return concatDoc(c, textDoc(" ? "), then, textDoc(" : "), other)
	}
	return groupDoc(c, indentDoc(lineDoc(" "), textDoc("? "), then, lineDoc(" "), textDoc(": "), other))
}
