package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// These are defects that benchmarks of agents really had, each with what is right here.

// A readiness probe that polls the world is no evidence of the agent's.
func TestProbesAreNoEvidence(t *testing.T) {
	c, x := depotContract(t)
	d := newDepot()
	for range 300 {
		for _, s := range reads() {
			d.call(world.Harness, s)
		}
	}
	v := judged(t, c, x, d.episode())
	for _, f := range v.Findings {
		if f.Category == "investigation" && f.Pass {
			t.Errorf("%s was shown by the harness", f.Rule)
		}
	}
	if calls := v.Diagnostics["calls"].(map[string]any)["agent"]; calls != 0 {
		t.Errorf("%v calls are counted as the agent's", calls)
	}
	for _, s := range work() {
		d.call(world.Agent, s)
	}
	if v := judged(t, c, x, d.episode()); v.Pass || *v.GatedScore != "0" {
		t.Error("the harness's reads let a shortcut pass")
	}
}

// Rows of the task's own seed are no work of the agent's; a final state that no event explains is nobody's score.
func TestStateWithoutEvents(t *testing.T) {
	c, x := depotContract(t)
	honest := play(script(reads(), work())...)
	claimed := honest.episode()
	claimed.Events = play(reads()...).events // the booking stands there, and nobody made it
	for name, e := range map[string]*Episode{
		"no event made it": claimed,
		"an event's change is not there": func() *Episode {
			e := honest.episode()
			e.Final = e.Final[1:]
			return e
		}(),
		"another value": func() *Episode {
			e := honest.episode()
			e.Final = slices.Clone(e.Final)
			e.Final[0].After = maps.Clone(e.Final[0].After)
			e.Final[0].After["vessel"] = "218"
			return e
		}(),
		"the harness wrote": func() *Episode {
			d := play(reads()...)
			d.call(world.Harness, work()[0])
			return d.episode()
		}(),
		"events out of order": func() *Episode {
			e := honest.episode()
			e.Events = slices.Clone(e.Events)
			e.Events[0], e.Events[1] = e.Events[1], e.Events[0]
			return e
		}(),
	} {
		v := judged(t, c, x, e)
		if v.State != record.Ungradable || v.Pass || v.Reason == "" || v.GatedScore != nil || len(v.Findings) > 0 {
			t.Errorf("%s: %s, %q, gated %v", name, v.State, v.Reason, v.GatedScore)
		}
	}
	// What setup did before the baseline is not in the final difference.
	d := newDepot()
	d.call(world.Setup, step{"notes.drafts.create", m{"recipient": "u-ada", "subject": "s", "body": "b"}})
	d.baseline["drafts"] = maps.Clone(d.tables["drafts"])
	for _, s := range script(reads(), work()) {
		d.call(world.Agent, s)
	}
	if v := judged(t, c, x, d.episode()); !v.Pass {
		t.Errorf("setup counts as work: %v %s", failing(v), v.Reason)
	}
}

// All pins of one expected row bind one row.
func TestPinsBindOneRow(t *testing.T) {
	text := edit(t, contractText(t), "  - {table: drafts, op: insert, values: {recipient: u-ada}, most: 1}", "  - {table: drafts, op: insert, most: 2}")
	text = edit(t, text, "args: {body: {any: true}}\n    rows: [{table: drafts, op: insert, values: {recipient: u-ada}}]", "rows: [{table: drafts, op: insert, values: {recipient: u-ada, subject: {contains: Vessel 217}}}]")
	text = edit(t, text, "to: {arg: recipient, is: u-ada}\n    ", "")
	c, _, err := compileText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Derive(newDepot())
	if err != nil {
		t.Fatal(err)
	}
	w := work()
	note := w[2]
	wrongPerson := step{note.tool, m{"recipient": "u-bo", "subject": "Vessel 217", "body": goodBody}}
	wrongSubject := step{note.tool, m{"recipient": "u-ada", "subject": "Vessel 218", "body": goodBody}}
	v := judged(t, c, x, play(script(reads(), w[:2], []step{wrongPerson, wrongSubject}, w[3:])...).episode())
	if f := finding(t, v, "change.note"); f.Pass {
		t.Error("two half right rows make one right row")
	}
	if v := judged(t, c, x, play(script(reads(), w[:2], []step{wrongPerson, note}, w[3:])...).episode()); !finding(t, v, "change.note").Pass {
		t.Error("the right row beside another is not found")
	}
}

// Two rows that a change must leave are two rows.
func TestTwoRowsAreTwo(t *testing.T) {
	text := edit(t, contractText(t), "rows: [{table: drafts, op: insert, values: {recipient: u-ada}}]", "rows: [{table: drafts, op: insert, values: {recipient: u-ada}}, {table: drafts, op: insert, values: {body: {any: true}}}]")
	c, _, err := compileText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Derive(newDepot())
	if err != nil {
		t.Fatal(err)
	}
	v := judged(t, c, x, play(script(reads(), work())...).episode())
	if f := finding(t, v, "change.note"); f.Pass || !strings.Contains(f.Why, "one row stands where several must") {
		t.Errorf("one row serves for two: %v %s", f.Pass, f.Why)
	}
}

// A deliverable called asdf, a fluent one without the figures, and one with the figures of the superseded paper: the work
// itself is the text, so the gated score is 0, and what is missing is named.
func TestDeliverables(t *testing.T) {
	text := edit(t, contractText(t), "role: communication", "role: primary")
	text = edit(t, text, "forbid: [{text: delivered}", "forbid: [{text: delivered}, {text: eight ropes}")
	c, _, err := compileText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Derive(newDepot())
	if err != nil {
		t.Fatal(err)
	}
	for body, names := range map[string][]string{
		"asdf": {"BK-0001", "2034-05-16", "5"},
		"Ada, everything is arranged for your vessel and we shall have all that we need in good time for the slip.": {"BK-0001", "2034-05-16", "5"},
		"Ada, vessel 217 comes onto the slip on 16 May 2034, under booking BK-0001. We are short of eight ropes.":   {"does not say 5", "says eight ropes"},
	} {
		w := work()
		w[2].args = m{"recipient": "u-ada", "subject": "s", "body": body}
		v := judged(t, c, x, play(script(reads(), w)...).episode())
		f := finding(t, v, "message.told")
		if v.Pass || f.Pass || *v.GatedScore != "0" {
			t.Errorf("%q passes: gated %s", body, *v.GatedScore)
		}
		for _, n := range names {
			if !strings.Contains(f.Why, n) {
				t.Errorf("%q: %q does not name %q", body, f.Why, n)
			}
		}
	}
}

// How an episode ends decides whether it is judged for the record.
func TestOutcomes(t *testing.T) {
	c, x := depotContract(t)
	for outcome, want := range map[record.Outcome]struct {
		letter record.Letter
		state  record.State
	}{
		record.Answered: {".", record.Graded}, record.Truncated: {"C", record.Graded}, record.Timeout: {"T", record.Graded}, record.Refused: {"R", record.Graded},
		record.Error: {"E", record.Ungradable}, record.Undelivered: {"D", record.Ungradable}, "": {"", record.Ungradable},
	} {
		e := play(script(reads(), work())...).episode()
		e.Outcome = outcome
		v := judged(t, c, x, e)
		if v.Letter != want.letter || v.State != want.state || v.Pass != (outcome == record.Answered) || v.Strict != v.Pass {
			t.Errorf("%s: letter %s, state %s, pass %v", outcome, v.Letter, v.State, v.Pass)
		}
		if outcome == record.Truncated {
			had := v.Diagnostics["had_it_ended"].(map[string]any)
			if v.GatedScore != nil || v.Score != nil || len(v.Findings) == 0 || had["strict"] != true || had["gated_score"] != "100" {
				t.Errorf("a capped episode: gated %v, %v", v.GatedScore, had)
			}
		}
	}
	// An agent that ended by itself without an answer is judged.
	v := judged(t, c, x, play(reads()...).episode())
	if v.State != record.Graded || v.Letter != record.LetterWrong || *v.GatedScore != "0" || *v.ProcessScore == "0" {
		t.Errorf("without an answer: %s %s gated %s process %s", v.State, v.Letter, *v.GatedScore, *v.ProcessScore)
	}
}

// A verdict is bound to its contract; values of another are refused.
func TestBoundToTheContract(t *testing.T) {
	c, x := depotContract(t)
	k, _, err := compileText(t, edit(t, contractText(t), "weight: 4", "weight: 5"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Judge(x, play().episode()); err == nil || c.Digest() == k.Digest() {
		t.Errorf("values of another contract are taken: %v", err)
	}
	// Layout and comments are no change.
	k, _, err = compileText(t, "# a comment\n"+strings.ReplaceAll(contractText(t), "weight: 4", "weight:   4  # much"))
	if err != nil || k.Digest() != c.Digest() {
		t.Errorf("a comment changes the digest: %v", err)
	}
}

// Order that a task may ask for: looks and messages before the answer.
func TestAnswerLast(t *testing.T) {
	c, x := depotContract(t)
	w := work()
	early := script(reads(), []step{w[0], w[3], w[1], w[2]})
	v := judged(t, c, x, play(early...).episode())
	if order := fmt.Sprint(v.Diagnostics["order"]); !slices.Equal(failing(v), []string{"readback.seen"}) || order != "map[message_before_answer:false readback_before_answer:false]" {
		t.Errorf("an early answer: %v, reported as %s", failing(v), order)
	}
	k, _, err := compileText(t, contractText(t)+"order: {readback_before_answer: true, message_before_answer: true}\nno_transient_changes: true\n")
	if err != nil {
		t.Fatal(err)
	}
	x, err = k.Derive(newDepot())
	if err != nil {
		t.Fatal(err)
	}
	if got := failing(judged(t, k, x, play(early...).episode())); !slices.Equal(got, []string{"readback.seen", ruleReadbackFirst, ruleMessageFirst}) {
		t.Errorf("an early answer fails %v", got)
	}
	if v := judged(t, k, x, play(script(reads(), w)...).episode()); !v.Pass {
		t.Errorf("the reference fails %v", failing(v))
	}
	undone := script(reads(), []step{{"slips.bookings.create", m{"slip": "SLIP-2", "day": "2034-05-09", "vessel": "217"}}, {"slips.bookings.cancel", m{"booking_id": "$BK"}}}, w)
	if got := failing(judged(t, k, x, play(undone...).episode())); !slices.Equal(got, []string{ruleTransient}) {
		t.Errorf("a change that is taken back fails %v", got)
	}
}

// A value that was taken back at the end is no work, whatever the event did.
func TestTakenBackIsNotDone(t *testing.T) {
	c, x := depotContract(t)
	w := work()
	v := judged(t, c, x, play(script(reads(), w, []step{{"slips.bookings.cancel", m{"booking_id": "BK-0001"}}})...).episode())
	if f := finding(t, v, "change.booking"); f.Pass || !strings.Contains(f.Why, "taken back") || *v.GatedScore != "0" {
		t.Errorf("%v: %s, gated %s", f.Pass, f.Why, *v.GatedScore)
	}
}

// A message is judged as it stands at the end, whether or not the contract names the column that it stands in: another tool may
// write it anew, or throw it away.
func TestMessagesAsTheyEnd(t *testing.T) {
	named := edit(t, contractText(t), "    body: body\n", "    body: body\n    column: {table: drafts, column: body}\n")
	good := goodBodyOf("BK-0001")
	draft := step{"notes.drafts.create", m{"recipient": "u-ada", "subject": "Vessel 217", "body": good}}
	written := func(text string) step { return step{"notes.drafts.edit", m{"draft_id": "DR-2", "text": text}} }
	poor := draft
	poor.args = m{"recipient": "u-ada", "subject": "Vessel 217", "body": "More of it when we meet, Ada, since I cannot say anything about your vessel or the ropes before that day comes."}
	claims := draft
	claims.args = m{"recipient": "u-ada", "subject": "Vessel 217", "body": good + " The ropes are delivered."}
	for _, text := range []string{contractText(t), named} {
		c, _, err := compileText(t, text)
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.Derive(newDepot())
		if err != nil {
			t.Fatal(err)
		}
		w := work()
		for name, k := range map[string]struct {
			notes []step
			want  string // what the finding says; "" for a pass
		}{
			"as it was written":           {[]step{draft}, ""},
			"written anew as it was":      {[]step{draft, written(good)}, ""},
			"mended":                      {[]step{poor, written(good)}, ""},
			"emptied of what it must say": {[]step{draft, written("More of it when we meet, Ada, since I cannot say anything about your vessel or the ropes before that day comes.")}, "does not say"},
			"thrown away":                 {[]step{draft, written("")}, ""},
			"a claim taken back later":    {[]step{claims, written(good)}, "says delivered"},
		} {
			e := play(script(reads(), w[:2], k.notes, w[3:])...).episode()
			v := judged(t, c, x, e)
			f := finding(t, v, "message.told")
			switch {
			case name == "thrown away":
				if f.Pass || v.Pass {
					t.Errorf("column named %v: a note that was thrown away is a message", text == named)
				}
			case f.Pass != (k.want == "") || !strings.Contains(f.Why, k.want):
				t.Errorf("column named %v, %s: pass %v: %s", text == named, name, f.Pass, f.Why)
			}
		}
	}
}
