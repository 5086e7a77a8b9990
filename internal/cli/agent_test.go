package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/sandbox"
)

// mooring puts the example bench into ./bench, with other limits where they are given, and gives its reference's calls.
func (r *rig) mooring(limits string) (calls []record.ToolCall) {
	r.Helper()
	if err := os.CopyFS(filepath.Join(r.dir, "bench"), os.DirFS("../../examples/mooring")); err != nil {
		r.Fatal(err)
	}
	if limits != "" {
		file := filepath.Join(r.dir, "bench", "bench.yaml")
		b, err := os.ReadFile(file)
		if err != nil {
			r.Fatal(err)
		}
		b = []byte(strings.Replace(string(b), "{turns: 60, calls: 200, time: 20m}", limits, 1))
		if !strings.Contains(string(b), limits) {
			r.Fatal("the example's limits are others than this test knows")
		}
		if err := os.WriteFile(file, b, 0o644); err != nil {
			r.Fatal(err)
		}
	}
	b, err := os.ReadFile(filepath.Join(r.dir, "bench", "tasks", "ferry-217", "sealed", "reference.jsonl"))
	if err != nil {
		r.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var c struct {
			Tool string          `json:"tool"`
			Args json.RawMessage `json:"args"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			r.Fatal(err)
		}
		calls = append(calls, record.ToolCall{ID: fmt.Sprintf("c%d", len(calls)+1), Name: strings.ReplaceAll(c.Tool, ".", "-"), Arguments: string(c.Args)})
	}
	return calls
}

// agentServer answers with the script's turn that follows the results which a request holds.
func (r *rig) agentServer(w modeltest.Wire, turns [][]record.ToolCall, fault func(int64) modeltest.Fault) *modeltest.Mock {
	r.Helper()
	m, err := modeltest.NewMock(modeltest.MockOptions{Wire: w, Models: []string{"worker"}, Fault: fault, Reply: func(q modeltest.MockRequest) modeltest.MockReply {
		if len(q.Tools) == 0 { // a probe
			return modeltest.MockReply{Content: "ok", PromptTokens: 3000, OutputTokens: 1}
		}
		seen := len(q.Results)
		for _, t := range turns {
			if seen < len(t) || seen == 0 && len(t) > 0 {
				return modeltest.MockReply{Calls: t, PromptTokens: 3000, OutputTokens: 20}
			}
			seen -= len(t)
		}
		return modeltest.MockReply{Content: "Done.", PromptTokens: 3000, OutputTokens: 5}
	}})
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { m.Close() })
	return m
}

// each gives every call a turn of its own.
func each(calls []record.ToolCall) (turns [][]record.ToolCall) {
	for _, c := range calls {
		turns = append(turns, []record.ToolCall{c})
	}
	return turns
}

// TestAgentOverWires: the loop works a task by each provider's own calling of tools, several calls in one reply among them.
func TestAgentOverWires(t *testing.T) {
	for _, w := range modeltest.Wires() {
		t.Run(w.String(), func(t *testing.T) {
			r := newRig(t)
			r.keys("k")
			calls := r.mooring("")
			turns := append([][]record.ToolCall{calls[:9]}, each(calls[9:])...)
			m := r.agentServer(w, turns, nil)
			res, _ := r.run(0, provider(w)+"/worker@"+m.URL)
			if got := letters(res, "ferry-217"); got != "." {
				t.Errorf("letters %q\n%s", got, r.want(0, "result", "latest", "--item", "ferry-217").out)
			}
		})
	}
}

// TestAgentEndings: how an episode ends is the agent's where the agent ended it, and the record keeps its state.
func TestAgentEndings(t *testing.T) {
	call := func(name, args string) []record.ToolCall {
		return []record.ToolCall{{ID: "x", Name: name, Arguments: args}}
	}
	for _, c := range []struct {
		name, limits string
		script       func(calls []record.ToolCall) [][]record.ToolCall
		fault        func(int64) modeltest.Fault
		letter       string
		want         []string // in result --item
	}{
		{name: "turns", limits: "{turns: 4, calls: 200, time: 20m}", script: each, letter: "C",
			want: []string{"truncated (the limit of 4 turns was reached)", "4 events, ended by: turns", "ok investigation.order", "FAIL investigation.spec"}},
		{name: "calls", limits: "{turns: 60, calls: 3, time: 20m}", script: each, letter: "C", want: []string{"the limit of 3 calls was reached"}},
		{name: "tokens", limits: "{turns: 60, calls: 200, time: 20m, tokens: 7000}", script: each, letter: "C", want: []string{"the limit of 7000 tokens was reached", "3 events"}},
		{name: "silent", script: func([]record.ToolCall) [][]record.ToolCall { return nil }, letter: "F", want: []string{"stopped without handing in an answer", "0 events"}},
		{name: "arguments that are no JSON", script: func(calls []record.ToolCall) [][]record.ToolCall {
			return append([][]record.ToolCall{call("stores-lots-list", `{"part": "RP-12"`), call("stores-lots-list", `{"prat": "RP-12"}`)}, each(calls)...)
		}, letter: ".", want: []string{"rejected, invalid_arguments", "known: part, status"}},
		{name: "an unknown tool", script: func(calls []record.ToolCall) [][]record.ToolCall {
			return append([][]record.ToolCall{call("stores-lots-lits", `{}`)}, each(calls)...)
		}, letter: ".", want: []string{"rejected, unknown_tool"}},
		{name: "faults amid the work", script: each, fault: func(n int64) modeltest.Fault {
			if n > 3 && n%4 == 0 {
				return "500"
			}
			return ""
		}, letter: ".", want: []string{"13 events, ended by: answer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.keys("k")
			calls := r.mooring(c.limits)
			m := r.agentServer(modeltest.WireChat, c.script(calls), c.fault)
			res, _ := r.run(0, "openai/worker@"+m.URL)
			shown := r.want(0, "result", "latest", "--item", "ferry-217")
			if got := letters(res, "ferry-217"); got != c.letter {
				t.Errorf("letters %q, want %q\n%s", got, c.letter, shown.out)
			}
			for _, w := range c.want {
				if !strings.Contains(strings.Join(strings.Fields(shown.out), " "), w) {
					t.Errorf("not told: %s\n%s", w, shown.out)
				}
			}
		})
	}
}

// agentHead begins a program that works on a task: what it was told of, and how it calls a tool.
const agentHead = `#!/usr/bin/python3
import json, os, sys, time, urllib.request
assert "MO-31" in open(os.environ["ASSAY_REQUEST"]).read()
assert os.path.isdir(os.environ["ASSAY_EVIDENCE"])
def call(tool, args):
    q = urllib.request.Request(os.environ["ASSAY_API_URL"] + "/tools/" + tool, json.dumps(args).encode(), {"Authorization": "Bearer " + os.environ["ASSAY_TOKEN"]})
    return urllib.request.urlopen(q).read()
`

// program writes a program of a task's agent that knows the reference's calls.
func (r *rig) program(body string) string {
	r.Helper()
	if _, err := os.Stat("/usr/bin/python3"); err != nil {
		r.Skip("no /usr/bin/python3 here to be the agent")
	}
	b, err := os.ReadFile(filepath.Join(r.dir, "bench", "tasks", "ferry-217", "sealed", "reference.jsonl"))
	if err != nil {
		r.Fatal(err)
	}
	path := filepath.Join(r.dir, "agent.py")
	text := agentHead + "REFERENCE = [json.loads(l) for l in " + fmt.Sprintf("%q", b) + ".splitlines()]\n" + body
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		r.Fatal(err)
	}
	return path
}

// runAgent runs ./bench by an agent, which must end with a code, and gives the results.
func (r *rig) runAgent(code int, args ...string) (*report.Result, ran) {
	r.Helper()
	got := r.want(code, append([]string{"run", "./bench", "--unproven", "--json"}, args...)...)
	res := new(report.Result)
	if err := json.Unmarshal([]byte(got.out), res); err != nil {
		r.Fatalf("the results are no JSON: %v\n%s\n%s", err, got.err, got.out)
	}
	return res, got
}

// canSeal reports whether this machine has a sandbox for agents.
func canSeal(t testing.TB) bool {
	t.Helper()
	b, err := sandbox.OpenAgents(t.Context(), sandbox.Options{})
	if err != nil {
		t.Logf("no sandbox for agents: %v", err)
		return false
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	return true
}

// TestProgramAsAgent: a program from outside works through the surfaces that it is told of, sealed off and not; the record is the
// world's.
func TestProgramAsAgent(t *testing.T) {
	const all = "for c in REFERENCE:\n    call(c['tool'], c['args'])\n"
	const one = "call('maint.orders.get', {'order_no': 'MO-31'})\n"
	for _, sealed := range []bool{true, false} {
		if sealed && !canSeal(t) {
			continue
		}
		for _, c := range []struct {
			name, body, limits string
			code               int
			letter, want       string
		}{
			{name: "works", body: all, letter: ".", want: "13 events, ended by: answer"},
			{name: "stops", body: one, letter: "F", want: "stopped without handing in an answer"},
			{name: "fails amid its work", body: one + "sys.exit('lost')\n", letter: "F", want: "the agent failed amid its work"},
			{name: "fails before its first call", body: "sys.exit('no model')\n", code: 3, letter: "E", want: "no model"},
			{name: "never ends", limits: "{turns: 60, calls: 200, time: 2s}", body: one + "time.sleep(60)\n", letter: "C", want: "the limit of 2s was reached"},
			{name: "never ends after its answer", limits: "{turns: 60, calls: 200, time: 3s}", body: all + "time.sleep(60)\n", letter: ".", want: "13 events, ended by: answer"},
			{name: "calls too often", limits: "{turns: 60, calls: 5, time: 20m}", body: all, letter: "C", want: "5 events, ended by: calls"},
			{name: "calls too often, and says that all is well", limits: "{turns: 60, calls: 5, time: 20m}", body: "try:\n    " + strings.ReplaceAll(all, "\n", "\n    ") + "\nexcept Exception:\n    sys.exit(0)\n", letter: "C", want: "the limit of 5 calls was reached"},
		} {
			t.Run(fmt.Sprintf("%s, sealed %v", c.name, sealed), func(t *testing.T) {
				r := newRig(t)
				r.mooring(c.limits)
				args := []string{"--agent", "command/" + r.program(c.body)}
				if !sealed {
					args = append(args, "--agent-unsealed")
				}
				res, got := r.runAgent(c.code, args...)
				shown := r.want(0, "result", "latest", "--item", "ferry-217")
				if l := letters(res, "ferry-217"); l != c.letter || !strings.Contains(shown.out, c.want) {
					t.Errorf("letters %q, want %q and %q\n%s%s", l, c.letter, c.want, got.err, shown.out)
				}
				if c.letter != "E" && strings.Contains(shown.out, "unsealed") == sealed {
					t.Errorf("sealed %v, and told is\n%s", sealed, shown.out)
				}
				if noted(res, "never ranked") == sealed || res.Figures[0].Unsealed == sealed || strings.Contains(got.err, "--agent-unsealed was asked for") == sealed {
					t.Errorf("sealed %v, and the notes are %q, the figure %+v, told was %s", sealed, res.Notes, res.Figures[0], got.err)
				}
				whole := r.want(0, "result", "latest").out
				if strings.Contains(whole, "unsealed, not ranked") == sealed {
					t.Errorf("the table says\n%s", whole)
				}
			})
		}
	}
}
