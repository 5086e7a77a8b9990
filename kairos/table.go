package kairos

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// list compiles a list literal. One of points, or an empty one with a covering, is a table.
func (c *compiler) list(e *ListLit) code {
	ev, sc := c.ev, c.sc
	type element struct{ from, to code }
	elems := make([]element, len(e.Elems))
	for i, el := range e.Elems {
		elems[i].from = c.expr(el.From)
		if el.To != nil {
			elems[i].to = c.expr(el.To)
		}
	}
	return func(fr *frame) (value, error) {
		if err := ev.step(int64(len(elems))); err != nil {
			return value{}, err
		}
		vals := make([]value, 0, len(elems))
		points := true
		for i, el := range elems {
			v, err := el.from(fr)
			if err != nil {
				return v, err
			}
			if el.to == nil {
				points = points && v.kind == kindPoint
				vals = append(vals, v)
				continue
			}
			days, err := ev.dayRange(v, el.to, fr, e.Elems[i], sc)
			if err != nil {
				return value{}, err
			}
			for _, d := range days {
				vals = append(vals, point(d))
			}
		}
		switch {
		case len(vals) > 0 && points:
			return c.table(e, vals, fr)
		case len(vals) == 0 && e.HasCovering:
			return c.emptyTable(e, fr)
		case len(vals) == 0 && e.HasLabels:
			return value{}, fail(e.span, "table.empty-needs-covering")
		case e.HasLabels || e.HasCovering:
			return value{}, fail(e.span, "table.postfix-on-list")
		}
		return value{kind: kindList, ref: vals}, nil
	}
}

// valueWeight is how many points take as much memory as a value in a list.
const valueWeight = 5

// dayRange gives a, then the day starts that follow up to b.
func (ev *evaluation) dayRange(from value, to code, fr *frame, el ListElem, sc *scope) ([]int64, error) {
	a, err := asPoint(from, el.From.Span())
	if err != nil {
		return nil, err
	}
	v, err := to(fr)
	if err != nil {
		return nil, err
	}
	b, err := asPoint(v, el.To.Span())
	if err != nil {
		return nil, err
	}
	z, err := ev.scopeZone(el.From.Span(), sc)
	if err != nil {
		return nil, err
	}
	var days []int64
	for p := a; p <= b; p = z.addDays(p, 1) {
		if err := ev.hold(valueWeight); err != nil {
			return nil, placed(err, el.From.Span())
		}
		if err := ev.step(1); err != nil {
			return nil, placed(err, el.From.Span())
		}
		days = append(days, p)
	}
	return days, nil
}

func (c *compiler) table(e *ListLit, vals []value, fr *frame) (value, error) {
	ev, sc := c.ev, c.sc
	t := &table{pts: make([]int64, len(vals))}
	for i, v := range vals {
		t.pts[i] = v.int
		if i > 0 && t.pts[i] <= t.pts[i-1] {
			return value{}, fail(e.span, "table.order", ev.format(t.pts[i-1]), ev.format(t.pts[i]))
		}
	}
	if e.HasLabels {
		t.labels = make([]value, 0, len(e.Labels))
		for _, el := range e.Labels {
			n, ok := el.From.(*NameRef)
			if !ok || el.To != nil {
				return value{}, fail(el.From.Span(), "table.labels-name")
			}
			t.labels = append(t.labels, text(n.Name))
		}
		if len(t.labels) != len(t.pts) {
			return value{}, fail(e.span, "table.labels-length", len(t.labels), len(t.pts))
		}
	}
	t.src.asof = ev.asof(sc)
	if e.HasCovering {
		if err := c.cover(t, e.Covering, fr); err != nil {
			return value{}, err
		}
		for _, p := range t.pts {
			if !inside(t.src.cover, p) {
				return value{}, fail(e.span, "table.outside-covering", ev.format(p), t.src.covering)
			}
		}
	} else {
		first, last := t.pts[0], t.pts[len(t.pts)-1]
		t.src.cover = []interval{{first, last + 1}}
		t.src.covering = ev.format(first) + ".." + ev.format(last)
	}
	if wholeDays(e) {
		t.align = ev.dayGrain(sc)
	}
	return value{kind: kindTable, ref: t}, nil
}

func (c *compiler) emptyTable(e *ListLit, fr *frame) (value, error) {
	t := &table{align: align{kind: alignVacuous}}
	if e.HasLabels {
		if len(e.Labels) > 0 {
			return value{}, fail(e.span, "table.labels-length", len(e.Labels), 0)
		}
		t.labels = []value{}
	}
	if err := c.cover(t, e.Covering, fr); err != nil {
		return value{}, err
	}
	t.src.asof = c.ev.asof(c.sc)
	return value{kind: kindTable, ref: t}, nil
}

func (c *compiler) cover(t *table, ranges []CoverRange, fr *frame) (err error) {
	t.src.cover, t.src.covering, t.concluded, err = c.covering(ranges, fr)
	return err
}

// wholeDays says whether every element is written as a date without a time, or as a range of such.
func wholeDays(e *ListLit) bool {
	day := func(x Expr) bool {
		d, ok := x.(*DateLit)
		return ok && !d.HasTime
	}
	for _, el := range e.Elems {
		if !day(el.From) || el.To != nil && !day(el.To) {
			return false
		}
	}
	return true
}

// inside says whether an instant is covered by one of several intervals in order.
func inside(cover []interval, t int64) bool {
	i := sort.Search(len(cover), func(i int) bool { return cover[i].to > t })
	return i < len(cover) && cover[i].from <= t
}

// covering resolves the ranges of a covering in the scope's zone: intervals, the printed form, and whether an end is
// open.
func (c *compiler) covering(ranges []CoverRange, fr *frame) (ivs []interval, printed string, concluded bool, err error) {
	z, err := c.ev.scopeZone(spanOf(ranges), c.sc)
	if err != nil {
		return nil, "", false, err
	}
	day := func(ms int64) string {
		y, m, d, _ := z.local(ms)
		return pad(y, 1) + "-" + pad(m, 2) + "-" + pad(d, 2)
	}
	var parts []string
	for i, r := range ranges {
		iv := interval{minusInf, plusInf}
		from, to := "", ""
		if r.From != nil {
			if iv.from, err = c.edge(r.From, z, false, fr); err != nil {
				return nil, "", false, err
			}
			from = day(iv.from)
		}
		if r.To != nil {
			if iv.to, err = c.edge(r.To, z, true, fr); err != nil {
				return nil, "", false, err
			}
			to = day(iv.to - 1)
		}
		if iv.to <= iv.from {
			return nil, "", false, fail(r.Span, "covering.reversed", from, to)
		}
		parts = append(parts, from+".."+to)
		concluded = concluded || r.From == nil || r.To == nil
		ivs = append(ivs, iv)
		if i > 0 && iv.from < ivs[i-1].to {
			return nil, "", false, fail(r.Span, "covering.order", parts[i-1], parts[i])
		}
	}
	return ivs, strings.Join(parts, ", "), concluded, nil
}

func spanOf(ranges []CoverRange) Span {
	if len(ranges) == 0 {
		return Span{}
	}
	return ranges[0].Span
}

// edge gives the instant of one end of a covering range: a date is its day, a number a year; the day or year of an end is
// within.
func (c *compiler) edge(e Expr, z *zone, end bool, fr *frame) (int64, error) {
	if d, ok := e.(*DateLit); ok && !d.HasTime {
		if end {
			return z.dayStart(d.Year, d.Month, d.Day+1), nil
		}
		return z.dayStart(d.Year, d.Month, d.Day), nil
	}
	v, err := c.expr(e)(fr)
	if err != nil {
		return 0, err
	}
	switch v.kind {
	case kindNumber:
		year := v.num
		if year != float64(int(year)) || year < 0 || year > 9999 {
			return 0, fail(e.Span(), "covering.edge", formatNumber(year))
		}
		if end {
			year++
		}
		return z.dayStart(int(year), 1, 1), nil
	case kindPoint:
		if end {
			return z.addDays(z.floorDay(v.int), 1), nil
		}
		return v.int, nil
	}
	return 0, fail(e.Span(), "covering.edge", v.kind)
}

// claim replaces the annotations of a definition's value by the complement of the coverage that it claims. Nobody can
// claim more than the parts can speak for: where they are not annotated, and what their sources cover.
func (ev *evaluation) claim(v value, d *Binding, name string, sc *scope) (value, error) {
	if v.kind == kindLambda {
		return value{}, fail(d.NameSpan, "claim.on-lambda", name)
	}
	c := &compiler{ev: ev, sc: sc}
	ivs, printed, concluded, err := c.covering(d.Claim, nil)
	if err != nil {
		return value{}, err
	}
	s, err := ev.stream(v, "", d.Value.Span())
	if err != nil {
		return value{}, err
	}
	spoken := complement(s.notes)
	sources := map[*source]bool{}
	for _, n := range s.notes {
		if !sources[n.src] {
			sources[n.src] = true
			spoken = append(spoken, n.src.cover...)
		}
	}
	spoken = mergeIntervals(spoken)
	for _, iv := range ivs {
		i := sort.Search(len(spoken), func(i int) bool { return spoken[i].from > iv.from }) - 1
		if i < 0 || spoken[i].to < iv.to {
			return value{}, fail(d.NameSpan, "claim.too-wide", name, printed)
		}
	}
	src := source{name: name, covering: printed, cover: ivs, asof: ev.asof(sc)}
	ev.use(src, concluded)
	claimed := *s
	claimed.notes = uncoveredNotes(ivs, &src)
	return value{kind: kindStream, ref: &claimed}, nil
}

// asof is the `asof` member in force as printed: a date in the run's zone, a number as written.
func (ev *evaluation) asof(sc *scope) string {
	switch m := sc.members.vals["asof"].(type) {
	case nil:
		return ""
	case *DateLit:
		ms, _ := ev.runZone.anchor(daysFromCivil(m.Year, m.Month, m.Day)*dayMs + m.Time)
		return ev.format(ms)
	default:
		return memberText(m)
	}
}

// mergeIntervals sorts intervals and joins those that touch.
func mergeIntervals(ivs []interval) []interval {
	slices.SortFunc(ivs, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
	out := ivs[:0]
	for _, iv := range ivs {
		if n := len(out); n > 0 && iv.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, iv.to)
		} else {
			out = append(out, iv)
		}
	}
	return out
}
