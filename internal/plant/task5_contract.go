package main

import (
	"fmt"
	"strings"
)

// cutInContract writes the derivations of the four ways: from the first new rings to the job that they are in time for, the pumps
// before it, the old rings that those use up, and the new ones that are needed until the finished tool takes over.
func cutInContract() string {
	var b strings.Builder
	b.WriteString(`
derivations:
  today: {do: as_of}
  hundred: {do: {const: 100, unit: percent, why: a share is of a hundred}}
  none: {do: {const: 0, unit: ring, why: a surplus is no shortage}}
  no_pumps: {do: {const: 0, unit: pump, why: a job on the other side of the line does not count}}
  one: {do: {const: 1, why: the number after the last one}}
  one_each: {do: {const: 1, unit: 1/pump, why: a pump has one number}}
  no_days: {do: {const: 0, unit: day, why: the surveyor's last day is in time}}
  yes: {do: {const: "YES", why: the word for a build that the surveyor sees}}
  no: {do: {const: "NO", why: the word for one that she does not}}
  record: {do: {lookup: {of: records, field: effectivity_id, where: {change_id: EC-2291, state: OPEN}}}, answer: effectivity}
  after: {do: {lookup: {of: records, field: to_revision, where: {effectivity_id: {value: record}}}}}
  bom_before: {do: {lookup: {of: boms, field: bom_id, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  bom_after: {do: {lookup: {of: boms, field: bom_id, where: {revision: {value: after}}}}, answer: bom_after}
  per_before: {do: {lookup: {of: lines_before, field: quantity_per, where: {part: CR-63F}}}}
  lost_before: {do: {lookup: {of: lines_before, field: scrap_pct, where: {part: CR-63F}}}}
  per_after: {do: {lookup: {of: lines_after, field: quantity_per, where: {part: CR-63G}}}}
  lost_after: {do: {lookup: {of: lines_after, field: scrap_pct, where: {part: CR-63G}}}}
  drawing_before: {do: {lookup: {of: drawings, field: revision, where: {spec_id: HS-501, status: CURRENT}}}}
  drawing_after: {do: {lookup: {of: drawings, field: revision, where: {spec_id: HS-501, status: RELEASED}}}}
  wall_before: {do: {lookup: {of: values_before, field: value, where: {name: wall at the waist}}}}
  wall_wanted: {do: {lookup: {of: values_after, field: value, where: {name: "wall at the waist, least"}}}}
  wall_after: {do: {sub: [wall_before, {lookup: {of: values_after, field: value, where: {name: profile deeper by}}}]}, unit: mm, answer: wall_after}
  thick_enough: {do: {ge: [wall_after, wall_wanted]}}
  conceded: {do: {exists: {of: approvals, where: {scope: CONCESSION, state: APPROVED}}}}
  running: {do: {sum: {of: jobs, field: quantity, where: {status: RUNNING}}}, unit: pump}
  firm_until: {do: {add_days: [today, {lookup: {of: firm_rules, field: value, where: {status: CURRENT}}}]}, answer: firm_until}
  observed: {do: {sum: {of: lots, field: quantity}}, unit: ring, answer: observed_rings}
  held: {do: {sum: {of: lots, field: quantity, where: {status: {ne: FREE}}}}, unit: ring}
  sold: {do: {sum: {of: sold_years, field: pumps, where: {year: {ge: 2033}}}}, unit: pump}
  kept: {do: {round: {of: {mul: [sold, {lookup: {of: keep_rules, field: value, where: {status: CURRENT}}}]}, round: up, places: 0}}, unit: ring, answer: kept_for_repairs}
  excluded: {do: {add: [held, kept]}, unit: ring, answer: excluded_rings}
  usable: {do: {sub: [observed, excluded]}, unit: ring, answer: usable_rings}
  maker: {do: {lookup: {of: offers, field: vendor_id, where: {service: PRE-SERIES, state: CONFIRMED}}}}
  other: {do: {lookup: {of: offers, field: vendor_id, where: {service: OTHER HOUSE, state: CONFIRMED}}}}
  check: {do: {lookup: {of: check_rules, field: value, where: {status: CURRENT}}}}
  a_dock: {do: {lookup: {of: offers, field: ready, where: {service: PRE-SERIES, state: CONFIRMED}}}}
  b_dock: {do: {lookup: {of: offers, field: ready, where: {service: FINISHED TOOL, state: CONFIRMED}}}}
  c_dock: {do: {lookup: {of: offers, field: ready, where: {service: OTHER HOUSE, state: CONFIRMED}}}}
  a_here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [a_dock, maker_road]}}}}
  b_here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [b_dock, maker_road]}}}}
  c_here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [c_dock, other_road]}}}}
`)
	for _, w := range []string{"a", "b", "c", "d"} {
		here, before := w+"_here", make([]string, 0, 4)
		if w == "d" {
			here = "reground"
		}
		for n := 2; n <= 5; n++ {
			before = append(before, fmt.Sprintf("{if: [{lt: [starts_%d, X_day]}, pumps_%d, no_pumps]}", n, n))
		}
		way := `  X_checked: {do: {next_of: {of: measuring_days, field: day, where: {state: OPEN}, from: {add_days: [HERE, check]}}}}
  X_day: {do: {next_of: [{later: [X_checked, firm_until]}, starts_2, starts_3, starts_4, starts_5, starts_6]}}
  X_jobs: {do: {add: [BEFORE]}, unit: pump}
  X_pumps: {do: {add: [running, X_jobs]}, unit: pump}
  X_used: {do: {div: {of: [{mul: [X_jobs, per_before, {add: [hundred, lost_before]}]}, hundred], round: up, places: 0}}, unit: ring}
  X_serial: {do: {add: [last_struck, one, numbers_kept, {mul: [X_pumps, one_each]}]}}
  X_late: {do: {days_between: [surveyor_until, X_day]}, unit: day}
`
		if w != "b" {
			way += "  X_left: {do: {max: [none, {sub: [usable, X_used]}]}, unit: ring}\n"
		}
		b.WriteString(strings.NewReplacer("X_", w+"_", "HERE", here, "BEFORE", strings.ReplaceAll(strings.Join(before, ", "), "X_", w+"_")).Replace(way))
	}
	for _, w := range [][2]string{{"a", "b"}, {"c", "b"}, {"d", "a"}} { // the way, and what takes over from it
		var within []string
		for n := 2; n <= 5; n++ {
			within = append(within, fmt.Sprintf("{if: [{and: [{ge: [starts_%d, %s_day]}, {lt: [starts_%d, %s_day]}]}, pumps_%d, no_pumps]}", n, w[0], n, w[1], n))
		}
		fmt.Fprintf(&b, "  %s_need: {do: {div: {of: [{mul: [{add: [%s]}, per_after, {add: [hundred, lost_after]}]}, hundred], round: up, places: 0}}, unit: ring}\n", w[0], strings.Join(within, ", "))
	}
	b.WriteString(`  rings_until_tool: {do: {max: [none, b_used]}, unit: ring, answer: rings_until_tool}
  missing: {do: {max: [none, {sub: [rings_until_tool, usable]}]}, unit: ring, answer: missing_rings}
  pack: {do: {lookup: {of: quotes, field: multiple, where: {vendor_id: {value: maker}}}}}
  bought_again: {do: {mul: [pack, {div: {of: [missing, pack], round: up, places: 0}}]}, unit: ring, answer: bought_again}
  lost_each: {do: {sub: [book_value, {lookup: {of: scrap_rules, field: value, where: {status: CURRENT}}}]}, unit: EUR/ring}
  surcharge: {do: {lookup: {of: terms, field: value, where: {name: surcharge for a pre-series, status: IN_FORCE}}}}
  pre_series: {do: {add: [{lookup: {of: offers, field: charge, where: {service: PRE-SERIES, state: CONFIRMED}}}, {mul: [a_need, surcharge]}]}, unit: EUR}
  a_cost: {do: {add: [{mul: [a_left, lost_each]}, pre_series]}, unit: EUR}
  b_cost: {do: {add: [{mul: [bought_again, {lookup: {of: quotes, field: unit_price, where: {vendor_id: {value: maker}}}}]}, {lookup: {of: quotes, field: fixed_charge, where: {vendor_id: {value: maker}}}}]}, unit: EUR}
  c_cost: {do: {add: [{mul: [c_left, lost_each]}, {lookup: {of: offers, field: charge, where: {service: OTHER HOUSE, state: CONFIRMED}}}]}, unit: EUR}
  d_cost: {do: {add: [{mul: [d_need, grind_price]}, {mul: [{max: [none, {sub: [d_left, d_need]}]}, lost_each]}, pre_series]}, unit: EUR}
  b_none_left: {do: {max: [none, {sub: [usable, rings_until_tool]}]}, unit: ring}
  own_limit: {do: {lookup: {of: limits, field: amount, where: {scope: CHANGE, status: ACTIVE}}}}
  may_spend: {do: {min: [own_limit, {sub: [budget, spent]}]}, unit: EUR, answer: may_spend}
options:
`)
	for _, o := range [][6]string{
		{"A", "the pre-series", "a", "{ge: [{lookup: {of: offers, field: quantity, where: {service: PRE-SERIES, state: CONFIRMED}}}, a_need]}", "a_need", "a_left"},
		{"B", "the finished tool", "b", "{ge: [b_day, firm_until]}", "none", "b_none_left"},
		{"C", "the other house", "c", "{ge: [{lookup: {of: offers, field: quantity, where: {service: OTHER HOUSE, state: CONFIRMED}}}, c_need]}", "c_need", "c_left"},
		{"D", "old rings are reground until the pre-series is here", "d", "{or: [thick_enough, conceded]}", "d_need", "d_left"},
	} {
		fmt.Fprintf(&b, "  - {id: %[1]s, says: %[2]s, outcome: %[3]s_day, cost: %[3]s_cost, limit: may_spend, supported: %[4]s, measures: {pumps: %[3]s_pumps, serial: %[3]s_serial, released: %[3]s_checked, need: %[5]s, left: %[6]s, variance: %[3]s_late, witnessed: {if: [{gt: [%[3]s_late, no_days]}, no, yes]}}}\n",
			o[0], quoted(o[1]), o[2], o[3], o[4], o[5])
	}
	b.WriteString(`decision: {answer: option, order: [pumps, cost], among: approved}
changes:
  - id: set
    role: primary
    says: the change counts from the first serial number of the way taken
    tool: specs.effectivities.set
    args: {effectivity_id: {value: record}, basis: SERIAL, first_serial: {value: chosen.serial}}
    rows:
      - {table: effectivities, op: update, values: {effectivity_id: {value: record}, basis: SERIAL, first_serial: {value: chosen.serial}, state: SET}}
    weight: 5
  - id: note
    role: communication
    says: the assembly supervisor has a handover note
    tool: notes.handovers.create
    args: {recipient: u-jonas, about: {value: record}, body: {any: true}}
    rows: [{table: notes, op: insert, values: {recipient: u-jonas, state: DRAFT}}]
readbacks:
  - {id: set-seen, after: set, tool: specs.effectivities.list, identity: {"result/effectivities/*/effectivity_id": result.effectivity_id}, result: {"/effectivities/*/first_serial": {value: chosen.serial}, "/effectivities/*/state": SET, "/effectivities/*/basis": SERIAL}}
messages:
  - id: told
    change: note
    to: {arg: recipient, is: u-jonas}
    body: body
    facts: [{value: record}, {value: chosen.serial}, {value: chosen.outcome}, {value: chosen.need}]
    forbid: [{value: B.serial}, {value: C.serial}, {text: EF-502, mention: true}]
    form: {sentences: 2, words: 25}
containment:
  - {table: effectivities, op: update, key: {effectivity_id: {value: record}}, columns: [basis, first_serial, state, set_by, revision], most: 1}
  - {table: notes, op: insert, values: {recipient: u-jonas, state: DRAFT}, most: 1}
answer:
  rings_released: {value: chosen.released}
  new_rings: {value: chosen.need}
  left_over: {value: chosen.left}
  first_serial: {value: chosen.serial}
  pumps_with_old: {value: chosen.pumps}
  first_build_a: {value: A.outcome}
  first_build_b: {value: B.outcome}
  first_build_c: {value: C.outcome}
  first_build_d: {value: D.outcome}
  cost_a: {value: A.cost}
  cost_b: {value: B.cost}
  cost_c: {value: C.cost}
  cost_d: {value: D.cost}
  other_house: {value: C.authority}
  regrinding: {value: D.authority}
  surveyor_until: {value: surveyor_until}
  variance_days: {value: chosen.variance}
  witnessed: {value: chosen.witnessed}
`)
	return b.String()
}
