package contract

import (
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
)

// Without options nothing is chosen, and no list of names says so.
func TestNamesWithoutOptions(t *testing.T) {
	for ref, want := range map[string]string{
		"chosen.outcome": `there is no value "chosen.outcome": nothing that has parts is called "chosen", since the contract has no options, and no change can be named here`,
		"qty":            `there is no value "qty"; known: as_of`,
	} {
		_, _, err := compileText(t, "investigations: [{id: a, says: b, any_of: [{tool: maint.orders.get, result: {/drums: {value: "+ref+"}}}]}]\nanswer:\n  "+
			"required_quantity: {any: true}\n  usable_quantity: {any: true}\n  gap: {any: true}\n  option: {any: true}\n  outcome_date: {any: true}\n  cost: {any: true}\n  held: {any: true}\n  blocker: {any: true}\n  record: {any: true}\n")
		if err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

// The day of the task is a value like any other, and moves what stands on it.
func TestAsOf(t *testing.T) {
	n, err := bench.Parse("contract.yaml", []byte(contractText(t)))
	if err != nil {
		t.Fatal(err)
	}
	task := depotTask()
	task.AsOf = "2034-04-27"
	c, _, err := Compile(n, newDepot(), task)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Derive(newDepot())
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Values["slow_ready"].String() + " " + x.Values["slow_day"].String() + " " + x.Values[AsOf].String(); got != "2034-05-06 2034-05-09 2034-04-27" {
		t.Errorf("the day before gives %s", got)
	}
}

// TestExplain: the words come from the objects that judge.
func TestExplain(t *testing.T) {
	c, x := depotContract(t)
	all := strings.Join(Explain(c, x), "\n")
	for _, want := range []string{
		"drums is read from maint.orders.get where order is \"MO-31\" at /drums: 3 drum",
		"usable is sum of the qty of lots where status eq \"FREE\", which is the answer's usable_quantity: 7 rope",
		"gap is max(0 rope (a surplus is no gap), sub(required, usable)), which is",
		"as_of is the day of the task: 2034-05-02\nrequired is",
		"slow_ready is add_days(as_of, lookup of the days of offers",
		"communication change note (weight 1): notes.drafts.create with body is anything and recipient is \"u-ada\"\n",
		"by maint.orders.get with order is \"MO-31\" whose result has drums is 3\n",
		"by stores.lots.list with part is \"RP-12\" whose result has, in one element, lots/*/lot_id is \"LT-8\"",
		"option B, have it sent at once: outcome fast_day: 2034-05-09, cost lookup of the price of offers where offer_id eq \"OF-2\": 640 EUR, limit limit: 250 EUR; needs approval",
		"the right option is the first by outcome, then cost among the approved options (weight 1): A",
		"primary change booking (weight 4): slips.bookings.create with slip is \"SLIP-2\" and day is \"2034-05-16\" and vessel is \"217\"",
		"look seen (weight 1): after the last change of what booking left, slips.bookings.get",
		"allowed: update of slots with the key slot_id is \"SL-4\", in state only: any number of rows",
		"answer cost (weight 1): 80 EUR",
		"answer blocker (weight 1): a plain no, and does not say LT-3",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the explanation lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log(all)
	}
	// A message's person who stands among the arguments already is named once.
	k, _, err := compileText(t, edit(t, contractText(t), "args: {body: {any: true}}", "args: {recipient: u-ada, body: {any: true}}"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(Explain(k, nil), "\n"); strings.Count(got, "recipient is \"u-ada\"") != 3 { // the change, its row, and what is allowed
		t.Errorf("the recipient stands %d times:\n%s", strings.Count(got, "recipient is \"u-ada\""), got)
	}
	if strings.Contains(strings.Join(Explain(c, nil), "\n"), "2034-05-16") {
		t.Error("an explanation without values gives one")
	}
}
