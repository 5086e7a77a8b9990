package kairos

import "testing"

// benchStreams gives what an evaluation of 57 years works on: every day, the days from Monday to Friday, weeks and months
// of 30 days.
func benchStreams(b *testing.B) (ev *evaluation, every, business, off *stream, weeks, months *spans) {
	ev = stageEval(b, "UTC")
	days := ev.runZone.days(ev.horizon)
	every = &stream{pts: days, align: civilDay("UTC"), endless: true}
	business = &stream{align: civilDay("UTC"), endless: true, notes: []note{{minusInf, days[20000], srcX}, {days[20700], plusInf, srcX}}}
	off = &stream{align: civilDay("UTC"), notes: business.notes}
	var mondays, firsts []int64
	for i, d := range days {
		switch (i + 3) % 7 {
		case 5, 6:
			off.pts = append(off.pts, d)
			continue
		case 0:
			mondays = append(mondays, d)
		}
		business.pts = append(business.pts, d)
	}
	for i := 0; i < len(days); i += 30 {
		firsts = append(firsts, days[i])
	}
	return ev, every, business, off, tiles(mondays), tiles(append(firsts, ev.horizon+30*dayMs))
}

func BenchmarkStages(b *testing.B) {
	ev, every, business, off, weeks, months := benchStreams(b)
	at := Span{}
	days := tiles(every.pts)
	holidays := &stream{align: every.align, pts: every.pts[20000:20400], notes: business.notes}
	inMonths, err := ev.within(at, business, "month", months, every.align, nil)
	if err != nil {
		b.Fatal(err)
	}
	mondays := &stream{align: every.align, pts: weeks.start, endless: true}
	nine := &WidthLit{Civil: true, Amount: 1}
	for _, bb := range []struct {
		name string
		run  func() (*stream, error)
	}{
		{"union", func() (*stream, error) { return ev.combine(at, '|', off, business) }},
		{"union-few", func() (*stream, error) { return ev.combine(at, '|', every, holidays) }},
		{"intersection", func() (*stream, error) { return ev.combine(at, '&', every, business) }},
		{"difference", func() (*stream, error) { return ev.combine(at, '\\', every, off) }},
		{"filter-on", func() (*stream, error) { return ev.filterOn(at, every, business) }},
		{"within", func() (*stream, error) { return ev.within(at, every, "month", months, every.align, nil) }},
		{"first-of-month", func() (*stream, error) { return ev.selectPoints(at, inMonths, selFirst, 0, "", false) }},
		{"nth-of-month", func() (*stream, error) { return ev.selectPoints(at, inMonths, selNth, 5, "", false) }},
		{"roll", func() (*stream, error) { return ev.roll(at, every, true, business) }},
		{"shift-axis", func() (*stream, error) { return ev.shiftAxis(at, business, 3, business, "") }},
		{"shift-days", func() (*stream, error) { return ev.shiftWindows(at, business, 1, days, every.align, "") }},
		{"shift-months", func() (*stream, error) { return ev.shiftWindows(at, every, 1, months, every.align, "") }},
		{"snap-to-weeks", func() (*stream, error) {
			return ev.snapTo(at, &stream{pts: every.pts[10:20000]}, weeks, every.align, nil)
		}},
		{"segment-by-weeks", func() (*stream, error) {
			return ev.segmentBy(at, every, segmentArgs{marker: mondays, edges: "clip", empties: "keep"})
		}},
		{"segment-error-empties", func() (*stream, error) {
			return ev.segmentBy(at, every, segmentArgs{marker: mondays, edges: "drop", empties: "error"})
		}},
		{"rebase", func() (*stream, error) { return ev.rebase(at, every, "Asia/Tokyo") }},
		{"stride", func() (*stream, error) { return ev.stride(at, every, 3, 0) }},
		{"nine-o-clock", func() (*stream, error) { return ev.strideBy(at, nine, 9*hourMs, ev.runZone) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ev.points, ev.steps, ev.warnings = DefaultLimits().Points, DefaultLimits().Steps, nil
				if _, err := bb.run(); err != nil {
					b.Fatal(err, err.(*Error).args)
				}
			}
		})
	}
}

func BenchmarkHours(b *testing.B) {
	ev, _, business, _, _, _ := benchStreams(b)
	opens, closes := &stream{}, &stream{}
	for _, d := range business.pts {
		opens.pts = append(opens.pts, d+9*hourMs, d+13*hourMs)
		closes.pts = append(closes.pts, d+12*hourMs, d+17*hourMs)
	}
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ev.points, ev.steps = DefaultLimits().Points, DefaultLimits().Steps
			if _, err := ev.newHours(Span{}, opens, closes, business, ev.runZone); err != nil {
				b.Fatal(err)
			}
		}
	})
	h, err := ev.newHours(Span{}, opens, closes, business, ev.runZone)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("minutes-of-a-month", func(b *testing.B) {
		open := 0
		b.ReportAllocs()
		for b.Loop() {
			for t := ev.from; t < ev.to; t += 60_000 {
				if ok, _ := h.isOpen(t); ok {
					open++
				}
			}
		}
		if open == 0 {
			b.Fatal("never open")
		}
	})
}
