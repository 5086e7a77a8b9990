package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	leaked   = "assetRoom.precomputedOutcomeAgentVisible"
	noEgress = "sandbox.osLevelNoEgressMustNotBeClaimedWithoutEnforcement"
)

// ofChance are faults that look like good work, or like an accident.
var ofChance = []fault{
	{name: "nobody looks like the customer's order", deep: whole, fails: []string{chain + "hopClasses.H1", mandatory}, spoil: func(r spoilt) {
		r.without("world/seed/customer_orders.csv", "SO-10005,")
		r.without("world/seed/jobs.csv", "JB-1005,")
	}},
	{name: "a day in a description", fails: []string{leaked}, spoil: func(r spoilt) {
		r.swap(public(one), `"Day on the customer's site by B"`, `"Day on the customer's site by B, such as 20 March 2035"`)
	}},
	{name: "a day in a list of values", fails: []string{leaked}, spoil: func(r spoilt) {
		r["world/tools.yaml"] = bytes.Replace(r["world/tools.yaml"], []byte("        promised: {type: string, format: date}"), []byte(`        promised: {type: string, format: date, enum: ["2035-03-20", "2035-03-23"]}`), 1)
	}},
	{name: "a day in an example", fails: []string{leaked}, spoil: func(r spoilt) {
		r["world/tools.yaml"] = bytes.Replace(r["world/tools.yaml"], []byte("        promised: {type: string, format: date}"), []byte(`        promised: {type: string, format: date, examples: ["2035-03-20"]}`), 1)
	}},
	{name: "a day in the request", fails: []string{leaked}, spoil: func(r spoilt) {
		r.request(one, longer("I told her 2035-03-20 already."))
	}},
	{name: "a day in a note", fails: []string{leaked}, spoil: func(r spoilt) {
		r.adds(one, "DR-1099", "planning/by-the-coffee.md", "note", []byte("Somebody has written 3 April 2035 onto the board.\nNobody knows why.\n"))
	}},
	{name: "a slot in a description", fails: []string{leaked}, spoil: func(r spoilt) {
		r.swap(public(one), `"Slot of the option taken"`, `"Slot of the option taken, such as SL-1005"`)
	}},
	{name: "the choice in a description", fails: []string{leaked}, spoil: func(r spoilt) {
		r.swap(public(one), "D: his own van.", "D: his own van. The recommended one is B.")
	}},
	{name: "a choice of one", fails: []string{leaked}, spoil: func(r spoilt) {
		r.swap(public(one), "timing: {type: enum, values: [ON_TIME, LATE],", "timing: {type: enum, values: [ON_TIME],")
	}},
	{name: "an answer in the readme", fails: []string{leaked}, spoil: func(r spoilt) {
		r["README.md"] = []byte("# Shopfloor\n\nFor example, Brennach's units are on the site on 20 March 2035.\n")
	}},
	{name: "a cut network in other words", fails: []string{noEgress}, spoil: func(r spoilt) {
		r["README.md"] = []byte("# Shopfloor\n\nNo process that an agent starts can reach the outside world while it works.\n")
	}},
	{name: "a cut network in others still", fails: []string{noEgress}, spoil: func(r spoilt) {
		r.lines("bench.yaml", func(line string) []string {
			return []string{strings.Replace(line, "notice: >-", "notice: >-\n  Outbound connections are dropped by the host.", 1)}
		})
	}},
	{name: "no claim of a cut network", fails: nil, spoil: func(r spoilt) {
		r["README.md"] = []byte("# Shopfloor\n\nThis bench does not block outbound connections, and is not air-gapped.\n")
	}},
	{name: "reads that all but matter", deep: byTrials, fails: []string{"workflow.minimumProviderEvidenceReadsPerTask"}, spoil: func(r spoilt) {
		// what they show goes into a figure, and between two bounds that leave it no room
		r.derives(one, "check_days", "{max: [{const: 2, unit: day, why: it takes two}, {min: [{lookup: {of: check_rules, field: value, where: {status: CURRENT}}}, {const: 2, unit: day, why: it takes two}]}]}")
		r.derives(one, "hold_days", "{max: [{const: 2, unit: day, why: it takes two}, {min: [{lookup: {of: test_values, field: value, where: {name: hold after run-in}}}, {const: 2, unit: day, why: it takes two}]}]}")
		r.derives(one, "surcharge", "{max: [{const: 2.75, unit: EUR/seal, why: as ever}, {min: [{lookup: {of: terms, field: value, where: {name: surcharge for haste, status: IN_FORCE}}}, {const: 2.75, unit: EUR/seal, why: as ever}]}]}")
		r.derives(one, "failed", "{max: [{const: 1, unit: seal, why: one fails}, {min: [{sum: {of: inspections, field: rejected, where: {status: FINAL}}}, {const: 1, unit: seal, why: one fails}]}]}")
	}},
	{name: "a task with a harmless read more", tasks: []string{one}, deep: whole, fails: []string{
		"workflow.maximumPairwiseRawSequenceSimilarity", "workflow.maximumPairwiseSemanticGraphSimilarity",
		"workflow.structuralCloneGate.rawSequenceSimilarityThreshold", "workflow.structuralCloneGate.identifierNeutralSemanticSimilarityThreshold", "workflow.structuralCloneGate.pairsAllowed",
		"workflow.structuralCloneGate.rationale", "workflow.derivedVariantsCountAsDistinctEmployeeJobs", unique,
		"qualification.falseAcceptsAllowed",
	}, spoil: func(r spoilt) {
		clone(r, one, "promise-again")
		r.swap(reference("promise-again"), `{"tool":"mail.people.search"`, `{"tool":"chat.messages.search","args":{"query":"Brennach"}}`+"\n"+`{"tool":"mail.people.search"`)
	}},
	{name: "done before it is asked", deep: whole, fails: []string{leaked}, spoil: func(r spoilt) {
		r.swap("world/seed/customer_orders.csv", "SO-10004,Brennach Lock Works,BL-77213,PU-90E,17,2035-03-28,,", "SO-10004,Brennach Lock Works,BL-77213,PU-90E,17,2035-03-28,2035-03-20,")
	}},
	{name: "nobody is told", deep: whole, fails: []string{chain + "hopClasses.H12", mandatory, "writeContract.keywordStuffingMustFailWhenFreeTextIsGraded"}, spoil: func(r spoilt) {
		b := string(r[contract(one)])
		from, to := strings.Index(b, "messages:\n"), strings.Index(b, "containment:\n")
		r[contract(one)] = []byte(b[:from] + b[to:])
	}},
	{name: "an outcome that is written down", deep: whole, fails: []string{chain + "allAlternativeOutcomesGraded"}, spoil: func(r spoilt) {
		r.swap(contract(one), "site_day_a: {value: A.outcome}", `site_day_a: "2035-04-03"`)
	}},
	{name: "a limit that never binds", deep: whole, fails: []string{chain + "hopClasses.H7", mandatory}, spoil: func(r spoilt) {
		r.swap(contract(one), "  today: {do:", "  without_bounds: {do: {const: 100000, unit: EUR, why: nobody asks}}\n  today: {do:")
		r.lines(contract(one), func(line string) []string {
			if strings.HasPrefix(line, "  - {id: D,") {
				return []string{strings.Replace(line, "limit: may_spend", "limit: without_bounds", 1)}
			}
			return []string{line}
		})
	}},
	{name: "no spreadsheet", tasks: []string{two}, fails: []string{"assetRoom.requiresSpreadsheet"}, spoil: func(r spoilt) {
		r.plain(two, "xlsx")
	}},
	{name: "what is needed is a constant", deep: byTrials, fails: []string{chain + "hopClasses.H2", chain + "hopClasses.H4", mandatory, chain + "spineHopClasses", chain + "minimumChainDepth"}, spoil: func(r spoilt) {
		r.derives(one, "required", "{const: 37, unit: seal, why: it was so last time}")
	}},
	{name: "calendars that are none", deep: whole, fails: []string{chain + "hopClasses.H6"}, spoil: func(r spoilt) {
		r.lines("world/world.yaml", unkind("calendar_days", "slots", "shifts", "windows", "lines", "jobs", "work_orders", "assets", "bookings"))
		r.lines(public(one), func(line string) []string {
			return []string{strings.NewReplacer("kind: capacity", "kind: report", "kind: calendar", "kind: report").Replace(line)}
		})
	}},
	{name: "one constraint alone", deep: byTrials, fails: []string{chain + "hopClasses.H5", chain + "hopClasses.H6", chain + "minimumConstraintHops", chain + "spineHopClasses", chain + "minimumChainDepth"}, spoil: func(r spoilt) {
		r.lines("world/world.yaml", unkind("confirmations", "calendar_days", "slots", "shifts", "windows", "lines", "jobs", "work_orders", "assets", "bookings"))
		r.lines(public(one), func(line string) []string {
			return []string{strings.NewReplacer("kind: capacity", "kind: report", "kind: calendar", "kind: report").Replace(line)}
		})
	}},
	{name: "the outcome of the choice is not asked", deep: whole, fails: []string{chain + "hopClasses.H8", chain + "allAlternativeOutcomesGraded", mandatory}, spoil: func(r spoilt) {
		r.unasked(one, "site_day_b")
	}},
	{name: "it does not say what was found", deep: byTrials, fails: []string{"rubric.mustExplainCausalDecisionPath"}, spoil: func(r spoilt) {
		r.swap(contract(one), `says: "how many days the seals are on the road from the vendor to us"`, `says: "the road"`)
	}},
	{name: "a reference that is wrong", deep: whole, fails: []string{"qualification.oracleCoverage", "qualification.negativeControlsPerTask", "qualification.requiredNegativeControls", "qualification.executionsPerTask"}, spoil: func(r spoilt) {
		r.swap(reference(one), `"cost_a":540,`, `"cost_a":541,`)
	}},
	{name: "two jobs that have nothing to do with each other", deep: byTrials, fails: []string{objective}, spoil: func(r spoilt) {
		r.swap(contract(one), "  crane_day: {tool: drive.files.read,", "  castings: {tool: stores.lots.list, args: {part: \"HC-90\"}, at: /lots, type: rows, fields: {lot_id: id, quantity: {type: integer, unit: casting}}}\n  crane_day: {tool: drive.files.read,")
		r.swap(contract(one), "  today: {do:", "  castings_here: {do: {sum: {of: castings, field: quantity}}, unit: casting, answer: castings_here}\n  today: {do:")
		r.swap(public(one), "  timing: {type: enum,", "  castings_here: {type: integer, unit: casting, description: \"Housing castings in our stores\"}\n  timing: {type: enum,")
		n := 0
		for line := range strings.Lines(string(r["world/seed/lots.csv"])) {
			if cells := strings.Split(line, ","); len(cells) > 2 && slices.Contains(cells, "HC-90") {
				for _, c := range cells[1:4] {
					if k, err := strconv.Atoi(c); err == nil {
						n += k
						break
					}
				}
			}
		}
		r.swap(reference(one), `"crane_day":"2035-03-22",`, fmt.Sprintf(`"castings_here":%d,"crane_day":"2035-03-22",`, n))
	}},
}

// unkind says of tables that they hold orders, whatever they hold.
func unkind(tables ...string) func(line string) []string {
	return func(line string) []string {
		if name, _, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && slices.Contains(tables, name) && strings.HasPrefix(line, "  ") {
			return []string{"  " + name + ": order"}
		}
		return []string{line}
	}
}
