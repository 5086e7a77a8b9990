package kairos

import (
	"context"
	"maps"
)

// Program is a program that was read and checked; it can be evaluated any number of times, from several goroutines.
type Program struct {
	File *File
	src  string
}

// Parse reads a program. The error is an *Error.
func Parse(src string) (*File, error) {
	if len(src) > MaxSource {
		return nil, finished(fail(Span{}, "limit.source", len(src), MaxSource), src)
	}
	f, err := parseSource(src)
	if err != nil {
		return nil, finished(err, src)
	}
	return f, nil
}

// Compile reads a program for evaluation. The error is an *Error. What a program means depends on the run's zone and on
// what it uses, so most errors of meaning are found by Eval alone.
func Compile(src string) (*Program, error) {
	f, err := Parse(src)
	if err != nil {
		return nil, err
	}
	return &Program{File: f, src: src}, nil
}

// DefaultTZ is the zone of a run whose Options name none.
const DefaultTZ = "Asia/Tokyo"

// Eval evaluates the program over a range of days. The error is an *Error. The first error ends the evaluation: nothing
// of its result is given. Results depend on the arguments alone.
func (p *Program) Eval(ctx context.Context, r Range, o Options) (*Result, error) {
	days := int64(0)
	if o.Local {
		days = horizonDays
	}
	return p.evalNear(ctx, r, o, days)
}

// evalNear evaluates with so many days before the range, or all when days is 0; where these are too few, with all.
func (p *Program) evalNear(ctx context.Context, r Range, o Options, days int64) (*Result, error) {
	res, again, err := p.eval(ctx, r, o, days, nil)
	if again {
		whole, _, fault := p.eval(ctx, r, o, 0, nil)
		// A local result stands where the whole evaluation fails, but for one that was called off.
		if fault == nil || err != nil || ctx.Err() != nil {
			res, err = whole, fault
		}
	}
	if err != nil {
		return nil, finished(err, p.src)
	}
	return res, nil
}

func (o *Options) fill() {
	if o.TZ == "" {
		o.TZ = DefaultTZ
	}
	defaults := DefaultLimits()
	if o.Limits.Steps == 0 {
		o.Limits.Steps = defaults.Steps
	}
	if o.Limits.Points == 0 {
		o.Limits.Points = defaults.Points
	}
	if o.Limits.Depth == 0 {
		o.Limits.Depth = defaults.Depth
	}
}

// eval evaluates with so many days before the range, or all when days is 0; again says that these may not be enough.
func (p *Program) eval(ctx context.Context, r Range, o Options, days int64, trace func(Trace)) (res *Result, again bool, err error) {
	o.fill()
	z, fault := loadZone(o.TZ)
	if fault != nil {
		return nil, false, fault
	}
	for _, d := range []Date{r.From, r.To} {
		if d.Year < 0 || d.Year > 9999 || !validDate(d.Year, d.Month, d.Day) {
			return nil, false, fail(Span{}, "run.bad-range-date", d.String())
		}
	}
	ev := &evaluation{ctx: ctx, prog: p, opts: o, runZone: z, trace: trace,
		from: z.dayStart(r.From.Year, r.From.Month, r.From.Day), to: z.dayStart(r.To.Year, r.To.Month, r.To.Day),
		epoch: z.dayStart(1970, 1, 1), locality: locality{floor: minusInf, asked: minusInf}, zones: map[string]*zone{o.TZ: z}, top: map[string]*Binding{},
		memberSets: map[string]*members{}, scopes: map[scopeKey]*scope{}, words: map[wordKey]value{},
		business: map[wordKey]*stream{}, sessions: map[wordKey]*session{}, supplied: map[string]*ExternalData{},
		guards: map[Expr]*guard{}, covered: map[coverageKey]bool{}, steps: o.Limits.Steps, points: o.Limits.Points}
	if ev.from < ev.epoch {
		return nil, false, fail(Span{}, "run.before-epoch", r.From.String())
	}
	ev.horizon = ev.to + horizonDays*dayMs
	local := days > 0
	if local {
		floor := ev.from - days*dayMs
		if local = floor > max(ev.epoch, 0); local {
			ev.floor, ev.lost = floor, floor
		}
	}
	ev.premises = maps.Clone(standard().premises)
	ev.labels = maps.Clone(standard().labels)
	for _, st := range p.File.Stmts {
		if d, ok := st.(*PremiseDef); ok && d.Base == "" {
			for _, b := range d.Defs {
				ev.collectLabels(b.Value)
			}
		}
	}
	res = &Result{Local: local, zone: z}
	none := ev.scopeOf(nil, ev.intern(map[string]Expr{}))
	if err := ev.run(p.File.Stmts, none, res); err != nil {
		return nil, local && ev.needsWhole(err), ev.uncovered(err)
	}
	for i := range ev.warnings {
		ev.warnings[i].once = false
	}
	res.Warnings = ev.warnings
	res.Coverage = ev.summary()
	if local && !ev.doubt {
		ev.doubt = ev.unevaluated()
	}
	return res, local && ev.doubt, nil
}

// run executes statements in order; a preamble governs what follows it.
func (ev *evaluation) run(stmts []Stmt, sc *scope, res *Result) error {
	for _, st := range stmts {
		switch st := st.(type) {
		case *PremiseDef:
			if err := ev.register(st); err != nil {
				return err
			}
		case *Preamble:
			next, err := ev.preamble(st)
			if err != nil {
				return err
			}
			if !st.Scoped {
				sc = next
			} else if err := ev.run(st.Block, next, res); err != nil {
				return err
			}
		case *Binding:
			if coreWords[st.Name] {
				return fail(st.NameSpan, "premise.core-word", st.Name)
			}
			if err := ev.step(int64(1 + len(ev.scopes))); err != nil { // every scope forgets what names mean
				return placed(err, st.NameSpan)
			}
			if ev.top[st.Name] != nil {
				ev.forget()
			}
			ev.top[st.Name] = st
			ev.collectLabels(st.Value)
			ev.forgetNames()
		case *Body:
			l, err := ev.listing(st, sc)
			if err != nil {
				return err
			}
			res.Listings = append(res.Listings, l)
		}
	}
	return nil
}

// forgetNames drops what names were resolved to, since a new definition may be what a name means from here on.
func (ev *evaluation) forgetNames() {
	for _, sc := range ev.scopes {
		sc.words = nil
	}
}

// forget drops everything computed: a name was bound again, and from here on means the new.
func (ev *evaluation) forget() {
	clear(ev.words)
	clear(ev.business)
	clear(ev.sessions)
	for _, sc := range ev.scopes {
		sc.words, sc.bodies = nil, nil
	}
}

// preamble gives the scope that a preamble sets: the named premise in force and the members of it and its bases, with those
// that follow the name laid over. An anonymous preamble with definitions is a premise without a name.
func (ev *evaluation) preamble(st *Preamble) (*scope, error) {
	vals := map[string]Expr{}
	var p *premise
	switch {
	case st.Name != "":
		if p = ev.premises[st.Name]; p == nil {
			return nil, fail(st.Span, "premise.undefined-preamble", st.Name, nearest(st.Name, ev.premiseNames()))
		}
		copyMembers(vals, p)
	case len(st.Defs) > 0:
		var err error
		if p, err = ev.premiseOf(&PremiseDef{Span: st.Span, Members: st.Members, Defs: st.Defs}); err != nil {
			return nil, err
		}
	}
	for _, m := range st.Members {
		if m.Key == "epoch" {
			return nil, fail(m.Span, "premise.epoch-in-preamble")
		}
		vals[m.Key] = m.Value
	}
	return ev.scopeOf(p, ev.intern(vals)), nil
}

// annotationWeight is how many points take as much memory as an Annotation.
const annotationWeight = 20

// listing evaluates a body expression to its points and annotations within the range.
func (ev *evaluation) listing(st *Body, sc *scope) (Listing, error) {
	c := &compiler{ev: ev, sc: sc}
	c.final, _ = st.X.(*Pipe)
	v, err := c.expr(st.X)(nil)
	if err != nil {
		return Listing{}, placed(err, st.X.Span())
	}
	s, err := ev.stream(v, "", st.X.Span())
	if err != nil {
		return Listing{}, err
	}
	if ev.cut(s.lost) {
		return Listing{}, errWhole
	}
	ev.traced(st.X.Span(), "", s)
	l := Listing{Span: st.Span, Points: cutPoints(s.pts, ev.from, ev.to), Annotations: []Annotation{}}
	if err := ev.step(int64(1 + len(l.Points)/nodesPerStep + len(s.notes))); err != nil {
		return l, placed(err, st.X.Span())
	}
	notes := clipNotes(s.notes, ev.from, ev.to)
	if err := ev.hold(1 + len(l.Points) + annotationWeight*len(notes)); err != nil {
		return l, placed(err, st.X.Span())
	}
	for _, n := range notes {
		l.Annotations = append(l.Annotations, Annotation{From: n.from, To: n.to, FromText: ev.edgeText(n.from), ToText: ev.edgeText(n.to),
			Source: n.src.name, Covering: n.src.covering, AsOf: n.src.asof})
	}
	return l, nil
}

// edgeText prints an end of an annotation. Transport makes half-open ends of closed ones by one millisecond, which is
// not printed.
func (ev *evaluation) edgeText(ms int64) string {
	if floorMod(ms, 1000) == 1 {
		ms--
	}
	return ev.format(ms)
}

// summary is the coverage of every source that was used, in order of first use.
func (ev *evaluation) summary() []Coverage {
	out := make([]Coverage, 0, len(ev.coverage))
	for _, e := range ev.coverage {
		c := Coverage{Source: e.src.name, Covering: e.src.covering, AsOf: e.src.asof, Concluded: e.concluded}
		end := int64(minusInf)
		for _, iv := range e.src.cover {
			end = max(end, iv.to)
		}
		if c.Endless = end == plusInf || len(e.src.cover) == 0; !c.Endless {
			c.Runway = floorDiv(end-ev.to+dayMs/2, dayMs)
		}
		out = append(out, c)
	}
	return out
}

// cutPoints gives the points within [from, to), as a slice of its own.
func cutPoints(pts []int64, from, to int64) []int64 {
	lo, hi := lowerBound(pts, from), lowerBound(pts, to)
	return append(make([]int64, 0, max(0, hi-lo)), pts[min(lo, hi):hi]...)
}

// String writes a date as YYYY-MM-DD.
func (d Date) String() string { return pad(d.Year, 4) + "-" + pad(d.Month, 2) + "-" + pad(d.Day, 2) }

// ParseDate reads YYYY-MM-DD, a day that exists.
func ParseDate(s string) (Date, bool) {
	d, ok := splitDate(s)
	return d, ok && validDate(d.Year, d.Month, d.Day)
}

// Text prints an instant of a result in the run's zone: the date, and the time where it is not midnight.
func (r *Result) Text(ms int64) string { return r.zone.format(ms) }

// Trace is one step of an evaluation: what an expression or a stage gave.
type Trace struct {
	Span    Span
	Stage   string  // of a stage its name, of a combination its operator; empty for the head of a pipe, an operand, a body
	Points  int     // in all
	InRange []int64 // to be read only
}

// Explain evaluates as Eval does and reports every step of the program's own text, innermost first.
func (p *Program) Explain(ctx context.Context, r Range, o Options, report func(Trace)) (*Result, error) {
	res, _, err := p.eval(ctx, r, o, 0, report)
	if err != nil {
		return nil, finished(err, p.src)
	}
	return res, nil
}

func (ev *evaluation) traced(at Span, stage string, s *stream) {
	if ev.trace != nil && at.Start >= 0 {
		in := cutTo(s.pts, interval{ev.from, ev.to})
		ev.trace(Trace{Span: at, Stage: stage, Points: len(s.pts), InRange: in[:len(in):len(in)]})
	}
}
