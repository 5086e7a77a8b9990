package price

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/record"
)

const file = `currency: USD
as_of: 2026-11-30
models:
  anthropic/claude-opus-5-5: {input: 5.00, cached: 0.50, output: 25.00}
  openai/small: {input: 0.05, output: 0.4}
  "ollama/qwen3:8b": {input: 0, output: 0}
`

func TestRead(t *testing.T) {
	tab, err := Read("prices.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(tab.Models(), " "); got != "anthropic/claude-opus-5-5 ollama/qwen3:8b openai/small" || tab.Currency != "USD" || tab.AsOf != "2026-11-30" {
		t.Errorf("%s, %s, %s", got, tab.Currency, tab.AsOf)
	}
	p, ok := tab.Of("openai/small")
	if !ok || p.Cached != p.Input || p.Input != unit/20 || p.Output != unit*2/5 {
		t.Errorf("%+v", p)
	}
	if _, ok := tab.Of("openai/other"); ok {
		t.Error("a model without a price has one")
	}
	if _, ok := (*Table)(nil).Of("x"); ok {
		t.Error("no table has a price")
	}
}

func TestReadFaults(t *testing.T) {
	for body, want := range map[string]string{
		"":                "prices.yaml",
		"currency: USD\n": `the key "as_of" is missing`,
		strings.Replace(file, "output: 25.00", "outptu: 25.00", 1): "4:30: the price of output (a million tokens) is missing",
		strings.Replace(file, "5.00", "5e3", 1):                    `4:38: input: "5e3" is no amount`,
		strings.Replace(file, "5.00", "-1", 1):                     `"-1" is no amount`,
		strings.Replace(file, "5.00", "[1]", 1):                    "input:",
		strings.Replace(file, "5.00", "0.0000001", 1):              "at most six places",
		strings.Replace(file, "openai/small", "small", 1):          `"small" is no provider/model`,
		strings.Replace(file, "USD", "US dollars of course", 1):    "a short word such as USD",
		file + "  openai/small: {input: 1, output: 1}\n":           "openai/small",
		strings.Replace(file, "models:", "modles:", 1):             "modles",
	} {
		_, err := Read("prices.yaml", []byte(body))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %q", body, err, want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for in, want := range map[string]string{"0": "0.00", "2.5": "2.50", "2.50": "2.50", "0.000001": "0.000001", "999999.999999": "999999.999999", "12": "12.00", "0.123": "0.123"} {
		a, err := ParseAmount(in)
		if err != nil || a.String() != want {
			t.Errorf("%s: %s (%v), want %s", in, a, err, want)
		}
	}
	if got := Amount(1).String(); got != "0.000001" {
		t.Errorf("the least amount is shown as %s", got)
	}
	for _, in := range []string{"", "1,5", "1.", ".5", "1e3", "NaN", "-1", "1234567", "0.1234567", " 1"} {
		if a, err := ParseAmount(in); err == nil {
			t.Errorf("%q is %s", in, a)
		}
	}
}

// TestCostIsExact holds the arithmetic against rational numbers.
func TestCostIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price := func(name string) Amount { return Amount(rapid.Int64Range(0, 1e9).Draw(t, name)) * 1e6 }
		p := Price{Input: price("input"), Cached: price("cached"), Output: price("output")}
		prompt, output := rapid.Int64Range(0, 1e6).Draw(t, "prompt"), rapid.Int64Range(0, 1e6).Draw(t, "output")
		cached := rapid.Int64Range(0, prompt).Draw(t, "cached tokens")
		want := new(big.Rat)
		for _, x := range [][2]int64{{int64(p.Input), prompt - cached}, {int64(p.Cached), cached}, {int64(p.Output), output}} {
			want.Add(want, new(big.Rat).Mul(big.NewRat(x[0], 1e6), big.NewRat(x[1], 1)))
		}
		got := p.Cost(prompt, cached, output)
		if new(big.Rat).SetInt64(int64(got)).Cmp(want) != 0 {
			t.Fatalf("%d, want %s", got, want)
		}
	})
}

// TestNonsenseIsNoGain: what cannot be is never less than what can, and sums end at the largest amount.
func TestNonsenseIsNoGain(t *testing.T) {
	p := Price{Input: 999_999 * unit, Cached: 0, Output: 999_999 * unit}
	for _, x := range [][3]int64{{-5, -5, -5}, {1 << 62, 0, 1 << 62}, {10, 1 << 62, 0}, {0, 0, -1 << 63}, {1 << 31, 0, 1 << 31}, {1<<63 - 1, 0, 1<<63 - 1}} {
		if got := p.Cost(x[0], x[1], x[2]); got < 0 || x[2] >= 1<<31 && got != largest {
			t.Errorf("%v: %d", x, got)
		}
	}
	if got := largest.Plus(1); got != largest {
		t.Errorf("%d", got)
	}
	n := func(v int64) *int64 { return &v }
	for _, u := range []record.Usage{{}, {Prompt: n(1)}, {Output: n(1)}, {Prompt: n(-1), Output: n(1)}, {Prompt: n(1), Output: n(-1)}, {Prompt: n(1<<31 + 1), Output: n(1)}, {Prompt: n(1), Output: n(1 << 62)}} {
		if got, counted := p.OfUsage(u); counted || got != 0 {
			t.Errorf("%+v: %d, counted %t", u, got, counted)
		}
	}
}

// TestCeiling: a call that was not counted is charged no less than any call of its size.
func TestCeiling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Price{Input: Amount(rapid.Int64Range(0, 1e9).Draw(t, "input")) * 1e6, Output: Amount(rapid.Int64Range(0, 1e9).Draw(t, "output")) * 1e6}
		size, most := rapid.Int64Range(0, 1e6).Draw(t, "bytes"), rapid.Int64Range(1, 1e5).Draw(t, "output limit")
		tokens, output := rapid.Int64Range(0, size+100).Draw(t, "tokens"), rapid.Int64Range(0, most).Draw(t, "output tokens")
		if got, least := p.Ceiling(size, most), p.Cost(tokens, 0, output); got < least {
			t.Fatalf("%d is less than %d", got, least)
		}
	})
	// A sum over many calls is no less for being large.
	if got, want := (Price{Output: unit}).Cost(0, 0, 1<<33), Amount(1<<33)*1e6; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestMeter(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	tab, err := Read("p", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	p, _ := tab.Of("anthropic/claude-opus-5-5")
	m := NewMeter(tab, []Metered{{Name: "a", Price: p, Known: true, Ceiling: unit / 10}, {Name: "b"}}, unit, 0)
	if err := m.Add(1, record.Answered, record.Usage{Prompt: n(1 << 30), Output: n(1 << 30)}); err != nil {
		t.Errorf("a model without a price: %v", err)
	}
	if err := m.Add(0, record.Answered, record.Usage{Prompt: n(10_000), Output: n(2_000), Cached: n(10_000)}); err != nil {
		t.Error(err)
	}
	if spent := m.Spent(); spent.String() != "0.055" {
		t.Errorf("%s", spent)
	}
	if err := m.Add(0, record.Error, record.Usage{}); err != nil || m.Spent().String() != "0.055" {
		t.Errorf("a call that failed: %s (%v)", m.Spent(), err)
	}
	if err := m.Add(0, record.Answered, record.Usage{Prompt: n(10)}); err != nil {
		t.Error(err)
	}
	if spent, a := m.Spent(), m.Account(); spent.String() != "0.155" || a.Models[0].Unknown != 1 || a.Models[0].Calls != 2 || a.Models[0].Spent != spent || a.Models[1].Known {
		t.Errorf("usage that was not counted: %s, %+v", spent, a)
	}
	err = m.Add(0, record.Answered, record.Usage{Prompt: n(0), Output: n(33_800)})
	if err == nil || !strings.Contains(err.Error(), "--max-cost 1.00 USD is reached: 1.00 USD are spent") {
		t.Errorf("got %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file)
	f.Add("models: {a/b: {input: 1, output: 2}}")
	f.Fuzz(func(t *testing.T, s string) {
		tab, err := Read("f", []byte(s))
		if err != nil {
			return
		}
		for _, m := range tab.Models() {
			p, ok := tab.Of(m)
			if !ok || p.Input < 0 || p.Cached < 0 || p.Output < 0 {
				t.Fatalf("%q: %+v", m, p)
			}
		}
	})
}
