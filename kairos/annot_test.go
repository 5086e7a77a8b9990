package kairos

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
)

var (
	srcX = &source{name: "X", covering: "x..", asof: "2026-01-01"}
	srcY = &source{name: "Y", covering: "y.."}
	// srcX2 is the source X met again: another pointer, the same texts.
	srcX2 = &source{name: "X", covering: "x..", asof: "2026-01-01"}
)

// showNotes prints annotations as X[3,5) Y[7,+).
func showNotes(notes []note) string {
	end := func(t int64) string {
		switch t {
		case minusInf:
			return "-"
		case plusInf:
			return "+"
		}
		return fmt.Sprint(t)
	}
	var out []string
	for _, n := range notes {
		out = append(out, n.src.name+"["+end(n.from)+","+end(n.to)+")")
	}
	return strings.Join(out, " ")
}

func wantNotes(t *testing.T, what string, got []note, want string) {
	t.Helper()
	if s := showNotes(got); s != want {
		t.Errorf("%s: got %q, want %q", what, s, want)
	}
}

func TestJoinNotes(t *testing.T) {
	x := func(from, to int64) note { return note{from, to, srcX} }
	y := func(from, to int64) note { return note{from, to, srcY} }
	tests := []struct {
		name  string
		lists [][]note
		want  string
	}{
		{"nothing", nil, ""},
		{"empty lists", [][]note{nil, {}}, ""},
		{"touching merge", [][]note{{x(1, 3)}, {x(3, 5)}}, "X[1,5)"},
		{"apart stay apart", [][]note{{x(1, 3)}, {x(4, 5)}}, "X[1,3) X[4,5)"},
		{"empty ones go", [][]note{{x(1, 1)}, {y(5, 4)}}, ""},
		{"empty ones in one list go", [][]note{{x(2, 2), x(3, 4)}}, "X[3,4)"},
		{"sources do not merge", [][]note{{x(1, 5)}, {y(2, 3)}}, "X[1,5) Y[2,3)"},
		{"order is by start, then end", [][]note{{x(4, 9)}, {y(4, 6), y(7, 8)}, {x(1, 2)}}, "X[1,2) Y[4,6) X[4,9) Y[7,8)"},
		{"equal ends keep the order of sources", [][]note{{y(1, 2)}, {x(1, 2)}}, "Y[1,2) X[1,2)"},
		{"a source appears with its first annotation, not its earliest", [][]note{{x(5, 6)}, {y(0, 1), y(5, 6)}},
			"Y[0,1) X[5,6) Y[5,6)"},
		{"contained", [][]note{{x(1, 9)}, {x(2, 3), x(4, 9)}}, "X[1,9)"},
		{"infinite", [][]note{{x(minusInf, 3)}, {x(2, plusInf)}}, "X[-,+)"},
		{"same texts are the same source", [][]note{{x(1, 3)}, {{2, 6, srcX2}}}, "X[1,6)"},
		{"several sources merge each", [][]note{{x(1, 3), y(2, 4)}, {x(2, 6), y(10, 11)}}, "X[1,6) Y[2,4) Y[10,11)"},
	}
	for _, tt := range tests {
		wantNotes(t, tt.name, joinNotes(tt.lists...), tt.want)
	}
}

// TestJoinNotesTwice pins that a list can come out of a second normalisation in another order, as it must where printed
// annotations are to stand in the order of the language.
func TestJoinNotesTwice(t *testing.T) {
	once := joinNotes([]note{{5, 6, srcX}}, []note{{0, 1, srcY}, {5, 6, srcY}})
	wantNotes(t, "once", once, "Y[0,1) X[5,6) Y[5,6)")
	wantNotes(t, "twice", joinNotes(once), "Y[0,1) Y[5,6) X[5,6)")
}

func TestJoinNotesShares(t *testing.T) {
	l := []note{{1, 3, srcX}, {2, 4, srcY}, {6, 8, srcX}}
	for _, got := range [][]note{joinNotes(l), joinNotes(nil, l, nil), joinNotes(l, []note{{6, 7, srcX2}, {5, 5, srcY}})} {
		if &got[0] != &l[0] || len(got) != 3 {
			t.Errorf("joining with nothing new made a new list %s", showNotes(got))
		}
	}
	if n := testing.AllocsPerRun(100, func() { joinNotes(l, nil) }); n != 0 {
		t.Errorf("joining with nothing allocates %v times", n)
	}
}

func TestSettledLongLists(t *testing.T) {
	var one, two []note
	for i := range int64(20) {
		one = append(one, note{10 * i, 10*i + 5, srcX})
		two = append(two, note{10 * i, 10*i + 5, []*source{srcX, srcY}[i%2]})
	}
	if !settled(one) {
		t.Error("a long list of one source is in normal form")
	}
	if got := joinNotes(one); &got[0] != &one[0] {
		t.Error("a long list of one source was copied")
	}
	wantNotes(t, "long list of two", joinNotes(two), showNotes(two))
	touching := append(slices.Clone(one), note{195, 300, srcX})
	wantNotes(t, "touching at the end", joinNotes(touching)[19:], "X[190,300)")
	late := append(slices.Clone(one), note{200, 205, srcX2})
	wantNotes(t, "another pointer", joinNotes(late)[19:], "X[190,195) X[200,205)")
}

// plainNormalise does what section by section the definition of the normal form says, without any short cut.
func plainNormalise(l []note) []note {
	var order []string
	groups := map[string][]note{}
	for _, n := range l {
		if n.from < n.to {
			k := fmt.Sprint(*n.src)
			if groups[k] == nil {
				order = append(order, k)
			}
			groups[k] = append(groups[k], n)
		}
	}
	var out []note
	for _, k := range order {
		g := groups[k]
		sort.SliceStable(g, func(i, j int) bool { return g[i].from < g[j].from })
		for i, n := range g {
			if i > 0 && n.from <= out[len(out)-1].to {
				out[len(out)-1].to = max(out[len(out)-1].to, n.to)
			} else {
				out = append(out, n)
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		return out[i].from < out[j].from || out[i].from == out[j].from && out[i].to < out[j].to
	})
	return out
}

// someNotes makes a list in normal form.
func someNotes(r *rand.Rand, most int, span int64) []note {
	var l []note
	for range r.IntN(most + 1) {
		from := r.Int64N(span)
		n := note{from, from + r.Int64N(span/2), []*source{srcX, srcY, srcX2, {name: "Z"}}[r.IntN(4)]}
		switch r.IntN(12) {
		case 0:
			n.from = minusInf
		case 1:
			n.to = plusInf
		}
		l = append(l, n)
	}
	return plainNormalise(l)
}

func TestJoinNotesAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 5000 {
		most := 4
		if i%50 == 0 {
			most = 60
		}
		a, b, c := someNotes(r, most, 40), someNotes(r, most, 40), someNotes(r, 2, 400)
		before := showNotes(a) + showNotes(b) + showNotes(c)
		want := plainNormalise(slices.Concat(a, b, c))
		got := joinNotes(a, b, c)
		if showNotes(got) != showNotes(want) {
			t.Fatalf("join %s | %s | %s: got %s, want %s", showNotes(a), showNotes(b), showNotes(c), showNotes(got), showNotes(want))
		}
		if before != showNotes(a)+showNotes(b)+showNotes(c) {
			t.Fatalf("joining changed its input %s", before)
		}
	}
}

func TestComplement(t *testing.T) {
	tests := []struct {
		notes []note
		want  []interval
	}{
		{nil, []interval{{minusInf, plusInf}}},
		{[]note{{minusInf, 5, srcX}, {9, plusInf, srcX}}, []interval{{5, 9}}},
		{[]note{{minusInf, plusInf, srcX}}, nil},
		{[]note{{1, 4, srcX}, {2, 6, srcY}, {6, 7, srcX}}, []interval{{minusInf, 1}, {7, plusInf}}},
	}
	for _, tt := range tests {
		if got := complement(tt.notes); !slices.Equal(got, tt.want) {
			t.Errorf("complement of %s: got %v, want %v", showNotes(tt.notes), got, tt.want)
		}
	}
}

func TestUncoveredNotes(t *testing.T) {
	tests := []struct {
		cover []interval
		want  string
	}{
		{[]interval{{5, 9}}, "X[-,5) X[9,+)"},
		{[]interval{{minusInf, 9}}, "X[9,+)"},
		{[]interval{{minusInf, plusInf}}, ""},
		{[]interval{{1, 3}, {3, 5}, {7, plusInf}}, "X[-,1) X[5,7)"},
		{[]interval{{7, 9}, {1, 3}}, "X[-,1) X[3,7) X[9,+)"},
		{nil, "X[-,+)"},
		{[]interval{{4, 4}}, "X[-,+)"},
	}
	for _, tt := range tests {
		wantNotes(t, fmt.Sprint(tt.cover), uncoveredNotes(tt.cover, srcX), tt.want)
	}
	cover := []interval{{7, 9}, {1, 3}}
	uncoveredNotes(cover, srcX)
	if cover[0].from != 7 {
		t.Error("the cover was sorted in place")
	}
}

func TestNotesAt(t *testing.T) {
	l := []note{{minusInf, 3, srcX}, {2, 5, srcY}, {8, plusInf, srcX}}
	for at, want := range map[int64]string{0: "X[-,3)", 2: "X[-,3) Y[2,5)", 3: "Y[2,5)", 5: "", 7: "", 8: "X[8,+)"} {
		wantNotes(t, fmt.Sprint("at ", at), notesAt(l, at), want)
		if got := notedAt(l, at); got != (want != "") {
			t.Errorf("notedAt %d = %v", at, got)
		}
	}
	for w, want := range map[interval]string{{3, 8}: "Y[2,5)", {5, 8}: "", {5, 9}: "X[8,+)", {2, 3}: "X[-,3) Y[2,5)", {4, 4}: "Y[2,5)"} {
		wantNotes(t, fmt.Sprint("overlapping ", w), notesOverlapping(l, w), want)
		if got := anyOverlap(l, w); got != (want != "") {
			t.Errorf("anyOverlap %v = %v", w, got)
		}
	}
}

func TestClipNotes(t *testing.T) {
	l := []note{{minusInf, 3, srcX}, {2, 5, srcY}, {8, plusInf, srcX}}
	wantNotes(t, "clip", clipNotes(l, 1, 9), "X[1,3) Y[2,5) X[8,9)")
	wantNotes(t, "clip to a gap", clipNotes(l, 5, 8), "")
	wantNotes(t, "reversed range", clipNotes(l, 9, 1), "")
	wantNotes(t, "none", clipNotes(nil, 1, 9), "")
	// Cutting makes starts equal; the shorter one comes first then.
	wantNotes(t, "clip changes the order", clipNotes([]note{{1, 9, srcX}, {2, 5, srcY}}, 3, 20), "Y[3,5) X[3,9)")
}

func TestNoteWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		l := someNotes(r, 6, 30)
		w := walkNotes(l)
		var hit []note
		for at := int64(-2); at < 60; at += 1 + r.Int64N(4) {
			if got := w.at(at); got != notedAt(l, at) {
				t.Fatalf("walk over %s at %d = %v", showNotes(l), at, got)
			}
			hit = append(hit, notesAt(l, at)...)
		}
		// The order of equal ones depends on what was met first, so compare without it.
		got, want := strings.Fields(showNotes(w.marked())), strings.Fields(showNotes(plainNormalise(hit)))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("walk over %s marked %s, want %s", showNotes(l), got, want)
		}
	}
	w := walkNotes([]note{{1, 5, srcX}, {3, plusInf, srcY}})
	v := walkNotes(w.notes)
	if w.reaches(0) || !w.reaches(4) || !w.reaches(4) || v.at(0) {
		t.Error("reaches")
	}
	wantNotes(t, "marked", v.with(&w), "X[1,5) Y[3,+)")
	wantNotes(t, "not marked", v.marked(), "")
}
