package main

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/prose"
	"github.com/assaybench/assay/evidence"
)

// TestNothingIsReadOff looks for the values that a task wants derived: none stands ready in a file of any task or, where it is
// more than a small number, in a cell of the plant. Days stand in calendars and slots and are looked for in files alone.
func TestNothingIsReadOff(t *testing.T) {
	p, list := built(t)
	texts, plans := map[string]*prose.Text{}, map[string]bool{}
	for _, k := range list {
		for _, f := range k.Files {
			d, err := evidence.Parse(f.Path, f.Data)
			if err != nil {
				t.Errorf("%s %s: %v", k.ID, f.Path, err)
				continue
			}
			plans[k.ID+" "+f.Path] = strings.HasPrefix(f.Kind, "capacity") || strings.HasPrefix(f.Kind, "calendar")
			texts[k.ID+" "+f.Path] = prose.Prepare(d.Text)
		}
	}
	for _, k := range list {
		answer := k.Work[len(k.Work)-1].Args
		for _, name := range slices.Sorted(maps.Keys(answer)) {
			fact, big := factOf(answer[name])
			if fact.Text == "" || slices.Contains(k.Given, name) {
				continue
			}
			for _, where := range slices.Sorted(maps.Keys(texts)) {
				own := len(where) > len(k.ID) && where[:len(k.ID)+1] == k.ID+" "
				if fact.Day != nil && plans[where] {
					continue // a plan lists days, and says of none that it is the one
				}
				if (own || big) && prose.Mentioned(texts[where], fact) {
					t.Errorf("%s: the answer's %s, %s, stands ready in %s", k.ID, name, fact.Text, where)
				}
			}
			if !big || fact.Number == nil {
				continue
			}
			for _, table := range p.tables {
				for _, r := range p.rows[table] {
					for c, v := range r {
						if x, ok := number(v); ok && x.Cmp(fact.Number) == 0 {
							t.Errorf("%s: the answer's %s, %s, stands ready in %s %s, %s", k.ID, name, fact.Text, table, p.key(table, r), c)
						}
					}
				}
			}
		}
	}
}

// factOf gives what to look for, and whether it is more than a small number; texts and single figures are not looked for.
func factOf(v any) (prose.Fact, bool) {
	switch x := v.(type) {
	case int:
		if x > -10 && x < 10 {
			return prose.Fact{}, false
		}
		return prose.Fact{Text: strconv.Itoa(x), Number: big.NewRat(int64(x), 1)}, x > 100 || x < -100
	case float64:
		s := fmt.Sprintf("%.2f", x)
		r, _ := new(big.Rat).SetString(s)
		return prose.Fact{Text: s, Number: r}, true
	case string:
		if d, ok := derive.ParseDay(x); ok {
			return prose.Fact{Text: x, Day: &d}, false
		}
	}
	return prose.Fact{}, false
}

func number(s string) (*big.Rat, bool) {
	if _, err := strconv.ParseFloat(s, 64); err != nil {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// built gives the plant and its tasks as they are written.
func built(t *testing.T) (*plant, []*task) {
	t.Helper()
	schema, err := readSchema(shipped)
	if err != nil {
		t.Fatal(err)
	}
	p := newPlant(schema)
	shared(p)
	return p, allTasks(p)
}
