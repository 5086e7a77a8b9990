package exact

import (
	"strings"
	"testing"

	"github.com/assaybench/assay/world"
)

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`12`, `12.0`, true}, {`12`, `1.2e1`, true}, {`12`, `"12"`, false}, {`0`, `false`, false}, {`1`, `true`, false}, {`0`, `null`, false}, {`"a"`, `"A"`, false},
		{`0.1`, `0.10000000000000000001`, false}, {`9007199254740993`, `9007199254740992`, false},
		{"\"e\u0301\"", "\"\u00e9\"", true}, {`[1,2]`, `[2,1]`, false}, {`{"a":1,"b":2}`, `{"b":2.0,"a":1}`, true}, {`{"a":1}`, `{"a":1,"b":null}`, false}, {`{}`, `[]`, false}, {`""`, `null`, false},
		{`-0`, `0`, true}, {`1e999999999`, `1e999999999`, true}, {`1e999999999`, `2e999999999`, false},
	} {
		a, err := Decode([]byte(c.a))
		if err != nil {
			t.Fatal(err)
		}
		b, err := Decode([]byte(c.b))
		if err != nil {
			t.Fatal(err)
		}
		if Equal(a, b) != c.want || Equal(b, a) != c.want {
			t.Errorf("%s and %s: %v, want %v", c.a, c.b, Equal(a, b), c.want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, s := range []string{"", "{", "1 2", `{"a":1,"a":2}`, "\"\xff\"", strings.Repeat("[", 300) + strings.Repeat("]", 300), "nul"} {
		if v, err := Decode([]byte(s)); err == nil {
			t.Errorf("%.20q was read as %v", s, v)
		}
	}
}

// A column is the same value whether it comes from the store or from the log.
func TestColumn(t *testing.T) {
	for _, c := range []struct{ a, b any }{
		{int64(12), float64(12)}, {float64(0.1), "0.1"}, {world.Blob("x"), map[string]any{"$blob": "eA=="}}, {nil, nil}, {"e\u0301", "\u00e9"}, {int64(1) << 60, "1152921504606846976"},
	} {
		b := c.b
		if s, ok := b.(string); ok && strings.Trim(s, "0123456789.") == "" {
			b = Number(s)
		}
		if !Equal(Column(c.a), Column(b)) {
			t.Errorf("%v and %v differ: %s and %s", c.a, c.b, Text(Column(c.a)), Text(Column(b)))
		}
	}
}

func TestText(t *testing.T) {
	v, err := Decode([]byte(`{"b":[1.50,true,null],"a":"x\"y"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Text(v), `{"a":"x\"y","b":[1.5,true,null]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if back, err := Decode(JSON(v)); err != nil || !Equal(back, v) {
		t.Errorf("JSON %s does not read back: %v", JSON(v), err)
	}
}
