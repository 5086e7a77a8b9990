package main

// promiseReads are what the reference reads, in an order in which it can be found out.
func promiseReads() []read {
	return []read{
		{ID: "which-order", Says: "BL-77213 is one of the customer's two numbers, and the order behind it says how many units are built", Tool: "sched.orders.search", Args: m{"query": "BL-77213"},
			In:   []input{{Name: "order", At: "/orders/0/order_id", Type: "id"}},
			Pins: m{"/orders/0/customer_ref": "BL-77213", "/orders/0/quantity": "=units"}, Feeds: []string{"built_in"}, Category: "identity"},
		{ID: "order", Says: "the order says how many units, by which carrier they go and how long they are on the road", Tool: "sched.orders.get", Args: m{"order_id": "=order"}, Known: m{"order_id": "SO-10004"},
			In: []input{{Name: "units", At: "/quantity", Type: "integer", Unit: "unit"}, {Name: "carrier", At: "/carrier_calendar", Type: "text"}, {Name: "road", At: "/transit_days", Type: "integer", Unit: "day"},
				{Name: "job", At: "/jobs/0/job_id", Type: "id"}},
			Feeds: []string{"built_in", "load", "b_site"}},
		{ID: "job", Says: "the job says on which line it runs and with how many minutes it was planned", Tool: "sched.jobs.get", Args: m{"job_id": "=job"}, Known: m{"job_id": "JB-1004"},
			In: []input{{Name: "line", At: "/line", Type: "text"}, {Name: "planned_load", At: "/load_minutes", Type: "integer", Unit: "minute"}}, Feeds: []string{"load_change"}},
		{Tool: "drive.files.search", Args: m{"query": "BL-77213"}},
		{ID: "crane", Says: "the customer's new letter moves the crane, and with it the day that the promise is held against", Tool: "drive.files.read", Args: m{"file_id": "DR-1001"},
			In:   []input{{Name: "crane_day", At: "/text", Type: "date", Within: "{after: the crane will stand on the site on}"}},
			Pins: m{"/text": m{"contains": []any{"takes the place of our letter"}}}, Feeds: []string{"b_late"}},
		{ID: "standby", Says: "the terms agreed with the customer say what a day costs on which his crane waits", Tool: "drive.files.read", Args: m{"file_id": "DR-1003"},
			In:   []input{{Name: "standby", At: "/text", Type: "decimal", Unit: "EUR/day", Within: "{after: standby of the crane is charged at EUR}"}},
			Pins: m{"/text": m{"contains": []any{"each calendar day"}}}, Feeds: []string{"a_cost"}},
		{ID: "bom-revisions", Says: "of three bills of material the one counts whose days hold today", Tool: "specs.boms.list", Args: m{"assembly": "PU-90E"},
			In:   []input{{Name: "boms", At: "/boms", Type: "rows", Fields: "{bom_id: id, revision: text, valid_from: date, valid_to: date}"}},
			Pins: m{"/boms/*/bom_id": "=bom", "/boms/*/status": "CURRENT"}, Feeds: []string{"bom"}, Category: "correlation"},
		{ID: "bom", Says: "each unit takes a number of seals, and some are lost at fitting", Tool: "specs.boms.get", Args: m{"bom_id": "=bom"}, Known: m{"bom_id": "BM-102"},
			In:   []input{{Name: "bom_lines", At: "/lines", Type: "rows", Fields: "{part: id, quantity_per: {type: integer, unit: seal/unit}, scrap_pct: {type: decimal, unit: percent}}"}},
			Pins: m{"/lines/*/part": "SC-45H", "/lines/*/scrap_pct": "=scrap"}, Feeds: []string{"required"}},
		{ID: "lots", Says: "the lots of the seal with their state, their last day and the revision that they were made to", Tool: "stores.lots.list", Args: m{"part": "SC-45H"},
			In:   []input{{Name: "lots", At: "/lots", Type: "rows", Fields: "{lot_id: id, quantity: {type: integer, unit: seal}, status: text, expires: date, made_to: text}"}},
			Pins: m{"/lots/*/lot_id": "LT-1002", "/lots/*/expires": "2035-07-15"}, Feeds: []string{"observed", "not_free", "old_made", "short_lived"}},
		{ID: "set-aside", Says: "what of the lots is set aside for another job and so not ours", Tool: "stores.reservations.list", Args: m{"part": "SC-45H"},
			In:   []input{{Name: "reservations", At: "/reservations", Type: "rows", Fields: "{lot_id: id, purpose: text, quantity: {type: integer, unit: seal}, state: text}"}},
			Pins: m{"/reservations/*/reservation_id": "RV-101", "/reservations/*/state": "ACTIVE"}, Feeds: []string{"set_aside"}},
		{ID: "held", Says: "how many pieces of a free lot are on hold and so not to be used", Tool: "quality.holds.search", Args: m{"query": "SC-45H"},
			In:   []input{{Name: "holds", At: "/holds", Type: "rows", Fields: "{lot_id: id, quantity: {type: integer, unit: seal}, state: text}"}},
			Pins: m{"/holds/*/hold_id": "QH-1001", "/holds/*/state": "OPEN"}, Feeds: []string{"in_hold"}},
		{ID: "failed", Says: "the inspection that counts failed pieces which still lie in their lot", Tool: "quality.inspections.list", Args: m{"lot_id": "LT-1005"},
			In:   []input{{Name: "inspections", At: "/inspections", Type: "rows", Fields: "{rejected: {type: integer, unit: seal}, status: text}"}},
			Pins: m{"/inspections/*/inspection_id": "QI-1001", "/inspections/*/rejected": "=failed", "/inspections/*/status": "FINAL"}, Feeds: []string{"failed"}},
		{ID: "seal-revision", Says: "which revision of the seal's specification counts, so that older lots fall out", Tool: "specs.documents.search", Args: m{"query": "SC-45H"},
			In:   []input{{Name: "seal_documents", At: "/documents", Type: "rows", Fields: "{spec_id: id, revision: text, status: text}"}},
			Pins: m{"/documents/*/revision": "=seal_revision", "/documents/*/status": "CURRENT"}, Feeds: []string{"old_made"}, Category: "correlation"},
		{ID: "shelf-life", Says: "how long a seal must keep when it is issued, by the revision of the rule that counts", Tool: "specs.rules.list", Args: m{"query": "shelf life"},
			In:   []input{{Name: "life_rules", At: "/rules", Type: "rows", Fields: "{value: {type: integer, unit: day}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-102", "/rules/*/status": "CURRENT"}, Feeds: []string{"cutoff"}},
		{ID: "purchase", Says: "which purchase order brings more of the seals, and from whom", Tool: "purchasing.orders.search", Args: m{"query": "SC-45H", "status": "CONFIRMED"},
			In:    []input{{Name: "po", At: "/orders/0/po_id", Type: "id"}, {Name: "vendor", At: "/orders/0/vendor_id", Type: "id"}},
			Feeds: []string{"incoming"}, Category: "identity"},
		{ID: "open-line", Says: "how many seals of the order are still to come", Tool: "purchasing.orders.get", Args: m{"po_id": "=po"}, Known: m{"po_id": "PO-100011"},
			In:   []input{{Name: "po_lines", At: "/lines", Type: "rows", Fields: "{part: id, quantity: {type: integer, unit: seal}, received: {type: integer, unit: seal}}"}},
			Pins: m{"/lines/*/part": "SC-45H", "/lines/*/received": m{"lt": 66}}, Feeds: []string{"incoming"}},
		{ID: "confirmed", Says: "what the vendor has confirmed for each service: how many, when and at what charge, and what he has not", Tool: "vendors.confirmations.list", Args: m{"reference": "=po"}, Known: m{"reference": "PO-100011"},
			In:   []input{{Name: "offers", At: "/confirmations", Type: "rows", Fields: "{confirmation_id: id, service: text, quantity: {type: integer, unit: seal}, ready: date, charge: {type: decimal, unit: EUR}, state: text}"}},
			Pins: m{"/confirmations/*/confirmation_id": "CF-1003", "/confirmations/*/ready": "=b_dock", "/confirmations/*/state": "CONFIRMED"}, Feeds: []string{"a_dock", "b_dock", "c_dock", "d_dock"}},
		{ID: "vendor-road", Says: "how many days the seals are on the road from the vendor to us", Tool: "vendors.search", Args: m{"query": "=vendor"}, Known: m{"query": "V-101"},
			In: []input{{Name: "vendor_road", At: "/vendors/0/transit_days", Type: "integer", Unit: "day"}}, Feeds: []string{"b_here"}},
		{ID: "haste", Says: "what the contract with the vendor adds for each seal that comes faster", Tool: "purchasing.contracts.list", Args: m{"vendor_id": "=vendor"}, Known: m{"vendor_id": "V-101"},
			In:   []input{{Name: "terms", At: "/terms", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: EUR/seal}, status: text}"}},
			Pins: m{"/terms/*/clause": "7.2", "/terms/*/value": "=surcharge", "/terms/*/status": "IN_FORCE"}, Feeds: []string{"b_cost"}},
		{ID: "goods-in", Says: "how long the goods-in check of seals takes, by the rule that counts", Tool: "specs.rules.list", Args: m{"query": "goods-in check"},
			In:   []input{{Name: "check_rules", At: "/rules", Type: "rows", Fields: "{value: {type: integer, unit: day}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-104", "/rules/*/status": "CURRENT"}, Feeds: []string{"b_free"}},
		{ID: "plant-days", Says: "on which days somebody is at goods-in: not at weekends, not at Easter", Tool: "sched.calendar.list", Args: m{"calendar": "PLANT", "limit": 100},
			In:   []input{{Name: "plant_days", At: "/days", Type: "rows", Fields: "{day: date, state: text}"}},
			Pins: m{"/days/*/day": "=b_free", "/days/*/state": "OPEN"}, Feeds: []string{"a_free", "b_free"}},
		{ID: "times", Says: "how long one unit takes on the line, by the routing that counts today", Tool: "sched.routings.list", Args: m{"item": "PU-90E", "line": "=line"}, Known: m{"line": "PU-2"},
			In:   []input{{Name: "routings", At: "/routings", Type: "rows", Fields: "{setup_minutes: {type: integer, unit: minute}, minutes_each: {type: decimal, unit: minute/unit}, valid_from: date, valid_to: date}"}},
			Pins: m{"/routings/*/minutes_each": "=each", "/routings/*/status": "CURRENT"}, Feeds: []string{"load"}},
		{ID: "availability", Says: "what share of a shift the line really runs", Tool: "sched.lines.list", Args: m{"query": "=line"}, Known: m{"query": "PU-2"},
			In: []input{{Name: "availability", At: "/lines/0/availability_pct", Type: "decimal", Unit: "percent"}}, Feeds: []string{"load"}},
		{ID: "slots", Says: "which slots of the line are open and long enough, and which are kept for others", Tool: "sched.slots.list", Args: m{"line": "=line"}, Known: m{"line": "PU-2"},
			In:   []input{{Name: "slots", At: "/slots", Type: "rows", Fields: "{slot_id: id, starts: date, ends: date, minutes_free: {type: integer, unit: minute}, state: text}"}},
			Pins: m{"/slots/*/slot_id": "=chosen.slot", "/slots/*/state": "OPEN", "/slots/*/ends": "=chosen.end"}, Feeds: []string{"a_start", "b_start", "c_start"}},
		{ID: "test-revision", Says: "which revision of the test counts", Tool: "specs.documents.search", Args: m{"query": "PU-90 power"},
			In:   []input{{Name: "test_documents", At: "/documents", Type: "rows", Fields: "{spec_id: id, revision: text, status: text}"}},
			Pins: m{"/documents/*/spec_id": "HS-102", "/documents/*/revision": "=test_revision", "/documents/*/status": "CURRENT"}, Feeds: []string{"test_revision"}, Category: "correlation"},
		{ID: "test", Says: "how many days the units stand under pressure after the run-in", Tool: "specs.values.list", Args: m{"spec_id": "HS-102", "revision": "=test_revision"}, Known: m{"revision": "2"},
			In:   []input{{Name: "test_values", At: "/values", Type: "rows", Fields: "{name: text, value: {type: integer, unit: day}}"}},
			Pins: m{"/values/*/name": "hold after run-in", "/values/*/value": "=hold_days"}, Feeds: []string{"b_tested"}},
		{Tool: "drive.files.search", Args: m{"query": "bay plan"}},
		{ID: "bay", Says: "on which days the test bay is free, by the plan of this week", Tool: "drive.files.read", Args: m{"file_id": "DR-1005"},
			In:   []input{{Name: "bay", At: "/text", Type: "rows", Within: "{sheet: TB-1}", Fields: "{day: date, state: text}"}},
			Pins: m{"/text": m{"contains": []any{"week 10 issue"}}}, Feeds: []string{"a_bay", "b_bay", "c_bay"}},
		{ID: "departures", Says: "on which days the carrier leaves for the coast", Tool: "sched.calendar.list", Args: m{"calendar": "=carrier"}, Known: m{"calendar": "CARRIER-COAST"},
			In:   []input{{Name: "departures", At: "/days", Type: "rows", Fields: "{day: date, state: text}"}},
			Pins: m{"/days/*/day": "=b_leaves", "/days/*/state": "OPEN"}, Feeds: []string{"a_leaves", "b_leaves", "c_leaves"}},
		{ID: "limit", Says: "what may be spent on haste for an order by one's own decision", Tool: "approvals.limits.list", Args: m{"user_id": "u-maren"},
			In:   []input{{Name: "limits", At: "/limits", Type: "rows", Fields: "{scope: text, amount: {type: decimal, unit: EUR}, status: text}"}},
			Pins: m{"/limits/*/scope": "EXPEDITE", "/limits/*/amount": "=own_limit", "/limits/*/status": "ACTIVE"}, Feeds: []string{"may_spend"}, Category: "authority"},
		{ID: "granted", Says: "what the plant manager has signed for this purchase order and until when, and what he has not", Tool: "approvals.decisions.search", Args: m{"query": "=po"}, Known: m{"query": "PO-100011"},
			In:   []input{{Name: "approvals", At: "/approvals", Type: "rows", Fields: "{amount: {type: decimal, unit: EUR}, state: text, expires: date}"}},
			Pins: m{"/approvals/*/approval_id": "AP-101", "/approvals/*/state": "APPROVED", "/approvals/*/amount": "=granted"}, Feeds: []string{"may_spend"}, Category: "authority"},
		{Tool: "mail.people.search", Args: m{"query": "Amira"}},
	}
}

var promiseContract = `
derivations:
  today: {do: as_of}
  hundred: {do: {const: 100, unit: percent, why: a share is of a hundred}}
  none: {do: {const: 0, unit: seal, why: a surplus is no shortage}}
  no_days: {do: {const: 0, unit: day, why: an early day costs no standby}}
  bom: {do: {lookup: {of: boms, field: bom_id, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}, answer: bom}
  scrap: {do: {lookup: {of: bom_lines, field: scrap_pct, where: {part: SC-45H}}}}
  built_in: {do: {mul: [units, {lookup: {of: bom_lines, field: quantity_per, where: {part: SC-45H}}}]}, unit: seal}
  required: {do: {div: {of: [{mul: [built_in, {add: [hundred, scrap]}]}, hundred], round: up, places: 0}}, unit: seal, answer: required_seals}
  seal_revision: {do: {lookup: {of: seal_documents, field: revision, where: {spec_id: HS-101, status: CURRENT}}}}
  cutoff: {do: {add_days: [today, {lookup: {of: life_rules, field: value, where: {status: CURRENT}}}]}, answer: shelf_life_until}
  observed: {do: {sum: {of: lots, field: quantity}}, unit: seal, answer: observed_seals}
  not_free: {do: {sum: {of: lots, field: quantity, where: {status: {ne: FREE}}}}, unit: seal}
  old_made: {do: {sum: {of: lots, field: quantity, where: {status: FREE, made_to: {ne: {value: seal_revision}}}}}, unit: seal}
  short_lived: {do: {sum: {of: lots, field: quantity, where: {status: FREE, made_to: {value: seal_revision}, expires: {lt: {value: cutoff}}}}}, unit: seal}
  set_aside: {do: {sum: {of: reservations, field: quantity, where: {state: ACTIVE}}}, unit: seal}
  in_hold: {do: {sum: {of: holds, field: quantity, where: {state: OPEN}}}, unit: seal}
  failed: {do: {sum: {of: inspections, field: rejected, where: {status: FINAL}}}, unit: seal}
  excluded: {do: {add: [not_free, old_made, short_lived, set_aside, in_hold, failed]}, unit: seal, answer: excluded_seals}
  usable: {do: {sub: [observed, excluded]}, unit: seal, answer: usable_seals}
  missing: {do: {max: [none, {sub: [required, usable]}]}, unit: seal, answer: missing_seals}
  incoming:
    do: {sub: [{lookup: {of: po_lines, field: quantity, where: {part: SC-45H}}}, {lookup: {of: po_lines, field: received, where: {part: SC-45H}}}]}
    unit: seal
    answer: incoming_seals
  each: {do: {lookup: {of: routings, field: minutes_each, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  setup: {do: {lookup: {of: routings, field: setup_minutes, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  load: {do: {div: {of: [{mul: [{add: [setup, {mul: [units, each]}]}, hundred]}, availability], round: up, places: 0}}, unit: minute, answer: load_minutes}
  load_change: {do: {sub: [load, planned_load]}, unit: minute, answer: load_change}
  check_days: {do: {lookup: {of: check_rules, field: value, where: {status: CURRENT}}}}
  test_revision: {do: {lookup: {of: test_documents, field: revision, where: {spec_id: HS-102, status: CURRENT}}}}
  hold_days: {do: {lookup: {of: test_values, field: value, where: {name: hold after run-in}}}}
  surcharge: {do: {lookup: {of: terms, field: value, where: {name: surcharge for haste, status: IN_FORCE}}}}
  own_limit: {do: {lookup: {of: limits, field: amount, where: {scope: EXPEDITE, status: ACTIVE}}}}
  granted: {do: {sum: {of: approvals, field: amount, where: {state: APPROVED, expires: {ge: {value: today}}}}}}
  may_spend: {do: {add: [own_limit, granted]}, unit: EUR, answer: may_spend}
` + promiseWays + `
options:
  - {id: A, says: the delivery as it is confirmed, outcome: a_site, cost: a_cost, limit: may_spend, supported: {ge: [incoming, missing]}, measures: {slot: a_slot, end: a_end, free: a_free, tested: a_tested, variance: {days_between: [crane_day, a_site]}, timing: {if: [{gt: [{days_between: [crane_day, a_site]}, no_days]}, late, in_time]}}}
  - {id: B, says: the vendor's express service, outcome: b_site, cost: b_cost, limit: may_spend, supported: b_bound, measures: {slot: b_slot, end: b_end, free: b_free, tested: b_tested, variance: {days_between: [crane_day, b_site]}, timing: {if: [{gt: [{days_between: [crane_day, b_site]}, no_days]}, late, in_time]}}}
  - {id: C, says: his air freight, outcome: c_site, cost: c_cost, limit: may_spend, supported: c_bound, measures: {slot: c_slot, end: c_end, free: c_free, tested: c_tested, variance: {days_between: [crane_day, c_site]}, timing: {if: [{gt: [{days_between: [crane_day, c_site]}, no_days]}, late, in_time]}}}
  - {id: D, says: his own van, outcome: d_site, cost: d_cost, limit: may_spend, supported: d_bound, measures: {slot: d_slot, end: d_end, free: d_free, tested: d_tested, variance: {days_between: [crane_day, d_site]}, timing: {if: [{gt: [{days_between: [crane_day, d_site]}, no_days]}, late, in_time]}}}
decision: {answer: option, order: [outcome, cost], among: approved}
changes:
  - id: haste-taken
    role: supporting
    says: the vendor's service that the way needs is taken up on the purchase order
    tool: purchasing.orders.expedite
    args: {po_id: {value: po}, confirmation_id: {value: b_confirmation}}
    rows:
      - {table: po_lines, op: update, values: {po_id: {value: po}, service: EXPRESS, charge: {value: b_charge}}}
    weight: 2
  - id: moved
    role: primary
    says: the job stands in the slot of the way taken, with the minutes that it loads
    tool: sched.jobs.move
    args: {job_id: {value: job}, slot_id: {value: chosen.slot}, load_minutes: {value: load}}
    rows:
      - {table: jobs, op: update, values: {job_id: {value: job}, slot_id: {value: chosen.slot}, load_minutes: {value: load}}}
      - {table: slots, op: update, values: {slot_id: {value: chosen.slot}, minutes_free: {value: left_over}}}
    weight: 4
  - id: promised
    role: supporting
    says: the order carries the day that was promised
    tool: sched.orders.promise
    args: {order_id: {value: order}, promised: {value: chosen.outcome}}
    rows:
      - {table: customer_orders, op: update, values: {order_id: {value: order}, promised: {value: chosen.outcome}}}
    weight: 2
  - id: mail
    role: communication
    says: customer service has the draft of a mail
    tool: mail.drafts.create
    args: {recipient: u-amira, about: {value: order}, body: {any: true}}
    rows: [{table: mail_drafts, op: insert, values: {recipient: u-amira, state: DRAFT}}]
readbacks:
  - {id: haste-seen, after: haste-taken, tool: purchasing.orders.get, identity: {args.po_id: result.po_id}, result: {"/lines/*/line_no": 1, "/lines/*/service": EXPRESS, "/lines/*/charge": {value: b_charge}}}
  - {id: move-seen, after: moved, tool: sched.jobs.get, identity: {args.job_id: result.job_id}, result: {/slot_id: {value: chosen.slot}, /load_minutes: {value: load}}}
  - {id: promise-seen, after: promised, tool: sched.orders.get, identity: {args.order_id: result.order_id}, result: {/promised: {value: chosen.outcome}}}
messages:
  - id: told
    change: mail
    to: {arg: recipient, is: u-amira}
    body: body
    facts: [{value: order}, {value: chosen.outcome}, {value: chosen.slot}, {value: missing}]
    forbid: [{value: C.outcome}, {value: A.outcome}, {text: CF-1005, mention: true}]
    form: {sentences: 2, words: 25}
containment:
  - {table: jobs, op: update, key: {job_id: {value: job}}, columns: [slot_id, load_minutes, moved_by, revision], most: 1}
  - {table: slots, op: update, key: {slot_id: {value: chosen.slot}}, columns: [minutes_free], most: 1}
  - {table: slots, op: update, key: {slot_id: SL-1001}, columns: [minutes_free], most: 1}
  - {table: customer_orders, op: update, key: {order_id: {value: order}}, columns: [promised, revision], most: 1}
  - {table: po_lines, op: update, key: {po_id: {value: po}, line_no: 1}, columns: [due, charge, service], most: 1}
  - {table: purchase_orders, op: update, key: {po_id: {value: po}}, columns: [revision], most: 1}
  - {table: mail_drafts, op: insert, values: {recipient: u-amira, state: DRAFT}, most: 1}
answer:
  slot: {value: chosen.slot}
  seals_ready: {value: chosen.free}
  test_ends: {value: chosen.tested}
  standing_c: {value: C.authority}
  standing_d: {value: D.authority}
  site_day_a: {value: A.outcome}
  site_day_b: {value: B.outcome}
  site_day_c: {value: C.outcome}
  site_day_d: {value: D.outcome}
  cost_a: {value: A.cost}
  cost_b: {value: B.cost}
  cost_c: {value: C.cost}
  cost_d: {value: D.cost}
  crane_day: {value: crane_day}
  variance_days: {value: chosen.variance}
  timing: {value: chosen.timing}
`
