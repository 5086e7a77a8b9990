package kairos

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// sameTree gives the first difference of two syntax trees, or nothing. Places in the source and the texts of literals
// do not count.
func sameTree(a, b reflect.Value) string {
	switch {
	case a.Kind() == reflect.Interface || a.Kind() == reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return ": one is nil"
			}
			return ""
		}
		if a.Elem().Type() != b.Elem().Type() {
			return fmt.Sprintf(": %s and %s", a.Elem().Type(), b.Elem().Type())
		}
		return sameTree(a.Elem(), b.Elem())
	case a.Kind() == reflect.Slice:
		if a.Len() != b.Len() {
			return fmt.Sprintf(": %d and %d of them", a.Len(), b.Len())
		}
		for i := range a.Len() {
			if d := sameTree(a.Index(i), b.Index(i)); d != "" {
				return fmt.Sprintf("[%d]%s", i, d)
			}
		}
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			switch name := a.Type().Field(i).Name; name {
			case "node", "Span", "NameSpan", "BaseSpan", "Text", "Source", "Comments":
			default:
				if d := sameTree(a.Field(i), b.Field(i)); d != "" {
					return "." + name + d
				}
			}
		}
	case !a.Equal(b):
		return fmt.Sprintf(": %v and %v", a, b)
	}
	return ""
}

// commentBag counts the comments of a program by their text.
func commentBag(f *File) map[string]int {
	bag := map[string]int{}
	for _, c := range f.Comments {
		bag[strings.TrimRight(c.Text, " \t\r")]++
	}
	return bag
}

// checkFormat formats a program and checks that it stays the same, and that formatting again changes nothing.
func checkFormat(t *testing.T, f *File) string {
	t.Helper()
	once := Format(f)
	g, err := parseSource(once)
	if err != nil {
		t.Fatalf("the formatted program does not parse: %s %v at %d\n%s\nfrom\n%s", err.Code, err.args, err.Span.Start, once, f.Source)
	}
	if d := sameTree(reflect.ValueOf(f), reflect.ValueOf(g)); d != "" {
		t.Fatalf("formatting changes the program: %s\n%s\nfrom\n%s", d, once, f.Source)
	}
	if a, b := commentBag(f), commentBag(g); !reflect.DeepEqual(a, b) {
		t.Fatalf("formatting changes the comments: %v, %v\n%s\nfrom\n%s", a, b, once, f.Source)
	}
	if twice := Format(g); twice != once {
		t.Fatalf("formatting again gives\n%s\ninstead of\n%s\nfrom\n%s", twice, once, f.Source)
	}
	return once
}

// checkSpans checks that every node lies within the source, and its children within it.
func checkSpans(t *testing.T, f *File) {
	t.Helper()
	var walk func(v reflect.Value, within Span)
	walk = func(v reflect.Value, within Span) {
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if v.IsNil() {
				return
			}
			if e, ok := v.Interface().(Expr); ok && v.Kind() == reflect.Pointer {
				s := e.Span()
				if s.Start < within.Start || s.End > within.End || s.Start >= s.End {
					t.Fatalf("%T at %v is not within %v\n%s", e, s, within, f.Source)
				}
				within = s
			}
			walk(v.Elem(), within)
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i), within)
			}
		case reflect.Struct:
			if at := v.FieldByName("Span"); at.IsValid() {
				s := at.Interface().(Span)
				if s.Start < within.Start || s.End > within.End || s.Start >= s.End {
					t.Fatalf("%s at %v is not within %v\n%s", v.Type(), s, within, f.Source)
				}
				within = s
			}
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() && v.Type().Field(i).Name != "Comments" {
					walk(v.Field(i), within)
				}
			}
		}
	}
	for _, s := range f.Stmts {
		walk(reflect.ValueOf(s), Span{0, len(f.Source)})
	}
}

func FuzzParse(f *testing.F) {
	for _, src := range append(formatSources, hostileSources...) {
		if len(src) < 10_000 {
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		file, err := parseSource(src)
		if err != nil {
			if err.Span.Start < 0 || err.Span.Start > err.Span.End || err.Span.End > len(src) {
				t.Fatalf("%s at %v in %d bytes", err.Code, err.Span, len(src))
			}
			return
		}
		checkSpans(t, file)
		checkFormat(t, file)
	})
}

func FuzzCovering(f *testing.F) {
	for _, s := range []string{"2026..2026", "2026-01-01..", "..", "2026..2026, 2028-01-01..2028-03-31", "a..2", "1..[x] covering: .."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list, ok := parseCovering(s)
		if ok != (list != nil) {
			t.Fatalf("%v with %d ranges", ok, len(list))
		}
		// The same text as a claim reads as the same ranges.
		file, err := parseSource("x = y covering: " + strings.TrimLeft(s, " \t\r\n"))
		if !ok || strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), "#") {
			return
		}
		if err != nil {
			t.Fatalf("%q reads alone, but not as a claim: %s", s, err.Code)
		}
		b := file.Stmts[0].(*Binding)
		if d := sameTree(reflect.ValueOf(list), reflect.ValueOf(b.Claim)); d != "" {
			t.Fatalf("%q: %s", s, d)
		}
	})
}
