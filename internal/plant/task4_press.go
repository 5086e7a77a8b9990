package main

func init() { register(4, press) }

// press: in which window, and by whose hands, is the packing of the press ram changed? The hours that the old packing is still good
// for, the hours that the work takes, the rings, the fitters' roster and the minutes that are lost decide it.
func press(p *plant) *task {
	pressRows(p)
	return &task{
		ID: "press-ram", Family: "resource", Title: "When the big press stands still", Role: "maintenance planner", User: "u-sade", AsOf: "2035-03-08",
		Request: `
LZ-4087 weeps. Oil runs down the main ram, and I would sooner stop that press on a day of my choosing than on one of its own. So: the repair
gets its window today, and it gets the one that costs the plant least, lost pressing counted in, out of those I may decide by myself and
the old packing will live to see. Four ways are on my table. Our fitters during the week; the same people on a Saturday; the builder's crew by
night; or we hold out until the press stands still at Easter anyhow. I do not trust the old hours for this work, nor the box of rings
in Niko's drawer. Whatever would need a signature remains a wish. Let me know also how the day on which it presses at full force again
lies against the visit of the insurer's engineer. When it is booked, prepare a chat message to Niko that I can post: which window, when
he has the press back, and what could still upset it.`,
		Handles:  [][2]string{{"serial_number", "LZ-4087"}},
		Answer:   pressAnswer,
		Given:    []string{"visit_day"},
		Reads:    pressReads(),
		Contract: pressContract,
		Work: []call{
			{"maint.windows.book", m{"work_order": "WO-4001", "window_id": "MW-4007", "provider": "OWN", "crew": 3, "revision": 2}},
			{"maint.bookings.get", m{"booking_id": "MB-0001"}},
			{"chat.drafts.create", m{"channel": "press-shop", "recipient": "u-niko", "about": "WO-4001", "text": `The repair of the ram is booked as MB-0001: our own fitters change the packing in window MW-4007, on Saturday. You have the press at full force again on 19 March 2035. It stands on the 18 rings that we lack, which are confirmed and have to arrive on the Thursday before, and on all three fitters coming in.`}},
			{"assay.submit_answer", m{
				"bom": "BM-402", "required_rings": 27, "observed_rings": 33, "excluded_rings": 24, "usable_rings": 9, "missing_rings": 18, "order_rings": 21, "pressed_since": "2031-03-09",
				"hours_left": 192, "own_hours": 10.4, "hours_change": 2.3, "builder_hours": 8.6, "rings_here": "2035-03-15", "window": "MW-4007", "hours_in_hand": 37, "may_spend": 2635.00,
				"option": "C", "full_force_a": "2035-03-16", "cost_a": 2551.10, "full_force_b": "2035-03-14", "cost_b": 3291.00, "full_force_c": "2035-03-19", "cost_c": 1803.30,
				"full_force_d": "2035-03-27", "cost_d": 329.10, "night_crew": "needs_approval", "easter_wait": "unsupported", "visit_day": "2035-03-22", "variance_days": -3, "state_at_visit": "READY", "booking": "MB-0001",
			}},
		},
		Files: append(pressFiles(), pressPapers(p)...),
	}
}

const pressAnswer = `
bom: {type: id, table: boms, column: bom_id, description: "Bill of material of the ram that counts today"}
required_rings: {type: integer, unit: ring, description: "Rings to be laid out for the repair"}
observed_rings: {type: integer, unit: ring, description: "Rings of this kind in the tool room whatever their condition"}
excluded_rings: {type: integer, unit: ring, description: "Of these, the ones that may not go into the press now"}
usable_rings: {type: integer, unit: ring, description: "Rings that may"}
missing_rings: {type: integer, unit: ring, description: "Rings that are short"}
order_rings: {type: integer, unit: ring, description: "Rings that have to be bought, since they are sold in packs"}
pressed_since: {type: date, description: "Day since which a ring must have been made, to be laid in today"}
hours_left: {type: integer, unit: hour, description: "Running hours that the old packing is good for, counted from the last reading of the meter"}
own_hours: {type: decimal, places: 1, unit: hour, description: "Hours that the press stands when our own crew does the work"}
hours_change: {type: decimal, places: 1, unit: hour, description: "Hours more, or with a minus less, than the work order was planned with"}
builder_hours: {type: decimal, places: 1, unit: hour, description: "Hours that the press stands when the builder's people do it"}
rings_here: {type: date, description: "Day on which the bought rings are here by the option taken"}
window: {type: id, table: windows, column: window_id, description: "Window of the option taken"}
hours_in_hand: {type: decimal, places: 1, unit: hour, description: "Running hours that the packing has left when the window of the option taken begins"}
may_spend: {type: decimal, places: 2, unit: EUR, description: "What this standstill may still cost without asking"}
option: {type: enum, values: [A, B, C, D], description: "A: our fitters during the week. B: the builder's crew by night. C: our fitters on a Saturday. D: at Easter."}
full_force_a: {type: date, description: "Day on which the press works at full force again by A"}
cost_a: {type: decimal, places: 2, unit: EUR, description: "What A costs, lost pressing included"}
full_force_b: {type: date, description: "Day on which the press works at full force again by B"}
cost_b: {type: decimal, places: 2, unit: EUR, description: "What B costs, lost pressing included"}
full_force_c: {type: date, description: "Day on which the press works at full force again by C"}
cost_c: {type: decimal, places: 2, unit: EUR, description: "What C costs, lost pressing included"}
full_force_d: {type: date, description: "Day on which the press works at full force again by D"}
cost_d: {type: decimal, places: 2, unit: EUR, description: "What D costs, lost pressing included"}
night_crew: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether B may be taken"}
easter_wait: {type: enum, values: [approved, needs_approval, unsupported], description: "Whether D may be taken"}
visit_day: {type: date, description: "Day of the insurer's visit"}
variance_days: {type: integer, unit: day, description: "Days from the visit to the day of full force, with a minus when that is earlier"}
state_at_visit: {type: enum, values: [READY, NOT_READY], description: "READY when the press works at full force on the day of the visit or before"}
booking: {type: id, table: bookings, column: booking_id, description: "The booking that was made"}
`

func pressReads() []read {
	return []read{
		{ID: "which-press", Says: "LZ-4087 is one of two presses with numbers much alike, and its meter says how far it has run, when that was read, and how long it runs on a day", Tool: "maint.assets.search", Args: m{"query": "LZ-4087"},
			In: []input{{Name: "asset", At: "/assets/0/asset_id", Type: "id"}, {Name: "press_line", At: "/assets/0/line", Type: "text"}, {Name: "meter", At: "/assets/0/meter_hours", Type: "integer", Unit: "hour"},
				{Name: "metered", At: "/assets/0/metered", Type: "date"}, {Name: "per_day", At: "/assets/0/hours_per_day", Type: "decimal", Unit: "hour/day"}},
			Feeds: []string{"hours_left"}, Category: "identity"},
		{ID: "which-work", Says: "of the work that is open on the press, the one by the instruction for the ram, with the crew and the hours that it was planned with", Tool: "maint.work_orders.list", Args: m{"asset_id": "=asset"}, Known: m{"asset_id": "AS-401"},
			In:   []input{{Name: "work_orders", At: "/work_orders", Type: "rows", Fields: "{work_order: id, plan_id: text, hours: {type: decimal, unit: hour}, crew: {type: integer, unit: fitter}, status: text}"}},
			Pins: m{"/work_orders/*/work_order": "=order", "/work_orders/*/status": "OPEN", "/work_orders/*/crew": "=crew"}, Feeds: []string{"own_hours", "hours_change"}, Category: "identity"},
		{Tool: "drive.files.search", Args: m{"query": "LZ-4087", "limit": 100}},
		{ID: "last-change", Says: "the press log says at which reading of the meter the packing was changed last", Tool: "drive.files.read", Args: m{"file_id": "DR-4001"},
			In:   []input{{Name: "changed_at", At: "/text", Type: "integer", Unit: "hour", Within: "{after: ram packing changed at meter}"}},
			Pins: m{"/text": m{"contains": []any{"three fitters, one shift"}}}, Feeds: []string{"hours_left"}},
		{ID: "packing-revision", Says: "which revision of the packing's specification counts", Tool: "specs.documents.search", Args: m{"query": "chevron packing"},
			In:   []input{{Name: "packing_documents", At: "/documents", Type: "rows", Fields: "{spec_id: id, revision: text, status: text}"}},
			Pins: m{"/documents/*/spec_id": "HS-401", "/documents/*/revision": "=packing_revision", "/documents/*/status": "CURRENT"}, Feeds: []string{"packing_revision"}, Category: "correlation"},
		{ID: "life", Says: "for how many running hours a packing of this kind is good", Tool: "specs.values.list", Args: m{"spec_id": "HS-401", "revision": "=packing_revision"}, Known: m{"revision": "D"},
			In:   []input{{Name: "packing_values", At: "/values", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: hour}}"}},
			Pins: m{"/values/*/name": "running life", "/values/*/value": "=life"}, Feeds: []string{"hours_left"}},
		{ID: "reserve", Says: "what share of its life a packing loses once it weeps, by the rule that counts", Tool: "specs.rules.list", Args: m{"query": "QP-43"},
			In:   []input{{Name: "weep_rules", At: "/rules", Type: "rows", Fields: "{value: {type: decimal, unit: percent}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-402", "/rules/*/value": "=reserve", "/rules/*/status": "CURRENT"}, Feeds: []string{"hours_left"}},
		{ID: "work-revision", Says: "which revision of the instruction for the ram counts", Tool: "specs.documents.search", Args: m{"query": "HS-402"},
			In:   []input{{Name: "work_documents", At: "/documents", Type: "rows", Fields: "{spec_id: id, revision: text, status: text}"}},
			Pins: m{"/documents/*/spec_id": "HS-402", "/documents/*/revision": "=work_revision", "/documents/*/status": "CURRENT"}, Feeds: []string{"work_revision"}, Category: "correlation"},
		{ID: "steps", Says: "which hours of the work pass however many hands there are, which are shared by the crew, and how many glands are opened", Tool: "specs.values.list", Args: m{"spec_id": "HS-402", "revision": "=work_revision"}, Known: m{"revision": "C"},
			In: []input{{Name: "alone_steps", At: "/values", Type: "rows", Fields: "{value: {type: decimal, unit: hour}, unit: text}"}, {Name: "shared_steps", At: "/values", Type: "rows", Fields: "{value: {type: decimal, unit: fitter*hour}, unit: text}"},
				{Name: "gland_values", At: "/values", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: gland}}"}},
			Pins: m{"/values/*/name": "open the glands", "/values/*/value": 10.5}, Feeds: []string{"own_hours", "builder_hours", "required"}},
		{ID: "bom-revisions", Says: "which bill of material of the ram counts today", Tool: "specs.boms.list", Args: m{"assembly": "RAM-280"},
			In:   []input{{Name: "boms", At: "/boms", Type: "rows", Fields: "{bom_id: id, valid_from: date, valid_to: date}"}},
			Pins: m{"/boms/*/bom_id": "=bom", "/boms/*/status": "CURRENT"}, Feeds: []string{"bom"}, Category: "correlation"},
		{ID: "bom", Says: "how many rings lie in a gland, and how many tear when they are laid in", Tool: "specs.boms.get", Args: m{"bom_id": "=bom"}, Known: m{"bom_id": "BM-402"},
			In:   []input{{Name: "bom_lines", At: "/lines", Type: "rows", Fields: "{part: id, quantity_per: {type: integer, unit: ring/gland}, scrap_pct: {type: decimal, unit: percent}}"}},
			Pins: m{"/lines/*/part": "PK-280V", "/lines/*/scrap_pct": "=torn"}, Feeds: []string{"required"}},
		{ID: "spares", Says: "how many rings lie in the tool room, in what condition, and how many of them are promised elsewhere", Tool: "maint.spares.list", Args: m{"asset_id": "=asset"}, Known: m{"asset_id": "AS-401"},
			In:   []input{{Name: "spares", At: "/spares", Type: "rows", Fields: "{part: id, on_hand: {type: integer, unit: ring}, reserved: {type: integer, unit: ring}, condition: text}"}},
			Pins: m{"/spares/*/spare_id": "SP-403", "/spares/*/condition": "USED"}, Feeds: []string{"observed", "worn", "promised"}},
		{ID: "storage-age", Says: "for how long a packing may be stored, by the rule that counts", Tool: "specs.rules.list", Args: m{"query": "QP-42"},
			In:   []input{{Name: "age_rules", At: "/rules", Type: "rows", Fields: "{value: {type: integer, unit: day}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-404", "/rules/*/status": "CURRENT"}, Feeds: []string{"pressed_since"}},
		{ID: "drawers", Says: "on which day the rings of each drawer were pressed, by the card that was written anew", Tool: "drive.files.read", Args: m{"file_id": "DR-4003"},
			In:   []input{{Name: "drawers", At: "/text", Type: "rows", Within: "{csv: true}", Fields: "{spare: id, rings: {type: integer, unit: ring}, pressed: date}"}},
			Pins: m{"/text": m{"contains": []any{"read off the ring itself"}}}, Feeds: []string{"aged"}},
		{ID: "offers", Says: "what the packing maker and the press builder have confirmed: how many, when, at what charge, and which word of theirs has been overtaken", Tool: "vendors.confirmations.list", Args: m{"reference": "=order"}, Known: m{"reference": "WO-4001"},
			In: []input{{Name: "ring_offers", At: "/confirmations", Type: "rows", Fields: "{vendor_id: id, part: text, service: text, quantity: {type: integer, unit: ring}, ready: date, charge: {type: decimal, unit: EUR}, state: text}"},
				{Name: "crew_offers", At: "/confirmations", Type: "rows", Fields: "{vendor_id: id, part: text, quantity: {type: integer, unit: fitter}, ready: date, charge: {type: decimal, unit: EUR}, state: text}"}},
			Pins: m{"/confirmations/*/confirmation_id": "CF-4002", "/confirmations/*/ready": "=ordinary_dock", "/confirmations/*/state": "CONFIRMED"}, Feeds: []string{"a_from", "b_from", "c_from"}},
		{ID: "ring-road", Says: "how many days the rings are on the road", Tool: "vendors.search", Args: m{"query": "=maker"}, Known: m{"query": "V-401"},
			In: []input{{Name: "ring_road", At: "/vendors/0/transit_days", Type: "integer", Unit: "day"}}, Feeds: []string{"a_from", "c_from"}},
		{ID: "prices", Says: "what a ring costs and in what packs it is sold", Tool: "vendors.quotes.list", Args: m{"part": "PK-280V", "state": "VALID"},
			In:   []input{{Name: "quotes", At: "/quotes", Type: "rows", Fields: "{vendor_id: id, multiple: {type: integer, unit: ring}, unit_price: {type: decimal, unit: EUR/ring}, fixed_charge: {type: decimal, unit: EUR}}"}},
			Pins: m{"/quotes/*/quote_id": "QT-4001", "/quotes/*/multiple": "=pack"}, Feeds: []string{"order_rings", "rings_cost"}},
		{ID: "night-terms", Says: "what the contract with the press builder adds for work by night", Tool: "purchasing.contracts.list", Args: m{"vendor_id": "=builder"}, Known: m{"vendor_id": "V-402"},
			In:   []input{{Name: "terms", At: "/terms", Type: "rows", Fields: "{name: text, value: {type: decimal, unit: percent}, status: text}"}},
			Pins: m{"/terms/*/clause": "4.2", "/terms/*/value": "=night", "/terms/*/status": "IN_FORCE"}, Feeds: []string{"b_cost"}},
		{ID: "windows", Says: "in which windows the press may stand, for how long, what is lost by it, and which is kept for somebody else", Tool: "maint.windows.list", Args: m{"asset_id": "=asset"}, Known: m{"asset_id": "AS-401"},
			In:   []input{{Name: "windows", At: "/windows", Type: "rows", Fields: "{window_id: id, day: date, starts: text, hours: {type: decimal, unit: hour}, state: text, lost_minutes: {type: integer, unit: minute}}"}},
			Pins: m{"/windows/*/window_id": "=chosen.window", "/windows/*/state": "OPEN", "/windows/*/day": "=c_day"}, Feeds: []string{"a_day", "b_day", "c_day", "d_day"}},
		{Tool: "drive.files.search", Args: m{"query": "fitters roster"}},
		{ID: "roster", Says: "how many of our fitters are in on which day, by the roster that was issued last", Tool: "drive.files.read", Args: m{"file_id": "DR-4005"},
			In:   []input{{Name: "roster", At: "/text", Type: "rows", Within: "{sheet: Fitters}", Fields: "{day: date, fitters: {type: integer, unit: fitter}}"}},
			Pins: m{"/text": m{"contains": []any{"week 11 issue"}}}, Feeds: []string{"a_day", "c_day"}},
		{ID: "plant-days", Says: "on which days the press runs, and from when it stands at Easter", Tool: "sched.calendar.list", Args: m{"calendar": "PLANT", "limit": 100},
			In:   []input{{Name: "plant_days", At: "/days", Type: "rows", Fields: "{day: date, state: text, label: text}"}},
			Pins: m{"/days/*/day": "=easter", "/days/*/state": "CLOSED", "/days/*/label": "Good Friday"}, Feeds: []string{"c_used", "d_used"}},
		{ID: "slack", Says: "how many minutes of the press are free in the same days, by which lost pressing is caught up", Tool: "sched.slots.list", Args: m{"line": "=press_line"}, Known: m{"line": "PR-4"},
			In:   []input{{Name: "slots", At: "/slots", Type: "rows", Fields: "{starts: date, ends: date, minutes_free: {type: integer, unit: minute}, state: text}"}},
			Pins: m{"/slots/*/slot_id": "SL-4002", "/slots/*/minutes_free": "=a_slack"}, Feeds: []string{"a_lost", "b_lost"}},
		{ID: "settling", Says: "how long a ram settles before the press works at full force, by the rule that counts", Tool: "specs.rules.list", Args: m{"query": "QP-44"},
			In:   []input{{Name: "settle_rules", At: "/rules", Type: "rows", Fields: "{value: {type: integer, unit: day}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-406", "/rules/*/status": "CURRENT"}, Feeds: []string{"a_back", "b_back", "c_back", "d_back"}},
		{ID: "premium", Says: "what fitters get on top on a Saturday, by the agreement that counts", Tool: "specs.rules.list", Args: m{"query": "QP-41"},
			In:   []input{{Name: "premium_rules", At: "/rules", Type: "rows", Fields: "{value: {type: decimal, unit: percent}, status: text}"}},
			Pins: m{"/rules/*/rule_id": "PR-408", "/rules/*/value": "=premium", "/rules/*/status": "CURRENT"}, Feeds: []string{"c_cost"}},
		{Tool: "drive.files.search", Args: m{"query": "standstill rates"}},
		{ID: "rates", Says: "what a lost minute of the press and an hour of a fitter are reckoned at this year", Tool: "drive.files.read", Args: m{"file_id": "DR-4007"},
			In:   []input{{Name: "minute_rate", At: "/text", Type: "decimal", Unit: "EUR/minute", Within: "{yaml: /presses/PR-4/lost_minute}"}, {Name: "fitter_rate", At: "/text", Type: "decimal", Unit: "EUR/hour/fitter", Within: "{yaml: /people/fitter_hour}"}},
			Pins: m{"/text": m{"contains": []any{"year: 2035"}}}, Feeds: []string{"a_cost", "b_cost", "c_cost"}},
		{ID: "crane-order", Says: "which order has the hired crane on it", Tool: "purchasing.orders.search", Args: m{"query": "crane", "status": "CONFIRMED"},
			In: []input{{Name: "crane_po", At: "/orders/0/po_id", Type: "id"}}, Feeds: []string{"committed"}, Category: "identity"},
		{ID: "crane", Says: "what has been ordered for this standstill already: days of the crane, and its journey", Tool: "purchasing.orders.get", Args: m{"po_id": "=crane_po"}, Known: m{"po_id": "PO-400001"},
			In:   []input{{Name: "crane_days", At: "/lines/0/quantity", Type: "integer", Unit: "day"}, {Name: "crane_price", At: "/lines/0/unit_price", Type: "decimal", Unit: "EUR/day"}, {Name: "crane_charge", At: "/lines/0/charge", Type: "decimal", Unit: "EUR"}},
			Pins: m{"/lines/0/part": "CRANE-20T"}, Feeds: []string{"committed"}},
		{ID: "limit", Says: "what a standstill may cost by one's own decision", Tool: "approvals.limits.list", Args: m{"user_id": "u-sade"},
			In:   []input{{Name: "limits", At: "/limits", Type: "rows", Fields: "{scope: text, amount: {type: decimal, unit: EUR}, status: text}"}},
			Pins: m{"/limits/*/scope": "STANDSTILL", "/limits/*/amount": "=own_limit", "/limits/*/status": "ACTIVE"}, Feeds: []string{"may_spend"}, Category: "authority"},
		{ID: "decided", Says: "whether work on a Saturday was approved for this repair and until when; the night crew was not", Tool: "approvals.decisions.search", Args: m{"query": "=order"}, Known: m{"query": "WO-4001"},
			In:   []input{{Name: "approvals", At: "/approvals", Type: "rows", Fields: "{scope: text, state: text, expires: date}"}},
			Pins: m{"/approvals/*/approval_id": "AP-401", "/approvals/*/state": "APPROVED"}, Feeds: []string{"weekend"}, Category: "authority"},
		{ID: "visit", Says: "the insurer's last letter says on which day his engineer comes", Tool: "drive.files.read", Args: m{"file_id": "DR-4009"},
			In:   []input{{Name: "visit_day", At: "/text", Type: "date", Within: "{after: Mr Solheim will be with you on}"}},
			Pins: m{"/text": m{"contains": []any{"instead of the day in my first letter"}}}, Feeds: []string{"c_late"}},
		{Tool: "mail.people.search", Args: m{"query": "Niko"}},
		{Tool: "chat.messages.search", Args: m{"query": "press"}},
	}
}
