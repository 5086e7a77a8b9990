package prose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func shuffle(text string, seed uint32) string {
	f := strings.Fields(text)
	var bare, marks []string
	for _, w := range f {
		b := strings.TrimRight(w, ".,;:!?")
		bare, marks = append(bare, b), append(marks, w[len(b):])
	}
	state := seed*2654435761 + 12345
	for i := len(bare) - 1; i > 0; i-- {
		state = state*1664525 + 1013904223
		k := int(state>>8) % (i + 1)
		bare[i], bare[k] = bare[k], bare[i]
	}
	for i := range bare {
		bare[i] += marks[i]
	}
	return strings.Join(bare, " ")
}

// TestJumbled holds the measure against real prose, the project's own pages: nothing that was written is taken for a jumble, and
// almost nine shuffles in ten are.
func TestJumbled(t *testing.T) {
	files, _ := filepath.Glob("../../docs/*.md")
	good, bad, caught, all := 0, 0, 0, 0
	for _, f := range files {
		b, _ := os.ReadFile(f)
		fence := false
		for para := range strings.SplitSeq(string(b), "\n\n") {
			if strings.Contains(para, "```") || fence {
				if strings.Count(para, "```")%2 == 1 {
					fence = !fence
				}
				continue
			}
			p := strings.Join(strings.Fields(para), " ")
			if strings.ContainsAny(p, "|`#{*[<") || len(strings.Fields(p)) < 15 || len(strings.Fields(p)) > 80 {
				continue
			}
			good++
			if Prepare(p).Jumbled() {
				bad++
				t.Logf("%d: %s", Prepare(p).Disorder(), p)
			}
			for s := range uint32(10) {
				all++
				if Prepare(shuffle(p, s)).Jumbled() {
					caught++
				}
			}
		}
	}
	if good < 30 || bad > 0 || caught*100 < all*86 {
		t.Errorf("of %d paragraphs %d are wrongly taken for jumbles; of %d shuffles %d are found", good, bad, all, caught)
	}
	for text, want := range map[string]bool{
		"Vessel 217 lies on slip 2 on 2034-05-16, and the booking is BK-0001. We still wait for 5 ropes.":               false,
		"Dear Ada, WE HAVE BOOKED THE SLIP FOR MAY. All is well.":                                                       false,
		"the booking lies on the 2 and We slip the is BK-0001 of, for still 5 wait ropes the.":                          true,
		"Of the and we is. To of a and the or is booking.":                                                              true,
		"Summary Of The Move And What Comes Next\nThe on hand stock is 12, and the not yet confirmed slot is left out.": false,
		"Ada, what we have is in. The as yet open day is 16 May, and that is what it is for.":                           false,
		"Moved to line 4 as is, and if and when it slips I will say so.":                                                false,
		"booking BK-0001; day 16 May 2034; ropes 5; signed and sent":                                                    false, // a list is no jumble: it fails as no sentence
	} {
		if got := Prepare(text).Jumbled(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
