package realism

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/evidence"
)

// factsOf gives what a file states, by attribute: texts of the form "attribute: value", members of JSON and YAML, and cells of
// tables by their header and the first cell of their row.
func factsOf(d *evidence.Document) (values, holds map[string]string) {
	values, holds = map[string]string{}, map[string]string{}
	put := func(k, v string) {
		k, v = strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(k, "_", " "))), " "), strings.TrimSpace(v)
		if k == "" || v == "" || len(values)+len(holds) > 5000 {
			return
		}
		to := values
		if effectivity.MatchString(k) {
			to = holds
		}
		if _, there := to[k]; !there {
			to[k] = v
		}
	}
	for _, sh := range d.Sheets {
		for i, r := range sh.Rows {
			if i == 0 || len(r) == 0 {
				continue
			}
			for c, v := range r {
				if c < len(sh.Rows[0]) {
					put(sh.Rows[0][c]+" of "+r[0], v)
				}
			}
		}
	}
	if d.Format == evidence.JSON {
		if v, err := exact.Decode([]byte(d.Text)); err == nil {
			members("", v, put)
		}
		return values, holds
	}
	for _, h := range d.Header {
		if strings.EqualFold(h.Name, "Date") {
			put(h.Name, h.Value)
		}
	}
	if len(d.Sheets) == 0 {
		for line := range strings.Lines(d.Text) {
			if m := keyed.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				put(m[1], strings.Trim(m[2], " |*_`\"'"))
			}
		}
	}
	return values, holds
}

func members(at string, v any, put func(k, v string)) {
	switch x := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			members(k, x[k], put)
		}
	case []any:
		for _, e := range x {
			members(at, e, put)
		}
	case nil:
	default:
		put(at, strings.Trim(exact.Text(v), `"`))
	}
}

// oneForm says whether two papers state much the same things, whatever they say of them.
func oneForm(a, b map[string]string) bool {
	both := 0
	for k := range a {
		if _, ok := b[k]; ok {
			both++
		}
	}
	return 2*both >= min(len(a), len(b))
}

func anyShared(a, b map[string]bool) bool {
	for k := range a {
		if b[k] {
			return true
		}
	}
	return false
}

// figure is a number or a day with little beside it: what a table states and a sentence does not.
var figure = regexp.MustCompile(`^\D{0,12}\d[\d.,:/-]*(?:\s*[A-Za-z%€$/. -]{0,16})?$|^\d{1,2} [A-Za-z]{3,9} \d{4}$`)

// figures are those of a file's facts that are numbers or days: two wordings of one thing do not disagree.
func figures(values map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range values {
		if figure.MatchString(v) {
			out[k] = v
		}
	}
	return out
}

// differing gives the first attribute, by name, that two records state differently.
func differing(a, b map[string]string) string {
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if v, ok := b[k]; ok && !strings.EqualFold(v, a[k]) {
			return k
		}
	}
	return ""
}
