package main

import (
	"bufio"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/kairos"
)

const example = "../../examples/kairos/kyureki.kairos"

func TestExampleIsWhatIsPrinted(t *testing.T) {
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != program() {
		t.Errorf("%s is not what kairos/kyureki prints; write it anew", example)
	}
}

func TestDates(t *testing.T) {
	for number, want := range map[int]string{0: "1970-01-01", -1: "1969-12-31", 20454: "2026-01-01", 11016: "2000-02-29", 24166: "2036-03-01"} {
		d := dateOf(number)
		if d.String() != want || d.number() != number {
			t.Errorf("%d is %s, back %d; want %s", number, d, d.number(), want)
		}
	}
	if m := minuteAt(1969, 12, 31, 23, 59); m != -1 || m.String() != "1969-12-31T23:59" {
		t.Errorf("minute %d, %s", m, m)
	}
}

// TestKnownMinutes compares with minutes that almanacs have published, in Japanese time.
func TestKnownMinutes(t *testing.T) {
	got := map[string]bool{}
	c := calendar(2000, 2035)
	for _, m := range c.months {
		got[m.moon.String()] = true
	}
	for _, m := range append(slices.Clone(c.principal), c.sectional...) {
		got[m.String()] = true
	}
	for _, want := range []string{
		"2024-12-31T07:27", "2025-01-29T21:36", "2025-08-23T15:07", "2026-02-17T21:01", "2026-12-09T09:52", "2027-02-07T00:56",
		"2026-03-20T23:46", "2026-06-21T17:25", "2026-09-23T09:05", "2026-12-22T05:50",
	} {
		if !got[want] {
			t.Errorf("nothing at %s", want)
		}
	}
}

// TestCorpusMinutes compares with every minute of a new moon or a solar term in the conformance corpus. Minutes that are
// near to none of ours belong to something else.
func TestCorpusMinutes(t *testing.T) {
	f, err := os.Open("../../../shared/kairos/vectors.jsonl")
	if err != nil {
		t.Skipf("the conformance corpus is not here: %v", err)
	}
	defer f.Close()
	c := calendar(firstYear, lastYear)
	ours := slices.Concat(c.principal, c.sectional)
	for _, m := range c.months {
		ours = append(ours, m.moon)
	}
	date := regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d`)
	seen := map[string]bool{}
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<22)
	for s.Scan() {
		if line := s.Text(); strings.Contains(line, "newMoons") || strings.Contains(line, "Kyureki") || strings.Contains(line, "sekki") {
			for _, d := range date.FindAllString(line, -1) {
				seen[d] = true
			}
		}
	}
	met := 0
	for d := range seen {
		at := minuteAt(atoi(d[:4]), atoi(d[5:7]), atoi(d[8:10]), atoi(d[11:13]), atoi(d[14:]))
		for _, m := range ours {
			if off := m - at; off == 0 {
				met++
			} else if -5 < off && off < 5 {
				t.Errorf("%s, and here %s", d, m)
			}
		}
	}
	if met < 40 {
		t.Errorf("only %d minutes of the corpus were met", met)
	}
}

func atoi(s string) int {
	n := 0
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n
}

// TestMidnights holds what the heading of the example says: after the years of the almanac, no new moon and only one
// principal term is so near to midnight that an error of a minute could move it to another day.
func TestMidnights(t *testing.T) {
	c := calendar(firstYear, lastYear)
	ms := slices.Clone(c.principal)
	for _, m := range c.months {
		ms = append(ms, m.moon)
	}
	var near []string
	for _, m := range ms {
		if of := int(m) - m.day()*1440; m > minuteAt(2028, 1, 1, 0, 0) && (of < 2 || of > 1437) {
			near = append(near, m.String())
		}
	}
	if !slices.Equal(near, []string{"2030-02-18T23:59"}) {
		t.Errorf("near midnight: %v", near)
	}
}

func TestMonths(t *testing.T) {
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	p, err := kairos.Compile(string(text) + `
@Kyureki
lunarNewYear
lunarMonth |> first |> filter(d => inLeapMonth(d))
monthsWithoutTerm
lunarDate(8, 15)
lunarMonth |> filter(d => rokuyo(d) == "大安") |> filter(d => yearNo(d) == 2026 and monthNo(d) == 12)
day |> within(solarTerm) |> first |> filter(d => solarTerm(d) == 立春)
`)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Eval(context.Background(), kairos.Range{From: kairos.Date{Year: 2020, Month: 1, Day: 7}, To: kairos.Date{Year: 2036, Month: 1, Day: 1}}, kairos.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"2020-01-25 2021-02-12 2022-02-01 2023-01-22 2024-02-10 2025-01-29 2026-02-17 2027-02-07 2028-01-27 2029-02-13 2030-02-03 2031-01-23 2032-02-11 2033-01-31 2034-02-19 2035-02-08",
		"2020-05-23 2023-03-22 2025-07-25 2028-06-23 2031-04-22 2033-12-22",
		"2020-05-23 2023-03-22 2025-07-25 2028-06-23 2031-04-22 2033-08-25 2033-12-22 2034-02-19",
		"2020-10-01 2021-09-21 2022-09-10 2023-09-29 2024-09-17 2025-10-06 2026-09-25 2027-09-15 2028-10-03 2029-09-22 2030-09-12 2031-10-01 2032-09-19 2033-09-08 2034-09-27 2035-09-16",
		"2026-12-04 2026-12-09 2026-12-15 2026-12-21 2026-12-27",
		"2020-02-04 2021-02-03 2022-02-04 2023-02-04 2024-02-04 2025-02-03 2026-02-04 2027-02-04 2028-02-04 2029-02-03 2030-02-04 2031-02-04 2032-02-04 2033-02-03 2034-02-04 2035-02-04",
	} {
		if got := strings.Join(r.Texts(r.Listings[i].Points), " "); got != want {
			t.Errorf("expression %d: %s\nwant %s", i+1, got, want)
		}
		if notes := r.Listings[i].Annotations; len(notes) != 0 {
			t.Errorf("expression %d is annotated: %+v", i+1, notes)
		}
	}
}
