package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// paged is a run of 30 items, two models, two postures and two repeats, with every letter that an outcome has.
func paged(t *testing.T) (*store.DB, *store.Run) {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "runs.db"), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	const items = 30
	r := &store.Run{ID: "paged", Plan: store.Plan{Grader: "g", Digest: "d", Postures: []string{"plain", "long"}, Models: []store.PlanModel{{Name: "a/1", Postures: []int{0, 1}}, {Name: "b/2", Postures: []int{0, 1}}},
		Repeats: 2, Items: items, Attempts: 8 * items}}
	var list []store.Attempt
	var b store.Batch
	for m := range 2 {
		for p := range 2 {
			for k := 1; k <= 2; k++ {
				for i := range items {
					list = append(list, store.Attempt{Model: m, Posture: p, Repeat: k, Item: fmt.Sprintf("Item-%d", (i*7)%items), Family: fmt.Sprint("f", i%3), Basis: record.Exact})
				}
			}
		}
	}
	outcomes := []record.Outcome{record.Answered, record.Answered, record.Answered, record.Refused, record.Truncated, record.Timeout, record.Undelivered, record.Error}
	for n := range list {
		if n%11 == 10 {
			continue // missing
		}
		tokens := int64(n * 37 % 101)
		tr := record.Transcript{Outcome: outcomes[n*5%len(outcomes)], Answer: "x", Usage: record.Usage{Output: &tokens}, Timing: record.Timing{Total: int64(1 + n*53%211)}}
		try, err := store.NewTry(n, 1, tr)
		if err != nil {
			t.Fatal(err)
		}
		b.Tries = append(b.Tries, try)
		if tr.Outcome == record.Answered && n%4 != 3 { // the others are not graded
			v := record.Verdict{Grader: "g", State: record.Graded, Letter: record.LetterWrong, Basis: record.Exact}
			if n%3 == 0 {
				v.Pass, v.Letter = true, record.LetterPass
			}
			row, err := store.NewVerdict(n, v, "d", 1)
			if err != nil {
				t.Fatal(err)
			}
			b.Verdicts = append(b.Verdicts, row)
		}
	}
	if err := errors.Join(db.CreateRun(t.Context(), r, slices.Values(list)), db.Record(t.Context(), r, b)); err != nil {
		t.Fatal(err)
	}
	return db, r
}

// TestPages holds every filter and order against a naive pass over all rows.
func TestPages(t *testing.T) {
	db, r := paged(t)
	var all []store.Row
	for row, err := range db.Rows(t.Context(), r, "g") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	filters := []store.Filter{store.All()}
	for _, l := range []record.Letter{".", "F", "?", "-", "R", "C", "T", "D", "E", "x"} {
		filters = append(filters, store.Filter{Model: -1, Posture: -1, Letter: l}, store.Filter{Model: 1, Posture: 0, Letter: l, Search: "item-1"})
	}
	filters = append(filters, store.Filter{Model: 0, Posture: -1}, store.Filter{Model: -1, Posture: 1, Family: "f2"}, store.Filter{Model: -1, Posture: -1, Outcome: record.Answered}, store.Filter{Model: -1, Posture: -1, Search: "%"}, store.Filter{Model: -1, Posture: -1, Search: "ITEM-2"})
	for _, f := range filters {
		chosen := func(row *store.Row) bool {
			return (f.Model < 0 || row.Key.Model == r.Plan.Models[f.Model].Name) && (f.Posture < 0 || row.Key.Posture == r.Plan.Postures[f.Posture]) && (f.Family == "" || row.Family == f.Family) &&
				(f.Letter == "" || row.Letter == f.Letter) && (f.Outcome == "" || row.Outcome == f.Outcome) && strings.Contains(strings.ToLower(row.Key.Item), strings.ToLower(f.Search))
		}
		var want []store.Row
		items := map[string]bool{}
		for i := range all {
			if chosen(&all[i]) {
				want = append(want, all[i])
				items[all[i].Key.Item] = true
			}
		}
		for by, less := range map[store.Order]func(a, b store.Row) int{
			store.ByPlan:    func(a, b store.Row) int { return a.N - b.N },
			store.ByName:    func(a, b store.Row) int { return strings.Compare(a.Key.Item, b.Key.Item) },
			store.ByLatency: func(a, b store.Row) int { return int(b.Timing.Total - a.Timing.Total) },
			store.ByTokens:  func(a, b store.Row) int { return int(tokens(b) - tokens(a)) },
		} {
			sorted := slices.Clone(want)
			slices.SortStableFunc(sorted, less)
			got, err := db.Page(t.Context(), r, "g", f, by, 3, 10)
			if err != nil {
				t.Fatal(err)
			}
			if w := sorted[min(3, len(sorted)):min(13, len(sorted))]; !slices.EqualFunc(got, w, func(a, b store.Row) bool { return a.N == b.N && a.Letter == b.Letter && a.Key == b.Key }) {
				t.Errorf("%+v by %q: %v, want %v", f, by, numbers(got), numbers(w))
			}
		}
		if n, err := db.Count(t.Context(), r, "g", f); err != nil || n != len(want) {
			t.Errorf("%+v: %d attempts, %v, want %d", f, n, err, len(want))
		}
		var names []string
		for from := 0; ; from += 7 {
			page, more, err := db.Items(t.Context(), r, "g", f, store.ByName, from, 7)
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range page {
				names = append(names, it.Item)
				if len(it.Rows) != 8 {
					t.Errorf("%s has %d attempts", it.Item, len(it.Rows))
				}
			}
			if !more {
				break
			}
		}
		if len(names) != len(items) || !slices.IsSorted(names) {
			t.Errorf("%+v: the items %v, want %d", f, names, len(items))
		}
		for _, name := range names {
			if !items[name] {
				t.Errorf("%+v: the item %s has no such attempt", f, name)
			}
		}
	}
	for _, n := range []int{0, 10, 239} {
		if row, err := db.At(t.Context(), r, "g", n); err != nil || row.N != n || row.Key != all[n].Key || row.Letter != all[n].Letter {
			t.Errorf("attempt %d is %+v, %v", n, row.Key, err)
		}
	}
	if _, err := db.At(t.Context(), r, "g", 240); store.KindOf(err) != store.NotFound {
		t.Errorf("attempt 240: %v", err)
	}
	if _, err := db.Page(t.Context(), r, "g", store.All(), "chance", 0, 1); store.KindOf(err) != store.Misuse {
		t.Errorf("by chance: %v", err)
	}
	if _, _, err := db.Items(t.Context(), r, "g", store.All(), store.ByTokens, 0, 1); store.KindOf(err) != store.Misuse {
		t.Errorf("items by tokens: %v", err)
	}
}

// tokens sorts attempts without a count behind those with one.
func tokens(r store.Row) int64 {
	if r.Usage.Output == nil {
		return -1
	}
	return *r.Usage.Output
}

func numbers(rows []store.Row) []int {
	var out []int
	for _, r := range rows {
		out = append(out, r.N)
	}
	return out
}
