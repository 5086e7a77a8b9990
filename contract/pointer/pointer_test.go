package pointer

import (
	"strings"
	"testing"

	"github.com/assaybench/assay/contract/exact"
)

func TestParse(t *testing.T) {
	for _, s := range []string{"", "/", "/a", "/a/*/b", "/a~1b/~0", "/0/*", "/*"} {
		p, err := Parse(s)
		if err != nil || p.String() != s {
			t.Errorf("%q comes back as %q, %v", s, p, err)
		}
	}
	for s, want := range map[string]string{"a": "write /a", "/a~": "~ must be followed", "/~2": "~ must be followed", strings.Repeat("/a", 40): "40 parts", "/" + strings.Repeat("x", 1001): "1002 bytes"} {
		if _, err := Parse(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", s, err, want)
		}
	}
}

func value(t *testing.T, s string) any {
	t.Helper()
	v, err := exact.Decode([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAll(t *testing.T) {
	doc := value(t, `{"a":[{"b":1,"c":[2,3]},{"b":4,"c":[]},{"c":[5]}],"":7,"a/b":8}`)
	for s, want := range map[string]string{"/a/*/b": "[1,4]", "/a/*/c/*": "[2,3,5]", "/a/1/b": "[4]", "/a/3": "[]", "/a/01": "[]", "/": "[7]", "/a~1b": "[8]", "/*": "[]", "/a/-": "[]"} {
		p, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := exact.Text(append([]any{}, p.All(doc)...)); got != want {
			t.Errorf("%s reaches %s, want %s", s, got, want)
		}
	}
}

// Pointers that share a * bind one element, at every depth.
func TestJoin(t *testing.T) {
	doc := value(t, `{"orders":[
		{"id":"A","lines":[{"part":"x","qty":1},{"part":"y","qty":2}]},
		{"id":"B","lines":[{"part":"x","qty":2}]},
		{"id":"C","lines":[]}],"total":0,"flag":false}`)
	is := func(s string) Test {
		want := value(t, s)
		return func(v any, there bool) bool { return there && exact.Equal(v, want) }
	}
	absent := func(_ any, there bool) bool { return !there }
	for _, c := range []struct {
		tests map[string]Test
		want  bool
	}{
		{map[string]Test{"/orders/*/id": is(`"A"`), "/orders/*/lines/*/part": is(`"y"`)}, true},
		{map[string]Test{"/orders/*/id": is(`"B"`), "/orders/*/lines/*/part": is(`"y"`)}, false},
		{map[string]Test{"/orders/*/lines/*/part": is(`"x"`), "/orders/*/lines/*/qty": is(`2`)}, true},
		{map[string]Test{"/orders/*/id": is(`"A"`), "/orders/*/lines/*/part": is(`"x"`), "/orders/*/lines/*/qty": is(`2`)}, false},
		{map[string]Test{"/orders/*/id": is(`"C"`), "/orders/*/lines/*": absent}, true},
		{map[string]Test{"/orders/*/id": is(`"B"`), "/orders/*/lines/*": absent}, false},
		{map[string]Test{"/total": is(`0`)}, true},
		{map[string]Test{"/flag": is(`0`)}, false}, // a boolean is no number
		{map[string]Test{"/total": is(`"0"`)}, false},
		{map[string]Test{"/id": is(`"A"`)}, false}, // no search at any depth
		{map[string]Test{"/none": absent, "/none/deeper": absent}, true},
		{map[string]Test{}, true},
	} {
		p := &Pattern{}
		for s, test := range c.tests {
			at, err := Parse(s)
			if err != nil {
				t.Fatal(err)
			}
			p.Add(at, test)
		}
		if got := p.Match(doc); got != c.want {
			t.Errorf("%v: %v, want %v", keys(c.tests), got, c.want)
		}
	}
}

func keys(m map[string]Test) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

// FuzzParse: what is read writes itself back, and reaches nothing that is not there.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "/a/*/b", "/~0~1", "a", "//", "/é/0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(p.String())
		if err != nil || again.String() != p.String() {
			t.Fatalf("%q writes %q, which reads as %q, %v", s, p, again, err)
		}
		if len(p) > 0 && len(p.All(nil)) != 0 {
			t.Fatalf("%q reaches something in nothing", s)
		}
	})
}
