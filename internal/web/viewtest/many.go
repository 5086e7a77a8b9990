// Package viewtest makes runs that nobody ran, for tests and measurements of the viewer. Whatever it records goes through the
// store's own interface.
package viewtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// Digests of what the made runs say that they were made with.
const (
	BenchDigest  = "aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11"
	GraderDigest = "bb22bb22bb22bb22bb22bb22bb22bb22bb22bb22bb22bb22bb22bb22bb22bb22"
)

// Start is when the made runs began.
var Start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// Plan is a plan of so many items, with two models and two repeats: four attempts an item.
func Plan(items int) store.Plan {
	p := store.Plan{Bench: "made", Version: "1", Source: "./made", Digest: BenchDigest, Grader: GraderDigest, Protocol: []byte("{}"), Postures: []string{"plain"}, Shape: "prompt",
		Models:  []store.PlanModel{{Name: "openai/small@http://127.0.0.1:9/v1", Postures: []int{0}}, {Name: "openai/large@http://127.0.0.1:9/v1", Postures: []int{0}}},
		Repeats: 2, Items: items, Attempts: 4 * items, Proof: "proven", Only: []string{}, Flags: []string{}, Face: []string{"made for a measurement"}, Shard: store.Shard{I: 1, Of: 1}}
	for i := range families {
		p.Families = append(p.Families, store.PlanFamily{ID: fmt.Sprintf("family-%d", i), Title: fmt.Sprintf("Family %d", i)})
	}
	return p
}

const families = 6

// Many records a run of four attempts for each of so many items; done of the attempts are made, the others are missing.
func Many(ctx context.Context, db store.Store, id string, items, done int) (*store.Run, error) {
	r := &store.Run{ID: id, Created: Start, Request: id, Plan: Plan(items)}
	err := db.CreateRun(ctx, r, func(yield func(store.Attempt) bool) {
		for n := range 4 * items {
			if !yield(at(n, items)) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return r, Make(ctx, db, r, 0, done)
}

// Large records a run of one attempt whose answer has so many bytes, with a finding at its end.
func Large(ctx context.Context, db store.Store, id string, bytes int) error {
	p := Plan(1)
	p.Models, p.Repeats, p.Attempts = p.Models[:1], 1, 1
	r := &store.Run{ID: id, Created: Start, Request: id, Plan: p}
	a := at(0, 1)
	const line = "A line of an answer that goes on and on, and says nothing of what was asked for.\n"
	t := transcript(1, &a)
	t.Answer = strings.Repeat(line, bytes/len(line)) + t.Answer
	t.Calls[0].ResponseBody = []byte(t.Answer)
	v, err := store.NewVerdict(0, verdict(1, &a, t.Answer), p.Digest, Start.UnixNano())
	if err != nil {
		return err
	}
	try, err := store.NewTry(0, 1, t)
	if err != nil {
		return err
	}
	return errors.Join(db.CreateRun(ctx, r, slices.Values([]store.Attempt{a})), db.Record(ctx, r, store.Batch{Tries: []store.Try{try}, Verdicts: []store.Verdict{v}}))
}

func at(n, items int) store.Attempt {
	i := n % items
	basis := record.Exact
	if i%5 == 4 {
		basis = record.Proxy
	}
	return store.Attempt{Model: n / items / 2, Repeat: n/items%2 + 1, Item: fmt.Sprintf("item-%06d", i), Family: fmt.Sprintf("family-%d", i%families), Basis: basis}
}

// Make records the attempts from one number up to, not including, another.
func Make(ctx context.Context, db store.Store, r *store.Run, from, to int) error {
	var b store.Batch
	for n := from; n < to; n++ {
		a := at(n, r.Plan.Items)
		t := transcript(n, &a)
		try, err := store.NewTry(n, 1, t)
		if err != nil {
			return err
		}
		b.Tries = append(b.Tries, try)
		if t.Outcome == record.Answered {
			v, err := store.NewVerdict(n, verdict(n, &a, t.Answer), r.Plan.Digest, Start.UnixNano())
			if err != nil {
				return err
			}
			b.Verdicts = append(b.Verdicts, v)
		}
		if len(b.Tries) == 2000 || n == to-1 {
			if err := db.Record(ctx, r, b); err != nil {
				return err
			}
			b = store.Batch{}
		}
	}
	return nil
}

// right says whether an attempt passes: large passes more often than small, and repeats disagree now and then.
func right(n int, a *store.Attempt) bool { return (n*7919+a.Repeat*31)%100 < 60+25*a.Model }

func transcript(n int, a *store.Attempt) record.Transcript {
	answer := fmt.Sprintf("The number that is asked for in %s follows from the two before it.\nANSWER: %d", a.Item, map[bool]int{true: 42, false: 41}[right(n, a)])
	prompt, output := int64(120+n%50), int64(40+n%400)
	took := int64(200+n%900) * int64(time.Millisecond)
	t := record.Transcript{Outcome: record.Answered, Reason: "finish_reason stop", Answer: answer, Finish: "stop", Model: "small", Usage: record.Usage{Prompt: &prompt, Output: &output},
		Timing:   record.Timing{Started: Start.Add(time.Duration(n) * 50 * time.Millisecond), Total: took, Prompt: took / 10, Output: took * 9 / 10},
		Delivery: record.Delivery{State: "delivered", Expected: 100, Proof: "exact"},
		Calls: []record.Exchange{{Endpoint: "POST http://127.0.0.1:9/v1/chat/completions", RequestBody: fmt.Appendf(nil, `{"model":"small","messages":[{"role":"user","content":"What is asked in %s?"}]}`, a.Item),
			Status: 200, ResponseBody: fmt.Appendf(nil, `{"choices":[{"finish_reason":"stop","message":{"content":%q}}]}`, answer), Started: Start, Elapsed: took}}}
	switch {
	case n%211 == 0:
		t.Outcome, t.Reason, t.Finish = record.Truncated, "finish_reason length", "length"
	case n%503 == 0:
		t.Outcome, t.Reason = record.Error, "status 500"
	}
	return t
}

func verdict(n int, a *store.Attempt, answer string) record.Verdict {
	v := record.Verdict{Bench: "made@1", Item: a.Item, Grader: GraderDigest, Frozen: true, State: record.Graded, Letter: record.LetterPass, Pass: true, Basis: a.Basis}
	f := record.Finding{Rule: "answer", Pass: true, Why: "the number is 42", Expected: "42", Got: "42", Where: &record.Span{Start: len(answer) - 10, End: len(answer), RuneStart: len(answer) - 10, RuneEnd: len(answer)}}
	if !right(n, a) {
		v.Pass, v.Letter = false, record.LetterWrong
		f.Pass, f.Why, f.Got = false, "another number than 42", "41"
	}
	v.Findings = []record.Finding{f}
	return v
}
