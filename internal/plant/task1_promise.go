package main

func init() { register(1, promise) }

// promise: on which day can the lock-gate units be promised to the customer, and in which slot is their job made? The shaft seals
// are short; the day hangs on how many of them may be built in, on what their vendor has confirmed, on the line, the bay and the carrier.
func promise(p *plant) *task {
	promiseRows(p)
	return &task{
		ID: "promise-day", Family: "date", Title: "A day for the lock-gate units", Role: "production planner", User: "u-maren", AsOf: "2035-03-06",
		Request: `
Amira has Brennach Lock Works on the line again about their number BL-77213, the power units for the lock gates, and this time they
want a day that we stand by. The shaft seals are what bothers me: there are plenty on the shelf, but I doubt that we may build in
all of them, and the job stands in a slot that it cannot keep. Find out how short we really are and when the units can be
on their site at the earliest by a way that we may decide on ourselves, compared with the day on which their crane stands there
now. If it needs money, stay within what I may spend and what Lars has signed for this order; anything above that is a question for
him and nothing that we do. Please put our side in order for the way that you take, the job, the vendor's faster service if it
comes to that, and the day in the order, and leave Amira the draft of a mail, filed under our order, that she can read out to the customer:
the day, what it hangs on, and nothing that is not settled.`,
		Handles:  [][2]string{{"customer_number", "BL-77213"}},
		Answer:   promiseAnswer,
		Given:    []string{"crane_day"},
		Reads:    promiseReads(),
		Contract: promiseContract,
		Work: []call{
			{"purchasing.orders.expedite", m{"po_id": "PO-100011", "line_no": 1, "confirmation_id": "CF-1003", "revision": 4}},
			{"sched.jobs.move", m{"job_id": "JB-1004", "slot_id": "SL-1005", "load_minutes": 785, "revision": 7}},
			{"sched.orders.promise", m{"order_id": "SO-10004", "promised": "2035-03-20", "revision": 3}},
			{"purchasing.orders.get", m{"po_id": "PO-100011"}},
			{"sched.jobs.get", m{"job_id": "JB-1004"}},
			{"sched.orders.get", m{"order_id": "SO-10004"}},
			{"mail.drafts.create", m{"recipient": "u-amira", "about": "SO-10004", "subject": "Brennach, BL-77213: the day", "body": `You can promise Brennach that the units of SO-10004 will be on their site on 20 March 2035, which is two days before their crane. We lack 21 shaft seals, and the express delivery that Marlow has confirmed brings 24 of them in time for slot SL-1005. The day hangs on these seals passing our goods-in check, so please say so. An even earlier day would need Lars and is only a question so far.`}},
			{"assay.submit_answer", m{
				"bom": "BM-102", "required_seals": 37, "observed_seals": 56, "excluded_seals": 40, "usable_seals": 16, "missing_seals": 21, "incoming_seals": 46,
				"shelf_life_until": "2035-08-03", "seals_ready": "2035-03-14", "load_minutes": 785, "load_change": -85, "slot": "SL-1005", "test_ends": "2035-03-18",
				"option": "B", "site_day_a": "2035-04-03", "cost_a": 540.00, "site_day_b": "2035-03-20", "cost_b": 531.00, "site_day_c": "2035-03-16", "cost_c": 1232.50,
				"site_day_d": "2035-03-16", "cost_d": 302.50, "standing_c": "needs_approval", "standing_d": "unsupported", "may_spend": 600.00, "crane_day": "2035-03-22", "variance_days": -2, "timing": "ON_TIME",
			}},
		},
		Files: append(promiseFiles(p), promisePapers(p)...),
	}
}

const promiseAnswer = `
bom: {type: id, table: boms, column: bom_id, description: "The bill of material that counts for these units"}
required_seals: {type: integer, unit: seal, description: "Seals to be issued for the order"}
observed_seals: {type: integer, unit: seal, description: "Seals in our stores whatever their state"}
excluded_seals: {type: integer, unit: seal, description: "Of these, the ones that may not go into this order"}
usable_seals: {type: integer, unit: seal, description: "Seals that may"}
missing_seals: {type: integer, unit: seal, description: "Seals that are short"}
incoming_seals: {type: integer, unit: seal, description: "Seals that are still to come on the purchase order that is open"}
shelf_life_until: {type: date, description: "Day up to which a seal must keep at the least"}
seals_ready: {type: date, description: "Day on which, by the option taken, the seals are checked and free"}
load_minutes: {type: integer, unit: minute, description: "Minutes that the job loads on its line"}
load_change: {type: integer, unit: minute, description: "Minutes more, or with a minus less, than the job was planned with"}
slot: {type: id, table: slots, column: slot_id, description: "Slot of the option taken"}
test_ends: {type: date, description: "Day on which the test of the option taken is over"}
option: {type: enum, values: [A, B, C, D], description: "A: the delivery as it is confirmed. B: the vendor's express service. C: his air freight. D: his own van."}
site_day_a: {type: date, description: "Day on the customer's site by A"}
cost_a: {type: decimal, places: 2, unit: EUR, description: "What A costs beyond the order as it is"}
site_day_b: {type: date, description: "Day on the customer's site by B"}
cost_b: {type: decimal, places: 2, unit: EUR, description: "What B costs beyond the order as it is"}
site_day_c: {type: date, description: "Day on the customer's site by C"}
cost_c: {type: decimal, places: 2, unit: EUR, description: "What C costs beyond the order as it is"}
site_day_d: {type: date, description: "Day on the customer's site by D"}
cost_d: {type: decimal, places: 2, unit: EUR, description: "What D costs beyond the order as it is"}
standing_c: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether C may be taken"}
standing_d: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether D may be taken"}
may_spend: {type: decimal, places: 2, unit: EUR, description: "What may be spent on haste for this order without asking again"}
crane_day: {type: date, description: "Day on which the customer's crane stands on the site"}
variance_days: {type: integer, unit: day, description: "Days from the crane's day to the day on site, with a minus when it is earlier"}
timing: {type: enum, values: [ON_TIME, LATE], description: "LATE after the crane's day, else ON_TIME"}
`
