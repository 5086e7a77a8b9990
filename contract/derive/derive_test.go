package derive

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/exact"
)

// inputs of these tests: a number of sets, one of hours, a price, two dates, and rows.
func testInputs(t testing.TB) ([]Input, map[string]Value) {
	t.Helper()
	unit := func(s string) Unit {
		u, err := ParseUnit(s)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	num := func(s, u string) Value {
		r, ok := exact.Rat(s)
		if !ok {
			t.Fatalf("no number: %s", s)
		}
		return NumberOf(r, unit(u))
	}
	day := func(s string) Value {
		d, ok := ParseDay(s)
		if !ok {
			t.Fatalf("no day: %s", s)
		}
		return DateOf(d)
	}
	fields := map[string]Type{"id": {Kind: Text}, "qty": {Kind: Number, Integer: true, Unit: unit("set")}, "status": {Kind: Text}, "day": {Kind: Date}, "ok": {Kind: Bool}}
	raw, err := exact.Decode([]byte(`[
		{"id":"L1","qty":3,"status":"HELD","day":"2031-04-16","ok":true},
		{"id":"L2","qty":2,"status":"FREE","day":"2031-04-09","ok":false},
		{"id":"L3","qty":5,"status":"FREE","day":"2031-04-22","ok":true},
		{"id":"L4","qty":null,"status":"LOST","day":"2031-05-01","ok":true}]`))
	if err != nil {
		t.Fatal(err)
	}
	lots, err := Read(raw, Type{Kind: Rows, Fields: fields})
	if err != nil {
		t.Fatal(err)
	}
	vals := map[string]Value{
		"axles": num("4", "axle"), "per": num("2.5", "set/axle"), "hours": num("7", "hour"), "sets": num("-3", "set"), "price": num("19.99", "EUR/set"),
		"d1": day("2031-04-07"), "d2": day("2031-04-16"), "three": num("3", "day"), "name": TextOf("LIFT"), "yes": BoolOf(true), "lots": lots, "zero": num("0", "hour"),
	}
	var in []Input
	for _, name := range []string{"axles", "per", "hours", "sets", "price", "d1", "d2", "three", "name", "yes", "lots", "zero"} {
		v := vals[name]
		typ := Type{Kind: v.kind, Unit: v.unit}
		if name == "lots" {
			typ.Fields = fields
		}
		in = append(in, Input{Name: name, Type: typ, Node: &bench.Node{File: "c.yaml", Line: 1, Column: 1}})
	}
	return in, vals
}

func compileDefs(t testing.TB, in []Input, text string) (*Program, error) {
	t.Helper()
	n, err := bench.Parse("c.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var defs []Def
	for i, k := range n.Keys {
		d := Def{Name: k.Text, Node: k}
		body := n.Values[i]
		if u := body.Get("unit"); u != nil && body.Get("do") != nil {
			unit, err := ParseUnit(u.Text)
			if err != nil {
				return nil, err
			}
			d.Unit, body = &unit, body.Get("do")
		}
		if d.Expr, err = Parse(body); err != nil {
			return nil, err
		}
		defs = append(defs, d)
	}
	return Compile(in, defs)
}

func evalText(t testing.TB, expr string) (Value, error) {
	t.Helper()
	in, vals := testInputs(t)
	p, err := compileDefs(t, in, "x: "+expr)
	if err != nil {
		return Value{}, err
	}
	return p.Run(func(name string) (Value, error) { return vals[name], nil }).Value("x")
}

func TestOperators(t *testing.T) {
	for expr, want := range map[string]string{
		"{mul: [axles, per]}":                                                       "10 set",
		"{add: [{mul: [axles, per]}, sets]}":                                        "7 set",
		"{sub: [sets, {mul: [axles, per]}]}":                                        "-13 set",
		"{div: {of: [{mul: [axles, per]}, axles], round: exact}}":                   "2.5 set/axle",
		"{div: {of: [hours, {const: 3, unit: hour, why: shifts}], round: up}}":      "3",
		"{div: {of: [hours, {const: 3, unit: hour, why: shifts}], round: down}}":    "2",
		"{div: {of: [hours, {const: 3, unit: hour, why: shifts}], round: exact}}":   "7/3",
		"{div: {of: [hours, {const: -2, unit: hour, why: w}], round: half_up}}":     "-4",
		"{div: {of: [hours, {const: -2, unit: hour, why: w}], round: up}}":          "-3",
		"{div: {of: [hours, {const: -2, unit: hour, why: w}], round: toward_zero}}": "-3",
		"{div: {of: [{const: 5, why: w}, {const: 2, why: w}], round: half_even}}":   "2",
		"{div: {of: [{const: 7, why: w}, {const: 2, why: w}], round: half_even}}":   "4",
		"{round: {of: {mul: [price, sets]}, round: half_up, places: 1}}":            "-60 EUR",
		"{neg: sets}": "3 set",
		"{abs: sets}": "3 set",
		"{min: [sets, {const: 2, unit: set, why: w}]}":                                  "-3 set",
		"{max: [{const: 0, unit: set, why: w}, sets]}":                                  "0 set",
		"{clamp: [sets, {const: 0, unit: set, why: w}, {const: 9, unit: set, why: w}]}": "0 set",
		"{sum: {of: lots, field: qty, where: {status: FREE}}}":                          "7 set",
		"{sum: {of: lots, field: qty, where: {status: NONE}}}":                          "0 set",
		"{count: {of: lots, where: {status: FREE}, unit: lot}}":                         "2 lot",
		"{count: {of: lots, where: {qty: {ge: 3}}}}":                                    "2",
		"{count: {of: lots, where: {qty: {gt: 2, lt: 5}}}}":                             "1",
		"{count: {of: lots, where: {day: {le: {value: d2}}}}}":                          "2",
		"{count: {of: lots, where: {status: {one_of: [HELD, FREE]}, ok: true}}}":        "2",
		"{count: {of: lots, where: {status: {ne: FREE}}}}":                              "2",
		"{exists: {of: lots, where: {status: LOST}}}":                                   "true",
		"{min: {of: lots, field: day, where: {status: FREE}}}":                          "2031-04-09",
		"{max: {of: lots, field: qty, where: {status: {ne: LOST}}}}":                    "5 set",
		"{first: {of: lots, field: id, where: {status: FREE}}}":                         "L2",
		"{lookup: {of: lots, field: qty, where: {id: L3}}}":                             "5 set",
		"{collect: {of: lots, field: id, where: {status: FREE}}}":                       "{L2, L3}",
		"{add_days: [d1, three]}":                                                       "2031-04-10",
		"{days_between: [d1, d2]}":                                                      "9 day",
		"{days_between: [d2, d1]}":                                                      "-9 day",
		"{later: [d1, d2]}":                                                             "2031-04-16",
		"{earlier: [d1, d2, {const: 2031-01-31, why: w}]}":                              "2031-01-31",
		"{weekday: d1}": "monday",
		"{next_of: [d2, {const: 2031-04-15, why: w}, {const: 2031-04-20, why: w}, {const: 2031-04-18, why: w}]}":             "2031-04-18",
		"{next_of: {of: lots, field: day, where: {ok: true}, from: d2}}":                                                     "2031-04-16",
		"{next_of: {of: lots, field: day, where: {ok: true}, from: d2, strict: true}}":                                       "2031-04-22",
		"{if: [{gt: [hours, {const: 6, unit: hour, why: w}]}, {const: late}, {const: on time}]}":                             "late",
		"{if: [{eq: [zero, {const: 0, unit: hour, why: w}]}, {const: 0, why: w}, {div: {of: [hours, zero], round: exact}}]}": "0",
		"{and: [yes, {lt: [d1, d2]}, {not: {eq: [name, {const: X}]}}]}":                                                      "true",
		"{or: [{ge: [d1, d2]}, {ne: [hours, zero]}]}":                                                                        "true",
		"{le: [sets, sets]}": "true",
		"{concat: [name, {const: '-'}, d1, {const: '/'}, hours]}": "LIFT-2031-04-07/7",
		"{mul: [price, {const: 1, unit: set, why: w}]}":           "19.99 EUR",
		"{mul: [hours, {const: 60, unit: minute/hour, why: w}]}":  "420 minute",
	} {
		v, err := evalText(t, expr)
		if err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		if got := v.String(); got != want {
			t.Errorf("%s = %s, want %s", expr, got, want)
		}
	}
}

// Every error says where, and what to do.
func TestErrors(t *testing.T) {
	for expr, want := range map[string]string{
		"{add: [sets, hours]}":                                    "c.yaml:1:4: add: set and hour do not add or compare",
		"{add: [sets]}":                                           "add takes at least 2 operands, and this has 1",
		"{plus: [sets, sets]}":                                    `unknown operator "plus"`,
		"{ad: [sets, sets]}":                                      `did you mean "add"?`,
		"{add: [sets, 3]}":                                        "write a figure or a text as {const: 3, unit: …, why: …}",
		"{add: [sets, sett]}":                                     `there is no input or derivation "sett"; did you mean "sets"?`,
		"{div: [hours, hours]}":                                   "div says how it rounds",
		"{div: {of: [hours, hours], round: sideways}}":            `unknown way to round "sideways"`,
		"{div: {of: [hours, zero], round: exact}}":                "the divisor is zero",
		"{sum: {of: lots, field: status}}":                        "it takes a field of numbers, and this is a text",
		"{sum: {of: lots, field: qty}}":                           `a row that fits has no value in the field "qty"`,
		"{sum: {of: lots, field: wgt}}":                           "the field \"wgt\" of lots is not declared",
		"{sum: {of: sets, field: qty}}":                           "rows are wanted, and this is a number (set)",
		"{count: {of: lots, where: {status: {gt: A}}}}":           "a text has no order",
		"{count: {of: lots, where: {qty: FREE}}}":                 "does not fit the field, which is a number (set)",
		"{count: {of: lots, where: {qty: {gt: {value: hours}}}}}": `the field "qty" is a number (set), and this is a number (hour)`,
		"{count: {of: lots, where: {}}}":                          "where is a mapping of fields to values",
		"{count: {of: lots, wher: {status: A}}}":                  `unknown key "wher"; did you mean "where"?`,
		"{lookup: {of: lots, field: id, where: {status: FREE}}}":  "2 rows fit, and it wants one",
		"{lookup: {of: lots, field: id, where: {status: GONE}}}":  "no row fits; what is not there is not zero",
		"{add_days: [d1, hours]}":                                 "a number of the unit day",
		"{next_of: [d2, d1]}":                                     "none of 1 dates is on or after 2031-04-16",
		"{if: [hours, sets, sets]}":                               "its first operand is a condition",
		"{if: [yes, sets, hours]}":                                "both branches give the same kind and unit",
		"{eq: [lots, lots]}":                                      "rows are not compared",
		"{clamp: [hours, hours, zero]}":                           "the lower bound 7 hour is above the upper bound 0 hour",
		"{const: x, unit: set}":                                   "only a number has a unit",
		"{const: 7, unit: hour}":                                  "the constant 7 stands bare; say under why where it comes from",
		"{const: 2031-04-16}":                                     "stands bare",
		"{const: [1]}":                                            "a constant is a number, a text, a date or true or false",
		"{mul: [hours, name]}":                                    "it takes a number, and this is a text",
		"[a, b]":                                                  "an operator is missing",
		"{add: [x, sets]}":                                        "a cycle: x → x",
	} {
		_, err := evalText(t, expr)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", expr, err, want)
			continue
		}
		if be, ok := errors.AsType[*bench.Error](err); !ok || be.File != "c.yaml" || be.Line != 1 {
			t.Errorf("%s: the error has no place: %v", expr, err)
		}
	}
}

func TestCyclesAndUnits(t *testing.T) {
	in, _ := testInputs(t)
	_, err := compileDefs(t, in, "a: {neg: b}\nb: {neg: c}\nc: {neg: a}\n")
	if err == nil || !strings.Contains(err.Error(), "a cycle: a → b → c → a") {
		t.Errorf("a cycle gives %v", err)
	}
	_, err = compileDefs(t, in, "a: {do: {mul: [axles, per]}, unit: axle}\n")
	if err == nil || !strings.Contains(err.Error(), `declares the unit axle, and its operators give set`) {
		t.Errorf("a wrong unit gives %v", err)
	}
	in = append(in, Input{Name: "loop", Type: Type{Kind: Text}, Deps: []string{"a"}, Node: &bench.Node{File: "c.yaml", Line: 9}})
	_, err = compileDefs(t, in, "a: {concat: [loop]}\n")
	if err == nil || !strings.Contains(err.Error(), "a cycle: ") {
		t.Errorf("a cycle through an input's arguments gives %v", err)
	}
}

func TestReach(t *testing.T) {
	in, _ := testInputs(t)
	p, err := compileDefs(t, in, "need: {mul: [axles, per]}\ngap: {sub: [need, {sum: {of: lots, field: qty, where: {id: L1}}}]}\nother: {neg: hours}\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Inputs("gap"), " "); got != "axles lots per" {
		t.Errorf("gap stands on %s", got)
	}
	if got := strings.Join(p.Reach("gap", "other"), " "); got != "axles gap hours lots need other per" {
		t.Errorf("reach %s", got)
	}
}

func TestUnits(t *testing.T) {
	for s, want := range map[string]string{"": "", "1": "", "set": "set", "set/axle*axle": "set", "m*m": "m^2", "m^2/m": "m", "b*a": "a*b", "1/day": "1/day", "m/s/s": "m/s^2", "m^-1": "1/m"} {
		u, err := ParseUnit(s)
		if err != nil || u.String() != want {
			t.Errorf("%q is %q, %v; want %q", s, u, err, want)
		}
		again, err := ParseUnit(u.String())
		if err != nil || again != u {
			t.Errorf("%q does not read back: %v", u, err)
		}
	}
	for _, s := range []string{"set axle", "/", "set/", "m^x", "m^0", "m^10", "2m"} {
		if u, err := ParseUnit(s); err == nil {
			t.Errorf("%q was read as %q", s, u)
		}
	}
}

func TestDays(t *testing.T) {
	for _, s := range []string{"0001-01-01", "1600-02-29", "1999-12-31", "2000-01-01", "2024-02-29", "2031-04-07", "9999-12-31"} {
		d, ok := ParseDay(s)
		if !ok || d.String() != s {
			t.Errorf("%s comes back as %s", s, d)
		}
	}
	for _, s := range []string{"2023-02-29", "1900-02-29", "2031-4-07", "2031-13-01", "0000-01-01", "2031-00-01", "20310407  ", "2031-04-31", "+031-04-01"} {
		if d, ok := ParseDay(s); ok {
			t.Errorf("%s was read as %s", s, d)
		}
	}
	if last, _ := ParseDay("9999-12-31"); last != maxDay {
		t.Errorf("the last day is %d, and maxDay %d", last, maxDay)
	}
	// Every day of four centuries follows the one before it, on the next day of the week.
	d, _ := ParseDay("1900-01-01")
	if d.Weekday() != "monday" {
		t.Errorf("1900-01-01 was a %s", d.Weekday())
	}
	prev := d.String()
	for i := 1; i <= 146097; i++ {
		s := (d + Day(i)).String()
		back, ok := ParseDay(s)
		if !ok || back != d+Day(i) || s <= prev {
			t.Fatalf("day %d after 1900-01-01 is %s, which reads as %d", i, s, back)
		}
		prev = s
	}
}

// Repeated products are stopped before they cost anything.
func TestBigNumbers(t *testing.T) {
	in, vals := testInputs(t)
	text := "x0: {mul: [{const: 123456789, why: w}, {const: 987654321, why: w}]}\n"
	for i := 1; i < 40; i++ {
		n := string(rune('0'+i/10)) + string(rune('0'+i%10))
		p := "x0"
		if i > 1 {
			p = "x" + string(rune('0'+(i-1)/10)) + string(rune('0'+(i-1)%10))
		}
		text += "x" + n + ": {mul: [" + p + ", " + p + "]}\n"
	}
	p, err := compileDefs(t, in, text)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(func(name string) (Value, error) { return vals[name], nil }).Value("x39")
	if err == nil || !strings.Contains(err.Error(), "more than 4096 bits") {
		t.Errorf("a number of 2^39 digits gives %v", err)
	}
}

func TestRound(t *testing.T) {
	r := func(s string) *big.Rat { v, _ := new(big.Rat).SetString(s); return v }
	for _, c := range []struct {
		in     string
		places int
		mode   string
		want   string
	}{
		{"1/3", 2, "up", "0.34"}, {"1/3", 2, "down", "0.33"}, {"-1/3", 2, "up", "-0.33"}, {"-1/3", 2, "down", "-0.34"},
		{"5/2", 0, "half_even", "2"}, {"7/2", 0, "half_even", "4"}, {"-5/2", 0, "half_up", "-3"}, {"0.125", 2, "half_even", "0.12"}, {"0.135", 2, "half_up", "0.14"},
	} {
		if got := exact.Decimal(Round(r(c.in), c.places, c.mode)); got != c.want {
			t.Errorf("%s rounded %s to %d: %s, want %s", c.in, c.mode, c.places, got, c.want)
		}
	}
}

func TestSealed(t *testing.T) {
	v := NumberOf(big.NewRat(1, 2), Unit{})
	if _, err := v.MarshalJSON(); !errors.Is(err, ErrSealed) {
		t.Errorf("a value marshals: %v", err)
	}
}
