package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
)

// Cost is what the recorded calls of a model cost, those that were made again included, by the prices of the run's last
// session. Amounts are exact: trillionths of the currency, and a decimal that is rounded up.
type Cost struct {
	Currency  string       `json:"currency"`
	Amount    string       `json:"amount"` // decimal
	Exact     price.Amount `json:"trillionths"`
	Calls     int          `json:"calls"`     // that it stands on
	Uncounted int          `json:"uncounted"` // calls that cost something and whose tokens the server did not count: they are not in it
}

// costs adds up the calls of a model at a posture. Nothing is added where there is no price.
type costs struct {
	price     *price.Price
	sum       price.Amount
	calls     int
	uncounted int
}

// priced gives the account whose prices stand: the last session's; nil where no prices were known.
func (run *Run) priced() *price.Account {
	if len(run.Accounts) == 0 {
		return nil
	}
	return &run.Accounts[len(run.Accounts)-1]
}

// priceOf gives the price of a model, by the plan's index; nil where none is known.
func (run *Run) priceOf(model int) *price.Price {
	a := run.priced()
	if a == nil || model >= len(a.Models) || !a.Models[model].Known {
		return nil
	}
	m := &a.Models[model]
	return &price.Price{Input: m.Input, Cached: m.Cached, Output: m.Output}
}

func (c *costs) add(r *Row) {
	if c.price == nil || r.Outcome == "" {
		return
	}
	c.call(r.Outcome, record.Usage{Prompt: r.PromptTokens, Output: r.OutputTokens, Cached: r.CachedTokens})
	for _, a := range r.Again {
		outcome := record.Error
		if a.Invalid {
			outcome = record.Answered
		}
		c.call(outcome, a.Usage)
	}
}

func (c *costs) call(o record.Outcome, u record.Usage) {
	if !price.Charged(o, u) {
		return
	}
	amount, counted := c.price.OfUsage(u)
	if !counted {
		c.uncounted++
		return
	}
	c.calls++
	c.sum = addAmounts(c.sum, amount)
}

// join adds another posture of the same model.
func (c *costs) join(d *costs) {
	c.sum = addAmounts(c.sum, d.sum)
	c.calls += d.calls
	c.uncounted += d.uncounted
}

// addAmounts adds two amounts that are not negative; what would overflow stands at the largest.
func addAmounts(a, b price.Amount) price.Amount {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func (c *costs) close(a *price.Account) *Cost {
	if c.price == nil {
		return nil
	}
	return &Cost{Currency: a.Currency, Amount: c.sum.String(), Exact: c.sum, Calls: c.calls, Uncounted: c.uncounted}
}

// words is a cost for a cell.
func (c *Cost) words() string {
	if c == nil {
		return "no price known"
	}
	s := c.Amount + " " + Printable(c.Currency)
	if c.Uncounted > 0 {
		s += fmt.Sprintf(" (+ %s not counted)", callWords(c.Uncounted))
	}
	return s
}

func callWords(n int) string {
	if n == 1 {
		return "1 call"
	}
	return thousands(int64(n)) + " calls"
}

// accountWords says by which prices costs were reckoned; "" where none were known.
func accountWords(accounts []price.Account) string {
	if len(accounts) == 0 {
		return ""
	}
	last := &accounts[len(accounts)-1]
	s := fmt.Sprintf("Costs by the prices of %s in %s, calls made again included.", Printable(last.AsOf), Printable(last.File))
	var spent price.Amount
	unknown := 0
	changed := false
	for i := range accounts {
		a := &accounts[i]
		changed = changed || !slices.EqualFunc(a.Models, last.Models, samePrice)
		for _, m := range a.Models {
			spent, unknown = addAmounts(spent, max(0, m.Spent)), unknown+max(0, m.Unknown)
		}
	}
	if changed {
		s += " Earlier sessions had other prices."
	}
	if unknown > 0 || changed {
		s += fmt.Sprintf(" The run itself charged %s %s", spent, Printable(last.Currency))
		if unknown > 0 {
			s += fmt.Sprintf(", with %s whose tokens were not counted at the most that they can have cost", callWords(unknown))
		}
		s += "."
	}
	return s
}

func samePrice(a, b price.AccountModel) bool {
	return a.Known == b.Known && a.Input == b.Input && a.Cached == b.Cached && a.Output == b.Output
}
