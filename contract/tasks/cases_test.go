package tasks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// Defects that benchmarks of agents really had, each through the real parts: sessions of a world, the sealed contract, the
// example bench or a small variant of it. What judges alone is tested in package contract; this is where each stands:
//
//	the harness filled the agent's trace      TestProbesNeverFillATrace; contract TestProbesAreNoEvidence
//	right work failed on wording              TestOtherWordingPasses; contract TestTextsDiffer, TestLints (exact-free-text)
//	evidence that lost text                   TestEvidenceIsReadWhole; evidence TestPDFTextIsWhole
//	digest of the wrong thing                 TestDigestOfTheFile
//	baseline before seeding                   TestSeededBeforeTheBaseline; contract TestStateWithoutEvents
//	shared seeds, half-built seeds            TestTwoVersionsSideBySide; world TestSessionsApart, TestTornSession, TestKilled
//	pins met by different rows                TestPinsBindOneRow; contract TestPinsBindOneRow, TestTwoRowsAreTwo
//	a deliverable called asdf                 TestDeliverables; contract TestDeliverables
//	order of reads, honest retries            TestReadsInAnyOrder; contract TestReadsInAnyOrder, TestTransientFaultsChangeNothing
//	a wrong key, a reference that knew it     TestKeyFollowsTheSeed, TestReferenceThatReadNothing
//	                                          TestReferenceThatReadsProse
//	protocol errors taken for success         TestReferenceThatIsRefused; agent TestUnknownToolIsNoSuccess
//	refused by the world, never judged        TestControlThatIsRefused
//	one task under two names                  TestOneTaskUnderTwoNames
//	hidden vocabulary, hidden tools           TestHiddenVocabulary; world TestLint; agent TestEveryToolIsOffered
//	empty tables, constant answers            TestGuessableAnswers, TestFieldsThatNeverVary
//	stale keys, nothing taken for zero        TestNothingIsNotZero, TestKeyFollowsTheSeed; contract TestDeriveRefuses
//	a verifier that invents failures          TestUngradable
//	infrastructure recorded as scores         contract TestOutcomes; internal/cli TestAgentInfrastructure, TestAgentEndings
//	numbers that outlive what they measured   TestBoundToTheWorld, TestBoundToTheDay; internal/cli TestAgentWorldChanged
//	faults keyed by calls alone               TestFaultsAreTheEpisodesOwn
//	keys from where nobody can look           TestKeysFromNowhere
//	arguments cut off and read as {}          agent TestCutOffCallsAreNotMade
//	tools and budgets cut to the reference    TestNothingFollowsTheReference
//	an entity bound to its neighbour          TestNoNearNeighbour; world TestBadWorlds (a key twice)
//	search by phrase alone                    TestSearchTakesWords
//	writes beside the task, idle controls     TestWorkBesideTheTask, TestControlThatTriesNothing
//	numbers by form, reads that count         TestNumbersByValue
//	keys in transcripts                       internal/cli TestKeysThrownBack

// TestProbesNeverFillATrace: what the harness asks, however often, is nobody's evidence, no call of the agent's, and moves no clock.
func TestProbesNeverFillATrace(t *testing.T) {
	ctx := context.Background()
	m := files(t)
	s, task := compiled(t, m)
	sess, err := task.Session(ctx, "probed")
	if err != nil {
		t.Fatal(err)
	}
	defer sess.Close()
	trace, err := world.ReadTrace([]byte(strings.Join(reference(m)[:9], "\n")))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		c := trace[i%len(trace)]
		if _, err := sess.Call(ctx, world.Call{Actor: world.Harness, Surface: "rest", Tool: c.Tool, Args: c.Args}); err != nil {
			t.Fatal(err)
		}
	}
	e, err := sess.Call(ctx, world.Call{Actor: world.Agent, Surface: "loop", Tool: world.ToolContext})
	if err != nil || e.At != "2034-05-02T09:01:00" {
		t.Errorf("the agent's first call is at %s, %v", e.At, err)
	}
	ep, err := world.Bundle(ctx, sess, "silent")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Grade(ctx, ferry, record.Transcript{Outcome: record.Answered, Episode: ep})
	if err != nil || v.State != record.Graded {
		t.Fatalf("%s %s, %v", v.State, v.Reason, err)
	}
	for _, f := range v.Findings {
		if f.Pass && f.Category == "investigation" {
			t.Errorf("%s was shown by a probe", f.Rule)
		}
	}
	if calls := v.Diagnostics["calls"].(map[string]any)["agent"]; fmt.Sprint(calls) != "1" {
		t.Errorf("%v calls are counted as the agent's", calls)
	}
	if *v.Agent.GatedScore != "0" || *v.Agent.ProcessScore != "0" {
		t.Errorf("probes earn %s and %s", *v.Agent.GatedScore, *v.Agent.ProcessScore)
	}
}

// TestOtherWordingPasses: right work in other words is right work, and a contract that asks for an author's own sentence is
// at fault unless the agent can see that sentence.
func TestOtherWordingPasses(t *testing.T) {
	m := files(t)
	s, _ := compiled(t, m)
	old := "Vessel 217 lies on slip 2 on 2034-05-16, and the booking is BK-0001. We still wait for 5 ropes, which come by the ordinary delivery before that day."
	for _, body := range []string{
		"Ada, your ferry can come onto the slip on 16 May 2034. I have booked it as BK-0001, and five ropes have yet to arrive by then.",
		"Slip 2 was booked (BK-0001) for May 16th, 2034, which is the first day that we can promise. Until then we are waiting for 5 more ropes.",
	} {
		v := grade(t, s, with(t, reference(m), old, body, `"subject":"Vessel 217"`, `"subject":"When she may come"`)...)
		if !v.Pass || !v.Agent.Strict || *v.Agent.GatedScore != "100" {
			t.Errorf("%q fails %v: %s", body, broken(v), finding(t, v, "message.told").Why)
		}
	}
	edit(t, m, keyFile, "body: {any: true}", `body: "The slip is booked for the day."`)
	s, _ = compiled(t, m)
	if got := faults(t, s); !slices.ContainsFunc(got, func(f string) bool {
		return strings.Contains(f, "[exact-free-text]") && strings.HasPrefix(f, keyFile+":")
	}) {
		t.Errorf("a sentence that nobody can know is asked for: %q", got)
	}
}

// TestSeededBeforeTheBaseline: rows of the task's own seed are nobody's work; a difference that no event made is nobody's score.
func TestSeededBeforeTheBaseline(t *testing.T) {
	m := files(t)
	put(m, sealedDir+"seed/bookings.csv", "booking_id,slip,day,vessel,state\nBK-0007,SLIP-2,2034-05-11,217,BOOKED\n")
	s, task := compiled(t, m)
	for name, lines := range map[string][]string{"nothing": nil, "reads": reference(m)[:9]} {
		ep := episode(t, task, "noop", lines)
		if string(ep.Changes) != "[]" {
			t.Errorf("%s changes %s", name, ep.Changes)
		}
		v := grade(t, s, lines...)
		if finding(t, v, "change.booking").Pass || *v.Agent.GatedScore != "0" {
			t.Errorf("%s books the slip: gated %s", name, *v.Agent.GatedScore)
		}
	}
	claimed := episode(t, task, "noop", reference(m)[:9])
	done := episode(t, task, "noop", with(t, reference(m), "BK-0001", "BK-0008"))
	claimed.Changes, claimed.State = done.Changes, done.State
	v, err := s.Grade(context.Background(), ferry, record.Transcript{Outcome: record.Answered, Episode: claimed})
	if err != nil || v.State != record.Ungradable || v.Pass || v.Agent.GatedScore != nil || len(v.Findings) > 0 {
		t.Errorf("changes without an event: %s %q, %v", v.State, v.Reason, err)
	}
}

// TestPinsBindOneRow: two rows that are each half right make no right row, and evidence of a list speaks of one element.
func TestPinsBindOneRow(t *testing.T) {
	m := files(t)
	edit(t, m, keyFile, "rows: [{table: drafts, op: insert, values: {recipient: u-ada}}]", "rows: [{table: drafts, op: insert, values: {recipient: u-ada, subject: {contains: Vessel 217}}}]")
	edit(t, m, keyFile, "args: {recipient: u-ada, body: {any: true}}", "args: {body: {any: true}}")
	edit(t, m, keyFile, "    to: {arg: recipient, is: u-ada}\n", "")
	edit(t, m, keyFile, "{table: drafts, op: insert, values: {recipient: u-ada}, most: 1}", "{table: drafts, op: insert, most: 2}")
	s, _ := compiled(t, m)
	lines := reference(m)
	person := with(t, lines[11:12], "u-ada", "u-wren")[0]
	subject := with(t, lines[11:12], "Vessel 217\"", "Vessel 218\"")[0]
	if v := grade(t, s, slices.Concat(lines[:11], []string{person, subject}, lines[12:])...); v.Pass || finding(t, v, "change.note").Pass {
		t.Error("two half right notes make a right one")
	}
	if v := grade(t, s, slices.Concat(lines[:11], []string{person}, lines[11:])...); !finding(t, v, "change.note").Pass {
		t.Errorf("the right note beside another is not found: %v", broken(v))
	}
	m = files(t)
	edit(t, m, "world/seed/lots.csv", "LT-8,RP-12,6,HELD", "LT-8,RP-12,6,FREE") // LT-8 is there, and a held lot is there
	s, _ = compiled(t, m)
	if v := grade(t, s, reference(m)...); finding(t, v, "investigation.lots").Pass {
		t.Error("one lot's number and another's state make evidence")
	}
	if got := faults(t, s); !slices.ContainsFunc(got, func(f string) bool { return strings.Contains(f, "[unreachable]") }) {
		t.Errorf("check takes evidence that cannot be had: %q", got)
	}
}

// TestDeliverables: where the text is the work, a file called asdf, fluent words without the figures and the figures of the
// withdrawn paper earn nothing, and what is missing or forbidden is named.
func TestDeliverables(t *testing.T) {
	m := files(t)
	edit(t, m, keyFile, "role: communication", "role: primary")
	edit(t, m, keyFile, "forbid: [{text: delivered}", "forbid: [{text: delivered}, {text: 8 ropes}")
	s, _ := compiled(t, m)
	old := "Vessel 217 lies on slip 2 on 2034-05-16, and the booking is BK-0001. We still wait for 5 ropes, which come by the ordinary delivery before that day."
	for body, names := range map[string][]string{
		"asdf": {"BK-0001", "2034-05-16", "5"},
		"Ada, all is arranged for your vessel, and we shall have whatever we need in good time before she comes onto the slip.": {"BK-0001", "2034-05-16", "5"},
		"Vessel 217 lies on slip 2 on 2034-05-16, and the booking is BK-0001. We still wait for 8 ropes by the old paper.":      {"does not say 5", "says 8 ropes"},
	} {
		v := grade(t, s, with(t, reference(m), old, body)...)
		f := finding(t, v, "message.told")
		if v.Pass || v.Agent.Strict || f.Pass || *v.Agent.GatedScore != "0" {
			t.Errorf("%q passes: gated %s", body, *v.Agent.GatedScore)
		}
		for _, n := range names {
			if !strings.Contains(f.Why, n) {
				t.Errorf("%q: %q does not name %q", body, f.Why, n)
			}
		}
	}
}

// TestReadsInAnyOrder: reads in any order, further ones, an honest miss and a fault that a later try mends are all right.
func TestReadsInAnyOrder(t *testing.T) {
	m := files(t)
	put(m, sealedDir+"faults.yaml", "faults:\n  - {tool: stores.lots.list, arguments: {part: RP-12}, failures: 2, error: The store does not answer for a moment.}\n")
	s, _ := compiled(t, m)
	lines := reference(m)
	reads, work := slices.Clone(lines[:9]), lines[9:]
	again := lines[5]
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 12 {
		r.Shuffle(len(reads), func(a, b int) { reads[a], reads[b] = reads[b], reads[a] })
		extra := []string{`{"tool":"files.read","args":{"file_id":"SPEC-3"}}`, again, `{"tool":"maint.orders.get","args":{"order_no":"MO-13"}}`, again}
		if v := grade(t, s, slices.Concat(reads, extra, work)...); !v.Pass || *v.Agent.GatedScore != "100" || *v.Agent.ProcessScore != "100" {
			t.Errorf("order %d fails %v", i, broken(v))
		}
	}
	if v := grade(t, s, lines...); v.Pass || !slices.Contains(broken(v), "investigation.lots") {
		t.Errorf("a fault that nobody mended is evidence: %v", broken(v))
	}
}

// TestKeyFollowsTheSeed: a row behind the answer changes, and so does the key: the reference that still gives the old figures is
// refused with the criteria and is told the line, and the grader is another.
func TestKeyFollowsTheSeed(t *testing.T) {
	m := files(t)
	before, _ := compiled(t, m)
	edit(t, m, "world/seed/lots.csv", "LT-3,RP-12,7,FREE", "LT-3,RP-12,3,FREE")
	s, _ := compiled(t, m)
	v := grade(t, s, reference(m)...)
	if got := broken(v); v.Pass || !slices.Contains(got, "answer.usable_quantity") || !slices.Contains(got, "answer.gap") || !slices.Contains(got, "message.told") {
		t.Errorf("the stale reference fails %v", got)
	}
	if f := finding(t, v, "answer.usable_quantity"); f.Expected != "3 rope" || f.Got != "7" {
		t.Errorf("usable: %s, got %s", f.Expected, f.Got)
	}
	got := faults(t, s)
	if !slices.ContainsFunc(got, func(f string) bool {
		return strings.HasPrefix(f, refFile+":13: "+ferry+": assay.submit_answer gives 7 as usable_quantity") && strings.Contains(f, "[unread-literal]")
	}) {
		t.Errorf("the stale figure has no place: %q", got)
	}
	if before.Digest() == s.Digest() {
		t.Error("another key is the same grader")
	}
	if got := faults(t, before); len(got) > 0 {
		t.Errorf("the example has faults: %q", got)
	}
	// The new figures pass.
	fresh := with(t, reference(m), `"usable_quantity":7`, `"usable_quantity":3`, `"gap":5`, `"gap":9`, "wait for 5 ropes", "wait for 9 ropes")
	if v := grade(t, s, fresh...); !v.Pass {
		t.Errorf("the mended reference fails %v", broken(v))
	}
}

// TestNothingIsNotZero: what is null, or is there only after the work, gives no key, and says where.
func TestNothingIsNotZero(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"null", "args: {file_id: SPEC-4}, at: /values/ropes_per_drum, type: integer, unit: rope/drum", "args: {file_id: SPEC-4}, at: /superseded_by, type: text", keyFile + ":3"},
		{"made by the work itself", "args: {order_no: MO-31}, at: /drums, type: integer, unit: drum}", "args: {order_no: MO-31}, at: /drums, type: integer, unit: drum}\n  made: {tool: slips.bookings.get, args: {booking_id: BK-0001}, at: /state, type: text}", "There is no booking BK-0001."},
		{"a row that is not there", "where: {offer_id: OF-1}}}]}}", "where: {offer_id: OF-7}}}]}}", "no row fits; what is not there is not zero"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := files(t)
			edit(t, m, keyFile, c.old, c.new)
			if c.name == "null" {
				edit(t, m, keyFile, "required: {do: {mul: [drums, ropes_per_drum]}, unit: rope, answer: required_quantity}", "required: {do: {mul: [drums, {const: 4, unit: rope/drum, why: x}]}, unit: rope, answer: required_quantity}\n  old: {do: {concat: [ropes_per_drum]}}")
			}
			if _, err := compile(m); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), keyFile+":") {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestFaultsAreTheEpisodesOwn: each episode meets the staged faults anew, and the harness never does.
func TestFaultsAreTheEpisodesOwn(t *testing.T) {
	ctx := context.Background()
	m := files(t)
	put(m, sealedDir+"faults.yaml", "faults:\n  - {tool: stores.lots.list, failures: 1, error: The store does not answer for a moment.}\n")
	_, task := compiled(t, m)
	for _, name := range []string{"a", "b"} {
		s, err := task.Session(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for i, c := range []struct {
			actor world.Actor
			want  world.Status
		}{{world.Harness, world.OK}, {world.Agent, world.Refused}, {world.Agent, world.OK}} {
			e, err := s.Call(ctx, world.Call{Actor: c.actor, Surface: "loop", Tool: "stores.lots.list", Args: []byte(`{"part":"RP-12"}`)})
			if err != nil || e.Status != c.want || e.Status == world.Refused && (!e.Error.Retryable || e.Error.Code != world.Transient) {
				t.Errorf("%s: call %d is %s, %v", name, i, e.Status, err)
			}
		}
	}
}

// TestKeysFromNowhere: a fact of a system that the task does not open to the agent is no key.
func TestKeysFromNowhere(t *testing.T) {
	m := files(t)
	edit(t, m, taskFile, "handles:", "servers: [maint, files, stores, slips, vendors, notes]\nhandles:")
	if _, err := compile(m); err == nil || !strings.Contains(err.Error(), keyFile+":") || !strings.Contains(err.Error(), `the world has no tool "approvals.limits.get"`) {
		t.Errorf("a system that is shut is read: %v", err)
	}
	m = files(t)
	edit(t, m, "world/seed/orders.csv", "MO-31,217,3,SPEC-4", "MO-31,217,3,SPEC-X") // nothing leads to the paper any more
	edit(t, m, "world/tools.yaml", "rows: SELECT file_id, title FROM files", "rows: SELECT file_id, title FROM files WHERE file_id = 'SPEC-3' UNION SELECT file_id, title FROM files WHERE file_id = 'SPEC-3' AND 1 = 0 OR file_id = 'SPEC-3'")
	edit(t, m, "world/tools.yaml", " OR file_id = 'SPEC-3' WHERE search(:query, file_id, title)", " AND search(:query, file_id, title)")
	s, err := compile(m)
	if err != nil {
		t.Fatal(err)
	}
	if got := faults(t, s); !slices.ContainsFunc(got, func(f string) bool { return strings.Contains(f, "[undiscoverable]") && strings.Contains(f, "SPEC-4") }) {
		t.Errorf("faults: %q", got)
	}
}

// TestNothingFollowsTheReference: what an agent is offered, and how long it may take, says nothing of how the reference works.
func TestNothingFollowsTheReference(t *testing.T) {
	long, longTask := compiled(t, files(t))
	m := files(t)
	put(m, refFile, strings.Join(reference(m)[8:], "\n")+"\n")
	short, shortTask := compiled(t, m)
	if long.Limits() != short.Limits() || long.Limits().Turns != 60 || long.Limits().Calls != 200 {
		t.Errorf("limits %+v and %+v", long.Limits(), short.Limits())
	}
	names := func(task *Task) string {
		s, err := task.Session(context.Background(), "x")
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var out []string
		for _, tool := range s.Tools() {
			out = append(out, tool.Name)
		}
		return strings.Join(out, " ")
	}
	if a, b := names(longTask), names(shortTask); a != b || len(strings.Fields(a)) != 11+3 {
		t.Errorf("tools %s and %s", a, b)
	}
}

// TestNoNearNeighbour: an id that is not there is not found, and no other record stands in for it.
func TestNoNearNeighbour(t *testing.T) {
	_, task := compiled(t, files(t))
	for _, id := range []string{"MO-3", "MO-311", "mo-31", " MO-31", "MO-31 "} {
		ep := episode(t, task, "x", []string{`{"tool":"maint.orders.get","args":{"order_no":"` + id + `"}}`})
		if !strings.Contains(string(ep.Events), `"code":"not_found"`) || strings.Contains(string(ep.Events), `"drums"`) {
			t.Errorf("%q finds %s", id, ep.Events)
		}
	}
}

// TestSearchTakesWords: words in any order, in any case, and beginnings of words find what holds them.
func TestSearchTakesWords(t *testing.T) {
	_, task := compiled(t, files(t))
	for query, found := range map[string]bool{"mooring drums": true, "drums mooring": true, "DRUM": true, "moor": true, "spec 4": true, "": true, "mooring cranes": false, "oring": false} {
		ep := episode(t, task, "x", []string{`{"tool":"files.search","args":{"query":"` + query + `"}}`})
		if got := strings.Contains(string(ep.Events), `"file_id":"SPEC-4"`); got != found {
			t.Errorf("%q finds it: %v", query, got)
		}
	}
}

// TestWorkBesideTheTask: a write that nobody asked for fails an episode that is right otherwise, and nothing earned stands.
func TestWorkBesideTheTask(t *testing.T) {
	m := files(t)
	s, _ := compiled(t, m)
	lines := reference(m)
	beside := `{"tool":"slips.bookings.create","args":{"slip":"SLIP-1","day":"2034-05-12","vessel":"204"}}`
	v := grade(t, s, slices.Concat(lines[:11], []string{beside}, lines[11:])...)
	if !slices.Equal(broken(v), []string{"containment"}) || *v.Agent.GatedScore != "0" {
		t.Errorf("it breaks %v, gated %s", broken(v), *v.Agent.GatedScore)
	}
}

// TestNumbersByValue: numbers are compared by value however they are written, and reads leave no trace in the world.
func TestNumbersByValue(t *testing.T) {
	m := files(t)
	s, task := compiled(t, m)
	lines := reference(m)
	for _, cost := range []string{"80", "80.0", "8e1", "80.000"} {
		if v := grade(t, s, with(t, lines, `"cost":80.00`, `"cost":`+cost)...); !v.Pass {
			t.Errorf("%s fails %v", cost, broken(v))
		}
	}
	if v := grade(t, s, with(t, lines, `"cost":80.00`, `"cost":"80"`)...); v.Pass {
		t.Error("a text is a number")
	}
	quiet, read := episode(t, task, "x", nil), episode(t, task, "x", lines[:9])
	if quiet.State != read.State || string(read.Changes) != "[]" {
		t.Errorf("reads change the world: %s", read.Changes)
	}
}
