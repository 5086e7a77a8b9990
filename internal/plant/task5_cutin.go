package main

func init() { register(5, cutIn) }

// cutIn: from which serial number is the double vane pump built with the new cam ring? The jobs that still may be changed, the old
// rings that are there and those that would be left, and the ways to get the first new ones decide it.
func cutIn(p *plant) *task {
	cutInRows(p)
	return &task{
		ID: "cam-ring", Family: "date", Title: "From which pump on the new ring", Role: "change engineer", User: "u-greta", AsOf: "2035-03-12",
		Request: `
Femke has released the new cam ring for the double vane pump, which is our change EC-2291, because the present one sings when the oil is
cold and Nordklasse has begun to ask about it. I now have to fix the serial number from which on we build with it. Every pump that still goes out with the
old ring is one that I may meet again, so the fewer of them the better, as far as my own signature and the money of this change reach;
only where two ways leave equally many does the cost decide. There is a pre-series on offer, there will be rings from the finished tool,
another house would like to jump in, and Niko believes that he could regrind what we have. A change begins with a whole job and never
within one, and rings that are left behind are a loss like any other. Please have the number set for this change, hold the day of that
first build against the time for which the surveyor is here, and leave Jonas a handover note: where the line is drawn, what it hangs on,
how many new rings he has to see before he starts. Whatever wants another person's consent is to be named to me, not done.`,
		Handles:  [][2]string{{"change", "EC-2291"}},
		Answer:   cutInAnswer,
		Given:    []string{"surveyor_until"},
		Reads:    cutInReads(),
		Contract: cutInContract(),
		Work: []call{
			{"specs.effectivities.set", m{"effectivity_id": "EF-501", "basis": "SERIAL", "first_serial": 24177, "revision": 2}},
			{"specs.effectivities.list", m{"item": "VP-63D"}},
			{"notes.handovers.create", m{"recipient": "u-jonas", "about": "EF-501", "title": "New cam ring, where the line is", "body": `The change is set in EF-501: from serial number 24177 on the double vane pumps are built with the new ring, and the first of them is begun on 3 April 2035. Please start only when you have seen 56 new rings of the pre-series with a passed first article check. If they do not pass, the number has to be set anew and the job before it stays as it is.`}},
			{"assay.submit_answer", m{
				"bom_after": "BM-503", "observed_rings": 173, "excluded_rings": 42, "usable_rings": 131, "kept_for_repairs": 19, "rings_until_tool": 163, "missing_rings": 32, "bought_again": 36,
				"wall_after": 4.15, "firm_until": "2035-03-19", "rings_released": "2035-04-02", "new_rings": 56, "left_over": 22, "first_serial": 24177, "pumps_with_old": 64, "may_spend": 1754.50,
				"option": "A", "first_build_a": "2035-04-03", "cost_a": 1520.40, "first_build_b": "2035-04-11", "cost_b": 1389.00, "first_build_c": "2035-03-27", "cost_c": 3639.20,
				"first_build_d": "2035-03-20", "cost_d": 2324.40, "other_house": "needs_approval", "regrinding": "unsupported", "surveyor_until": "2035-04-09", "variance_days": -6, "witnessed": "YES", "effectivity": "EF-501",
			}},
		},
		Files: append(cutInFiles(p), cutInPapers(p)...),
	}
}

const cutInAnswer = `
bom_after: {type: id, table: boms, column: bom_id, description: "The bill of material that counts after the change"}
observed_rings: {type: integer, unit: ring, description: "Old cam rings in our stores whatever their state"}
excluded_rings: {type: integer, unit: ring, description: "Of these, the ones that may not be built into new pumps"}
usable_rings: {type: integer, unit: ring, description: "Old rings that may"}
kept_for_repairs: {type: integer, unit: ring, description: "Old rings that are kept back for repairs"}
rings_until_tool: {type: integer, unit: ring, description: "Old rings that are used up if the jobs go on unchanged until the finished tool delivers"}
missing_rings: {type: integer, unit: ring, description: "Old rings that are short for that"}
bought_again: {type: integer, unit: ring, description: "Old rings that would have to be bought for it, in whole packs"}
wall_after: {type: decimal, places: 2, unit: mm, description: "Wall that an old ring would have after regrinding"}
firm_until: {type: date, description: "Day before which no job is changed any more"}
rings_released: {type: date, description: "Day on which, by the option taken, the first new rings have passed their check"}
new_rings: {type: integer, unit: ring, description: "New rings that must be there by the option taken, until the finished tool takes over"}
left_over: {type: integer, unit: ring, description: "Usable old rings that nobody needs by the option taken"}
first_serial: {type: integer, description: "Serial number of the first pump with the new ring"}
pumps_with_old: {type: integer, unit: pump, description: "Pumps that still go out with the old ring by the option taken, the running job among them"}
may_spend: {type: decimal, places: 2, unit: EUR, description: "What may still be spent on the change without asking"}
option: {type: enum, values: [A, B, C, D], description: "A: the pre-series. B: the finished tool. C: the other house. D: old rings are reground until the pre-series is here."}
first_build_a: {type: date, description: "Day on which the first pump with the new ring is begun by A"}
cost_a: {type: decimal, places: 2, unit: EUR, description: "What A costs, lost rings included"}
first_build_b: {type: date, description: "Day on which the first pump with the new ring is begun by B"}
cost_b: {type: decimal, places: 2, unit: EUR, description: "What B costs, lost rings included"}
first_build_c: {type: date, description: "Day on which the first pump with the new ring is begun by C"}
cost_c: {type: decimal, places: 2, unit: EUR, description: "What C costs, lost rings included"}
first_build_d: {type: date, description: "Day on which the first pump with the new ring is begun by D"}
cost_d: {type: decimal, places: 2, unit: EUR, description: "What D costs, lost rings included"}
other_house: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether C may be taken"}
regrinding: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether D may be taken"}
surveyor_until: {type: date, description: "Last day on which the surveyor can witness the first build"}
variance_days: {type: integer, unit: day, description: "Days from the surveyor's last day to the first build, with a minus when that is earlier"}
witnessed: {type: enum, values: [YES, NO], description: "YES when the first build is begun while the surveyor is here, her last day included, else NO"}
effectivity: {type: id, table: effectivities, column: effectivity_id, description: "The record in which the number was set"}
`

func cutInReads() []read {
	job := func(n, says string) read {
		return read{ID: "job-" + n, Says: says, Tool: "sched.jobs.get", Args: m{"job_id": "JB-500" + n},
			In: []input{{Name: "starts_" + n, At: "/starts", Type: "date"}, {Name: "pumps_" + n, At: "/quantity", Type: "integer", Unit: "pump"}}, Feeds: []string{"a_day", "a_jobs", "b_jobs"}}
	}
	rule := func(id, says, procedure, name, kind, unit, rule, feeds string) read {
		return read{ID: id, Says: says, Tool: "specs.rules.list", Args: m{"query": procedure},
			In:   []input{{Name: name, At: "/rules", Type: "rows", Fields: "{value: {type: " + kind + ", unit: " + unit + "}, status: text}"}},
			Pins: m{"/rules/*/rule_id": rule, "/rules/*/status": "CURRENT"}, Feeds: []string{feeds}}
	}
	return []read{
		{Tool: "drive.files.search", Args: m{"query": "EC-2291", "limit": 100}},
		{ID: "sheet", Says: "the sheet of EC-2291, not of the change with nearly the same number, says which pump and which ring it is about and what money it has", Tool: "drive.files.read", Args: m{"file_id": "DR-5001"},
			In:   []input{{Name: "budget", At: "/text", Type: "decimal", Unit: "EUR", Within: "{after: Budget of the change is EUR}"}},
			Pins: m{"/text": m{"contains": []any{"released with signature"}}}, Feeds: []string{"may_spend"}, Category: "identity"},
		{ID: "record", Says: "the record that is still open for EC-2291 says to which revision the pump goes", Tool: "specs.effectivities.list", Args: m{"item": "VP-63D"},
			In:   []input{{Name: "records", At: "/effectivities", Type: "rows", Fields: "{effectivity_id: id, change_id: text, to_revision: text, state: text}"}},
			Pins: m{"/effectivities/*/effectivity_id": "=record", "/effectivities/*/change_id": "EC-2291", "/effectivities/*/to_revision": "=after"}, Feeds: []string{"bom_after"}, Category: "identity"},
		{ID: "boms", Says: "which bill of material counts today and which belongs to the revision after the change", Tool: "specs.boms.list", Args: m{"assembly": "VP-63D"},
			In:   []input{{Name: "boms", At: "/boms", Type: "rows", Fields: "{bom_id: id, revision: text, valid_from: date, valid_to: date}"}},
			Pins: m{"/boms/*/bom_id": "=bom_after", "/boms/*/revision": "=after"}, Feeds: []string{"bom_before", "bom_after"}, Category: "correlation"},
		{ID: "bom-before", Says: "how many of the old rings a pump takes, and what is lost of them", Tool: "specs.boms.get", Args: m{"bom_id": "=bom_before"}, Known: m{"bom_id": "BM-502"},
			In:   []input{{Name: "lines_before", At: "/lines", Type: "rows", Fields: "{part: id, quantity_per: {type: integer, unit: ring/pump}, scrap_pct: {type: decimal, unit: percent}}"}},
			Pins: m{"/lines/*/part": "CR-63F", "/lines/*/scrap_pct": "=lost_before"}, Feeds: []string{"a_used", "b_used"}},
		{ID: "bom-after", Says: "how many of the new rings a pump takes, and what is lost of them", Tool: "specs.boms.get", Args: m{"bom_id": "=bom_after"}, Known: m{"bom_id": "BM-503"},
			In:   []input{{Name: "lines_after", At: "/lines", Type: "rows", Fields: "{part: id, quantity_per: {type: integer, unit: ring/pump}, scrap_pct: {type: decimal, unit: percent}}"}},
			Pins: m{"/lines/*/part": "CR-63G", "/lines/*/scrap_pct": "=lost_after"}, Feeds: []string{"a_need", "c_need"}},
		{ID: "ring-revisions", Says: "which revision of the ring's drawing is current and which is released after it", Tool: "specs.documents.search", Args: m{"query": "CR-63F"},
			In:   []input{{Name: "drawings", At: "/documents", Type: "rows", Fields: "{spec_id: id, revision: text, status: text}"}},
			Pins: m{"/documents/*/spec_id": "HS-501", "/documents/*/revision": "=drawing_after", "/documents/*/status": "RELEASED"}, Feeds: []string{"drawing_before", "drawing_after"}, Category: "correlation"},
		{ID: "old-wall", Says: "how thick an old ring is where it is thinnest", Tool: "specs.values.list", Args: m{"spec_id": "HS-501", "revision": "=drawing_before"}, Known: m{"revision": "F"},
			In:   []input{{Name: "values_before", At: "/values", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: mm}}"}},
			Pins: m{"/values/*/name": "wall at the waist", "/values/*/value": "=wall_before"}, Feeds: []string{"wall_after"}},
		{ID: "new-wall", Says: "how much deeper the new profile is cut and what wall must remain", Tool: "specs.values.list", Args: m{"spec_id": "HS-501", "revision": "=drawing_after"}, Known: m{"revision": "G"},
			In:   []input{{Name: "values_after", At: "/values", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: mm}}"}},
			Pins: m{"/values/*/name": "wall at the waist, least", "/values/*/value": "=wall_wanted"}, Feeds: []string{"wall_after", "thick_enough"}},
		{ID: "running", Says: "which job of the pump is running and counts with the old ring, and which others follow", Tool: "sched.jobs.search", Args: m{"query": "VP-63D"},
			In:   []input{{Name: "jobs", At: "/jobs", Type: "rows", Fields: "{job_id: id, quantity: {type: integer, unit: pump}, status: text}"}},
			Pins: m{"/jobs/*/job_id": "JB-5001", "/jobs/*/status": "RUNNING"}, Feeds: []string{"running"}},
		job("2", "when the next job begins and how many pumps it makes; it is firm"),
		job("3", "when the first job begins that may still be changed, and how many pumps it makes"),
		job("4", "when the job after that begins, and how many pumps it makes"),
		job("5", "when the first job of April begins, and how many pumps it makes"),
		{ID: "job-6", Says: "when the job in the second week of April begins", Tool: "sched.jobs.get", Args: m{"job_id": "JB-5006"},
			In: []input{{Name: "starts_6", At: "/starts", Type: "date"}}, Feeds: []string{"b_day"}},
		rule("firm-jobs", "within how many days a job is not changed any more, by the rule that counts", "QP-52", "firm_rules", "integer", "day", "PR-504", "firm_until"),
		{ID: "old-lots", Says: "how many old rings there are, and which lot of them is held", Tool: "stores.lots.list", Args: m{"part": "CR-63F"},
			In:   []input{{Name: "lots", At: "/lots", Type: "rows", Fields: "{lot_id: id, quantity: {type: integer, unit: ring}, status: text}"}},
			Pins: m{"/lots/*/lot_id": "LT-5003", "/lots/*/status": "HELD"}, Feeds: []string{"observed", "excluded"}},
		rule("kept-back", "for what share of the pumps that were sold old parts are kept, by the rule that counts", "QP-51", "keep_rules", "decimal", "ring/pump", "PR-502", "kept"),
		{Tool: "drive.files.search", Args: m{"query": "vane pumps"}},
		{ID: "sold", Says: "how many of the pumps were sold in the two full years that the rule means", Tool: "drive.files.read", Args: m{"file_id": "DR-5003"},
			In:   []input{{Name: "sold_years", At: "/text", Type: "rows", Within: "{sheet: Sold}", Fields: "{year: {type: integer}, pumps: {type: integer, unit: pump}}"}},
			Pins: m{"/text": m{"contains": []any{"returns taken off"}}}, Feeds: []string{"kept"}},
		{ID: "numbers", Says: "which number was struck last and how many after it are kept for service pumps", Tool: "drive.files.read", Args: m{"file_id": "DR-5005"},
			In:   []input{{Name: "last_struck", At: "/text", Type: "integer", Within: "{after: last number struck}"}, {Name: "numbers_kept", At: "/text", Type: "integer", Within: "{after: numbers behind it kept for service}"}},
			Pins: m{"/text": m{"contains": []any{"running job not struck"}}}, Feeds: []string{"a_serial", "b_serial"}},
		{ID: "offers", Says: "what has been confirmed for the change: how many new rings, when and at what charge, and which word has been overtaken", Tool: "vendors.confirmations.list", Args: m{"reference": "EC-2291"},
			In:   []input{{Name: "offers", At: "/confirmations", Type: "rows", Fields: "{vendor_id: id, service: text, quantity: {type: integer, unit: ring}, ready: date, charge: {type: decimal, unit: EUR}, state: text}"}},
			Pins: m{"/confirmations/*/confirmation_id": "CF-5002", "/confirmations/*/ready": "=a_dock", "/confirmations/*/state": "CONFIRMED"}, Feeds: []string{"a_dock", "b_here", "c_dock"}},
		{ID: "maker-road", Says: "how long rings are on the road from the maker of the tool", Tool: "vendors.search", Args: m{"query": "=maker"}, Known: m{"query": "V-501"},
			In: []input{{Name: "maker_road", At: "/vendors/0/transit_days", Type: "integer", Unit: "day"}}, Feeds: []string{"a_here", "b_here"}},
		{ID: "other-road", Says: "how long they are on the road from the other house", Tool: "vendors.search", Args: m{"query": "=other"}, Known: m{"query": "V-502"},
			In: []input{{Name: "other_road", At: "/vendors/0/transit_days", Type: "integer", Unit: "day"}}, Feeds: []string{"c_here"}},
		{ID: "plant-days", Says: "on which days goods come in", Tool: "sched.calendar.list", Args: m{"calendar": "PLANT", "limit": 100},
			In:   []input{{Name: "plant_days", At: "/days", Type: "rows", Fields: "{day: date, state: text}"}},
			Pins: m{"/days/*/day": "=a_here", "/days/*/state": "OPEN"}, Feeds: []string{"a_here", "b_here", "c_here"}},
		rule("first-article", "how long the check of first articles takes, by the rule that counts", "QP-53", "check_rules", "integer", "day", "PR-506", "a_checked"),
		{ID: "measuring", Says: "on which days the measuring room releases: not while its machine is set up anew", Tool: "sched.calendar.list", Args: m{"calendar": "MEASURING", "limit": 100},
			In:   []input{{Name: "measuring_days", At: "/days", Type: "rows", Fields: "{day: date, state: text}"}},
			Pins: m{"/days/*/day": "=a_checked", "/days/*/state": "OPEN"}, Feeds: []string{"a_checked", "c_checked"}},
		{ID: "grinding", Says: "when Niko's reground rings could be on the measuring table and what each would cost", Tool: "drive.files.read", Args: m{"file_id": "DR-5007"},
			In:   []input{{Name: "reground", At: "/text", Type: "date", Within: "{after: on the measuring table on}"}, {Name: "grind_price", At: "/text", Type: "decimal", Unit: "EUR/ring", Within: "{after: each ring costs us EUR}"}},
			Pins: m{"/text": m{"contains": []any{"second trial"}}}, Feeds: []string{"d_checked", "d_cost"}},
		{ID: "ring-cost", Says: "what an old ring stands in the books with", Tool: "stores.parts.search", Args: m{"query": "CR-63F"},
			In: []input{{Name: "book_value", At: "/parts/0/standard_cost", Type: "decimal", Unit: "EUR/ring"}}, Feeds: []string{"lost_each"}},
		rule("scrap-value", "what a scrapped ring brings, by the rule that counts", "QP-54", "scrap_rules", "decimal", "EUR/ring", "PR-508", "lost_each"),
		{ID: "again", Says: "in what packs and at what price old rings could be bought again", Tool: "vendors.quotes.list", Args: m{"part": "CR-63F", "state": "VALID"},
			In:   []input{{Name: "quotes", At: "/quotes", Type: "rows", Fields: "{vendor_id: id, multiple: {type: integer, unit: ring}, unit_price: {type: decimal, unit: EUR/ring}, fixed_charge: {type: decimal, unit: EUR}}"}},
			Pins: m{"/quotes/*/quote_id": "QT-5001", "/quotes/*/multiple": "=pack"}, Feeds: []string{"bought_again", "b_cost"}},
		{ID: "surcharge", Says: "what the contract with the maker adds to each ring of a pre-series", Tool: "purchasing.contracts.list", Args: m{"vendor_id": "=maker"}, Known: m{"vendor_id": "V-501"},
			In:   []input{{Name: "terms", At: "/terms", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: EUR/ring}, status: text}"}},
			Pins: m{"/terms/*/clause": "9.1", "/terms/*/value": "=surcharge", "/terms/*/status": "IN_FORCE"}, Feeds: []string{"a_cost"}},
		{ID: "spent", Says: "what has been spent of the change's money already", Tool: "drive.files.read", Args: m{"file_id": "DR-5009"},
			In:   []input{{Name: "spent", At: "/text", Type: "decimal", Unit: "EUR", Within: "{json: /changes/1/spent}"}},
			Pins: m{"/text": m{"contains": []any{"closing of February"}}}, Feeds: []string{"may_spend"}},
		{ID: "limit", Says: "what may be spent on a change by one's own decision", Tool: "approvals.limits.list", Args: m{"user_id": "u-greta"},
			In:   []input{{Name: "limits", At: "/limits", Type: "rows", Fields: "{scope: text, amount: {type: decimal, unit: EUR}, status: text}"}},
			Pins: m{"/limits/*/scope": "CHANGE", "/limits/*/amount": "=own_limit", "/limits/*/status": "ACTIVE"}, Feeds: []string{"may_spend"}, Category: "authority"},
		{ID: "decided", Says: "that thinner walls were not conceded for this change, and nothing was signed for the other house", Tool: "approvals.decisions.search", Args: m{"query": "EC-2291"},
			In:   []input{{Name: "approvals", At: "/approvals", Type: "rows", Fields: "{scope: text, state: text}"}},
			Pins: m{"/approvals/*/approval_id": "AP-501", "/approvals/*/scope": "CONCESSION", "/approvals/*/state": "REFUSED"}, Feeds: []string{"conceded"}, Category: "authority"},
		{ID: "surveyor", Says: "the surveyor's later letter says until when she can witness the first build", Tool: "drive.files.read", Args: m{"file_id": "DR-5011"},
			In:   []input{{Name: "surveyor_until", At: "/text", Type: "date", Within: "{after: I can stand beside the bench up to}"}},
			Pins: m{"/text": m{"contains": []any{"forget the day in my note of February"}}}, Feeds: []string{"a_late"}},
		{Tool: "mail.people.search", Args: m{"query": "Jonas"}},
	}
}
