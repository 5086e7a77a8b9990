package kairos

// printer prints instants that mostly come in order: the date of a day is made once.
type printer struct {
	z        *zone
	from, to int64 // where date holds and the wall clock runs evenly
	base     int64 // the instant at which the wall clock would show the day's midnight
	date     [10]byte
}

// add appends an instant as zone.appendFormat prints it.
func (p *printer) add(b []byte, ms int64) []byte {
	if ms < p.from || ms >= p.to {
		s := p.z.segmentAt(ms)
		y, m, d, tod := p.z.local(ms)
		if y < 0 || y > 9999 {
			return p.z.appendFormat(b, ms)
		}
		p.base = ms - tod
		p.from, p.to = max(p.base, s.from), min(p.base+dayMs, s.to)
		p.date = [10]byte{byte('0' + y/1000), byte('0' + y/100%10), byte('0' + y/10%10), byte('0' + y%10), '-',
			byte('0' + m/10), byte('0' + m%10), '-', byte('0' + d/10), byte('0' + d%10)}
	}
	b = append(b, p.date[:]...)
	tod := uint32(ms - p.base)
	if tod == 0 {
		return b
	}
	s := tod / 1000
	h, mi := s/3600, s/60%60
	b = append(b, 'T', byte('0'+h/10), byte('0'+h%10), ':', byte('0'+mi/10), byte('0'+mi%10))
	if s %= 60; s != 0 {
		b = append(b, ':', byte('0'+s/10), byte('0'+s%10))
	}
	return b
}

// Texts prints points in the run's zone.
func (r *Result) Texts(points []int64) []string {
	const longest = len("2006-01-02T15:04") // mostly
	out := make([]string, len(points))
	ends := make([]int32, 0, len(points))
	buf := make([]byte, 0, longest*len(points))
	p := printer{z: r.zone}
	for i := 0; i < len(points); {
		buf, ends = buf[:0], ends[:0]
		// In portions, so that a text that is kept does not keep all others.
		n := min(len(points), i+1<<16)
		for _, ms := range points[i:n] {
			buf = p.add(buf, ms)
			ends = append(ends, int32(len(buf)))
		}
		all, start := string(buf), int32(0)
		for k, end := range ends {
			out[i+k] = all[start:end]
			start = end
		}
		i = n
	}
	return out
}
