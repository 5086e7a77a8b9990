package s2s

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/assaybench/assay/check/strictjson"
	"github.com/assaybench/assay/check/token"
)

// faults collects what is wrong with a file, each in one line; a hostile file does not make the list endless.
type faults struct{ errs []error }

const maxFaults = 20

func (f *faults) add(format string, args ...any) {
	switch len(f.errs) {
	case maxFaults:
		f.errs = append(f.errs, errors.New("more faults follow"))
	case maxFaults + 1:
	default:
		f.errs = append(f.errs, fmt.Errorf(format, args...))
	}
}

func (f *faults) err() error { return errors.Join(f.errs...) }

// object reads one JSON object of the file key by key and says of each fault where it is: the item, the key and the byte.
type object struct {
	where string // "the file" or "item ID"
	path  string // keys above this object, each with a dot behind it
	v     *strictjson.Value
	out   *faults
	used  map[string]bool
}

func newObject(where, path string, v *strictjson.Value, out *faults) *object {
	o := &object{where: where, path: path, v: v, out: out, used: map[string]bool{}}
	if v.Kind != strictjson.Object {
		out.add("%s (byte %d): an object is wanted%s, and this is %s", where, v.Start, o.forKey(), v.Kind)
	}
	return o
}

func (o *object) forKey() string {
	if o.path == "" {
		return ""
	}
	return fmt.Sprintf(" for the key %q", strings.TrimSuffix(o.path, "."))
}

func (o *object) fault(key string, v *strictjson.Value, format string, args ...any) {
	o.out.add("%s, key %q (byte %d): %s", o.where, clip(o.path+key), v.Start, fmt.Sprintf(format, args...))
}

// get gives a key's value and marks it as known; nil when it is missing or null.
func (o *object) get(key string) *strictjson.Value {
	o.used[key] = true
	v := o.v.Get(key)
	if v == nil || v.Kind == strictjson.Null {
		return nil
	}
	return v
}

// need is get with a fault when the key is missing.
func (o *object) need(key string) *strictjson.Value {
	v := o.get(key)
	switch {
	case v != nil || o.v.Kind != strictjson.Object:
	case o.v.Get(key) != nil:
		o.fault(key, o.v.Get(key), "is null, and a value is wanted")
	default:
		o.fault(key, o.v, "is missing")
	}
	return v
}

// kind checks a value's kind; nil stays nil.
func (o *object) kind(key string, v *strictjson.Value, k strictjson.Kind) *strictjson.Value {
	if v != nil && v.Kind != k {
		o.fault(key, v, "%s is wanted, and this is %s", k, v.Kind)
		return nil
	}
	return v
}

func (o *object) text(key string) string {
	if v := o.kind(key, o.get(key), strictjson.String); v != nil {
		return v.Text
	}
	return ""
}

// needText gives a string that must be there and show something.
func (o *object) needText(key string) string {
	v := o.kind(key, o.need(key), strictjson.String)
	if v == nil {
		return ""
	}
	if token.Blank(v.Text) {
		o.fault(key, v, "the string is empty")
	}
	return v.Text
}

func (o *object) needBool(key string) bool {
	v := o.kind(key, o.need(key), strictjson.Bool)
	return v != nil && v.Text == "true"
}

// count reads a whole number from least to most.
func (o *object) count(key string, v *strictjson.Value, least, most int) int {
	if v = o.kind(key, v, strictjson.Number); v == nil {
		return 0
	}
	n, err := strconv.Atoi(v.Text)
	if err != nil || strconv.Itoa(n) != v.Text || n < least || n > most {
		o.fault(key, v, "a whole number from %d to %d is wanted, and this is %s", least, most, clip(v.Text))
		return 0
	}
	return n
}

func (o *object) needCount(key string, least, most int) int {
	return o.count(key, o.need(key), least, most)
}

// texts reads a list of strings that show something. A string that stands twice says nothing more the second time and is
// left out.
func (o *object) texts(key string, v *strictjson.Value) []string {
	if v = o.kind(key, v, strictjson.Array); v == nil {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	for _, e := range v.Values {
		switch {
		case e.Kind != strictjson.String:
			o.fault(key, e, "a list of strings is wanted, and this entry is %s", e.Kind)
		case token.Blank(token.Visible(e.Text)):
			o.fault(key, e, "an entry of the list is empty")
		case !seen[e.Text]:
			seen[e.Text] = true
			out = append(out, e.Text)
		}
	}
	return out
}

// needTexts is texts with at least one entry.
func (o *object) needTexts(key string) []string {
	v := o.need(key)
	out := o.texts(key, v)
	if v != nil && v.Kind == strictjson.Array && len(v.Values) == 0 {
		o.fault(key, v, "the list is empty")
	}
	return out
}

// unknown lists the keys that nobody asked for.
func (o *object) unknown() []string {
	var out []string
	for _, name := range o.v.Names {
		if !o.used[name] {
			out = append(out, name)
		}
	}
	return out
}

func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
