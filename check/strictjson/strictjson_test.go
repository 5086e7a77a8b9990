package strictjson

import (
	"strings"
	"testing"
)

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct{ in, why string }{
		"empty":           {"", "the text ends inside the value"},
		"duplicate key":   {`{"a":1,"a":2}`, "a key stands twice"},
		"nested twice":    {`{"x":{"a":1,"a":1}}`, "a key stands twice"},
		"escaped twice":   {`{"a":1,"\u0061":1}`, "a key stands twice"},
		"NaN":             {`{"a":NaN}`, "not JSON"},
		"infinity":        {`[Infinity]`, "not JSON"},
		"trailing comma":  {`{"a":1,}`, "not JSON"},
		"trailing text":   {`{"a":1} thanks`, "follow"},
		"second value":    {`{"a":1} {"a":1}`, "second value"},
		"second line":     {"1\n2", "second value"},
		"fence":           {"```json\n{}\n```", "fence"},
		"text before":     {`Here: {}`, "not JSON"},
		"BOM":             {"\ufeff{}", "byte order mark"},
		"lone surrogate":  {`"\ud800"`, "not JSON"},
		"not UTF-8":       {"\"\xff\"", "not JSON"},
		"leading zero":    {`01`, "follow"},
		"single quotes":   {`{'a':1}`, "not JSON"},
		"comment":         {"{} // x", "follow"},
		"cut off":         {`{"a":[1,`, "ends inside"},
		"control in text": {"\"a\nb\"", "not JSON"},
		"deep":            {strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nested more than"},
	} {
		if _, err := Parse(c.in); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: Parse(%.40q) = %v, want an error with %q", name, c.in, err, c.why)
		}
	}
}

func TestParsePlaces(t *testing.T) {
	in := " {\"k\\\"é\" : [1.50, \"a\\\\\", true, null], \"n\":-0}\n"
	v, err := Parse(in)
	if err != nil {
		t.Fatal(err)
	}
	list := v.Get("k\"é")
	if list == nil || len(list.Values) != 4 {
		t.Fatalf("the list is %+v", list)
	}
	for i, want := range []string{"1.50", `"a\\"`, "true", "null"} {
		e := list.Values[i]
		if got := in[e.Start:e.End]; got != want {
			t.Errorf("entry %d stands at %q, want %q", i, got, want)
		}
	}
	if got := in[list.Start:list.End]; got != `[1.50, "a\\", true, null]` {
		t.Errorf("the list stands at %q", got)
	}
	if n := v.Get("n"); n.Text != "-0" || n.Kind != Number {
		t.Errorf("n = %+v", n)
	}
	if list.Values[1].Text != `a\` || v.Get("none") != nil {
		t.Error("text or missing key wrong")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,"x",true,null,{"b":-1.5e3}]}`, `"\\\""`, `[[[]]]`, "1 2", "\ufeff1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := Parse(s)
		if err != nil {
			return
		}
		var check func(v *Value)
		check = func(v *Value) {
			if v.Start < 0 || v.End > len(s) || v.Start >= v.End {
				t.Fatalf("%q: a value at %d..%d", s, v.Start, v.End)
			}
			if again, err := Parse(s[v.Start:v.End]); err != nil || again.Kind != v.Kind || again.Text != v.Text {
				t.Fatalf("%q: the part %q does not read the same: %v", s, s[v.Start:v.End], err)
			}
			for _, c := range v.Values {
				check(c)
			}
		}
		check(v)
	})
}
