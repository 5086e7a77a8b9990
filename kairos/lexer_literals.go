package kairos

import (
	"math"
	"strconv"
)

// digits reads what begins with a digit: a date, a width or a number, tried in this order.
func (l *lexer) digits() *Error {
	if matches(l.src, l.i, "0000-00-00") {
		return l.date()
	}
	j := l.i
	var days, elapsed bool
	for {
		end, ok := numberEnd(l.src, j)
		if !ok {
			break
		}
		switch l.at(end) {
		case 'd':
			days = true
		case 'h', 'm', 's':
			elapsed = true
		default:
			ok = false
		}
		if !ok {
			break
		}
		j = end + 1
	}
	if j == l.i {
		end, _ := numberEnd(l.src, j)
		l.add(tokNumber, end)
		return nil
	}
	if days && elapsed {
		return fail(Span{l.i, j}, "lex.width-mixed", l.src[l.i:j])
	}
	l.add(tokWidth, j)
	return nil
}

// numberEnd gives the end of digits with an optional decimal part.
func numberEnd(src string, i int) (end int, ok bool) {
	j := digitsEnd(src, i)
	if j == i {
		return i, false
	}
	if j < len(src) && src[j] == '.' {
		if k := digitsEnd(src, j+1); k > j+1 {
			return k, true
		}
	}
	return j, true
}

func digitsEnd(src string, i int) int {
	for i < len(src) && isDigit(src[i]) {
		i++
	}
	return i
}

// matches says whether the source at i has the shape of the pattern, in which 0 stands for any digit.
func matches(src string, i int, pattern string) bool {
	if len(src)-i < len(pattern) {
		return false
	}
	for k := range len(pattern) {
		if pattern[k] == '0' && !isDigit(src[i+k]) || pattern[k] != '0' && src[i+k] != pattern[k] {
			return false
		}
	}
	return true
}

func (l *lexer) date() *Error {
	day := l.i + len("0000-00-00")
	end := day
	if matches(l.src, day, "T00:00") {
		end = clockEnd(l.src, day)
		if !clockReal(l.src[day:end]) {
			return fail(Span{l.i, end}, "lex.time-range", l.src[l.i:end])
		}
	}
	if y, m, d := dateOf(l.src[l.i:day]); !validDate(y, m, d) {
		return fail(Span{l.i, day}, "lex.date-not-real", l.src[l.i:day])
	}
	l.add(tokDate, end)
	return nil
}

// clock reads a time of day; the caller has seen Tdd:.
func (l *lexer) clock() *Error {
	if !matches(l.src, l.i, "T00:00") {
		return fail(Span{l.i, l.i + len("T00:")}, "lex.time-malformed", l.src[l.i:l.i+len("T00:")])
	}
	end := clockEnd(l.src, l.i)
	if !clockReal(l.src[l.i:end]) {
		return fail(Span{l.i, end}, "lex.time-range", l.src[l.i:end])
	}
	l.add(tokTime, end)
	return nil
}

// clockEnd gives the end of a time of day that begins at i with Thh:mm.
func clockEnd(src string, i int) int {
	end := i + len("T00:00")
	if !matches(src, end, ":00") {
		return end
	}
	end += len(":00")
	if matches(src, end, ".0") {
		end = digitsEnd(src, end+1)
	}
	return end
}

// clockReal says whether Thh:mm or Thh:mm:ss… is a time of some day. The last second of a day is 59.
func clockReal(t string) bool {
	return two(t, 1) <= 23 && two(t, 4) <= 59 && (len(t) < len("T00:00:00") || two(t, 7) <= 59)
}

func two(s string, i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }

// dateOf takes yyyy-mm-dd apart.
func dateOf(s string) (year, month, day int) { return two(s, 0)*100 + two(s, 2), two(s, 5), two(s, 8) }

// clockOf gives the milliseconds since midnight of Thh:mm, Thh:mm:ss or Thh:mm:ss.f. A fraction of a millisecond is
// rounded to the nearest.
func clockOf(t string) int64 {
	ms := int64(two(t, 1)*3600+two(t, 4)*60) * 1000
	if len(t) < len("T00:00:00") {
		return ms
	}
	if len(t) == len("T00:00:00") {
		return ms + int64(two(t, 7))*1000
	}
	// The fraction is added to the seconds before it is rounded, so that the result does not depend on the precision
	// with which the fraction alone can be held. The conversions keep machines that can from fusing two operations, which
	// would round otherwise.
	seconds := float64(two(t, 7)) + parseNumber("0"+t[len("T00:00:00"):])
	whole := math.Floor(seconds)
	return ms + int64(whole)*1000 + int64(math.Floor(float64((seconds-whole)*1000)+0.5))
}

// parseNumber gives the value of digits with an optional decimal part; too large a number is infinite.
func parseNumber(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

// widthOf gives the amount of a width such as 1h30m: days when civil, else milliseconds.
func widthOf(s string) (civil bool, amount float64) {
	for i := 0; i < len(s); {
		end, _ := numberEnd(s, i)
		n := parseNumber(s[i:end])
		switch s[end] {
		case 'd':
			civil = true
		case 'h':
			n = float64(n * 3_600_000)
		case 'm':
			n = float64(n * 60_000)
		case 's':
			n = float64(n * 1000) // not fused with the sum below, here and above
		}
		amount += n
		i = end + 1
	}
	return civil, amount
}
