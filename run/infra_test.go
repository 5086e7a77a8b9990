package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/model/openai"
	"github.com/assaybench/assay/record"
)

// numbered gives each call a number of its own, as the last line of its prompt, by which the mock knows what goes wrong with
// it and the test what ought to have come of it.
type numbered struct {
	*openai.Model
	calls *fakeModel // counts
}

func (n numbered) Call(ctx context.Context, req model.Request) (model.Reply, error) {
	req.Messages = []model.Message{{Role: "user", Text: fmt.Sprintf("%s\n%d", req.Messages[0].Text, n.calls.calls.Add(1))}}
	return n.Model.Call(ctx, req)
}

// numberOf reads a call's number off the end of its prompt.
func numberOf(prompt string) (n int64) {
	_, err := fmt.Sscan(prompt[strings.LastIndexByte(prompt, '\n')+1:], &n)
	if err != nil {
		return 0
	}
	return n
}

// TestNoFaultIsAWrongAnswer runs attempts against a server that fails one call in twenty, in all ways there are, those that
// stop a run included, and resumes until the run is finished. Every try must have ended as its fault says, every attempt
// have one outcome, and no fault of the infrastructure have been counted as an answer. ASSAY_SLOW=1 makes 10,000 attempts.
func TestNoFaultIsAWrongAnswer(t *testing.T) {
	attempts := 500
	if os.Getenv("ASSAY_SLOW") != "" {
		attempts = 10_000
	}
	draw := modeltest.Draw{Seed: 20260913, Every: 20, Terminal: true}
	plan := draw.Plan()
	mock, err := modeltest.NewMock(modeltest.MockOptions{Reply: func(r modeltest.MockRequest) modeltest.MockReply {
		item, _, _ := strings.Cut(strings.TrimPrefix(r.User, "say right "), " ")
		return modeltest.MockReply{Content: "right " + item, OutputTokens: 3, Fault: plan(numberOf(r.User))}
	}, Models: []string{"m"}})
	if err != nil {
		t.Fatal(err)
	}
	defer mock.Close()
	spec, err := model.ParseSpec("openai/m@" + mock.URL)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := openai.New(openai.Options{Spec: spec, Dial: modeltest.Dial})
	if err != nil {
		t.Fatal(err)
	}
	defer provider.Close()

	b := setup(t, attempts)
	// Long enough for a count of seven tokens to prove that it was cut, and too short for a probe.
	filler := strings.TrimSpace(prose(3000))
	b.set.prompt = func(item string) string { return "say right " + item + " and mind the text\n" + filler }
	b.model.calls.Store(0)
	b.spec.Models, b.spec.Repeats, b.spec.Concurrency = []Entrant{{numbered{provider, b.model}, "m"}}, 1, 8
	b.eng.Retry = Retry{Base: time.Millisecond, Max: 2 * time.Millisecond, MaxAfter: 5 * time.Millisecond}

	begun, sessions, stops := time.Now(), 0, 0
	var s *Session
	for done := false; !done; sessions++ {
		if sessions > 10+attempts/20 {
			t.Fatal("it is never finished")
		}
		var sum Summary
		s, sum, err = b.run()
		if _, ok := errors.AsType[*StopError](err); ok {
			stops++
		} else if err != nil {
			t.Fatal(err)
		}
		done = err == nil && sum.Errors == 0 && sum.Done == sum.Planned
	}
	t.Logf("%d attempts, %d calls, %d sessions, of which %d were stopped, in %v", attempts, b.model.calls.Load(), sessions, stops, time.Since(begun).Round(time.Millisecond))

	seen, wrong, ours := map[modeltest.Fault]int{}, 0, 0
	numbers := map[int64]bool{}
	for row, err := range b.db.Rows(t.Context(), s.Run, s.Run.Plan.Grader) {
		if err != nil {
			t.Fatal(err)
		}
		tries, err := b.db.Tries(t.Context(), s.Run, row.N)
		if err != nil {
			t.Fatal(err)
		}
		var last modeltest.Fault
		for _, try := range tries {
			tr, err := b.db.Transcript(t.Context(), s.Run, row.N, try.Try)
			if err != nil {
				t.Fatal(err)
			}
			n := sentNumber(t, tr)
			if numbers[n] {
				t.Errorf("call %d is on record twice", n)
			}
			numbers[n] = true
			last = plan(n)
			want := record.Answered
			if last != "" {
				want, _ = last.Expect()
				seen[last]++
			}
			if try.Outcome != want || tr.Outcome != want {
				t.Errorf("%s, try %d: %s ended %s (%s), want %s", row.Key.Item, try.Try, last, try.Outcome, try.Reason, want)
			}
		}
		if row.Letter == record.LetterWrong {
			wrong++
			if outcome, kind := last.Expect(); last == "" || outcome != record.Answered || kind != "" {
				ours++
				t.Errorf("%s: %q was counted as a wrong answer", row.Key.Item, last)
			}
		}
		if last == "" && row.Letter != record.LetterPass {
			t.Errorf("%s: a right answer has the letter %s (%s)", row.Key.Item, row.Letter, row.Reason)
		}
	}
	if ours != 0 {
		t.Errorf("%d faults of the infrastructure are counted as wrong answers", ours)
	}
	least := len(draw.Kinds())
	if attempts < 10_000 {
		least = 15
	}
	if len(seen) < least || stops == 0 {
		t.Errorf("%d kinds of faults were met, want %d; %d stops", len(seen), least, stops)
	}
	t.Logf("%d kinds of faults; %d wrong answers, all by empty replies", len(seen), wrong)
}

// sentNumber reads a call's number from what was sent.
func sentNumber(t *testing.T, tr record.Transcript) int64 {
	t.Helper()
	var sent struct {
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	if len(tr.Calls) != 1 {
		t.Fatalf("%d exchanges", len(tr.Calls))
	}
	if err := json.Unmarshal(tr.Calls[0].RequestBody, &sent); err != nil || len(sent.Messages) != 1 {
		t.Fatalf("%s: %v", tr.Calls[0].RequestBody, err)
	}
	return numberOf(sent.Messages[0].Content)
}
