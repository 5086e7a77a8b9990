// Package price says what calls cost: it reads a price file that the user edits, and does exact arithmetic with it. No price
// ships with the program, since providers change theirs and an old one would be a wrong one; what has no price is said to
// have none, never to cost nothing.
package price

import (
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// Amount is money in trillionths (10⁻¹²) of the table's currency: a token at a price per million tokens with six places is a
// whole number of them. The largest is over nine million units of the currency.
type Amount int64

// unit is one unit of the currency.
const unit Amount = 1e12

// String writes an amount with at least two places, and more where there is more to say, at most six; the rest is rounded up,
// so that no cost is shown as nothing.
func (a Amount) String() string {
	if a < 0 {
		return "-" + (-a).String()
	}
	const least = 1e6 // of the sixth place
	micro := int64(a / least)
	if a%least > 0 {
		micro++
	}
	s := fmt.Sprintf("%d.%06d", micro/1e6, micro%1e6)
	whole, places, _ := strings.Cut(s, ".")
	if places = strings.TrimRight(places, "0"); len(places) < 2 {
		places += strings.Repeat("0", 2-len(places))
	}
	return whole + "." + places
}

// decimal is how money is written: digits, and at most six places after a point.
var decimal = regexp.MustCompile(`^[0-9]{1,6}(\.[0-9]{1,6})?$`)

// ParseAmount reads an amount such as 2.50.
func ParseAmount(s string) (Amount, error) {
	if !decimal.MatchString(s) {
		return 0, fmt.Errorf("%q is no amount; write digits with at most six places, such as 2.50", s)
	}
	whole, places, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole+places+strings.Repeat("0", 6-len(places)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no amount: %w", s, err)
	}
	return Amount(n) * 1e6, nil
}

// Price is what a million tokens of a model cost. Thinking is output.
type Price struct {
	Input  Amount // of the prompt
	Cached Amount // of that part of the prompt that came from the provider's cache
	Output Amount
}

// Table is a price file.
type Table struct {
	File     string
	Currency string // such as USD
	AsOf     string // the day on which the prices were looked up, as written
	models   map[string]Price
}

// Read reads a price file:
//
//	currency: USD
//	as_of: 2026-11-30
//	models:
//	  anthropic/claude-opus-5-5: {input: 5.00, cached: 0.50, output: 25.00}   # per million tokens
//
// A model is named as for --model, without its server. Without cached, a cached token costs what another does. Errors name
// the file, the line and the key.
func Read(file string, data []byte) (*Table, error) {
	n, err := bench.Parse(file, data)
	if err != nil {
		return nil, err
	}
	f := bench.NewFields(n)
	t := &Table{File: file, Currency: f.NeedText("currency"), AsOf: f.NeedText("as_of"), models: map[string]Price{}}
	if ms := f.Need("models"); ms != nil {
		if ms.Kind != bench.Map {
			f.Fault(ms.Errorf("models is a mapping of provider/model to prices"))
		} else {
			for i, k := range ms.Keys {
				if !strings.Contains(k.Text, "/") {
					f.Fault(k.Errorf("%q is no provider/model", k.Text))
				}
				p, err := readPrice(ms.Values[i])
				f.Fault(err)
				t.models[k.Text] = p
			}
		}
	}
	if len(t.Currency) > 8 || strings.ContainsFunc(t.Currency, func(r rune) bool { return r <= ' ' || r > '~' }) {
		f.Fault(n.Get("currency").Errorf("a currency is a short word such as USD"))
	}
	return t, f.Done()
}

func readPrice(n *bench.Node) (Price, error) {
	f := bench.NewFields(n)
	amount := func(key string, need bool) Amount {
		v := f.Node(key)
		if v == nil {
			if need {
				f.Fault(n.Errorf("the price of %s (a million tokens) is missing", key))
			}
			return -1
		}
		a, err := ParseAmount(v.Text)
		if err != nil || v.Kind != bench.Scalar {
			f.Fault(v.Errorf("%s: %v", key, err))
		}
		return a
	}
	p := Price{Input: amount("input", true), Cached: amount("cached", false), Output: amount("output", true)}
	if p.Cached < 0 {
		p.Cached = p.Input
	}
	return p, f.Done()
}

// Of gives the price of a model, provider/model without its server.
func (t *Table) Of(model string) (Price, bool) {
	if t == nil {
		return Price{}, false
	}
	p, ok := t.models[model]
	return p, ok
}

// Models lists the models that have a price, in order.
func (t *Table) Models() []string {
	var out []string
	for m := range t.models {
		out = append(out, m)
	}
	slices.Sort(out)
	return out
}

// largest is where sums end: what would be more stands at it, so that nonsense never becomes a gain.
const largest Amount = math.MaxInt64

// Plus adds two amounts, neither of them negative.
func (a Amount) Plus(b Amount) Amount {
	if a > largest-b {
		return largest
	}
	return a + b
}

// of is what n tokens cost at a price for a million.
func (a Amount) of(n int64) Amount {
	high, low := bits.Mul64(uint64(a/1e6), uint64(n))
	if high > 0 || low > uint64(largest) {
		return largest
	}
	return Amount(low)
}

// Cost is what tokens cost, of one call or of many. Cached is the part of prompt that came from a cache.
func (p Price) Cost(prompt, cached, output int64) Amount {
	prompt, output = max(prompt, 0), max(output, 0)
	cached = min(max(cached, 0), prompt)
	return p.Input.of(prompt - cached).Plus(p.Cached.of(cached)).Plus(p.Output.of(output))
}

// templateTokens is more than the chat templates of servers put around a prompt.
const templateTokens = 512

// Ceiling is what one call costs at the most: no tokenizer makes more tokens of a text than it has bytes.
func (p Price) Ceiling(promptBytes, output int64) Amount {
	return p.Cost(promptBytes+templateTokens, 0, output)
}

// maxTokens bounds a server's count: what says more of one call is no count.
const maxTokens = 1 << 31

// OfUsage is what a call cost by what its server counted; false when it did not count all of it, or cannot have.
func (p Price) OfUsage(u record.Usage) (Amount, bool) {
	for _, n := range []*int64{u.Prompt, u.Output} {
		if n == nil || *n < 0 || *n > maxTokens {
			return 0, false
		}
	}
	cached := int64(0)
	if u.Cached != nil {
		cached = *u.Cached
	}
	return p.Cost(*u.Prompt, cached, *u.Output), true
}
