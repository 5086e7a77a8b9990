package kairos

// Date is a civil date, not bound to a zone.
type Date struct{ Year, Month, Day int }

// Range is the days of an evaluation: from the start of From up to, not including, the start of To.
type Range struct{ From, To Date }

// Options says how to evaluate a program. The zero value evaluates in Asia/Tokyo, without outside data.
type Options struct {
	// TZ is the zone of the range and of printed points: a name such as "Europe/Paris" or an offset such as "+09:00".
	// Empty means "Asia/Tokyo". A premise's own `tz` decides for the premise.
	TZ string
	// Supply answers `external` declarations; nil means that there is none.
	Supply Supplier
	// Local evaluates only the neighbourhood of the range instead of everything since 1970, so that a program that
	// fails far outside the range can still give points; Result.Local then says so.
	Local bool
	// Limits bound the work; zero fields take the defaults.
	Limits Limits
}

// Limits bound what one evaluation may use. A field that is zero takes its value of DefaultLimits.
type Limits struct {
	Steps  int64 // evaluated operations
	Points int64 // points and windows held in memory, counted as they are made
	Depth  int   // calls within calls
}

// DefaultLimits gives the bounds of an evaluation whose Options name none.
func DefaultLimits() Limits { return Limits{Steps: 200_000_000, Points: 20_000_000, Depth: 500} }

// MaxSource is the size in bytes of the longest source text that Parse accepts.
const MaxSource = 1 << 20

// ExternalDecl is what a program declares of data that come from outside.
type ExternalDecl struct {
	Kind   string   // "dates" or "instants"
	Labels []string // the values that labels may have; nil when the data have no labels
	Source string
}

// ExternalData is what a Supplier gives. Dates are days "2026-01-05" of the premise's zone, Instants are milliseconds
// since 1970-01-01T00:00Z; the one that the declaration's kind does not name must be nil. Covering is written as in a
// program ("2026..2026", "2026-01-01..", ".."); it and AsOf must not be empty.
type ExternalData struct {
	Dates    []string
	Instants []float64 // not an integer is a breach of the contract, which is reported as such
	Covering string
	AsOf     string
	Labels   []string
}

// Supplier gives the data of PREMISE.word, or nil when it has none.
type Supplier func(premise, word string, decl ExternalDecl) (*ExternalData, error)

// Annotation says that the result may depend, within the range, on data outside the coverage of a source.
type Annotation struct {
	From, To int64  // milliseconds, cut to the range
	FromText string // printed in the run's zone
	ToText   string
	Source   string
	Covering string
	AsOf     string // empty when the source declares none
}

// Coverage says how far the data of one source reach.
type Coverage struct {
	Source    string
	Covering  string
	AsOf      string // empty when the source declares none
	Concluded bool   // the covering has an open end: the author claims completeness
	Endless   bool   // the covering never ends
	Runway    int64  // days from the end of the range to the end of the covering; 0 when Endless
}

// Warning is something that an evaluation left out near the edges of what it looks at.
type Warning struct {
	Code     string // such as "horizon-clip"
	Message  string
	Japanese string

	once bool // given by the evaluation of a name, which is evaluated once
}

// Listing is the result of one body expression.
type Listing struct {
	Span        Span    // of the expression
	Points      []int64 // milliseconds since 1970-01-01T00:00Z, in order, within the range
	Annotations []Annotation
}

// Result is what an evaluation gives.
type Result struct {
	Listings []Listing // one for each body expression, in order
	Coverage []Coverage
	Warnings []Warning
	// Local is true when only the neighbourhood of the range was evaluated.
	Local bool

	zone *zone
}
