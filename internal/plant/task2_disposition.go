package main

import (
	"fmt"
	"strings"
)

func init() { register(2, disposition) }

// disposition: of a charge of shafts that is on hold, how many may be used as they are, how many are hardened again and how many are
// scrap, and by which way and when the job has all the shafts that it needs?
func disposition(p *plant) *task {
	dispositionRows(p)
	return &task{
		ID: "soft-shafts", Family: "quantity", Title: "What becomes of charge K-1187", Role: "quality engineer", User: "u-ines", AsOf: "2035-03-07",
		Request: `
Tomas wants to know whether he can build Ahlgren's pumps. The shafts of furnace charge K-1187 are on hold because some baskets came
out soft, and I do not want to scrap the lot for two bad corners, nor let one soft shaft through. I measured them all by basket
this week. Decide what becomes of every single piece, so that the hold is disposed of for his job and no other: what is good as it
is, what is worth another heat, what is lost. It will not quite reach, so also settle how the rest is got, and tell me honestly on which
day he has the full number compared with the day his kit must be ready. You may act within what I am allowed
to spend on this hold; if a quicker way costs more than that or needs somebody's blessing, it stays a question. Leave Tomas a handover note, kept with
the hold, that he can plan by.`,
		Handles:  [][2]string{{"furnace_charge", "K-1187"}},
		Answer:   dispositionAnswer,
		Given:    []string{"held_shafts"},
		Reads:    dispositionReads(),
		Contract: dispositionContract(),
		Work: []call{
			{"quality.dispositions.create", m{"hold_id": "QH-2001", "use_quantity": 109, "rework_quantity": 32, "scrap_quantity": 39, "destination": "JB-2001", "revision": 2}},
			{"quality.dispositions.get", m{"disposition_id": "DP-0001"}},
			{"notes.handovers.create", m{"recipient": "u-tomas", "about": "QH-2001", "title": "Charge K-1187 and your pumps", "body": `The hold QH-2001 is disposed of by DP-0001: 109 shafts are good as they are and 32 go through our furnace once more, while the remaining pieces are scrap. You have the full number for JB-2001 on 15 March 2035, a day before the kit is due. This hangs on the second heat giving the usual yield and on the lab being open again on that Thursday. Bought shafts would be here sooner, but they are a question for Lars.`}},
			{"assay.submit_answer", m{
				"held_shafts": 180, "cut_shafts": 10, "good_shafts": 109, "rework_shafts": 32, "scrap_shafts": 39, "excluded_shafts": 71, "expected_from_rework": 27, "usable_elsewhere": 5,
				"required_shafts": 125, "missing_shafts": 11, "order_quantity": 15, "furnace_minutes": 324, "furnace_slot": "SL-2003", "kit_day": "2035-03-16",
				"option": "C", "full_day_a": "2035-03-19", "cost_a": 420.80, "full_day_b": "2035-03-12", "cost_b": 1077.50, "full_day_c": "2035-03-15", "cost_c": 518.40, "full_day_d": "2035-03-08", "cost_d": 49.50,
				"standing_b": "needs_approval", "standing_d": "unsupported", "may_spend": 650.00, "variance_days": -1, "timing": "IN_TIME", "disposition": "DP-0001",
				"depth_for_a_heat": 0.90, "basket_1": "USED", "basket_2": "HARDENED_AGAIN", "basket_3": "USED", "basket_4": "SCRAPPED", "basket_5": "USED",
			}},
		},
		Files: append(dispositionFiles(p), dispositionPapers(p)...),
	}
}

const dispositionAnswer = `
held_shafts: {type: integer, unit: shaft, description: "Shafts of the charge that are on hold"}
cut_shafts: {type: integer, unit: shaft, description: "Of them, those that the lab has cut up"}
good_shafts: {type: integer, unit: shaft, description: "Shafts that may be used as they are"}
rework_shafts: {type: integer, unit: shaft, description: "Shafts that go through the furnace again"}
scrap_shafts: {type: integer, unit: shaft, description: "Shafts that are lost, the cut ones among them"}
excluded_shafts: {type: integer, unit: shaft, description: "Held shafts that may not be used as they are"}
expected_from_rework: {type: integer, unit: shaft, description: "Whole shafts to be expected from the second heat"}
usable_elsewhere: {type: integer, unit: shaft, description: "Shafts of other lots that may be used for the job"}
required_shafts: {type: integer, unit: shaft, description: "Shafts to be issued for the job"}
missing_shafts: {type: integer, unit: shaft, description: "Shafts that are short without a second heat"}
order_quantity: {type: integer, unit: shaft, description: "Shafts that would have to be bought, if they were bought"}
furnace_minutes: {type: integer, unit: minute, description: "Minutes that the second heat loads on our furnace"}
furnace_slot: {type: id, table: slots, column: slot_id, description: "Slot of the furnace in which the second heat goes, if it is done here"}
kit_day: {type: date, description: "Day on which the job's kit must be ready"}
option: {type: enum, values: [A, B, C, D], description: "A: a second heat at a heat treater's. B: finished shafts are bought. C: a second heat in our furnace. D: softer shafts are used by a concession."}
full_day_a: {type: date, description: "Day on which the full number is free for the job by A"}
cost_a: {type: decimal, places: 2, unit: EUR, description: "What A costs"}
full_day_b: {type: date, description: "Day on which the full number is free for the job by B"}
cost_b: {type: decimal, places: 2, unit: EUR, description: "What B costs"}
full_day_c: {type: date, description: "Day on which the full number is free for the job by C"}
cost_c: {type: decimal, places: 2, unit: EUR, description: "What C costs"}
full_day_d: {type: date, description: "Day on which the full number is free for the job by D"}
cost_d: {type: decimal, places: 2, unit: EUR, description: "What D costs"}
standing_b: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether B may be taken"}
standing_d: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether D may be taken"}
may_spend: {type: decimal, places: 2, unit: EUR, description: "What may be spent on clearing this hold without asking again"}
variance_days: {type: integer, unit: day, description: "Days from the kit's day to the day of the way taken, with a minus when it is earlier"}
timing: {type: enum, values: [IN_TIME, TOO_LATE], description: "TOO_LATE after the kit's day, else IN_TIME"}
depth_for_a_heat: {type: decimal, places: 2, unit: mm, description: "Case depth that a basket must have to be worth a second heat"}
basket_1: {type: enum, values: [SCRAPPED, USED, HARDENED_AGAIN], description: "What becomes of basket 1"}
basket_2: {type: enum, values: [SCRAPPED, USED, HARDENED_AGAIN], description: "What becomes of basket 2"}
basket_3: {type: enum, values: [SCRAPPED, USED, HARDENED_AGAIN], description: "What becomes of basket 3"}
basket_4: {type: enum, values: [SCRAPPED, USED, HARDENED_AGAIN], description: "What becomes of basket 4"}
basket_5: {type: enum, values: [SCRAPPED, USED, HARDENED_AGAIN], description: "What becomes of basket 5"}
disposition: {type: id, table: dispositions, column: disposition_id, description: "The disposition that was made"}
`

func dispositionReads() []read {
	return []read{
		{ID: "which-hold", Says: "K-1187 is one of two charges on hold, and the hold says of which lot and how many pieces", Tool: "quality.holds.search", Args: m{"query": "K-1187"},
			In:    []input{{Name: "hold", At: "/holds/0/hold_id", Type: "id"}, {Name: "lot", At: "/holds/0/lot_id", Type: "id"}, {Name: "held", At: "/holds/0/quantity", Type: "integer", Unit: "shaft"}},
			Feeds: []string{"excluded"}, Category: "identity"},
		{Tool: "drive.files.search", Args: m{"query": "K-1187"}},
		{ID: "measured", Says: "what was measured of each basket and with a gauge that held; the void reading of basket 5 does not count", Tool: "quality.inspections.list", Args: m{"lot_id": "=lot"}, Known: m{"lot_id": "LT-2001"},
			In:   []input{{Name: "readings", At: "/inspections", Type: "rows", Fields: "{characteristic: text, rejected: {type: integer, unit: shaft}, lowest: {type: decimal, unit: HRC}, highest: {type: decimal, unit: HRC}, status: text}"}, {Name: "cuts", At: "/inspections", Type: "rows", Fields: "{characteristic: text, lowest: {type: decimal, unit: mm}, status: text}"}},
			Pins: m{"/inspections/*/inspection_id": "QI-2004", "/inspections/*/lowest": "=low_4", "/inspections/*/status": "FINAL"}, Feeds: []string{"good", "rework"}},
		{ID: "baskets", Says: "how many shafts lie in each basket, by the count that took the place of the first print", Tool: "drive.files.read", Args: m{"file_id": "DR-2001"},
			In:   []input{{Name: "baskets", At: "/text", Type: "rows", Within: "{sheet: Baskets}", Fields: "{basket: {type: integer}, shafts: {type: integer, unit: shaft}}"}},
			Pins: m{"/text": m{"contains": []any{"counted again"}}}, Feeds: []string{"good", "rework"}},
		{ID: "cut", Says: "the lab has cut shafts of every basket, which are good for nothing any more", Tool: "drive.files.read", Args: m{"file_id": "DR-2003"},
			In:   []input{{Name: "cut_each", At: "/text", Type: "integer", Unit: "shaft/basket", Within: "{after: cut up from each basket}"}},
			Pins: m{"/text": m{"contains": []any{"etched"}}}, Feeds: []string{"cut"}},
		{ID: "shaft-revision", Says: "which revision of the shaft's specification counts", Tool: "specs.documents.search", Args: m{"query": "PS-36"},
			In:   []input{{Name: "documents", At: "/documents", Type: "rows", Fields: "{spec_id: id, revision: text, status: text}"}},
			Pins: m{"/documents/*/spec_id": "HS-201", "/documents/*/revision": "=shaft_revision", "/documents/*/status": "CURRENT"}, Feeds: []string{"shaft_revision"}, Category: "correlation"},
		{ID: "hardness", Says: "between which readings a shaft is hard enough and not too hard, and how deep its case must be", Tool: "specs.values.list", Args: m{"spec_id": "HS-201", "revision": "=shaft_revision"}, Known: m{"revision": "D"},
			In:   []input{{Name: "hardness", At: "/values", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: HRC}}"}, {Name: "depths", At: "/values", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: mm}}"}},
			Pins: m{"/values/*/name": "surface hardness, least", "/values/*/value": "=softest"}, Feeds: []string{"good"}},
		{ID: "marks", Says: "how many pieces of a sample may be out of limits, by the revision of the rule that counts", Tool: "specs.rules.list", Args: m{"query": "most pieces out"},
			In:   []input{{Name: "mark_rules", At: "/rules", Type: "rows", Fields: "{value: {type: integer, unit: shaft}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-202", "/rules/*/status": "CURRENT"}, Feeds: []string{"good"}},
		{ID: "loss", Says: "how much of the case a second heat takes away, which decides what is worth one", Tool: "specs.rules.list", Args: m{"query": "case depth"},
			In:   []input{{Name: "loss_rules", At: "/rules", Type: "rows", Fields: "{value: {type: decimal, unit: mm}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-204", "/rules/*/status": "CURRENT"}, Feeds: []string{"rework"}},
		{ID: "rework-revision", Says: "which revision of the instruction for the second heat counts", Tool: "specs.documents.search", Args: m{"query": "hardening again"},
			In:   []input{{Name: "rework_documents", At: "/documents", Type: "rows", Fields: "{spec_id: id, revision: text, status: text}"}},
			Pins: m{"/documents/*/spec_id": "HS-202", "/documents/*/revision": "=rework_revision", "/documents/*/status": "CURRENT"}, Feeds: []string{"rework_revision"}, Category: "correlation"},
		{ID: "yield", Says: "what share of a second heat comes out straight, and how long it is tempered", Tool: "specs.values.list", Args: m{"spec_id": "HS-202", "revision": "=rework_revision"}, Known: m{"revision": "2"},
			In:   []input{{Name: "shares", At: "/values", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: percent}}"}, {Name: "tempers", At: "/values", Type: "rows", Fields: "{name: text, value: {type: integer, unit: day}}"}},
			Pins: m{"/values/*/name": "yield", "/values/*/value": "=share"}, Feeds: []string{"expected", "c_full"}},
		{ID: "which-order", Says: "which of Ahlgren's orders is for pumps and not for power units", Tool: "sched.orders.search", Args: m{"query": "Ahlgren"},
			In:   []input{{Name: "orders", At: "/orders", Type: "rows", Fields: "{order_id: id, product: text}"}},
			Pins: m{"/orders/*/order_id": "=order", "/orders/*/customer_ref": "AOW-5520"}, Feeds: []string{"order"}, Category: "identity"},
		{ID: "which-job", Says: "which job makes the order's pumps, and how many", Tool: "sched.jobs.search", Args: m{"query": "=order"}, Known: m{"query": "SO-20001"},
			In: []input{{Name: "job", At: "/jobs/0/job_id", Type: "id"}, {Name: "pumps", At: "/jobs/0/quantity", Type: "integer", Unit: "pump"}}, Feeds: []string{"required"}, Category: "identity"},
		{ID: "job", Says: "when the job's slot begins, from which the kit's day follows", Tool: "sched.jobs.get", Args: m{"job_id": "=job"}, Known: m{"job_id": "JB-2001"},
			In: []input{{Name: "begins", At: "/starts", Type: "date"}}, Feeds: []string{"kit_day"}},
		{ID: "kitting", Says: "by how many days the kit is ready before the slot, by the rule that counts", Tool: "specs.rules.list", Args: m{"query": "kitted"},
			In:   []input{{Name: "kit_rules", At: "/rules", Type: "rows", Fields: "{value: {type: integer, unit: day}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-206", "/rules/*/status": "CURRENT"}, Feeds: []string{"kit_day"}},
		{ID: "bom-revisions", Says: "which bill of material of the pump counts today", Tool: "specs.boms.list", Args: m{"assembly": "AX-90"},
			In:   []input{{Name: "boms", At: "/boms", Type: "rows", Fields: "{bom_id: id, valid_from: date, valid_to: date}"}},
			Pins: m{"/boms/*/bom_id": "=bom", "/boms/*/status": "CURRENT"}, Feeds: []string{"bom"}, Category: "correlation"},
		{ID: "bom", Says: "how many shafts a pump takes and what is lost at the keyway", Tool: "specs.boms.get", Args: m{"bom_id": "=bom"}, Known: m{"bom_id": "BM-202"},
			In:   []input{{Name: "bom_lines", At: "/lines", Type: "rows", Fields: "{part: id, quantity_per: {type: integer, unit: shaft/pump}, scrap_pct: {type: decimal, unit: percent}}"}},
			Pins: m{"/lines/*/part": "PS-36", "/lines/*/scrap_pct": "=broaching"}, Feeds: []string{"required"}},
		{ID: "other-lots", Says: "which other lots of the shaft are free and made to the revision that counts", Tool: "stores.lots.list", Args: m{"part": "PS-36"},
			In:   []input{{Name: "lots", At: "/lots", Type: "rows", Fields: "{lot_id: id, quantity: {type: integer, unit: shaft}, status: text, made_to: text}"}},
			Pins: m{"/lots/*/lot_id": "LT-2004", "/lots/*/status": "FREE"}, Feeds: []string{"elsewhere"}},
		{ID: "set-aside", Says: "what of them is set aside for the service department", Tool: "stores.reservations.list", Args: m{"part": "PS-36"},
			In:   []input{{Name: "reservations", At: "/reservations", Type: "rows", Fields: "{quantity: {type: integer, unit: shaft}, state: text}"}},
			Pins: m{"/reservations/*/reservation_id": "RV-201", "/reservations/*/state": "ACTIVE"}, Feeds: []string{"elsewhere"}},
		{ID: "availability", Says: "what share of its time the furnace really runs", Tool: "sched.lines.list", Args: m{"query": "heat"},
			In: []input{{Name: "furnace", At: "/lines/0/line", Type: "text"}, {Name: "availability", At: "/lines/0/availability_pct", Type: "decimal", Unit: "percent"}}, Feeds: []string{"load"}},
		{ID: "times", Says: "how long the furnace is loaded by a second heat, by the routing that counts today", Tool: "sched.routings.list", Args: m{"item": "PS-36", "line": "=furnace"}, Known: m{"line": "HT-1"},
			In:   []input{{Name: "routings", At: "/routings", Type: "rows", Fields: "{setup_minutes: {type: integer, unit: minute}, minutes_each: {type: decimal, unit: minute/shaft}, valid_from: date, valid_to: date}"}},
			Pins: m{"/routings/*/minutes_each": "=each", "/routings/*/status": "CURRENT"}, Feeds: []string{"load"}},
		{ID: "furnace", Says: "which slots of the furnace are open and long enough", Tool: "sched.slots.list", Args: m{"line": "=furnace"}, Known: m{"line": "HT-1"},
			In:   []input{{Name: "slots", At: "/slots", Type: "rows", Fields: "{slot_id: id, starts: date, ends: date, minutes_free: {type: integer, unit: minute}, state: text}"}},
			Pins: m{"/slots/*/slot_id": "=furnace_slot", "/slots/*/state": "OPEN", "/slots/*/ends": "=c_heated"}, Feeds: []string{"c_heated"}},
		{ID: "lab-days", Says: "on which days the lab measures: not while the tester is away", Tool: "sched.calendar.list", Args: m{"calendar": "LAB"},
			In:   []input{{Name: "lab_days", At: "/days", Type: "rows", Fields: "{day: date, state: text}"}},
			Pins: m{"/days/*/day": "=c_full", "/days/*/state": "OPEN"}, Feeds: []string{"a_full", "b_full", "c_full"}},
		{ID: "plant-days", Says: "on which days goods come in", Tool: "sched.calendar.list", Args: m{"calendar": "PLANT", "limit": 100},
			In:   []input{{Name: "plant_days", At: "/days", Type: "rows", Fields: "{day: date, state: text}"}},
			Pins: m{"/days/*/day": "=b_here", "/days/*/state": "OPEN"}, Feeds: []string{"a_here", "b_here"}},
		{ID: "confirmed", Says: "what both vendors have confirmed for this hold, and which of two confirmations counts", Tool: "vendors.confirmations.list", Args: m{"reference": "=hold"}, Known: m{"reference": "QH-2001"},
			In:   []input{{Name: "offers", At: "/confirmations", Type: "rows", Fields: "{vendor_id: id, service: text, quantity: {type: integer, unit: shaft}, ready: date, charge: {type: decimal, unit: EUR}, state: text}"}},
			Pins: m{"/confirmations/*/confirmation_id": "CF-2003", "/confirmations/*/ready": "=a_dock", "/confirmations/*/state": "CONFIRMED"}, Feeds: []string{"a_dock", "b_dock"}},
		{ID: "prices", Says: "what a shaft and a second heat cost, and in what packs shafts are sold", Tool: "vendors.quotes.list", Args: m{"part": "PS-36", "state": "VALID"},
			In:   []input{{Name: "quotes", At: "/quotes", Type: "rows", Fields: "{vendor_id: id, multiple: {type: integer, unit: shaft}, unit_price: {type: decimal, unit: EUR/shaft}}"}},
			Pins: m{"/quotes/*/quote_id": "QT-2001", "/quotes/*/unit_price": "=b_price"}, Feeds: []string{"order_quantity", "a_cost", "b_cost"}},
		{ID: "shaft-road", Says: "how long bought shafts are on the road", Tool: "vendors.search", Args: m{"query": "V-201"},
			In: []input{{Name: "b_road", At: "/vendors/0/transit_days", Type: "integer", Unit: "day"}}, Feeds: []string{"b_here"}},
		{ID: "heat-road", Says: "how long shafts are on the road from the heat treater", Tool: "vendors.search", Args: m{"query": "V-202"},
			In: []input{{Name: "a_road", At: "/vendors/0/transit_days", Type: "integer", Unit: "day"}}, Feeds: []string{"a_here"}},
		{Tool: "drive.files.search", Args: m{"query": "rates furnace"}},
		{ID: "rate", Says: "what a minute of our own furnace is charged at this year", Tool: "drive.files.read", Args: m{"file_id": "DR-2005"},
			In:   []input{{Name: "rate", At: "/text", Type: "decimal", Unit: "EUR/minute", Within: "{after: chamber furnace is charged at EUR}"}},
			Pins: m{"/text": m{"contains": []any{"valid for 2035"}}}, Feeds: []string{"c_cost"}},
		{ID: "limit", Says: "what clearing a hold may cost by one's own decision", Tool: "approvals.limits.list", Args: m{"user_id": "u-ines"},
			In:   []input{{Name: "limits", At: "/limits", Type: "rows", Fields: "{scope: text, amount: {type: decimal, unit: EUR}, status: text}"}},
			Pins: m{"/limits/*/scope": "QUALITY", "/limits/*/amount": "=own_limit", "/limits/*/status": "ACTIVE"}, Feeds: []string{"may_spend"}, Category: "authority"},
		{ID: "decided", Says: "what was approved for this hold on top, and that the concession was refused", Tool: "approvals.decisions.search", Args: m{"query": "=hold"}, Known: m{"query": "QH-2001"},
			In:   []input{{Name: "approvals", At: "/approvals", Type: "rows", Fields: "{scope: text, amount: {type: decimal, unit: EUR}, state: text, expires: date}"}},
			Pins: m{"/approvals/*/approval_id": "AP-201", "/approvals/*/state": "REFUSED"}, Feeds: []string{"may_spend", "conceded"}, Category: "authority"},
		{ID: "readings", Says: "what it costs to read each shaft by itself that is used under a concession", Tool: "specs.rules.list", Args: m{"query": "concession"},
			In:   []input{{Name: "reading_rules", At: "/rules", Type: "rows", Fields: "{value: {type: decimal, unit: EUR/shaft}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-208", "/rules/*/status": "CURRENT"}, Feeds: []string{"d_cost"}},
		{Tool: "mail.people.search", Args: m{"query": "Tomas"}},
	}
}

func dispositionContract() string {
	var b strings.Builder
	b.WriteString(`
derivations:
  order: {do: {lookup: {of: orders, field: order_id, where: {product: AX-90}}}}
  today: {do: {const: 2035-03-07, why: the day of the request}}
  tomorrow: {do: {add_days: [today, {const: 1, unit: day, why: today's heat is loaded}]}}
  hundred: {do: {const: 100, unit: percent, why: a share is of a hundred}}
  none: {do: {const: 0, unit: shaft, why: a basket that does not pass gives none}}
  five: {do: {const: 5, unit: basket, why: the charge has as many baskets}}
  shaft_revision: {do: {lookup: {of: documents, field: revision, where: {spec_id: HS-201, status: CURRENT}}}}
  softest: {do: {lookup: {of: hardness, field: value, where: {name: "surface hardness, least"}}}}
  hardest: {do: {lookup: {of: hardness, field: value, where: {name: "surface hardness, most"}}}}
  least_depth: {do: {lookup: {of: depths, field: value, where: {name: "case depth, least"}}}}
  marks: {do: {lookup: {of: mark_rules, field: value, where: {status: CURRENT}}}}
  loss: {do: {lookup: {of: loss_rules, field: value, where: {status: CURRENT}}}}
  depth_wanted: {do: {add: [least_depth, loss]}, answer: depth_for_a_heat}
  cut: {do: {mul: [cut_each, five]}, unit: shaft, answer: cut_shafts}
`)
	for n := 1; n <= 5; n++ {
		b.WriteString(strings.ReplaceAll(`  low_@: {do: {lookup: {of: readings, field: lowest, where: {characteristic: "hardness, basket @", status: FINAL}}}}
  high_@: {do: {lookup: {of: readings, field: highest, where: {characteristic: "hardness, basket @", status: FINAL}}}}
  marked_@: {do: {lookup: {of: readings, field: rejected, where: {characteristic: "hardness, basket @", status: FINAL}}}}
  passes_@: {do: {and: [{ge: [low_@, softest]}, {le: [high_@, hardest]}, {le: [marked_@, marks]}]}}
  whole_@: {do: {sub: [{lookup: {of: baskets, field: shafts, where: {basket: @}}}, {mul: [cut_each, {const: 1, unit: basket, why: one basket}]}]}, unit: shaft}
  good_@: {do: {if: [passes_@, whole_@, none]}, unit: shaft}
`, "@", fmt.Sprint(n)))
		fate := "lost"
		if n == 2 || n == 4 {
			fate = "{if: [deep_@, heated, lost]}"
		}
		b.WriteString(strings.ReplaceAll("  fate_@: {do: {if: [passes_@, used, "+fate+"]}, answer: basket_@}\n", "@", fmt.Sprint(n)))
	}
	for _, n := range []string{"2", "4"} { // the others were not cut for their depth, since they pass
		b.WriteString(strings.ReplaceAll(`  deep_@: {do: {ge: [{lookup: {of: cuts, field: lowest, where: {characteristic: "case depth, basket @", status: FINAL}}}, depth_wanted]}}
  again_@: {do: {if: [{and: [{not: passes_@}, deep_@]}, whole_@, none]}, unit: shaft}
`, "@", n))
	}
	b.WriteString(`  good: {do: {add: [good_1, good_2, good_3, good_4, good_5]}, unit: shaft, answer: good_shafts}
  excluded: {do: {sub: [held, good]}, unit: shaft, answer: excluded_shafts}
  rework: {do: {add: [again_2, again_4]}, unit: shaft, answer: rework_shafts}
  scrap: {do: {sub: [excluded, rework]}, unit: shaft, answer: scrap_shafts}
  rework_revision: {do: {lookup: {of: rework_documents, field: revision, where: {spec_id: HS-202, status: CURRENT}}}}
  share: {do: {lookup: {of: shares, field: value, where: {name: yield}}}}
  expected: {do: {div: {of: [{mul: [rework, share]}, hundred], round: down, places: 0}}, unit: shaft, answer: expected_from_rework}
  bom: {do: {lookup: {of: boms, field: bom_id, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  broaching: {do: {lookup: {of: bom_lines, field: scrap_pct, where: {part: PS-36}}}}
  built_in: {do: {mul: [pumps, {lookup: {of: bom_lines, field: quantity_per, where: {part: PS-36}}}]}, unit: shaft}
  required: {do: {div: {of: [{mul: [built_in, {add: [hundred, broaching]}]}, hundred], round: up, places: 0}}, unit: shaft, answer: required_shafts}
  elsewhere:
    do: {sub: [{sum: {of: lots, field: quantity, where: {status: FREE, made_to: {value: shaft_revision}}}}, {sum: {of: reservations, field: quantity, where: {state: ACTIVE}}}]}
    unit: shaft
    answer: usable_elsewhere
  missing: {do: {max: [none, {sub: [required, {add: [good, elsewhere]}]}]}, unit: shaft, answer: missing_shafts}
  kit_day: {do: {add_days: [begins, {neg: {lookup: {of: kit_rules, field: value, where: {status: CURRENT}}}}]}, answer: kit_day}
  own_limit: {do: {lookup: {of: limits, field: amount, where: {scope: QUALITY, status: ACTIVE}}}}
  granted: {do: {sum: {of: approvals, field: amount, where: {scope: QUALITY, state: APPROVED, expires: {ge: {value: today}}}}}}
  may_spend: {do: {add: [own_limit, granted]}, unit: EUR, answer: may_spend}
  enough: {do: {ge: [expected, missing]}}
  a_dock: {do: {min: {of: offers, field: ready, where: {vendor_id: V-202, state: CONFIRMED, quantity: {ge: {value: rework}}}}}}
  a_here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [a_dock, a_road]}}}}
  a_full: {do: {next_of: {of: lab_days, field: day, where: {state: OPEN}, from: a_here}}}
  a_cost: {do: {add: [{mul: [rework, {lookup: {of: quotes, field: unit_price, where: {vendor_id: V-202}}}]}, {lookup: {of: offers, field: charge, where: {vendor_id: V-202, state: CONFIRMED}}}]}, unit: EUR}
  pack: {do: {lookup: {of: quotes, field: multiple, where: {vendor_id: V-201}}}}
  b_price: {do: {lookup: {of: quotes, field: unit_price, where: {vendor_id: V-201}}}}
  order_quantity: {do: {mul: [pack, {div: {of: [missing, pack], round: up, places: 0}}]}, unit: shaft, answer: order_quantity}
  b_dock: {do: {min: {of: offers, field: ready, where: {vendor_id: V-201, state: CONFIRMED, quantity: {ge: {value: order_quantity}}}}}}
  b_here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [b_dock, b_road]}}}}
  b_full: {do: {next_of: {of: lab_days, field: day, where: {state: OPEN}, from: b_here}}}
  b_cost: {do: {add: [{mul: [order_quantity, b_price]}, {lookup: {of: offers, field: charge, where: {vendor_id: V-201, state: CONFIRMED}}}]}, unit: EUR}
  each: {do: {lookup: {of: routings, field: minutes_each, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  setup: {do: {lookup: {of: routings, field: setup_minutes, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  load: {do: {div: {of: [{mul: [{add: [setup, {mul: [rework, each]}]}, hundred]}, availability], round: up, places: 0}}, unit: minute, answer: furnace_minutes}
  heat_begins: {do: {next_of: {of: slots, field: starts, where: {state: OPEN, minutes_free: {ge: {value: load}}}, from: tomorrow}}}
  furnace_slot: {do: {lookup: {of: slots, field: slot_id, where: {state: OPEN, starts: {value: heat_begins}}}}, answer: furnace_slot}
  c_heated: {do: {lookup: {of: slots, field: ends, where: {slot_id: {value: furnace_slot}}}}}
  c_tempered: {do: {add_days: [c_heated, {lookup: {of: tempers, field: value, where: {name: tempering}}}]}}
  c_full: {do: {next_of: {of: lab_days, field: day, where: {state: OPEN}, from: c_tempered}}}
  c_cost: {do: {mul: [load, rate]}, unit: EUR}
  d_full: {do: {next_of: {of: lab_days, field: day, where: {state: OPEN}, from: tomorrow}}}
  conceded: {do: {exists: {of: approvals, where: {scope: CONCESSION, state: APPROVED}}}}
  d_cost: {do: {mul: [missing, {lookup: {of: reading_rules, field: value, where: {status: CURRENT}}}]}, unit: EUR}
  used: {do: {const: USED, why: the word for a basket that is good as it is}}
  heated: {do: {const: HARDENED_AGAIN, why: the word for a basket that is worth a second heat}}
  lost: {do: {const: SCRAPPED, why: the word for a basket that is neither}}
  no_days: {do: {const: 0, unit: day, why: the kit's day itself is in time}}
  late: {do: {const: TOO_LATE, why: the word for a day after the kit's}}
  in_time: {do: {const: IN_TIME, why: the word for a day that is not}}
options:
`)
	for _, o := range [][4]string{{"A", "a second heat at the heat treater's", "a", "enough"}, {"B", "finished shafts are bought", "b", ""}, {"C", "a second heat in our furnace", "c", "enough"}, {"D", "softer shafts by a concession", "d", "conceded"}} {
		day, cost, supported := o[2]+"_full", o[2]+"_cost", ""
		if o[3] != "" {
			supported = ", supported: " + o[3]
		}
		fmt.Fprintf(&b, "  - {id: %s, says: %s, outcome: %s, cost: %s, limit: may_spend%s, measures: {variance: {days_between: [kit_day, %s]}, timing: {if: [{gt: [{days_between: [kit_day, %s]}, no_days]}, late, in_time]}}}\n",
			o[0], quoted(o[1]), day, cost, supported, day, day)
	}
	b.WriteString(`decision: {answer: option, order: [outcome, cost], among: approved}
changes:
  - id: disposed
    role: primary
    says: every piece of the held lot has been decided on, for the one job
    tool: quality.dispositions.create
    args: {hold_id: {value: hold}, use_quantity: {value: good}, rework_quantity: {value: rework}, scrap_quantity: {value: scrap}, destination: {value: job}}
    rows:
      - {table: dispositions, op: insert, values: {hold_id: {value: hold}, lot_id: {value: lot}, use_quantity: {value: good}, rework_quantity: {value: rework}, scrap_quantity: {value: scrap}, destination: {value: job}}}
      - {table: holds, op: update, values: {hold_id: {value: hold}, state: DISPOSED}}
    weight: 5
  - id: note
    role: communication
    says: the materials planner has a handover note
    tool: notes.handovers.create
    args: {recipient: u-tomas, about: {value: hold}, body: {any: true}}
    rows: [{table: notes, op: insert, values: {recipient: u-tomas, state: DRAFT}}]
readbacks:
  - {id: disposition-seen, after: disposed, tool: quality.dispositions.get, identity: {args.disposition_id: result.disposition_id}, result: {/use_quantity: {value: good}, /rework_quantity: {value: rework}, /scrap_quantity: {value: scrap}, /destination: {value: job}}}
messages:
  - id: told
    change: note
    to: {arg: recipient, is: u-tomas}
    body: body
    facts: [{value: disposed.disposition_id}, {value: good}, {value: rework}, {value: chosen.outcome}, {value: job}]
    forbid: [{value: B.outcome}, {value: A.outcome}, {text: QH-2002, mention: true}]
    form: {sentences: 2, words: 25}
containment:
  - {table: dispositions, op: insert, values: {hold_id: {value: hold}}, most: 1}
  - {table: holds, op: update, key: {hold_id: {value: hold}}, columns: [state, revision], most: 1}
  - {table: notes, op: insert, values: {recipient: u-tomas, state: DRAFT}, most: 1}
answer:
  held_shafts: {value: held}
  full_day_a: {value: A.outcome}
  full_day_b: {value: B.outcome}
  full_day_c: {value: C.outcome}
  full_day_d: {value: D.outcome}
  cost_a: {value: A.cost}
  cost_b: {value: B.cost}
  cost_c: {value: C.cost}
  cost_d: {value: D.cost}
  standing_b: {value: B.authority}
  standing_d: {value: D.authority}
  variance_days: {value: chosen.variance}
  timing: {value: chosen.timing}
  disposition: {value: disposed.disposition_id}
`)
	return b.String()
}
