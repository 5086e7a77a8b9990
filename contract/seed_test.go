package contract

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/world"
)

// edits makes several replacements, from and to in turn.
func edits(t testing.TB, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		text = edit(t, text, pairs[i], pairs[i+1])
	}
	return text
}

// linted gives what the seed tells of a contract for a world and a task.
func linted(t testing.TB, text string, w *depotWorld, task Task) []Lint {
	t.Helper()
	n, err := bench.Parse("contract.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := Compile(n, w, task)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Derive(w)
	if err != nil {
		t.Fatal(err)
	}
	return c.LintSeed(x, w)
}

func codes(lints []Lint) string {
	var out []string
	for _, l := range lints {
		if l.Fault {
			out = append(out, l.Code)
		} else {
			out = append(out, "("+l.Code+")")
		}
	}
	return strings.Join(out, " ")
}

// depotWorld is the depot with what a test says of its tools, and with evidence files by path.
type depotWorld struct {
	*depot
	say   map[string]string // the description of a tool, in place of its own
	files map[string]string
}

func (w *depotWorld) Tools() []Tool {
	list := w.depot.Tools()
	for i := range list {
		if s, ok := w.say[list[i].Name]; ok {
			list[i].Description = s
		}
	}
	if w.files != nil {
		list = append(list,
			Tool{Name: world.ToolContext, Input: obj(""), Output: jsontext.Value(`{"type":"object"}`)},
			Tool{Name: world.ToolEvidence, Input: jsontext.Value(`{"type":"object","required":["path"],"properties":{"path":` + text + `}}`), Output: obj(`"path":` + text + `,"text":` + text + `,"sha256":` + text)})
	}
	return list
}

func (w *depotWorld) Read(tool string, args jsontext.Value) (jsontext.Value, error) {
	switch tool {
	case world.ToolContext:
		list := []string{}
		for p := range w.files {
			list = append(list, `{"path":"`+p+`"}`)
		}
		return jsontext.Value(`{"evidence":[` + strings.Join(list, ",") + `],"answer":{"most":218}}`), nil
	case world.ToolEvidence:
		for p, s := range w.files {
			if strings.Contains(string(args), `"`+p+`"`) {
				return jsontext.Value(`{"path":"` + p + `","text":"` + s + `","sha256":"f00"}`), nil
			}
		}
		return nil, refusal{world.NotFound, "no file"}
	}
	return w.depot.Read(tool, args)
}

func plainDepot() *depotWorld { return &depotWorld{depot: newDepot()} }

// A selector must be able to fail: what holds of every record of the tool, or where nothing is found, proves nothing.
func TestSelectorsThatCannotFail(t *testing.T) {
	order := "args: {order: MO-31}, result: {/drums: 3}}]"
	lots := "args: {part: RP-12}, result: {/lots/*/lot_id: LT-8, /lots/*/status: HELD}}]"
	for _, c := range []struct{ name, from, to, want string }{
		{"at least nought", order, "args: {order: MO-31}, result: {/drums: {ge: 0}}}]", "weak-selector"},
		{"more than less than nought", order, "args: {order: MO-31}, result: {/drums: {gt: -1}}}]", "weak-selector"},
		{"less than a lot", order, "args: {order: MO-31}, result: {/drums: {lt: 1000}}}]", "weak-selector"},
		{"one record, and a bound that nought does not meet", order, "args: {order: MO-31}, result: {/drums: {gt: 2}}}]", ""},
		{"a bound that other records do not meet", lots, "args: {part: RP-12}, result: {/lots/*/qty: {gt: 6}}}]", ""},
		{"a bound that all records meet", lots, "args: {part: RP-12}, result: {/lots/*/qty: {ge: 1}}}]", "weak-selector"},
		{"one of everything", lots, "args: {part: RP-12}, result: {/lots/*/status: {one_of: [FREE, HELD]}}}]", "weak-selector"},
		{"one of some", lots, "args: {part: RP-12}, result: {/lots/*/status: {one_of: [HELD, LOST]}}}]", ""},
		{"any part, and a total that is nought for none", lots, "result: {/total: {lt: 9}}}]", "weak-selector"},
		{"any part, and a total that none has", lots, "result: {/total: {gt: 1}}}]", ""},
		{"a value that is nought", lots, "result: {/total: {value: none}}}]", "weak-selector"},
		{"a value", lots, "result: {/total: 3}}]", ""},
	} {
		text := contractText(t)
		if strings.Contains(c.to, "value: none") {
			text = edits(t, text, "  slow_ready: {do", "  none: {do: {sub: [gap, gap]}, unit: rope}\n  slow_ready: {do")
		}
		if got := codes(linted(t, edit(t, text, c.from, c.to), plainDepot(), depotTask())); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A graded value that a text gives away is found with what stands around it, and figures that mean something else are not.
func TestLeaks(t *testing.T) {
	for _, c := range []struct{ where, text, want string }{
		{"gap", "Ropes that are missing; the gap is 5.", "leak"},
		{"gap", "Ropes that are missing (5 ropes).", "leak"},
		{"gap", "Ropes that are missing, at most 5 of them.", ""},
		{"gap", "Ropes that are missing. A whole number from 1 to 5.", ""},
		{"gap", "Ropes that are missing, five lines below the sum.", ""},
		{"gap", "12 less 7 is 5", "leak"},
		{"required_quantity", "Of the 3 drums with 4 each, that makes 12", "leak"},
		{"required_quantity", "Ropes needed; see the 3 drums of the order.", ""},
		{"option", "A: which is the right one. B: the other.", "leak"},
		{"option", "The right answer is A.", "leak"},
		{"option", "Which of A and B is the right one?", ""},
		{"option", "A right answer names one of the two.", ""},
		{"option", "Choose A when it is cheaper. Choose B when it is faster.", ""},
		{"option", "A: wait for it.", "(leak)"},
		{"option", "A: wait for it. B: have it sent.", ""},
		{"held", "Such as LT-9.", "leak"},
		{"outcome_date", "The day, 16 May 2034.", "leak"},
		{"tool slips.slots.list", "Days of a slip. The 16th of May 2034 is the first that is free.", "leak"},
		{"tool stores.lots.list", "Lots of a part. Seven ropes are usable.", "leak"},
		{"tool stores.lots.list", "Lots of a part, 7 at a time.", ""},
		{"tool slips.bookings.create", "Book a slip for vessel 217, as for SL-4.", ""},
		{"request", "Vessel 217 needs its ropes renewed under MO-31, and the gap is 5. Tell Ada when.", "(leak)"},
	} {
		w, task := plainDepot(), depotTask()
		task.Answer[2].Description = "Ropes that are missing"
		switch name, isTool := strings.CutPrefix(c.where, "tool "); {
		case isTool:
			w.say = map[string]string{name: c.text}
		case name == "request":
			task.Request = c.text
		default:
			for i := range task.Answer {
				if task.Answer[i].Name == name {
					task.Answer[i].Description = c.text
				}
			}
		}
		if got := codes(linted(t, contractText(t), w, task)); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.where, c.text, got, c.want)
		}
	}
	// What is graded outside the answer is looked for as well.
	w := plainDepot()
	text := edits(t, contractText(t), "    args: {slip: SLIP-2, day: {value: chosen.outcome}, vessel: \"217\"}", "    args: {slip: SLIP-2, day: {value: fast_ready}, vessel: \"217\"}",
		"unit: rope, answer: gap}", "unit: rope}", "  blocker: {none", "  gap: {any: true}\n  blocker: {none")
	w.say = map[string]string{"slips.bookings.create": "Book a slip, say for 7 May 2034.", "notes.drafts.create": "A note of at least two sentences and fifteen words, which says that the gap is 5."}
	if got := codes(linted(t, text, w, depotTask())); got != "leak leak" {
		t.Errorf("values of a change and a message: %q", got)
	}
}

// A sentence that the contract makes up out of what it read is a sentence all the same, whatever letter case says.
func TestMadeUpSentences(t *testing.T) {
	made := "  slow_ready: {do"
	sentence := "  told: {do: {concat: [{const: the slip is ours on}, slow_ready]}}\n  slow_ready: {do"
	for _, c := range []struct {
		name, want string
		pairs      []string
	}{
		{"a body", "exact-free-text", []string{"args: {body: {any: true}}", "args: {body: {value: told}}"}},
		{"a column", "exact-free-text", []string{"values: {recipient: u-ada}}]", "values: {recipient: u-ada, body: {value: told}}}]"}},
		{"a fact that is a sentence", "exact-free-text", []string{"{value: gap}]", "{value: long}]"}},
		{"a fact of three words", "", []string{"{value: gap}]", "{value: short}]"}},
		{"what a record says", "", []string{"args: {body: {any: true}}", "args: {subject: {value: about}, body: {any: true}}"}},
	} {
		text := edits(t, edit(t, contractText(t), made, sentence), c.pairs...)
		text = edits(t, text, "  slow_ready: {do", "  long: {do: {concat: [{const: we wait until the slip is open on}, slow_ready]}}\n  short: {do: {concat: [{const: three ropes of}, slow_ready]}}\n  slow_ready: {do",
			"  limit: {tool", "  about: {tool: maint.orders.get, args: {order: MO-31}, at: /about, type: text}\n  limit: {tool")
		if got := codes(linted(t, text, plainDepot(), depotTask())); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	task := depotTask()
	task.Answer = append(task.Answer, Field{Name: "why", Type: TextField})
	text := edit(t, contractText(t), made, sentence) + "  why: {value: told, case: fold}\n"
	if got := codes(linted(t, text, plainDepot(), task)); got != "exact-free-text" {
		t.Errorf("an answer in any letter case: %q", got)
	}
	n, err := bench.Parse("contract.yaml", []byte(contractText(t)+"  why: {is: the ropes come late, case: fold}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, lints, err := Compile(n, newDepot(), task); err != nil || codes(lints) != "exact-free-text" {
		t.Errorf("a literal in any letter case: %q, %v", codes(lints), err)
	}
}

// Criteria that mean the same are one, however they are written.
func TestSameByMeaning(t *testing.T) {
	spec := "any_of: [{tool: files.read, result: {/file_id: SPEC-4, /values/ropes_per_drum: 4}}]"
	for _, c := range []struct {
		name, want string
		pairs      []string
	}{
		{"further arguments", "same-criterion", []string{spec, "any_of: [{tool: maint.orders.get, result: {/drums: 3}}]"}},
		{"a value by its name", "same-criterion", []string{spec, "any_of: [{tool: maint.orders.get, args: {order: MO-31}, result: {/drums: {value: drums}}}]"}},
		{"more of the same", "same-criterion", []string{spec, "any_of: [{tool: maint.orders.get, args: {order: MO-31}, result: {/drums: 3, /about: {contains: [SPEC-4]}}}]"}},
		{"something else of the same record", "", []string{spec, "any_of: [{tool: maint.orders.get, args: {order: MO-31}, result: {/about: {contains: [SPEC-4]}}}]"}},
		{"a way that another takes anyhow", "same-criterion", []string{spec, "any_of: [{tool: maint.orders.get, args: {order: MO-31}, result: {/drums: 3}}, {tool: files.read, result: {/file_id: SPEC-4, /values/ropes_per_drum: 4}}]"}},
		{"two fields of one value", "same-criterion", []string{"  outcome_date: {value: chosen.outcome}\n", "  outcome_date: {value: copy}\n", "  slow_ready: {do", "  copy: {do: slow_ready}\n  slow_ready: {do", "  blocker: {none: true, forbid: [LT-3]}", "  blocker: {value: slow_ready}"}},
		{"an allowance twice", "same-criterion", []string{"  - {table: slots, op: update, key: {slot_id: SL-4}", "  - {table: bookings, op: insert, values: {vessel: \"217\"}, most: 2}\n  - {table: slots, op: update, key: {slot_id: SL-4}"}},
		{"another allowance of the table", "", []string{"  - {table: slots, op: update, key: {slot_id: SL-4}", "  - {table: bookings, op: insert, values: {vessel: \"217\", slip: SLIP-2}, most: 1}\n  - {table: slots, op: update, key: {slot_id: SL-4}"}},
		{"a look twice", "same-criterion", []string{"messages:\n", "  - {id: again, after: booking, any_of: [{tool: slips.bookings.get, identity: {args.booking_id: result.booking_id}, result: {/vessel: \"217\", /state: BOOKED, /slip: SLIP-2, /day: {value: slow_day}}}]}\nmessages:\n"}},
	} {
		text := edits(t, contractText(t), c.pairs...)
		got := codes(linted(t, text, plainDepot(), depotTask()))
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Where an agent has to send something must be something it can find out: of one_of, of rows and of single words too.
func TestDestinations(t *testing.T) {
	to, row := "to: {arg: recipient, is: u-ada}", "values: {recipient: u-ada}}]"
	for _, c := range []struct {
		name, want string
		pairs      []string
	}{
		{"one word that nothing shows", "unrevealed", []string{to, "to: {arg: recipient, is: harbourmaster}"}},
		{"one of several that nothing shows", "unrevealed unrevealed", []string{to, "to: {arg: recipient, is: {one_of: [u-cy, u-dee]}}"}},
		{"one of several, one of which is shown", "", []string{to, "to: {arg: recipient, is: {one_of: [u-cy, u-ada]}}"}},
		{"a row's recipient", "unrevealed", []string{row, "values: {recipient: u-cy}}]"}},
		{"a row's id that the tool makes", "(unrevealed)", []string{row, "values: {recipient: u-ada, draft_id: DR-2}}]"}},
		{"a read by one of several that nothing shows", "undiscoverable", []string{"args: {part: RP-12}, result: {/offers", "args: {part: {one_of: [RP-12, RP-99]}}, result: {/offers"}},
	} {
		if got := codes(linted(t, edits(t, contractText(t), c.pairs...), plainDepot(), depotTask())); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	w := plainDepot()
	w.say = map[string]string{"notes.drafts.create": "A note of at least two sentences and fifteen words, to the harbourmaster or to passenger services."}
	if got := codes(linted(t, edit(t, contractText(t), to, "to: {arg: recipient, is: harbourmaster}"), w, depotTask())); got != "" {
		t.Errorf("a word that the tool's description gives: %q", got)
	}
}

// Evidence files can be named by the program's own tool, and a contract that takes a file by one route alone is told so.
func TestEvidenceFiles(t *testing.T) {
	w := plainDepot()
	w.files = map[string]string{"spec.md": "A drum takes ropes per drum: 4. No more."}
	spec := "any_of: [{tool: files.read, result: {/file_id: SPEC-4, /values/ropes_per_drum: 4}}]"
	named := edits(t, contractText(t), spec, "any_of: [{tool: assay.evidence, args: {path: spec.md}, result: {/text: {contains: [ropes per drum]}}}]",
		"ropes_per_drum: {tool: files.read, args: {file_id: SPEC-4}, at: /values/ropes_per_drum,", "ropes_per_drum: {tool: assay.evidence, args: {path: spec.md}, at: /text, within: {after: 'per drum:'},")
	if got := codes(linted(t, named, w, depotTask())); got != "" {
		t.Errorf("an evidence file: %q", got)
	}
	if got := codes(linted(t, edit(t, named, "result: {/text: {contains: [ropes per drum]}}", "result: {/text: {contains: [five ropes]}}"), w, depotTask())); got != "unreachable" {
		t.Errorf("a file without the words: %q", got)
	}
	// The same file through the world's own tool.
	w.depot.tables["orders"]["MO-31"]["about"] = w.files["spec.md"] + " "
	if got := codes(linted(t, edit(t, contractText(t), "{tool: maint.orders.get, args: {order: MO-31}, result: {/drums: 3}}", "{tool: maint.orders.get, args: {order: MO-31}, result: {/drums: 3}}"), w, depotTask())); !slices.Contains(strings.Fields(got), "(one-route)") {
		t.Errorf("a file by one route alone: %q", got)
	}
	two := edit(t, contractText(t), "[{tool: maint.orders.get, args: {order: MO-31}, result: {/drums: 3}}]", "[{tool: maint.orders.get, args: {order: MO-31}, result: {/drums: 3}}, {tool: assay.evidence, result: {/path: spec.md, /text: {contains: [No more]}}}]")
	if got := codes(linted(t, two, w, depotTask())); slices.Contains(strings.Fields(got), "(one-route)") {
		t.Errorf("a file by both routes: %q", got)
	}
	// The form of the answer, which the brief holds, is no fact of the world.
	if got := codes(linted(t, edit(t, contractText(t), "vessel: \"217\"}\n    rows", "vessel: \"218\"}\n    rows"), w, depotTask())); !strings.Contains(got, "unrevealed") {
		t.Errorf("a figure of the answer's form is taken for known: %q", got)
	}
}
