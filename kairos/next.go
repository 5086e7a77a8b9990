package kairos

import "context"

// lastDay is the last that a range can end with.
var lastDay = Date{9999, 12, 31}

// Next finds the first n points from a day on. It looks one year ahead, then two, four and so on, at most years. The
// result is that of an evaluation up to the day after the n-th point, cut to n points; when there are fewer within the
// years, it is that of an evaluation of all of them. To is the end of that range. The program must have one body
// expression, and n and years are at least 1. The error is an *Error.
func (p *Program) Next(ctx context.Context, from Date, n, years int, o Options) (r *Result, to Date, err error) {
	if n < 1 || years < 1 {
		return nil, from, finished(fail(Span{}, "run.next-count", n, years), p.src)
	}
	for ahead := 1; ; ahead = min(ahead*2, years) {
		if to = from.AddYears(ahead); to.Year > lastDay.Year {
			to, years = lastDay, ahead // no range goes further
		}
		if r, err = p.Eval(ctx, Range{from, to}, o); err != nil {
			return nil, to, err
		}
		switch len(r.Listings) {
		case 0:
			return nil, to, finished(fail(Span{}, "run.no-body"), p.src)
		case 1:
		default:
			return nil, to, finished(fail(Span{}, "run.many-bodies", len(r.Listings)), p.src)
		}
		if points := r.Listings[0].Points; len(points) >= n {
			y, m, d, _ := r.zone.local(points[n-1])
			to = Date{y, m, d}.AddDays(1)
			break
		}
		if ahead >= years {
			return r, to, nil
		}
	}
	if r, err = p.Eval(ctx, Range{from, to}, o); err != nil {
		return nil, to, err
	}
	l := &r.Listings[0]
	l.Points = l.Points[:min(n, len(l.Points))]
	return r, to, nil
}
