// Package explain shows where the points of a schedule come from and where they go: what every stage and every operand
// of a program gave.
package explain

import (
	"context"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/assaybench/assay/kairos"
)

// Step is what one part of an expression gave.
type Step struct {
	Text    string  // as written, on one line and without comments; a long one is cut
	Stage   string  // the stage's name or the operator; empty for the head of a pipe and for operands
	Depth   int     // how deep within the expression
	Points  int     // in all that was computed
	InRange []int64 // milliseconds since 1970-01-01T00:00Z
	// Lost and Gained count the points within the range that the stage took out and put in, against the step before it
	// in its pipe; of a combination, against its left operand.
	Lost, Gained int
	// Times is how often the part was evaluated, and Differ says that it did not give the same every time; the other
	// fields are of the first time. A part is evaluated anew for other arguments and under other preambles, and, within
	// a predicate, for every point.
	Times  int
	Differ bool
}

// Part is a body expression, or a definition that was used.
type Part struct {
	Name   string // of a definition, PREMISE.word or word; empty for a body expression
	Span   kairos.Span
	Line   int // from 1
	Steps  []Step
	Points []int64 // of a body expression, within the range
}

// Report is what an evaluation did.
type Report struct {
	Bodies []Part
	Defs   []Part         // in the order of the text
	Result *kairos.Result // nil when the evaluation ended with an error
}

type key struct {
	span  kairos.Span
	stage string
}

type seen struct {
	first  kairos.Trace
	times  int
	differ bool
}

// Run evaluates a program and reports its steps. When the evaluation ends with an error, the report has the steps up to
// it; the error is an *kairos.Error.
func Run(ctx context.Context, p *kairos.Program, r kairos.Range, o kairos.Options) (*Report, error) {
	t := &tracer{file: p.File, seen: map[key]*seen{}}
	for i := range p.File.Source {
		if p.File.Source[i] == '\n' {
			t.breaks = append(t.breaks, i)
		}
	}
	res, err := p.Explain(ctx, r, o, t.note)
	rep := &Report{Result: res}
	for _, st := range p.File.Stmts {
		t.statement(rep, st)
	}
	return rep, err
}

type tracer struct {
	file   *kairos.File
	breaks []int // where the source's line feeds stand
	seen   map[key]*seen
}

func (t *tracer) note(tr kairos.Trace) {
	k := key{tr.Span, tr.Stage}
	s := t.seen[k]
	if s == nil {
		t.seen[k] = &seen{first: tr, times: 1}
		return
	}
	s.times++
	if !s.differ {
		s.differ = s.first.Points != tr.Points || !same(s.first.InRange, tr.InRange) && !slices.Equal(s.first.InRange, tr.InRange)
	}
}

func (t *tracer) statement(rep *Report, st kairos.Stmt) {
	switch st := st.(type) {
	case *kairos.PremiseDef:
		for _, b := range st.Defs {
			t.definition(rep, st.Name+".", b)
		}
	case *kairos.Preamble:
		for _, in := range st.Block {
			t.statement(rep, in)
		}
	case *kairos.Binding:
		t.definition(rep, "", st)
	case *kairos.Body:
		part := Part{Span: st.Span, Line: t.line(st.Span)}
		if part.Steps = t.expression(st.X, 0); len(part.Steps) == 0 {
			return // the evaluation ended before it
		}
		if i := len(rep.Bodies); rep.Result != nil && i < len(rep.Result.Listings) {
			part.Points = rep.Result.Listings[i].Points
		}
		rep.Bodies = append(rep.Bodies, part)
	}
}

func (t *tracer) definition(rep *Report, premise string, b *kairos.Binding) {
	if steps := t.expression(b.Value, 0); len(steps) > 0 {
		rep.Defs = append(rep.Defs, Part{Name: premise + b.Name, Span: b.Span, Line: t.line(b.Span), Steps: steps})
	}
}

// expression gives the steps of an expression, innermost first.
func (t *tracer) expression(x kairos.Expr, depth int) []Step {
	switch x := x.(type) {
	case *kairos.Pipe:
		return t.pipe(x, depth)
	case *kairos.Combine:
		steps := append(t.expression(x.L, depth+1), t.expression(x.R, depth+1)...)
		return append(steps, t.change(t.seen[key{x.L.Span(), ""}], x.Span(), string(x.Op), depth)...)
	}
	if steps := t.step(x.Span(), "", depth); steps != nil {
		return steps
	}
	return t.inside(x, depth)
}

func (t *tracer) pipe(x *kairos.Pipe, depth int) []Step {
	var steps []Step
	if c, ok := x.Head.(*kairos.Combine); ok {
		steps = t.expression(c, depth)
	} else {
		steps = t.step(x.Head.Span(), "", depth)
	}
	before := t.seen[key{x.Head.Span(), ""}]
	for i := range x.Stages {
		st := &x.Stages[i]
		for _, a := range st.Args {
			steps = append(steps, t.inside(a.Value, depth+2)...)
		}
		steps = append(steps, t.change(before, st.Span, st.Name, depth+1)...)
		before = t.seen[key{st.Span, st.Name}]
	}
	return steps
}

// change gives the step of a place with what it changed against what went into it.
func (t *tracer) change(before *seen, at kairos.Span, stage string, depth int) []Step {
	steps := t.step(at, stage, depth)
	if len(steps) > 0 && before != nil {
		steps[0].Lost, steps[0].Gained = differences(before.first.InRange, steps[0].InRange)
	}
	return steps
}

// inside gives the steps of the pipes and combinations that stand somewhere within an expression that is neither.
func (t *tracer) inside(x kairos.Expr, depth int) []Step {
	var steps []Step
	kairos.Inspect(x, func(y kairos.Expr) bool {
		switch y.(type) {
		case *kairos.Pipe, *kairos.Combine:
			steps = append(steps, t.expression(y, depth)...)
			return false
		}
		return true
	})
	return steps
}

// step gives the step of a place, or none when the evaluation did not come by it.
func (t *tracer) step(at kairos.Span, stage string, depth int) []Step {
	s := t.seen[key{at, stage}]
	if s == nil {
		return nil
	}
	text := t.text(at)
	if stage != "" && !strings.HasPrefix(text, "|>") && len(stage) > 1 {
		text = "|> " + text
	}
	return []Step{{Text: text, Stage: stage, Depth: depth, Points: s.first.Points, InRange: s.first.InRange, Times: s.times, Differ: s.differ}}
}

// longestText is how many bytes of a step's text are given. The operands of a long chain are texts within texts: whole, they
// would be as many times as long as the program as it has operators.
const longestText = 400

// text gives a part of the source on one line, without comments.
func (t *tracer) text(at kairos.Span) string {
	cut := ""
	if at.End-at.Start > longestText {
		for at.End = at.Start + longestText; !utf8.RuneStart(t.file.Source[at.End]); at.End-- {
		}
		cut = " …"
	}
	var b strings.Builder
	start := at.Start
	next := sort.Search(len(t.file.Comments), func(i int) bool { return t.file.Comments[i].Span.Start >= start })
	for _, c := range t.file.Comments[next:] {
		if c.Span.Start >= at.End {
			break
		}
		b.WriteString(t.file.Source[start:c.Span.Start])
		start = c.Span.End
	}
	b.WriteString(t.file.Source[min(start, at.End):at.End])
	return strings.Join(strings.Fields(b.String()), " ") + cut
}

func (t *tracer) line(at kairos.Span) int {
	return 1 + sort.SearchInts(t.breaks, at.Start)
}

// same says that two lists are one list, as after a stage that leaves the points as they are.
func same(a, b []int64) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// differences counts what is in a and not in b, and the reverse; both are in order.
func differences(a, b []int64) (lost, gained int) {
	if same(a, b) {
		return 0, 0
	}
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			a, b = a[1:], b[1:]
		case a[0] < b[0]:
			lost++
			a = a[1:]
		default:
			gained++
			b = b[1:]
		}
	}
	return lost + len(a), gained + len(b)
}
