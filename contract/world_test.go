package contract

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// depot is a small world of these tests: a yard that renews the ropes of a ferry. It keeps its own tables and makes its own
// final difference, so that nothing here rests on the code under test.
type depot struct {
	tables   map[string]map[string]world.Row
	baseline map[string]map[string]world.Row
	events   []world.Event
	effect   []world.Change
	faults   map[string]int // calls of a tool that still fail for a moment
}

var keyOf = map[string]string{"orders": "order", "files": "file_id", "lots": "lot_id", "slots": "slot_id", "offers": "offer_id", "limits": "user", "bookings": "booking_id", "drafts": "draft_id"}

func newDepot() *depot {
	d := &depot{tables: map[string]map[string]world.Row{}, faults: map[string]int{}}
	for t := range keyOf {
		d.tables[t] = map[string]world.Row{}
	}
	seed := func(table string, rows ...world.Row) {
		for _, r := range rows {
			d.tables[table][r[keyOf[table]].(string)] = r
		}
	}
	seed("orders", world.Row{"order": "MO-31", "drums": int64(3), "about": "ropes RP-12 by SPEC-4, on SLIP-2; planner u-wren, for u-ada"})
	seed("files", world.Row{"file_id": "SPEC-4", "ropes_per_drum": int64(4)}, world.Row{"file_id": "SPEC-3", "ropes_per_drum": int64(5)})
	seed("lots", world.Row{"lot_id": "LT-3", "part": "RP-12", "qty": int64(7), "status": "FREE"}, world.Row{"lot_id": "LT-8", "part": "RP-12", "qty": int64(6), "status": "HELD"}, world.Row{"lot_id": "LT-9", "part": "RP-12", "qty": int64(2), "status": "HELD"})
	for i, day := range []string{"2034-05-04", "2034-05-09", "2034-05-11", "2034-05-16"} {
		state := "OPEN"
		if i == 2 {
			state = "TAKEN"
		}
		seed("slots", world.Row{"slot_id": fmt.Sprintf("SL-%d", i+1), "slip": "SLIP-2", "day": day, "state": state})
	}
	seed("offers", world.Row{"offer_id": "OF-1", "part": "RP-12", "days": int64(9), "price": "80.00"}, world.Row{"offer_id": "OF-2", "part": "RP-12", "days": int64(5), "price": "640.00"})
	seed("limits", world.Row{"user": "u-wren", "limit": int64(250)})
	seed("drafts", world.Row{"draft_id": "DR-1", "recipient": "u-ada", "subject": "old", "body": "an old one"})
	d.baseline = map[string]map[string]world.Row{}
	for t, rows := range d.tables {
		d.baseline[t] = maps.Clone(rows)
	}
	return d
}

func (d *depot) put(table string, row world.Row) {
	id := row[keyOf[table]].(string)
	before := d.tables[table][id]
	op := world.Update
	if before == nil {
		op = world.Insert
	}
	d.tables[table][id] = row
	d.effect = append(d.effect, world.Change{Table: table, Op: op, Key: world.Row{keyOf[table]: id}, Before: before, After: row})
}

func (d *depot) drop(table, id string) {
	before := d.tables[table][id]
	delete(d.tables[table], id)
	d.effect = append(d.effect, world.Change{Table: table, Op: world.Delete, Key: world.Row{keyOf[table]: id}, Before: before})
}

type m = map[string]any

type refusal struct{ code, msg string }

func (r refusal) Error() string { return r.msg }

func (d *depot) run(tool string, a m) (any, error) {
	str := func(k string) string { s, _ := a[k].(string); return s }
	rows := func(table, col, val string) []world.Row {
		var out []world.Row
		for _, id := range slices.Sorted(maps.Keys(d.tables[table])) {
			if d.tables[table][id][col] == val {
				out = append(out, d.tables[table][id])
			}
		}
		return out
	}
	one := func(table, id string) (any, error) {
		if r := d.tables[table][id]; r != nil {
			return r, nil
		}
		return nil, refusal{world.NotFound, "no " + id}
	}
	switch tool {
	case "maint.orders.get":
		return one("orders", str("order"))
	case "files.read":
		r := d.tables["files"][str("file_id")]
		if r == nil {
			return nil, refusal{world.NotFound, "no file"}
		}
		return m{"file_id": r["file_id"], "values": m{"ropes_per_drum": r["ropes_per_drum"]}}, nil
	case "stores.lots.list":
		list := rows("lots", "part", str("part"))
		return m{"lots": list, "total": len(list)}, nil
	case "slips.slots.list":
		return m{"slots": rows("slots", "slip", str("slip"))}, nil
	case "vendors.offers.list":
		out := []m{}
		for _, r := range rows("offers", "part", str("part")) {
			out = append(out, m{"offer_id": r["offer_id"], "days": r["days"], "price": jsontext.Value(r["price"].(string))})
		}
		return m{"offers": out}, nil
	case "approvals.limits.get":
		if str("user") == "u-boss" {
			return nil, refusal{world.Unauthorised, "not for you"}
		}
		return one("limits", str("user"))
	case "slips.bookings.create":
		for _, id := range slices.Sorted(maps.Keys(d.tables["slots"])) {
			s := d.tables["slots"][id]
			if s["day"] != str("day") || s["slip"] != str("slip") {
				continue
			}
			if s["state"] != "OPEN" {
				return nil, refusal{world.Unauthorised, "the slot is protected"}
			}
			taken := maps.Clone(s)
			taken["state"] = "TAKEN"
			d.put("slots", taken)
			b := world.Row{"booking_id": fmt.Sprintf("BK-%04d", len(d.tables["bookings"])+1), "slip": str("slip"), "day": str("day"), "vessel": str("vessel"), "state": "BOOKED", "memo": str("memo")}
			d.put("bookings", b)
			return b, nil
		}
		return nil, refusal{world.NotFound, "no slot that day"}
	case "slips.bookings.update":
		b := maps.Clone(d.tables["bookings"][str("booking_id")])
		if b == nil {
			return nil, refusal{world.NotFound, "no booking"}
		}
		b["memo"] = str("memo")
		d.put("bookings", b)
		return b, nil
	case "slips.bookings.cancel":
		b := d.tables["bookings"][str("booking_id")]
		if b == nil {
			return nil, refusal{world.NotFound, "no booking"}
		}
		for _, id := range slices.Sorted(maps.Keys(d.tables["slots"])) {
			if s := d.tables["slots"][id]; s["day"] == b["day"] {
				open := maps.Clone(s)
				open["state"] = "OPEN"
				d.put("slots", open)
			}
		}
		d.drop("bookings", str("booking_id"))
		return m{"cancelled": str("booking_id")}, nil
	case "slips.bookings.get":
		return one("bookings", str("booking_id"))
	case "notes.drafts.edit": // of a note that is there; an empty text throws it away
		id := str("draft_id")
		r := maps.Clone(d.tables["drafts"][id])
		if r == nil {
			return nil, refusal{"not_found", "There is no such note."}
		}
		if str("text") == "" {
			d.drop("drafts", id)
			return m{"draft_id": id}, nil
		}
		r["body"] = str("text")
		d.put("drafts", r)
		return m{"draft_id": id}, nil
	case "notes.drafts.create":
		r := world.Row{"draft_id": fmt.Sprintf("DR-%d", len(d.tables["drafts"])+1), "recipient": str("recipient"), "subject": str("subject"), "body": str("body")}
		d.put("drafts", r)
		return m{"draft_id": r["draft_id"]}, nil
	case "lots.update":
		r := maps.Clone(d.tables["lots"][str("lot_id")])
		r["status"] = str("status")
		d.put("lots", r)
		return r, nil
	case SubmitTool:
		return m{"accepted": true}, nil
	}
	return nil, errors.New("unknown")
}

// step is one call of a script. "$BK" in an argument stands for the last booking's id.
type step struct {
	tool string
	args m
}

func (d *depot) call(actor world.Actor, s step) *world.Event {
	args := m{}
	for k, v := range s.args {
		if t, ok := v.(string); ok {
			v = strings.ReplaceAll(t, "$BK", fmt.Sprintf("BK-%04d", len(d.tables["bookings"])))
		}
		args[k] = v
	}
	raw, err := json.Marshal(args, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	e := world.Event{Seq: len(d.events) + 1, Actor: actor, Surface: "loop", Tool: s.tool, Args: raw, Status: world.OK, Result: jsontext.Value("null")}
	d.effect = nil
	if d.faults[s.tool] > 0 {
		d.faults[s.tool]--
		e.Status, e.Error = world.Refused, &world.CallError{Code: world.Transient, Message: "busy", Retryable: true}
	} else if _, bad := args["no_such_argument"]; bad {
		e.Status, e.Error = world.Rejected, &world.CallError{Code: world.InvalidArguments, Message: "no_such_argument: unknown"}
	} else if out, err := d.run(s.tool, args); err != nil {
		e.Status, e.Error = world.Rejected, &world.CallError{Code: world.UnknownTool, Message: err.Error()}
		if r, ok := errors.AsType[refusal](err); ok {
			e.Status, e.Error = world.Refused, &world.CallError{Code: r.code, Message: r.msg}
		}
		d.effect = nil
	} else {
		if e.Result, err = json.Marshal(out, json.Deterministic(true)); err != nil {
			panic(err)
		}
		e.Effect = d.effect
	}
	d.events = append(d.events, e)
	return &d.events[len(d.events)-1]
}

func same(a, b world.Row) bool { return maps.Equal(a, b) }

// episode gives what there is to judge, with the difference of the tables from the baseline.
func (d *depot) episode() *Episode {
	var final []world.Change
	for _, t := range slices.Sorted(maps.Keys(d.tables)) {
		ids := maps.Clone(d.tables[t])
		maps.Copy(ids, d.baseline[t])
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			a, b := d.baseline[t][id], d.tables[t][id]
			op := world.Update
			switch {
			case a == nil:
				op = world.Insert
			case b == nil:
				op = world.Delete
			case same(a, b):
				continue
			}
			final = append(final, world.Change{Table: t, Op: op, Key: world.Row{keyOf[t]: id}, Before: a, After: b})
		}
	}
	return &Episode{Events: d.events, Final: final, Outcome: record.Answered, TaskDigest: "t"}
}

// Read makes the depot the seed.
func (d *depot) Read(tool string, args jsontext.Value) (jsontext.Value, error) {
	var a m
	if err := json.Unmarshal(args, &a); err != nil {
		return nil, err
	}
	out, err := d.run(tool, a)
	if err != nil {
		return nil, err
	}
	return json.Marshal(out, json.Deterministic(true))
}

func obj(props string) jsontext.Value {
	return jsontext.Value(`{"type":"object","additionalProperties":false,"properties":{` + props + `}}`)
}

const text = `{"type":"string"}`

// Tools and Tables make the depot a World.
func (d *depot) Tools() []Tool {
	list := func(name, item string) jsontext.Value {
		return obj(`"` + name + `":{"type":"array","items":` + string(obj(item)) + `},"total":{"type":"integer"}`)
	}
	booking := obj(`"booking_id":` + text + `,"slip":` + text + `,"day":{"type":"string","format":"date"},"vessel":` + text + `,"state":{"type":"string","enum":["BOOKED"]},"memo":` + text)
	return []Tool{
		{Name: "maint.orders.get", Input: obj(`"order":` + text), Output: obj(`"order":` + text + `,"drums":{"type":"integer"},"about":` + text)},
		{Name: "files.read", Input: obj(`"file_id":` + text), Output: jsontext.Value(`{"type":"object"}`)},
		{Name: "stores.lots.list", Input: obj(`"part":` + text), Output: list("lots", `"lot_id":`+text+`,"part":`+text+`,"qty":{"type":"integer"},"status":`+text)},
		{Name: "slips.slots.list", Input: obj(`"slip":` + text + `,"limit":{"type":"integer"},"from":` + text), Output: list("slots", `"slot_id":`+text+`,"slip":`+text+`,"day":`+text+`,"state":`+text)},
		{Name: "vendors.offers.list", Input: obj(`"part":` + text), Output: list("offers", `"offer_id":`+text+`,"days":{"type":"integer"},"price":{"type":"number"}`)},
		{Name: "approvals.limits.get", Input: obj(`"user":` + text), Output: obj(`"user":` + text + `,"limit":{"type":"number"}`)},
		{Name: "slips.bookings.create", Write: true, Input: obj(`"slip":` + text + `,"day":{"type":"string","format":"date"},"vessel":` + text + `,"memo":` + text), Output: booking},
		{Name: "slips.bookings.update", Write: true, Input: obj(`"booking_id":` + text + `,"memo":` + text), Output: booking},
		{Name: "slips.bookings.cancel", Write: true, Input: obj(`"booking_id":` + text)},
		{Name: "slips.bookings.get", Input: obj(`"booking_id":` + text), Output: booking},
		{Name: "notes.drafts.edit", Description: "Writes a note anew.", Write: true, Input: obj(`"draft_id":` + text + `,"text":` + text)},
		{Name: "notes.drafts.create", Description: "A note of at least two sentences and fifteen words.", Write: true, Input: obj(`"recipient":` + text + `,"subject":` + text + `,"body":` + text)},
		{Name: "lots.update", Write: true, Input: obj(`"lot_id":` + text + `,"status":` + text)},
		{Name: SubmitTool, Write: true},
	}
}

func (d *depot) Tables() map[string]Table {
	out := map[string]Table{}
	for t, k := range keyOf {
		out[t] = Table{Key: []string{k}}
		for _, r := range d.tables[t] {
			out[t] = Table{Key: []string{k}, Columns: slices.Sorted(maps.Keys(r))}
		}
	}
	out["bookings"] = Table{Key: []string{"booking_id"}, Columns: []string{"booking_id", "slip", "day", "vessel", "state", "memo"}}
	return out
}

func depotTask() Task {
	return Task{ID: "ferry-217", AsOf: "2034-05-02", Request: "Vessel 217 needs its ropes renewed under MO-31. Tell Ada when.", Answer: []Field{
		{Name: "required_quantity", Type: IntegerField, Unit: "rope"},
		{Name: "usable_quantity", Type: IntegerField, Unit: "rope"},
		{Name: "gap", Type: IntegerField, Unit: "rope"},
		{Name: "option", Type: EnumField, Values: []string{"A", "B"}},
		{Name: "outcome_date", Type: DateField},
		{Name: "cost", Type: DecimalField, Places: 2, Unit: "EUR"},
		{Name: "held", Type: SetField, Of: &Field{Type: IDField, Table: "lots", Column: "lot_id"}},
		{Name: "blocker", Type: NoneField},
		{Name: "record", Type: IDField, Table: "bookings", Column: "booking_id"},
	}}
}

func contractText(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile("testdata/contract.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func compileText(t testing.TB, text string) (*Contract, []Lint, error) {
	t.Helper()
	n, err := bench.Parse("contract.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Compile(n, newDepot(), depotTask())
}

func depotContract(t testing.TB) (*Contract, *Expected) {
	t.Helper()
	c, lints, err := compileText(t, contractText(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lints {
		t.Errorf("lint: %s", &l)
	}
	x, err := c.Derive(newDepot())
	if err != nil {
		t.Fatal(err)
	}
	return c, x
}

const goodBody = "Ada, vessel 217 comes onto the slip on 16 May 2034, under booking $BK. We are short of five ropes until the order comes in."

func goodBodyOf(booking string) string { return strings.ReplaceAll(goodBody, "$BK", booking) }

// reads are the reads of the reference; work is what follows them.
func reads() []step {
	return []step{
		{"maint.orders.get", m{"order": "MO-31"}},
		{"files.read", m{"file_id": "SPEC-4"}},
		{"stores.lots.list", m{"part": "RP-12"}},
		{"vendors.offers.list", m{"part": "RP-12"}},
		{"approvals.limits.get", m{"user": "u-wren"}},
		{"slips.slots.list", m{"slip": "SLIP-2"}},
	}
}

func work() []step {
	return []step{
		{"slips.bookings.create", m{"slip": "SLIP-2", "day": "2034-05-16", "vessel": "217", "memo": "ropes of the ferry"}},
		{"slips.bookings.get", m{"booking_id": "$BK"}},
		{"notes.drafts.create", m{"recipient": "u-ada", "subject": "Vessel 217", "body": goodBody}},
		{SubmitTool, goodAnswer()},
	}
}

func goodAnswer() m {
	return m{"required_quantity": 12, "usable_quantity": 7, "gap": 5, "option": "A", "outcome_date": "2034-05-16", "cost": 80.0, "held": []string{"LT-9", "LT-8"}, "blocker": "None; the order is on its way.", "record": "BK-0001"}
}

func play(steps ...step) *depot {
	d := newDepot()
	for _, s := range steps {
		d.call(world.Agent, s)
	}
	return d
}

func script(parts ...[]step) []step { return slices.Concat(parts...) }

// judged gives the verdict on a script, and fails the test when there is none.
func judged(t testing.TB, c *Contract, x *Expected, e *Episode) *record.Verdict {
	t.Helper()
	v, err := c.Judge(x, e)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// failing gives the criteria that do not hold.
func failing(v *record.Verdict) []string {
	out := []string{}
	for _, f := range v.Findings {
		if !f.Pass {
			out = append(out, f.Rule)
		}
	}
	return out
}

func finding(t testing.TB, v *record.Verdict, rule string) record.Finding {
	t.Helper()
	for _, f := range v.Findings {
		if f.Rule == rule {
			return f
		}
	}
	t.Fatalf("no finding %s", rule)
	return record.Finding{}
}
