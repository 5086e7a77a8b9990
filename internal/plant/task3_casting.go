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

func castingContract() string {
	var b strings.Builder
	b.WriteString(`
derivations:
  today: {do: as_of}
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
  - {id: order-seen, after: ordered, tool: purchasing.orders.get, identity: {args.po_id: result.po_id}, result: {/status: PLACED, /vendor_id: V-302, "/lines/*/part": HC-90, "/lines/*/quote_id": {value: quote}, "/lines/*/quantity": {value: chosen.quantity}, "/lines/*/due": {value: chosen.here}}}
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
