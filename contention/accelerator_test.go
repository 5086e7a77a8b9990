package contention

import (
	"reflect"
	"strings"
	"testing"
	"unicode"
)

func TestParseSMI(t *testing.T) {
	got, err := parseSMI("0, NVIDIA RTX 6000 Ada, 37, 1024, 49140\r\n\n1, Odd, name, [N/A], [Not Supported], N/A\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []AcceleratorLoad{
		{Index: 0, Name: "NVIDIA RTX 6000 Ada", Busy: ptr(int64(37)), Used: ptr(int64(1024)), Total: ptr(int64(49140))},
		{Index: 1, Name: "Odd, name"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got, err = parseSMI("0, \x1b[31mred\u202e\x00 " + strings.Repeat("x", 500) + ", 1, 2, 3")
	if err != nil {
		t.Fatal(err)
	}
	if n := got[0].Name; len(n) > nameMax || strings.ContainsFunc(n, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("the name is %q", n)
	}
}

func TestParseSMIRefused(t *testing.T) {
	for _, s := range []string{
		"", "\n\n", "No devices were found\n", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
		"0, A, 37, 1024\n", "x, A, 1, 2, 3\n", "-1, A, 1, 2, 3\n", "99999, A, 1, 2, 3\n", "0, A, 101, 2, 3\n", "0, A, -1, 2, 3\n", "0, A, 1, 2, 99999999999999999999\n",
		"0, A, 1.5, 2, 3\n", "0, A, 1, 2 MiB, 3\n", "0, A, 1, 2, 3\n0, A, 1, 2, 3\n", "0, A, , 2, 3\n", "0, A, [], 2, 3\n",
	} {
		if got, err := parseSMI(s); err == nil {
			t.Errorf("%q is %+v", s, got)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: the error has several lines: %q", s, err)
		}
	}
	var many strings.Builder
	for i := range cardsMax + 1 {
		many.WriteString(strings.Replace("N, A, 1, 2, 3\n", "N", string(rune('0'+i/10))+string(rune('0'+i%10)), 1))
	}
	if _, err := parseSMI(many.String()); err == nil {
		t.Error("more accelerators than there is room for are taken")
	}
}

func FuzzParseSMI(f *testing.F) {
	for _, s := range []string{"0, NVIDIA RTX 6000 Ada, 37, 1024, 49140\n", "0, A, [N/A], 1, 2\n1, B, 1, 2, 3", "No devices were found", "0,,,,", "\xff, \xfe, 1, 2, 3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parseSMI(s)
		if err != nil {
			return
		}
		if len(got) == 0 || len(got) > cardsMax {
			t.Fatalf("%d accelerators", len(got))
		}
		seen := map[int64]bool{}
		for _, a := range got {
			if seen[a.Index] || len(a.Name) > nameMax || a.Name != printable(a.Name) || a.Busy != nil && (*a.Busy < 0 || *a.Busy > 100) || a.Used != nil && *a.Used < 0 {
				t.Fatalf("%+v", a)
			}
			seen[a.Index] = true
		}
	})
}
