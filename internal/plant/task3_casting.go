package main

import (
	"fmt"
	"strings"
)

func init() { register(3, casting) }

// casting: how many housing castings are short for the firm jobs, and from whom are how many bought, so that the cell does not stop?
func casting(p *plant) *task {
	castingRows(p)
	return &task{
		ID: "short-castings", Family: "quantity", Title: "Castings for the 90 housings", Role: "buyer", User: "u-piet", AsOf: "2035-03-08",
		Request: `
Ferrum relines its melter and half of what they owe us will not come in time. Niko starts the 90 housings in the cell as planned and
goes through both firm jobs, and if HC-90 runs dry in the middle he has a machine full of half a job. I need to know how many
castings we are really short when everything is taken out that cannot be used, and then I want them bought, enough good ones and not
a pallet more than the packs make us take, from whoever gets them through the leak bench first as long as it stays within what I may sign,
haulage included. I have asked around, the answers are in. Whoever we may not buy from stays out, however friendly the price,
and anything above my signature waits. Place the order if it holds up and draft a mail to Niko, filed under the casting, that tells
him what comes, when he can have it, and what could still go wrong.`,
		Handles:  [][2]string{{"casting", "HC-90"}},
		Answer:   castingAnswer,
		Given:    []string{"cell_day"},
		Reads:    castingReads(),
		Contract: castingContract(),
		Work: []call{
			{"purchasing.orders.create", m{"vendor_id": "V-302", "quote_id": "QT-3002", "part": "HC-90", "quantity": 54, "due": "2035-03-19"}},
			{"purchasing.orders.get", m{"po_id": "{next purchase_orders}"}},
			{"mail.drafts.create", m{"recipient": "u-niko", "about": "HC-90", "subject": "Castings for your 90 housings", "body": `Holmvik makes the castings that you are short of: {next purchase_orders} is placed with them for 54 pieces of HC-90. They are through the leak bench on 21 March 2035, a day before the cell begins, and we lack 46 good ones for both jobs. It hangs on Holmvik keeping to the day that they have confirmed and on their usual share of rejects. A night heat at Ferrum would be quicker, but that is a question for Lars.`}},
			{"assay.submit_answer", m{
				"firm_housings": 80, "required_castings": 98, "observed_castings": 101, "excluded_castings": 69, "usable_castings": 32, "still_on_order": 36, "in_time_castings": 20,
				"missing_castings": 46, "tested_since": "2034-03-08", "order_quantity": 54, "leak_minutes": 394, "haulage": 360.04, "over_standard": 8.70, "on_dock": "2035-03-19",
				"option": "A", "ready_a": "2035-03-21", "cost_a": 3759.04, "ready_b": "2035-03-16", "cost_b": 5716.04, "ready_c": "2035-03-16", "cost_c": 3220.04, "ready_d": "2035-04-03", "cost_d": 2816.04,
				"standing_b": "needs_approval", "standing_c": "unsupported", "may_sign": 4000.00, "cell_day": "2035-03-22", "margin_days": -1, "timing": "BEFORE_THE_CELL", "order": "{next purchase_orders}",
			}},
		},
		Files: append(castingFiles(p), castingPapers(p)...),
	}
}

const castingAnswer = `
firm_housings: {type: integer, unit: housing, description: "Housings of the jobs for which castings are bought"}
required_castings: {type: integer, unit: casting, description: "Castings that must be there for them, with what the rules add"}
observed_castings: {type: integer, unit: casting, description: "Castings in our yard whatever their state"}
excluded_castings: {type: integer, unit: casting, description: "Of them, those that cannot be used for the jobs"}
usable_castings: {type: integer, unit: casting, description: "Of them, those that can"}
still_on_order: {type: integer, unit: casting, description: "Castings that the open order still owes us"}
in_time_castings: {type: integer, unit: casting, description: "Of these, the ones that come in time for the cell"}
missing_castings: {type: integer, unit: casting, description: "Good castings that are short"}
tested_since: {type: date, description: "Castings received before this day have to be tested again"}
order_quantity: {type: integer, unit: casting, description: "Castings to order by the way taken, rejects and packs counted in"}
leak_minutes: {type: integer, unit: minute, description: "Minutes that they load the leak bench"}
haulage: {type: decimal, places: 2, unit: EUR, description: "Haulage of the order by the way taken"}
over_standard: {type: decimal, places: 2, unit: EUR, description: "What a casting of the way taken costs above its standard cost"}
on_dock: {type: date, description: "Working day on which they are here by the way taken"}
option: {type: enum, values: [A, B, C, D], description: "A: Holmvik. B: a night heat at Ferrum. C: Carsi. D: a further ordinary order with Ferrum."}
ready_a: {type: date, description: "Day on which the castings are through the leak bench by A"}
cost_a: {type: decimal, places: 2, unit: EUR, description: "What A costs with haulage"}
ready_b: {type: date, description: "Day on which the castings are through the leak bench by B"}
cost_b: {type: decimal, places: 2, unit: EUR, description: "What B costs with haulage"}
ready_c: {type: date, description: "Day on which the castings are through the leak bench by C"}
cost_c: {type: decimal, places: 2, unit: EUR, description: "What C costs with haulage"}
ready_d: {type: date, description: "Day on which the castings are through the leak bench by D"}
cost_d: {type: decimal, places: 2, unit: EUR, description: "What D costs with haulage"}
standing_b: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether B may be taken"}
standing_c: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether C may be taken"}
may_sign: {type: decimal, places: 2, unit: EUR, description: "What may be signed for these castings without asking again"}
cell_day: {type: date, description: "Day on which the cell begins the housings"}
margin_days: {type: integer, unit: day, description: "Days from the cell's day to the day of the way taken, with a minus when it is earlier"}
timing: {type: enum, values: [BEFORE_THE_CELL, AFTER_THE_CELL], description: "AFTER_THE_CELL when the castings are ready later than the cell begins"}
order: {type: id, table: purchase_orders, column: po_id, description: "The order that was placed"}
`

func castingReads() []read {
	quote := func(id, says, number, feeds string) read {
		name := feeds[:1]
		return read{ID: id, Says: says, Tool: "vendors.confirmations.list", Args: m{"reference": number},
			In:   []input{{Name: name + "_answers", At: "/confirmations", Type: "rows", Fields: "{quantity: {type: integer, unit: casting}, ready: date, state: text}"}},
			Pins: m{"/confirmations/*/ready": "=" + name + "_dock", "/confirmations/*/state": "CONFIRMED", "/confirmations/*/quantity": m{"ge": 24}}, Feeds: []string{feeds}}
	}
	return []read{
		{ID: "casting", Says: "HC-90 is the casting of the left housings, not the right hand one beside it, and this is its standard cost", Tool: "stores.parts.search", Args: m{"query": "housing"},
			In:   []input{{Name: "parts", At: "/parts", Type: "rows", Fields: "{part: id, standard_cost: {type: decimal, unit: EUR/casting}}"}},
			Pins: m{"/parts/*/part": "HC-90", "/parts/*/standard_cost": "=standard"}, Feeds: []string{"over_standard"}, Category: "identity"},
		{ID: "firm-jobs", Says: "which jobs make the housing and which of them are firm, since for the others nothing is bought", Tool: "sched.jobs.search", Args: m{"query": "HM-90"},
			In:   []input{{Name: "jobs", At: "/jobs", Type: "rows", Fields: "{job_id: id, item: id, quantity: {type: integer, unit: housing}, status: text}"}},
			Pins: m{"/jobs/*/job_id": "JB-3002", "/jobs/*/status": "FIRM"}, Feeds: []string{"firm"}},
		{ID: "cell-begins", Says: "the first firm job says when the cell begins, against which every way is held", Tool: "sched.jobs.get", Args: m{"job_id": "JB-3001"},
			In: []input{{Name: "cell_day", At: "/starts", Type: "date"}}, Feeds: []string{"cell_day"}},
		{ID: "open-order", Says: "which order for the casting is open, and with whom", Tool: "purchasing.orders.search", Args: m{"query": "HC-90", "status": "CONFIRMED"},
			In: []input{{Name: "po", At: "/orders/0/po_id", Type: "id"}, {Name: "first_foundry", At: "/orders/0/vendor_id", Type: "id"}}, Feeds: []string{"owed"}, Category: "identity"},
		{ID: "owed", Says: "how many castings the open order still owes", Tool: "purchasing.orders.get", Args: m{"po_id": "=po"}, Known: m{"po_id": "PO-300011"},
			In:   []input{{Name: "po_lines", At: "/lines", Type: "rows", Fields: "{part: id, quantity: {type: integer, unit: casting}, received: {type: integer, unit: casting}}"}},
			Pins: m{"/lines/*/part": "HC-90", "/lines/*/received": m{"gt": 0}}, Feeds: []string{"owed"}},
		{ID: "parts-of-order", Says: "what of it comes when, by the confirmations that count, and what a night heat would bring", Tool: "vendors.confirmations.list", Args: m{"reference": "=po"}, Known: m{"reference": "PO-300011"},
			In:   []input{{Name: "promises", At: "/confirmations", Type: "rows", Fields: "{service: text, quantity: {type: integer, unit: casting}, ready: date, charge: {type: decimal, unit: EUR}, state: text}"}},
			Pins: m{"/confirmations/*/confirmation_id": "CF-3003", "/confirmations/*/state": "CONFIRMED"}, Feeds: []string{"in_time", "b_dock"}},
		{ID: "foundries", Says: "which foundries we may buy from and until when, and how far each is", Tool: "vendors.search", Args: m{"query": "iron foundry"},
			In:   []input{{Name: "foundries", At: "/vendors", Type: "rows", Fields: "{vendor_id: id, status: text, approved_until: date, transit_days: {type: integer, unit: day}}"}},
			Pins: m{"/vendors/*/vendor_id": "V-303", "/vendors/*/status": "CONDITIONAL"}, Feeds: []string{"a_here", "c_allowed"}},
		{ID: "fence", Says: "within how many days a delivery on the way counts, by the rule that counts", Tool: "specs.rules.list", Args: m{"query": "delivery"},
			In:   []input{{Name: "fence_rules", At: "/rules", Type: "rows", Fields: "{value: {type: integer, unit: day}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-306", "/rules/*/status": "CURRENT"}, Feeds: []string{"last_dock"}},
		{ID: "lots", Says: "the lots of the casting with their state, the pattern that they were made to and the day they came", Tool: "stores.lots.list", Args: m{"part": "HC-90"},
			In:   []input{{Name: "lots", At: "/lots", Type: "rows", Fields: "{lot_id: id, quantity: {type: integer, unit: casting}, status: text, made_to: text, received: date}"}},
			Pins: m{"/lots/*/lot_id": "LT-3006", "/lots/*/received": "2033-11-20"}, Feeds: []string{"observed", "not_free", "old_pattern", "stale"}},
		{ID: "pattern", Says: "which revision of the pattern counts, so that castings of the older one fall out", Tool: "specs.documents.search", Args: m{"query": "HC-90"},
			In:   []input{{Name: "patterns", At: "/documents", Type: "rows", Fields: "{revision: text, status: text}"}},
			Pins: m{"/documents/*/revision": "=pattern", "/documents/*/status": "CURRENT"}, Feeds: []string{"old_pattern"}, Category: "correlation"},
		{ID: "tested-until", Says: "for how long a leak test holds, by the revision of the rule that counts", Tool: "specs.rules.list", Args: m{"query": "leak test"},
			In:   []input{{Name: "leak_rules", At: "/rules", Type: "rows", Fields: "{value: {type: integer, unit: day}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-304", "/rules/*/status": "CURRENT"}, Feeds: []string{"tested_since"}},
		{ID: "spoken-for", Says: "what of the free lots is set aside for others", Tool: "stores.reservations.list", Args: m{"part": "HC-90"},
			In:   []input{{Name: "reservations", At: "/reservations", Type: "rows", Fields: "{quantity: {type: integer, unit: casting}, state: text}"}},
			Pins: m{"/reservations/*/reservation_id": "RV-301", "/reservations/*/state": "ACTIVE"}, Feeds: []string{"spoken_for"}},
		{ID: "leakers", Says: "how many of a free lot leaked in the test that counts", Tool: "quality.inspections.list", Args: m{"lot_id": "LT-3004"},
			In:   []input{{Name: "tests", At: "/inspections", Type: "rows", Fields: "{rejected: {type: integer, unit: casting}, status: text}"}},
			Pins: m{"/inspections/*/inspection_id": "QI-3001", "/inspections/*/rejected": "=leakers", "/inspections/*/status": "FINAL"}, Feeds: []string{"leakers"}},
		{ID: "bom-revisions", Says: "which bill of material of the housing counts today", Tool: "specs.boms.list", Args: m{"assembly": "HM-90"},
			In:   []input{{Name: "boms", At: "/boms", Type: "rows", Fields: "{bom_id: id, valid_from: date, valid_to: date}"}},
			Pins: m{"/boms/*/bom_id": "=bom", "/boms/*/status": "CURRENT"}, Feeds: []string{"bom"}, Category: "correlation"},
		{ID: "bom", Says: "how many castings a housing takes and how many are lost at the second bore", Tool: "specs.boms.get", Args: m{"bom_id": "=bom"}, Known: m{"bom_id": "BM-302"},
			In:   []input{{Name: "bom_lines", At: "/lines", Type: "rows", Fields: "{part: id, quantity_per: {type: integer, unit: casting/housing}, scrap_pct: {type: decimal, unit: percent}}"}},
			Pins: m{"/lines/*/part": "HC-90", "/lines/*/scrap_pct": "=lost"}, Feeds: []string{"for_jobs"}},
		{ID: "safety", Says: "what stock must stay beyond the jobs, by the rule that counts", Tool: "specs.rules.list", Args: m{"query": "safety stock"},
			In:   []input{{Name: "stock_rules", At: "/rules", Type: "rows", Fields: "{value: {type: integer, unit: casting}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-302", "/rules/*/status": "CURRENT"}, Feeds: []string{"required"}},
		{ID: "quotes", Says: "what the foundries ask for a casting, in what packs and with what charge once", Tool: "vendors.quotes.list", Args: m{"part": "HC-90", "state": "VALID"},
			In:   []input{{Name: "quotes", At: "/quotes", Type: "rows", Fields: "{quote_id: id, vendor_id: id, service: text, multiple: {type: integer, unit: casting}, unit_price: {type: decimal, unit: EUR/casting}, fixed_charge: {type: decimal, unit: EUR}}"}},
			Pins: m{"/quotes/*/quote_id": "QT-3002", "/quotes/*/unit_price": "=a_price"}, Feeds: []string{"a_quantity", "a_cost", "c_cost", "d_cost"}},
		quote("holmvik", "what Holmvik has confirmed on its quote, and which of two confirmations counts", "QT-3002", "a_dock"),
		quote("carsi", "what Carsi has confirmed on its quote", "QT-3003", "c_dock"),
		quote("ferrum", "what Ferrum has confirmed on its quote for a further ordinary order", "QT-3001", "d_dock"),
		{Tool: "drive.files.search", Args: m{"query": "scorecard foundries"}},
		{ID: "rejects", Says: "what share of a foundry's castings fails with us, by the scorecard of this quarter", Tool: "drive.files.read", Args: m{"file_id": "DR-3001"},
			In:   []input{{Name: "scores", At: "/text", Type: "rows", Within: "{sheet: Rejects}", Fields: "{vendor: id, percent: {type: decimal, unit: percent}}"}},
			Pins: m{"/text": m{"contains": []any{"first quarter of 2035"}}}, Feeds: []string{"a_quantity", "c_quantity", "d_quantity"}},
		{ID: "weight", Says: "what a casting of the pattern that counts weighs, by which haulage is paid", Tool: "specs.values.list", Args: m{"spec_id": "HS-301", "revision": "=pattern"}, Known: m{"revision": "F"},
			In:   []input{{Name: "weights", At: "/values", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: kg/casting}}"}},
			Pins: m{"/values/*/name": "weight", "/values/*/value": "=weight"}, Feeds: []string{"a_haulage"}},
		{Tool: "vendors.search", Args: m{"query": "haulage"}},
		{ID: "haulier", Says: "what the haulier asks for a kilogram by the contract in force", Tool: "purchasing.contracts.list", Args: m{"vendor_id": "V-304"},
			In:   []input{{Name: "terms", At: "/terms", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: EUR/kg}, status: text}"}},
			Pins: m{"/terms/*/clause": "3.1", "/terms/*/value": "=by_weight", "/terms/*/status": "IN_FORCE"}, Feeds: []string{"a_haulage"}},
		{Tool: "drive.files.search", Args: m{"query": "Lindner"}},
		{ID: "diesel", Says: "by what share haulage is dearer this month because of diesel", Tool: "drive.files.read", Args: m{"file_id": "DR-3003"},
			In:   []input{{Name: "diesel", At: "/text", Type: "decimal", Unit: "percent", Within: "{after: surcharge on all haulage is}"}},
			Pins: m{"/text": m{"contains": []any{"for March 2035"}}}, Feeds: []string{"a_haulage"}},
		{ID: "bench-times", Says: "how long a casting stands on the leak bench, by the routing that counts today", Tool: "sched.routings.list", Args: m{"item": "HC-90"},
			In:   []input{{Name: "routings", At: "/routings", Type: "rows", Fields: "{setup_minutes: {type: integer, unit: minute}, minutes_each: {type: decimal, unit: minute/casting}, valid_from: date, valid_to: date}"}},
			Pins: m{"/routings/*/line": "LB-1", "/routings/*/minutes_each": "=each", "/routings/*/status": "CURRENT"}, Feeds: []string{"a_load"}},
		{ID: "bench", Says: "what share of a shift the leak bench really runs", Tool: "sched.lines.list", Args: m{"query": "leak bench"},
			In: []input{{Name: "runs", At: "/lines/0/availability_pct", Type: "decimal", Unit: "percent"}}, Feeds: []string{"a_load"}},
		{ID: "bench-slots", Says: "when the leak bench is open for so many castings, and when it is kept for others", Tool: "sched.slots.list", Args: m{"line": "LB-1"},
			In:   []input{{Name: "slots", At: "/slots", Type: "rows", Fields: "{slot_id: id, starts: date, ends: date, minutes_free: {type: integer, unit: minute}, state: text}"}},
			Pins: m{"/slots/*/state": "OPEN", "/slots/*/ends": "=chosen.outcome"}, Feeds: []string{"a_ready", "b_ready", "d_ready"}},
		{ID: "plant-days", Says: "on which days a lorry is unloaded", Tool: "sched.calendar.list", Args: m{"calendar": "PLANT", "limit": 100},
			In:   []input{{Name: "plant_days", At: "/days", Type: "rows", Fields: "{day: date, state: text}"}},
			Pins: m{"/days/*/day": "=chosen.here", "/days/*/state": "OPEN"}, Feeds: []string{"a_here", "d_here"}},
		{ID: "limit", Says: "what the buyer may sign for an order", Tool: "approvals.limits.list", Args: m{"user_id": "u-piet"},
			In:   []input{{Name: "limits", At: "/limits", Type: "rows", Fields: "{scope: text, amount: {type: decimal, unit: EUR}, status: text}"}},
			Pins: m{"/limits/*/scope": "PURCHASE", "/limits/*/amount": "=own_limit", "/limits/*/status": "ACTIVE"}, Feeds: []string{"may_sign"}, Category: "authority"},
		{ID: "signed", Says: "what was approved for this casting on top, and what has run out or was not decided", Tool: "approvals.decisions.search", Args: m{"query": "outside the frame"},
			In:   []input{{Name: "approvals", At: "/approvals", Type: "rows", Fields: "{subject: id, amount: {type: decimal, unit: EUR}, state: text, expires: date}"}},
			Pins: m{"/approvals/*/approval_id": "AP-301", "/approvals/*/state": "APPROVED", "/approvals/*/amount": "=granted"}, Feeds: []string{"may_sign"}, Category: "authority"},
		{Tool: "mail.people.search", Args: m{"query": "Niko"}},
	}
}

func castingContract() string {
	var b strings.Builder
	b.WriteString(`
derivations:
  today: {do: {const: 2035-03-08, why: the day of the request}}
  hundred: {do: {const: 100, unit: percent, why: a share is of a hundred}}
  none: {do: {const: 0, unit: casting, why: a surplus is no shortage}}
  standard: {do: {lookup: {of: parts, field: standard_cost, where: {part: HC-90}}}}
  firm: {do: {sum: {of: jobs, field: quantity, where: {item: HM-90, status: FIRM}}}, unit: housing, answer: firm_housings}
  bom: {do: {lookup: {of: boms, field: bom_id, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  lost: {do: {lookup: {of: bom_lines, field: scrap_pct, where: {part: HC-90}}}}
  for_jobs:
    do: {div: {of: [{mul: [firm, {lookup: {of: bom_lines, field: quantity_per, where: {part: HC-90}}}, {add: [hundred, lost]}]}, hundred], round: up, places: 0}}
    unit: casting
  required: {do: {add: [for_jobs, {lookup: {of: stock_rules, field: value, where: {status: CURRENT}}}]}, unit: casting, answer: required_castings}
  pattern: {do: {lookup: {of: patterns, field: revision, where: {status: CURRENT}}}}
  tested_since: {do: {add_days: [today, {neg: {lookup: {of: leak_rules, field: value, where: {status: CURRENT}}}}]}, answer: tested_since}
  observed: {do: {sum: {of: lots, field: quantity}}, unit: casting, answer: observed_castings}
  not_free: {do: {sum: {of: lots, field: quantity, where: {status: {ne: FREE}}}}, unit: casting}
  old_pattern: {do: {sum: {of: lots, field: quantity, where: {status: FREE, made_to: {ne: {value: pattern}}}}}, unit: casting}
  stale: {do: {sum: {of: lots, field: quantity, where: {status: FREE, made_to: {value: pattern}, received: {lt: {value: tested_since}}}}}, unit: casting}
  spoken_for: {do: {sum: {of: reservations, field: quantity, where: {state: ACTIVE}}}, unit: casting}
  leakers: {do: {sum: {of: tests, field: rejected, where: {status: FINAL}}}, unit: casting}
  excluded: {do: {add: [not_free, old_pattern, stale, spoken_for, leakers]}, unit: casting, answer: excluded_castings}
  usable: {do: {sub: [observed, excluded]}, unit: casting, answer: usable_castings}
  owed: {do: {sub: [{lookup: {of: po_lines, field: quantity, where: {part: HC-90}}}, {lookup: {of: po_lines, field: received, where: {part: HC-90}}}]}, unit: casting, answer: still_on_order}
  last_dock:
    do: {add_days: [today, {sub: [{lookup: {of: fence_rules, field: value, where: {status: CURRENT}}}, {lookup: {of: foundries, field: transit_days, where: {vendor_id: {value: first_foundry}}}}]}]}
  in_time:
    do: {min: [owed, {sum: {of: promises, field: quantity, where: {service: STANDARD, state: CONFIRMED, ready: {le: {value: last_dock}}}}}]}
    unit: casting
    answer: in_time_castings
  missing: {do: {max: [none, {sub: [required, {add: [usable, in_time]}]}]}, unit: casting, answer: missing_castings}
  weight: {do: {lookup: {of: weights, field: value, where: {name: weight}}}}
  by_weight: {do: {lookup: {of: terms, field: value, where: {name: haulage for each kilogram, status: IN_FORCE}}}}
  each: {do: {lookup: {of: routings, field: minutes_each, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  setup: {do: {lookup: {of: routings, field: setup_minutes, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  own_limit: {do: {lookup: {of: limits, field: amount, where: {scope: PURCHASE, status: ACTIVE}}}}
  granted: {do: {sum: {of: approvals, field: amount, where: {subject: HC-90, state: APPROVED, expires: {ge: {value: today}}}}}}
  may_sign: {do: {add: [own_limit, granted]}, unit: EUR, answer: may_sign}
  no_days: {do: {const: 0, unit: day, why: the cell's day itself is not too late}}
  after: {do: {const: AFTER_THE_CELL, why: the word for castings that come when the cell runs}}
  before: {do: {const: BEFORE_THE_CELL, why: the word for castings that wait for the cell}}
`)
	way := func(x, vendor, text string) {
		b.WriteString(strings.NewReplacer("@", x, "VENDOR", vendor).Replace(text))
	}
	for _, w := range [][2]string{{"a", "V-302"}, {"c", "V-303"}, {"d", "V-301"}} {
		way(w[0], w[1], `  @_pack: {do: {lookup: {of: quotes, field: multiple, where: {vendor_id: VENDOR, service: CASTING}}}}
  @_price: {do: {lookup: {of: quotes, field: unit_price, where: {vendor_id: VENDOR, service: CASTING}}}}
  @_once: {do: {lookup: {of: quotes, field: fixed_charge, where: {vendor_id: VENDOR, service: CASTING}}}}
  @_good: {do: {sub: [hundred, {lookup: {of: scores, field: percent, where: {vendor: VENDOR}}}]}}
  @_cast: {do: {div: {of: [{mul: [missing, hundred]}, @_good], round: up, places: 0}}, unit: casting}
  @_quantity: {do: {mul: [@_pack, {div: {of: [@_cast, @_pack], round: up, places: 0}}]}, unit: casting}
  @_dock: {do: {min: {of: @_answers, field: ready, where: {state: CONFIRMED, quantity: {ge: {value: @_quantity}}}}}}
`)
	}
	way("b", "V-301", `  @_price: {do: {lookup: {of: quotes, field: unit_price, where: {vendor_id: VENDOR, service: CASTING}}}}
  @_once: {do: {lookup: {of: promises, field: charge, where: {service: EXPRESS, state: CONFIRMED, quantity: {ge: {value: missing}}}}}}
  @_quantity: {do: {lookup: {of: promises, field: quantity, where: {service: EXPRESS, state: CONFIRMED, quantity: {ge: {value: missing}}}}}}
  @_dock: {do: {min: {of: promises, field: ready, where: {service: EXPRESS, state: CONFIRMED, quantity: {ge: {value: missing}}}}}}
`)
	for _, w := range [][2]string{{"a", "V-302"}, {"b", "V-301"}, {"c", "V-303"}, {"d", "V-301"}} {
		way(w[0], w[1], `  @_here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [@_dock, {lookup: {of: foundries, field: transit_days, where: {vendor_id: VENDOR}}}]}}}}
  @_load: {do: {div: {of: [{mul: [{add: [setup, {mul: [@_quantity, each]}]}, hundred]}, runs], round: up, places: 0}}, unit: minute}
  @_begins: {do: {next_of: {of: slots, field: starts, where: {state: OPEN, minutes_free: {ge: {value: @_load}}}, from: @_here}}}
  @_ready: {do: {lookup: {of: slots, field: ends, where: {state: OPEN, starts: {value: @_begins}}}}}
  @_haulage: {do: {div: {of: [{mul: [@_quantity, weight, by_weight, {add: [hundred, diesel]}]}, hundred], round: half_up, places: 2}}, unit: EUR}
  @_cost: {do: {add: [{mul: [@_quantity, @_price]}, @_once, @_haulage]}, unit: EUR}
`)
	}
	b.WriteString(`  c_allowed: {do: {exists: {of: foundries, where: {vendor_id: V-303, status: APPROVED, approved_until: {ge: {value: c_here}}}}}}
  a_allowed: {do: {exists: {of: foundries, where: {vendor_id: V-302, status: APPROVED, approved_until: {ge: {value: a_here}}}}}}
  quote: {do: {lookup: {of: quotes, field: quote_id, where: {vendor_id: V-302, service: CASTING}}}}
  over_standard: {do: {sub: [a_price, standard]}, answer: over_standard}
options:
`)
	for _, o := range [][3]string{{"A", "Holmvik", ", supported: a_allowed"}, {"B", "a night heat at Ferrum", ""}, {"C", "Carsi", ", supported: c_allowed"}, {"D", "a further ordinary order with Ferrum", ""}} {
		x := strings.ToLower(o[0])
		fmt.Fprintf(&b, "  - {id: %s, says: %s, outcome: %s_ready, cost: %s_cost, limit: may_sign%s, measures: {quantity: %s_quantity, here: %s_here, load: %s_load, haulage: %s_haulage, margin: {days_between: [cell_day, %s_ready]}, timing: {if: [{gt: [{days_between: [cell_day, %s_ready]}, no_days]}, after, before]}}}\n",
			o[0], o[1], x, x, o[2], x, x, x, x, x, x)
	}
	b.WriteString(`decision: {answer: option, order: [outcome, cost], among: approved}
changes:
  - id: ordered
    role: primary
    says: the castings are ordered from the foundry of the way taken, in its packs and for its day
    tool: purchasing.orders.create
    args: {vendor_id: V-302, quote_id: {value: quote}, part: HC-90, quantity: {value: chosen.quantity}, due: {value: chosen.here}}
    rows:
      - {table: purchase_orders, op: insert, values: {vendor_id: V-302, status: PLACED, buyer: u-piet}}
      - {table: po_lines, op: insert, values: {part: HC-90, quantity: {value: chosen.quantity}, due: {value: chosen.here}, quote_id: {value: quote}}}
    weight: 5
  - id: mail
    role: communication
    says: the lead of the cell has the draft of a mail
    tool: mail.drafts.create
    args: {recipient: u-niko, about: HC-90, body: {any: true}}
    rows: [{table: mail_drafts, op: insert, values: {recipient: u-niko, state: DRAFT}}]
readbacks:
  - {id: order-seen, after: ordered, tool: purchasing.orders.get, identity: {args.po_id: result.po_id}, result: {/status: PLACED, "/lines/*/part": HC-90, "/lines/*/quantity": {value: chosen.quantity}, "/lines/*/due": {value: chosen.here}}}
messages:
  - id: told
    change: mail
    to: {arg: recipient, is: u-niko}
    body: body
    facts: [{value: ordered.po_id}, {value: chosen.quantity}, {value: chosen.outcome}, {value: missing}]
    forbid: [{value: B.outcome}, {value: D.outcome}, {text: V-303, mention: true}]
    form: {sentences: 2, words: 25}
containment:
  - {table: purchase_orders, op: insert, values: {vendor_id: V-302, buyer: u-piet}, most: 1}
  - {table: po_lines, op: insert, values: {part: HC-90, quote_id: {value: quote}}, most: 1}
  - {table: mail_drafts, op: insert, values: {recipient: u-niko, state: DRAFT}, most: 1}
answer:
  order_quantity: {value: chosen.quantity}
  leak_minutes: {value: chosen.load}
  haulage: {value: chosen.haulage}
  on_dock: {value: chosen.here}
  ready_a: {value: A.outcome}
  ready_b: {value: B.outcome}
  ready_c: {value: C.outcome}
  ready_d: {value: D.outcome}
  cost_a: {value: A.cost}
  cost_b: {value: B.cost}
  cost_c: {value: C.cost}
  cost_d: {value: D.cost}
  standing_b: {value: B.authority}
  standing_c: {value: C.authority}
  cell_day: {value: cell_day}
  margin_days: {value: chosen.margin}
  timing: {value: chosen.timing}
  order: {value: ordered.po_id}
`)
	return b.String()
}
