package cli_test

import (
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
)

// What users of other harnesses suffered from, as tests: each runs the command line against a server over HTTP, and looks at
// what a person or a program is told in the end.

// TestRateLimitsAreNoFailures: calls that a busy server turned away are errors, which are missing and never wrong; a table
// with any of them is incomplete, and a run in which every item has the same verdict says so.
func TestRateLimitsAreNoFailures(t *testing.T) {
	t.Parallel()
	t.Run("some", func(t *testing.T) {
		r := newRig(t)
		r.write(benchOf{items: 6, repeats: 2})
		s := &script{says: func(item string, _ int) modeltest.MockReply {
			switch item {
			case itemName(1):
				return modeltest.MockReply{Fault: "429"}
			case itemName(2):
				return modeltest.MockReply{Content: "ANSWER: 41"}
			}
			return right()
		}}
		m, _ := r.mock(modeltest.MockOptions{Reply: s.reply})
		res, got := r.run(3, m)
		f := res.Figures[0]
		if f.Passed != 4 || f.Items != 6 || f.Judged != 5 || f.Complete || f.Attempts.Error != 2 {
			t.Errorf("%+v", f)
		}
		if len(f.Open) != 1 || f.Open[0].Kind != "error" || f.Open[0].Items != 1 {
			t.Errorf("open: %+v", f.Open)
		}
		if l := letters(res, itemName(1)); l != "EE" || letters(res, itemName(2)) != "FF" {
			t.Errorf("letters %s", l)
		}
		if !noted(res, "incomplete: 2 of 12 missing or in error, not a result to rank") || noted(res, "same verdict") {
			t.Errorf("notes: %q", res.Notes)
		}
		if !strings.Contains(got.err, "2 attempts of 12 are missing or ended in an error (the first: busy (HTTP 429): the server is busy (Rate limit reached)); the same command tries them again") {
			t.Errorf("standard error: %s", got.err)
		}
		// Eight tries of each attempt, none of which is thrown away.
		for _, a := range r.item(itemName(1)) {
			if len(a.Earlier) != 7 || a.Outcome != "error" || !strings.HasPrefix(a.Reason, "busy (HTTP 429): ") {
				t.Errorf("%+v", a)
			}
		}
		if text := r.want(0, "result", "latest").out; !strings.Contains(text, "incomplete: 2 of 12") || !strings.Contains(text, "4/6 exact") {
			t.Errorf("no word of what is missing in\n%s", text)
		}
	})
	t.Run("all", func(t *testing.T) {
		r := newRig(t)
		r.write(benchOf{items: 5, repeats: 2})
		m, _ := r.mock(modeltest.MockOptions{Wire: modeltest.WireGemini, Fault: func(int64) modeltest.Fault { return "503" }})
		got := r.want(3, "run", "./bench", "--unproven", "--json", "--model", m)
		if got.out != "" || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "busy (HTTP 503)") {
			t.Errorf("an outage before the first attempt: %s%s", got.err, got.out)
		}
	})
	t.Run("outage", func(t *testing.T) {
		r := newRig(t)
		r.write(benchOf{items: 5, repeats: 2})
		m, _ := r.mock(modeltest.MockOptions{Fault: func(int64) modeltest.Fault { return "500" }})
		res, _ := r.run(3, m)
		if f := res.Figures[0]; f.Judged != 0 || f.Passed != 0 || f.Attempts.Error != 10 || f.Interval != [2]float64{0, 1} {
			t.Errorf("%+v", f)
		}
		if !noted(res, "every item is E") {
			t.Errorf("notes: %q", res.Notes)
		}
	})
	for verdict, answer := range map[string]string{"passed": "ANSWER: 42", "not passed": "ANSWER: 41"} {
		t.Run("everything "+verdict, func(t *testing.T) {
			r := newRig(t)
			r.write(benchOf{items: 4})
			m, _ := r.mock(modeltest.MockOptions{Answer: answer})
			res, _ := r.run(0, m)
			if !noted(res, "every item has the same verdict ("+verdict+")") {
				t.Errorf("notes: %q", res.Notes)
			}
		})
	}
}

// TestBudgetCuts: answers that the output limit cut stand in a column of their own, and the figure has both denominators.
func TestBudgetCuts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write(benchOf{items: 8, repeats: 2})
	s := &script{says: func(item string, _ int) modeltest.MockReply {
		switch item {
		case itemName(0): // right so far, and cut
			return modeltest.MockReply{Content: "ANSWER: 42", Finish: "length"}
		case itemName(1): // cut while it thought
			return modeltest.MockReply{Thinking: "let me see", Finish: "length"}
		case itemName(2): // a block of thinking that was never closed
			return modeltest.MockReply{Content: "<think>perhaps ANSWER: 42"}
		case itemName(3): // no answer
			return modeltest.MockReply{Content: "I would rather not say."}
		case itemName(4):
			return modeltest.MockReply{Content: "ANSWER: 41"}
		}
		return right()
	}}
	m, _ := r.mock(modeltest.MockOptions{Reply: s.reply})
	res, got := r.run(0, m)
	f := res.Figures[0]
	if f.Passed != 3 || f.Items != 8 || f.Judged != 8 || f.Answered.Passed != 3 || f.Answered.Items != 4 || !f.Complete {
		t.Errorf("%+v", f)
	}
	if a := f.Attempts; a.Truncated != 6 || a.Unread != 2 || a.Answered != 10 || a.Error != 0 {
		t.Errorf("%+v", a)
	}
	for i, want := range []string{"CC", "CC", "CC", "UU", "FF", "..", "..", ".."} {
		if l := letters(res, itemName(i)); l != want {
			t.Errorf("%s: %s, want %s", itemName(i), l, want)
		}
	}
	text := r.want(0, "result", "latest").out
	for _, want := range []string{"3/8 exact", "3/4 of those answered", "truncated "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := s.of(itemName(0)); n != 2 {
		t.Errorf("a cut answer was asked for again: %d calls (%s)", n, got.err)
	}
}

// TestRetriesOnlyOnDeclaredFaults: what a server or a network did before a reply began is tried again, and kept; a reply that
// began and what a model said never are.
func TestRetriesOnlyOnDeclaredFaults(t *testing.T) {
	t.Parallel()
	type plan struct {
		first   modeltest.MockReply // of the first call, or of all where always is true
		always  bool
		calls   int
		letter  string
		earlier string // the beginning of what is kept of the first call
	}
	fault := func(f modeltest.Fault) modeltest.MockReply { return modeltest.MockReply{Fault: f} }
	plans := []plan{
		{first: fault("429"), calls: 2, letter: ".", earlier: "busy (HTTP 429): "},
		{first: fault("500"), calls: 2, letter: ".", earlier: "server (HTTP 500): "},
		{first: fault("close"), calls: 2, letter: ".", earlier: "unreachable: "},
		{first: fault("error-200"), calls: 2, letter: ".", earlier: "server (HTTP 200): "},
		{first: fault("cut"), calls: 1, letter: "E"}, // the reply had begun
		{first: fault("502"), always: true, calls: 3, letter: "E", earlier: "server (HTTP 502): "},
		{first: fault("503"), always: true, calls: 8, letter: "E", earlier: "busy (HTTP 503): "},
		{first: fault("400"), always: true, calls: 1, letter: "E"},
		{first: fault("redirect"), always: true, calls: 1, letter: "E"},
		{first: fault("filter"), always: true, calls: 1, letter: "R"},
		{first: fault("refusal"), always: true, calls: 1, letter: "R"},
		{first: fault("length"), always: true, calls: 1, letter: "C"},
		{first: fault("empty"), always: true, calls: 1, letter: "U"},
		{first: fault("finish-unknown"), always: true, calls: 1, letter: "E"},
		{first: modeltest.MockReply{Content: "ANSWER: 41"}, always: true, calls: 1, letter: "F"},
	}
	r := newRig(t)
	r.write(benchOf{items: len(plans)})
	s := &script{}
	s.says = func(item string, call int) modeltest.MockReply {
		for i, p := range plans {
			if item == itemName(i) && (p.always || call == 1) {
				return p.first
			}
		}
		return right()
	}
	m, mock := r.mock(modeltest.MockOptions{Reply: s.reply})
	res, _ := r.run(3, m)
	total := 0
	for i, p := range plans {
		total += p.calls
		item := itemName(i)
		got := r.item(item)
		if n := s.of(item); n != p.calls || letters(res, item) != p.letter || len(got) != 1 || len(got[0].Earlier) != p.calls-1 {
			t.Errorf("%s (%s): %d calls, letter %s, want %d and %s: %+v", item, p.first.Fault, n, letters(res, item), p.calls, p.letter, got)
			continue
		}
		for _, e := range got[0].Earlier {
			if e.Outcome != "error" || !strings.HasPrefix(e.Reason, p.earlier) {
				t.Errorf("%s: %+v, want %q", item, e, p.earlier)
			}
		}
	}
	if n := mock.Requests(); n != int64(total) {
		t.Errorf("%d calls, want %d", n, total)
	}
	// The same command tries again what is missing, keeps what there was, and asks for nothing else.
	before := mock.Requests()
	again, _ := r.run(3, m)
	if again.Run != res.Run {
		t.Errorf("run %s was not taken up but %s begun", res.Run, again.Run)
	}
	if n := mock.Requests() - before; n != 1+3+8+1+1+1 {
		t.Errorf("%d further calls", n)
	}
	if got := r.item(itemName(5)); len(got[0].Earlier) != 5 {
		t.Errorf("%+v", got)
	}
	k := res.Attempts.Settings[0].Retries
	if k.Attempts != 6 || k.Calls != 4+2+7 {
		t.Errorf("%+v", k)
	}
}
