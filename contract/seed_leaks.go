package contract

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/prose"
)

// leaks finds answers that can be read off the request or a description.
func (l *seedLinter) leaks() {
	about := map[string]string{}
	for _, f := range l.c.task.Answer {
		about["the description of the answer's field "+f.Name] = f.Description
	}
	for name, t := range l.c.tools {
		about["the text of the tool "+name] = t.Description + "\n" + descriptions(t.input) + "\n" + descriptions(t.output)
	}
	about["the request"] = l.c.task.Request
	for _, r := range l.c.Answer {
		if r.Term == nil {
			continue
		}
		want, ok := l.s.resolve(*r.Term)
		if !ok {
			continue
		}
		fact, ok := factOf(want, r.Field)
		if !ok {
			continue
		}
		for _, where := range slices.Sorted(maps.Keys(about)) {
			if prose.Mentioned(prose.Prepare(about[where]), fact) {
				put := l.fault
				if where == "the request" {
					put = l.warn // an employee may say what he knows
				}
				put("leak", r.node, "the answer's field %q can be read off %s; take it out there, or do not grade it", r.Field.Name, where)
			}
		}
	}
}

// factOf gives what to look for; small numbers and sets stand everywhere and say nothing.
func factOf(want resolved, f *Field) (prose.Fact, bool) {
	switch x := want.json.(type) {
	case *big.Rat:
		return prose.Fact{Text: exact.Decimal(x), Number: x}, x.Cmp(big.NewRat(20, 1)) > 0 || !x.IsInt()
	case string:
		if d, ok := derive.ParseDay(x); ok {
			return prose.Fact{Text: x, Day: &d}, true
		}
		return prose.Fact{Text: x}, f.Type == IDField && len(prose.Tokens(x)) > 0
	}
	return prose.Fact{}, false
}

// descriptions gives all prose of a schema.
func descriptions(schema any) string {
	var b strings.Builder
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				if s, ok := x[k].(string); ok && (k == "description" || k == "title") {
					b.WriteString(s + "\n")
					continue
				}
				walk(x[k])
			}
		case []any:
			for _, e := range x {
				walk(e)
			}
		}
	}
	walk(schema)
	return b.String()
}
