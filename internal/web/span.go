package web

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/assaybench/assay/record"
)

// piece is a stretch of a text that is shown: plain, or what findings point at, or a gap.
type piece struct {
	Text string
	Bad  bool  // a finding that did not pass points at it
	In   []int // the findings that point at it, from 1
	Ends []int // those that end with it
	Gap  string
}

// How much of a text stands on a page: its beginning, its end, and what is around the places that findings point at. The whole
// text is a page of its own.
const (
	textHead, textTail, textAround = 24 << 10, 4 << 10, 512
	spansMost                      = 200
)

// pieces cuts a text where findings begin and end, and leaves out what would be too much for a page.
func pieces(text string, findings []record.Finding) []piece {
	type span struct{ from, to, n int }
	var spans []span
	for i, f := range findings {
		if w := f.Where; w != nil && w.Start >= 0 && w.Start <= w.End && w.End <= len(text) && len(spans) < spansMost {
			spans = append(spans, span{edge(text, w.Start), edge(text, w.End), i + 1})
		}
	}
	keep := [][2]int{{0, edge(text, min(len(text), textHead))}, {edge(text, max(0, len(text)-textTail)), len(text)}}
	cuts := []int{0, len(text)}
	for _, s := range spans {
		cuts = append(cuts, s.from, s.to)
		// Of a long span the beginning and the end are shown.
		if s.to-s.from > 4*textAround {
			keep = append(keep, [2]int{edge(text, max(0, s.from-textAround)), edge(text, s.from+textAround)}, [2]int{edge(text, s.to-textAround), edge(text, min(len(text), s.to+textAround))})
		} else {
			keep = append(keep, [2]int{edge(text, max(0, s.from-textAround)), edge(text, min(len(text), s.to+textAround))})
		}
	}
	keep = joined(keep)
	for _, k := range keep {
		cuts = append(cuts, k[0], k[1])
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []piece
	for i := 0; i+1 < len(cuts); i++ {
		from, to := cuts[i], cuts[i+1]
		if !slices.ContainsFunc(keep, func(k [2]int) bool { return k[0] <= from && to <= k[1] }) {
			if n := len(out); n > 0 && out[n-1].Gap != "" {
				continue
			}
			end := from
			for _, k := range keep {
				if k[0] >= to {
					end = k[0]
					break
				}
			}
			out = append(out, piece{Gap: fmt.Sprintf("%s left out", size(int64(max(end, to)-from)))})
			continue
		}
		p := piece{Text: visible(text[from:to])}
		for _, s := range spans {
			if s.from <= from && to <= s.to {
				p.In = append(p.In, s.n)
				p.Bad = p.Bad || !findings[s.n-1].Pass
				if s.to == to {
					p.Ends = append(p.Ends, s.n)
				}
			}
		}
		out = append(out, p)
	}
	return out
}

// joined sorts ranges and makes one of those that touch.
func joined(r [][2]int) [][2]int {
	slices.SortFunc(r, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	var out [][2]int
	for _, k := range r {
		if n := len(out); n > 0 && k[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], k[1])
		} else {
			out = append(out, k)
		}
	}
	return out
}

// edge moves a place in a text back to where a character begins.
func edge(s string, i int) int {
	for back := 0; i > 0 && i < len(s) && back < utf8.UTFMax && !utf8.RuneStart(s[i]); back++ {
		i--
	}
	return i
}
