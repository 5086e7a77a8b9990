package kairos

import (
	"maps"
	"slices"
	"sort"
	"strings"
)

func sortedKeys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }

// wordsOf are the names that a premise and its bases define.
func wordsOf(p *premise) []string {
	var names []string
	for ; p != nil; p = p.base {
		for n := range p.defs {
			names = append(names, n)
		}
	}
	return names
}

// visible are the names that mean something in a scope, for suggestions.
func (ev *evaluation) visible(sc *scope) []string {
	names := []string{"chronos", "everyDay", "everyInstant"}
	if sc.premise != nil {
		names = append(names, wordsOf(sc.premise)...)
	}
	if cs, _ := ev.calendarSystem(Span{}, sc); cs != nil {
		names = append(names, wordsOf(cs)...)
	}
	for n := range ev.top {
		names = append(names, n)
	}
	for n := range ev.labels {
		names = append(names, n)
	}
	for n := range sc.members.vals {
		names = append(names, n)
	}
	if sc.members.has("calendar") {
		names = append(names, "bizDay", "bizOpen", "bizClose")
	}
	return names
}

// stageNames are what a pipe's stage may be called, for suggestions.
func (ev *evaluation) stageNames(sc *scope) []string {
	names := ev.visible(sc)
	for n := range coreStages {
		names = append(names, n)
	}
	return names
}

// nearest gives up to three of the names that look most like a name, nearest first; empty when none is near. When none
// looks like it, a name with which it begins is near, as Mon is to Monday. Names and candidates come from programs, so
// long ones are not compared.
func nearest(name string, candidates []string) []string {
	const longest = 40
	if len(name) > longest {
		return nil
	}
	type near struct {
		name string
		far  int
	}
	var found, begins []near
	seen := map[string]bool{name: true}
	lower := strings.ToLower(name)
	n := len([]rune(name))
	limit := n / 3
	if n == 2 {
		limit = 1
	}
	for _, c := range candidates {
		if seen[c] || len(c) > longest {
			continue
		}
		seen[c] = true
		x := strings.ToLower(c)
		if d := editDistance(lower, x); d <= limit {
			found = append(found, near{c, d})
		} else if len(x) >= 3 && strings.HasPrefix(lower, x) {
			begins = append(begins, near{c, d})
		}
	}
	if len(found) == 0 {
		found = begins
	}
	sort.Slice(found, func(i, j int) bool {
		if found[i].far != found[j].far {
			return found[i].far < found[j].far
		}
		return found[i].name < found[j].name
	})
	var names []string
	for _, f := range found[:min(3, len(found))] {
		if f.far <= found[0].far+1 { // what is much further is hardly meant
			names = append(names, f.name)
		}
	}
	return names
}

// nearZones gives the zones that a name may mean: those of the same city, else those that look like it.
func nearZones(name string) []string {
	city := func(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }
	wanted := strings.ReplaceAll(city(name), " ", "_")
	all := zoneNames()
	var same []string
	for _, z := range all {
		if strings.EqualFold(city(z), wanted) {
			same = append(same, z)
		}
	}
	if len(same) > 0 {
		return same[:min(3, len(same))]
	}
	return nearest(name, all)
}

// editDistance counts the insertions, deletions, replacements and exchanges of neighbouring letters that turn a into b.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, row, next := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		next[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(y)]
}
