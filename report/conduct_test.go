package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assaybench/assay/contention"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/run"
)

func at0(s string) time.Time {
	t, err := time.Parse(time.DateTime, "2026-11-30 "+s)
	if err != nil {
		panic(err)
	}
	return t
}

func identity(phase, digest string) *Identity {
	return &Identity{Phase: phase, Taken: at0("12:00:00"), Model: "gemma4:26b", Digest: "sha256:" + digest, Server: "ollama 0.32.1", Context: 32768,
		Details: map[string]string{vramDetail: "68", "quantization": "Q4_K_M"}}
}

// local is a model on a quiet server of one's own that did all as it was asked.
func local() Model {
	return Model{Name: "ollama/gemma4:26b", Postures: []string{"plain"},
		Before: map[string]Before{"plain": {Ready: &Ready{Context: 32768, LoadNS: 12_300_000_000}, Probe: &Probe{State: "shown", Why: "the words at both its ends came back", Bytes: 48_120, Longest: 48_100, Item: "c3-xx-1"}}},
		Server: Server{Asked: "gemma4:26b", Names: []string{"gemma4:26b"}, Start: identity("start", "6d3a1b22c3d4e5f6a7b8"), End: identity("end", "6d3a1b22c3d4e5f6a7b8"), Checks: 2,
			Concurrency: []run.Concurrency{{Ceiling: 1, Least: 1, Last: 1, Calls: 40, Changes: []run.LimitChange{}}}}}
}

func quietRun(t *testing.T) *Result {
	plan := chairTrials(2, local())
	n := int64(0)
	return mustBuild(t, plan, answers(plan, func(r *Row) bool {
		n++
		r.Pass = r.Key.Item != "c1-xx-2"
		r.PromptTokens, r.OutputTokens, r.CachedTokens = new(int64(12_000)), new(int64(300)), new(int64(100))
		r.LatencyNS, r.LoadNS, r.QueueNS, r.PromptNS, r.GenerationNS = 3_010_000_000+n, 4_000_000, 10_000_000, 1_000_000_000, 2_000_000_000
		return true
	}))
}

// hostedRun is a run at a busy provider and a server that does as it likes.
func hostedRun(t *testing.T) *Result {
	hosted := Model{Name: "anthropic/claude-x", Postures: []string{"plain", "thinking"},
		Before: map[string]Before{"thinking": {Probe: &Probe{State: "not shown", Why: "the word at its tail did not come back", Bytes: 48_120}}},
		Server: Server{Asked: "claude-x", Names: []string{"claude-x-20261001"}, Start: &Identity{Phase: "start", Taken: at0("12:00:00"), Model: "claude-x", Details: map[string]string{"listed": "yes"}},
			Checks: 1, Concurrency: []run.Concurrency{{Ceiling: 8, Least: 4, Last: 8, Calls: 90, Busy: 3, Changes: []run.LimitChange{
				{At: at0("12:03:10"), Limit: 4, Why: "the server was busy: busy (HTTP 429): slow down"}, {At: at0("12:03:31"), Limit: 5}, {At: at0("12:03:40"), Limit: 6},
				{At: at0("12:03:52"), Limit: 7}, {At: at0("12:04:01"), Limit: 8}}}}}}
	moved := Model{Name: "ollama/gemma4:26b", Postures: []string{"plain"}, Server: Server{Asked: "gemma4:26b", Names: []string{"gemma4:26b", "gemma4:26b-q8"},
		Start: identity("start", "6d3a1b22c3d4e5f6a7b8"), End: identity("end", "0011223344556677"), Checks: 5, Changed: true,
		Invalid: []Invalid{{Attempts: 3, Reason: "the model or its server changed during the run", Differences: []string{"model digest: a -> b"}, From: at0("12:10:00"), To: at0("12:11:00")}}}}
	plan := chairTrials(2, hosted, moved)
	plan.Accounts = []price.Account{{File: "prices.yaml", Currency: "USD", AsOf: "2026-11-30", Models: []price.AccountModel{
		{Name: "anthropic/claude-x", Known: true, Input: 5e12, Cached: 5e11, Output: 25e12, Calls: 78, Unknown: 2, Spent: 9_000_000_000_000}, {Name: "ollama/gemma4:26b"}}}}
	plan.Contention = []Watched{{Taken: at0("12:30:00"), Document: watchedDocument(t)}, {Taken: at0("13:30:00"), Unread: `contention: the document is "contention/9", and this program reads "contention/1"`}}
	plan.Notes = []string{"changed during the run: ollama/gemma4:26b: model digest: 6d3a1b22c3d4 -> 001122334455"}
	n := 0
	return mustBuild(t, plan, answers(plan, func(r *Row) bool {
		n++
		r.PromptTokens, r.OutputTokens, r.LatencyNS = new(int64(12_000)), new(int64(300)), 3_000_000_000
		r.Detail = &Detail{Proof: "probe", Settings: []record.Setting{{Name: "temperature", Asked: "0", State: record.SettingNotAccepted, Why: "sampling not accepted: HTTP 400"}}}
		r.Pass = n%3 > 0
		if r.Key.Model == "ollama/gemma4:26b" {
			r.Detail = &Detail{Proof: "exact"}
			switch {
			case n%4 == 0:
				r.Detail.Settings = []record.Setting{{Name: "thinking", Asked: "off", State: record.SettingNotHonoured, Why: "the reply holds thinking"}}
			case n%7 == 0:
				r.LoadNS = 41_200_000_000
			}
			if r.Key.Item == "c3-xx-1" {
				r.Outcome, r.State, r.Pass, r.Delivery, r.Reason = record.Undelivered, "", false, "undelivered", fmt.Sprintf("the server counted %d prompt tokens, and the prompt of 48100 bytes has at least 9000", 2000+n)
				r.Detail = &Detail{Reason: r.Reason}
			}
			return true
		}
		switch {
		case r.Key.Item == "c1-xx-3" && r.Key.Posture == "thinking":
			r.Outcome, r.State, r.Pass, r.Delivery = record.Timeout, "", false, "not provable"
			r.OutputTokens, r.PromptTokens, r.Detail = nil, nil, &Detail{Reason: "no reply"}
		case r.Key.Item == "c1-xx-4":
			r.Delivery, r.Detail.Proof, r.Detail.Reason = "not provable", "", fmt.Sprintf("the server counted %d prompt tokens for 3950 bytes, fewer than most tokenizers would", 700+n)
		case r.Key.Item == "c1-xx-5":
			r.Tries, r.Again = 3, []Again{{Kind: "busy (HTTP 429)"}, {Kind: "broken"}}
		case r.Key.Item == "c1-xx-6" && r.Key.Repeat == 2:
			r.Outcome, r.State, r.Pass, r.Delivery, r.Reason, r.Detail = record.Error, "", false, "not provable", "server (HTTP 500): overloaded", &Detail{Reason: "no reply"}
			r.Tries, r.Again, r.PromptTokens, r.OutputTokens = 3, []Again{{Kind: "server (HTTP 500)"}, {Kind: "server (HTTP 500)"}}, nil, nil
		}
		return true
	}))
}

func watchedDocument(t *testing.T) *contention.Document {
	d := &contention.Document{Kind: contention.Version, Started: at0("12:00:00"), Ended: at0("12:30:00"),
		Settings: contention.Settings{Interval: 1e9, Timeout: 5e9, Around: 5e9, Sample: 1e9, Concurrency: 8},
		Services: []contention.Service{{URL: "http://127.0.0.1:8080/health"}}, Accelerators: contention.Accelerators{Note: "nvidia-smi was not found", List: []contention.Accelerator{}},
		Timeline: contention.Timeline{Step: 4e9, Stretches: []contention.Stretch{}}}
	s := &d.Services[0]
	s.Before = &contention.Probes{N: 5, Latency: &contention.Latency{N: 5, Median: 12e6, P95: 14e6, Worst: 14e6}}
	s.During = &contention.Probes{N: 120, Failed: 3, Failures: map[contention.Kind]int64{"timeout": 3}, Latency: &contention.Latency{N: 120, Median: 48e6, P95: 350e6, Worst: 5e9}}
	if _, err := d.Encode(); err != nil {
		t.Fatal(err)
	}
	return d
}

// A quiet run on a server of one's own adds few lines.
func TestLittleIsSaidWhenAllIsAsAsked(t *testing.T) {
	want := []string{
		"delivered 40/40 (the server refuses what does not fit); settings as asked; head, middle and tail of a prompt of 48,120 bytes came back",
		"ollama 0.32.1, digest 6d3a1b22c3d4, context 32,768, 68 % in VRAM, loaded in 12.3 s, the same at the end",
	}
	r := quietRun(t)
	if diff := cmp.Diff(want, r.conductSection().lines); diff != "" {
		t.Error(diff)
	}
	control := chairTrials(1, reference())
	if got := mustBuild(t, control, answers(control, nil)).conductSection().lines; len(got) != 0 {
		t.Errorf("a control asks nobody, but has %q", got)
	}
}

func TestSettingsOfLargeRuns(t *testing.T) {
	m := local()
	m.Before["plain"] = Before{Ready: &Ready{Settings: []record.Setting{{Name: "temperature", Asked: "0", State: record.SettingNotAccepted, Why: "sampling not accepted"}}}}
	plan := chairTrials(2, m)
	for _, c := range []struct {
		name string
		edit func(*Row) bool
		want []string
	}{
		{"nothing read", func(r *Row) bool { r.Detail = nil; return true }, []string{
			"delivered 40/40; settings of attempts: not read (40 attempts); --full reads them",
			"temperature 0: not accepted, not sent, as found before the first call (sampling not accepted)"}},
		{"some read", func(r *Row) bool {
			if r.Key.Repeat == 2 {
				r.Detail = nil
			}
			return true
		}, []string{
			"delivered 40/40 (the server refuses what does not fit 20, how is not said: 20); settings of attempts: read of 20 of 40 attempts; --full reads all",
			"temperature 0: not accepted, not sent, as found before the first call (sampling not accepted)"}},
		{"the attempts say it themselves", func(r *Row) bool {
			r.Detail.Settings = []record.Setting{{Name: "temperature", Asked: "0", State: record.SettingNotAccepted, Why: "HTTP 400"},
				{Name: "thinking", Asked: "off", State: record.SettingEnforced, Why: "it has none"}, {Name: "schema", Asked: "plan", State: record.SettingEnforced, Why: "grammar"}}
			return true
		}, []string{"delivered 40/40 (the server refuses what does not fit)", "temperature 0: not accepted, not sent in 40 of 40 attempts (HTTP 400)", "schema plan: enforced by the server in 40 of 40 attempts (grammar)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mustBuild(t, plan, answers(plan, c.edit)).Attempts.Settings[0].lines()
			if diff := cmp.Diff(c.want, slices.DeleteFunc(got, func(s string) bool { return s == "" })); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Settings are known of replies alone: a call that was refused or timed out shows nothing of them.
func TestSettingsStandOnReplies(t *testing.T) {
	tokens := new(int64(5))
	for _, c := range []struct {
		row  Row
		want int
	}{
		{Row{Outcome: record.Answered}, 1}, {Row{Outcome: record.Refused}, 1}, {Row{Outcome: record.Truncated}, 1},
		{Row{Outcome: record.Undelivered, PromptTokens: tokens}, 1}, {Row{Outcome: record.Undelivered}, 0},
		{Row{Outcome: record.Timeout}, 0}, {Row{Outcome: record.Error}, 0}, {Row{}, 0},
	} {
		var w wishes
		c.row.Detail = &Detail{}
		if w.add(&c.row); w.replies != c.want || w.read != c.want {
			t.Errorf("%s: %d replies, %d read, want %d", c.row.Outcome, w.replies, w.read, c.want)
		}
	}
}

func TestProbeWords(t *testing.T) {
	for _, c := range []struct {
		p    Probe
		want string
	}{
		{Probe{State: "shown", Bytes: 5000}, "head, middle and tail of a prompt of 5,000 bytes came back"},
		{Probe{State: "not shown", Bytes: 5000, Why: "the word at its head did not come back"}, "probe not shown: of a prompt of 5,000 bytes the word at its head did not come back"},
		{Probe{State: "undelivered", Bytes: 5000, Why: "HTTP 400"}, "probe undelivered: a prompt of 5,000 bytes did not go through (HTTP 400)"},
		{Probe{State: "failed", Bytes: 5000, Why: "HTTP 500"}, "probe failed: a prompt of 5,000 bytes (HTTP 500)"},
		{Probe{State: "unneeded", Why: "no planned prompt is long"}, "no probe needed (no planned prompt is long)"},
		{Probe{State: "skipped", Why: "left out by request"}, "no probe made (left out by request)"},
	} {
		if got := c.p.String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.p.State, got, c.want)
		}
	}
}

func TestIdentityLine(t *testing.T) {
	unloaded := identity("start", "abc")
	unloaded.Context, unloaded.Details = 0, map[string]string{}
	for _, c := range []struct {
		name string
		s    Server
		want string
	}{
		{"nobody said anything", Server{}, ""},
		{"nothing that helps", Server{Start: &Identity{Model: "m"}, End: &Identity{Model: "m"}}, ""},
		{"not asked again", Server{Start: identity("start", "abc")}, "ollama 0.32.1, digest abc, context 32,768, 68 % in VRAM, not asked again at the end"},
		{"loaded later", Server{Start: unloaded, End: identity("end", "abc")}, "ollama 0.32.1, digest abc, context 32,768, 68 % in VRAM, the same at the end"},
		{"changed and nothing else", Server{Start: &Identity{Model: "m"}, End: &Identity{Model: "n"}, Changed: true}, "CHANGED during the run (see the notes)"},
	} {
		if got := c.s.identityLine(0); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	a, b := identity("start", "abc"), identity("end", "abc")
	b.Context, b.Server, b.Details = 0, "", map[string]string{"new": "x"}
	if a.Differs(b) || b.Differs(a) {
		t.Error("what one of two does not say proves nothing")
	}
	for name, change := range map[string]func(*Identity){
		"model": func(id *Identity) { id.Model = "x" }, "digest": func(id *Identity) { id.Digest = "x" }, "server": func(id *Identity) { id.Server = "x" },
		"context": func(id *Identity) { id.Context = 1 }, "detail": func(id *Identity) { id.Details = map[string]string{"quantization": "Q8"} },
	} {
		b := identity("end", "abc")
		if change(b); !a.Differs(b) {
			t.Errorf("another %s is no difference", name)
		}
	}
}

func TestConcurrencyWords(t *testing.T) {
	change := func(clock string, limit int, why string) run.LimitChange {
		return run.LimitChange{At: at0(clock), Limit: limit, Why: why}
	}
	var saw []run.LimitChange
	for i := range 10 {
		saw = append(saw, change(fmt.Sprintf("12:%02d:00", 2*i), 1, "busy (HTTP 503)"), change(fmt.Sprintf("12:%02d:00", 2*i+1), 2, ""))
	}
	for _, c := range []struct {
		name string
		c    run.Concurrency
		want string
	}{
		{"never moved", run.Concurrency{Ceiling: 8, Calls: 40}, ""},
		{"once", run.Concurrency{Ceiling: 8, Calls: 40, Busy: 1, Changes: []run.LimitChange{change("12:03:10", 4, "the server was busy: busy (HTTP 429): x"), change("12:03:20", 5, ""), change("12:03:30", 8, "")}},
			"calls at once: 8, halved to 4 at 12:03:10 UTC on HTTP 429, back to 8 at 12:03:30 (1 of 40 calls answered with busy)"},
		{"down to one and not back", run.Concurrency{Ceiling: 4, Changes: []run.LimitChange{change("12:03:10", 2, "busy"), change("12:03:11", 1, "HTTP x"), change("12:09:00", 2, "")}},
			"calls at once: 4, halved to 2 at 12:03:10 UTC, and to 1 at 12:03:11, up to 2 at 12:09:00"},
		{"over midnight", run.Concurrency{Ceiling: 2, Changes: []run.LimitChange{change("23:59:59", 1, ""), {At: at0("23:59:59").Add(time.Minute), Limit: 2}}},
			"calls at once: 2, halved to 1 at 23:59:59 UTC, back to 2 at 2026-12-01 00:00:59"},
		{"on and on", run.Concurrency{Ceiling: 2, Least: 1, Last: 2, Dropped: 5, Changes: saw},
			"calls at once: 2, halved to 1 at 12:00:00 UTC on HTTP 503, back to 2 at 12:01:00, halved to 1 at 12:02:00 on HTTP 503, back to 2 at 12:03:00, halved to 1 at 12:04:00 on HTTP 503, back to 2 at 12:05:00; 19 more turns, at the least 1, at the end 2"},
	} {
		if got := concurrencyWords(&c.c); got != c.want {
			t.Errorf("%s: %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestCosts(t *testing.T) {
	r := hostedRun(t)
	// Plain: 40 attempts less one in error, 12,000 tokens in at 5 and 300 out at 25 a million: 0.0675 each.
	plain := &Cost{Currency: "USD", Amount: "2.6325", Exact: 39 * 67_500_000_000, Calls: 39}
	// Thinking: two more timed out, whose tokens nobody counted.
	thinking := &Cost{Currency: "USD", Amount: "2.4975", Exact: 37 * 67_500_000_000, Calls: 37, Uncounted: 2}
	both := &Cost{Currency: "USD", Amount: "5.13", Exact: 76 * 67_500_000_000, Calls: 76, Uncounted: 2}
	if diff := cmp.Diff([]*Cost{plain, thinking, nil}, []*Cost{r.Attempts.Settings[0].Cost, r.Attempts.Settings[1].Cost, r.Attempts.Settings[2].Cost}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]*Cost{both, nil}, []*Cost{r.Servers[0].Cost, r.Servers[1].Cost}); diff != "" {
		t.Error(diff)
	}
	want := "Costs by the prices of 2026-11-30 in prices.yaml, calls made again included. The run itself charged 9.00 USD, with 2 calls whose tokens were not counted at the most that they can have cost."
	if got := accountWords(r.Accounts); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
	// What was paid for and then declared invalid, or answered with an error that counted tokens, was paid for.
	c := costs{price: &price.Price{Input: 1e12, Cached: 1e11, Output: 2e12}}
	c.add(&Row{Outcome: record.Answered, PromptTokens: new(int64(10)), OutputTokens: new(int64(5)), CachedTokens: new(int64(4)),
		Again: []Again{{Kind: "busy (HTTP 429)"}, {Invalid: true}, {Kind: "broken", Usage: record.Usage{Prompt: new(int64(100)), Output: new(int64(0))}}}})
	// 6 at 1 and 4 at 0.1 and 5 at 2, and 100 at 1, in millionths.
	if c.sum != 116_400_000 || c.calls != 2 || c.uncounted != 1 {
		t.Errorf("%+v", c)
	}
	if got := addAmounts(1<<62, 1<<62); got != 1<<63-1 {
		t.Errorf("a sum that is too large is %d", got)
	}
}

func TestTimes(t *testing.T) {
	r := quietRun(t).Attempts.Settings[0]
	of := func(v float64) Measure { return Measure{&v, 40} }
	want := Times{Load: of(0.004), Queue: of(0.01), Prompt: of(1), Generation: of(2)}
	if diff := cmp.Diff(want, r.Times); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(of(150), r.Generation); diff != "" {
		t.Error(diff)
	}
	if *r.Latency.Median != 3.01 {
		t.Errorf("latency %v has the load in it", *r.Latency.Median)
	}
	moved := hostedRun(t).Attempts.Settings[2]
	if moved.Times.Reloads == 0 || *moved.Times.Longest != 41.2 || !strings.Contains(moved.Times.reloadWords(), "(at most 41.2 s)") {
		t.Errorf("reloads: %+v, %q", moved.Times, moved.Times.reloadWords())
	}
	// One that times out or fails before its model is there says nothing of the others; what cannot be is left out and counted.
	var c clocks
	impossible := 0
	c.add(&Row{Outcome: record.Error, LoadNS: 5}, &impossible)
	c.add(&Row{Outcome: record.Answered, LoadNS: -1, QueueNS: latencyMax + 1, GenerationNS: 1e9, OutputTokens: new(int64(-3))}, &impossible)
	if impossible != 2 || len(c.load)+len(c.queue)+len(c.rates) != 0 || len(c.generation) != 1 {
		t.Errorf("%d impossible, %+v", impossible, c)
	}
}

func TestAnsweredIsTheOtherDenominator(t *testing.T) {
	plan := chairTrials(2, subject())
	r := mustBuild(t, plan, answers(plan, func(r *Row) bool {
		switch r.Key.Item {
		case "c1-xx-1":
			r.Outcome, r.State, r.Pass = record.Truncated, "", false
		case "c1-xx-2":
			r.State, r.Pass = record.Unread, false
		case "c1-xx-3": // one repeat of two
			if r.Key.Repeat == 2 {
				r.Outcome, r.State, r.Pass = record.Timeout, "", false
			}
		case "c1-xx-4":
			r.Outcome, r.State, r.Pass = record.Refused, "", false
		case "c1-xx-5":
			r.Pass = false
		case "c1-xx-6":
			r.Outcome, r.State, r.Pass = record.Error, "", false
		}
		return true
	}))
	f := r.Figures[0]
	if f.Passed != 7 || f.Judged != 12 || f.Items != 13 {
		t.Fatalf("the figure is %s of %d judged", f.phrase(0), f.Judged)
	}
	if f.Answered.Passed != 7 || f.Answered.Items != 8 { // 13 less four that were not answered and one in error
		t.Errorf("over the answered ones: %+v", f.Answered)
	}
	if words, interval := f.answered(0); words != "7/8 of those answered" || interval != "52.9-97.8" {
		t.Errorf("%q, %q", words, interval)
	}
	if words, _ := r.Figures[1].answered(0); words != "" {
		t.Errorf("all were answered, but it says %q", words)
	}
}

func TestMergedReasons(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want []Cause
	}{
		{[]string{"counted 812 tokens for 3950 bytes", "counted 1204 tokens for 3950 bytes", "counted 9 tokens for 3950 bytes"}, []Cause{{"counted 9 to 1204 tokens for 3950 bytes", 3}}},
		{[]string{"no reply", "no reply", "HTTP 500", "HTTP 503."}, []Cause{{"no reply", 2}, {"HTTP 500", 1}, {"HTTP 503.", 1}}},
		{[]string{"gemma4 of 0.31.2", "gemma5 of 0.31.2", "007", "008"}, []Cause{{"007", 1}, {"008", 1}, {"gemma4 of 0.31.2", 1}, {"gemma5 of 0.31.2", 1}}},
		{[]string{"99999999999999999999 bytes", "99999999999999999998 bytes"}, []Cause{{"99999999999999999998 bytes", 1}, {"99999999999999999999 bytes", 1}}},
		{[]string{"", "\x1b[2J 5", "\x1b[2J 7"}, []Cause{{"\ufffd[2J 5 to 7", 2}, {"", 1}}},
		{[]string{"größe 5é", "größe 6é"}, []Cause{{"größe 5é", 1}, {"größe 6é", 1}}},
	} {
		var cs causes
		for _, s := range c.in {
			cs.add(s)
		}
		if diff := cmp.Diff(c.want, cs.list()); diff != "" {
			t.Errorf("%q:\n%s", c.in, diff)
		}
	}
	if got := causeWords([]Cause{{"a", 9}, {"b", 5}, {"c", 3}, {"d", 2}, {otherReasons, 1}}); got != "a: 9; b: 5; c: 3; other reasons: 3" {
		t.Error(got)
	}
	if got := causeWords([]Cause{{"", 9}}); got != "no reason given" {
		t.Error(got)
	}
}

// However many reasons there are and in whatever order they come, the same are kept and all are counted.
func TestMergedReasonsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringMatching(`[a-e]{1,3} [0-9]{1,3} [a-c]{1,2}`), 0, 300).Draw(t, "reasons")
		count := func(texts []string) []Cause {
			var cs causes
			for _, s := range texts {
				cs.add(s)
			}
			return cs.list()
		}
		first := count(texts)
		if diff := cmp.Diff(first, count(rapid.Permutation(texts).Draw(t, "order"))); diff != "" {
			t.Fatal(diff)
		}
		n := 0
		for _, c := range first {
			n += c.Attempts
		}
		if n != len(texts) || len(first) > causesKept+1 {
			t.Fatalf("%d reasons of %d in %d lines", n, len(texts), len(first))
		}
	})
}

// addsUp checks that what is counted of a setting's attempts is all of them.
func addsUp(t interface{ Fatalf(string, ...any) }, s *Setting) {
	d := &s.Delivery
	if n := d.Delivered + d.Undelivered + d.NotProvable + d.Error + d.Missing; n != s.Planned || d.Missing != s.Missing || d.Error != s.Counts.Error {
		t.Fatalf("deliveries of %d of %d attempts: %+v", n, s.Planned, *d)
	}
	if n := d.Exact + d.Refuses + d.Probe + d.Unread; n != d.Delivered {
		t.Fatalf("proofs of %d of %d deliveries: %+v", n, d.Delivered, *d)
	}
	calls := 0
	for _, k := range s.Retries.Kinds {
		calls += k.Calls
	}
	if calls != s.Retries.Calls || s.Retries.Attempts > s.Planned || s.SettingsRead > s.Replies || s.Replies > d.ended() {
		t.Fatalf("%d calls in kinds, %+v; settings of %d read of %d, %d ended", calls, s.Retries, s.SettingsRead, s.Replies, d.ended())
	}
	for _, w := range s.Wishes {
		if w.Of != s.SettingsRead || w.Attempts > w.Of || !w.Before && w.Attempts == 0 {
			t.Fatalf("a setting counts impossibly: %+v of %d", w, s.SettingsRead)
		}
	}
	for _, m := range []Measure{s.Times.Load, s.Times.Queue, s.Times.Prompt, s.Times.Generation, s.Generation} {
		if (m.Median == nil) != (m.Of == 0) || m.Of > s.Planned {
			t.Fatalf("a median of %d attempts of %d: %v", m.Of, s.Planned, m.Median)
		}
	}
}

// No word of a server, a price file or a setting reaches the terminal as more than text.
func TestHostileServers(t *testing.T) {
	m := Model{Name: "ollama/m", Postures: []string{"plain"}, Before: map[string]Before{"plain": {
		Ready: &Ready{Settings: []record.Setting{{Name: hostile, Asked: hostile, State: hostile, Why: hostile}}}, Probe: &Probe{State: hostile, Why: hostile, Item: hostile}}},
		Server: Server{Asked: hostile, Names: []string{"a", hostile + "2"}, Changed: true,
			Start:       &Identity{Model: hostile, Digest: hostile, Server: hostile, Details: map[string]string{vramDetail: hostile, hostile: hostile}},
			Concurrency: []run.Concurrency{{Ceiling: 2, Changes: []run.LimitChange{{Limit: 1, Why: hostile + "HTTP \x1b[0"}}}},
			Invalid:     []Invalid{{Reason: hostile, Differences: []string{hostile}}}}}
	plan := chairTrials(2, m)
	plan.Accounts = []price.Account{{File: hostile, Currency: hostile, AsOf: hostile, Models: []price.AccountModel{{Name: hostile, Known: true, Input: 1, Output: 1}}}}
	plan.Contention = []Watched{{Unread: hostile, Model: hostile}, {Unread: hostile}}
	r := mustBuild(t, plan, answers(plan, func(r *Row) bool {
		r.PromptTokens, r.OutputTokens = new(int64(1)), new(int64(1))
		r.Delivery, r.Detail = hostile, &Detail{Proof: hostile, Reason: hostile, Settings: []record.Setting{{Name: hostile, Asked: hostile, State: hostile, Why: hostile}}}
		r.Again = []Again{{Kind: hostile}}
		return true
	}))
	var txt, md, js bytes.Buffer
	for _, err := range []error{r.Text(&txt, Page{}), r.Markdown(&md), r.JSON(&js)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	onlyText(t, map[string]string{"text": txt.String(), "markdown": md.String(), "json": js.String()})
	for _, bad := range []string{"<img", "a](http", "b)`"} {
		if strings.Contains(md.String(), bad) {
			t.Errorf("markdown holds %q:\n%s", bad, &md)
		}
	}
	for l := range strings.Lines(txt.String()) {
		if n := columns(strings.TrimRight(l, "\n")); n > 80 {
			t.Errorf("%d columns: %q", n, l)
		}
	}
}

// Every name in the JSON is explained.
func TestDocumentedNames(t *testing.T) {
	doc, err := os.ReadFile("../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for k, e := range v {
				names[k] = true
				if k != "document" && k != "details" && k != "models" { // explained in their own places
					walk(e)
				}
			}
		}
	}
	for _, r := range []*Result{hostedRun(t), quietRun(t), threeModels(t)} {
		var b bytes.Buffer
		var v any
		if err := errors.Join(r.JSON(&b), json.Unmarshal(b.Bytes(), &v)); err != nil {
			t.Fatal(err)
		}
		walk(v)
	}
	if len(names) < 100 {
		t.Errorf("only %d names were seen", len(names))
	}
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if !bytes.Contains(doc, []byte("`"+n+"`")) && !bytes.Contains(doc, []byte("`"+n+"[]`")) {
			t.Errorf("docs/results.md says nothing of %q", n)
		}
	}
}
