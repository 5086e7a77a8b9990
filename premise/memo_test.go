package premise

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/assaybench/assay/kairos"
)

// Many problems are imported in a time that grows with their number alone: controls made of the same body are evaluated once,
// and a problem's bodies are not searched for.
func TestImportOfMany(t *testing.T) {
	const many = 3000
	var problems, answers bytes.Buffer
	for i := range many {
		fmt.Fprintf(&problems, `{"id":"Q-%04d","prompt":"p","allDay":true,"from":"2026-01-01","to":"2026-05-01","ambiguity":["roll"],"interpretations":[{"key":"skip","assumption":"a","expected":["2026-01-30","2026-03-30","2026-04-30"]}]}`+"\n", i)
		fmt.Fprintf(&answers, `{"id":"Q-%04d","bodies":[{"key":"skip","body":"everyDay |> within(month) |> nth(30)"}]}`+"\n", i)
	}
	p := publishedDesk(t)
	p.Problems, p.Answers = problems.Bytes(), answers.Bytes()
	begun := time.Now()
	im, err := Import(t.Context(), p)
	if err != nil || im.Check.PairsOK != many || im.Check.ControlsOK != im.Check.Controls || len(im.Check.Faults) > 0 {
		t.Fatalf("%+v, %v", im, err)
	}
	if d := time.Since(begun); d > 20*time.Second {
		t.Errorf("%d problems took %v", many, d)
	}
}

// The memo keeps its bounds and what it was given.
func TestMemo(t *testing.T) {
	m := &memo{}
	day := func(n int) kairos.Date { return kairos.Date{Year: 2000 + n, Month: 1, Day: 1} }
	for n := range memoMost + 10 {
		m.put(memoKey("x", day(n), day(n+1)), evaluated{points: []string{day(n).String()}})
	}
	m.put(memoKey("large", day(0), day(1)), evaluated{points: make([]string, memoPoints+1)})
	if _, ok := m.get(memoKey("large", day(0), day(1))); ok || len(m.kept) != memoMost {
		t.Errorf("%d kept, the large one: %v", len(m.kept), ok)
	}
	if _, ok := m.get(memoKey("x", day(9), day(10))); ok {
		t.Error("the oldest is still there")
	}
	if e, ok := m.get(memoKey("x", day(10), day(11))); !ok || e.points[0] != "2010-01-01" {
		t.Errorf("%v, %v", e, ok)
	}
	if _, ok := m.get(memoKey("y", day(20), day(21))); ok {
		t.Error("another body is another evaluation")
	}
}
