package contract

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	stdjson "encoding/json"

	"github.com/go-json-experiment/json"
	"go.yaml.in/yaml/v3"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/record"
)

// edit replaces one part of the contract, which must be there once.
func edit(t testing.TB, text, from, to string) string {
	t.Helper()
	if strings.Count(text, from) != 1 {
		t.Fatalf("%q stands %d times in the contract", from, strings.Count(text, from))
	}
	return strings.Replace(text, from, to, 1)
}

// Every fault of a contract is one line with file, place and what to do.
func TestFaults(t *testing.T) {
	text := contractText(t)
	for _, c := range []struct{ from, to, want string }{
		{"decision: {answer", "decison: {answer", `unknown key "decison"; did you mean "decision"?`},
		{"tool: stores.lots.list\n", "tool: stores.lot.list\n", `the world has no tool "stores.lot.list"; did you mean "stores.lots.list"?`},
		{"args: {part: RP-12}\n    at: /lots", "args: {prt: RP-12}\n    at: /lots", `stores.lots.list has no argument "/prt"; did you mean "part"?`},
		{"/lots/*/lot_id: LT-8", "/lots/*/lotid: LT-8", "the result of stores.lots.list has nothing at /lots/*/lotid"},
		{"/lots/*/lot_id: LT-8", "lots/*/lot_id: LT-8", "does not begin with /"},
		{"{table: bookings, op: insert, values: {slip", "{table: booking, op: insert, values: {slip", `the world has no table "booking"; did you mean "bookings"?`},
		{"values: {slip: SLIP-2, vessel", "values: {slp: SLIP-2, vessel", `the table bookings has no column "slp"; did you mean "slip"?`},
		{"op: insert, values: {vessel", "op: inserts, values: {vessel", `unknown op "inserts"; did you mean "insert"?`},
		{"role: primary", "role: main", `unknown role "main"`},
		{"{value: gap}]", "{value: gapp}]", `there is no value "gapp"; did you mean "gap"?`},
		{"{value: chosen.outcome}, vessel", "{value: chosen.outcme}, vessel", `there is no value "chosen.outcme"`},
		{"args: {body: {any: true}}", "args: {body: {any: true}, subject: {value: late.booking_id}}", `there is no value "late.booking_id"`},
		{"result: {/limit: {value: limit}}", "result: {/limit: {value: booking.booking_id}}", `"booking.booking_id" cannot be used here`},
		{"after: booking", "after: bookings", `there is no change "bookings"; did you mean "booking"?`},
		{"identity: {args.booking_id: result.booking_id}, ", "", `the key "identity" is missing`},
		{"args.booking_id: result.booking_id", "args.booking_id: args.vessel", "the record is known by what the write gave back or changed"},
		{"change: note", "change: notes", `there is no change "notes"`},
		{"facts: [{value: booking", "fact: [{value: booking", `unknown key "fact"`},
		{"form: {sentences: 2", "form: {sentences: 0", "at least one sentence"},
		{"id: spec", "id: order", `the id "order" stands twice (first in line`},
		{"feeds: [limit]", "feeds: [limits]", `there is no derivation "limits"`},
		{"order: [outcome, cost]", "order: [outcom]", "has no outcom, by which the decision orders"},
		{"{answer: option, order", "{answer: opton, order", `the task's answer has no field "opton"; did you mean "option"?`},
		{"{id: B,", "{id: C,", `the answer's field "option" cannot say "C"`},
		{"unit: rope, answer: gap", "unit: rope, answer: cost", `the answer's field "cost" is filled twice`},
		{"  cost: {value: chosen.cost}\n", "", `nothing says what the answer's field "cost" must be`},
		{"unit: rope, answer: required_quantity", "unit: drum, answer: required_quantity", `declares the unit drum, and its operators give rope`},
		{"limit: {tool: approvals", "gap: {tool: approvals", `"gap" is an input already`},
		{"at: /limit, type: decimal, unit: EUR", "at: /limit, type: decimal, unit: USD", "both are numbers of one unit"},
		{"vessel: \"217\"}\n    rows", "vessel: 217}\n    rows", "takes no 217 as /vessel; write a value that its schema allows (a text of digits in quotes)"},
		{"weight: 4", "weight: -4", "a weight is a number from 0 up"},
		{"fields: {lot_id: id, qty: {type: integer, unit: rope}, status: text}", "fields: {lot_id: id, status: text}", `the field "qty" of lots is not declared`},
		{"most: 1}\n  - {table: slots", "most: 0}\n  - {table: slots", "most counts from 1"},
		{"blocker: {none: true, forbid: [LT-3]}", "blocker: {forbid: []}", `the field "blocker" is graded by nothing`},
		{"record: {value: booking.booking_id}", "record: {value: booking.bookingid}", `the change "booking" has no "bookingid": neither the result of slips.bookings.create, nor a row that it leaves, nor its arguments; did you mean "booking.booking_id"?`},
		{"record: {value: booking.booking_id}", "record: {value: boking.booking_id}", `there is no value "boking.booking_id": no change or option is called "boking"; did you mean "booking"?`},
		{"record: {value: booking.booking_id}", "record: {value: booking}", `there is no value "booking"; it has parts: name one, as booking.NAME`},
		{"record: {value: booking.booking_id}", "record: {value: wxyz}", "A.NAME, B.NAME"},
		{"args.booking_id: result.booking_id", "args.bookingid: result.booking_id", `slips.bookings.get has no argument args.bookingid; did you mean "args.booking_id"?`},
		{"args.booking_id: result.booking_id", "result.bookingid: result.booking_id", `the result of slips.bookings.get has nothing at result.bookingid; did you mean "result.booking_id"?`},
		{"args.booking_id: result.booking_id", "args.booking_id: result.bookingid", `the result of slips.bookings.create has nothing at result.bookingid; did you mean "result.booking_id"?`},
		{"args.booking_id: result.booking_id", "args.booking_id: effect.bookings.bookingid", `the table bookings has no column "bookingid"; did you mean "booking_id"?`},
		{"args.booking_id: result.booking_id", "args.booking_id: effect.booking.booking_id", `the world has no table "booking"; did you mean "bookings"?`},
		{"const: 0, unit: rope, why: a surplus is no gap", "const: 0, unit: rope", "the constant 0 stands bare; say under why where it comes from"},
		{"  limit: {tool", "  as_of: {tool", `the name "as_of" is taken`},
		{"blocker: {none", "gap: {none", `the answer's field "gap" is filled twice`},
	} {
		_, _, err := compileText(t, edit(t, text, c.from, c.to))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.to, err, c.want)
			continue
		}
		for _, line := range strings.Split(err.Error(), "\n") {
			if !strings.HasPrefix(line, "contract.yaml:") {
				t.Errorf("%q: a fault without a place: %s", c.to, line)
			}
		}
	}
}

func TestLints(t *testing.T) {
	text := contractText(t)
	for _, c := range []struct{ from, to, code string }{
		{"result: {/drums: 3}}]", "result: {/order: MO-31}}]", "weak-selector"},
		{"result: {/drums: 3}}]", "result: {/drums: {any: true}}}]", "weak-selector"},
		{"args: {order: MO-31}, result: {/drums: 3}}]", "args: {order: MO-31}}]", "weak-selector"},
		{"args: {part: RP-12}, result: {/lots/*/lot_id: LT-8, /lots/*/status: HELD}}", "result: {/total: 0}}", "weak-selector"},
		{"result: {/state: BOOKED, /slip: SLIP-2, /vessel: \"217\", /day: {value: chosen.outcome}}", "result: {}", "weak-readback"},
		{"/vessel: \"217\", /day: {value: chosen.outcome}", "/day: {value: chosen.outcome}", "weak-readback"},
		{"/vessel: \"217\", /day: {value: chosen.outcome}", "/vessel: {any: true}, /day: {value: chosen.outcome}", "weak-readback"},
		{"vessel: \"217\"}\n    rows", "vessel: \"217\", memo: {contains: [MO-31]}}\n    rows", "weak-readback"},
		{"form: {sentences: 2", "form: {sentences: 3", "form-untold"},
		{"words: 15}", "words: 16}", "form-untold"},
		{"    form: {sentences: 2, words: 15}\n", "", "form-untold"},
		{"blocker: {none: true, forbid: [LT-3]}", "blocker: {text: {min_words: 5}}", "form-untold"},
		{"args: {body: {any: true}}", "args: {body: {text: {min_words: 40}}}", "form-untold"},
		{"values: {recipient: u-ada}}]", "values: {recipient: u-ada, body: {text: {min_words: 40}}}}]", "form-untold"},
		{"vessel: \"217\"}\n    rows", "vessel: \"217\", memo: renew all the ropes}\n    rows", "exact-free-text"},
		{"vessel: \"217\"}\n    rows", "vessel: \"217\", memo: Ropes}\n    rows", "exact-free-text"},
		{"day: {value: chosen.outcome}, state: BOOKED}", "day: {value: chosen.outcome}, memo: a rope or two}", "exact-free-text"},
		{"  - {table: drafts, op: insert, values: {recipient: u-ada}, most: 1}\n", "", "not-contained"},
		{"{table: drafts, op: insert, values: {recipient: u-ada}, most: 1}", "{table: drafts, op: insert}", "open-rows"},
		{", columns: [state]}", "}", "open-columns"},
		{"  - id: spec\n    says: how many ropes a drum takes\n    any_of: [{tool: files.read, result: {/file_id: SPEC-4, /values/ropes_per_drum: 4}}]",
			"  - id: spec\n    says: again\n    any_of: [{tool: maint.orders.get, args: {order: MO-31}, result: {/drums: 3}}]", "same-criterion"},
		{"  slow_ready: {do", "  idle: {do: {neg: gap}}\n  slow_ready: {do", "unused-derivation"},
		{"  limit: {tool", "  idle: {tool: maint.orders.get, args: {order: MO-31}, at: /drums, type: integer}\n  limit: {tool", "unused-input"},
		{"add_days: [as_of, {lookup: {of: offers, field: days, where: {offer_id: OF-1}}}]", "add_days: [{const: 2034-05-02, why: today}, {lookup: {of: offers, field: days, where: {offer_id: OF-1}}}]", "const-as-of"},
		{"feeds: [usable]", "feeds: [required]", "unfed"},
		{"    feeds: [usable]\n", "", "feeds-nothing"},
	} {
		_, lints, err := compileText(t, edit(t, text, c.from, c.to))
		if err != nil {
			t.Errorf("%q: %v", c.to, err)
			continue
		}
		i := slices.IndexFunc(lints, func(l Lint) bool { return l.Code == c.code })
		if i < 0 {
			t.Errorf("%q: %d lints, none is %s", c.to, len(lints), c.code)
			continue
		}
		if !strings.HasPrefix(lints[i].String(), "contract.yaml:") {
			t.Errorf("a lint without a place: %s", &lints[i])
		}
	}
	// An answer in words, compared word for word.
	task := depotTask()
	task.Answer = append(task.Answer, Field{Name: "why", Type: TextField})
	n, err := bench.Parse("contract.yaml", []byte(text+"  why: the ropes come late\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, lints, err := Compile(n, newDepot(), task); err != nil || len(lints) != 1 || lints[0].Code != "exact-free-text" {
		t.Errorf("an answer in words: %v, %v", lints, err)
	}
	// A text that the request shows may be compared word for word, and an absence whose question is pinned is evidence.
	for _, c := range []struct{ from, to string }{
		{"vessel: \"217\"}\n    rows", "vessel: \"217\", memo: its ropes renewed}\n    rows"}, // and the look compares it
		{"result: {/lots/*/lot_id: LT-8, /lots/*/status: HELD}}", "result: {/total: 0}}"},
		{"result: {/lots/*/lot_id: LT-8, /lots/*/status: HELD}}", "refused: not_found}"},
	} {
		text := edit(t, text, c.from, c.to)
		if strings.Contains(c.to, "memo") {
			text = edit(t, text, "result: {/state: BOOKED,", "result: {/memo: its ropes renewed, /state: BOOKED,")
		}
		_, lints, err := compileText(t, text)
		if err != nil || len(lints) > 0 {
			t.Errorf("%q: %v, %v", c.to, lints, err)
		}
	}
}

func TestSeedLints(t *testing.T) {
	text := contractText(t)
	for _, c := range []struct{ from, to, code string }{
		{"result: {/drums: 3}}]", "result: {/drums: 4}}]", "unreachable"},
		{"/lots/*/lot_id: LT-8, /lots/*/status: HELD", "/lots/*/lot_id: LT-3, /lots/*/status: HELD", "unreachable"},
		{"vessel: \"217\"}\n    rows", "vessel: \"218\"}\n    rows", "unrevealed"},
		{"held: {is: [LT-8, LT-9]}", "held: {is: [LT-8, LT-7]}", "unrevealed"},
		{"{value: gap}]", "{text: DOCK-9}]", "unrevealed"},
		{"args: {file_id: SPEC-4}, at", "args: {file_id: SPEC-3}, at", "undiscoverable"},
	} {
		c2, _, err := compileText(t, edit(t, text, c.from, c.to))
		if err != nil {
			t.Fatal(err)
		}
		x, err := c2.Derive(newDepot())
		if err != nil {
			t.Fatal(err)
		}
		lints := c2.LintSeed(x, newDepot())
		if !slices.ContainsFunc(lints, func(l Lint) bool { return l.Code == c.code && l.Fault }) {
			t.Errorf("%q: %d lints, none is %s", c.to, len(lints), c.code)
		}
	}
	c, x := depotContract(t)
	for _, l := range c.LintSeed(x, newDepot()) {
		t.Errorf("lint: %s", &l)
	}
	// How much to list, and from when, is anybody's choice where the tool leaves it open.
	wide, _, err := compileText(t, edit(t, text, "args: {slip: SLIP-2}\n    at", "args: {slip: SLIP-2, limit: 77, from: 2033-01-09}\n    at"))
	if err != nil {
		t.Fatal(err)
	}
	if wx, err := wide.Derive(newDepot()); err != nil {
		t.Error(err)
	} else if lints := wide.LintSeed(wx, newDepot()); len(lints) > 0 {
		t.Errorf("a read of a span: %v", lints)
	}
	// An answer that a description gives away.
	task := depotTask()
	task.Answer[5].Description = "In EUR; 80 is what the ordinary delivery costs."
	n, err := bench.Parse("contract.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c, _, err = Compile(n, newDepot(), task)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(c.LintSeed(x, newDepot()), func(l Lint) bool { return l.Code == "leak" && l.Fault }) {
		t.Error("a description that gives the cost away is not found")
	}
}

// A key that went stale, or was never right, is found when it is derived: nothing that is missing is zero.
func TestDeriveRefuses(t *testing.T) {
	text := contractText(t)
	for _, c := range []struct{ from, to, want string }{
		{"{order: MO-31}, at: /drums", "{order: MO-99}, at: /drums", "fails: no MO-99"},
		{"at: /limit, type", "at: /order, type", "has nothing at /order"},
		{"where: {offer_id: OF-1}}}, limit", "where: {offer_id: OF-7}}}, limit", "no row fits; what is not there is not zero"},
		{"args: {file_id: SPEC-4}, at: /values/ropes_per_drum, type: integer", "args: {file_id: SPEC-4}, at: /values, type: integer", "a whole number is wanted"},
	} {
		bad := edit(t, text, c.from, c.to)
		if c.to == "at: /order, type" {
			bad = edit(t, bad, "{tool: approvals.limits.get, args: {user: u-wren}, at: /order", "{tool: files.read, args: {file_id: SPEC-4}, at: /order")
		}
		k, _, err := compileText(t, bad)
		if err != nil {
			t.Errorf("%q: %v", c.to, err)
			continue
		}
		if _, err = k.Derive(newDepot()); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "contract.yaml:") {
			t.Errorf("%q: %v, want %q", c.to, err, c.want)
		}
	}
	// Two options that nothing tells apart.
	k, _, err := compileText(t, edit(t, edit(t, text, "outcome: fast_day", "outcome: slow_day"), "order: [outcome, cost]", "order: [outcome]"))
	if err != nil {
		t.Fatal(err)
	}
	d := newDepot()
	d.tables["limits"]["u-wren"]["limit"] = int64(1000)
	if _, err = k.Derive(d); err == nil || !strings.Contains(err.Error(), `the options "A" and "B" are equal by outcome`) {
		t.Errorf("a tie gives %v", err)
	}
	d.tables["limits"]["u-wren"]["limit"] = int64(10)
	if _, err = k.Derive(d); err == nil || !strings.Contains(err.Error(), "no option is approved") {
		t.Errorf("no approved option gives %v", err)
	}
}

// A changed seed moves the expected values and their digest; the right option follows.
func TestDeriveFollowsTheSeed(t *testing.T) {
	c, x := depotContract(t)
	d := newDepot()
	d.tables["limits"]["u-wren"]["limit"] = int64(640)
	y, err := c.Derive(d)
	if err != nil {
		t.Fatal(err)
	}
	if y.Chosen != "B" || y.Option("B").Authority != Approved || y.Digest() == x.Digest() {
		t.Errorf("with a limit of 640 %s is chosen", y.Chosen)
	}
	if c.Fingerprint(x) == c.Fingerprint(y) {
		t.Error("another outcome has the same fingerprint")
	}
	// Another story, other ids, the same thing graded.
	text := strings.NewReplacer("says: how many drums the order renews", "says: told otherwise", "id: note", "id: letter", "change: note", "change: letter", "weight: 4", "weight: 5").Replace(contractText(t))
	k, _, err := compileText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if k.Fingerprint(x) != c.Fingerprint(x) {
		t.Error("the same task told twice has two fingerprints")
	}
}

// No sealed type can be written by any encoder, alone or inside a public value.
func TestSealed(t *testing.T) {
	c, x := depotContract(t)
	for _, v := range []any{c, *c, c.Inputs[0], *c.Inputs[0], c.Options[0], c.Decision, c.Investigations[0], c.Investigations[0].AnyOf[0], c.Changes[0], *c.Changes[0].Rows[0], c.Readbacks[0], c.Messages[0],
		c.Messages[0].Facts[0], c.Containment[0], *c.Answer[0], Term{}, Predicate{}, Test{}, Arg{}, Pin{}, Identity{}, Look{}, Lint{}, Derivation{}, x, *x, x.Options[0], x.Values["gap"], c.Program, *c.Program, c.Program.Expr("gap")} {
		name := reflect.TypeOf(v).String()
		for _, holder := range []any{v, []any{v}, map[string]any{"k": v}, struct{ V any }{v}} {
			if b, err := json.Marshal(holder); !isSealed(err) {
				t.Errorf("%s is written as JSON: %s, %v", name, b, err)
			}
			if b, err := stdjson.Marshal(holder); err == nil {
				t.Errorf("%s is written as JSON by the standard library: %s", name, b)
			}
			if b, err := record.Canonical(holder); !isSealed(err) {
				t.Errorf("%s is written canonically: %s, %v", name, b, err)
			}
			if b, err := yaml.Marshal(holder); err == nil {
				t.Errorf("%s is written as YAML: %s", name, b)
			}
		}
	}
}

func isSealed(err error) bool { return errors.Is(err, ErrSealed) || errors.Is(err, derive.ErrSealed) }
