package main

import (
	"bytes"
)

const (
	two    = "worn-die"
	unique = "assetRoom.allAgentVisibleFilesGloballyUnique"
	native = "assetRoom.nativeMagicAndParserValidation"
)

// ofFiles are faults of the evidence files, and of what is kept apart from them.
var ofFiles = []fault{
	{name: "a file with a footer once more", fails: []string{unique}, spoil: func(r spoilt) {
		b := r[evidenceOf(one, "assembly/torn-lips.md")]
		r.adds(one, "DR-1099", "assembly/torn-lips-copy.md", "note", append(bytes.Clone(b), []byte("\nDocument 7741, printed on 5 March 2035\n")...))
	}},
	{name: "the same bytes twice", deep: whole, fails: []string{unique}, spoil: func(r spoilt) {
		r.adds(one, "DR-1099", "dispatch/lorry.ics", "calendar", r[evidenceOf(one, "dispatch/coast-lorry.ics")])
	}},
	{name: "text as pdf", fails: []string{native}, spoil: func(r spoilt) {
		r.renames(one, "assembly/torn-lips.md", "assembly/torn-lips.pdf")
	}},
	{name: "a workbook cut off", fails: []string{native}, spoil: func(r spoilt) {
		at := evidenceOf(one, "planning/time-study-pu-2.xlsx")
		r[at] = r[at][:len(r[at])*2/3]
	}},
	{name: "a table with a row too long", fails: []string{native}, spoil: func(r spoilt) {
		at := evidenceOf(one, "planning/pu-2-weeks.csv")
		r[at] = append(bytes.Clone(r[at]), []byte("15,a,b,c,d\n")...)
	}},
	{name: "too few files", fails: []string{"assetRoom.minimumAgentVisibleFilesPerTask"}, spoil: func(r spoilt) {
		r.drops(one, r.ending(one, "md")[:5]...)
	}},
	{name: "too few formats", tasks: []string{two}, fails: []string{"assetRoom.minimumNativeFormatsPerTask"}, spoil: func(r spoilt) {
		r.plain(two, "docx", "pdf", "ics", "csv", "log")
	}},
	{name: "no letter", tasks: []string{two}, fails: []string{"assetRoom.requiresCommunicationRecord"}, spoil: func(r spoilt) {
		r.plain(two, "eml")
	}},
	{name: "no structured data", tasks: []string{two}, fails: []string{"assetRoom.requiresStructuredData"}, spoil: func(r spoilt) {
		r.plain(two, "csv", "json")
	}},
	{name: "leak in a file", fails: []string{"assetRoom.precomputedOutcomeAgentVisible"}, spoil: func(r spoilt) {
		r.adds(one, "DR-1099", "planning/by-the-coffee.md", "note", []byte("Maren thinks that it will be EUR 1232.50, when all is said.\nShe is usually right, and always tired.\n"))
	}},
	{name: "leak in a record", deep: byTrials, fails: []string{"assetRoom.precomputedOutcomeAgentVisible"}, spoil: func(r spoilt) {
		r.swap("world/seed/chat_messages.csv", "Seals for JB-1002 are set aside in LT-1005", "It comes to EUR 1232.50 by air. Seals for JB-1002 are set aside in LT-1005")
	}},
	{name: "the way in a file", deep: whole, fails: []string{"assetRoom.referenceTrajectoryAgentVisible", showsTheWay}, spoil: func(r spoilt) {
		r.adds(one, "DR-1099", "it/usual-path.md", "note", []byte("People who ask for a day usually go through sched.orders.get, sched.jobs.get, specs.boms.get,\nstores.lots.list, quality.holds.search and vendors.confirmations.list.\n"))
	}},
	{name: "the contract in public", deep: whole, fails: []string{
		"assetRoom.visibleAndVerifierOnlyArtifactsSeparated", "assetRoom.verifierContractAgentVisible", "assetRoom.referenceTrajectoryAgentVisible", handsOver, showsTheWay,
	}, spoil: func(r spoilt) {
		r.adds(one, "DR-1099", "it/how-it-is-held.yaml", "note", r[contract(one)])
	}},
	{name: "names of the contract in a file", fails: []string{"assetRoom.verifierContractAgentVisible", handsOver}, spoil: func(r spoilt) {
		r.adds(one, "DR-1099", "it/words.md", "note", []byte("Who writes short_lived into the margin means the boxes at the window.\nIt is a joke of the stores.\n"))
	}},
	{name: "sentences of the contract in a file", fails: []string{"assetRoom.verifierContractAgentVisible", handsOver}, spoil: func(r spoilt) {
		r.adds(one, "DR-1099", "it/notes.md", "note", []byte("Written down at the round: how long a seal must keep when it is issued, by the revision of the rule that counts.\nSo far, so good.\n"))
	}},
}
