package main

import (
	"fmt"
	"strings"
)

func init() { register(6, claim) }

// claim: the lining of bearing shells lifts. How many shells of the delivery are claimed, by which remedy and for what amount, and
// when does assembly have good ones?
func claim(p *plant) *task {
	claimRows(p)
	return &task{
		ID: "lifting-lining", Family: "quantity", Title: "The shells whose lining lifts", Role: "supplier quality engineer", User: "u-hanne", AsOf: "2035-03-12",
		Request: `
The cradle shells that Rhätia Gleitlager sent us with AG-48213 lose their lining, that much is sure. What is not sure is how many of
them. Rhätia writes as if it were a handful of days in their cladding shop, and our lab says something else, so I want it by our
own rule and not by theirs. Please open the claim against them today: the right delivery, the pieces that we really hold against
them, the remedy, and in money exactly what their contract lets us ask for. Take the remedy by which Jonas has all the good shells
for his firm job soonest, those for fitting with them, provided that the drawing and the contract bear it and that what sticks with us stays inside my limit and
what Yuki has added for this order. Whatever is quicker but costs more is hers to decide, not ours. When the claim stands, draft
a mail to Jonas, filed under the purchase order, that says what he can still build from, what he lacks, and on which day he gets
it; he has planned for his own day and deserves a straight word if it does not hold.`,
		Handles:  [][2]string{{"delivery_note", "AG-48213"}},
		Answer:   claimAnswer,
		Given:    []string{"first_pump"},
		Reads:    claimReads(),
		Contract: claimContract(),
		Work: []call{
			{"vendors.claims.create", m{"vendor_id": "V-601", "po_id": "PO-600012", "receipt_id": "GR-6002", "remedy": "REPLACEMENT", "quantity": 149, "amount": 836.78,
				"text": `Of your delivery AG-48213 we reject 149 cradle shells, since the lining lifts on those that were clad around your bath failure and five more are dented at the back. Please replace them and pay our sorting up to the most that the contract gives us.`}},
			{"vendors.claims.list", m{"vendor_id": "V-601"}},
			{"mail.drafts.create", m{"recipient": "u-jonas", "about": "PO-600012", "subject": "Cradle shells for your seventies", "body": `The claim {next claims} against Rhätia is open and asks for replacement. You can build from 117 good shells now and lack 45 for the whole job. Rhätia brings these from stock, and after our ultrasonic test you have them on 20 March 2035, one day later than your first pump is planned. It hangs on their courier and on the bench being back from calibration. Buying elsewhere would be quicker, but that is for Yuki to decide.`}},
			{"assay.submit_answer", m{
				"suspect_from": "2035-01-07", "suspect_until": "2035-01-17", "suspect_shells": 144, "claimed_shells": 149, "observed_shells": 339, "excluded_shells": 222, "usable_shells": 117,
				"required_shells": 162, "missing_shells": 45, "bought_shells": 48, "claim_until": "2035-03-23", "goods_value": 6973.20, "sorting_cost": 1086.50, "sorting_claimed": 836.78,
				"sorting_left": 249.72, "remedy": "REPLACEMENT", "claim_amount": 836.78, "option": "B", "tested_a": "2035-03-16", "cost_a": 418.92, "tested_b": "2035-03-20", "cost_b": 510.47,
				"tested_c": "2035-03-29", "cost_c": 355.47, "tested_d": "2035-03-15", "cost_d": 1284.12, "standing_a": "unsupported", "standing_d": "needs_approval", "may_stick": 580.00,
				"first_pump": "2035-03-19", "variance_days": 1, "timing": "LINE_WAITS", "claim": "{next claims}",
			}},
		},
		Files: append(claimFiles(p), claimPapers(p)...),
	}
}

const claimAnswer = `
suspect_from: {type: date, description: "First day of cladding from which shells are suspect"}
suspect_until: {type: date, description: "Last day of cladding up to which they are"}
suspect_shells: {type: integer, unit: shell, description: "Shells of the delivery that were clad on a suspect day"}
claimed_shells: {type: integer, unit: shell, description: "Shells of the delivery that are claimed, for whatever fault"}
observed_shells: {type: integer, unit: shell, description: "Cradle shells of this size in our stores whatever their state"}
excluded_shells: {type: integer, unit: shell, description: "Of them, those that cannot be built into the firm job"}
usable_shells: {type: integer, unit: shell, description: "Of them, those that can"}
required_shells: {type: integer, unit: shell, description: "Shells that the firm job must have, with what is kept for fitting"}
missing_shells: {type: integer, unit: shell, description: "Good shells that the job lacks"}
bought_shells: {type: integer, unit: shell, description: "Shells that would have to be bought elsewhere, if they were"}
claim_until: {type: date, description: "Last day on which the contract lets us claim this delivery"}
goods_value: {type: decimal, places: 2, unit: EUR, description: "What the claimed shells cost by the order"}
sorting_cost: {type: decimal, places: 2, unit: EUR, description: "What our sorting comes to at the contract's rate"}
sorting_claimed: {type: decimal, places: 2, unit: EUR, description: "What of it the vendor has to pay"}
sorting_left: {type: decimal, places: 2, unit: EUR, description: "What of it stays with us"}
remedy: {type: enum, values: [CREDIT, REPLACEMENT, REWORK], description: "The remedy that is claimed"}
claim_amount: {type: decimal, places: 2, unit: EUR, description: "The amount that is claimed beside the goods or in their place"}
option: {type: enum, values: [A, B, C, D], description: "A: the shells are rolled again here. B: replacement from their stock, by courier. C: replacement out of their next run. D: a credit, and shells from Tribomet."}
tested_a: {type: date, description: "Day on which the job's shells are tested and free by A"}
cost_a: {type: decimal, places: 2, unit: EUR, description: "What sticks with us by A"}
tested_b: {type: date, description: "Day on which the job's shells are tested and free by B"}
cost_b: {type: decimal, places: 2, unit: EUR, description: "What sticks with us by B"}
tested_c: {type: date, description: "Day on which the job's shells are tested and free by C"}
cost_c: {type: decimal, places: 2, unit: EUR, description: "What sticks with us by C"}
tested_d: {type: date, description: "Day on which the job's shells are tested and free by D"}
cost_d: {type: decimal, places: 2, unit: EUR, description: "What sticks with us by D"}
standing_a: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether A may be taken"}
standing_d: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether D may be taken"}
may_stick: {type: decimal, places: 2, unit: EUR, description: "What a claim of this order may leave with us without asking again"}
first_pump: {type: date, description: "Day on which assembly has planned the first pump"}
variance_days: {type: integer, unit: day, description: "Days from the first pump's day to the day of the way taken, with a minus when it is earlier"}
timing: {type: enum, values: [LINE_WAITS, SHELLS_WAIT], description: "LINE_WAITS when the shells are free later than the first pump is planned"}
claim: {type: id, table: claims, column: claim_id, description: "The claim that was opened"}
`

func claimContract() string {
	var b strings.Builder
	b.WriteString(`
derivations:
  today: {do: as_of}
  hundred: {do: {const: 100, unit: percent, why: a share is of a hundred}}
  none: {do: {const: 0, unit: shell, why: a surplus is no shortage}}
  dozen: {do: {const: 12, unit: pump/dozen, why: the rule counts by the dozen}}
  once: {do: {const: 1, unit: time, why: rolling again is one more time}}
  po: {do: {lookup: {of: orders, field: po_id, where: {parts: CS-70, status: RECEIVED}}}}
  receipt: {do: {lookup: {of: receipts, field: receipt_id, where: {delivery_note: AG-48213}}}}
  lot: {do: {lookup: {of: receipts, field: lot_id, where: {delivery_note: AG-48213}}}}
  came: {do: {lookup: {of: receipts, field: received, where: {delivery_note: AG-48213}}}}
  claim_until: {do: {add_days: [came, {lookup: {of: term_days, field: value, where: {name: days for a claim, status: IN_FORCE}}}]}, answer: claim_until}
  in_the_term: {do: {le: [today, claim_until]}}
  revision: {do: {lookup: {of: drawings, field: revision, where: {status: CURRENT}}}}
  peel_least: {do: {lookup: {of: strengths, field: value, where: {name: "peel strength, least"}}}}
  reworks: {do: {lookup: {of: times, field: value, where: {name: "rolling of the lining again, most"}}}}
  first_bad: {do: {earlier: [{min: {of: peels, field: clad, where: {state: FINAL, peel: {lt: {value: peel_least}}}}}, bath_from]}}
  last_bad: {do: {later: [{max: {of: peels, field: clad, where: {state: FINAL, peel: {lt: {value: peel_least}}}}}, bath_until]}}
  around: {do: {lookup: {of: window_rules, field: value, where: {status: CURRENT}}}}
  suspect_from: {do: {add_days: [first_bad, {neg: around}]}, answer: suspect_from}
  suspect_until: {do: {add_days: [last_bad, around]}, answer: suspect_until}
  suspect: {do: {sum: {of: boxes, field: pieces, where: {clad: {ge: {value: suspect_from}, le: {value: suspect_until}}}}}, unit: shell, answer: suspect_shells}
  dented: {do: {sum: {of: looked_at, field: rejected, where: {status: FINAL}}}, unit: shell}
  claimed: {do: {add: [suspect, dented]}, unit: shell, answer: claimed_shells}
  observed: {do: {sum: {of: lots, field: quantity}}, unit: shell, answer: observed_shells}
  rusty: {do: {sum: {of: lots, field: quantity, where: {status: BLOCKED}}}, unit: shell}
  thin: {do: {sum: {of: lots, field: quantity, where: {status: FREE, made_to: {ne: {value: revision}}}}}, unit: shell}
  stopped: {do: {sum: {of: holds, field: quantity, where: {state: OPEN, lot_id: {ne: {value: lot}}}}}, unit: shell}
  kept: {do: {sum: {of: reservations, field: quantity, where: {state: ACTIVE}}}, unit: shell}
  excluded: {do: {add: [claimed, rusty, thin, stopped, kept]}, unit: shell, answer: excluded_shells}
  usable: {do: {sub: [observed, excluded]}, unit: shell, answer: usable_shells}
  pumps: {do: {sum: {of: jobs, field: quantity, where: {item: AX-70, status: FIRM}}}, unit: pump}
  bom: {do: {lookup: {of: boms, field: bom_id, where: {valid_from: {le: {value: today}}, valid_to: {ge: {value: today}}}}}}
  for_fitting: {do: {mul: [{div: {of: [pumps, dozen], round: up, places: 0}}, {lookup: {of: fitting_rules, field: value, where: {status: CURRENT}}}]}, unit: shell}
  required: {do: {add: [{mul: [pumps, {lookup: {of: bom_lines, field: quantity_per, where: {part: CS-70}}}]}, for_fitting]}, unit: shell, answer: required_shells}
  missing: {do: {max: [none, {sub: [required, usable]}]}, unit: shell, answer: missing_shells}
  goods_value: {do: {mul: [claimed, price]}, unit: EUR, answer: goods_value}
  sorting: {do: {mul: [{sum: {of: sheet, field: hours}}, {lookup: {of: term_rates, field: value, where: {name: sorting for each hour, status: IN_FORCE}}}]}, unit: EUR, answer: sorting_cost}
  sorting_most: {do: {div: {of: [{mul: [goods_value, {lookup: {of: term_shares, field: value, where: {name: most of the sorting, status: IN_FORCE}}}]}, hundred], round: half_up, places: 2}}, unit: EUR}
  sorting_claimed: {do: {min: [sorting, sorting_most]}, unit: EUR, answer: sorting_claimed}
  sorting_left: {do: {sub: [sorting, sorting_claimed]}, unit: EUR, answer: sorting_left}
  our_share: {do: {lookup: {of: term_shares, field: value, where: {name: our share of a special way, status: IN_FORCE}}}}
  own_limit: {do: {lookup: {of: limits, field: amount, where: {scope: CLAIM_COST, status: ACTIVE}}}}
  added: {do: {sum: {of: approvals, field: amount, where: {scope: CLAIM_COST, state: APPROVED, expires: {ge: {value: today}}}}}}
  may_stick: {do: {add: [own_limit, added]}, unit: EUR, answer: may_stick}
  per_day: {do: {lookup: {of: bench_rules, field: value, where: {status: CURRENT}}}}
  bench_days: {do: {div: {of: [missing, per_day], round: up, places: 0}}, unit: day}
  a_special: {do: {mul: [suspect, bench_rate]}, unit: EUR}
  a_ours: {do: {div: {of: [{mul: [a_special, our_share]}, hundred], round: half_up, places: 2}}, unit: EUR}
  a_tested: {do: {next_of: {of: bench_open, field: day, where: {state: OPEN}, from: {add_days: [today, {div: {of: [suspect, per_day], round: up, places: 0}}]}}}}
  a_cost: {do: {add: [sorting_left, a_ours]}, unit: EUR}
  a_amount: {do: {add: [sorting_claimed, {sub: [a_special, a_ours]}]}, unit: EUR}
  a_may: {do: {ge: [reworks, once]}}
  b_dock: {do: {lookup: {of: offers, field: ready, where: {service: REPLACEMENT FROM STOCK, state: CONFIRMED}}}}
  b_may: {do: {and: [in_the_term, {ge: [{lookup: {of: offers, field: quantity, where: {service: REPLACEMENT FROM STOCK, state: CONFIRMED}}}, missing]}]}}
  b_here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [b_dock, {lookup: {of: term_days, field: value, where: {name: days by courier, status: IN_FORCE}}}]}}}}
  b_tested: {do: {next_of: {of: bench_open, field: day, where: {state: OPEN}, from: {add_days: [b_here, bench_days]}}}}
  b_ours: {do: {div: {of: [{mul: [{lookup: {of: offers, field: charge, where: {service: REPLACEMENT FROM STOCK, state: CONFIRMED}}}, our_share]}, hundred], round: half_up, places: 2}}, unit: EUR}
  b_cost: {do: {add: [sorting_left, {mul: [missing, bench_rate]}, b_ours]}, unit: EUR}
  c_dock: {do: {lookup: {of: offers, field: ready, where: {service: REPLACEMENT NEXT RUN, state: CONFIRMED}}}}
  c_may: {do: {and: [in_the_term, {ge: [{lookup: {of: offers, field: quantity, where: {service: REPLACEMENT NEXT RUN, state: CONFIRMED}}}, missing]}]}}
  c_here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [{next_of: {of: lorries, field: day, where: {state: OPEN}, from: c_dock}}, {lookup: {of: makers, field: transit_days, where: {vendor_id: {value: vendor}}}}]}}}}
  c_tested: {do: {next_of: {of: bench_open, field: day, where: {state: OPEN}, from: {add_days: [c_here, bench_days]}}}}
  c_cost: {do: {add: [sorting_left, {mul: [missing, bench_rate]}]}, unit: EUR}
  pack: {do: {lookup: {of: quotes, field: multiple, where: {state: VALID}}}}
  bought: {do: {mul: [pack, {div: {of: [missing, pack], round: up, places: 0}}]}, unit: shell, answer: bought_shells}
  dearer: {do: {sub: [{lookup: {of: quotes, field: unit_price, where: {state: VALID}}}, price]}}
  d_dock: {do: {min: {of: answers, field: ready, where: {state: CONFIRMED, quantity: {ge: {value: bought}}}}}}
  d_here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [d_dock, {lookup: {of: makers, field: transit_days, where: {vendor_id: V-602}}}]}}}}
  d_may: {do: {and: [in_the_term, {exists: {of: makers, where: {vendor_id: V-602, status: APPROVED, approved_until: {ge: {value: d_here}}}}}]}}
  d_tested: {do: {next_of: {of: bench_open, field: day, where: {state: OPEN}, from: {add_days: [d_here, {div: {of: [bought, per_day], round: up, places: 0}}]}}}}
  d_cost: {do: {add: [sorting_left, {mul: [bought, {add: [dearer, bench_rate]}]}, {lookup: {of: quotes, field: fixed_charge, where: {state: VALID}}}]}, unit: EUR}
  d_amount: {do: {add: [goods_value, sorting_claimed]}, unit: EUR}
  by_rework: {do: {const: REWORK, why: the word for pieces that are put right}}
  by_replacement: {do: {const: REPLACEMENT, why: the word for pieces that are replaced}}
  by_credit: {do: {const: CREDIT, why: the word for pieces that are paid back}}
  no_days: {do: {const: 0, unit: day, why: the planned day itself is in time}}
  waits: {do: {const: LINE_WAITS, why: the word for shells that come after the first pump's day}}
  lies: {do: {const: SHELLS_WAIT, why: the word for shells that are there by then}}
options:
`)
	for _, o := range [][4]string{{"A", "the suspect shells are rolled again here", "a_amount", "by_rework"}, {"B", "replacement from their stock by courier", "sorting_claimed", "by_replacement"},
		{"C", "replacement out of their next run", "sorting_claimed", "by_replacement"}, {"D", "a credit and shells from Tribomet", "d_amount", "by_credit"}} {
		x := strings.ToLower(o[0])
		fmt.Fprintf(&b, "  - {id: %s, says: %s, outcome: %s_tested, cost: %s_cost, limit: may_stick, supported: %s_may, measures: {amount: %s, remedy: %s, variance: {days_between: [first_pump, %s_tested]}, timing: {if: [{gt: [{days_between: [first_pump, %s_tested]}, no_days]}, waits, lies]}}}\n",
			o[0], o[1], x, x, x, o[2], o[3], x, x)
	}
	b.WriteString(`decision: {answer: option, order: [outcome, cost], among: approved}
changes:
  - id: claimed-from-them
    role: primary
    says: the claim is open for the delivery, with the remedy, the pieces and the amount that follow
    tool: vendors.claims.create
    args: {vendor_id: {value: vendor}, po_id: {value: po}, receipt_id: {value: receipt}, remedy: {value: chosen.remedy}, quantity: {value: claimed}, amount: {value: chosen.amount}, text: {any: true}}
    rows:
      - {table: claims, op: insert, values: {vendor_id: {value: vendor}, po_id: {value: po}, receipt_id: {value: receipt}, remedy: {value: chosen.remedy}, quantity: {value: claimed}, amount: {value: chosen.amount}, state: OPENED}}
    weight: 5
  - id: mail
    role: communication
    says: the assembly supervisor has the draft of a mail
    tool: mail.drafts.create
    args: {recipient: u-jonas, about: {value: po}, body: {any: true}}
    rows: [{table: mail_drafts, op: insert, values: {recipient: u-jonas, state: DRAFT}}]
readbacks:
  - {id: claim-seen, after: claimed-from-them, tool: vendors.claims.list, identity: {"result/claims/*/claim_id": result.claim_id}, result: {"/claims/*/vendor_id": {value: vendor}, "/claims/*/po_id": {value: po}, "/claims/*/state": OPENED, "/claims/*/receipt_id": {value: receipt}, "/claims/*/remedy": {value: chosen.remedy}, "/claims/*/quantity": {value: claimed}, "/claims/*/amount": {value: chosen.amount}}}
messages:
  - id: told
    change: mail
    to: {arg: recipient, is: u-jonas}
    body: body
    facts: [{value: claimed-from-them.claim_id}, {value: chosen.outcome}, {value: usable}, {value: missing}]
    forbid: [{value: D.outcome}, {value: A.outcome}, {text: AG-48231, mention: true}]
    form: {sentences: 2, words: 25}
containment:
  - {table: claims, op: insert, values: {vendor_id: {value: vendor}, receipt_id: {value: receipt}}, most: 1}
  - {table: mail_drafts, op: insert, values: {recipient: u-jonas, state: DRAFT}, most: 1}
answer:
  remedy: {value: chosen.remedy}
  claim_amount: {value: chosen.amount}
  tested_a: {value: A.outcome}
  tested_b: {value: B.outcome}
  tested_c: {value: C.outcome}
  tested_d: {value: D.outcome}
  cost_a: {value: A.cost}
  cost_b: {value: B.cost}
  cost_c: {value: C.cost}
  cost_d: {value: D.cost}
  standing_a: {value: A.authority}
  standing_d: {value: D.authority}
  first_pump: {value: first_pump}
  variance_days: {value: chosen.variance}
  timing: {value: chosen.timing}
  claim: {value: claimed-from-them.claim_id}
`)
	return b.String()
}
