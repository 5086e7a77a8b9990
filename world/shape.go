package world

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assaybench/assay/bench"
)

// shape is a JSON Schema, compiled: the part of draft 2020-12 that says what a closed value looks like. What it does not
// know it refuses, so that no keyword is ever silently nothing. Numbers are compared exactly.
type shape struct {
	types      []string // without null; none: any
	nullable   bool
	enum       []any
	props      map[string]*shape
	names      []string // of the props, sorted
	required   []string
	closed     bool
	items      *shape
	unique     bool
	minItems   int
	maxItems   int // -1: no bound
	minLength  int
	maxLength  int
	pattern    *regexp.Regexp
	format     string
	min, max   *big.Rat
	above      *big.Rat
	below      *big.Rat
	multipleOf *big.Rat
}

var (
	jsonTypes = []string{"string", "integer", "number", "boolean", "object", "array", "null"}
	formats   = []string{"date", "date-time", "time", "email", "uri", "uuid"}
	// notes are keywords that say something to readers alone.
	notes = []string{"title", "description", "examples", "default", "deprecated", "readOnly", "writeOnly", "$comment"}
)

// compileShape reads a schema from decoded JSON.
func compileShape(doc any, at []string) (*shape, error) {
	m, ok := doc.(map[string]any)
	if !ok {
		return nil, &shapeError{at, errors.New("a schema is an object")}
	}
	s := &shape{maxItems: -1, maxLength: -1}
	var errs []error
	for _, k := range sortedKeys(m) {
		here := append(slices.Clone(at), k)
		for _, err := range bench.Flat(s.keyword(k, m[k], here)) {
			var inner *shapeError
			if !errors.As(err, &inner) {
				err = &shapeError{here, err}
			}
			errs = append(errs, err)
		}
	}
	for _, r := range s.required {
		if s.props[r] == nil {
			errs = append(errs, &shapeError{append(slices.Clone(at), "required"), fmt.Errorf("the property %q is required and not declared", r)})
		}
	}
	return s, errors.Join(errs...)
}

// shapeError is a fault of a schema at a path of keys, as the schema's own JSON has them.
type shapeError struct {
	path []string
	err  error
}

func (e *shapeError) Error() string {
	return "schema." + strings.Join(e.path, ".") + ": " + e.err.Error()
}

func (s *shape) keyword(k string, v any, at []string) error {
	var err error
	switch k {
	case "type":
		return s.readTypes(v)
	case "enum":
		s.enum, err = list(v)
	case "const":
		s.enum = []any{v}
	case "properties":
		m, ok := v.(map[string]any)
		if !ok {
			return errors.New("an object of schemas is wanted")
		}
		s.props = map[string]*shape{}
		var errs []error
		s.names = sortedKeys(m)
		for _, name := range s.names {
			sub, err := compileShape(m[name], append(slices.Clone(at), name))
			s.props[name] = sub
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	case "required":
		return s.readRequired(v)
	case "additionalProperties":
		if v != false {
			return errors.New("only false is taken: what is not declared is refused")
		}
		s.closed = true
	case "items":
		s.items, err = compileShape(v, at)
	case "uniqueItems":
		s.unique = v == true
	case "minItems":
		s.minItems, err = count(v)
	case "maxItems":
		s.maxItems, err = count(v)
	case "minLength":
		s.minLength, err = count(v)
	case "maxLength":
		s.maxLength, err = count(v)
	case "pattern":
		text, ok := v.(string)
		if !ok {
			return errors.New("a text is wanted")
		}
		s.pattern, err = regexp.Compile(text)
	case "format":
		text, ok := v.(string)
		if !ok || !slices.Contains(formats, text) {
			return fmt.Errorf("known are %s", strings.Join(formats, ", "))
		}
		s.format = text
	case "minimum":
		s.min, err = rational(v)
	case "maximum":
		s.max, err = rational(v)
	case "exclusiveMinimum":
		s.above, err = rational(v)
	case "exclusiveMaximum":
		s.below, err = rational(v)
	case "multipleOf":
		if s.multipleOf, err = rational(v); err == nil && s.multipleOf.Sign() <= 0 {
			return errors.New("a positive number is wanted")
		}
	default:
		if !slices.Contains(notes, k) {
			return errors.New("this keyword is not taken in worlds")
		}
	}
	return err
}

func (s *shape) readTypes(v any) error {
	names, err := list(v)
	if t, ok := v.(string); ok {
		names, err = []any{t}, nil
	}
	if err != nil || len(names) == 0 {
		return errors.New("a type or a list of types is wanted")
	}
	for _, n := range names {
		t, _ := n.(string)
		if !slices.Contains(jsonTypes, t) {
			return fmt.Errorf("known are %s", strings.Join(jsonTypes, ", "))
		}
		if t == "null" {
			s.nullable = true
		} else {
			s.types = append(s.types, t)
		}
	}
	return nil
}

func (s *shape) readRequired(v any) error {
	names, err := list(v)
	for _, n := range names {
		t, ok := n.(string)
		if !ok {
			return errors.New("a list of names is wanted")
		}
		s.required = append(s.required, t)
	}
	slices.Sort(s.required)
	return err
}

func list(v any) ([]any, error) {
	l, ok := v.([]any)
	if !ok {
		return nil, errors.New("a list is wanted")
	}
	return l, nil
}

func count(v any) (int, error) {
	r, err := rational(v)
	if err != nil || !r.IsInt() || r.Sign() < 0 || r.Cmp(big.NewRat(1<<30, 1)) > 0 {
		return 0, errors.New("a whole number from 0 on is wanted")
	}
	return int(r.Num().Int64()), nil
}

// rational gives a number exactly; those of more than 400 places are refused.
func rational(v any) (*big.Rat, error) {
	var text string
	switch x := v.(type) {
	case json.Number:
		text = string(x)
	case jsonNumber:
		text = string(x)
	case int64:
		return new(big.Rat).SetInt64(x), nil
	case float64:
		if r := new(big.Rat).SetFloat64(x); r != nil {
			return r, nil
		}
		return nil, errNumber
	default:
		return nil, errors.New("a number is wanted")
	}
	if !kept(text) {
		return nil, errNumber
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, errNumber
	}
	return r, nil
}

// is says whether a type is among those taken.
func (s *shape) is(t string) bool { return slices.Contains(s.types, t) }

// flaw is what is wrong with a value, and where in it.
type flaw struct{ at, says string }

// most is how many flaws are looked for.
const mostFlaws = 6

// check gathers what is wrong with a value: nil, bool, string, int64, float64, a JSON number, a list or an object.
func (s *shape) check(at string, v any, out *[]flaw) {
	if len(*out) >= mostFlaws {
		return
	}
	bad := func(format string, args ...any) { *out = append(*out, flaw{at, fmt.Sprintf(format, args...)}) }
	if v == nil {
		if !s.nullable && (len(s.types) > 0 || len(s.enum) > 0) {
			bad("got null, want %s", s.wants())
		}
		return
	}
	if len(s.types) > 0 && !s.fits(v) {
		bad("got %s, want %s", typeOf(v), s.wants())
		return
	}
	if len(s.enum) > 0 && !slices.ContainsFunc(s.enum, func(e any) bool { return sameJSON(e, v) }) {
		bad("value must be one of %s", enumText(s.enum))
	}
	switch x := v.(type) {
	case string:
		s.checkText(x, bad)
	case []any:
		s.checkList(at, x, out, bad)
	case map[string]any:
		s.checkObject(at, x, out, bad)
	case bool:
	default:
		s.checkNumber(v, bad)
	}
}

// takes says whether a value has no flaw.
func (s *shape) takes(v any) bool {
	var flaws []flaw
	s.check("", v, &flaws)
	return len(flaws) == 0
}

func (s *shape) wants() string {
	types := slices.Clone(s.types)
	if s.nullable {
		types = append(types, "null")
	}
	return strings.Join(types, " or ")
}

func (s *shape) fits(v any) bool {
	switch v.(type) {
	case string:
		return s.is("string")
	case bool:
		return s.is("boolean")
	case []any:
		return s.is("array")
	case map[string]any:
		return s.is("object")
	case int64:
		return s.is("integer") || s.is("number")
	}
	if s.is("number") {
		return true
	}
	if !s.is("integer") {
		return false
	}
	r, err := rational(v)
	return err == nil && r.IsInt()
}

func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

func enumText(values []any) string {
	var parts []string
	for i, v := range values {
		if i == 20 {
			parts = append(parts, fmt.Sprintf("and %d more", len(values)-i))
			break
		}
		if t, ok := v.(string); ok {
			parts = append(parts, "'"+t+"'")
		} else {
			parts = append(parts, fmt.Sprint(v))
		}
	}
	return strings.Join(parts, ", ")
}

func (s *shape) checkText(x string, bad func(string, ...any)) {
	if n := utf8.RuneCountInString(x); n < s.minLength {
		bad("%d characters, and at least %d are wanted", n, s.minLength)
	} else if s.maxLength >= 0 && n > s.maxLength {
		bad("%d characters, and at most %d are taken", n, s.maxLength)
	}
	if s.pattern != nil && !s.pattern.MatchString(x) {
		bad("it does not match the pattern %s", s.pattern)
	}
	if s.format != "" && !formatted(s.format, x) {
		bad("it is not a valid %s", s.format)
	}
}

var (
	uuidForm  = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	emailForm = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)
	uriForm   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:\S+$`)
)

func formatted(format, x string) bool {
	var err error
	switch format {
	case "date":
		_, err = time.Parse(time.DateOnly, x)
	case "date-time":
		_, err = time.Parse(time.RFC3339, x)
	case "time":
		_, err = time.Parse("15:04:05Z07:00", x)
	case "uuid":
		return uuidForm.MatchString(x)
	case "email":
		return emailForm.MatchString(x)
	case "uri":
		return uriForm.MatchString(x)
	}
	return err == nil
}

func (s *shape) checkNumber(v any, bad func(string, ...any)) {
	if s.min == nil && s.max == nil && s.above == nil && s.below == nil && s.multipleOf == nil {
		return
	}
	r, err := rational(v)
	if err != nil {
		bad("%v", err)
		return
	}
	switch {
	case s.min != nil && r.Cmp(s.min) < 0:
		bad("it must be at least %s", decimalOf(s.min))
	case s.max != nil && r.Cmp(s.max) > 0:
		bad("it must be at most %s", decimalOf(s.max))
	case s.above != nil && r.Cmp(s.above) <= 0:
		bad("it must be more than %s", decimalOf(s.above))
	case s.below != nil && r.Cmp(s.below) >= 0:
		bad("it must be less than %s", decimalOf(s.below))
	}
	if s.multipleOf != nil && !new(big.Rat).Quo(r, s.multipleOf).IsInt() {
		bad("it must be a multiple of %s", decimalOf(s.multipleOf))
	}
}

func decimalOf(r *big.Rat) string {
	if n, exact := r.FloatPrec(); exact {
		return r.FloatString(n)
	}
	return r.String()
}

func (s *shape) checkList(at string, x []any, out *[]flaw, bad func(string, ...any)) {
	if len(x) < s.minItems {
		bad("%d elements, and at least %d are wanted", len(x), s.minItems)
	} else if s.maxItems >= 0 && len(x) > s.maxItems {
		bad("%d elements, and at most %d are taken", len(x), s.maxItems)
		return
	}
	if s.unique {
		seen := map[string]int{}
		for i, e := range x {
			b, err := appendJSON(nil, normal(e))
			if err != nil {
				bad("%v", err)
				return
			}
			if j, twice := seen[string(b)]; twice {
				bad("elements %d and %d are equal, and all must differ", j+1, i+1)
				break
			}
			seen[string(b)] = i
		}
	}
	if s.items != nil {
		for i, e := range x {
			s.items.check(fmt.Sprintf("%s.%d", at, i), e, out)
		}
	}
}

func (s *shape) checkObject(at string, x map[string]any, out *[]flaw, bad func(string, ...any)) {
	var missing, unknown []string
	for _, r := range s.required {
		if _, ok := x[r]; !ok {
			missing = append(missing, "'"+r+"'")
		}
	}
	known := 0
	for _, k := range s.names { // in one order: what is said of a call is recorded
		if e, ok := x[k]; ok {
			known++
			s.props[k].check(at+"."+k, e, out)
		}
	}
	for k := range x {
		if s.closed && known < len(x) && s.props[k] == nil {
			unknown = append(unknown, "'"+oneLine(k, 60)+"'")
		}
	}
	if len(missing) > 0 {
		bad("missing %s %s", plural("property", "properties", len(missing)), strings.Join(missing, ", "))
	}
	if n := len(unknown); n > 0 {
		slices.Sort(unknown)
		if len(unknown) > 5 {
			unknown = append(unknown[:5], fmt.Sprintf("and %d more", len(unknown)-5))
		}
		bad("additional %s %s", plural("property", "properties", n), strings.Join(unknown, ", "))
	}
}

func plural(one, many string, n int) string {
	if n == 1 {
		return one
	}
	return many
}
