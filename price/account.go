package price

import "github.com/assaybench/assay/record"

// Account is what was spent on a run in one session, and by which prices. It is kept with the run, so that a figure can be
// checked after the prices have changed.
type Account struct {
	File     string         `json:"file"`     // the price file, as the user named it
	Currency string         `json:"currency"` //
	AsOf     string         `json:"as_of"`    // the day of the prices
	Models   []AccountModel `json:"models"`   // in the plan's order
}

// AccountModel is a model of an Account. Prices are for a million tokens; amounts are in trillionths of the currency.
type AccountModel struct {
	Name    string `json:"name"`  // provider/model
	Known   bool   `json:"known"` // it has a price
	Input   Amount `json:"input"`
	Cached  Amount `json:"cached"`
	Output  Amount `json:"output"`
	Calls   int    `json:"calls"`   // that cost something
	Unknown int    `json:"unknown"` // calls of these whose tokens the server did not count: charged the most that they can have cost
	Spent   Amount `json:"spent"`   // in this session
}

// Account is what the meter has added up in this session.
func (m *Meter) Account() Account {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := Account{File: m.table.File, Currency: m.table.Currency, AsOf: m.table.AsOf, Models: []AccountModel{}}
	for _, x := range m.models {
		a.Models = append(a.Models, AccountModel{Name: x.Name, Known: x.Known, Input: x.Price.Input, Cached: x.Price.Cached, Output: x.Price.Output,
			Calls: x.calls, Unknown: x.unknown, Spent: x.spent})
	}
	return a
}

// Charged reports whether a call costs something: not one that failed without the server counting a token.
func Charged(outcome record.Outcome, u record.Usage) bool {
	return outcome != record.Error || u.Prompt != nil || u.Output != nil
}
