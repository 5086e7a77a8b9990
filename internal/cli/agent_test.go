package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
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

// TestProgramAsAgent: a program from outside works through the surfaces that it is told of; the record is the world's.
func TestProgramAsAgent(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here to be the agent")
	}
	const head = `#!/usr/bin/env python3
import json, os, sys, time, urllib.request
assert "MO-31" in open(os.environ["ASSAY_REQUEST"]).read()
assert os.path.isdir(os.environ["ASSAY_EVIDENCE"])
def call(tool, args):
    q = urllib.request.Request(os.environ["ASSAY_API_URL"] + "/tools/" + tool, json.dumps(args).encode(), {"Authorization": "Bearer " + os.environ["ASSAY_TOKEN"]})
    return urllib.request.urlopen(q).read()
`
	for _, c := range []struct {
		name, body, limits string
		code               int
		letter, want       string
	}{
		{name: "works", body: "for line in open(os.environ['REFERENCE']):\n    c = json.loads(line)\n    call(c['tool'], c['args'])\n", letter: ".", want: "13 events, ended by: answer"},
		{name: "stops", body: "call('maint.orders.get', {'order_no': 'MO-31'})\n", letter: "F", want: "stopped without handing in an answer"},
		{name: "fails amid its work", body: "call('maint.orders.get', {'order_no': 'MO-31'})\nsys.exit('lost')\n", letter: "F", want: "the agent failed amid its work"},
		{name: "fails before its first call", body: "sys.exit('no model')\n", code: 3, letter: "E", want: "no model"},
		{name: "never ends", limits: "{turns: 60, calls: 200, time: 2s}", body: "call('maint.orders.get', {'order_no': 'MO-31'})\ntime.sleep(60)\n", letter: "C", want: "the limit of 2s was reached"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.mooring(c.limits)
			program := filepath.Join(r.dir, "agent.py")
			if err := os.WriteFile(program, []byte(head+c.body), 0o755); err != nil {
				t.Fatal(err)
			}
			r.env["REFERENCE"] = filepath.Join(r.dir, "bench", "tasks", "ferry-217", "sealed", "reference.jsonl")
			t.Setenv("REFERENCE", r.env["REFERENCE"])
			res, _ := r.run(c.code, "command/"+program)
			shown := r.want(0, "result", "latest", "--item", "ferry-217")
			if got := letters(res, "ferry-217"); got != c.letter || !strings.Contains(shown.out, c.want) {
				t.Errorf("letters %q, want %q and %q\n%s", got, c.letter, c.want, shown.out)
			}
			if c.letter != "E" && (!strings.Contains(shown.out, "unsealed") || !noted(res, "never ranked")) {
				t.Errorf("nothing says that it was unsealed\n%s", shown.out)
			}
		})
	}
}
