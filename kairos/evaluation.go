package kairos

import "context"

// evaluation is the state of one evaluation: the range, the zones, what has been computed, what has been used. Nothing
// of it outlives the evaluation.
type evaluation struct {
	ctx     context.Context
	prog    *Program
	opts    Options
	runZone *zone
	from    int64 // first instant of the range
	to      int64 // first instant after the range
	epoch   int64 // 1970-01-01T00:00 in the run's zone: nothing is computed before it
	horizon int64 // to + 400 days: nothing is computed from it on
	locality

	zones      map[string]*zone
	premises   map[string]*premise
	top        map[string]*Binding // bindings outside premises
	labels     map[string]bool     // names that stand for themselves, as enumeration labels
	memberSets map[string]*members
	scopes     map[scopeKey]*scope
	words      map[wordKey]value // definitions without parameters that were evaluated
	business   map[wordKey]*stream
	sessions   map[wordKey]*session
	supplied   map[string]*ExternalData
	guards     map[Expr]*guard // of lambda bodies, against applying one within itself
	resolving  []string        // definitions that are being evaluated, outermost first
	deriving   []string        // calendar entities whose days are being derived
	pred       *align          // what the points that a predicate is asked about are aligned to, within a filter

	coverage []coverageEntry
	covered  map[coverageKey]bool
	warnings []Warning
	trace    func(Trace)
	steps    int64 // left
	points   int64 // left
	kept     int64 // counts values and warnings that were kept
	depth    int
	levels   int // nodes of the texts of the calls that are being evaluated
}

// zone gives the zone of a name as written in a program, each looked up once in an evaluation.
func (ev *evaluation) zone(at Span, name string) (*zone, error) {
	if z, ok := ev.zones[name]; ok {
		return z, nil
	}
	z, err := loadZone(name)
	if err != nil {
		err.Span = at
		return nil, err
	}
	ev.zones[name] = z
	return z, nil
}

// format prints an instant in the run's zone, as warnings and messages show it.
func (ev *evaluation) format(ms int64) string { return ev.runZone.format(ms) }

// warn adds a warning; args fill the messages of its code.
func (ev *evaluation) warn(code string, args ...any) {
	ev.kept++
	en, ja := warningText(code, args...)
	ev.warnings = append(ev.warnings, Warning{Code: code, Message: en, Japanese: ja})
}

// hold accounts for n points or windows that are about to be kept in memory.
func (ev *evaluation) hold(n int) error {
	ev.points -= int64(n)
	if ev.points < 0 {
		return fail(Span{}, "limit.points", ev.opts.Limits.Points)
	}
	return nil
}

// step accounts for n operations, and notices every now and then that the context has ended.
func (ev *evaluation) step(n int64) error {
	before := ev.steps
	ev.steps -= n
	if ev.steps < 0 {
		return fail(Span{}, "limit.steps", ev.opts.Limits.Steps)
	}
	if before>>14 != ev.steps>>14 {
		if err := ev.ctx.Err(); err != nil {
			return fail(Span{}, "limit.cancelled", prose(err.Error()))
		}
	}
	return nil
}
