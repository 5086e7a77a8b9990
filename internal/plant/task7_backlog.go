package main

import (
	"fmt"
	"strings"
)

func init() { register(7, backlog) }

// backlog: how many manifolds is the line behind, and which extra shift that the crew has offered makes good for it, by the
// works agreement, the hours of the crew, the cartridges and the lorry?
func backlog(p *plant) *task {
	backlogRows(p)
	return &task{
		ID: "one-more-shift", Family: "resource", Title: "One more shift for Norrvik", Role: "assembly supervisor", User: "u-jonas", AsOf: "2035-03-09",
		Request: `
Norrvik is breathing down our necks over their number NFM-3304. We have slipped two call-offs, and with what the line gives in
ordinary time we are not level again before Easter. The crew would rather come in once and be done with it than hear of it every
morning, and they have put shifts on offer. How many manifolds are we really behind, counting only what can go out of the door? And then
I want one extra shift opened that clears all of it, the soonest that the works agreement and the crew's hours let us have, with
the cartridges here before they begin, and for no more than I may pay plus what Lars has put on top for this line. What is against
the agreement I will not open, and what is dearer I would have to ask for. Leave Elke the draft of a message in our weekend
channel, filed under that very shift, so that she can roster it: for how many pieces it is, and on which day the last of them
leaves our dock, seen against the day on which Norrvik's own shelf runs dry.`,
		Handles:  [][2]string{{"customer_number", "NFM-3304"}},
		Answer:   backlogAnswer,
		Given:    []string{"shelf_day"},
		Reads:    backlogReads(),
		Contract: backlogContract(),
		Work: []call{
			{"sched.shifts.open", m{"shift_id": "SH-704", "item": "MF-16", "revision": 2}},
			{"sched.shifts.list", m{"line": "MF-1", "state": "OPEN"}},
			{"chat.drafts.create", m{"channel": "weekend", "recipient": "u-elke", "about": "SH-704", "text": `Please roster SH-704, which is open for MF-16 now and makes the 54 manifolds that we are behind. The last of them leave our dock on 20 March 2035, and Norrvik builds from its own shelf for four days longer than that. It hangs on the cartridges being checked in time and on all four of the crew coming. A night shift would be quicker but is a question for Lars.`}},
			{"assay.submit_answer", m{
				"planned_until": "2035-03-21", "called_off": 156, "required_manifolds": 166, "observed_manifolds": 83, "excluded_manifolds": 53, "usable_manifolds": 30, "ordinary_output": 82, "behind_manifolds": 54,
				"load_minutes": 333, "needed_cartridges": 341, "missing_cartridges": 176, "cartridges_free": "2035-03-15", "earliest_announced": "2035-03-14", "option": "D", "shift": "SH-704", "tested": "2035-03-19", "week_hours": 46.75,
				"leaves_a": "2035-03-16", "cost_a": 1638.00, "leaves_b": "2035-03-13", "cost_b": 1394.40, "leaves_c": "2035-04-03", "cost_c": 1066.80, "leaves_d": "2035-03-20", "cost_d": 1347.60,
				"standing_a": "needs_approval", "standing_b": "unsupported", "may_pay": 1400.00, "shelf_day": "2035-03-24", "variance_days": -4, "timing": "SHELF_HOLDS",
			}},
		},
		Files: append(backlogFiles(p), backlogPapers(p)...),
	}
}

const backlogAnswer = `
planned_until: {type: date, description: "Last day whose call-offs are planned for today"}
called_off: {type: integer, unit: manifold, description: "Manifolds that are called off for good up to that day and not sent"}
required_manifolds: {type: integer, unit: manifold, description: "Manifolds that must be there for them, with what is kept beyond"}
observed_manifolds: {type: integer, unit: manifold, description: "Finished manifolds in our stores whatever their state"}
excluded_manifolds: {type: integer, unit: manifold, description: "Of them, those that cannot go to this customer"}
usable_manifolds: {type: integer, unit: manifold, description: "Of them, those that can"}
ordinary_output: {type: integer, unit: manifold, description: "Whole manifolds that the line makes up to that day in what is open of its ordinary time"}
behind_manifolds: {type: integer, unit: manifold, description: "Manifolds that are then still missing"}
load_minutes: {type: integer, unit: minute, description: "Minutes of an extra shift that they take"}
needed_cartridges: {type: integer, unit: cartridge, description: "Cartridges to be issued for them"}
missing_cartridges: {type: integer, unit: cartridge, description: "Cartridges that are short for them"}
cartridges_free: {type: date, description: "First day on which these are here and checked"}
earliest_announced: {type: date, description: "First day for which an extra shift can still be announced"}
option: {type: enum, values: [A, B, C, D], description: "A: a night in the week. B: the first Saturday on offer. C: the Saturday after the one of D. D: the first Saturday that can be announced and supplied."}
shift: {type: id, table: shifts, column: shift_id, description: "The shift that was opened"}
tested: {type: date, description: "Day on which the pieces of that shift are through their pressure test"}
week_hours: {type: decimal, places: 2, unit: hour, description: "Hours that each of the crew then has in the week of that shift"}
leaves_a: {type: date, description: "Day on which the last of them leaves our dock by A"}
cost_a: {type: decimal, places: 2, unit: EUR, description: "What A costs"}
leaves_b: {type: date, description: "Day on which the last of them leaves our dock by B"}
cost_b: {type: decimal, places: 2, unit: EUR, description: "What B costs"}
leaves_c: {type: date, description: "Day on which the last of them leaves our dock by C"}
cost_c: {type: decimal, places: 2, unit: EUR, description: "What C costs"}
leaves_d: {type: date, description: "Day on which the last of them leaves our dock by D"}
cost_d: {type: decimal, places: 2, unit: EUR, description: "What D costs"}
standing_a: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether A may be taken"}
standing_b: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether B may be taken"}
may_pay: {type: decimal, places: 2, unit: EUR, description: "What may be paid for extra shifts of this line without asking again"}
shelf_day: {type: date, description: "Day up to which the customer's own shelf lasts"}
variance_days: {type: integer, unit: day, description: "Days from that day to the day of the way taken, with a minus when it is earlier"}
timing: {type: enum, values: [SHELF_HOLDS, SHELF_EMPTY], description: "SHELF_EMPTY when the last of them leaves later than the shelf lasts"}
`

func backlogContract() string {
	var b strings.Builder
	b.WriteString(`
derivations:
  today: {do: as_of}
  tomorrow: {do: {add_days: [today, {const: 1, unit: day, why: a shift of today has begun}]}}
  hundred: {do: {const: 100, unit: percent, why: a share is of a hundred}}
  sixty: {do: {const: 60, unit: minute/hour, why: minutes of an hour}}
  none: {do: {const: 0, unit: manifold, why: being ahead is not being behind}}
  enough: {do: {const: 0, unit: cartridge, why: a surplus is no shortage}}
  planned_until: {do: {add_days: [today, {lookup: {of: call_days, field: value, where: {parameter: days for which call-offs are planned, status: CURRENT}}}]}, answer: planned_until}
  called_off: {do: {sum: {of: calls, field: pieces, where: {state: FIRM, day: {le: {value: planned_until}}}}}, unit: manifold, answer: called_off}
  beyond: {do: {lookup: {of: call_shares, field: value, where: {parameter: share kept beyond the call-offs, status: CURRENT}}}}
  required: {do: {div: {of: [{mul: [called_off, {add: [hundred, beyond]}]}, hundred], round: up, places: 0}}, unit: manifold, answer: required_manifolds}
  revision: {do: {lookup: {of: papers, field: revision, where: {status: CURRENT}}}}
  rest: {do: {lookup: {of: test_values, field: value, where: {name: stands under pressure}}}}
  observed: {do: {sum: {of: lots, field: quantity}}, unit: manifold, answer: observed_manifolds}
  not_free: {do: {sum: {of: lots, field: quantity, where: {status: {ne: FREE}}}}, unit: manifold}
  old_thread: {do: {sum: {of: lots, field: quantity, where: {status: FREE, made_to: {ne: {value: revision}}}}}, unit: manifold}
  for_others: {do: {sum: {of: set_aside, field: quantity, where: {state: ACTIVE}}}, unit: manifold}
  leaking: {do: {sum: {of: tests, field: rejected, where: {status: FINAL}}}, unit: manifold}
  excluded: {do: {add: [not_free, old_thread, for_others, leaking]}, unit: manifold, answer: excluded_manifolds}
  usable: {do: {sub: [observed, excluded]}, unit: manifold, answer: usable_manifolds}
  each: {do: {lookup: {of: routings, field: minutes_each, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  setup: {do: {lookup: {of: routings, field: setup_minutes, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  open_minutes: {do: {sum: {of: slots, field: minutes_free, where: {state: OPEN, ends: {le: {value: planned_until}}}}}, unit: minute}
  ordinary: {do: {div: {of: [{mul: [open_minutes, runs]}, {mul: [each, hundred]}], round: down, places: 0}}, unit: manifold, answer: ordinary_output}
  behind: {do: {max: [none, {sub: [required, {add: [usable, ordinary]}]}]}, unit: manifold, answer: behind_manifolds}
  pace: {do: {lookup: {of: pace_rules, field: value, where: {status: CURRENT}}}}
  load: {do: {div: {of: [{mul: [{add: [setup, {mul: [behind, each]}]}, hundred, hundred]}, {mul: [runs, pace]}], round: up, places: 0}}, unit: minute, answer: load_minutes}
  bom: {do: {lookup: {of: boms, field: bom_id, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  lost: {do: {lookup: {of: bom_lines, field: scrap_pct, where: {part: CV-16}}}}
  needed: {do: {div: {of: [{mul: [behind, {lookup: {of: bom_lines, field: quantity_per, where: {part: CV-16}}}, {add: [hundred, lost]}]}, hundred], round: up, places: 0}}, unit: cartridge, answer: needed_cartridges}
  on_shelf: {do: {sub: [{sum: {of: cartridges, field: quantity, where: {status: FREE}}}, {sum: {of: cartridges_kept, field: quantity, where: {state: ACTIVE}}}]}, unit: cartridge}
  short: {do: {max: [enough, {sub: [needed, on_shelf]}]}, unit: cartridge, answer: missing_cartridges}
  dock: {do: {min: {of: offers, field: ready, where: {state: CONFIRMED, quantity: {ge: {value: short}}}}}}
  here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [dock, road]}}}}
  supplied: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [here, {lookup: {of: check_rules, field: value, where: {status: CURRENT}}}]}}}, answer: cartridges_free}
  announced: {do: {add_days: [today, {lookup: {of: notice_rules, field: value, where: {status: CURRENT}}}]}, answer: earliest_announced}
  most_hours: {do: {lookup: {of: hour_rules, field: value, where: {status: CURRENT}}}}
  hall: {do: {lookup: {of: hall_rules, field: value, where: {status: CURRENT}}}}
  own_limit: {do: {lookup: {of: limits, field: amount, where: {scope: EXTRA_SHIFT, status: ACTIVE}}}}
  on_top: {do: {sum: {of: approvals, field: amount, where: {subject: {value: line}, state: APPROVED, expires: {ge: {value: today}}}}}}
  may_pay: {do: {add: [own_limit, on_top]}, unit: EUR, answer: may_pay}
  a_day: {do: {next_of: {of: offered, field: day, where: {kind: NIGHT, state: OFFERED, minutes: {ge: {value: load}}}, from: {later: [tomorrow, supplied]}}}}
  b_day: {do: {next_of: {of: offered, field: day, where: {kind: SATURDAY, state: OFFERED, minutes: {ge: {value: load}}}, from: tomorrow}}}
  d_day: {do: {next_of: {of: offered, field: day, where: {kind: SATURDAY, state: OFFERED, minutes: {ge: {value: load}}}, from: {later: [announced, supplied]}}}}
  c_day: {do: {next_of: {of: offered, field: day, where: {kind: SATURDAY, state: OFFERED, minutes: {ge: {value: load}}}, from: d_day, strict: true}}}
`)
	for _, w := range [][2]string{{"a", "NIGHT"}, {"b", "SATURDAY"}, {"c", "SATURDAY"}, {"d", "SATURDAY"}} {
		head, tail := "{add: [", ", hall]}" // the hall of a weekend; at night it runs anyhow
		if w[1] == "NIGHT" {
			head, tail = "", ""
		}
		b.WriteString(strings.NewReplacer("@", w[0], "KIND", w[1], "HEAD", head, "TAIL", tail).Replace(`  @_shift: {do: {lookup: {of: offered, field: shift_id, where: {kind: KIND, state: OFFERED, minutes: {ge: {value: load}}, day: {value: @_day}}}}}
  @_minutes: {do: {lookup: {of: offered, field: minutes, where: {shift_id: {value: @_shift}}}}}
  @_week: {do: {add: [{lookup: {of: roster, field: hours, where: {from: {le: {value: @_day}}, until: {ge: {value: @_day}}}}}, {div: {of: [@_minutes, sixty], round: exact, places: 2}}]}, unit: hour}
  @_may: {do: {and: [{ge: [@_day, announced]}, {ge: [@_day, supplied]}, {le: [@_week, most_hours]}, {not: {exists: {of: windows, where: {day: {value: @_day}, state: TAKEN}}}}]}}
  @_tested: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [@_day, rest]}}}}
  @_leaves: {do: {next_of: {of: lorries, field: day, where: {state: OPEN}, from: @_tested}}}
  @_cost:
    do: HEAD{div: {of: [{mul: [@_minutes, {lookup: {of: offered, field: crew, where: {shift_id: {value: @_shift}}}}, wage, {add: [hundred, {lookup: {of: offered, field: premium_pct, where: {shift_id: {value: @_shift}}}}]}]}, {mul: [sixty, hundred]}], round: half_up, places: 2}}TAIL
    unit: EUR
`))
	}
	b.WriteString(`  no_days: {do: {const: 0, unit: day, why: the last day of the shelf is still in time}}
  holds_out: {do: {const: SHELF_HOLDS, why: the word for a shelf that lasts as long}}
  runs_dry: {do: {const: SHELF_EMPTY, why: the word for one that does not}}
options:
`)
	for _, o := range [][2]string{{"A", "a night in the week"}, {"B", "the first Saturday on offer"}, {"C", "the Saturday after the one of D"}, {"D", "the first Saturday that can be announced and supplied"}} {
		b.WriteString(strings.NewReplacer("@", strings.ToLower(o[0]), "ID", o[0], "SAYS", o[1]).Replace(
			"  - {id: ID, says: SAYS, outcome: @_leaves, cost: @_cost, limit: may_pay, supported: @_may, measures: {shift: @_shift, tested: @_tested, week: @_week, variance: {days_between: [shelf_day, @_leaves]}, timing: {if: [{gt: [{days_between: [shelf_day, @_leaves]}, no_days]}, runs_dry, holds_out]}}}\n"))
	}
	fmt.Fprint(&b, `decision: {answer: option, order: [outcome, cost], among: approved}
changes:
  - id: opened
    role: primary
    says: the shift of the way taken is open, for the item that is behind
    tool: sched.shifts.open
    args: {shift_id: {value: chosen.shift}, item: {value: item}}
    rows:
      - {table: shifts, op: update, values: {shift_id: {value: chosen.shift}, state: OPEN, item: {value: item}, opened_by: u-jonas}}
    weight: 5
  - id: message
    role: communication
    says: who makes the rosters has the draft of a message in the channel
    tool: chat.drafts.create
    args: {channel: weekend, recipient: u-elke, about: {value: chosen.shift}, text: {any: true}}
    rows: [{table: chat_drafts, op: insert, values: {recipient: u-elke, channel: weekend, state: DRAFT}}]
readbacks:
  - {id: shift-seen, after: opened, tool: sched.shifts.list, identity: {"result/shifts/*/shift_id": result.shift_id}, result: {"/shifts/*/state": OPEN, "/shifts/*/opened_by": u-jonas, "/shifts/*/item": {value: item}}}
messages:
  - id: told
    change: message
    to: {arg: recipient, is: u-elke}
    body: text
    facts: [{value: chosen.shift}, {value: chosen.outcome}, {value: behind}]
    forbid: [{value: A.outcome}, {value: B.outcome}, {text: SH-706, mention: true}]
    form: {sentences: 2, words: 25}
containment:
  - {table: shifts, op: update, key: {shift_id: {value: chosen.shift}}, columns: [state, item, opened_by, revision], most: 1}
  - {table: chat_drafts, op: insert, values: {recipient: u-elke, state: DRAFT}, most: 1}
answer:
  shift: {value: chosen.shift}
  tested: {value: chosen.tested}
  week_hours: {value: chosen.week}
  leaves_a: {value: A.outcome}
  leaves_b: {value: B.outcome}
  leaves_c: {value: C.outcome}
  leaves_d: {value: D.outcome}
  cost_a: {value: A.cost}
  cost_b: {value: B.cost}
  cost_c: {value: C.cost}
  cost_d: {value: D.cost}
  standing_a: {value: A.authority}
  standing_b: {value: B.authority}
  shelf_day: {value: shelf_day}
  variance_days: {value: chosen.variance}
  timing: {value: chosen.timing}
`)
	return b.String()
}
