package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

var seeded = slices.Concat(ofWords, ofFiles, ofChains, ofChance)

// one is the task that most faults spoil.
const one = "promise-day"

const (
	handsOver   = "sandbox.verifierHiddenFromAgent"
	showsTheWay = "sandbox.referenceSolutionHiddenFromAgent"
	procedure   = "employeeRequest.mustDescribeBusinessOutcomeNotProcedure"
	recipe      = "employeeRequest.proceduralRecipeAllowed"
)

// longer adds a sentence to a request.
func longer(s string) func(string) string { return func(was string) string { return was + "\n" + s } }

// ofWords are faults of what is asked, and of what a release says of itself.
var ofWords = []fault{
	{name: "request too short", fails: []string{"employeeRequest.minimumWords"}, spoil: func(r spoilt) {
		r.request(one, func(string) string {
			return "Amira needs a day for BL-77213 that we stand by, within what I may spend. I want the job in order and a draft for her."
		})
	}},
	{name: "request too long", fails: []string{"employeeRequest.maximumWords"}, spoil: func(r spoilt) {
		r.request(one, longer("They have been with us since the first pump that left this hall, and whenever they are cross we hear of it for years, which is why everybody here is a little nervous about it and why I would rather be honest than quick."))
	}},
	{name: "recipe", fails: []string{recipe, procedure}, spoil: func(r spoilt) {
		r.request(one, longer("\n1. Open the order.\n2. Read the list of seals.\n3. Compare it with the plan.\n4. Move the job."))
	}},
	{name: "sequence of orders", fails: []string{recipe, procedure}, spoil: func(r spoilt) {
		r.request(one, longer("First check the order, then open the plan, then read the mail, and finally move the job."))
	}},
	{name: "record beyond the subject", fails: []string{recipe, procedure}, spoil: func(r spoilt) {
		r.request(one, longer("I would not trust LT-1005."))
	}},
	{name: "tool name", fails: []string{"employeeRequest.toolNamesAllowed"}, spoil: func(r spoilt) {
		r.request(one, longer("If in doubt, stores.lots.list shows it."))
	}},
	{name: "talk to programs", fails: []string{"employeeRequest.harnessSyntaxAllowed"}, spoil: func(r spoilt) {
		r.request(one, longer("Reply exactly in the output format below."))
	}},
	{name: "talk of grading", fails: []string{"employeeRequest.gradingLanguageAllowed"}, spoil: func(r spoilt) {
		r.request(one, longer("You will be graded on the days."))
	}},
	{name: "the same request twice", tasks: []string{one, "worn-die"}, fails: []string{
		"employeeRequest.exactDuplicatesAllowed", "employeeRequest.maximumPairwiseFiveShingleJaccard", "workflow.derivedVariantsCountAsDistinctEmployeeJobs",
	}, spoil: func(r spoilt) {
		said := ""
		r.request(one, func(was string) string {
			said = strings.ReplaceAll(was, "BL-77213", "the old one")
			return said
		})
		r.request("worn-die", func(string) string { return said })
	}},
	{name: "all but the same request", tasks: []string{one, "worn-die"}, fails: []string{
		"employeeRequest.maximumPairwiseFiveShingleJaccard", "workflow.derivedVariantsCountAsDistinctEmployeeJobs",
	}, spoil: func(r spoilt) {
		said := ""
		r.request(one, func(was string) string {
			said = strings.ReplaceAll(was, "BL-77213", "the old one")
			return said
		})
		r.request("worn-die", func(string) string { return said + "\nThanks, and sorry for the hurry." })
	}},
	{name: "a task under another name", tasks: []string{one}, deep: whole, fails: []string{
		"workflow.distinctReferenceToolSequences", "workflow.distinctSemanticActionGraphs", "workflow.maximumPairwiseRawSequenceSimilarity", "workflow.maximumPairwiseSemanticGraphSimilarity",
		"workflow.structuralCloneGate.rawSequenceSimilarityThreshold", "workflow.structuralCloneGate.identifierNeutralSemanticSimilarityThreshold", "workflow.structuralCloneGate.pairsAllowed",
		"workflow.structuralCloneGate.rationale", "workflow.semanticIdentityInputsMayEstablishUniqueness", "workflow.derivedVariantsCountAsDistinctEmployeeJobs", "assetRoom.allAgentVisibleFilesGloballyUnique",
		"qualification.falseAcceptsAllowed", // what is right for both is a constant answer
	}, spoil: func(r spoilt) { clone(r, one, "promise-again") }},
	{name: "leak in a schema", fails: []string{"assetRoom.precomputedOutcomeAgentVisible"}, spoil: func(r spoilt) {
		r.swap(public(one), "What C costs beyond the order as it is", "What C costs beyond the order as it is, say 1232.50")
	}},
	{name: "leak in a tool", deep: whole, fails: []string{"assetRoom.precomputedOutcomeAgentVisible"}, spoil: func(r spoilt) {
		r.swap("world/tools.yaml", "The day that we have confirmed to him", "The day that we have confirmed to him; a crane that waits for long may come to EUR 1232.50")
	}},
	{name: "closed network", fails: []string{"sandbox.osLevelNoEgressMustNotBeClaimedWithoutEnforcement"}, spoil: func(r spoilt) {
		r["README.md"] = []byte("# Shopfloor\n\nThe agent works in an air-gapped sandbox.\n")
	}},
	{name: "closed network in a tool", fails: []string{"sandbox.osLevelNoEgressMustNotBeClaimedWithoutEnforcement"}, spoil: func(r spoilt) {
		r.swap("world/tools.yaml", "One customer order with the jobs that make it.", "One customer order with the jobs that make it. Runs offline.")
	}},
	{name: "as the product is", fails: []string{"sandbox.unsupportedOneToOneProviderClaimsAllowed"}, spoil: func(r spoilt) {
		r["README.md"] = []byte("# Shopfloor\n\nIts mail is a drop-in replacement for the Gmail API.\n")
	}},
	{name: "nobody says what the systems are", fails: []string{"sandbox.providerContractDisclosureRequired"}, spoil: func(r spoilt) {
		r.without("world/seed/drive_files.csv", "DR-0001,")
		r.lines("bench.yaml", func(line string) []string {
			if strings.Contains(line, "them is, or behaves like") || strings.Contains(line, "Ostervelt Hydraulics, its people") {
				return []string{"  Names are invented."}
			}
			return []string{line}
		})
	}},
	{name: "an open schema", refused: "close it with additionalProperties: false", spoil: func(r spoilt) {
		r["world/tools.yaml"] = bytes.Replace(r["world/tools.yaml"], []byte("      additionalProperties: false\n"), []byte("      additionalProperties: true\n"), 1)
	}},
}

// clone brings a task a second time, under another id, with another request and with its own handle's words.
func clone(r spoilt, from, to string) {
	for p, b := range r {
		if rest, ok := strings.CutPrefix(p, "tasks/"+from+"/"); ok {
			r["tasks/"+to+"/"+rest] = bytes.ReplaceAll(b, []byte(from), []byte(to))
		}
	}
	r.swap(public(to), `title: "A day for the lock-gate units"`, `title: "When the sluice people get theirs"`)
	r.request(to, func(string) string {
		return `Our friends at the sluice ring me up daily because of BL-77213. I want to tell them something true. Nobody has looked at the little rings for the shafts
yet, and I have a feeling that half of what lies there is no good. Which day can we really hold, by ourselves and without begging Lars for more money than he gave? Put it all in order
on our side, whatever it takes and is allowed, so that the plan, the supplier and the order say the same. Amira will want a text to read out, kept with our order.`
	})
	b := string(r["bench.yaml"])
	b = strings.Replace(b, "quota: 1}", "quota: 2}", 1)
	r["bench.yaml"] = []byte(strings.Replace(b, "counts: {frozen: 1, drafted: 1, exact: 1,", fmt.Sprintf("counts: {frozen: %d, drafted: %d, exact: %d,", 2, 2, 2), 1))
}
