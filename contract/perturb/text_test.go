package perturb

import (
	"slices"
	"strings"
	"testing"
)

func TestChangesOfAText(t *testing.T) {
	l := &Lab{}
	text := "Rev. 7 of SPEC-12, valid from 16 April 2031 and 2031-05-02 (20310503).\nHold 12h, pay EUR 1,200.50; rework: yes; lot A12.\nline,shift,state\nL1,4,OPEN\nL2,5,SHUT\nL3,6,OPEN\n"
	got := map[string][]string{}
	for _, c := range l.texts(text) {
		if strings.Count(c.whole, "") == 0 || c.whole == text {
			t.Errorf("%v changes nothing", c)
		}
		got[c.before] = append(got[c.before], c.after)
	}
	for before, after := range map[string]string{"7": "8", "16 April 2031": "17 April 2031", "2031-05-02": "2031-05-01", "20310503": "20310504", "12": "13", "1,200.50": "1200.51", "yes": "no", "4": "5", "SHUT": "OPEN", "OPEN": "SHUT", "L1": "L3"} {
		if !slices.Contains(got[before], after) {
			t.Errorf("%q becomes %q, want also %q", before, got[before], after)
		}
	}
	for _, never := range []string{"A12", "SPEC-12", "2031"} {
		if len(got[never]) > 0 {
			t.Errorf("%q was changed to %q", never, got[never])
		}
	}
}

// TestFiguresBesideEachOther holds that commas join groups of three digits alone: a table's cells are no one figure.
func TestFiguresBesideEachOther(t *testing.T) {
	l := &Lab{}
	got := map[string][]string{}
	for _, c := range l.texts("13,2033-05-16\n7,1234\nin all 1,234,567 pieces\n21,4567,8") {
		got[c.before] = append(got[c.before], c.after)
	}
	for before, after := range map[string]string{"13": "14", "2033-05-16": "2033-05-17", "7": "8", "1234": "1235", "1,234,567": "1234568", "21": "22", "4567": "4568", "8": "9"} {
		if !slices.Contains(got[before], after) {
			t.Errorf("%q becomes %q, want also %q", before, got[before], after)
		}
	}
	for _, never := range []string{"13,203", "7,123", "21,456", "234", "3"} {
		if len(got[never]) > 0 {
			t.Errorf("%q was changed to %q", never, got[never])
		}
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("a,b\n1,2\n3,4\n16 April 2031, 2031-02-29 99999999 1,200.50 -7 yes")
	f.Fuzz(func(t *testing.T, s string) {
		l := &Lab{}
		for _, c := range l.texts(s) {
			if !strings.Contains(s, c.before) || !strings.Contains(c.whole, c.after) {
				t.Errorf("%v does not come from %q", c, s)
			}
		}
	})
}
