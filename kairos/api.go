package kairos

// Date is a civil date, not bound to a zone.
type Date struct{ Year, Month, Day int }

// Range is the days of an evaluation: from the start of From up to, not including, the start of To. From may be no earlier
// than 1970, To no later than the year 9999. A range whose To is not after its From holds no day, and so no point; it is
// evaluated all the same.
type Range struct{ From, To Date }

// Options says how to evaluate a program. The zero value evaluates in Asia/Tokyo, without outside data.
type Options struct {
	// TZ is the zone of the range and of printed points: a name such as "Europe/Paris" or an offset such as "+09:00".
	// Empty means "Asia/Tokyo". A premise's own `tz` decides for the premise.
	TZ string
	// Supply answers `external` declarations; nil means that there is none.
	Supply Supplier
	// Local evaluates only the neighbourhood of the range instead of everything since 1970, which is faster, and lets a
	// program that fails far outside the range still give points; Result.Local then says so. Where the whole evaluation
	// succeeds, the result is the same in all else: where the neighbourhood may not be enough, the whole evaluation follows.
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
	Source string   // where the data come from, in the program's words; never empty
}

// ExternalData is what a Supplier gives. Dates are days "2026-01-05" of the premise's zone, Instants are milliseconds
// since 1970-01-01T00:00Z; the one that the declaration's kind does not name must be nil. Covering is written as in a
// program ("2026..2026", "2026-01-01..", ".."); it and AsOf must not be empty.
type ExternalData struct {
	Dates    []string
	Instants []float64 // not an integer is a breach of the contract, which is reported as such
	Covering string
	AsOf     string   // how old the data are, in any words
	Labels   []string // one for each date or instant, each of the declaration's Labels; nil where that has none
}

// Supplier gives the data of PREMISE.word, or nil when it has none. An evaluation asks for a word
// of a source once, or twice with Options.Local, and evaluations on several goroutines ask at the same time. What it gives
// is only read, and must not be changed while an evaluation lasts. An *Error that it gives is reported as it is, any other as supply.failed.
type Supplier func(premise, word string, decl ExternalDecl) (*ExternalData, error)

// Annotation says that the result may depend, within the range, on data outside the coverage of a source.
type Annotation struct {
	From, To int64  // milliseconds, cut to the range
	FromText string // printed in the run's zone
	ToText   string
	Source   string // the name of the data, such as "Shop.closed"
	Covering string // what the data cover, such as "2026-01-01..2026-12-31"
	AsOf     string // empty when the source declares none
}

// Coverage says how far the data of one source reach.
type Coverage struct {
	Source    string // as in Annotation
	Covering  string
	AsOf      string // empty when the source declares none
	Concluded bool   // the covering has an open end: the author claims completeness
	Endless   bool   // the covering never ends
	Runway    int64  // days from the end of the range to the end of the covering, below 0 where the range ends later; 0 when Endless
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
