package cli_test

import (
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
)

// TestEpisodeCost: an episode whose cost reaches the bench's limit is cut off there, by the prices of whoever runs; whom it
// cannot bind, the results say.
func TestEpisodeCost(t *testing.T) {
	r := newRig(t)
	r.keys("k")
	calls := r.mooring("{turns: 60, calls: 200, time: 20m, cost: 0.70 USD}")
	m := r.agentServer(modeltest.WireChat, each(calls), nil) // 3000 tokens of prompt, 20 of output a reply
	r.put(".assay/prices.yaml", "currency: USD\nas_of: 2026-11-30\nmodels:\n  openai/worker: {input: 100, output: 100}\n")
	const want = "truncated (the limit of 0.70 USD was reached)"
	res, _ := r.run(0, "openai/worker@"+m.URL, "--yes")
	shown := r.want(0, "result", "latest", "--item", "ferry-217").out
	if letters(res, "ferry-217") != "C" || !strings.Contains(shown, want) || !strings.Contains(shown, "3 events, ended by: cost") || noted(res, "does not bind") {
		t.Errorf("%s\n%s", letters(res, "ferry-217"), shown)
	}
	// Dearer tokens, fewer calls: it is money that is counted.
	r.put(".assay/prices.yaml", "currency: USD\nas_of: 2026-11-30\nmodels:\n  openai/worker: {input: 300, output: 100}\n")
	r.run(0, "openai/worker@"+m.URL, "--yes", "--new")
	if shown := r.want(0, "result", "latest", "--item", "ferry-217").out; !strings.Contains(shown, want) || !strings.Contains(shown, "1 event, ended by: cost") {
		t.Error(shown)
	}
	r.put(".assay/prices.yaml", "currency: EUR\nas_of: 2026-11-30\nmodels:\n  openai/worker: {input: 100, output: 100}\n")
	if got := r.want(2, "run", "./bench", "--unproven", "--model", "openai/worker@"+m.URL, "--yes").err; !strings.Contains(got, "has prices in EUR, and mooring@1 limits an episode's cost to 0.70 USD") {
		t.Error(got)
	}
	r.put(".assay/prices.yaml", "currency: USD\nas_of: 2026-11-30\nmodels:\n  openai/other: {input: 100, output: 100}\n")
	res, ran := r.run(0, "openai/worker@"+m.URL, "--yes", "--new")
	const unbound = "the bench's limit of 0.70 USD for an episode does not bind openai/worker: no price of it is known"
	if letters(res, "ferry-217") != "." || !noted(res, unbound) || !strings.Contains(ran.err, unbound) {
		t.Errorf("%s %q %s", letters(res, "ferry-217"), res.Notes, ran.err)
	}
	res, _ = r.run(0, "control/reference")
	if letters(res, "ferry-217") != "." || noted(res, "does not bind") {
		t.Errorf("a control: %s %q", letters(res, "ferry-217"), res.Notes)
	}
}

// TestEpisodeCostIsWritten: an amount and its currency.
func TestEpisodeCostIsWritten(t *testing.T) {
	for _, bad := range []string{"0.70", "0 USD", "-1 USD", "lots", "1 U S D", "1.0000001 USD"} {
		r := newRig(t)
		r.mooring("{turns: 60, calls: 200, time: 20m, cost: " + bad + "}")
		if got := r.want(2, "check", "./bench").err; !strings.Contains(got, "bench.yaml:12:") || !strings.Contains(got, "cost is an amount above 0 and its currency, such as 0.50 USD") {
			t.Errorf("%s: %s", bad, got)
		}
	}
}
