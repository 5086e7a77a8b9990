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

func dispositionContract() string {
	var b strings.Builder
	b.WriteString(`
derivations:
  order: {do: {lookup: {of: orders, field: order_id, where: {product: AX-90}}}}
  today: {do: as_of}
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
  - {id: disposition-seen, after: disposed, tool: quality.dispositions.get, identity: {args.disposition_id: result.disposition_id}, result: {/hold_id: {value: hold}, /lot_id: {value: lot}, /use_quantity: {value: good}, /rework_quantity: {value: rework}, /scrap_quantity: {value: scrap}, /destination: {value: job}}}
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
