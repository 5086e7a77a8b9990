package premise

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/assaybench/assay/record"
)

var update = flag.Bool("update", false, "write the golden file of decisions anew")

const decisionsGolden = "testdata/decisions.golden"

// goldenReplies are replies beside the controls, each a case that some reading of the rules would decide otherwise.
var goldenReplies = []struct{ item, answer string }{
	{"P-01", `{"body":"everyDay |> within(month) |> nth(30)","explanation":"","assumptions":[{"topic":"roll","statement":""},{"topic":"roll","statement":"x"}]}`},
	{"P-01", " \n" + `{"assumptions":[],"explanation":"","body":"everyDay |> within(month) |> nth(30)"}` + "\n"},
	{"P-01", "```json\n" + `{"body":"everyDay |> within(month) |> nth(30)","explanation":"","assumptions":[]}` + "\n```"},
	{"P-01", `{"body":"everyDay |> within(month) |> nth(30)","body":"everyDay |> within(month) |> nth(30)","explanation":"","assumptions":[]}`},
	{"P-01", `{"body":"everyDay |> within(month) |> nth(30)","explanation":null,"assumptions":[]}`},
	{"P-01", `{"body":"everyDay |> within(month) |> nth(30)","explanation":"","assumptions":[{"topic":"Roll","statement":""}]}`},
	{"P-01", `{"body":"everyDay\n\neveryDay |> within(month) |> nth(30)","explanation":"","assumptions":[{"topic":"roll","statement":""}]}`},
	{"P-01", `{"body":"everyDay |> within(month) |> nth(30)\n\neveryDay","explanation":"","assumptions":[{"topic":"roll","statement":""}]}`},
	{"P-01", `{"body":"x = everyDay |> within(month) |> nth(30)","explanation":"","assumptions":[{"topic":"roll","statement":""}]}`},
	{"P-01", `{"body":"|> first","explanation":"","assumptions":[{"topic":"roll","statement":""}]}`},
	{"P-01", `{"body":"everyDay |> within(month) |> nth(30) |> at(T00:00)","explanation":"","assumptions":[{"topic":"roll","statement":""}]}`},
	{"P-01", `{"body":"everyDay |> within(month) |> nth(30) |> at(T00:01)","explanation":"","assumptions":[{"topic":"roll","statement":""}]}`},
	{"P-01", `{"body":"everyDay |> within(month) |> nth(30) |> shift(-40, unit: bizDay)","explanation":"","assumptions":[]}`},
	{"P-01", `{"body":"everyInstant |> strideBy(1s, from: 1970-01-01)","explanation":"","assumptions":[]}`},
	{"P-01", "{\"body\":\"everyDay |> within(month) |> nth(30)\",\"explanation\":\"\xff\",\"assumptions\":[]}"},
	{"C-01", `{"body":"everyDay","explanation":"","assumptions":[{"topic":"tz","statement":""},{"topic":"week","statement":""}]}`},
	{"P-16", `{"body":"everyDay","explanation":"","assumptions":[{"topic":"anchor","statement":""}]}`},
	{"P-16", `{"body":"everyDay","explanation":"","assumptions":[{"topic":"counting","statement":""},{"topic":"anchor","statement":""},{"topic":"asof","statement":""}]}`},
}

// decisions are what grading decides, a line for each reply.
func decisions(t *testing.T, s *Set) []byte {
	var out bytes.Buffer
	one := func(item, name, answer string) {
		v, err := s.Grade(t.Context(), item, record.Transcript{Outcome: record.Answered, Answer: answer})
		if err != nil {
			t.Errorf("%s %s: %v", item, name, err)
			return
		}
		fmt.Fprintf(&out, "%s %s: %s", item, name, v.Letter)
		if v.Letter != record.LetterInvalid {
			reading := "none"
			if v.Premise.Reading != nil {
				reading = *v.Premise.Reading
			}
			fmt.Fprintf(&out, ", declared %v, %d too many, reading %s", v.Premise.Declared, v.Premise.OverDeclared, reading)
		}
		out.WriteByte('\n')
	}
	fmt.Fprintln(&out, s.Method())
	for _, p := range s.Problems() {
		for _, c := range p.controls {
			one(p.ID, c.Name, c.Answer)
		}
	}
	for _, r := range goldenReplies {
		one(r.item, fmt.Sprintf("%q", r.answer), r.answer)
	}
	return out.Bytes()
}

// TestDecisions holds what grading decides against the golden file. A change of it changes what published letters mean:
// raise graderVersion, then run with -update.
func TestDecisions(t *testing.T) {
	got := decisions(t, desk(t))
	if *update {
		if err := os.WriteFile(decisionsGolden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(decisionsGolden)
	if err != nil {
		t.Fatal(err)
	}
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			t.Fatalf("line %d is\n%s\nand the golden file has\n%s", i+1, a[i], b[i])
		}
	}
	if len(a) != len(b) {
		t.Fatalf("%d lines, and the golden file has %d", len(a), len(b))
	}
}

// The same replies are decided alike by sets compiled anew and by one set from many goroutines.
func TestDecisionsInParallel(t *testing.T) {
	s := desk(t)
	want := decisions(t, s)
	got := make([][]byte, 8)
	var wg sync.WaitGroup
	for i := range got {
		set := s
		if i%2 == 1 {
			set = desk(t)
		}
		wg.Go(func() { got[i] = decisions(t, set) })
	}
	wg.Wait()
	for i, g := range got {
		if !bytes.Equal(g, want) {
			t.Errorf("grading %d differs", i)
		}
	}
}
