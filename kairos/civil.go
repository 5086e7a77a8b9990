package kairos

// dayMs is the length in milliseconds of a day without a change of offset.
const dayMs = 86_400_000

// daysFromCivil gives the number of days from 1970-01-01 to a date of the proleptic Gregorian calendar. Months and days
// beyond their ends count on into the neighbouring years and months.
func daysFromCivil(y, m, d int) int64 {
	if m < 1 || m > 12 {
		years := floorDiv(int64(m)-1, 12)
		y += int(years)
		m -= int(years) * 12
	}
	// Years begin in March here, so that the leap day is the last day of one.
	year := int64(y)
	month := int64(m) - 3
	if m < 3 {
		year--
		month += 12
	}
	era := floorDiv(year, 400)
	ofEra := year - era*400
	return era*146_097 + ofEra*365 + ofEra/4 - ofEra/100 + (153*month+2)/5 + int64(d) - 1 - 719_468
}

// civilFromDays is the inverse of daysFromCivil.
func civilFromDays(n int64) (y, m, d int) {
	n += 719_468
	era := floorDiv(n, 146_097)
	ofEra := uint32(n - era*146_097)
	yearOfEra := (ofEra - ofEra/1460 + ofEra/36_524 - ofEra/146_096) / 365
	ofYear := ofEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	month := (5*ofYear + 2) / 153
	d = int(ofYear-(153*month+2)/5) + 1
	y = int(era)*400 + int(yearOfEra)
	m = int(month) + 3
	if m > 12 {
		m -= 12
		y++
	}
	return y, m, d
}

// validDate says whether the calendar has the date; years may be any.
func validDate(y, m, d int) bool {
	if m < 1 || m > 12 || d < 1 {
		return false
	}
	switch m {
	case 4, 6, 9, 11:
		return d <= 30
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return d <= 29
		}
		return d <= 28
	}
	return d <= 31
}

// floorDiv is a/b for b > 0, rounded towards minus infinity.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
