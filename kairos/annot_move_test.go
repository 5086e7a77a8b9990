package kairos

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestStretchToWindows(t *testing.T) {
	tiled := tiles([]int64{0, 10, 20, 30})
	gapped := &spans{start: []int64{0, 20, 40}, end: []int64{10, 30, 50}}
	reversed := tiles([]int64{0, -9, 10, 20}) // the head window from 0 to -9 contains nothing
	tests := []struct {
		name  string
		s     *spans
		notes []note
		want  string
	}{
		{"none", tiled, nil, ""},
		{"within one window", tiled, []note{{12, 13, srcX}}, "X[10,20)"},
		{"ends on the border", tiled, []note{{12, 20, srcX}}, "X[10,20)"},
		{"over a border", tiled, []note{{9, 11, srcX}}, "X[0,20)"},
		{"outside", tiled, []note{{30, 35, srcX}}, "X[30,35)"},
		{"infinite", tiled, []note{{minusInf, 1, srcX}, {25, plusInf, srcX}}, "X[-,10) X[20,+)"},
		{"two sources", tiled, []note{{2, 3, srcX}, {1, 2, srcY}}, "X[0,10) Y[0,10)"},
		{"between windows", gapped, []note{{12, 15, srcX}}, "X[12,15)"},
		{"from a gap into a window", gapped, []note{{12, 21, srcX}}, "X[12,30)"},
		{"over a gap", gapped, []note{{5, 21, srcX}}, "X[0,30)"},
		{"two in one window merge", tiled, []note{{1, 2, srcX}, {4, 5, srcX}}, "X[0,10)"},
		{"head that ends before it starts", reversed, []note{{-5, -3, srcX}}, "X[-9,10)"},
		{"no windows", tiles(nil), []note{{1, 2, srcX}}, "X[1,2)"},
	}
	for _, tt := range tests {
		wantNotes(t, tt.name, stretchToWindows(tt.notes, tt.s), tt.want)
	}
}

// TestStretchAgainstDefinition compares with a copy for each pair of an annotation and a window that overlap.
func TestStretchAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		s := someSpans(r)
		notes := someNotes(r, 5, 60)
		all := slices.Clone(notes)
		for i := range s.start {
			for _, n := range notes {
				if n.from < s.end[i] && s.start[i] < n.to {
					all = append(all, note{s.start[i], s.end[i], n.src})
				}
			}
		}
		if got, want := showNotes(stretchToWindows(notes, s)), showNotes(plainNormalise(all)); got != want {
			t.Fatalf("%s over %v: got %s, want %s", showNotes(notes), *s, got, want)
		}
	}
}

// someSpans makes up to eight windows, some of them empty, with gaps between them or without.
func someSpans(r *rand.Rand) *spans {
	gaps := r.IntN(2) == 0
	s := &spans{tiled: !gaps}
	at := r.Int64N(20)
	for range r.IntN(9) {
		end := at + r.Int64N(10)
		s.start, s.end = append(s.start, at), append(s.end, end)
		if at = end; gaps {
			at += r.Int64N(6)
		}
	}
	return s
}

func TestRollNotes(t *testing.T) {
	axis := []int64{10, 20, 30}
	tests := []struct {
		name      string
		notes     []note
		axis      []int64
		following bool
		want      string
	}{
		{"following moves the end past the next axis point", []note{{12, 15, srcX}}, axis, true, "X[12,21)"},
		{"following, end on an axis point", []note{{12, 20, srcX}}, axis, true, "X[12,21)"},
		{"following, no axis point left", []note{{12, 31, srcX}}, axis, true, "X[12,+)"},
		{"following, endless", []note{{12, plusInf, srcX}}, axis, true, "X[12,+)"},
		{"preceding moves the start to the axis point before", []note{{12, 15, srcX}}, axis, false, "X[10,15)"},
		{"preceding, start on an axis point", []note{{20, 25, srcX}}, axis, false, "X[20,25)"},
		{"preceding, no axis point before", []note{{9, 15, srcX}}, axis, false, "X[-,15)"},
		{"preceding, from ever", []note{{minusInf, 15, srcX}}, axis, false, "X[-,15)"},
		{"empty axis", []note{{9, 15, srcX}}, nil, true, "X[9,15)"},
	}
	for _, tt := range tests {
		wantNotes(t, tt.name, rollNotes(tt.notes, tt.axis, tt.following), tt.want)
	}
}

func TestReliedNotes(t *testing.T) {
	axis := []int64{10, 20, 30}
	tests := []struct {
		name      string
		notes     []note
		axis      []int64
		following bool
		want      string
	}{
		{"following reaches back", []note{{25, 40, srcX}}, axis, true, "X[20,40)"},
		{"following, start on an axis point", []note{{20, 40, srcX}}, axis, true, "X[10,40)"},
		{"following, nothing before", []note{{10, 40, srcX}}, axis, true, "X[-,40)"},
		{"following, from ever", []note{{minusInf, 5, srcX}}, axis, true, "X[-,5)"},
		{"preceding reaches on", []note{{12, 15, srcX}}, axis, false, "X[12,21)"},
		{"preceding, data that begin at an axis point", []note{{minusInf, 20, srcX}}, axis, false, "X[-,21)"},
		{"preceding, nothing after", []note{{12, 31, srcX}}, axis, false, "X[12,+)"},
		{"empty axis, following", []note{{12, 31, srcX}}, nil, true, "X[-,31)"},
		{"empty axis, preceding", []note{{12, 31, srcX}}, nil, false, "X[12,+)"},
	}
	for _, tt := range tests {
		wantNotes(t, tt.name, reliedNotes(tt.notes, tt.axis, tt.following), tt.want)
	}
}

func TestShiftNotesByWindows(t *testing.T) {
	s := tiles([]int64{0, 10, 25, 30}) // of 10, 15 and 5
	tests := []struct {
		name  string
		notes []note
		n     int64
		want  string
	}{
		{"keeps the distance from the start", []note{{3, 12, srcX}}, 1, "X[13,27)"},
		{"back", []note{{13, 27, srcX}}, -1, "X[3,12)"},
		{"over both ends", []note{{3, 27, srcX}}, 2, "X[28,+)"},
		{"nothing is left", []note{{12, 27, srcX}}, 2, ""},
		{"before the first window, on", []note{{-7, -3, srcX}}, 1, "X[-7,10)"},
		{"before the first window, on beyond all", []note{{-7, -3, srcX}}, 3, "X[-7,+)"},
		{"before the first window, back", []note{{-7, -3, srcX}}, -1, "X[-,-3)"},
		{"after the last window, back", []note{{31, 40, srcX}}, -1, "X[25,40)"},
		{"after the last window, back beyond all", []note{{31, 40, srcX}}, -4, "X[-,40)"},
		{"after the last window, on", []note{{31, 40, srcX}}, 1, "X[31,+)"},
		{"infinite stays", []note{{minusInf, plusInf, srcX}}, 5, "X[-,+)"},
		{"by nothing", []note{{-7, 40, srcX}}, 0, "X[-7,40)"},
		{"by very much", []note{{-7, 5, srcX}}, 1 << 62, "X[-7,+)"},
	}
	for _, tt := range tests {
		wantNotes(t, tt.name, shiftNotesByWindows(tt.notes, s, tt.n), tt.want)
	}
	wantNotes(t, "no windows, on", shiftNotesByWindows([]note{{1, 2, srcX}}, tiles(nil), 1), "X[1,+)")
	wantNotes(t, "no windows, back", shiftNotesByWindows([]note{{1, 2, srcX}}, tiles(nil), -1), "X[-,2)")
}

func TestShiftNotesByAxis(t *testing.T) {
	axis := []int64{10, 20, 30, 40}
	tests := []struct {
		name  string
		notes []note
		n     int64
		want  string
	}{
		{"on", []note{{12, 25, srcX}}, 1, "X[30,31)"},
		{"from an axis point to an axis point", []note{{10, 20, srcX}}, 1, "X[20,21)"},
		{"back", []note{{20, 31, srcX}}, -1, "X[10,21)"},
		{"over the front", []note{{10, 31, srcX}}, -1, "X[-,21)"},
		{"all of it over the front", []note{{10, 15, srcX}}, -1, ""},
		{"over the end", []note{{25, 45, srcX}}, 2, ""},
		{"partly over the end", []note{{15, 45, srcX}}, 2, "X[40,+)"},
		{"infinite stays", []note{{minusInf, 15, srcX}, {35, plusInf, srcX}}, 1, "X[-,21)"},
		{"between axis points", []note{{12, 15, srcX}}, 0, ""},
	}
	for _, tt := range tests {
		wantNotes(t, tt.name, shiftNotesByAxis(tt.notes, axis, tt.n), tt.want)
	}
	wantNotes(t, "empty axis", shiftNotesByAxis([]note{{1, 2, srcX}}, nil, 3), "X[1,2)")
}

func TestSnapNotes(t *testing.T) {
	s := &spans{start: []int64{0, 20}, end: []int64{10, 30}}
	wantNotes(t, "floors both ends", snapNotes([]note{{5, 25, srcX}}, s), "X[0,20)")
	wantNotes(t, "outside stays", snapNotes([]note{{12, 35, srcX}}, s), "X[12,35)")
	wantNotes(t, "within one window", snapNotes([]note{{5, 7, srcX}}, s), "")
	wantNotes(t, "infinite", snapNotes([]note{{minusInf, 25, srcX}, {27, plusInf, srcX}}, s), "X[-,+)")
}
