package main

import (
	"fmt"
	"strings"
)

func init() { register(8, grinding) }

// grinding: a die is worn. What is left in it is run off for thrust plates, then its inserts are ground outside: how many, by whom,
// with which van, and so that the gear motors have their plates?
func grinding(p *plant) *task {
	grindingRows(p)
	return &task{
		ID: "worn-die", Family: "date", Title: "Die D-4407 goes out", Role: "outside processing coordinator", User: "u-colm", AsOf: "2035-03-12",
		Request: `
D-4407 has to go out for grinding, that much Niko and I agree on. He will not let it off the press before it has used up what it may
still run, and I see his point, the thrust plates we own will not carry the gear motors however many the screen shows. So it leaves with the
first van after that, broken inserts stay behind, and the rest of the plates is stamped when it is home again and proven.
Four shops have answered my round. I want the one that gets the motors their plates soonest, out of those I can take without asking
anybody once more; a shop that wants the die before our van can be at its gate has offered nothing, and a price that runs out before
the die is home is no price. If somebody better is beyond me, tell me by how much, and we leave it.
Place the work for what is really ground. Oskar loads the van, so he gets a handover note, filed under the die: how
many inserts, which van, when the motors have their plates, and that nothing may slip. I shall be asked how we stand against the day the
motors begin.`,
		Handles:  [][2]string{{"die", "D-4407"}},
		Answer:   grindingAnswer,
		Given:    []string{"motors_begin"},
		Reads:    grindingReads(),
		Contract: grindingContract(),
		Work: []call{
			{"purchasing.subcontracts.create", m{"vendor_id": "V-802", "quote_id": "QT-8002", "item": "AS-801", "process": "REGRIND AND COAT", "quantity": 15, "send_on": "2035-03-15", "due": "2035-03-22"}},
			{"purchasing.subcontracts.get", m{"subcontract_id": "SC-0001"}},
			{"notes.handovers.create", m{"recipient": "u-oskar", "about": "AS-801", "title": "D-4407 goes to Halden", "body": `Slipeteknikk Halden grinds and coats 15 inserts of the die under SC-0001. Please load it on 15 March 2035, when the press has run off what it had left; an earlier van would find it still clamped. The motors have their plates on 29 March 2035, a day before they begin, and this holds only if the van is at their gate in time, because their machine is kept for us from then on and there is no slack behind it. A quicker shop is beyond what I may place and stays a question for Lars.`}},
			{"assay.submit_answer", m{
				"required_plates": 1332, "observed_plates": 1066, "excluded_plates": 645, "usable_plates": 421, "missing_plates": 911, "hours_run": 394, "hours_left": 6, "plates_before": 409,
				"plates_after": 502, "minutes_before": 513, "minutes_after": 735, "run_off_slot": "SL-8002", "worn_inserts": 18, "ground_inserts": 15, "spares_left": 2, "van_day": "2035-03-15",
				"option": "B", "plates_day_a": "2035-03-27", "cost_a": 3368.00, "plates_day_b": "2035-03-29", "cost_b": 2560.00, "plates_day_c": "2035-04-05", "cost_c": 2158.00, "plates_day_d": "2035-03-21", "cost_d": 2203.00,
				"may_take_a": "needs_approval", "may_take_d": "unsupported", "wanted_by_d": "2035-03-13", "beyond_me": 668.00, "may_place": 2700.00, "below_new": 980.00, "die_home": "2035-03-22", "second_slot": "SL-8007",
				"motors_begin": "2035-03-30", "variance_days": -1, "standing_of_motors": "SUPPLIED", "subcontract": "SC-0001",
			}},
		},
		Files: append(grindingFiles(p), grindingPapers(p)...),
	}
}

const grindingAnswer = `
required_plates: {type: integer, unit: plate, description: "Thrust plates to be issued for the motors that are firm"}
observed_plates: {type: integer, unit: plate, description: "Plates in our stores whatever their state"}
excluded_plates: {type: integer, unit: plate, description: "Of them, those that may not go into these motors"}
usable_plates: {type: integer, unit: plate, description: "Of them, those that may"}
missing_plates: {type: integer, unit: plate, description: "Plates that have to be stamped"}
hours_run: {type: integer, unit: hour, description: "Hours that the die has run since it was last ground"}
hours_left: {type: integer, unit: hour, description: "Hours that it may still run"}
plates_before: {type: integer, unit: plate, description: "Plates that are stamped before the die leaves"}
plates_after: {type: integer, unit: plate, description: "Plates that are stamped when it is home again"}
minutes_before: {type: integer, unit: minute, description: "Minutes that the run before it leaves loads on the press"}
minutes_after: {type: integer, unit: minute, description: "Minutes that proving it and the run afterwards load on the press"}
run_off_slot: {type: id, table: slots, column: slot_id, description: "Slot of the run before it leaves"}
worn_inserts: {type: integer, unit: insert, description: "Inserts of the stations that are worn"}
ground_inserts: {type: integer, unit: insert, description: "Of them, those that are ground"}
spares_left: {type: integer, unit: insert, description: "New spare inserts that nobody has spoken for once the broken ones are replaced"}
van_day: {type: date, description: "Day on which the die leaves"}
option: {type: enum, values: [A, B, C, D], description: "A: Kessler. B: Slipeteknikk Halden. C: Norrslip. D: Precisa."}
plates_day_a: {type: date, description: "Day on which the motors have all plates by A"}
cost_a: {type: decimal, places: 2, unit: EUR, description: "What the work costs by A"}
plates_day_b: {type: date, description: "Day on which the motors have all plates by B"}
cost_b: {type: decimal, places: 2, unit: EUR, description: "What the work costs by B"}
plates_day_c: {type: date, description: "Day on which the motors have all plates by C"}
cost_c: {type: decimal, places: 2, unit: EUR, description: "What the work costs by C"}
plates_day_d: {type: date, description: "Day on which the motors would have all plates by D, if its day could be kept"}
cost_d: {type: decimal, places: 2, unit: EUR, description: "What the work costs by D"}
may_take_a: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether A may be taken"}
may_take_d: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether D may be taken"}
wanted_by_d: {type: date, description: "Day on which D must have the die at the latest to keep its day"}
beyond_me: {type: decimal, places: 2, unit: EUR, description: "By how much A is above what may be placed"}
may_place: {type: decimal, places: 2, unit: EUR, description: "What may be placed for this die without asking again"}
below_new: {type: decimal, places: 2, unit: EUR, description: "By how much the way taken costs less than as many new inserts"}
die_home: {type: date, description: "Day on which the die is back by the way taken"}
second_slot: {type: id, table: slots, column: slot_id, description: "Slot of the run afterwards by the way taken"}
motors_begin: {type: date, description: "Day on which assembly of the motors begins"}
variance_days: {type: integer, unit: day, description: "Days from that day to the day of the plates by the way taken, with a minus when the plates are earlier"}
standing_of_motors: {type: enum, values: [SUPPLIED, WAITING], description: "WAITING when the plates come after the motors begin"}
subcontract: {type: id, table: subcontracts, column: subcontract_id, description: "The order that was placed"}
`

func grindingContract() string {
	var b strings.Builder
	b.WriteString(`
derivations:
  today: {do: as_of}
  hundred: {do: {const: 100, unit: percent, why: a share is of a hundred}}
  no_plates: {do: {const: 0, unit: plate, why: a surplus is not stamped}}
  no_hours: {do: {const: 0, unit: hour, why: a die that is over its hours does not run}}
  no_money: {do: {const: 0, unit: EUR, why: what is within the limit is not beyond it}}
  hour: {do: {const: 60, unit: minute/hour, why: the minutes of an hour}}
  job: {do: {lookup: {of: jobs, field: job_id, where: {item: GM-44, status: FIRM}}}}
  motors: {do: {lookup: {of: jobs, field: quantity, where: {item: GM-44, status: FIRM}}}}
  bom: {do: {lookup: {of: boms, field: bom_id, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  torn: {do: {lookup: {of: bom_lines, field: scrap_pct, where: {part: TP-44}}}}
  required:
    do: {div: {of: [{mul: [motors, {lookup: {of: bom_lines, field: quantity_per, where: {part: TP-44}}}, {add: [hundred, torn]}]}, hundred], round: up, places: 0}}
    unit: plate
    answer: required_plates
  plate_revision: {do: {lookup: {of: plate_documents, field: revision, where: {spec_id: HS-802, status: CURRENT}}}}
  burr_limit: {do: {lookup: {of: plate_values, field: value, where: {name: "burr, most"}}}}
  burr: {do: {lookup: {of: burrs, field: highest, where: {status: FINAL}}}}
  observed: {do: {sum: {of: lots, field: quantity}}, unit: plate, answer: observed_plates}
  barred: {do: {sum: {of: lots, field: quantity, where: {status: {ne: FREE}}}}, unit: plate}
  old_bronze: {do: {sum: {of: lots, field: quantity, where: {status: FREE, made_to: {ne: {value: plate_revision}}}}}, unit: plate}
  rough: {do: {if: [{gt: [burr, burr_limit]}, {lookup: {of: lots, field: quantity, where: {lot_id: LT-8004}}}, no_plates]}, unit: plate}
  for_service: {do: {sum: {of: reservations, field: quantity, where: {state: ACTIVE}}}, unit: plate}
  scratched: {do: {sum: {of: holds, field: quantity, where: {lot_id: LT-8001, state: OPEN}}}, unit: plate}
  excluded: {do: {add: [barred, old_bronze, rough, for_service, scratched]}, unit: plate, answer: excluded_plates}
  usable: {do: {sub: [observed, excluded]}, unit: plate, answer: usable_plates}
  missing: {do: {max: [no_plates, {sub: [required, usable]}]}, unit: plate, answer: missing_plates}
  die_revision: {do: {lookup: {of: die_documents, field: revision, where: {spec_id: HS-801, status: CURRENT}}}}
  interval: {do: {lookup: {of: die_values, field: value, where: {name: running hours between grindings}}}}
  hours_run: {do: {sub: [meter, ground_hour]}, unit: hour, answer: hours_run}
  hours_left: {do: {max: [no_hours, {sub: [interval, hours_run]}]}, unit: hour, answer: hours_left}
  each: {do: {lookup: {of: routings, field: minutes_each, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  setup: {do: {lookup: {of: routings, field: setup_minutes, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  before: {do: {min: [missing, {div: {of: [{mul: [hours_left, hour]}, each], round: down, places: 0}}]}, unit: plate, answer: plates_before}
  after: {do: {sub: [missing, before]}, unit: plate, answer: plates_after}
  load_before: {do: {div: {of: [{mul: [{add: [setup, {mul: [before, each]}]}, hundred]}, availability], round: up, places: 0}}, unit: minute, answer: minutes_before}
  proving: {do: {mul: [{lookup: {of: works, field: hours, where: {status: OPEN}}}, hour]}, unit: minute}
  load_after: {do: {div: {of: [{mul: [{add: [setup, proving, {mul: [after, each]}]}, hundred]}, availability], round: up, places: 0}}, unit: minute, answer: minutes_after}
  run_off: {do: {next_of: {of: slots, field: starts, where: {state: OPEN, minutes_free: {ge: {value: load_before}}}, from: today}}}
  run_off_slot: {do: {lookup: {of: slots, field: slot_id, where: {state: OPEN, minutes_free: {ge: {value: load_before}}, starts: {value: run_off}}}}, answer: run_off_slot}
  die_off: {do: {lookup: {of: slots, field: ends, where: {slot_id: {value: run_off_slot}}}}}
  van_day: {do: {next_of: {of: van_days, field: day, where: {state: OPEN}, from: die_off}}, answer: van_day}
  wear_limit: {do: {lookup: {of: wear_rules, field: value, where: {status: CURRENT}}}}
  worn: {do: {sum: {of: stations, field: inserts, where: {wear: {ge: {value: wear_limit}}}}}, unit: insert, answer: worn_inserts}
  broken: {do: {sum: {of: stations, field: broken, where: {wear: {ge: {value: wear_limit}}}}}, unit: insert}
  ground: {do: {sub: [worn, broken]}, unit: insert, answer: ground_inserts}
  spares_left:
    do: {sub: [{sub: [{sum: {of: spares, field: on_hand, where: {condition: NEW}}}, {sum: {of: spares, field: reserved, where: {condition: NEW}}}]}, broken]}
    unit: insert
    answer: spares_left
  new_price: {do: {mul: [ground, {lookup: {of: parts, field: standard_cost, where: {part: IN-4407}}}]}, unit: EUR}
  tumbling: {do: {lookup: {of: tumbling_rules, field: value, where: {status: CURRENT}}}}
  own_limit: {do: {lookup: {of: limits, field: amount, where: {scope: SUBCONTRACT, status: ACTIVE}}}}
  granted: {do: {sum: {of: approvals, field: amount, where: {scope: SUBCONTRACT, state: APPROVED, expires: {ge: {value: today}}}}}}
  may_place: {do: {add: [own_limit, granted]}, unit: EUR, answer: may_place}
  no_days: {do: {const: 0, unit: day, why: plates of the same day are in time}}
  waiting: {do: {const: WAITING, why: the word for motors that begin without all plates}}
  supplied: {do: {const: SUPPLIED, why: the word for motors that have them}}
`)
	for _, w := range [][2]string{{"a", "V-801"}, {"b", "V-802"}, {"c", "V-803"}, {"d", "V-804"}} {
		b.WriteString(strings.NewReplacer("@", w[0], "VENDOR", w[1]).Replace(`  @_shop: {do: {lookup: {of: shops, field: vendor_id, where: {vendor_id: VENDOR}}}}
  @_road: {do: {lookup: {of: shops, field: transit_days, where: {vendor_id: VENDOR}}}}
  @_finished: {do: {min: {of: offers, field: ready, where: {vendor_id: VENDOR, state: CONFIRMED, quantity: {ge: {value: ground}}}}}}
  @_home: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [@_finished, @_road]}}}}
  @_quote: {do: {lookup: {of: quotes, field: quote_id, where: {vendor_id: VENDOR, service: REGRIND AND COAT, state: VALID, valid_until: {ge: {value: @_home}}}}}}
  @_work: {do: {lookup: {of: quotes, field: service, where: {quote_id: {value: @_quote}}}}}
  @_paid: {do: {max: [ground, {lookup: {of: quotes, field: minimum, where: {quote_id: {value: @_quote}}}}]}, unit: insert}
  @_cost: {do: {add: [{mul: [@_paid, {lookup: {of: quotes, field: unit_price, where: {quote_id: {value: @_quote}}}}]}, {lookup: {of: quotes, field: fixed_charge, where: {quote_id: {value: @_quote}}}}]}, unit: EUR}
  @_wanted: {do: {add_days: [@_finished, {neg: {lookup: {of: quotes, field: lead_days, where: {quote_id: {value: @_quote}}}}}]}}
  @_gate: {do: {add_days: [van_day, @_road]}}
  @_kept: {do: {le: [@_gate, @_wanted]}}
  @_fitted: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [@_home, {lookup: {of: fitting_rules, field: value, where: {status: CURRENT}}}]}}}}
  @_starts: {do: {next_of: {of: slots, field: starts, where: {state: OPEN, minutes_free: {ge: {value: load_after}}}, from: @_fitted}}}
  @_slot: {do: {lookup: {of: slots, field: slot_id, where: {state: OPEN, minutes_free: {ge: {value: load_after}}, starts: {value: @_starts}}}}}
  @_stamped: {do: {lookup: {of: slots, field: ends, where: {slot_id: {value: @_slot}}}}}
  @_plates: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [@_stamped, tumbling]}}}}
`))
	}
	b.WriteString(`  beyond_me: {do: {max: [no_money, {sub: [a_cost, may_place]}]}, unit: EUR, answer: beyond_me}
options:
`)
	for _, o := range [][2]string{{"A", "Kessler"}, {"B", "Slipeteknikk Halden"}, {"C", "Norrslip"}, {"D", "Precisa"}} {
		fmt.Fprintf(&b, strings.ReplaceAll("  - {id: %s, says: %s, outcome: @_plates, cost: @_cost, limit: may_place, supported: @_kept, measures: {shop: @_shop, quote: @_quote, work: @_work, quantity: @_paid, home: @_home, slot: @_slot, wanted: @_wanted, below: {sub: [new_price, @_cost]}, variance: {days_between: [motors_begin, @_plates]}, timing: {if: [{gt: [{days_between: [motors_begin, @_plates]}, no_days]}, waiting, supplied]}}}\n", "@", strings.ToLower(o[0])), o[0], o[1])
	}
	b.WriteString(`decision: {answer: option, order: [outcome, cost], among: approved}
changes:
  - id: placed
    role: primary
    says: the grinding is placed with the shop of the way taken, by the price that still stands when the die is home, for what is ground, with the van that carries it
    tool: purchasing.subcontracts.create
    args: {vendor_id: {value: chosen.shop}, quote_id: {value: chosen.quote}, item: {value: die}, process: {value: chosen.work}, quantity: {value: chosen.quantity}, send_on: {value: van_day}, due: {value: chosen.home}}
    rows:
      - {table: subcontracts, op: insert, values: {vendor_id: {value: chosen.shop}, quote_id: {value: chosen.quote}, item: {value: die}, quantity: {value: chosen.quantity}, send_on: {value: van_day}, due: {value: chosen.home}, price: {value: chosen.cost}, state: PLACED}}
    weight: 5
  - id: note
    role: communication
    says: dispatch has a handover note
    tool: notes.handovers.create
    args: {recipient: u-oskar, about: {value: die}, body: {any: true}}
    rows: [{table: notes, op: insert, values: {recipient: u-oskar, state: DRAFT}}]
readbacks:
  - {id: placed-seen, after: placed, tool: purchasing.subcontracts.get, identity: {args.subcontract_id: result.subcontract_id}, result: {/state: PLACED, /vendor_id: {value: chosen.shop}, /quote_id: {value: chosen.quote}, /item: {value: die}, /process: {value: chosen.work}, /quantity: {value: chosen.quantity}, /send_on: {value: van_day}, /due: {value: chosen.home}, /price: {value: chosen.cost}}}
messages:
  - id: told
    change: note
    to: {arg: recipient, is: u-oskar}
    body: body
    facts: [{value: placed.subcontract_id}, {value: ground}, {value: van_day}, {value: chosen.outcome}]
    forbid: [{value: A.outcome}, {value: C.outcome}, {text: V-804, mention: true}]
    form: {sentences: 2, words: 25}
containment:
  - {table: subcontracts, op: insert, values: {vendor_id: {value: chosen.shop}, item: {value: die}}, most: 1}
  - {table: notes, op: insert, values: {recipient: u-oskar, state: DRAFT}, most: 1}
answer:
  plates_day_a: {value: A.outcome}
  plates_day_b: {value: B.outcome}
  plates_day_c: {value: C.outcome}
  plates_day_d: {value: D.outcome}
  cost_a: {value: A.cost}
  cost_b: {value: B.cost}
  cost_c: {value: C.cost}
  cost_d: {value: D.cost}
  may_take_a: {value: A.authority}
  may_take_d: {value: D.authority}
  wanted_by_d: {value: D.wanted}
  below_new: {value: chosen.below}
  die_home: {value: chosen.home}
  second_slot: {value: chosen.slot}
  motors_begin: {value: motors_begin}
  variance_days: {value: chosen.variance}
  standing_of_motors: {value: chosen.timing}
  subcontract: {value: placed.subcontract_id}
`)
	return b.String()
}
