package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// mooring compiles the example bench, altered where the test asks for it: file, old, new.
func mooring(t *testing.T, edits ...string) *tasks.Set {
	t.Helper()
	m := fstest.MapFS{}
	root := "../examples/mooring"
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		m[filepath.ToSlash(rel)] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(edits); i += 3 {
		text := string(m[edits[i]].Data)
		if !strings.Contains(text, edits[i+1]) {
			t.Fatalf("%s has no %q", edits[i], edits[i+1])
		}
		m[edits[i]] = &fstest.MapFile{Data: []byte(strings.Replace(text, edits[i+1], edits[i+2], 1))}
	}
	b, err := bench.Load(m, "mooring")
	if err != nil {
		t.Fatal(err)
	}
	s, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// loop begins an episode of the example.
func loop(t *testing.T, s *tasks.Set, l world.Limits) *Loop {
	t.Helper()
	sess, err := s.Tasks()[0].Session(context.Background(), "loop")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sess.Close() })
	return NewLoop(sess, l)
}

// reference gives the calls of the example's reference, as a model makes them.
func reference(t *testing.T) (out []record.ToolCall) {
	t.Helper()
	b, err := os.ReadFile("../examples/mooring/tasks/ferry-217/sealed/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	trace, err := world.ReadTrace(b)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range trace {
		out = append(out, record.ToolCall{ID: fmt.Sprintf("c%d", i+1), Name: wireName(c.Tool), Arguments: string(c.Args)})
	}
	return out
}

func call(name, args string) record.ToolCall {
	return record.ToolCall{ID: "x", Name: name, Arguments: args}
}

// reply is what came back of one call of a model that took a second and ten tokens.
func reply(text string, calls ...record.ToolCall) *record.Transcript {
	prompt, output := int64(7), int64(3)
	return &record.Transcript{Outcome: record.Answered, Answer: text, Tools: calls, Usage: record.Usage{Prompt: &prompt, Output: &output}, Timing: record.Timing{Total: int64(time.Second)},
		Calls: []record.Exchange{{}}, Delivery: record.Delivery{State: model.Delivered}}
}

// take gives a reply to the loop, which must not fail.
func take(t *testing.T, l *Loop, r *record.Transcript) bool {
	t.Helper()
	more, err := l.Take(context.Background(), r, model.Message{Role: "assistant", Text: r.Answer, Calls: r.Tools})
	if err != nil {
		t.Fatal(err)
	}
	return more
}

// whole ends the attempt, and gives its transcript with the events of its episode.
func whole(t *testing.T, l *Loop, last *record.Transcript) (record.Transcript, []world.Event) {
	t.Helper()
	tr, err := l.Whole(context.Background(), *last)
	if err != nil {
		t.Fatal(err)
	}
	var events []world.Event
	if err := json.Unmarshal(tr.Episode.Events, &events); err != nil {
		t.Fatal(err)
	}
	return tr, events
}

// TestCallsOfOneReply: several calls in one reply are made in their order, each answered under its own id, and the reply's own
// text is kept.
func TestCallsOfOneReply(t *testing.T) {
	s := mooring(t)
	l := loop(t, s, s.Limits())
	calls := reference(t)
	if !take(t, l, reply("I look at what there is.", calls[:9]...)) {
		t.Fatal("the episode ended with its reads")
	}
	said := l.Messages([]model.Message{{Role: "user", Text: "asked"}})
	if len(said) != 1+1+9 || said[0].Text != "asked" || said[1].Role != "assistant" || said[1].Text != "I look at what there is." {
		t.Fatalf("%d messages: %+v", len(said), said[:2])
	}
	for i, m := range said[2:] {
		if m.Role != "tool" || m.CallID != calls[i].ID || m.Tool != calls[i].Name || m.Failed {
			t.Errorf("answer %d is %+v", i, m)
		}
	}
	if got := said[4].Text; !strings.Contains(got, `"drums":3`) {
		t.Errorf("the order is %s", got)
	}
	last := reply("Done.", calls[9:]...)
	if take(t, l, last) {
		t.Error("the episode goes on after its answer")
	}
	tr, events := whole(t, l, last)
	if tr.Outcome != record.Answered || tr.Episode.Ended != EndedAnswer || len(events) != 13 || len(tr.Turns) != 1 || tr.Turns[0].Answer != "I look at what there is." || len(tr.Turns[0].Tools) != 9 || tr.Answer != "Done." {
		t.Errorf("%s, ended by %s, %d events, turns %+v", tr.Outcome, tr.Episode.Ended, len(events), tr.Turns)
	}
	for i, e := range events {
		if e.Actor != world.Agent || e.Surface != Surface || wireName(e.Tool) != calls[i].Name || e.Seq != i+1 {
			t.Errorf("event %d is %s of %s on %s", i+1, e.Tool, e.Actor, e.Surface)
		}
	}
	if *tr.Usage.Prompt != 14 || *tr.Usage.Output != 6 || tr.Timing.Total != int64(2*time.Second) || len(tr.Calls) != 2 {
		t.Errorf("usage %d and %d, %d ns, %d calls", *tr.Usage.Prompt, *tr.Usage.Output, tr.Timing.Total, len(tr.Calls))
	}
	if v, err := s.Grade(context.Background(), "ferry-217", tr); err != nil || !v.Pass {
		t.Errorf("the reference fails: %v, %v", v.Findings, err)
	}
}

// TestLimits: each limit ends the episode where it is met, as the agent's end, with the state kept. An answer that was handed in
// before is the better reason.
func TestLimits(t *testing.T) {
	calls := reference(t)
	submit := calls[12]
	for _, c := range []struct {
		name    string
		limits  world.Limits
		replies []*record.Transcript
		events  int
		ended   string
		outcome record.Outcome
		reason  string
	}{
		{"calls inside a reply", world.Limits{Turns: 9, Calls: 3}, []*record.Transcript{reply("", calls[:5]...)}, 3, EndedCalls, record.Truncated, "the limit of 3 calls was reached"},
		{"calls between replies", world.Limits{Turns: 9, Calls: 2}, []*record.Transcript{reply("", calls[:2]...), reply("", calls[2])}, 2, EndedCalls, record.Truncated, "the limit of 2 calls was reached"},
		{"calls after the answer", world.Limits{Turns: 9, Calls: 2}, []*record.Transcript{reply("", calls[0], submit, calls[1])}, 2, EndedAnswer, record.Answered, ""},
		{"turns", world.Limits{Turns: 2}, []*record.Transcript{reply("", calls[0]), reply("", calls[1])}, 2, EndedTurns, record.Truncated, "the limit of 2 turns was reached"},
		{"the answer in the last turn", world.Limits{Turns: 2}, []*record.Transcript{reply("", calls[0]), reply("", submit)}, 2, EndedAnswer, record.Answered, ""},
		{"tokens", world.Limits{Turns: 9, Tokens: 20}, []*record.Transcript{reply("", calls[0]), reply("", calls[1])}, 2, EndedTokens, record.Truncated, "the limit of 20 tokens was reached"},
		{"a slow model", world.Limits{Turns: 9, Time: 2 * time.Second}, []*record.Transcript{reply("", calls[0]), reply("", calls[1])}, 2, EndedTime, record.Truncated, "the limit of 2s was reached"},
		{"stopped by itself", world.Limits{Turns: 9}, []*record.Transcript{reply("", calls[0]), reply("I am done.")}, 1, EndedSilent, record.Answered, "the agent stopped without handing in an answer"},
		{"nothing at all", world.Limits{Turns: 9}, []*record.Transcript{reply("")}, 0, EndedSilent, record.Answered, "the agent stopped without handing in an answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mooring(t)
			l := loop(t, s, c.limits)
			var last *record.Transcript
			for i, r := range c.replies {
				last = r
				if more := take(t, l, r); more != (i < len(c.replies)-1) {
					t.Fatalf("after reply %d the episode goes on: %v", i+1, more)
				}
			}
			tr, events := whole(t, l, last)
			if tr.Outcome != c.outcome || tr.Reason != c.reason || tr.Episode.Ended != c.ended || len(events) != c.events {
				t.Errorf("%s (%s), ended by %s, %d events", tr.Outcome, tr.Reason, tr.Episode.Ended, len(events))
			}
			v, err := s.Grade(context.Background(), "ferry-217", tr)
			if err != nil || v.State != record.Graded || v.Pass {
				t.Fatalf("%s %s, %v", v.State, v.Reason, err)
			}
			if scored := v.Agent.GatedScore != nil; scored != (c.outcome == record.Answered) {
				t.Errorf("%s is scored: %v", c.outcome, scored)
			}
		})
	}
}

// TestTimeLeft: the time that is left shrinks with what the model took, and never grows.
func TestTimeLeft(t *testing.T) {
	s := mooring(t)
	l := loop(t, s, world.Limits{Turns: 9, Time: 5 * time.Second})
	if left, ok := l.Left(); !ok || left != 5*time.Second {
		t.Errorf("%s left at the beginning", left)
	}
	calls := reference(t)
	take(t, l, reply("", calls[0]))
	if left, ok := l.Left(); !ok || left > 4*time.Second || left < 3*time.Second {
		t.Errorf("%s left after a second", left)
	}
	r := reply("", calls[1])
	r.Timing.Total = int64(time.Hour)
	if take(t, l, r) {
		t.Error("it goes on after an hour")
	}
	if left, _ := l.Left(); left != 0 {
		t.Errorf("%s left after an hour", left)
	}
	if _, ok := loop(t, s, world.Limits{Turns: 9}).Left(); ok {
		t.Error("an episode without a limit has one")
	}
}

// TestContextOutgrown: a conversation that no longer fits is the agent's end and says after how many turns; one that never
// fitted is the set-up's.
func TestContextOutgrown(t *testing.T) {
	s := mooring(t)
	calls := reference(t)
	cut := reply("")
	cut.Outcome, cut.Reason, cut.Delivery.State = record.Undelivered, "400: context length exceeded", model.Undelivered
	l := loop(t, s, s.Limits())
	take(t, l, reply("", calls[:3]...))
	take(t, l, reply("", calls[3]))
	if take(t, l, cut) {
		t.Error("it goes on")
	}
	tr, events := whole(t, l, cut)
	if tr.Outcome != record.Truncated || tr.Episode.Ended != EndedContext || tr.Reason != "the conversation outgrew the model's context after 2 turns" || len(events) != 4 || len(tr.Turns) != 2 {
		t.Errorf("%s (%s), ended by %s, %d events, %d turns", tr.Outcome, tr.Reason, tr.Episode.Ended, len(events), len(tr.Turns))
	}
	l = loop(t, s, s.Limits())
	take(t, l, cut)
	if tr, _ := whole(t, l, cut); tr.Outcome != record.Undelivered || tr.Episode.Ended != EndedReply {
		t.Errorf("never delivered: %s, ended by %s", tr.Outcome, tr.Episode.Ended)
	}
}

// TestWorldFaultIsOurs: a world that breaks its own schema ends the attempt as an error of ours, and its episode has no score.
func TestWorldFaultIsOurs(t *testing.T) {
	s := mooring(t, "world/seed/limits.csv", "u-ada,0.00", "u-ada,plenty")
	l := loop(t, s, s.Limits())
	r := reply("", call("approvals-limits-get", `{"user_id":"u-wren"}`), call("approvals-limits-get", `{"user_id":"u-ada"}`), call("assay-context", `{}`))
	more, err := l.Take(context.Background(), r, model.Message{Role: "assistant", Calls: r.Tools})
	if err == nil || more || !strings.Contains(err.Error(), "the world failed: approvals.limits.get") {
		t.Fatalf("more %v, %v", more, err)
	}
	tr, events := whole(t, l, r)
	if len(events) != 2 || events[1].Status != world.Fault || events[1].Error.Code != world.WorldFault {
		t.Fatalf("%d events, the last %s", len(events), events[len(events)-1].Status)
	}
	v, err := s.Grade(context.Background(), "ferry-217", tr)
	if err != nil || v.State != record.Ungradable || v.Pass || !strings.Contains(v.Reason, "event 2: the world failed") {
		t.Errorf("%s %q, %v", v.State, v.Reason, err)
	}
}

// TestRepliesThatEndBadly: a refusal, a cut reply and a timeout are what they are, and no call in them is made.
func TestRepliesThatEndBadly(t *testing.T) {
	s := mooring(t)
	calls := reference(t)
	for _, c := range []struct {
		outcome record.Outcome
		reason  string
		letter  record.Letter
	}{{record.Refused, "content filter", record.LetterRefused}, {record.Truncated, "finish_reason length", record.LetterTruncated}, {record.Timeout, "no final record within 240s", record.LetterTimeout}} {
		l := loop(t, s, s.Limits())
		take(t, l, reply("", calls[:2]...))
		bad := reply("I would rather", calls[9])
		bad.Outcome, bad.Reason = c.outcome, c.reason
		if take(t, l, bad) {
			t.Errorf("%s goes on", c.outcome)
		}
		tr, events := whole(t, l, bad)
		if tr.Outcome != c.outcome || tr.Reason != c.reason || tr.Episode.Ended != EndedReply || len(events) != 2 || len(tr.Turns) != 1 {
			t.Errorf("%s (%s), ended by %s, %d events, %d turns", tr.Outcome, tr.Reason, tr.Episode.Ended, len(events), len(tr.Turns))
		}
		if v, err := s.Grade(context.Background(), "ferry-217", tr); err != nil || v.Letter != c.letter || v.Pass || v.Agent.GatedScore != nil {
			t.Errorf("%s: letter %s, %v", c.outcome, v.Letter, err)
		}
	}
}

// TestCutOffCallsAreNotMade: arguments are kept as they came. What is cut off is no empty object, and is told to the model.
func TestCutOffCallsAreNotMade(t *testing.T) {
	s := mooring(t)
	for _, args := range []string{`{"slip":"SLIP-2","day":"2034-05-`, ``, `{"slip":"SLIP-2"} {"day":1}`, `{"slip":"SLIP-2","slip":"SLIP-1","day":"2034-05-16","vessel":"217"}`, `[]`, `"{}"`, "{\"slip\":\"\xff\"}"} {
		l := loop(t, s, s.Limits())
		r := reply("", call("slips-bookings-create", args))
		if !take(t, l, r) {
			t.Fatalf("%q ends the episode", args)
		}
		m := l.Messages(nil)[1]
		if !m.Failed || !strings.Contains(m.Text, `"code":"invalid_arguments"`) {
			t.Errorf("%q is answered by %s", args, m.Text)
		}
		tr, events := whole(t, l, r)
		if len(events) != 1 || events[0].Status != world.Rejected || len(events[0].Effect) != 0 || string(tr.Episode.Changes) != "[]" {
			t.Errorf("%q: %+v", args, events)
		}
		if args != "" && args != "[]" && string(events[0].Args) == "{}" {
			t.Errorf("%q is kept as %s", args, events[0].Args)
		}
	}
}

// TestUnknownToolIsNoSuccess: a call of what is not there is a failure to the model and in the log, by both spellings of names.
func TestUnknownToolIsNoSuccess(t *testing.T) {
	s := mooring(t)
	l := loop(t, s, s.Limits())
	last := reply("", call("stores-lots-lits", `{}`), call("", `{}`), call("stores.lots.list", `{"part":"RP-12"}`))
	take(t, l, last)
	said := l.Messages(nil)
	for _, m := range said[1:3] {
		if !m.Failed || !strings.Contains(m.Text, `"code":"unknown_tool"`) {
			t.Errorf("%s is answered by %s", m.Tool, m.Text)
		}
	}
	if said[3].Failed {
		t.Errorf("a tool by its own name: %s", said[3].Text)
	}
	_, events := whole(t, l, last)
	for i, want := range []world.Status{world.Rejected, world.Rejected, world.OK} {
		if events[i].Status != want || events[i].OK() != (want == world.OK) {
			t.Errorf("event %d is %s", i+1, events[i].Status)
		}
	}
}

// TestEveryToolIsOffered: however many tools a world has, the model is offered every one, the brief lists them, and no two have one name.
func TestEveryToolIsOffered(t *testing.T) {
	b, err := os.ReadFile("../examples/mooring/world/tools.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	begin := strings.Index(text, "  - name: maint.orders.get\n")
	end := begin + strings.Index(text[begin+5:], "  - name: ") + 5
	one := text[begin:end]
	var more strings.Builder
	for i := range 90 {
		more.WriteString(strings.Replace(one, "maint.orders.get", fmt.Sprintf("maint.more%02d.get", i), 1))
	}
	s := mooring(t, "world/tools.yaml", "tools:\n", "tools:\n"+more.String())
	l := loop(t, s, s.Limits())
	names := map[string]bool{}
	for _, tool := range l.Tools() {
		if names[tool.Name] || len(tool.Input) == 0 || tool.Description == "" || strings.Contains(tool.Name, ".") {
			t.Errorf("the tool %s stands twice or says nothing", tool.Name)
		}
		names[tool.Name] = true
	}
	take(t, l, reply("", call("assay-context", `{}`)))
	brief := l.Messages(nil)[1].Text
	for _, tool := range l.Session().Tools() {
		if !names[wireName(tool.Name)] || !strings.Contains(brief, `"`+tool.Name+`"`) {
			t.Errorf("%s is hidden", tool.Name)
		}
	}
	if len(names) != 11+3+90 {
		t.Errorf("%d tools", len(names))
	}
	for _, c := range reference(t) {
		if !names[c.Name] {
			t.Errorf("the reference calls %s, which is not offered", c.Name)
		}
	}
}

// TestPlayThrough: a control goes on after an answer as its trace does, up to the limits; a model's episode ends with its answer.
func TestPlayThrough(t *testing.T) {
	s := mooring(t)
	calls := reference(t)
	answer := calls[len(calls)-1]
	for _, c := range []struct {
		name    string
		through bool
		limits  world.Limits
		more    []bool // after each of three answers
		events  int
	}{
		{"a model", false, world.Limits{}, []bool{false}, 1},
		{"a control", true, world.Limits{}, []bool{true, true, true}, 3},
		{"a control at its last turn", true, world.Limits{Turns: 2}, []bool{true, false}, 2},
		{"a control at its last call", true, world.Limits{Calls: 2}, []bool{true, false}, 2},
	} {
		l := loop(t, s, c.limits)
		if c.through {
			l.PlayThrough()
		}
		for i, want := range c.more {
			tr := record.Transcript{Outcome: record.Answered, Tools: []record.ToolCall{answer}}
			more, err := l.Take(context.Background(), &tr, model.Message{Role: "assistant"})
			if err != nil || more != want {
				t.Errorf("%s, answer %d: more is %v, want %v (%v)", c.name, i+1, more, want, err)
			}
		}
		end := record.Transcript{Outcome: record.Answered}
		if c.through && c.more[len(c.more)-1] {
			if more, err := l.Take(context.Background(), &end, model.Message{}); more || err != nil {
				t.Errorf("%s: it goes on after it stopped (%v)", c.name, err)
			}
		}
		w, err := l.Whole(context.Background(), end)
		if err != nil || w.Outcome != record.Answered || w.Episode.Ended != EndedAnswer || len(l.Session().Events()) != c.events {
			t.Errorf("%s: %s, ended by %s, %d events, %v", c.name, w.Outcome, w.Episode.Ended, len(l.Session().Events()), err)
		}
	}
}

// TestCost: replies cost what their tokens cost, and what the server does not count the most that it can have been.
func TestCost(t *testing.T) {
	s := mooring(t)
	n := func(v int64) *int64 { return &v }
	for name, c := range map[string]struct {
		usage  record.Usage
		priced bool
		turns  int
	}{
		"counted":            {record.Usage{Prompt: n(1000), Output: n(100)}, true, 2}, // 0.0011 each, of 0.002
		"from a cache":       {record.Usage{Prompt: n(1000), Cached: n(1000), Output: n(100)}, true, 4},
		"not counted":        {record.Usage{}, true, 1}, // 500 bytes, 512 of a template, 1000 tokens out
		"without any prices": {record.Usage{Prompt: n(1e9), Output: n(1e9)}, false, 5},
	} {
		l := loop(t, s, world.Limits{Cost: 2e9, Currency: "USD"})
		if c.priced {
			l.Priced(price.Price{Input: 1e12, Cached: 0.4e12, Output: 1e12}, 1000)
		}
		turns := 0
		for more := true; more && turns < 5; turns++ {
			tr := record.Transcript{Outcome: record.Answered, Usage: c.usage, Tools: []record.ToolCall{reference(t)[0]}, Calls: []record.Exchange{{RequestBody: make([]byte, 500)}}}
			var err error
			if more, err = l.Take(context.Background(), &tr, model.Message{Role: "assistant"}); err != nil {
				t.Fatal(err)
			}
		}
		w, err := l.Whole(context.Background(), record.Transcript{Outcome: record.Answered})
		if err != nil || turns != c.turns || c.priced && (w.Outcome != record.Truncated || w.Reason != "the limit of 0.002 USD was reached" || w.Episode.Ended != EndedCost) {
			t.Errorf("%s: %d turns, want %d: %s (%s), %v", name, turns, c.turns, w.Outcome, w.Reason, err)
		}
	}
}
