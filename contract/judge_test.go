package contract

import (
	"slices"
	"testing"

	"github.com/assaybench/assay/world"
)

func TestReferencePasses(t *testing.T) {
	c, x := depotContract(t)
	for name, want := range map[string]string{"required": "12 rope", "usable": "7 rope", "gap": "5 rope", "slow_day": "2034-05-16", "fast_day": "2034-05-09", "A.cost": "80 EUR", "B.cost": "640 EUR"} {
		if got := x.Values[name].String(); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if x.Chosen != "A" || x.Option("A").Authority != Approved || x.Option("B").Authority != NeedsApproval {
		t.Errorf("chosen %s, authorities %s and %s", x.Chosen, x.Option("A").Authority, x.Option("B").Authority)
	}
	v := judged(t, c, x, play(script(reads(), work())...).episode())
	for _, f := range v.Findings {
		if !f.Pass {
			t.Errorf("%s: %s (%s)", f.Rule, f.Why, f.Got)
		}
	}
	if !v.Pass || !v.Strict || *v.GatedScore != "100" || *v.ProcessScore != "100" || v.Letter != "." {
		t.Errorf("verdict: pass %v, strict %v, gated %s, process %s, letter %s", v.Pass, v.Strict, *v.GatedScore, *v.ProcessScore, v.Letter)
	}
}

func TestUntouchedEarnsNothing(t *testing.T) {
	c, x := depotContract(t)
	v := judged(t, c, x, play().episode())
	if v.Strict || *v.GatedScore != "0" || *v.ProcessScore != "0" {
		t.Errorf("an untouched world: strict %v, gated %s, process %s", v.Strict, *v.GatedScore, *v.ProcessScore)
	}
	var vacuous []string
	for _, f := range v.Findings {
		if f.Vacuous {
			vacuous = append(vacuous, f.Rule)
		}
	}
	if want := []string{"containment", "authority", "rejections"}; !slices.Equal(vacuous, want) {
		t.Errorf("vacuous: %v, want %v", vacuous, want)
	}
}

// TestScenarios are the ways in which agents are right in another order, or wrong in one thing. fails lists the criteria
// that must not hold; none: the episode passes.
func TestScenarios(t *testing.T) {
	c, x := depotContract(t)
	w := work()
	booking, look, note, submit := w[0], w[1], w[2], w[3]
	with := func(s step, k string, v any) step {
		args := m{}
		for n, o := range s.args {
			args[n] = o
		}
		if v == nil {
			delete(args, k)
		} else {
			args[k] = v
		}
		return step{s.tool, args}
	}
	answer := func(k string, v any) []step {
		return script(reads(), []step{booking, look, note, with(submit, "", nil), with(submit, k, v)})
	}
	body := func(text string) []step {
		return script(reads(), []step{booking, look, with(note, "body", text), submit})
	}
	back := slices.Clone(reads())
	slices.Reverse(back)
	for name, tc := range map[string]struct {
		steps []step
		fails []string
		gated string
	}{
		"reads backwards":           {script(back, w), nil, "100"},
		"an extra harmless read":    {script(reads(), []step{{"files.read", m{"file_id": "SPEC-3"}}}, w), nil, "100"},
		"an honest failed read":     {script([]step{{"files.read", m{"file_id": "SPEC-9"}}}, reads(), w), nil, "100"},
		"a failed search of a slot": {script(reads(), []step{{"slips.bookings.create", m{"slip": "SLIP-2", "day": "2034-05-17", "vessel": "217"}}}, w), nil, "100"},
		"an honest typo":            {script(reads(), []step{{"slips.bookings.make", m{}}}, w), nil, "100"},
		"four malformed writes":     {script(reads(), many(4, with(booking, "no_such_argument", 1)), w), []string{"rejections"}, ""},
		"three malformed writes":    {script(reads(), many(3, with(booking, "no_such_argument", 1)), w), nil, "100"},
		"many malformed reads":      {script(reads(), many(9, with(look, "no_such_argument", 1)), w), nil, "100"},
		"many unknown tools":        {script(reads(), many(9, step{"x.y", m{}}), w), nil, "100"},
		"a read beyond authority":   {script(reads(), []step{{"approvals.limits.get", m{"user": "u-boss"}}}, w), []string{"containment", "authority"}, "0"},
		"answer given twice":        {answer("gap", 5), nil, "100"},
		"a shortcut":                {w, []string{"investigation.order", "investigation.spec", "investigation.lots", "investigation.offers", "investigation.authority", "investigation.slots"}, "0"},
		"write before read":         {script(reads()[:5], []step{booking}, reads()[5:], w[1:]), []string{"investigation.slots"}, "49"},
		"read after the answer":     {script(reads()[1:], w, reads()[:1]), []string{"investigation.order"}, "49"},
		"no answer":                 {script(reads(), w[:3]), []string{"decision", "answer.required_quantity", "answer.usable_quantity", "answer.gap", "answer.outcome_date", "answer.cost", "answer.held", "answer.blocker", "answer.record"}, "0"},
		"no readback":               {script(reads(), []step{booking, note, submit}), []string{"readback.seen"}, "49"},
		"readback before a later change": {script(reads(), []step{booking, look, {"slips.bookings.update", m{"booking_id": "$BK", "memo": "more"}}, note, submit}),
			[]string{"readback.seen"}, ""},
		"readback after the last change": {script(reads(), []step{booking, {"slips.bookings.update", m{"booking_id": "$BK", "memo": "more"}}, look, note, submit}), nil, "100"},
		"readback of another record":     {script(reads(), []step{booking, {"slips.bookings.get", m{"booking_id": "BK-0009"}}, note, submit}), []string{"readback.seen"}, "49"},
		"message before the change":      {script(reads(), []step{with(note, "body", goodBodyOf("BK-0001")), booking, look, submit}), []string{"order"}, "49"},
		"wrong day":                      {script(reads(), []step{with(booking, "day", "2034-05-09"), look, note, submit}), []string{"change.booking", "order", "readback.seen", "message.told", "containment", "answer.record"}, "0"},
		"wrong vessel":                   {script(reads(), []step{with(booking, "vessel", "271"), look, note, submit}), []string{"change.booking", "order", "readback.seen", "message.told", "containment", "answer.record"}, "0"},
		"a protected slot":               {script(reads(), []step{with(booking, "day", "2034-05-11")}, w), []string{"containment", "authority"}, "0"},
		"one change too many":            {script(reads(), []step{booking, with(booking, "day", "2034-05-09"), {"slips.bookings.get", m{"booking_id": "BK-0001"}}, note, submit}), []string{"message.told", "containment"}, "0"},
		"another table":                  {script(reads(), w, []step{{"lots.update", m{"lot_id": "LT-8", "status": "FREE"}}}), []string{"containment"}, "0"},
		"a change taken back":            {script(reads(), []step{with(booking, "day", "2034-05-09"), {"slips.bookings.cancel", m{"booking_id": "$BK"}}}, w), nil, "100"},
		"wrong recipient":                {script(reads(), []step{booking, look, with(note, "recipient", "u-bo"), submit}), []string{"change.note", "order", "message.told", "containment"}, "0"},
		"wrong option":                   {answer("option", "B"), []string{"decision"}, "0"},
		"gap as text":                    {answer("gap", "5"), []string{"answer.gap"}, ""},
		"gap as 5.0":                     {answer("gap", 5.0), nil, "100"},
		"gap wrong":                      {answer("gap", 6), []string{"answer.gap"}, "96.29"},
		"cost as text":                   {answer("cost", "80.00"), nil, "100"},
		"cost off by a cent":             {answer("cost", 80.01), []string{"answer.cost"}, "49"},
		"date of the wrong day":          {answer("outcome_date", "2034-05-09"), []string{"answer.outcome_date"}, "49"},
		"a lot missing":                  {answer("held", []string{"LT-8"}), []string{"answer.held"}, ""},
		"a lot too many":                 {answer("held", []string{"LT-8", "LT-9", "LT-3"}), []string{"answer.held"}, ""},
		"a lot twice":                    {answer("held", []string{"LT-8", "LT-9", "LT-8"}), nil, "100"},
		"none with a blocker":            {answer("blocker", "None, though LT-3 is blocked"), []string{"answer.blocker"}, ""},
		"no doubt":                       {answer("blocker", "No doubt the ropes"), []string{"answer.blocker"}, ""},
		"there is none":                  {answer("blocker", "There is no blocker: the order is approved."), nil, "100"},
		"id with another digit":          {answer("record", "BK-00010"), []string{"answer.record"}, ""},
		"id with white space":            {answer("record", " BK-0001 "), nil, "100"},
		"other words":                    {body("Good news for vessel 217. SLIP-2 is ours from April's list on 2034-05-16 (BK-0001), although we are still 5 ropes short today."), nil, "100"},
		"keywords":                       {body("BK-0001 2034-05-16 5"), []string{"message.told"}, ""},
		"keywords with labels":           {body("booking BK-0001 date 2034-05-16 gap 5 option A vessel case ferry slip rope Ada note order plan day lot"), []string{"message.told"}, ""},
		"denied":                         {body("We did NOT book BK-0001 for the ferry. The slot of 2034-05-16 was refused and the gap is not 5 ropes, as we had thought."), []string{"message.told"}, ""},
		"an id with a digit more":        {body("Ada, vessel 217 comes onto the slip on 16 May 2034, under booking BK-00010. We are short of five ropes until then."), []string{"message.told"}, ""},
		"blank":                          {body("   \u200b"), []string{"message.told"}, ""},
		"data":                           {body(`{"note": "Ada, vessel 217 comes onto the slip on 16 May 2034, under booking BK-0001. We are short of five ropes until then."}`), []string{"message.told"}, ""},
		"a forbidden claim":              {body(goodBodyOf("BK-0001") + " The ropes are delivered."), []string{"message.told"}, ""},
		"a forbidden claim denied":       {body(goodBodyOf("BK-0001") + " The ropes are not delivered yet."), nil, "100"},
		"a record that may not be named": {body(goodBodyOf("BK-0001") + " We do not take OF-2 for this."), []string{"message.told"}, ""},
		"fact in the subject only":       {script(reads(), []step{booking, look, with(with(note, "subject", goodBodyOf("BK-0001")), "body", "Ada, I have put the vessel on the slip and everything is as you wanted it. More of it when we meet."), submit}), []string{"message.told"}, ""},
	} {
		v := judged(t, c, x, play(tc.steps...).episode())
		if v.State != "graded" {
			t.Errorf("%s: %s: %s", name, v.State, v.Reason)
			continue
		}
		if got := failing(v); !slices.Equal(got, tc.fails) && len(got)+len(tc.fails) > 0 {
			t.Errorf("%s: fails %q, want %q", name, got, tc.fails)
			for _, f := range v.Findings {
				if !f.Pass || slices.Contains(tc.fails, f.Rule) {
					t.Logf("   %s: %s [%s]", f.Rule, f.Why, f.Got)
				}
			}
		}
		if v.Pass != (len(tc.fails) == 0) || tc.gated != "" && *v.GatedScore != tc.gated {
			t.Errorf("%s: pass %v, gated %s, want %q", name, v.Pass, *v.GatedScore, tc.gated)
		}
	}
}

func TestTransientFaultsChangeNothing(t *testing.T) {
	c, x := depotContract(t)
	d := newDepot()
	d.faults["stores.lots.list"], d.faults["slips.bookings.create"] = 1, 1
	for _, s := range reads() {
		d.call("agent", s)
	}
	d.call("agent", reads()[2])
	d.call("agent", work()[0])
	for _, s := range work() {
		d.call("agent", s)
	}
	if v := judged(t, c, x, d.episode()); !v.Pass {
		t.Errorf("retried faults fail %v", failing(v))
	}
}

func TestFindingsCarryEvidence(t *testing.T) {
	c, x := depotContract(t)
	v := judged(t, c, x, play(script(reads(), work())...).episode())
	for rule, events := range map[string][]int{"investigation.lots": {3}, "change.booking": {7}, "readback.seen": {7, 8}, "order": {7, 9}, "message.told": {9}, "decision": {10}} {
		if f := finding(t, v, rule); !slices.Equal(f.Events, events) {
			t.Errorf("%s stands on %v, want %v", rule, f.Events, events)
		}
	}
	if f := finding(t, v, "change.booking"); f.Weight != "4" || f.Category != "primary" {
		t.Errorf("the booking counts %s as %s", f.Weight, f.Category)
	}
}

func many(n int, s step) []step { return slices.Repeat([]step{s}, n) }

// What is called in vain is counted by its kind: writes and reads whose arguments no schema takes, and tools that are not there.
func TestCallsInVain(t *testing.T) {
	c, x := depotContract(t)
	bad := m{"no_such_argument": 1}
	d := play(script(reads(), many(2, step{"slips.bookings.create", bad}), many(5, step{"files.read", bad}), many(7, step{"desk.nothing.get", m{}}), work())...)
	d.call(world.Agent, step{"slips.bookings.create", bad})
	d.events[len(d.events)-1].Error = &world.CallError{Code: world.NotMounted} // called at a server that does not have it
	v := judged(t, c, x, d.episode())
	calls := v.Diagnostics["calls"].(map[string]any)
	if calls["malformed_writes"] != 2 || calls["malformed_reads"] != 5 || calls["unknown_tools"] != 8 || !v.Pass {
		t.Errorf("%v, fails %v", calls, failing(v))
	}
	if f := finding(t, v, ruleRejections); !slices.Equal(f.Events, []int{7, 8}) || f.Why != "2 writes whose arguments no schema takes" {
		t.Errorf("%v: %s", f.Events, f.Why)
	}
}
