package contention

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable makes foreign text safe for a line of a terminal or a table: white space becomes a space, and control
// characters, invisible marks and bytes that are not UTF-8 become U+FFFD. Combining marks go beyond the third in a row.
func printable(s string) string {
	var b strings.Builder
	marks := 0
	for _, r := range s {
		if unicode.Is(unicode.Mn, r) {
			if marks++; marks > 3 {
				continue
			}
		} else {
			marks = 0
		}
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteRune(utf8.RuneError)
		}
	}
	return strings.TrimSpace(b.String())
}

// clip cuts a text to at most n bytes at a rune's edge.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("...")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// fixed writes num/den with so many decimals, rounded half up. Neither is negative, and den is not zero.
func fixed(num, den int64, decimals int) string {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	n := new(big.Int).Mul(big.NewInt(num), scale)
	n.Mul(n, big.NewInt(2)).Add(n, big.NewInt(den))
	n.Quo(n, new(big.Int).Mul(big.NewInt(den), big.NewInt(2)))
	s := n.String()
	if decimals == 0 {
		return s
	}
	if len(s) <= decimals {
		s = strings.Repeat("0", decimals+1-len(s)) + s
	}
	return s[:len(s)-decimals] + "." + s[len(s)-decimals:]
}

// length writes nanoseconds to three figures or so: "412 us", "1.24 ms", "48.0 ms", "350 ms", "5.00 s".
func length(ns int64) string {
	const us, ms, s = 1_000, 1_000_000, 1_000_000_000
	switch {
	case ns < ms-us/2:
		return fixed(ns, us, 0) + " us"
	case ns < 10*ms-5*us:
		return fixed(ns, ms, 2) + " ms"
	case ns < 100*ms-50*us:
		return fixed(ns, ms, 1) + " ms"
	case ns < s-ms/2:
		return fixed(ns, ms, 0) + " ms"
	case ns < 100*s-5*ms:
		return fixed(ns, s, 2) + " s"
	}
	return fixed(ns, s, 0) + " s"
}

// times writes how many times as much to is than from: "x4.0", "x0.44"; "" where from is nothing.
func times(from, to int64) string {
	switch {
	case from <= 0:
		return ""
	case to < from:
		return "x" + fixed(to, from, 2)
	case to/from >= 100:
		return "x" + fixed(to, from, 0)
	}
	return "x" + fixed(to, from, 1)
}

// percent writes thousandths as "4.1 %".
func percent(permille int64) string { return fixed(permille, 10, 1) + " %" }

// permille is the share part/whole in thousandths, rounded down; 0 of nothing.
func permille(part, whole int64) int64 {
	if whole <= 0 {
		return 0
	}
	n := new(big.Int).Mul(big.NewInt(part), big.NewInt(1000))
	return n.Quo(n, big.NewInt(whole)).Int64()
}

// size writes bytes as "23.5 GiB".
func size(bytes int64) string { return fixed(bytes, 1<<30, 1) + " GiB" }

// rate writes thousandths of a token per second as "41.2 tokens/s".
func rate(milli int64) string { return fixed(milli, 1000, 1) + " tokens/s" }

func count(n int64, noun string) string {
	s := strconv.FormatInt(n, 10) + " " + noun
	if n != 1 {
		s += "s"
	}
	return s
}
