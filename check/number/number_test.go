package number

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "7": "7", "007": "7", "71.50": "71.50", "-3": "-3", "\u22123": "-3", "-0": "0", "0.005": "0.005", "-0.50": "-0.50",
		"1,234": "1234", "12,345,678.90": "12345678.90", "999,999": "999999", "0,123": "123",
		"$71.50": "71.50", "-$5": "-5", "$-5": "-5", "$\u22125": "-5", "\u2212$5": "-5", "$ 5": "5", "$1,200": "1200",
		" 71.5 ": "71.5", "\u00a071.5\t": "71.5", "00.10": "0.10",
		strings.Repeat("9", 1000): strings.Repeat("9", 1000),
	} {
		d, err := Parse(in)
		if err != nil || d.String() != want {
			t.Errorf("Parse(%q) = %s, %v; want %s", in, d.String(), err, want)
		}
	}
}

// "29%, a unit after the number, nan, exponents: unread", and everything else that the grammar does not have.
func TestParseUnread(t *testing.T) {
	for _, in := range []string{
		"", " ", "29%", "29 %", "5 dollars", "5$", "6.69 m²", "6.69m", "nan", "NaN", "inf", "-inf", "Infinity", "1e3", "1E3", "1.5e-3", "0x10", "0b1",
		"+5", "+$5", ".5", "5.", ".", "-", "$", "-$", "--5", "-\u22125", "-$-5", "$$5", "- 5", "$- 5",
		"1,23", "12,34", "1,2345", "1234,567", ",123", "1,,234", "1,234,", "1,234,56", "1.234,56", "1,234.", "1.2.3", "1.1,000", "1 234", "1_000", "1'000",
		"١٢", "１２", "五", "½", "1/2", "1-2", "–5", "(5)", "€5", "5\u200b", "**5**", "5 or 6", "five", "\xff", "5\x00",
		strings.Repeat("9", 1001), strings.Repeat("9", 2000), strings.Repeat("9", 100_000), "0." + strings.Repeat("0", 1000),
	} {
		if d, err := Parse(in); err == nil {
			t.Errorf("Parse(%.40q) = %s, and it is no number", in, d.String())
		} else if !errors.Is(err, ErrUnread) || len(err.Error()) > 120 {
			t.Errorf("Parse(%.40q): the error is %v", in, err)
		}
	}
}

func must(t *testing.T, s string) Decimal {
	t.Helper()
	d, err := Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		got, want, tolerance string
		in                   bool
	}{
		{"71.50", "71.5", "0", true},
		{"71.51", "71.5", "0", false},
		{"6.685", "6.69", "0.005", true}, // inclusive
		{"6.695", "6.69", "0.005", true},
		{"6.6849999999999999999", "6.69", "0.005", false}, // exact: a float would let it in
		{"6.6950000000000000001", "6.69", "0.005", false},
		{"0.3", "0.1", "0.2", true}, // floats say 0.19999999999999998
		{"-1", "1", "2", true},
		{"-1.0001", "1", "2", false},
		{"9007199254740993", "9007199254740992", "0", false},
		{"1,000", "1000.000", "0", true},
	} {
		if got := must(t, c.got).Within(must(t, c.want), must(t, c.tolerance)); got != c.in {
			t.Errorf("%s within %s of %s: %v, want %v", c.got, c.tolerance, c.want, got, c.in)
		}
	}
}

func TestPlainUnitAndSign(t *testing.T) {
	for in, want := range map[string][2]string{
		"71.50": {"71.5", "0.01"}, "71": {"71", "1"}, "100": {"100", "1"}, "0.00": {"0", "0.01"}, "-0.0": {"0", "0.1"}, "-5.000": {"-5", "0.001"}, "0.05": {"0.05", "0.01"},
	} {
		d := must(t, in)
		if d.Plain() != want[0] || d.Unit().String() != want[1] {
			t.Errorf("%s: plain %s, unit %s; want %v", in, d.Plain(), d.Unit().String(), want)
		}
	}
	if must(t, "-0").Negative() || !must(t, "-0.001").Negative() || must(t, "3").Negative() {
		t.Error("only what is below zero is negative")
	}
}

// decimals draws numbers together with the same numbers as math/big has them.
func decimals() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		s := rapid.SampledFrom([]string{"", "-", "\u2212", "$", "-$"}).Draw(t, "sign") + rapid.StringMatching(`[0-9]{1,25}`).Draw(t, "whole")
		if rapid.Bool().Draw(t, "point") {
			s += "." + rapid.StringMatching(`[0-9]{1,25}`).Draw(t, "fraction")
		}
		return s
	})
}

func rat(t *rapid.T, s string) *big.Rat {
	r, ok := new(big.Rat).SetString(strings.NewReplacer("\u2212", "-", "$", "").Replace(s))
	if !ok {
		t.Fatalf("math/big cannot read %q", s)
	}
	return r
}

func TestArithmeticIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d [3]Decimal
		var r [3]*big.Rat
		for i := range d {
			s := decimals().Draw(t, "number")
			var err error
			if d[i], err = Parse(s); err != nil {
				t.Fatal(err)
			}
			r[i] = rat(t, s)
		}
		r[2].Abs(r[2])
		if d[2].Negative() {
			d[2].coef.Neg(&d[2].coef)
		}
		if got, want := d[0].Cmp(d[1]), r[0].Cmp(r[1]); got != want {
			t.Fatalf("Cmp(%s, %s) = %d, want %d", d[0].String(), d[1].String(), got, want)
		}
		diff := new(big.Rat).Sub(r[0], r[1])
		if got, want := d[0].Within(d[1], d[2]), diff.Abs(diff).Cmp(r[2]) <= 0; got != want {
			t.Fatalf("%s within %s of %s: %v, want %v", d[0].String(), d[2].String(), d[1].String(), got, want)
		}
		if got, want := rat(t, d[0].Add(d[1]).String()), new(big.Rat).Add(r[0], r[1]); got.Cmp(want) != 0 {
			t.Fatalf("%s + %s = %s, want %s", d[0].String(), d[1].String(), got, want)
		}
		for _, s := range []string{d[0].String(), d[0].Plain()} {
			if again, err := Parse(s); err != nil || again.Cmp(d[0]) != 0 {
				t.Fatalf("%s does not read back: %v", s, err)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"71.50", "-$1,234.5", "$\u22120.5", "29%", "1e9", ".5", "1,23", "١٢"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Parse(s)
		if err != nil {
			if !errors.Is(err, ErrUnread) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		if strings.Trim(s, "0123456789.,$- \t\n\v\f\r\u2212\u00a0\u0085\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000") != "" {
			t.Fatalf("%q was read and has characters that no number has", s)
		}
		again, err := Parse(d.String())
		if err != nil || again.Cmp(d) != 0 || again.String() != d.String() {
			t.Fatalf("%q reads as %s and does not read back: %v", s, d.String(), err)
		}
	})
}
