package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/stats"
)

// side is one of the two that are compared: a model at a posture in a run.
type side struct {
	face
	Settings []setting
	Chosen   int
}

// Setting is the chosen one.
func (s side) Setting() setting { return s.Settings[s.Chosen] }

// pair is one item on both sides.
type pair struct {
	Item, Family string
	Basis        record.Basis
	A, B         []cell
	a, b         stats.Mark
	Kind         string // "regression", "gain", "other letters" or "same"
}

// tallied counts pairs of one basis.
type tallied struct {
	Basis                                    record.Basis
	Both, OnlyA, OnlyB, Neither, Open, Items int
	RateA, RateB                             string
}

type comparePage struct {
	A, B          side
	Why           string // why nothing is compared
	Tallies       []*tallied
	Pairs         []pair
	Kind          string
	Counts        map[string]int
	Of, Page      int
	Before, After string
}

// kinds of pairs, the ones to look at first before the others.
var kinds = []string{"regression", "gain", "other letters", "same"}

func (s *Server) compare(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	p := comparePage{Page: 1, Counts: map[string]int{}, Kind: q.Get("kind")}
	for name, to := range map[string]*side{"a": &p.A, "b": &p.B} {
		o, err := s.find(r, q.Get(name))
		if err != nil {
			return err
		}
		to.face, to.Settings = o.face(), o.settings()
		if v := q.Get(name + "s"); v != "" {
			if to.Chosen, err = strconv.Atoi(v); err != nil {
				return badly("The address names no model and posture.")
			}
		}
		if to.Chosen < 0 || to.Chosen >= len(to.Settings) {
			return badly("The run has no such model and posture.")
		}
	}
	if v := q.Get("page"); v != "" {
		var err error
		if p.Page, err = strconv.Atoi(v); err != nil || p.Page < 1 {
			return badly("The page that the address names is not there.")
		}
	}
	if p.Kind != "" && !slices.Contains(kinds, p.Kind) {
		return badly("The address names no kind of item.")
	}
	a, b := &p.A.Plan, &p.B.Plan
	switch {
	case a.Digest != b.Digest:
		p.Why = fmt.Sprintf("The runs are of different benches: %s with the digest %.12s, and %s with %.12s. Results on different digests are never held against each other.", p.A.Bench, a.Digest, p.B.Bench, b.Digest)
	case p.A.Grader != p.B.Grader:
		p.Why = fmt.Sprintf("The verdicts are of different graders, %.12s and %.12s: grade one of the runs again first (assay grade --run).", p.A.Grader, p.B.Grader)
	default:
		if err := s.pairs(r.Context(), &p); err != nil {
			return err
		}
	}
	page := func(n int) string {
		v := r.URL.Query()
		v.Set("page", strconv.Itoa(n))
		return "/compare?" + v.Encode()
	}
	if p.Page > 1 {
		p.Before = page(p.Page - 1)
	}
	if p.Of > p.Page*itemsShown {
		p.After = page(p.Page + 1)
	}
	return show(w, http.StatusOK, "compare", layout{Title: "Two runs side by side", Crumbs: []link{{Text: "Comparison"}}, Body: p})
}

// readSide gives the items of one side.
func (s *Server) readSide(ctx context.Context, o side, into func(item, family string, basis record.Basis, c cell, m stats.Mark)) error {
	st := o.Setting()
	for row, err := range s.Store.Rows(ctx, o.Run, o.Grader) {
		if err != nil {
			return err
		}
		if row.Key.Model != st.Model || row.Key.Posture != st.Posture {
			continue
		}
		m := stats.Open
		switch {
		case row.Outcome == record.Answered && (row.State == "" || row.State == record.Ungradable), !row.Outcome.OfModel():
		case row.Pass:
			m = stats.Passed
		default:
			m = stats.Failed
		}
		into(row.Key.Item, row.Family, row.Basis, cell{row.N, row.Letter, row.Key.Repeat}, m)
	}
	return nil
}

func (s *Server) pairs(ctx context.Context, p *comparePage) error {
	var list []*pair
	at := map[string]*pair{}
	marks := map[*pair]*[2][]stats.Mark{}
	for i, o := range []side{p.A, p.B} {
		err := s.readSide(ctx, o, func(item, family string, basis record.Basis, c cell, m stats.Mark) {
			it := at[item]
			if it == nil {
				it = &pair{Item: item, Family: family, Basis: basis}
				at[item], marks[it] = it, &[2][]stats.Mark{}
				list = append(list, it)
			}
			if i == 0 {
				it.A = append(it.A, c)
			} else {
				it.B = append(it.B, c)
			}
			marks[it][i] = append(marks[it][i], m)
		})
		if err != nil {
			return err
		}
	}
	for _, it := range list {
		m := marks[it]
		it.a, it.b = reduced(m[0]), reduced(m[1])
		it.sort()
		p.Counts[it.Kind]++
		p.tally(it)
	}
	for _, t := range p.Tallies {
		t.RateA, t.RateB = rate(t.Both+t.OnlyA, t.Items-t.Open), rate(t.Both+t.OnlyB, t.Items-t.Open)
	}
	slices.SortStableFunc(list, func(x, y *pair) int {
		return cmp.Compare(slices.Index(kinds, x.Kind), slices.Index(kinds, y.Kind))
	})
	for _, it := range list {
		if p.Kind != "" && it.Kind != p.Kind {
			continue
		}
		if p.Of++; p.Of > (p.Page-1)*itemsShown && p.Of <= p.Page*itemsShown {
			p.Pairs = append(p.Pairs, *it)
		}
	}
	return nil
}

// reduced is All; an item that one side does not have is open there.
func reduced(m []stats.Mark) stats.Mark {
	if len(m) == 0 {
		return stats.Open
	}
	return stats.All(m...)
}

// sort says what became of an item from A to B.
func (p *pair) sort() {
	switch {
	case p.a == stats.Passed && p.b == stats.Failed:
		p.Kind = "regression"
	case p.a == stats.Failed && p.b == stats.Passed:
		p.Kind = "gain"
	case !slices.EqualFunc(p.A, p.B, func(x, y cell) bool { return x.Letter == y.Letter }):
		p.Kind = "other letters"
	default:
		p.Kind = "same"
	}
}

// tally counts an item among those of its basis.
func (p *comparePage) tally(it *pair) {
	i := slices.IndexFunc(p.Tallies, func(t *tallied) bool { return t.Basis == it.Basis })
	if i < 0 {
		i = len(p.Tallies)
		p.Tallies = append(p.Tallies, &tallied{Basis: it.Basis})
	}
	t := p.Tallies[i]
	t.Items++
	switch {
	case it.a == stats.Open || it.b == stats.Open:
		t.Open++
	case it.a == stats.Passed && it.b == stats.Passed:
		t.Both++
	case it.a == stats.Passed:
		t.OnlyA++
	case it.b == stats.Passed:
		t.OnlyB++
	default:
		t.Neither++
	}
}

// rate is a share with its interval.
func rate(k, n int) string {
	if n == 0 {
		return "nothing that both judged"
	}
	ci, err := stats.Wilson(k, n)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d of %d (95 %%: %s)", k, n, interval([2]float64{ci.Lo, ci.Hi}))
}
