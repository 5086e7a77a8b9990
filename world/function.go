package world

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"index/suffixarray"
	"slices"
	"strings"
	"sync/atomic"
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
	wanted := questionOf(args[0])
	if len(wanted.begin)+len(wanted.within) == 0 {
		return int64(1), nil
	}
	var have []string
	for _, a := range args[1:] {
		have = append(have, words(a)...)
	}
	if wanted.foundIn(have) {
		return int64(1), nil
	}
	return int64(0), nil
}

// question is a query's words, each once: those that begin a word, and those of scripts without spaces, which may stand
// anywhere in one.
type question struct {
	text          string
	begin, within []string
}

// asked is the query that was read last: a statement asks the same of each row, and its words are the same.
var asked atomic.Pointer[question]

func questionOf(v driver.Value) *question {
	text, ok := v.(string)
	if last := asked.Load(); ok && last != nil && last.text == text {
		return last
	}
	q := &question{text: text}
	all := words(v)
	slices.Sort(all)
	for _, w := range slices.Compact(all) {
		if unspaced(w) {
			q.within = append(q.within, w)
		} else {
			q.begin = append(q.begin, w)
		}
	}
	if ok {
		asked.Store(q)
	}
	return q
}

// fewWords is how many words are looked for one by one. More are looked up in an index of the texts, so that a call whose
// query and texts are both long takes time by their sum and not by their product.
const fewWords = 8

func (q *question) foundIn(have []string) bool {
	if len(q.begin) <= fewWords {
		for _, w := range q.begin {
			if !slices.ContainsFunc(have, func(h string) bool { return strings.HasPrefix(h, w) }) {
				return false
			}
		}
	} else {
		slices.Sort(have)
		for _, w := range q.begin {
			if i, _ := slices.BinarySearch(have, w); i == len(have) || !strings.HasPrefix(have[i], w) {
				return false
			}
		}
	}
	if len(q.within) == 0 {
		return true
	}
	whole := strings.Join(have, "\n") // no word holds a line break
	if len(q.within) <= fewWords {
		return !slices.ContainsFunc(q.within, func(w string) bool { return !strings.Contains(whole, w) })
	}
	index := suffixarray.New([]byte(whole))
	return !slices.ContainsFunc(q.within, func(w string) bool { return len(index.Lookup([]byte(w), 1)) == 0 })
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
