package kairos

import "slices"

// session is the derived business hours of a calendar entity.
type session = hours

// derived gives what a calendar in force means by bizDay, bizOpen or bizClose.
func (ev *evaluation) derived(at Span, name string, sc *scope) (value, error) {
	p, err := ev.entity(at, sc)
	if err != nil {
		return value{}, err
	}
	var s *stream
	if name == "bizDay" {
		s, err = ev.businessDays(at, p, sc)
	} else {
		var h *hours
		if h, err = ev.businessHours(at, p, sc); err == nil {
			if s = h.bizOpen(); name == "bizClose" {
				s = h.bizClose()
			}
		}
	}
	if err != nil {
		return value{}, placed(err, at)
	}
	return value{kind: kindStream, ref: s}, nil
}

// entity is the premise that the `calendar` member names.
func (ev *evaluation) entity(at Span, sc *scope) (*premise, error) {
	n, ok := sc.members.vals["calendar"].(*NameRef)
	if !ok {
		return nil, fail(at, "entity.calendar-not-name")
	}
	p := ev.premises[n.Name]
	if p == nil {
		return nil, fail(at, "entity.calendar-undefined", n.Name, nearest(n.Name, ev.premiseNames()))
	}
	return p, nil
}

// derive notes that an entity's days are being derived; it must not be so already.
func (ev *evaluation) derive(at Span, p *premise) (done func(), err error) {
	if slices.Contains(ev.deriving, p.name) {
		return nil, fail(at, "entity.cycle", p.name)
	}
	ev.deriving = append(ev.deriving, p.name)
	return func() { ev.deriving = ev.deriving[:len(ev.deriving)-1] }, nil
}

// businessDays are the days of the user's scope that are not among the entity's nonWorking.
func (ev *evaluation) businessDays(at Span, p *premise, sc *scope) (*stream, error) {
	d, _ := p.find("nonWorking")
	if d == nil {
		return nil, fail(at, "entity.not-an-entity", p.name)
	}
	if len(d.Params) > 0 {
		return nil, fail(at, "entity.nonWorking-params", p.name)
	}
	if !declaresZone(p) {
		return nil, fail(at, "entity.tz-required", p.name)
	}
	key := wordKey{p, "bizDay", sc.members}
	if s := ev.business[key]; s != nil && !slices.Contains(ev.deriving, p.name) {
		return s, nil
	}
	done, err := ev.derive(at, p)
	if err != nil {
		return nil, err
	}
	defer done()
	closed, err := ev.nonWorking(at, p, d, sc)
	if err != nil {
		return nil, err
	}
	every, err := ev.everyDay(at, sc)
	if err != nil {
		return nil, err
	}
	if err := checkAlign(at, "bizDay", every.align, closed.align); err != nil {
		return nil, err
	}
	s := &stream{pts: subtractPoints(every.pts, closed.pts), align: every.align, notes: joinNotes(every.notes, closed.notes), endless: true, lost: max(every.lost, closed.lost)}
	if err := ev.hold(len(s.pts)); err != nil {
		return nil, err
	}
	ev.business[key] = s
	ev.kept++
	return s, nil
}

// nonWorking are the entity's closed days, which must lie on the civil days of its zone.
func (ev *evaluation) nonWorking(at Span, p *premise, d *Binding, sc *scope) (*stream, error) {
	v, err := ev.word(at, p, d, sc)
	if err != nil {
		return nil, err
	}
	closed, err := ev.stream(v, "", at)
	if err != nil {
		return nil, err
	}
	under := ev.scopeOf(p, ev.overlay(sc.members, p))
	if !closed.align.same(ev.dayGrain(under)) {
		return nil, fail(at, "entity.nonWorking-align", p.name)
	}
	return closed, nil
}

// businessHours derives the sessions of an entity, in its own zone and with its own members.
func (ev *evaluation) businessHours(at Span, p *premise, sc *scope) (*hours, error) {
	d, _ := p.find("nonWorking")
	if d == nil {
		return nil, fail(at, "entity.not-an-entity", p.name)
	}
	if !declaresZone(p) {
		return nil, fail(at, "entity.tz-required", p.name)
	}
	opens, _ := p.find("sessionOpens")
	closes, _ := p.find("sessionCloses")
	switch {
	case opens == nil && closes == nil:
		return nil, fail(at, "hours.undeclared", p.name)
	case opens == nil || closes == nil:
		return nil, fail(at, "hours.unpaired", p.name)
	case len(opens.Params) > 0 || len(closes.Params) > 0:
		return nil, fail(at, "hours.params", p.name)
	}
	under := ev.scopeOf(p, ev.overlay(sc.members, p))
	key := wordKey{p, "hours", under.members}
	if h := ev.sessions[key]; h != nil {
		return h, nil
	}
	done, err := ev.derive(at, p)
	if err != nil {
		return nil, err
	}
	defer done()
	z, err := ev.scopeZone(at, under)
	if err != nil {
		return nil, err
	}
	var markers [2]*stream
	for i, m := range []*Binding{opens, closes} {
		v, err := ev.word(at, p, m, sc)
		if err != nil {
			return nil, err
		}
		if markers[i], err = ev.stream(v, "", at); err != nil {
			return nil, err
		}
	}
	closed, err := ev.nonWorking(at, p, d, sc)
	if err != nil {
		return nil, err
	}
	every, err := ev.everyDay(at, under)
	if err != nil {
		return nil, err
	}
	days := &stream{pts: subtractPoints(every.pts, closed.pts), align: every.align, notes: joinNotes(every.notes, closed.notes), endless: true, lost: max(every.lost, closed.lost)}
	if err := ev.hold(len(days.pts)); err != nil {
		return nil, err
	}
	h, err := ev.newHours(at, markers[0], markers[1], days, z)
	if err != nil {
		return nil, err
	}
	ev.sessions[key] = h
	ev.kept++
	return h, nil
}

// isOpen compiles isOpen(t) where a calendar is in force.
func (c *compiler) isOpen(e *Call) code {
	ev, sc := c.ev, c.sc
	_, _, local := c.loc.find("isOpen")
	if local {
		return failing(fail(e.span, "name.reserved-isOpen"))
	}
	var arg code
	if len(e.Args) == 1 {
		arg = c.expr(e.Args[0].Value)
	}
	var h *hours
	return func(fr *frame) (value, error) {
		if h == nil && ev.bound("isOpen", sc) {
			return value{}, fail(e.span, "name.reserved-isOpen")
		}
		if arg == nil || e.Args[0].Name != "" {
			return value{}, fail(e.span, "hours.isOpen-arity", len(e.Args))
		}
		v, err := arg(fr)
		if err != nil {
			return v, err
		}
		t, err := asPoint(v, e.Args[0].Span)
		if err != nil {
			return value{}, err
		}
		if h == nil {
			p, err := ev.entity(e.span, sc)
			if err != nil {
				return value{}, err
			}
			if h, err = ev.businessHours(e.span, p, sc); err != nil {
				return value{}, placed(err, e.span)
			}
		}
		if ev.cut(h.open.lost) {
			return value{}, errWhole
		}
		ev.asks(h.open.notes)
		if err := ev.read(h.open.lost, t); err != nil {
			return value{}, err
		}
		open, sig := h.isOpen(t)
		if sig != nil {
			sig.what, sig.at, sig.t = unknownOpening, e.span, t
			return value{}, sig
		}
		return boolean(open), nil
	}
}
