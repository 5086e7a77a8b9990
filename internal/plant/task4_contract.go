package main

import "strings"

// pressWays are the four ways: from when each can be done, the first window that is long enough, and what follows from it.
var pressWays = func() string {
	var b strings.Builder
	b.WriteString(`  a_from: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [ahead_dock, ring_road]}}}}
  a_first: {do: {next_of: {of: windows, field: day, where: {state: OPEN, hours: {ge: {value: own_hours}}, lost_minutes: {gt: 0}}, from: a_from}}}
  a_then: {do: {next_of: {of: windows, field: day, where: {state: OPEN, hours: {ge: {value: own_hours}}, lost_minutes: {gt: 0}}, from: a_first, strict: true}}}
  a_day: {do: {if: [{ge: [{lookup: {of: roster, field: fitters, where: {day: {value: a_first}}}}, crew]}, a_first, a_then]}}
  b_from: {do: {lookup: {of: crew_offers, field: ready, where: {part: FITTERS, state: CONFIRMED}}}}
  b_day: {do: {next_of: {of: windows, field: day, where: {state: OPEN, hours: {ge: {value: builder_hours}}, starts: "21:00"}, from: b_from}}}
  c_from: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [ordinary_dock, ring_road]}}}}
  c_first: {do: {next_of: {of: windows, field: day, where: {state: OPEN, hours: {ge: {value: own_hours}}, lost_minutes: 0}, from: c_from}}}
  c_then: {do: {next_of: {of: windows, field: day, where: {state: OPEN, hours: {ge: {value: own_hours}}, lost_minutes: 0}, from: c_first, strict: true}}}
  c_day: {do: {if: [{ge: [{lookup: {of: roster, field: fitters, where: {day: {value: c_first}}}}, crew]}, c_first, c_then]}}
  easter: {do: {lookup: {of: plant_days, field: day, where: {label: Good Friday}}}}
  d_day: {do: {next_of: {of: windows, field: day, where: {state: OPEN, hours: {ge: {value: own_hours}}, lost_minutes: 0}, from: easter}}}
`)
	for _, w := range [][2]string{{"a", "hours: {ge: {value: own_hours}}"}, {"b", `starts: "21:00"`}, {"c", "hours: {ge: {value: own_hours}}"}, {"d", "hours: {ge: {value: own_hours}}"}} {
		way := `  X_window: {do: {lookup: {of: windows, field: window_id, where: {state: OPEN, day: {value: X_day}, FITS}}}}
  X_used: {do: {mul: [per_day, {count: {of: plant_days, where: {state: OPEN, day: {ge: {value: metered}, lt: {value: X_day}}}, unit: day}}]}, unit: hour}
  X_back: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [X_day, settle]}}}}
  X_late: {do: {days_between: [visit_day, X_back]}, unit: day}
`
		if w[0] == "a" || w[0] == "b" { // the others fall into days on which nothing is pressed
			way += `  X_slack: {do: {sum: {of: slots, field: minutes_free, where: {state: OPEN, starts: {le: {value: X_day}}, ends: {ge: {value: X_day}}}}}, unit: minute}
  X_lost: {do: {max: [no_minutes, {sub: [{lookup: {of: windows, field: lost_minutes, where: {window_id: {value: X_window}}}}, X_slack]}]}, unit: minute}
`
		}
		b.WriteString(strings.NewReplacer("X_", w[0]+"_", "FITS", w[1]).Replace(way))
	}
	return b.String()
}()

var pressContract = `
derivations:
  today: {do: as_of}
  hundred: {do: {const: 100, unit: percent, why: a share is of a hundred}}
  none: {do: {const: 0, unit: ring, why: a surplus is no shortage}}
  no_minutes: {do: {const: 0, unit: minute, why: free minutes that are not needed give nothing back}}
  no_days: {do: {const: 0, unit: day, why: on the day of the visit itself it is ready}}
  ready: {do: {const: READY, why: the word for a press that works when the visitor comes}}
  not_ready: {do: {const: NOT_READY, why: the word for one that does not}}
  own: {do: {const: OWN, why: "the word for our own crew, as the tool says"}}
  order: {do: {lookup: {of: work_orders, field: work_order, where: {plan_id: HS-402, status: OPEN}}}}
  crew: {do: {lookup: {of: work_orders, field: crew, where: {work_order: {value: order}}}}}
  planned_hours: {do: {lookup: {of: work_orders, field: hours, where: {work_order: {value: order}}}}}
  packing_revision: {do: {lookup: {of: packing_documents, field: revision, where: {spec_id: HS-401, status: CURRENT}}}}
  life: {do: {lookup: {of: packing_values, field: value, where: {name: running life}}}}
  reserve: {do: {lookup: {of: weep_rules, field: value, where: {status: CURRENT}}}}
  good_for: {do: {div: {of: [{mul: [life, {sub: [hundred, reserve]}]}, hundred], round: down, places: 0}}, unit: hour}
  hours_left: {do: {sub: [{add: [changed_at, good_for]}, meter]}, unit: hour, answer: hours_left}
  work_revision: {do: {lookup: {of: work_documents, field: revision, where: {spec_id: HS-402, status: CURRENT}}}}
  alone: {do: {sum: {of: alone_steps, field: value, where: {unit: hour}}}, unit: hour}
  shared: {do: {sum: {of: shared_steps, field: value, where: {unit: fitter-hour}}}, unit: fitter*hour}
  own_hours: {do: {add: [alone, {div: {of: [shared, crew], round: up, places: 1}}]}, unit: hour, answer: own_hours}
  hours_change: {do: {sub: [own_hours, planned_hours]}, unit: hour, answer: hours_change}
  builder_crew: {do: {lookup: {of: crew_offers, field: quantity, where: {part: FITTERS, state: CONFIRMED}}}}
  builder: {do: {lookup: {of: crew_offers, field: vendor_id, where: {part: FITTERS, state: CONFIRMED}}}}
  builder_hours: {do: {add: [alone, {div: {of: [shared, builder_crew], round: up, places: 1}}]}, unit: hour, answer: builder_hours}
  bom: {do: {lookup: {of: boms, field: bom_id, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}, answer: bom}
  torn: {do: {lookup: {of: bom_lines, field: scrap_pct, where: {part: PK-280V}}}}
  laid_in: {do: {mul: [{lookup: {of: gland_values, field: value, where: {name: glands opened}}}, {lookup: {of: bom_lines, field: quantity_per, where: {part: PK-280V}}}]}, unit: ring}
  required: {do: {div: {of: [{mul: [laid_in, {add: [hundred, torn]}]}, hundred], round: up, places: 0}}, unit: ring, answer: required_rings}
  pressed_since: {do: {add_days: [today, {neg: {lookup: {of: age_rules, field: value, where: {status: CURRENT}}}}]}, answer: pressed_since}
  observed: {do: {sum: {of: spares, field: on_hand, where: {part: PK-280V}}}, unit: ring, answer: observed_rings}
  worn: {do: {sum: {of: spares, field: on_hand, where: {part: PK-280V, condition: {ne: NEW}}}}, unit: ring}
  promised: {do: {sum: {of: spares, field: reserved, where: {part: PK-280V, condition: NEW}}}, unit: ring}
  aged: {do: {sum: {of: drawers, field: rings, where: {pressed: {lt: {value: pressed_since}}}}}, unit: ring}
  excluded: {do: {add: [worn, promised, aged]}, unit: ring, answer: excluded_rings}
  usable: {do: {sub: [observed, excluded]}, unit: ring, answer: usable_rings}
  missing: {do: {max: [none, {sub: [required, usable]}]}, unit: ring, answer: missing_rings}
  maker: {do: {lookup: {of: ring_offers, field: vendor_id, where: {service: STANDARD, state: CONFIRMED}}}}
  pack: {do: {lookup: {of: quotes, field: multiple, where: {vendor_id: {value: maker}}}}}
  order_rings: {do: {mul: [pack, {div: {of: [missing, pack], round: up, places: 0}}]}, unit: ring, answer: order_rings}
  rings_cost:
    do: {add: [{mul: [order_rings, {lookup: {of: quotes, field: unit_price, where: {vendor_id: {value: maker}}}}]}, {lookup: {of: quotes, field: fixed_charge, where: {vendor_id: {value: maker}}}}]}
    unit: EUR
  ordinary_dock: {do: {lookup: {of: ring_offers, field: ready, where: {service: STANDARD, state: CONFIRMED, quantity: {ge: {value: order_rings}}}}}}
  ahead_dock: {do: {lookup: {of: ring_offers, field: ready, where: {service: AHEAD, state: CONFIRMED, quantity: {ge: {value: order_rings}}}}}}
  settle: {do: {lookup: {of: settle_rules, field: value, where: {status: CURRENT}}}}
` + pressWays + `  night: {do: {lookup: {of: terms, field: value, where: {name: surcharge for work by night, status: IN_FORCE}}}}
  premium: {do: {lookup: {of: premium_rules, field: value, where: {status: CURRENT}}}}
  a_cost: {do: {add: [rings_cost, {lookup: {of: ring_offers, field: charge, where: {service: AHEAD, state: CONFIRMED}}}, {mul: [a_lost, minute_rate]}]}, unit: EUR}
  b_call: {do: {lookup: {of: crew_offers, field: charge, where: {part: FITTERS, state: CONFIRMED}}}}
  b_cost: {do: {add: [{div: {of: [{mul: [b_call, {add: [hundred, night]}]}, hundred], round: half_up, places: 2}}, {mul: [b_lost, minute_rate]}]}, unit: EUR}
  c_cost: {do: {add: [rings_cost, {div: {of: [{mul: [crew, own_hours, fitter_rate, {add: [hundred, premium]}]}, hundred], round: half_up, places: 2}}]}, unit: EUR}
  d_cost: {do: {add: [rings_cost, {mul: [no_minutes, minute_rate]}]}, unit: EUR}
  weekend: {do: {exists: {of: approvals, where: {scope: WEEKEND, state: APPROVED, expires: {ge: {value: c_day}}}}}}
  own_limit: {do: {lookup: {of: limits, field: amount, where: {scope: STANDSTILL, status: ACTIVE}}}}
  committed: {do: {add: [{mul: [crane_days, crane_price]}, crane_charge]}, unit: EUR}
  may_spend: {do: {sub: [own_limit, committed]}, unit: EUR, answer: may_spend}
options:
  - {id: A, says: our fitters during the week, outcome: a_back, cost: a_cost, limit: may_spend, supported: {le: [a_used, hours_left]}, measures: {window: a_window, rings: a_from, by: own, hands: crew, in_hand: {sub: [hours_left, a_used]}, variance: a_late, at_visit: {if: [{gt: [a_late, no_days]}, not_ready, ready]}}}
  - {id: B, says: the builder's crew by night, outcome: b_back, cost: b_cost, limit: may_spend, supported: {le: [b_used, hours_left]}, measures: {window: b_window, rings: b_from, by: builder, hands: builder_crew, in_hand: {sub: [hours_left, b_used]}, variance: b_late, at_visit: {if: [{gt: [b_late, no_days]}, not_ready, ready]}}}
  - {id: C, says: our fitters on a Saturday, outcome: c_back, cost: c_cost, limit: may_spend, supported: {and: [weekend, {le: [c_used, hours_left]}]}, measures: {window: c_window, rings: c_from, by: own, hands: crew, in_hand: {sub: [hours_left, c_used]}, variance: c_late, at_visit: {if: [{gt: [c_late, no_days]}, not_ready, ready]}}}
  - {id: D, says: at Easter, outcome: d_back, cost: d_cost, limit: may_spend, supported: {le: [d_used, hours_left]}, measures: {window: d_window, rings: c_from, by: own, hands: crew, in_hand: {sub: [hours_left, d_used]}, variance: d_late, at_visit: {if: [{gt: [d_late, no_days]}, not_ready, ready]}}}
decision: {answer: option, order: [cost, outcome], among: approved}
changes:
  - id: booked
    role: primary
    says: the window of the way taken is booked for the repair of the ram, with those who do it
    tool: maint.windows.book
    args: {work_order: {value: order}, window_id: {value: chosen.window}, provider: {value: chosen.by}, crew: {value: chosen.hands}}
    rows:
      - {table: bookings, op: insert, values: {work_order: {value: order}, window_id: {value: chosen.window}, provider: {value: chosen.by}, crew: {value: chosen.hands}}}
      - {table: windows, op: update, values: {window_id: {value: chosen.window}, state: TAKEN}}
      - {table: work_orders, op: update, values: {work_order: {value: order}, status: BOOKED}}
    weight: 5
  - id: message
    role: communication
    says: the tool room lead has the draft of a chat message
    tool: chat.drafts.create
    args: {channel: press-shop, recipient: u-niko, about: {value: order}, text: {any: true}}
    rows: [{table: chat_drafts, op: insert, values: {recipient: u-niko, state: DRAFT}}]
readbacks:
  - {id: booking-seen, after: booked, tool: maint.bookings.get, identity: {args.booking_id: result.booking_id}, result: {/work_order: {value: order}, /window_id: {value: chosen.window}, /provider: {value: chosen.by}, /crew: {value: chosen.hands}, /state: BOOKED}}
messages:
  - id: told
    change: message
    to: {arg: recipient, is: u-niko}
    body: text
    facts: [{value: booked.booking_id}, {value: chosen.window}, {value: chosen.outcome}, {value: missing}]
    forbid: [{value: A.outcome}, {value: D.outcome}, {text: WO-4005, mention: true}]
    form: {sentences: 2, words: 25}
containment:
  - {table: bookings, op: insert, values: {work_order: {value: order}}, most: 1}
  - {table: windows, op: update, key: {window_id: {value: chosen.window}}, columns: [state], most: 1}
  - {table: work_orders, op: update, key: {work_order: {value: order}}, columns: [status, revision], most: 1}
  - {table: chat_drafts, op: insert, values: {recipient: u-niko, state: DRAFT}, most: 1}
answer:
  rings_here: {value: chosen.rings}
  window: {value: chosen.window}
  hours_in_hand: {value: chosen.in_hand}
  full_force_a: {value: A.outcome}
  full_force_b: {value: B.outcome}
  full_force_c: {value: C.outcome}
  full_force_d: {value: D.outcome}
  cost_a: {value: A.cost}
  cost_b: {value: B.cost}
  cost_c: {value: C.cost}
  cost_d: {value: D.cost}
  night_crew: {value: B.authority}
  easter_wait: {value: D.authority}
  visit_day: {value: visit_day}
  variance_days: {value: chosen.variance}
  state_at_visit: {value: chosen.at_visit}
  booking: {value: booked.booking_id}
`
