package tasks

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/record"
)

// What a bench's own check finds in its traces and answers; the table of cases is in cases_test.go.

// TestReferenceThatReadNothing: a reference that gives what nothing before has shown passes by its author's knowledge.
func TestReferenceThatReadNothing(t *testing.T) {
	lots := `{"tool":"stores.lots.list","args":{"part":"RP-12"}}` + "\n"
	for _, c := range []struct {
		name, old, new string
		want           []string // beginnings of faults; nil for none
	}{
		{"lots are not read", lots, "", []string{refFile + ":12: " + ferry + ": assay.submit_answer gives usable_quantity, which follows from lots", refFile + ":12: " + ferry + ": assay.submit_answer gives gap, which follows from drums, lots, ropes_per_drum",
			refFile + ":12: " + ferry + ": assay.submit_answer gives LT-8 as held", refFile + ":12: " + ferry + ": assay.submit_answer gives LT-9 as held"}},
		{"lots are read too late", lots, "", nil},
		{"a booking that nothing named", `{"booking_id":"BK-0001"}`, `{"booking_id":"BK-0002"}`, []string{refFile + ":11: " + ferry + ": slips.bookings.get gives BK-0002 as booking_id"}},
		{"another vessel", `"vessel":"217"`, `"vessel":"218"`, []string{refFile + ":10: " + ferry + ": slips.bookings.create gives 218 as vessel"}},
		{"a day out of the air", `"day":"2034-05-16"`, `"day":"2034-06-01"`, []string{refFile + ":10: " + ferry + ": slips.bookings.create gives 2034-06-01 as day"}},
		{"what an agent words by itself", `"subject":"Vessel 217"`, `"subject":"A day on the slip"`, []string{}},
		{"how much to list", `{"part":"RP-12"}}` + "\n" + `{"tool":"vendors`, `{"part":"RP-12","limit":17}}` + "\n" + `{"tool":"vendors`, []string{}},
		{"where to begin", `{"slip":"SLIP-2"}`, `{"slip":"SLIP-2","from":"2034-04-28"}`, []string{}},
		{"a date in words", "on 2034-05-16, and", "on Tuesday the 16th of May 2034, and", []string{}},
		{"the key of a repeated call", `"vessel":"217"}`, `"vessel":"217","request_key":"k-99812"}`, []string{}},
		{"an id in other marks", `{"query":"mooring drums"}`, `{"query":"spec 4"}`, []string{}},
		{"narrowed reads", lots, `{"tool":"stores.lots.list","args":{"part":"RP-12","status":"FREE"}}` + "\n" + `{"tool":"stores.lots.list","args":{"part":"RP-12","status":"HELD"}}` + "\n", []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := files(t)
			edit(t, m, refFile, c.old, c.new)
			if c.name == "lots are read too late" {
				put(m, refFile, string(m[refFile].Data)+lots)
				c.want = []string{refFile + ":12: " + ferry + ": assay.submit_answer gives usable_quantity, which follows from lots"}
			}
			s, _ := compiled(t, m)
			var got []string
			for _, f := range faults(t, s) {
				if strings.Contains(f, "[unread-literal]") {
					got = append(got, f)
				}
			}
			if len(c.want) == 0 && len(got) > 0 {
				t.Errorf("faults: %q", got)
			}
			for i, w := range c.want {
				if i >= len(got) || !strings.HasPrefix(got[i], w+",") {
					t.Errorf("fault %d of %q; want %s", i, got, w)
				}
			}
		})
	}
}

// TestReferenceThatReadsProse: a day, a figure and a name that stand in words are known as well as those of a table.
func TestReferenceThatReadsProse(t *testing.T) {
	for words, known := range map[string]bool{"She would like the 1st of June 2034 for her second vessel (218).": true, "She would like the 2nd of June 2034 for her second vessel (219).": false} {
		m := files(t)
		edit(t, m, taskFile, "What is above our limit", words+" What is above our limit")
		edit(t, m, refFile, `"day":"2034-05-16","vessel":"217"`, `"day":"2034-06-01","vessel":"218"`)
		s, _ := compiled(t, m)
		n := 0
		for _, f := range faults(t, s) {
			if strings.Contains(f, "[unread-literal]") && strings.HasPrefix(f, refFile+":10:") {
				n++
			}
		}
		if known && n != 0 || !known && n != 2 {
			t.Errorf("%s: %d faults: %q", words, n, faults(t, s))
		}
	}
}

// TestReferenceThatIsRefused: a reference whose call came to nothing is at fault, with the line, unless the refusal is what it shows.
func TestReferenceThatIsRefused(t *testing.T) {
	book := `{"tool":"slips.bookings.create","args":{"slip":"SLIP-2","day":"2034-05-11","vessel":"217"}}` + "\n"
	first := `{"tool":"slips.bookings.create"`
	for _, c := range []struct{ name, old, new, want string }{
		{"an unknown tool", first, `{"tool":"slips.bookings.lost","args":{}}` + "\n" + first, refFile + ":10: " + ferry + ": slips.bookings.lost was rejected (unknown_tool:"},
		{"arguments that the schema does not know", first, `{"tool":"stores.lots.list","args":{"prat":"RP-12"}}` + "\n" + first, refFile + ":10: " + ferry + ": stores.lots.list was rejected (invalid_arguments:"},
		{"a refused write", first, book + first, refFile + ":10: " + ferry + ": slips.bookings.create was refused (conflict: SLIP-2 is taken on 2034-05-11."},
		{"a refusal that is meant", first, "# refused: conflict\n" + book + first, ""},
		{"a refusal of another kind", first, "# refused: not_found\n" + book + first, refFile + ":11: " + ferry + ": the call of slips.bookings.create is said to be refused as not_found, and it was refused: conflict:"},
		{"a refusal that did not come", first, "# refused: conflict\n" + first, refFile + ":11: " + ferry + ": the call of slips.bookings.create is said to be refused (conflict), and the world took it"},
		{"a mark that stands elsewhere", first, "# refused: conflict\n\n" + book + first, refFile + ":12: " + ferry + ": slips.bookings.create was refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := files(t)
			edit(t, m, refFile, c.old, c.new)
			s, _ := compiled(t, m)
			got := faults(t, s)
			if c.want == "" {
				if len(got) > 0 {
					t.Errorf("faults: %q", got)
				}
			} else if len(got) != 1 || !strings.HasPrefix(got[0], c.want) {
				t.Errorf("got  %q\nwant %s", got, c.want)
			}
		})
	}
}

// TestControlThatIsRefused: a control whose write the world does not take was never judged for what it tries.
func TestControlThatIsRefused(t *testing.T) {
	m := files(t)
	lines := reference(m)
	file := sealedDir + "controls/protected.jsonl"
	// It means to show that another day's slot is out of bounds, and the world refuses: containment never runs.
	trace := slices.Concat(lines[:9], []string{`{"tool":"slips.bookings.create","args":{"slip":"SLIP-2","day":"2034-05-11","vessel":"217"}}`}, lines[9:])
	put(m, file, "# breaks: containment\n"+strings.Join(trace, "\n"))
	s, _ := compiled(t, m)
	got := faults(t, s)
	if len(got) != 1 || !strings.HasPrefix(got[0], file+":11: "+ferry+": INCONCLUSIVE: slips.bookings.create was refused (conflict") {
		t.Errorf("faults: %q", got)
	}
	if v := grade(t, s, trace...); !v.Pass { // and so the control's own claim is refuted as well
		t.Errorf("an honest refusal fails %v", broken(v))
	}
	// With an effect it is judged, and for what it tries alone.
	trace[9] = strings.Replace(trace[9], "2034-05-11", "2034-05-09", 1)
	trace = with(t, trace, "BK-0001", "BK-0002")
	put(m, file, "# breaks: containment\n"+strings.Join(trace, "\n"))
	s, _ = compiled(t, m)
	if v := grade(t, s, trace...); v.Pass || !slices.Equal(broken(v), []string{"containment"}) || *v.Agent.GatedScore != "0" {
		t.Errorf("it breaks %v, gated %s", broken(v), *v.Agent.GatedScore)
	}
	if got := faults(t, s); len(got) > 0 {
		t.Errorf("faults: %q", got)
	}
}

// TestControlThatTriesNothing: a control that does what the reference does shows nothing.
func TestControlThatTriesNothing(t *testing.T) {
	m := files(t)
	file := sealedDir + "controls/idle.jsonl"
	put(m, file, "# breaks: answer.gap\n"+strings.Join(reference(m), "\n"))
	s, _ := compiled(t, m)
	if got := faults(t, s); len(got) != 1 || got[0] != file+":1: "+ferry+": the control does what the reference does, so it tries nothing" {
		t.Errorf("faults: %q", got)
	}
}

// TestOneTaskUnderTwoNames: another story and other names, and the same assertions: one task.
func TestOneTaskUnderTwoNames(t *testing.T) {
	m := files(t)
	for name, f := range maps.Clone(m) {
		if rest, ok := strings.CutPrefix(name, "tasks/"+ferry+"/"); ok {
			put(m, "tasks/harbour-9/"+rest, string(f.Data))
		}
	}
	other := "tasks/harbour-9/public/task.yaml"
	edit(t, m, other, "id: ferry-217", "id: harbour-9")
	edit(t, m, other, "title: New mooring ropes for vessel 217", "title: A berth for the evening")
	edit(t, m, other, "Ada in passenger services needs a day", "Somebody asked me for a day")
	key := "tasks/harbour-9/sealed/contract.yaml"
	edit(t, m, key, "weight: 4", "weight: 3")
	edit(t, m, key, "  - id: note\n", "  - id: letter\n")
	edit(t, m, key, "change: note\n", "change: letter\n")
	s, err := compile(m)
	if err != nil {
		t.Fatal(err)
	}
	if got := faults(t, s); len(got) != 1 || !strings.HasPrefix(got[0], other) || !strings.Contains(got[0], "harbour-9: it asserts what ferry-217 asserts") {
		t.Errorf("faults: %q", got)
	}
	// Something else that is graded makes it a task of its own.
	edit(t, m, key, "facts: [{value: booking.booking_id}, {value: chosen.outcome}, {value: gap}]", "facts: [{value: booking.booking_id}, {value: chosen.outcome}]")
	if s, err = compile(m); err != nil {
		t.Fatal(err)
	}
	if got := faults(t, s); len(got) > 0 {
		t.Errorf("faults: %q", got)
	}
}

// TestGuessableAnswers: what "nothing", nought or one guess among few earns by itself is no answer.
func TestGuessableAnswers(t *testing.T) {
	m := files(t)
	edit(t, m, "world/seed/lots.csv", "LT-3,RP-12,7,FREE", "LT-3,RP-12,12,FREE") // enough of them: the gap is nought
	put(m, keyFile, string(m[keyFile].Data)+"weights: {answer.gap: 5}\n")
	s, _ := compiled(t, m)
	want := taskFile + ": " + ferry + ": an answer of constants that reads nothing (constants-1) earns 50 % of the answer by decision, gap, and 25 % is the most"
	if got := faults(t, s); !slices.ContainsFunc(got, func(f string) bool { return strings.HasPrefix(f, want) && strings.Contains(f, "[guessable]") }) {
		t.Errorf("faults: %q", got)
	}
	m = files(t)
	put(m, keyFile, string(m[keyFile].Data)+"weights: {decision: 5}\n")
	s, _ = compiled(t, m)
	if got := faults(t, s); len(got) != 1 || !strings.Contains(got[0], "(constants-1) earns 42 % of the answer by decision") {
		t.Errorf("faults: %q", got)
	}
	// Whatever constants there are, none passes, nor earns a gated score.
	list, err := s.Mutants(ferry)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, mu := range list {
		if strings.HasPrefix(mu.Name, "constants-") {
			tried++
			if v := grade(t, s, mu.Answer); v.Pass || v.State != record.Graded || *v.Agent.GatedScore != "0" {
				t.Errorf("%s: pass %v, gated %s", mu.Name, v.Pass, *v.Agent.GatedScore)
			}
		}
	}
	if tried != 2 {
		t.Errorf("%d answers of constants", tried)
	}
}

// TestFieldsThatNeverVary: a field that is the same in every task of the bench is named, by its name and not by its value.
func TestFieldsThatNeverVary(t *testing.T) {
	m := files(t)
	for i := range 2 {
		id := fmt.Sprintf("other-%d", i)
		for name, f := range maps.Clone(m) {
			if rest, ok := strings.CutPrefix(name, "tasks/"+ferry+"/"); ok {
				put(m, "tasks/"+id+"/"+rest, strings.Replace(string(f.Data), "id: ferry-217", "id: "+id, 1))
			}
		}
	}
	// In one of them more ropes may be used, so that usable_quantity and gap vary; what the day and the option are does not.
	put(m, "tasks/other-1/sealed/seed/lots.csv", "lot_id,part,qty,status\nLT-3,RP-12,6,FREE\n")
	s, err := compile(m)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Claims(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range c.Warnings {
		if strings.Contains(w, "[constant-field]") {
			_, name, _ := strings.Cut(w, `field "`)
			name, _, _ = strings.Cut(name, `"`)
			got = append(got, name)
			if !strings.Contains(w, "in all 3 tasks") || strings.Contains(w, "2034-05-16") {
				t.Errorf("it says %q", w)
			}
		}
	}
	if want := []string{"cost", "held", "option", "outcome_date", "required_quantity"}; !slices.Equal(got, want) {
		t.Errorf("constant fields %v, want %v", got, want)
	}
}
