package kairos

// LanguageVersion is the version of the language that this package implements: that of its public reference
// implementation, whose points, annotations, coverage and output it gives. It is not the version of this program.
const LanguageVersion = "0.0.1"

// Zone is a time zone, for those who print instants or ask for the date without evaluating a program. LoadZone makes it; the
// zero Zone is none, and its methods panic.
type Zone struct{ z *zone }

// LoadZone gives the zone of a name as Options.TZ takes them; empty is DefaultTZ. The error is an *Error.
func LoadZone(name string) (Zone, error) {
	if name == "" {
		name = DefaultTZ
	}
	z, err := loadZone(name)
	if err != nil {
		return Zone{}, finished(err, "")
	}
	return Zone{z}, nil
}

// Date gives the day that the zone's calendar shows at an instant, in milliseconds since 1970-01-01T00:00Z.
func (z Zone) Date(ms int64) Date {
	y, m, d, _ := z.z.local(ms)
	return Date{y, m, d}
}

// Start gives the first instant of a day, in milliseconds since 1970-01-01T00:00Z.
func (z Zone) Start(d Date) int64 { return z.z.dayStart(d.Year, d.Month, d.Day) }

// Text prints an instant as Result.Text does.
func (z Zone) Text(ms int64) string { return z.z.format(ms) }

// ReadDate reads YYYY-MM-DD as ParseDate does. The error is the *Error that an evaluation over such a range ends with.
func ReadDate(s string) (Date, error) {
	d, ok := ParseDate(s)
	if !ok {
		return Date{}, finished(fail(Span{}, "run.bad-range-date", s), "")
	}
	return d, nil
}

// Weekday gives the day of the week, from 0 for Sunday to 6 for Saturday.
func (d Date) Weekday() int {
	const thursday = 4 // 1970-01-01
	return int(floorMod(daysFromCivil(d.Year, d.Month, d.Day)+thursday, 7))
}

// AddDays gives the day n days later.
func (d Date) AddDays(n int) Date {
	y, m, day := civilFromDays(daysFromCivil(d.Year, d.Month, d.Day) + int64(n))
	return Date{y, m, day}
}

// AddYears gives the same day n years later; 29 February is 1 March where there is none.
func (d Date) AddYears(n int) Date {
	return Date{d.Year + n, d.Month, d.Day}.AddDays(0)
}

// MissingKey is the error of a Supplier whose data have a place for PREMISE.word and nothing in it. Origin names the data.
func MissingKey(origin, premise, word string) error {
	return fail(Span{}, "supply.missing-key", origin, premise+"."+word, word)
}
