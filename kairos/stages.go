package kairos

// coreStages are the stages of the language and the names of the arguments that they take.
var coreStages = map[string][]string{
	"within": nil, "segmentBy": {"edges", "empties", "label", "labels"}, "first": {"of"}, "nth": {"of"}, "last": {"of"},
	"filter": {"on"}, "roll": {"on", "of"}, "shift": {"unit"}, "snapTo": nil, "rebase": {"to"}, "stride": {"from"},
	"strideBy": {"from"}, "take": {"from"}, "takeLast": {"until"},
}

// step is a compiled stage: what it makes of a stream in a frame.
type step func(fr *frame, in *stream) (*stream, error)

// pipe compiles HEAD |> stage |> stage.
func (c *compiler) pipe(e *Pipe) code {
	ev := c.ev
	head := c.expr(e.Head)
	name := ""
	if n, ok := e.Head.(*NameRef); ok {
		name = n.Name
	}
	final := c.final == e
	steps := c.steps(e.Stages, final)
	return func(fr *frame) (value, error) {
		v, err := head(fr)
		if err != nil {
			return v, err
		}
		var s *stream
		if v.kind == kindInstant {
			if e.Stages[0].Name != "strideBy" {
				return value{}, fail(e.Head.Span(), "value.everyInstant")
			}
			s = &stream{endless: true}
		} else {
			if s, err = ev.stream(v, name, e.Head.Span()); err != nil {
				return value{}, err
			}
			ev.traced(e.Head.Span(), "", s)
		}
		s, err = steps(fr, s)
		return value{kind: kindStream, ref: s}, err
	}
}

// steps compiles stages that follow each other. After the final ones nothing is asked of the stream but its points
// within the range.
func (c *compiler) steps(stages []Stage, final bool) step {
	var compiled []step
	var last []*Stage
	for i := 0; i < len(stages); i++ {
		a, err := c.stageArgs(&stages[i])
		if err == nil && a != nil {
			a.final = final && i == len(stages)-1
			if next := i + 1; a.st.Name == "strideBy" && next < len(stages) && c.ev.trace == nil {
				if f, err := c.stageArgs(&stages[next]); err == nil && f != nil && f.byPredicate() {
					f.final = final && next == len(stages)-1
					compiled, last = append(compiled, a.filteredTicks(f)), append(last, &stages[next])
					i = next
					continue
				}
			}
		}
		var run step
		switch {
		case err != nil:
			run = refusing(err)
		case a != nil:
			run = coreStep(a)
		default:
			run = c.sugar(&stages[i])
		}
		compiled, last = append(compiled, run), append(last, &stages[i])
	}
	return func(fr *frame, s *stream) (*stream, error) {
		for i, run := range compiled {
			next, err := run(fr, s)
			if err != nil {
				return nil, placed(err, last[i].Span)
			}
			if err := c.ev.holdNotes(next, s); err != nil {
				return nil, placed(err, last[i].Span)
			}
			s = next
			c.ev.traced(last[i].Span, last[i].Name, s)
		}
		return s, nil
	}
}

// combine compiles L | R, L & R and L \ R.
func (c *compiler) combine(e *Combine) code {
	ev := c.ev
	l, r := c.expr(e.L), c.expr(e.R)
	return func(fr *frame) (value, error) {
		a, err := l(fr)
		if err != nil {
			return a, err
		}
		left, err := ev.stream(a, "", e.L.Span())
		if err != nil {
			return value{}, err
		}
		b, err := r(fr)
		if err != nil {
			return b, err
		}
		right, err := ev.stream(b, "", e.R.Span())
		if err != nil {
			return value{}, err
		}
		s, err := ev.combine(e.span, e.Op, left, right)
		if err != nil {
			return value{}, placed(mismatched(err, e, left, right), e.span)
		}
		ev.traced(e.L.Span(), "", left)
		ev.traced(e.R.Span(), "", right)
		ev.traced(e.span, string(e.Op), s)
		return value{kind: kindStream, ref: s}, nil
	}
}

// stage compiles one stage.
func (c *compiler) stage(st *Stage) step { return c.steps([]Stage{*st}, false) }

func refusing(err error) step { return func(*frame, *stream) (*stream, error) { return nil, err } }

func coreStep(a *stageArgs) step {
	switch a.st.Name {
	case "within":
		return a.within()
	case "segmentBy":
		return a.segmentBy()
	case "first", "last", "nth":
		return a.selector()
	case "filter":
		return a.filter()
	case "roll":
		return a.roll()
	case "shift":
		return a.shift()
	case "snapTo":
		return a.snapTo()
	case "rebase":
		return a.rebase()
	case "stride", "take", "takeLast":
		return a.counting()
	}
	return a.strideBy()
}
