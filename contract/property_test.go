package contract

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// harmless are reads that a curious employee makes; some fail honestly.
func harmless() []step {
	return []step{
		{"files.read", m{"file_id": "SPEC-3"}}, {"files.read", m{"file_id": "SPEC-77"}}, {"stores.lots.list", m{"part": "RP-99"}}, {"slips.bookings.get", m{"booking_id": "BK-0404"}},
		{"maint.orders.get", m{"order": "MO-31"}}, {"approvals.limits.get", m{"user": "u-nobody"}},
	}
}

func letters(v *record.Verdict) string {
	var b strings.Builder
	for _, f := range v.Findings {
		fmt.Fprintf(&b, "%s %v %v\n", f.Rule, f.Pass, f.Vacuous)
	}
	return b.String() + *v.GatedScore
}

// Whatever the order of the reads, and whatever else is read before, between or after, every criterion is decided the same.
func TestReadsInAnyOrder(t *testing.T) {
	c, x := depotContract(t)
	want := letters(judged(t, c, x, play(script(reads(), work())...).episode()))
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.Permutation(reads()).Draw(t, "reads")
		add := func(list []step) []step {
			for range rapid.IntRange(0, 3).Draw(t, "more") {
				extra := rapid.SampledFrom(harmless()).Draw(t, "read")
				list = slices.Insert(list, rapid.IntRange(0, len(list)).Draw(t, "at"), extra)
			}
			return list
		}
		steps = script(add(steps), add(work()))
		if got := letters(judgedRapid(t, c, x, play(steps...).episode())); got != want {
			t.Fatalf("another verdict:\n%s", got)
		}
	})
}

func judgedRapid(t *rapid.T, c *Contract, x *Expected, e *Episode) *record.Verdict {
	v, err := c.Judge(x, e)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Without any one of the reads that the contract asks for, or with it only after the first change, an episode never passes;
// nor without any one of the other steps.
func TestEveryStepIsNeeded(t *testing.T) {
	c, x := depotContract(t)
	all := script(reads(), work())
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(all)-1).Draw(t, "step")
		steps := slices.Delete(slices.Clone(all), i, i+1)
		if i < len(reads()) && rapid.Bool().Draw(t, "late") {
			at := rapid.IntRange(len(reads()), len(steps)).Draw(t, "at") // after the booking, which is the first of work
			steps = slices.Insert(steps, at, all[i])
		}
		v := judgedRapid(t, c, x, play(steps...).episode())
		if v.Pass || v.Strict {
			t.Fatalf("step %d (%s) is not needed", i, all[i].tool)
		}
	})
}

// Any one answer that is changed fails that field and no other.
func TestEveryAnswerCounts(t *testing.T) {
	c, x := depotContract(t)
	wrong := m{"required_quantity": 13, "usable_quantity": 15, "gap": -3, "option": "B", "outcome_date": "2034-05-17", "cost": 640, "held": []string{}, "blocker": "LT-3", "record": "BK-0002"}
	for name, v := range wrong {
		a := goodAnswer()
		a[name] = v
		w := work()
		w[3].args = a
		rule := "answer." + name
		if name == "option" {
			rule = "decision"
		}
		if got := failing(judged(t, c, x, play(script(reads(), w)...).episode())); !slices.Equal(got, []string{rule}) {
			t.Errorf("%s = %v fails %v", name, v, got)
		}
	}
}

// The same episode gives the same bytes, in memory and from the lines of a bundle.
func TestSameBytes(t *testing.T) {
	c, x := depotContract(t)
	e := play(script(reads(), harmless(), work())...).episode()
	first, err := record.Canonical(judged(t, c, x, e))
	if err != nil {
		t.Fatal(err)
	}
	var back Episode
	back.Outcome, back.TaskDigest = e.Outcome, e.TaskDigest
	for i := range e.Events {
		line, err := record.Canonical(&e.Events[i])
		if err != nil {
			t.Fatal(err)
		}
		var ev world.Event
		if err := json.Unmarshal(line, &ev); err != nil {
			t.Fatal(err)
		}
		back.Events = append(back.Events, ev)
	}
	raw, err := json.Marshal(e.Final)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &back.Final); err != nil {
		t.Fatal(err)
	}
	// Everything is compiled anew, so that no order of a map can hide.
	for range 5 {
		c, x := depotContract(t)
		second, err := record.Canonical(judged(t, c, x, &back))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Fatalf("the bundle gives other bytes:\n%s\n%s", first, second)
		}
	}
	var v record.Verdict
	if err := json.Unmarshal(first, &v); err != nil {
		t.Fatal(err)
	}
	if v.Agent == nil || !v.Strict || *v.GatedScore != "100" || v.Contract != c.Digest() || v.Engine != Version || v.Trace == "" || v.FinalState == "" || v.Task != "t" {
		t.Errorf("the verdict does not read back: %+v", v.Agent)
	}
}

// FuzzContract takes any YAML as a contract: faults with a place or a contract, never a panic; and never one that an agent
// that does nothing passes.
func FuzzContract(f *testing.F) {
	text := contractText(f)
	f.Add(text)
	for _, part := range strings.Split(text, "\n") {
		f.Add(part)
	}
	f.Add("answer: {gap: 1}\n")
	f.Fuzz(func(t *testing.T, text string) {
		n, err := bench.Parse("contract.yaml", []byte(text))
		if err != nil {
			return
		}
		c, _, err := Compile(n, newDepot(), depotTask())
		if err != nil {
			if !strings.Contains(err.Error(), "contract.yaml") {
				t.Fatalf("the error does not name the file: %v", err)
			}
			return
		}
		Explain(c, nil)
		x, err := c.Derive(newDepot())
		if err != nil {
			return
		}
		Explain(c, x)
		c.LintSeed(x, newDepot())
		v, err := c.Judge(x, play().episode())
		if err != nil {
			t.Fatal(err)
		}
		if v.Pass || *v.GatedScore != "0" {
			t.Fatalf("nothing was done, and it passes: %v, %s", v.Pass, *v.GatedScore)
		}
		if _, err := c.Judge(x, play(script(reads(), work())...).episode()); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzEvents takes any JSON as arguments and results: a verdict, never a panic.
func FuzzEvents(f *testing.F) {
	f.Add("slips.bookings.create", `{"slip":"SLIP-2"}`, `{"booking_id":"BK-0001"}`)
	f.Add("notes.drafts.create", `[1e999999,{"a":{}}]`, `null`)
	f.Add(SubmitTool, `"no JSON"`, `{`)
	n, err := bench.Parse("contract.yaml", []byte(contractText(f)))
	if err != nil {
		f.Fatal(err)
	}
	c, _, err := Compile(n, newDepot(), depotTask())
	if err != nil {
		f.Fatal(err)
	}
	x, err := c.Derive(newDepot())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, tool, args, result string) {
		e := play(script(reads(), work())...).episode()
		e.Events = append(e.Events, world.Event{Seq: len(e.Events) + 1, Actor: world.Agent, Tool: tool, Args: []byte(args), Status: world.OK, Result: []byte(result), Hash: "h"})
		v, err := c.Judge(x, e)
		if err != nil {
			t.Fatal(err)
		}
		if v.State != record.Graded {
			t.Fatalf("%s: %s", v.State, v.Reason)
		}
	})
}

// A contract is judged from many places at once.
func TestParallel(t *testing.T) {
	c, x := depotContract(t)
	want := letters(judged(t, c, x, play(script(reads(), work())...).episode()))
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for range 5 {
				if got := letters(judged(t, c, x, play(script(reads(), harmless()[:i%6], work())...).episode())); got != want {
					t.Errorf("another verdict:\n%s", got)
				}
			}
		})
	}
}

// BenchmarkJudge judges an episode of 3,000 calls, a third of which change the world.
func BenchmarkJudge(b *testing.B) {
	c, x := depotContract(b)
	steps := script(reads(), work()[:2])
	for range 1000 {
		steps = append(steps, step{"slips.bookings.update", m{"booking_id": "BK-0001", "memo": fmt.Sprint(len(steps))}}, reads()[2], harmless()[1])
	}
	e := play(script(steps, work()[1:])...).episode()
	b.ResetTimer()
	for b.Loop() {
		v, err := c.Judge(x, e)
		if err != nil {
			b.Fatal(err)
		}
		if !v.Pass {
			b.Fatal(failing(v))
		}
	}
}
