package kairos

import "math"

// kind is the dynamic type of a value.
type kind uint8

const (
	kindNone    kind = iota // an absent value
	kindNumber              // num
	kindBool                // int: 0 or 1
	kindString              // ref: string; an enumeration label is a string too
	kindList                // ref: []value
	kindPoint               // int: milliseconds since 1970-01-01T00:00Z
	kindTime                // int: milliseconds since midnight
	kindWidth               // ref: *WidthLit
	kindTable               // ref: *table
	kindStream              // ref: *stream
	kindWindows             // ref: *windows
	kindCycle               // ref: *cycle
	kindLambda              // ref: *lambda
	kindChronos             // the continuous base
	kindInstant             // everyInstant
)

// value is any value of the language.
type value struct {
	kind kind
	int  int64
	num  float64
	ref  any
}

func number(f float64) value { return value{kind: kindNumber, num: f} }
func text(s string) value    { return value{kind: kindString, ref: s} }
func point(ms int64) value   { return value{kind: kindPoint, int: ms} }

func boolean(b bool) value {
	if b {
		return value{kind: kindBool, int: 1}
	}
	return value{kind: kindBool}
}

// scalar says whether v is a number, a boolean or a string.
func (v value) scalar() bool { return v.kind >= kindNumber && v.kind <= kindString }

// The ends of an open interval. All real instants lie well between them.
const (
	minusInf = math.MinInt64
	plusInf  = math.MaxInt64
)

// interval is [from, to), in milliseconds; the ends may be minusInf and plusInf.
type interval struct{ from, to int64 }

// spans is a sequence of windows sorted by start; window i is [start[i], end[i]). For a sequence without gaps, end is
// the same memory as start[1:].
type spans struct {
	start, end []int64
	// tiled: every window ends where the next begins.
	tiled bool
	// skips: some windows are empty, for the dates that a zone leaps over.
	skips bool
}

// tiles makes windows of consecutive boundaries.
func tiles(bounds []int64) *spans {
	if len(bounds) < 2 {
		return &spans{tiled: true}
	}
	n := len(bounds) - 1
	return &spans{start: bounds[:n:n], end: bounds[1:], tiled: true}
}

func (s *spans) len() int { return len(s.start) }

// find gives the index of the last window that starts at or before t and contains it, or -1.
func (s *spans) find(t int64) int {
	lo, hi := 0, len(s.start)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if s.start[m] <= t {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo == 0 || t >= s.end[lo-1] {
		return -1
	}
	return lo - 1
}

// cursor finds windows for points that mostly come in order.
type cursor struct {
	s *spans
	i int
}

func (c *cursor) find(t int64) int {
	s := c.s
	if i := c.i; i < len(s.start) && s.start[i] <= t {
		if t < s.end[i] && (s.tiled || i+1 >= len(s.start) || s.start[i+1] > t) {
			return i
		}
		if i+1 < len(s.start) && s.start[i+1] <= t && t < s.end[i+1] && (s.tiled || i+2 >= len(s.start) || s.start[i+2] > t) {
			c.i = i + 1
			return i + 1
		}
	}
	i := s.find(t)
	if i >= 0 {
		c.i = i
	}
	return i
}

// alignKind says on what grid all points of a stream lie.
type alignKind uint8

const (
	alignNone    alignKind = iota
	alignCivil             // a grid of civil days of a zone
	alignElapsed           // a grid of elapsed time
	alignVacuous           // no points at all: equal to every alignment
)

// align is a claim that all points lie on one grid.
type align struct {
	kind  alignKind
	step  int64  // civil: days; elapsed: milliseconds
	phase int64  // civil: day index modulo step; elapsed: milliseconds modulo step
	off   int64  // civil: wall time of day, milliseconds
	zone  string // civil: the zone's name as written
}

// same says whether two alignments are equal: both exist and agree, or one is vacuous.
func (a align) same(b align) bool {
	if a.kind == alignVacuous || b.kind == alignVacuous {
		return true
	}
	return a.kind != alignNone && a == b
}

// source is where data come from, as annotations and the coverage summary name it.
type source struct {
	name     string
	covering string // as printed
	cover    []interval
	asof     string // empty when not declared
}

// note is an annotation: in [from, to) the result may depend on data outside the coverage of src.
type note struct {
	from, to int64 // may be minusInf and plusInf
	src      *source
}

// signal is a reading of data beyond their coverage. A filter catches it: the point is dropped and annotated. Outside of a
// filter it ends the evaluation as an error of class Uncovered.
type signal struct {
	what      unknown
	at        Span
	t         int64 // the instant that was asked about
	notes     []note
	window    interval // the window that was read
	hasWindow bool
}

func (s *signal) Error() string { return "a value depends on data beyond their coverage" }

// unknown is what a signal says cannot be known.
type unknown uint8

const (
	unknownPoint   unknown = iota // what a lookup at an instant would find
	unknownWindow                 // the borders of a window
	unknownMeeting                // whether a point lies in a window
	unknownOpening                // whether a calendar is open
)

// stream is a sequence of points with what is known of them.
type stream struct {
	pts     []int64 // sorted
	levels  []*level
	align   align
	notes   []note
	endless bool  // goes on beyond the horizon
	lost    int64 // in a local evaluation, points before it may be missing; else 0
}

// level is one level of windows that `within` or `segmentBy` laid over a stream.
type level struct {
	name   string // empty: cannot be addressed
	spans  *spans
	labels labels
	grain  align
	notes  []note
	// In a local evaluation, windows that start before lost may be missing, and some of them in the middle when thinned;
	// else 0.
	lost    int64
	thinned bool
	over    []int64 // the points that segmentBy laid it over
}

// windowed gives the innermost windows of a stream that is what segmentBy made, and has not been thinned or moved since.
func (s *stream) windowed() *level {
	n := len(s.levels)
	if n == 0 {
		return nil
	}
	l := s.levels[n-1]
	if len(s.pts) == 0 || len(l.over) != len(s.pts) || &l.over[0] != &s.pts[0] {
		return nil
	}
	return l
}

// labels is where the windows of a sequence get their labels from: at most one of the fields is set.
type labels struct {
	fn    *lambda // of the start of the window
	list  []value // scalars of one type; window i has list[i], or, when cyclic, list[(i-first) mod len(list)]
	cycle bool
	first int
}

func (l labels) none() bool { return l.fn == nil && l.list == nil }

// windows is a partition made by grid, span or split.
type windows struct {
	spans *spans
	units []int64 // the unit points, sorted
	grid  bool    // made by grid itself
	label *lambda // or nil
	grain align
	name  string // for messages and levels; may be empty
}

// cycle repeats labels over windows.
type cycle struct {
	spans  *spans
	labels []value // strings
	anchor int     // index of the window that has labels[0]
	grain  align
}

// table is a constant sequence of points with the time that its source covers.
type table struct {
	pts       []int64
	labels    []value // strings, as many as pts; nil without labels
	src       source
	concluded bool // the covering has an open end
	align     align
	cached    *[]note // its annotations, once asked for
}
