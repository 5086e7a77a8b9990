package kairos

import "slices"

// wordKey names what was evaluated once: a definition of a premise, or of the program when root is nil, under a
// premise in force and members.
type wordKey struct {
	root    *premise
	word    string
	members *members
}

// reservedWord says whether a `calendar` in force gives the name its meaning.
func reservedWord(name string) bool {
	return name == "bizDay" || name == "bizOpen" || name == "bizClose"
}

func reservedCode(name string) string {
	if name == "bizDay" {
		return "name.reserved-bizDay"
	}
	return "name.reserved-bizOpenClose"
}

// bound says whether a name is bound by the premise in force, its calendar system, the members or the program.
func (ev *evaluation) bound(name string, sc *scope) bool {
	if sc.premise != nil && sc.premise.has(name) {
		return true
	}
	if cs, _ := ev.calendarSystem(Span{}, sc); cs != nil && cs.has(name) {
		return true
	}
	return sc.members.has(name) || ev.top[name] != nil
}

// calendarSystem is the premise that the `calendar-system` member names, or nil. Without the member it is Gregorian, unless
// the premise in force makes days of its own. One that has nonWorking is a calendar, not a calendar system.
func (ev *evaluation) calendarSystem(at Span, sc *scope) (*premise, error) {
	e, declared := sc.members.vals["calendar-system"]
	if !declared && !(sc.premise != nil && sc.premise.has("day")) {
		return ev.premises["Gregorian"], nil
	}
	m, ok := e.(*NameRef)
	if !ok {
		return nil, nil
	}
	p := ev.premises[m.Name]
	if p != nil && p.has("nonWorking") {
		return nil, fail(at, "entity.as-calendar-system", p.name)
	}
	return p, nil
}

// lookup finds the definition of a name: of the premise in force, then of its calendar system, then of the program. root
// is the premise as which the definition is evaluated, nil for the program's.
func (ev *evaluation) lookup(at Span, name string, sc *scope) (d *Binding, root *premise, err error) {
	if sc.premise != nil {
		if d, _ := sc.premise.find(name); d != nil {
			return d, sc.premise, nil
		}
	}
	cs, err := ev.calendarSystem(at, sc)
	if err != nil {
		return nil, nil, err
	}
	if cs != nil {
		if d, _ := cs.find(name); d != nil {
			return d, cs, nil
		}
	}
	return ev.top[name], nil, nil
}

// warnedOnce marks the warnings from n on as those of a name.
func (ev *evaluation) warnedOnce(n int) {
	for i := n; i < len(ev.warnings); i++ {
		ev.warnings[i].once = true
	}
}

// resolve gives the value of a name that is not local.
func (ev *evaluation) resolve(at Span, name string, sc *scope) (value, error) {
	if v, ok := sc.words[name]; ok {
		return v, nil
	}
	n := len(ev.warnings)
	v, err := ev.resolveNew(at, name, sc)
	if err != nil {
		return v, placed(err, at)
	}
	ev.warnedOnce(n)
	if sc.words == nil {
		sc.words = map[string]value{}
	}
	sc.words[name] = v
	ev.kept++
	return v, nil
}

func (ev *evaluation) resolveNew(at Span, name string, sc *scope) (value, error) {
	if err := ev.step(1); err != nil {
		return value{}, err
	}
	if sc.premise != nil {
		if d, _ := sc.premise.find(name); d != nil {
			return ev.word(at, sc.premise, d, sc)
		}
	}
	cs, err := ev.calendarSystem(at, sc)
	if err != nil {
		return value{}, err
	}
	if cs != nil {
		if d, _ := cs.find(name); d != nil {
			return ev.word(at, cs, d, sc)
		}
	}
	if m, ok := sc.members.vals[name]; ok {
		if err := ev.enter(at, name+":"); err != nil {
			return value{}, err
		}
		defer ev.leave()
		return ev.eval(m, sc)
	}
	if d := ev.top[name]; d != nil {
		return ev.topWord(at, d, sc)
	}
	switch name {
	case "chronos":
		return value{kind: kindChronos}, nil
	case "everyInstant":
		return value{kind: kindInstant}, nil
	case "everyDay":
		s, err := ev.everyDay(at, sc)
		return value{kind: kindStream, ref: s}, err
	}
	if ev.labels[name] {
		return text(name), nil
	}
	return value{}, fail(at, "name.unresolved", name, nearest(name, ev.visible(sc)), ev.aboutName(name))
}

// eval evaluates an expression that stands outside of any call.
func (ev *evaluation) eval(e Expr, sc *scope) (value, error) {
	c := &compiler{ev: ev, sc: sc}
	return c.expr(e)(nil)
}

// qualified gives PREMISE.word, evaluated as that premise itself.
func (ev *evaluation) qualified(e *QualifiedRef, sc *scope) (value, error) {
	p := ev.premises[e.Premise]
	if p == nil {
		return value{}, fail(e.span, "premise.undefined", e.Premise, nearest(e.Premise, ev.premiseNames()), aboutDot(slices.Contains(ev.visible(sc), e.Premise), e.Premise, e.Name))
	}
	d, _ := p.find(e.Name)
	if d == nil {
		return value{}, fail(e.span, "name.qualified-undefined", e.Premise, e.Name, nearest(e.Name, wordsOf(p)))
	}
	v, err := ev.word(e.span, p, d, sc)
	return v, placed(err, e.span)
}

// word gives the value of a premise's definition, evaluated with root as the premise in force.
func (ev *evaluation) word(at Span, root *premise, d *Binding, sc *scope) (value, error) {
	under := ev.scopeOf(root, ev.overlay(sc.members, root))
	key := wordKey{root, d.Name, under.members}
	if v, ok := ev.words[key]; ok {
		return v, nil
	}
	if err := checkExternal(root, d); err != nil {
		return value{}, err
	}
	if len(d.Params) > 0 {
		v := value{kind: kindLambda, ref: &lambda{def: ev.body(d, under)}}
		ev.words[key] = v
		return v, nil
	}
	name := root.word(d.Name)
	if err := ev.enter(at, name); err != nil {
		return value{}, err
	}
	defer ev.leave()
	c := &compiler{ev: ev, sc: under, external: &externalPlace{root, d.Name}}
	n := len(ev.warnings)
	v, err := ev.finish(c.expr(d.Value), name, d, under)
	if err != nil {
		return value{}, err
	}
	ev.warnedOnce(n)
	ev.words[key] = v
	ev.kept++
	return v, nil
}

// topWord gives the value of a definition of the program in the scope of its use.
func (ev *evaluation) topWord(at Span, d *Binding, sc *scope) (value, error) {
	if len(d.Params) > 0 {
		return value{}, fail(at, "name.needs-call", d.Name)
	}
	if err := ev.enter(at, d.Name); err != nil {
		return value{}, err
	}
	defer ev.leave()
	c := &compiler{ev: ev, sc: sc}
	return ev.finish(c.expr(d.Value), d.Name, d, sc)
}

// finish evaluates a definition and gives its value what belongs to the definition: its name as source of data and in
// messages, and its claim of coverage.
func (ev *evaluation) finish(run code, name string, d *Binding, sc *scope) (value, error) {
	v, err := run(nil)
	if err != nil {
		return v, err
	}
	switch v.kind {
	case kindTable:
		if t := v.ref.(*table); t.src.name == "" {
			named := *t
			named.src.name, named.cached = name, nil
			v.ref = &named
		}
	case kindWindows:
		if w := v.ref.(*windows); w.name == "" {
			named := *w
			named.name = name
			v.ref = &named
		}
	}
	if d.HasClaim {
		return ev.claim(v, d, name, sc)
	}
	return v, nil
}

// enter notes that a definition is being evaluated; it must not be so already.
func (ev *evaluation) enter(at Span, id string) error {
	if i := slices.Index(ev.resolving, id); i >= 0 {
		return fail(at, "name.binding-cycle", route(append(slices.Clone(ev.resolving[i:]), id)))
	}
	if len(ev.resolving) >= ev.opts.Limits.Depth {
		return fail(at, "limit.depth", ev.opts.Limits.Depth)
	}
	ev.resolving = append(ev.resolving, id)
	return nil
}

func (ev *evaluation) leave() { ev.resolving = ev.resolving[:len(ev.resolving)-1] }

// everyDay is the sequence of the days of the scope: the unit points of its `day`.
func (ev *evaluation) everyDay(at Span, sc *scope) (*stream, error) {
	v, err := ev.resolve(at, "day", sc)
	if err != nil {
		return nil, err
	}
	if v.kind != kindWindows {
		return nil, fail(at, "type.everyDay-day", v.kind)
	}
	w := v.ref.(*windows)
	return &stream{pts: ev.near(w.units), lost: ev.lost, align: w.grain, endless: true}, nil
}

// axis evaluates an expression in the position of an axis, where the name of a premise means its business days.
func (ev *evaluation) axis(c *compiler, e Expr) code {
	n, ok := e.(*NameRef)
	if !ok {
		return c.expr(e)
	}
	plain := c.name(n.Name, n.span)
	sc := c.sc
	_, _, local := c.loc.find(n.Name)
	return func(fr *frame) (value, error) {
		p := ev.premises[n.Name]
		if p == nil {
			return plain(fr)
		}
		if local || ev.bound(n.Name, sc) {
			return value{}, fail(n.span, "name.axis-ambiguous", n.Name)
		}
		s, err := ev.businessDays(n.span, p, sc)
		return value{kind: kindStream, ref: s}, err
	}
}

// scopeZone is the zone of the `tz` member in force, or the run's.
func (ev *evaluation) scopeZone(at Span, sc *scope) (*zone, error) {
	if name := sc.members.text("tz"); name != "" {
		if e := sc.members.vals["tz"]; e != nil {
			at = e.Span()
		}
		return ev.zone(at, name)
	}
	return ev.runZone, nil
}

func (ev *evaluation) zoneName(sc *scope) string {
	if name := sc.members.text("tz"); name != "" {
		return name
	}
	return ev.runZone.name
}

// dayGrain is the grid of the civil days of the scope.
func (ev *evaluation) dayGrain(sc *scope) align {
	return align{kind: alignCivil, step: 1, zone: ev.zoneName(sc)}
}

// anchorDate gives the instant of a date literal: the start of the day, or the one instant that its time names.
func (ev *evaluation) anchorDate(d *DateLit, z *zone) (int64, error) {
	if !d.HasTime {
		if z.skipped(daysFromCivil(d.Year, d.Month, d.Day)) {
			return 0, fail(d.span, "tz.gap", dateText(d), z.name)
		}
		return z.dayStart(d.Year, d.Month, d.Day), nil
	}
	ms, kind := z.anchor(daysFromCivil(d.Year, d.Month, d.Day)*dayMs + d.Time)
	switch kind {
	case anchorGap:
		return 0, fail(d.span, "tz.gap", dateText(d), z.name)
	case anchorOverlap:
		return 0, fail(d.span, "tz.overlap", dateText(d), z.name)
	}
	return ms, nil
}
