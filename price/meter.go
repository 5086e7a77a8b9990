package price

import (
	"fmt"
	"sync"

	"github.com/assaybench/assay/record"
)

// Meter adds up what a run costs while it goes on, and says when its limit is reached. It is safe for concurrent use.
type Meter struct {
	table *Table
	limit Amount // 0: none

	mu     sync.Mutex
	models []Metered
	spent  Amount // with what was spent before
}

// Metered is a model whose calls are added up.
type Metered struct {
	Name  string // as in the price file
	Price Price
	Known bool // it has a price
	// Ceiling is what one call costs at the most: it is charged where the server does not count its tokens.
	Ceiling Amount

	calls, unknown int
	spent          Amount
}

// NewMeter makes a meter over the models of a run, in the plan's order, with what was spent before.
func NewMeter(t *Table, models []Metered, limit, spent Amount) *Meter {
	return &Meter{table: t, limit: limit, models: models, spent: spent}
}

// Limit is the error of a run that has reached its limit.
type Limit struct {
	Spent, Limit Amount
	Currency     string
}

func (e *Limit) Error() string {
	return fmt.Sprintf("--max-cost %s %s is reached: %s %s are spent; what was answered is kept, and a larger --max-cost goes on", e.Limit, e.Currency, e.Spent, e.Currency)
}

// Add adds one call, and returns a *Limit when the run must not make another. A call whose tokens the server did not count
// costs the ceiling; one that failed without a token counted costs nothing.
func (m *Meter) Add(model int, outcome record.Outcome, u record.Usage) error {
	if model < 0 || model >= len(m.models) || !m.models[model].Known || !Charged(outcome, u) {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	mm := &m.models[model]
	cost, counted := mm.Price.OfUsage(u)
	if !counted {
		mm.unknown++
		cost = mm.Ceiling
	}
	mm.calls++
	mm.spent = mm.spent.Plus(cost)
	m.spent = m.spent.Plus(cost)
	if m.limit > 0 && m.spent >= m.limit {
		return &Limit{Spent: m.spent, Limit: m.limit, Currency: m.table.Currency}
	}
	return nil
}

// Spent is what was spent so far, earlier sessions included.
func (m *Meter) Spent() Amount {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent
}
