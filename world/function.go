package world

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"modernc.org/sqlite"
)

func init() {
	sqlite.MustRegisterDeterministicScalarFunction("search", -1, searchSQL)
	sqlite.MustRegisterDeterministicScalarFunction("add_days", 2, addDaysSQL)
	sqlite.MustRegisterDeterministicScalarFunction("days_between", 2, daysBetweenSQL)
}

// searchSQL is search(query, text…): 1 when every word of the query is a word of the texts or begins one. An empty query
// or null finds everything.
func searchSQL(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	if len(args) < 2 {
		return nil, errors.New("search(query, text…) takes a query and one text or more")
	}
	wanted := words(args[0])
	if len(wanted) == 0 {
		return int64(1), nil
	}
	var have []string
	for _, a := range args[1:] {
		have = append(have, words(a)...)
	}
	for _, w := range wanted {
		found := false
		for _, h := range have {
			if found = strings.HasPrefix(h, w) || unspaced(w) && strings.Contains(h, w); found {
				break
			}
		}
		if !found {
			return int64(0), nil
		}
	}
	return int64(1), nil
}

// words gives the words of a text: runs of letters, digits and marks, in NFC and with case folded.
func words(v driver.Value) []string {
	if v == nil {
		return nil
	}
	s, ok := v.(string)
	if !ok {
		s = fmt.Sprint(v)
	}
	if ascii(s) {
		s = strings.ToLower(s)
	} else {
		s = norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
	}
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

// unspaced says whether a word is of a script that is written without spaces, where a word may begin anywhere.
func unspaced(w string) bool {
	return strings.ContainsFunc(w, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

// addDaysSQL is add_days(date, n): the civil date n days later; null for what is no date.
func addDaysSQL(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	day, ok := civil(args[0])
	n, whole := args[1].(int64)
	if !ok || !whole || n < -4_000_000 || n > 4_000_000 {
		return nil, nil
	}
	day = day.AddDate(0, 0, int(n))
	if day.Year() < 0 || day.Year() > 9999 {
		return nil, nil
	}
	return day.Format(time.DateOnly), nil
}

// daysBetweenSQL is days_between(a, b): how many days b is after a; null where either is no date.
func daysBetweenSQL(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	a, ok := civil(args[0])
	b, too := civil(args[1])
	if !ok || !too {
		return nil, nil
	}
	return (b.Unix() - a.Unix()) / 86400, nil
}

// civil takes the date of a text YYYY-MM-DD, with or without a time of day behind it.
func civil(v driver.Value) (time.Time, bool) {
	s, ok := v.(string)
	if !ok || len(s) < 10 || len(s) > 10 && s[10] != 'T' && s[10] != ' ' {
		return time.Time{}, false
	}
	t, err := time.Parse(time.DateOnly, s[:10])
	return t, err == nil
}
