package main

import (
	"os"
	"testing"

	"github.com/assaybench/assay/contract/prose"
)

// TestDocumentTellsTheFigures holds the walk through the first task against its reference.
func TestDocumentTellsTheFigures(t *testing.T) {
	b, err := os.ReadFile("../../docs/shopfloor.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := prose.Prepare(string(b))
	_, list := built(t)
	answer := list[0].Work[len(list[0].Work)-1].Args
	for _, name := range []string{"required_seals", "observed_seals", "excluded_seals", "usable_seals", "missing_seals", "incoming_seals", "load_minutes", "seals_ready",
		"site_day_a", "cost_a", "site_day_b", "cost_b", "site_day_c", "cost_c", "cost_d"} {
		fact, _ := factOf(answer[name])
		if fact.Text == "" || !prose.Mentioned(doc, fact) {
			t.Errorf("docs/shopfloor.md does not say %s, %v", name, answer[name])
		}
	}
}
