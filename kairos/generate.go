package kairos

import "slices"

// horizonDays is how far beyond the range everything is computed.
const horizonDays = 400

// generatorArgs are the names of the arguments that each generator takes.
var generatorArgs = map[string][]string{
	"grid": {"anchor", "label"}, "span": {"phase", "label"}, "split": {"by", "label"}, "cycle": {"anchor", "label"},
}

// generate compiles OPERAND grid|span|split|cycle ….
func (c *compiler) generate(e *Generate) code {
	ev := c.ev
	named := map[string]code{}
	spans := map[string]Span{}
	var unknown error
	for _, a := range e.Named {
		if !slices.Contains(generatorArgs[e.Word], a.Name) && unknown == nil {
			unknown = fail(a.Span, "args.unknown-named", e.Word, a.Name, nearest(a.Name, generatorArgs[e.Word]), generatorArgs[e.Word])
		}
		named[a.Name], spans[a.Name] = c.expr(a.Value), a.Value.Span()
	}
	operand, arg := c.expr(e.Operand), c.expr(e.Arg)
	g := &generator{ev: ev, e: e, sc: c.sc}
	return func(fr *frame) (value, error) {
		if unknown != nil {
			return value{}, unknown
		}
		var label *lambda
		if run, ok := named["label"]; ok {
			if e.Word == "cycle" {
				return value{}, fail(spans["label"], "gen.cycle-label")
			}
			v, err := run(fr)
			if err != nil {
				return v, err
			}
			if label, err = labelFunction(v, spans["label"]); err != nil {
				return value{}, err
			}
		}
		on, err := operand(fr)
		if err != nil {
			return on, err
		}
		get := func(name string) (value, bool, error) {
			run, ok := named[name]
			if !ok {
				return value{}, false, nil
			}
			v, err := run(fr)
			return v, true, err
		}
		var v value
		switch e.Word {
		case "grid":
			v, err = g.grid(on, arg, fr, get, label)
		case "span":
			v, err = g.span(on, arg, fr, get, label)
		case "split":
			v, err = g.split(on, arg, fr, get, label)
		default:
			v, err = g.cycle(on, arg, fr, get)
		}
		return v, placed(err, e.span)
	}
}

func labelFunction(v value, at Span) (*lambda, error) {
	l, ok := v.ref.(*lambda)
	if v.kind != kindLambda || !ok {
		return nil, fail(at, "gen.label-lambda", v.kind)
	}
	return &lambda{code: l.code, outer: l.outer, def: l.def}, nil
}

// generator makes windows for one place in the text.
type generator struct {
	ev *evaluation
	e  *Generate
	sc *scope
}

// at is the place of the value of an argument with a name, or of all when there is none.
func (g *generator) at(name string) Span {
	for _, a := range g.e.Named {
		if a.Name == name {
			return a.Value.Span()
		}
	}
	return g.e.span
}

type namedArg func(name string) (value, bool, error)

func (g *generator) anchor(get namedArg) (int64, bool, error) {
	v, ok, err := get("anchor")
	if err != nil || !ok {
		return 0, false, err
	}
	t, err := asPoint(v, g.at("anchor"))
	return t, true, err
}
