package foreign

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/assaybench/assay/contract/exact"
)

const tools = `[
 {"name": "stores.lots.list", "annotations": {"readOnlyHint": true}},
 {"name": "roads.bookings.get", "hint": "read"},
 {"name": "roads.bookings.create", "annotations": {"readOnlyHint": false}},
 {"name": "notes.drafts.create", "hint": "write"},
 {"name": "desk.submit_answer", "hint": "write"}]`

// task is a contract of the other engine's form, about a depot that is made up.
const task = `{
 "task_id": "depot-001",
 "required_investigations": [
  {"id": "inv_lots", "any_of": [{"tool": "stores.lots.list", "match": "result_contains", "expected_result_contains": {"lot": "WS-88", "status": "HELD"}}]},
  {"id": "inv_args", "any_of": [{"tool": "stores.lots.list", "arguments": {"part": "WS-M4", "page": 1}}]}],
 "post_write_verifications": [
  {"id": "look", "after_tool": "roads.bookings.create", "any_of": [{"tool": "roads.bookings.get", "match": "successful_tool_call"}],
   "expected_result_contains": {"status": "booked"}, "write_argument_projection_paths": ["day", "unit.id"]}],
 "expected": {
  "assertions": [
   {"id": "row", "table": "bookings", "where": {"road": "LIFT-2", "note": null}, "values": {"days": 1.5, "firm": true}},
   {"id": "payload", "table": "mutations", "where": {"sequence": 1}, "payload_contains": {"arguments": {"day": "2031-04-16", "unit": {"id": "4417"}}},
    "payload_allowed_argument_paths": ["day", "unit.id", "text"], "payload_argument_text": {"text": ["4417", "16 April"]}, "payload_text_any_of": ["unit 4417", "the unit"]},
   {"id": "contained", "table": "mutations", "where": {}, "count": 1}],
  "answer": {"gap": 3, "day": "2031-04-16"},
  "answer_checks": [{"id": "a_day", "field": "day"}],
  "calculations": [{"id": "c_gap", "field": "gap"}]},
 "allowed_write_tables": ["bookings"],
 "rubric_milestones": [
  {"id": "reads", "weight": 30, "atomic_weight": 1, "criterion_ids": ["inv_lots", "inv_args", "look"]},
  {"id": "state", "weight": 50, "atomic_weight": 1, "criterion_ids": ["row", "payload", "contained", "write_scope", "no_rejected_mutation"]},
  {"id": "answer", "weight": 20, "atomic_weight": 1, "criterion_ids": ["a_day", "c_gap"]}]}`

// calls is an episode in which everything is done.
func calls() []string {
	return []string{
		`{"index": 1, "tool": "stores.lots.list", "arguments": {"page": 1, "part": "WS-M4"}, "success": true, "result": {"lots": [{"lot": "WS-88", "status": "HELD"}]}}`,
		`{"index": 2, "tool": "roads.bookings.create", "arguments": {"day": "2031-04-16", "unit": {"id": "4417"}}, "success": true, "result": {"id": "B-1"}}`,
		`{"index": 3, "tool": "roads.bookings.get", "arguments": {}, "success": true, "result": {"booking": {"status": "booked", "day": "2031-04-16", "unit": "4417"}}}`,
		`{"index": 4, "tool": "desk.submit_answer", "arguments": {"gap": "3.0", "day": "2031-04-16"}, "success": true, "result": {}}`,
	}
}

func tables() map[string][]Row {
	return map[string][]Row{
		"bookings":  {{"road": "LIFT-2", "note": nil, "days": big.NewRat(15_000_004, 10_000_000), "firm": big.NewRat(1, 1)}, {"road": "LIFT-1", "note": nil}},
		"mutations": {{"sequence": big.NewRat(1, 1), "payload_json": `{"tool": "roads.bookings.create", "arguments": {"day": "2031-04-16", "unit": {"id": "4417"}, "text": "The unit 4417 goes up on 16 April."}}`}},
		"audit_log": {{"table_name": "bookings"}},
	}
}

func judged(t *testing.T, contract string, calls []string, state map[string][]Row) *Verdict {
	t.Helper()
	c, err := Parse([]byte(contract))
	if err != nil {
		t.Fatal(err)
	}
	w, err := ParseTools([]byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	trace, err := ReadTrace([]byte("[" + strings.Join(calls, ",") + "]"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Judge(t.Context(), "d", &Episode{trace, state}, w)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func failed(v *Verdict) (out []string) {
	for _, c := range v.Checks {
		if !c.Pass {
			out = append(out, c.ID)
		}
	}
	return out
}

func TestAllIsDone(t *testing.T) {
	v := judged(t, task, calls(), tables())
	if f := failed(v); len(f) > 0 || v.Strict == nil || !*v.Strict || *v.Score != "100" || v.Passed != 10 || v.Planned != 10 {
		b, _ := json.MarshalIndent(v, "", " ")
		t.Errorf("%v fail\n%s", f, b)
	}
	if v.Engine != Engine || v.Contract != "d" || v.Task != "depot-001" {
		t.Errorf("%+v", v)
	}
}

// Each change of the episode breaks what it should break, as that engine decides it.
func TestEachRule(t *testing.T) {
	edit := func(n int, from, to string) func([]string, map[string][]Row) []string {
		return func(c []string, _ map[string][]Row) []string {
			if !strings.Contains(c[n], from) {
				t.Fatalf("%q is not in call %d", from, n+1)
			}
			c[n] = strings.Replace(c[n], from, to, 1)
			return c
		}
	}
	state := func(do func(map[string][]Row)) func([]string, map[string][]Row) []string {
		return func(c []string, s map[string][]Row) []string { do(s); return c }
	}
	swap := func(a, b int) func([]string, map[string][]Row) []string {
		return func(c []string, _ map[string][]Row) []string {
			c[a], c[b] = strings.Replace(c[b], `"index": `+string(rune('1'+b)), `"index": `+string(rune('1'+a)), 1), strings.Replace(c[a], `"index": `+string(rune('1'+a)), `"index": `+string(rune('1'+b)), 1)
			return c
		}
	}
	payload := func(from, to string) func([]string, map[string][]Row) []string {
		return state(func(s map[string][]Row) {
			p := s["mutations"][0]["payload_json"].(string)
			if !strings.Contains(p, from) {
				t.Fatalf("%q is not in the payload", from)
			}
			s["mutations"][0]["payload_json"] = strings.Replace(p, from, to, 1)
		})
	}
	for _, c := range []struct {
		name string
		do   func([]string, map[string][]Row) []string
		want string
	}{
		{"nothing changed", func(c []string, _ map[string][]Row) []string { return c }, ""},
		{"keys of two objects", edit(0, `{"lot": "WS-88", "status": "HELD"}`, `{"lot": "WS-88"}, {"status": "HELD"}`), "inv_lots"},
		{"other arguments", edit(0, `"page": 1`, `"page": 2`), "inv_args"},
		{"a failed read", edit(0, `"success": true`, `"success": false`), "inv_lots inv_args"},
		{"a read after the first write", swap(0, 1), "inv_lots inv_args"},
		{"an early answer closes the reading", swap(0, 3), "inv_lots inv_args"},
		{"a look before the write", swap(1, 2), "look"},
		{"another state in the look", edit(2, "booked", "asked"), "look"},
		{"the look shows another day", edit(2, "2031-04-16", "2031-04-17"), "look"},
		{"a number within a millionth", state(func(s map[string][]Row) { s["bookings"][0]["days"] = big.NewRat(15_000_009, 10_000_000) }), ""},
		{"a number beyond it", state(func(s map[string][]Row) { s["bookings"][0]["days"] = big.NewRat(15_000_011, 10_000_000) }), "row"},
		{"two rows", state(func(s map[string][]Row) { s["bookings"] = append(s["bookings"], s["bookings"][0]) }), "row"},
		{"a row more", state(func(s map[string][]Row) { s["mutations"] = append(s["mutations"], Row{"sequence": big.NewRat(2, 1)}) }), "contained"},
		{"an argument more", payload(`"text"`, `"extra": 1, "text"`), "payload"},
		{"an id that goes on", payload("The unit 4417", "The unit 44170"), "payload"},
		{"no phrase of those", payload("The unit 4417", "It is 4417 that"), "payload"},
		{"another day written", payload(`"2031-04-16"`, `"2031-04-17"`), "payload"},
		{"a payload that is no object", state(func(s map[string][]Row) { s["mutations"][0]["payload_json"] = "[]" }), "payload"},
		{"another table", state(func(s map[string][]Row) { s["audit_log"][0]["table_name"] = "users" }), "write_scope"},
		{"a wrong answer", edit(3, "3.0", "4"), "c_gap"},
		{"a text is to the letter", edit(3, "2031-04-16", "2031-04-16 "), "a_day"},
		{"no answer", func(c []string, _ map[string][]Row) []string { return c[:3] }, "a_day c_gap"},
		{"a refused write", func(c []string, _ map[string][]Row) []string {
			return append(c, `{"index": 5, "tool": "notes.drafts.create", "arguments": {}, "success": false, "result": {"error": "no"}}`)
		}, "no_rejected_mutation"},
		{"a staged fault", func(c []string, _ map[string][]Row) []string {
			return append(c, `{"index": 5, "tool": "notes.drafts.create", "arguments": {}, "success": false, "result": {"error": "no", "retryable": true}}`)
		}, ""},
		{"a refused answer", func(c []string, _ map[string][]Row) []string {
			return append(c, `{"index": 5, "tool": "desk.submit_answer", "arguments": {}, "success": false, "result": {"error": "no"}}`)
		}, ""},
	} {
		s := tables()
		v := judged(t, task, c.do(calls(), s), s)
		if got := strings.Join(failed(v), " "); got != c.want {
			t.Errorf("%s: %q fail, want %q", c.name, got, c.want)
		}
		if (c.want == "") != *v.Strict {
			t.Errorf("%s: strict %v", c.name, *v.Strict)
		}
	}
}

func TestScore(t *testing.T) {
	c := calls()
	c[2] = strings.Replace(c[2], "booked", "asked", 1)
	c[3] = strings.Replace(c[3], "3.0", "4", 1)
	// 30 × 2/3 + 50 + 20 × 1/2 = 80
	if v := judged(t, task, c, tables()); *v.Score != "80" || v.Milestones[0].Earned != "20" || v.Milestones[0].Pass || !v.Milestones[1].Pass {
		t.Errorf("%s, %+v", *v.Score, v.Milestones)
	}
	for _, c := range []struct {
		r    *big.Rat
		n    int
		want string
	}{{big.NewRat(1, 8), 2, "0.12"}, {big.NewRat(3, 8), 2, "0.38"}, {big.NewRat(2, 3), 6, "0.666667"}, {big.NewRat(-1, 8), 2, "-0.12"}, {big.NewRat(5, 1), 2, "5"}} {
		if got := plain(rounded(c.r, c.n)); got != c.want {
			t.Errorf("%s to %d places is %s, want %s", c.r, c.n, got, c.want)
		}
	}
}

// What is not known is not judged, and then there is no score.
func TestNotJudged(t *testing.T) {
	v := judged(t, task, calls(), nil)
	open := 0
	for _, c := range v.Checks {
		if !c.Judged {
			open++
			if c.Pass || !strings.HasPrefix(c.Why, "not judged: ") {
				t.Errorf("%+v", c)
			}
		}
	}
	if open != 4 || v.Score != nil || v.Strict != nil || v.Judged != 6 {
		t.Errorf("%d checks are open, %d judged, score %v", open, v.Judged, v.Score)
	}
	strange := strings.Replace(task, `"payload_contains"`, `"payload_email_to": "a@example.org", "payload_contains"`, 1)
	v = judged(t, strange, calls(), tables())
	if len(v.Opaque) != 1 || v.Opaque[0] != "assertions[1].payload_email_to" || v.Score != nil {
		t.Errorf("%q, %v", v.Opaque, v.Score)
	}
	v = judged(t, strings.Replace(task, `"4417", "16 April"`, `7`, 1), calls(), tables())
	if got := strings.Join(failed(v), " "); got != "payload" {
		t.Errorf("a malformed rule of facts fails closed: %q fail", got)
	}
}

func TestBadContracts(t *testing.T) {
	for name, c := range map[string]struct{ contract, want string }{
		"no JSON":          {"{", "no JSON"},
		"a list":           {"[]", "no JSON object"},
		"another object":   {`{"name": "x"}`, "no contract that is known"},
		"no list":          {`{"required_investigations": [], "post_write_verifications": 7}`, "post_write_verifications: it is no list"},
		"no tool":          {`{"required_investigations": [{"id": "a", "any_of": [{}]}]}`, "required_investigations[0].any_of[0]: tool is missing"},
		"nothing to match": {`{"required_investigations": [{"id": "a", "any_of": []}]}`, "any_of is missing or empty"},
		"another match":    {`{"required_investigations": [{"id": "a", "any_of": [{"tool": "t", "match": "regex"}]}]}`, `"regex" is not known`},
		"no fragment":      {`{"required_investigations": [{"id": "a", "any_of": [{"tool": "t", "match": "result_contains"}]}]}`, "expected_result_contains is missing"},
		"twice":            {`{"investigations": [{"id": "a", "any_of": [{"tool": "t"}]}, {"id": "a", "any_of": [{"tool": "t"}]}]}`, "two checks"},
		"a count":          {`{"assertions": [{"id": "a", "table": "t", "count": 1.5}]}`, "no whole number"},
		"expected":         {`{"investigations": [], "expected": 7}`, "expected: it is no object"},
	} {
		if got, err := Parse([]byte(c.contract)); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for name, contract := range map[string]string{
		"an unknown check": strings.Replace(task, `"look"]`, `"look", "other"]`, 1), "a check of nobody": strings.Replace(task, `, "look"]`, `]`, 1),
		"a check of two": strings.Replace(task, `["a_day"`, `["look", "a_day"`, 1), "no weight": strings.NewReplacer(`"weight": 30`, `"weight": 0`, `"weight": 50`, `"weight": 0`, `"weight": 20`, `"weight": 0`).Replace(task),
	} {
		c, err := Parse([]byte(contract))
		if err != nil {
			t.Fatal(err)
		}
		if v, err := c.Judge(t.Context(), "", &Episode{}, &Tools{}); err == nil {
			t.Errorf("%s is scored: %+v", name, v)
		}
	}
	c, err := Parse([]byte(task))
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := c.Judge(ctx, "", &Episode{}, &Tools{}); err == nil {
		t.Error("it is judged after the context's end")
	}
}

func TestBadTraces(t *testing.T) {
	for name, s := range map[string]string{"no list": `{}`, "no tool": `[{"success": true}]`, "no success": `[{"tool": "a"}]`, "out of order": `[{"index": 2, "tool": "a", "success": true}, {"index": 1, "tool": "a", "success": true}]`, "numbers": `[7]`} {
		if got, err := ReadTrace([]byte(s)); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, s := range map[string]string{"no list": `7`, "no name": `[{}]`, "no hint": `[{"name": "a"}]`} {
		if got, err := ParseTools([]byte(s)); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	if w, err := ParseTools([]byte(`{"tools": ` + tools + `}`)); err != nil || !w.writes["notes.drafts.create"] || w.writes["stores.lots.list"] {
		t.Errorf("%v, %v", w, err)
	}
}

func TestOfTables(t *testing.T) {
	s := tables()
	s[TraceTable] = []Row{{"tool": "a", "success": big.NewRat(1, 1), "arguments_json": `{"x": 1}`, "result_json": `{}`}, {"tool": "b", "success": new(big.Rat), "arguments_json": nil, "result_json": `{"error": "no"}`}}
	e, err := OfTables(s)
	if err != nil || len(e.Calls) != 2 || !e.Calls[0].Success || e.Calls[1].Success || !exact.Equal(e.Calls[0].Args, map[string]any{"x": big.NewRat(1, 1)}) {
		t.Fatalf("%+v, %v", e, err)
	}
	s[TraceTable][0]["arguments_json"] = "{"
	if _, err := OfTables(s); err == nil {
		t.Error("arguments that are no JSON")
	}
	delete(s, TraceTable)
	if _, err := OfTables(s); err == nil {
		t.Error("no calls")
	}
}

func FuzzJudge(f *testing.F) {
	f.Add([]byte(task), []byte("["+strings.Join(calls(), ",")+"]"))
	f.Add([]byte(`{"investigations": [{"id": "a", "any_of": [{"tool": "t"}]}]}`), []byte(`[]`))
	w, err := ParseTools([]byte(tools))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, contract, trace []byte) {
		c, err := Parse(contract)
		if err != nil {
			return
		}
		list, err := ReadTrace(trace)
		if err != nil {
			return
		}
		v, err := c.Judge(t.Context(), "", &Episode{list, tables()}, w)
		if err != nil {
			return
		}
		if v.Passed > v.Judged || v.Judged > v.Planned || v.Strict != nil && *v.Strict && len(failed(v)) > 0 {
			t.Errorf("%+v", v)
		}
	})
}
