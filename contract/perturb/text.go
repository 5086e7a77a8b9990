package perturb

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/derive"
)

// change is one change within the text of a file.
type change struct {
	kind          string
	before, after string
	whole         string // the whole text after it
	far           bool
}

const maxTokens = 1500 // numbers and dates of one file that are tried

var (
	token  = regexp.MustCompile(`\d{4}-\d{2}-\d{2}|\d{8}\b|\d{1,3}(?:,\d{3})+\b(?:\.\d+)?|\d+(?:\.\d+)?|\b(?:true|false|yes|no|Yes|No)\b`)
	named  = regexp.MustCompile(`\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})\b`)
	months = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	flips  = map[string]string{"true": "false", "false": "true", "yes": "no", "no": "yes", "Yes": "No", "No": "Yes"}
)

// texts gives the changes of the text of a file: every number, date and truth value in it, and in tables every word of a
// column that takes few.
func (l *Lab) texts(s string) []change {
	var out []change
	put := func(kind string, from, to int, with string, far bool) {
		out = append(out, change{kind, s[from:to], with, s[:from] + with + s[to:], far})
	}
	taken := map[int]bool{}
	for _, m := range named.FindAllStringSubmatchIndex(s, maxTokens) {
		d, ok := wordy(s[m[2]:m[3]], s[m[4]:m[5]], s[m[6]:m[7]])
		if !ok {
			continue
		}
		for i := m[0]; i < m[1]; i++ {
			taken[i] = true
		}
		for i, n := range l.days(d) {
			y, mo, day := n.Date()
			put("date", m[0], m[1], itoa(day)+" "+months[mo-1]+" "+itoa(y), i >= 2)
		}
	}
	for _, m := range token.FindAllStringIndex(s, maxTokens) {
		from, to := m[0], m[1]
		if taken[from] || inWord(s, from, to) {
			continue
		}
		word := s[from:to]
		if flip, ok := flips[word]; ok {
			put("status", from, to, flip, false)
			continue
		}
		compact := len(word) == 8 && !strings.ContainsAny(word, ",.-")
		iso := word
		if compact {
			iso = word[:4] + "-" + word[4:6] + "-" + word[6:]
		}
		if d, ok := derive.ParseDay(iso); ok {
			for i, n := range l.days(d) {
				text := n.String()
				if compact {
					text = strings.ReplaceAll(text, "-", "")
				}
				put("date", from, to, text, i >= 2)
			}
			continue
		}
		plain := strings.ReplaceAll(word, ",", "")
		r, ok := new(big.Rat).SetString(plain)
		if !ok {
			continue
		}
		_, frac, _ := strings.Cut(plain, ".")
		for i, n := range l.numbers(r, len(frac)) {
			if n.Sign() >= 0 {
				put("number", from, to, n.FloatString(len(frac)), i >= 2)
			}
		}
	}
	return append(out, cells(s)...)
}

func wordy(day, month, year string) (derive.Day, bool) {
	m := slices.Index(months, month) + 1
	if len(day) == 1 {
		day = "0" + day
	}
	mm := itoa(m)
	if m < 10 {
		mm = "0" + mm
	}
	return derive.ParseDay(year + "-" + mm + "-" + day)
}

// inWord tells whether a token is a part of an identifier, which is no figure.
func inWord(s string, from, to int) bool {
	part := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	}
	if from > 0 && (part(s[from-1]) || s[from-1] == '-' && from > 1 && part(s[from-2])) {
		return true
	}
	if to < len(s) && (part(s[to]) && !unitAt(s[to:]) || s[to] == '-' && to+1 < len(s) && part(s[to+1])) {
		return true
	}
	return false
}

// unitAt tells whether a unit follows a figure without a space (12h, 40Nm), and then no more of a word.
func unitAt(s string) bool {
	n := 0
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z') {
		n++
	}
	return n > 0 && n <= 3 && (n == len(s) || s[n] == ' ' || s[n] == '.' || s[n] == ',' || s[n] == '\n')
}

// cells changes words of tables: in lines of as many commas as their neighbours, each word that stands in a column of few
// different words becomes each other of them.
func cells(s string) []change {
	var out []change
	lines := strings.Split(s, "\n")
	at := 0
	type line struct {
		fields []string
		offset int
	}
	var block []line
	flush := func() {
		if len(block) < 3 { // a head and two rows
			block = nil
			return
		}
		for col := range block[0].fields {
			var words []string
			for _, ln := range block[1:] {
				if w := strings.TrimSpace(ln.fields[col]); w != "" && !slices.Contains(words, w) && strings.Trim(w, "0123456789.,-: ") != "" {
					words = append(words, w)
				}
			}
			if len(words) < 2 || len(words) > maxWords {
				continue
			}
			for _, ln := range block[1:] {
				w := strings.TrimSpace(ln.fields[col])
				if !slices.Contains(words, w) {
					continue
				}
				from := ln.offset
				for _, f := range ln.fields[:col] {
					from += len(f) + 1
				}
				from += strings.Index(ln.fields[col], w)
				for _, to := range words {
					if to != w {
						out = append(out, change{"status", w, to, s[:from] + to + s[from+len(w):], false})
					}
				}
			}
		}
		block = nil
	}
	for _, text := range lines {
		fields := strings.Split(strings.TrimRight(text, "\r"), ",")
		quoted := strings.ContainsRune(text, '"')
		if len(fields) < 2 || quoted || len(block) > 0 && len(fields) != len(block[0].fields) {
			flush()
		}
		if len(fields) >= 2 && !quoted {
			block = append(block, line{fields, at})
		}
		at += len(text) + 1
	}
	flush()
	return out
}
