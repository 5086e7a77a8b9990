package main

import (
	"bytes"
	"strings"
)

const (
	chain     = "reasoningChain."
	mandatory = "reasoningChain.mandatoryHopClasses"
	objective = "employeeRequest.singleCoherentOperationalObjectiveRequired"
)

// ofChains are faults of what is derived, judged and proved.
var ofChains = []fault{
	{name: "reads that move nothing", deep: byTrials, fails: []string{"workflow.minimumProviderEvidenceReadsPerTask"}, spoil: func(r spoilt) {
		r.derives(one, "check_days", "{const: 2, unit: day, why: it was so last time}")
		r.derives(one, "hold_days", "{const: 2, unit: day, why: it was so last time}")
		r.derives(one, "surcharge", "{const: 2.75, unit: EUR/seal, why: it was so last time}")
		r.derives(one, "failed", "{const: 1, unit: seal, why: it was so last time}")
	}},
	{name: "what does not count is a constant", deep: byTrials, fails: []string{
		chain + "hopClasses.H3", chain + "hopClasses.H4", mandatory, chain + "spineHopClasses", chain + "minimumChainDepth", "workflow.minimumProviderEvidenceReadsPerTask",
	}, spoil: func(r spoilt) {
		r.derives(one, "excluded", "{const: 40, unit: seal, why: it was so last time}")
	}},
	{name: "no confirmation", deep: whole, fails: []string{chain + "hopClasses.H5"}, spoil: func(r spoilt) {
		r.lines("world/world.yaml", func(line string) []string {
			return []string{strings.Replace(line, "confirmations: confirmation", "confirmations: order", 1)}
		})
	}},
	{name: "the control day is a constant", deep: whole, fails: []string{chain + "hopClasses.H9", mandatory}, spoil: func(r spoilt) {
		r.swap(contract(one), "  crane_day: {tool: drive.files.read,", "  crane_letter: {tool: drive.files.read,")
		r.swap(contract(one), "  today: {do:", "  crane_day: {do: {const: 2035-03-22, why: it was said}}\n  today: {do:")
	}},
	{name: "the limit is a constant", deep: byTrials, fails: []string{chain + "hopClasses.H7", chain + "hopClasses.H10", mandatory, "employeeRequest.taskScopedExecutionAuthorityRequired", "writeContract.taskScopedExecutionAuthorityRequired"}, spoil: func(r spoilt) {
		r.derives(one, "may_spend", "{const: 600, unit: EUR, why: it was so last time}")
	}},
	{name: "two options tied", refused: "are equal by", spoil: func(r spoilt) {
		r.lines(contract(one), func(line string) []string {
			if strings.HasPrefix(line, "  - {id: D,") {
				return []string{strings.NewReplacer("d_site", "b_site", "d_cost", "b_cost", "d_bound", "b_bound").Replace(line)}
			}
			return []string{line}
		})
	}},
	{name: "an option under two names", fails: nil, refused: "are equal by", spoil: func(r spoilt) {
		r.lines(contract(one), func(line string) []string {
			if strings.HasPrefix(line, "  - {id: C,") {
				return []string{strings.NewReplacer("c_site", "b_site", "c_cost", "b_cost", "c_bound", "b_bound").Replace(line)}
			}
			return []string{line}
		})
	}},
	{name: "an alternative without cost", deep: whole, fails: []string{chain + "alternativeMustCarry", chain + "hopClasses.H7", mandatory}, spoil: func(r spoilt) {
		r.unasked(one, "cost_d")
		r.swap(contract(one), "outcome: d_site, cost: d_cost, limit: may_spend,", "outcome: d_site,")
		r.swap(contract(one), "order: [outcome, cost]", "order: [outcome]")
	}},
	{name: "an outcome that nobody grades", deep: whole, fails: []string{chain + "allAlternativeOutcomesGraded"}, spoil: func(r spoilt) {
		r.unasked(one, "site_day_a")
	}},
	{name: "nothing is beyond authority", deep: whole, fails: []string{chain + "requiresUnauthorizedAlternative", chain + "hopClasses.H7", mandatory,
		"employeeRequest.taskScopedExecutionAuthorityRequired", "writeContract.taskScopedExecutionAuthorityRequired"}, spoil: func(r spoilt) {
		r.derives(one, "c_bound", "{lt: [c_pieces, missing]}")
		r.swap(reference(one), `"standing_c":"needs_approval"`, `"standing_c":"unsupported"`)
	}},
	{name: "two jobs in one", deep: byTrials, fails: []string{objective}, spoil: func(r spoilt) {
		r.lines(contract(one), second("  - id: promised", "    role: supporting", "    role: primary"))
	}},
	{name: "no look at the change", deep: whole, fails: []string{"writeContract.postWriteReadbackRequired", chain + "hopClasses.H11", mandatory, "qualification.requiredNegativeControls", "workflow.causalConstraintsGraded"}, spoil: func(r spoilt) {
		r.without(contract(one), "{id: move-seen,")
	}},
	{name: "any row may change", deep: whole, fails: []string{"writeContract.writeScopeContainmentRequired", "sandbox.writesMustBeTaskScoped", "rubric.exactArgumentsOrStateSelectorsRequired"}, spoil: func(r spoilt) {
		r.swap(contract(one), "{table: jobs, op: update, key: {job_id: {value: job}}, columns:", "{table: jobs, op: update, columns:")
	}},
	{name: "a recipient whom nobody can find", deep: byTrials, fails: []string{"writeContract.completionDestinationMustBeDiscoverable"}, spoil: func(r spoilt) {
		r.without(reference(one), `"mail.people.search"`)
		r["world/seed/people.csv"] = append(bytes.Clone(r["world/seed/people.csv"]), []byte("u-quill,Ada Quill,temporary help,Sales office,a.quill@ostervelt.example,4699\n")...)
		for _, p := range []string{contract(one), reference(one)} {
			r[p] = bytes.ReplaceAll(r[p], []byte("u-amira"), []byte("u-quill"))
		}
	}},
	{name: "a text word for word", deep: whole, fails: []string{"writeContract.freeTextWritesMustUseSemanticGradingOrAgentVisibleTemplate", "writeContract.hiddenReferenceTextAllowed"}, spoil: func(r spoilt) {
		r.swap(contract(one), "args: {recipient: u-amira, about: {value: order}, body: {any: true}}", `args: {recipient: u-amira, about: {value: order}, subject: "Brennach, BL-77213: the day", body: {any: true}}`)
	}},
	{name: "values packed into one text", deep: byTrials, fails: []string{"writeContract.hiddenSerializationAllowed", "writeContract.completionDestinationMustBeDiscoverable"}, spoil: func(r spoilt) {
		r.swap(contract(one), "args: {recipient: u-amira, about: {value: order}, body: {any: true}}", `args: {recipient: u-amira, about: {value: order}, subject: "SO-10004;SL-1005", body: {any: true}}`)
		r.swap(reference(one), `"subject":"Brennach, BL-77213: the day"`, `"subject":"SO-10004;SL-1005"`)
	}},
	{name: "a text without facts", deep: whole, fails: []string{chain + "hopClasses.H12", mandatory}, spoil: func(r spoilt) {
		r.swap(contract(one), "facts: [{value: order}, {value: chosen.outcome}, {value: chosen.slot}, {value: missing}]", "facts: [{value: order}, {value: chosen.outcome}]")
	}},
	{name: "a mere call is enough", deep: byTrials, fails: []string{"rubric.genericToolCalledCriteriaAllowed"}, refused: "", spoil: func(r spoilt) {
		r.lines(contract(one), func(line string) []string {
			if strings.HasPrefix(line, "    any_of: [{tool: sched.lines.list,") {
				return []string{`    any_of: [{tool: sched.lines.list, args: {query: {value: line}}}]`}
			}
			return []string{line}
		})
	}},
	{name: "too few fields", deep: byTrials, fails: []string{chain + "minimumGradedAnswerFields", chain + "allAlternativeOutcomesGraded", chain + "intermediateValuesGraded", chain + "hopClasses.H10", chain + "hopClasses.H13", mandatory}, spoil: func(r spoilt) {
		r.unasked(one, "bom", "load_minutes", "load_change", "slot", "seals_ready", "test_ends", "shelf_life_until", "incoming_seals", "site_day_a", "cost_a", "site_day_c", "cost_c", "site_day_d", "cost_d", "standing_c", "standing_d", "may_spend")
	}},
	{name: "a report of another state", reported: true, fails: []string{chain + "auditReport"}, spoil: func(r spoilt) {
		r.swap(public(one), "Day on the customer's site by A", "Day on which it is on the customer's site by A")
	}},
	{name: "a report that says otherwise", reported: true, fails: []string{chain + "auditReport"}, spoil: func(r spoilt) {
		const key = `"key":"assetRoom.requiresDocument"`
		b := string(r["reports/audit.json"])
		i := strings.Index(b, key)
		r["reports/audit.json"] = []byte(b[:i] + strings.Replace(b[i:], `"result":"PASS"`, `"result":"WARN"`, 1))
	}},
}

// second changes the first line of a kind that follows another line.
func second(after, old, next string) func(line string) []string {
	on := false
	return func(line string) []string {
		switch {
		case line == after:
			on = true
		case on && line == old:
			on = false
			return []string{next}
		}
		return []string{line}
	}
}
