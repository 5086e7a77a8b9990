package control

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
)

const (
	mooring = "../../examples/mooring"
	lamps   = "../../internal/cli/starter"
)

// benchSet compiles a bench with some of its files altered: pairs of what stands there and what stands there instead.
func benchSet(t *testing.T, dir string, edits map[string][]string) *tasks.Set {
	t.Helper()
	files := fstest.MapFS{}
	root := os.DirFS(dir)
	if err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "premise/") {
			return err
		}
		b, err := fs.ReadFile(root, name)
		files[name] = &fstest.MapFile{Data: b}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for name, pairs := range edits {
		text := string(files[name].Data)
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(text, pairs[i]) {
				t.Fatalf("%s has no %q", name, pairs[i])
			}
			text = strings.Replace(text, pairs[i], pairs[i+1], 1)
		}
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	b, err := bench.Load(files, "bench")
	if err != nil {
		t.Fatal(err)
	}
	s, err := tasks.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func qualify(t *testing.T, s *tasks.Set) *Proof {
	t.Helper()
	p, err := Qualify(context.Background(), s, s.Tasks()[0])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// faults gives what is wrong, as "name: kind", sorted, each once; omissions as "without WHAT".
func faults(p *Proof) []string {
	var out []string
	for _, e := range []Execution{p.Oracle, p.Replay} {
		if e.Fault != "" {
			out = append(out, "reference")
		}
	}
	for _, r := range slices.Concat(p.Controls, p.Beside) {
		if r.Fault != "" {
			out = append(out, r.Name+": "+r.Kind)
		}
	}
	for _, o := range p.Omissions {
		if o.Fault != "" {
			out = append(out, "without "+o.What)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestQualifies: the shipped examples go through everything, and each of the ten controls breaks what it is made to break.
func TestQualifies(t *testing.T) {
	for dir, want := range map[string]struct {
		beside, omissions int
		broke             map[string]string
	}{
		mooring: {35, 9, map[string]string{
			"incomplete_read":    "investigation.order",
			"missing_readback":   "readback.seen",
			"unauthorized_write": "containment",
			"wrong_value":        "answer.outcome_date",
			"wrong_decision":     "answer.cost answer.outcome_date decision",
			"wrong_evidence":     "answer.outcome_date investigation.slots",
			"write_before_read":  "investigation.authority investigation.lots investigation.offers investigation.order investigation.slots investigation.spec",
		}},
		lamps: {20, 6, map[string]string{
			"state_only":         "answer.arrives answer.missing answer.order answer.usable decision",
			"shortcut":           "investigation.limit investigation.offers investigation.request investigation.shelf readback.stands",
			"unauthorized_write": "containment",
			"wrong_value":        "answer.usable",
			"wrong_decision":     "answer.arrives decision",
		}},
	} {
		p := qualify(t, benchSet(t, dir, nil))
		if got := faults(p); len(got) > 0 {
			t.Errorf("%s: %q", dir, got)
		}
		var names []string
		for _, r := range p.Controls {
			names = append(names, r.Name)
			if r.Strict || r.Gated > MaxGated || len(r.Breaks) == 0 {
				t.Errorf("%s: %s: strict %v, gated %d, breaks %q", dir, r.Name, r.Strict, r.Gated, r.Breaks)
			}
			if w, ok := want.broke[r.Name]; ok && strings.Join(r.Broke, " ") != w {
				t.Errorf("%s: %s breaks %q, want %q", dir, r.Name, r.Broke, w)
			}
		}
		if !slices.Equal(names, Ten) {
			t.Errorf("%s: the controls are %q", dir, names)
		}
		if len(p.Beside) != want.beside || len(p.Omissions) != want.omissions {
			t.Errorf("%s: %d beside and %d omissions, want %d and %d", dir, len(p.Beside), len(p.Omissions), want.beside, want.omissions)
		}
		if p.Oracle.EpisodeDigest != p.Replay.EpisodeDigest || p.Oracle.Gated != 100 || !p.Oracle.Strict {
			t.Errorf("%s: oracle %+v, replay %+v", dir, p.Oracle, p.Replay)
		}
	}
}

// TestVersion: whoever changes how controls are made raises Version, so that what was kept by the older one is not taken again.
func TestVersion(t *testing.T) {
	h := sha256.New()
	for _, dir := range []string{mooring, lamps} {
		p := qualify(t, benchSet(t, dir, nil))
		for _, r := range slices.Concat(p.Controls, p.Beside) {
			fmt.Fprintln(h, r.Name, r.StepsDigest, r.Breaks)
		}
	}
	const want = "control/1 60e7cc4d0479d7e8"
	if got := Version + " " + hex.EncodeToString(h.Sum(nil))[:16]; got != want {
		t.Errorf("the controls are %q and were %q: raise Version where they changed and their task did not, and put this in", got, want)
	}
}

const ferry = "tasks/ferry-217/sealed/contract.yaml"

// TestWeakened: a contract that lets one thing pass is caught by the control that tries it, and by no other.
func TestWeakened(t *testing.T) {
	fact := `facts: [{value: booking.booking_id}, {value: chosen.outcome}, {value: gap}]`
	for _, c := range []struct {
		name string
		file string
		edit []string
		want []string
	}{
		{"evidence is not asked for", ferry, []string{`  - id: authority
    says: how much the planner decides alone
    any_of: [{tool: approvals.limits.get, result: {/limit: {value: limit}}}]
    feeds: [limit]
    category: authority
`, ""}, []string{"incomplete_read: false accept", "without read"}},
		{"evidence may come late", ferry, []string{"    category: authority\n", "    category: authority\n    before: answer\n"}, []string{"write_before_read: other reason"}},
		{"any record is evidence", ferry, []string{"{tool: slips.slots.list, args: {slip: SLIP-2}, result: {/slots/*/day: {value: chosen.outcome}, /slots/*/state: OPEN}}", "{tool: slips.slots.list, result: {/slots/*/state: {any: true}}}"},
			[]string{"wrong_evidence: other reason"}},
		{"a stale record is evidence", ferry, []string{"{/file_id: SPEC-4, /values/ropes_per_drum: 4}", "{/values/ropes_per_drum: {gt: 0}}"}, []string{"wrong_evidence: other reason"}},
		{"the look is not asked for", ferry, []string{`readbacks:
  - {id: seen, after: booking, tool: slips.bookings.get, identity: {args.booking_id: result.booking_id}, result: {/state: BOOKED, /slip: SLIP-2, /vessel: "217", /day: {value: chosen.outcome}}}
`, ""}, []string{"early_readback: not generated", "missing_readback: false accept"}},
		{"further bookings are allowed", ferry, []string{`{table: bookings, op: insert, values: {vessel: "217"}, most: 1}`, `{table: bookings, op: insert, values: {vessel: "217"}}`,
			"{table: slots, op: update, key: {slot_id: SL-4}, columns: [state]}", "{table: slots, op: update, columns: [state]}"}, []string{"unauthorized_write: false accept"}},
		{"any vessel will do", ferry, []string{`day: {value: chosen.outcome}, vessel: "217"}`, `day: {value: chosen.outcome}}`, `values: {slip: SLIP-2, vessel: "217",`, `values: {slip: SLIP-2,`,
			`values: {vessel: "217"}, most: 1`, `values: {slip: SLIP-2}, most: 1`, `/slip: SLIP-2, /vessel: "217", /day`, `/slip: SLIP-2, /day`}, []string{"wrong_target: false accept"}},
		{"the path is not graded", ferry, []string{"outcome_date: {value: chosen.outcome}", "outcome_date: {any: true}", "cost: {value: chosen.cost}", "cost: {any: true}"},
			[]string{"wrong_field: false accept", "wrong_value: not generated"}},
		{"a field is not graded", ferry, []string{"held: {is: [LT-8, LT-9]}", "held: {any: true}"}, []string{"wrong_field: false accept"}},
		{"the message need not say when", ferry, []string{fact, "facts: [{value: booking.booking_id}, {value: gap}]"}, []string{"keyword_stuffing: not generated"}},
		{"the message may come first", ferry, []string{"role: communication", "role: supporting"}, []string{"message_before_change: false accept"}},
		{"one wording is right", ferry, []string{"{table: drafts, op: insert, values: {recipient: u-ada}, most: 1}", `{table: drafts, op: insert, values: {recipient: u-ada, subject: "Vessel 217"}, most: 1}`}, []string{"other_words: false reject"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := qualify(t, benchSet(t, mooring, map[string][]string{c.file: c.edit}))
			if got := faults(p); !slices.Equal(got, c.want) {
				t.Errorf("faults %q, want %q", got, c.want)
				for _, r := range slices.Concat(p.Controls, p.Beside) {
					if r.Fault != "" {
						t.Logf("%s (%s): %s", r.Name, r.Form, r.Fault)
					}
				}
			}
		})
	}
}
