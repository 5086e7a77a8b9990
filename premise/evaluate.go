package premise

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assaybench/assay/kairos"
)

// limits bound the evaluation of a body that a model wrote. They are part of what decides a verdict: a body that needs
// more does not finish, on any machine.
var limits = kairos.Limits{Steps: 20_000_000, Points: 4_000_000, Depth: 200}

// Diagnostic says why a reply is not of the form, or why its body gives no points. Line and Column are within the body,
// from 1; 0 where the fault has no place in it.
type Diagnostic struct {
	Code     string // of the language's diagnostics; "" where the reply is not of the form
	Line     int
	Column   int
	Message  string // in English, with the hint
	Japanese string

	prelude [2]int // line and column within the prelude, where the fault lies there and not in the body
}

func (d *Diagnostic) Error() string { return d.in("en") }

// bare is the diagnostic without a word of the body.
func (d *Diagnostic) bare() string {
	if d.Line > 0 {
		return fmt.Sprintf("line %d, column %d [%s]", d.Line, d.Column, d.Code)
	}
	return "[" + d.Code + "]"
}

// in gives the diagnostic in a language, "ja" or "en".
func (d *Diagnostic) in(language string) string {
	text, at := d.Message, "line %d, column %d: "
	if language == "ja" && d.Japanese != "" {
		text, at = d.Japanese, "%d 行 %d 列: "
	}
	if d.Line > 0 {
		text = fmt.Sprintf(at, d.Line, d.Column) + text
	}
	if d.Code != "" {
		text += " [" + d.Code + "]"
	}
	return text
}

// points evaluates a body behind the prelude and gives the points of its last expression as printed. The error is a
// *Diagnostic, or ctx's.
func (s *spec) points(ctx context.Context, body string, from, to kairos.Date) ([]string, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	k := memoKey(body, from, to)
	if e, ok := s.memo.get(k); ok {
		if e.diagnostic != nil {
			return nil, e.diagnostic
		}
		return e.points, nil
	}
	points, err := s.evaluate(ctx, body, from, to)
	d := (*Diagnostic)(nil)
	if err == nil || errors.As(err, &d) {
		s.memo.put(k, evaluated{points, d})
	}
	return points, err
}

// evaluate is points without a look at what is known.
func (s *spec) evaluate(ctx context.Context, body string, from, to kairos.Date) ([]string, error) {
	// By itself first, so that places within a message are the body's own.
	before := 0
	_, err := kairos.Parse(body)
	var p *kairos.Program
	if err == nil {
		before = strings.Count(s.prelude, "\n") + 1
		p, err = kairos.Compile(s.prelude + "\n" + body)
	}
	if err == nil {
		var r *kairos.Result
		if r, err = p.Eval(ctx, kairos.Range{From: from, To: to}, kairos.Options{TZ: s.tz, Limits: limits}); err == nil {
			if len(r.Listings) == 0 {
				return nil, &Diagnostic{Code: "run.no-body", Message: "the body has no expression that gives points", Japanese: "本文に時点列を返す式がありません"}
			}
			return r.Texts(r.Listings[len(r.Listings)-1].Points), nil
		}
	}
	if cerr := context.Cause(ctx); cerr != nil {
		return nil, cerr
	}
	var e *kairos.Error
	if !errors.As(err, &e) {
		return nil, err
	}
	d := &Diagnostic{Code: e.Code, Message: e.Message, Japanese: e.Japanese}
	if e.Hint != "" {
		d.Message += " (" + e.Hint + ")"
	}
	if e.Line > before {
		d.Line, d.Column = e.Line-before, e.Column
	} else if e.Line > 0 && before > 0 {
		d.prelude = [2]int{e.Line, e.Column}
	}
	return nil, d
}
