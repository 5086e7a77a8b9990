package report

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
)

// drawRun makes a small plan and rows for some of its attempts.
func drawRun(t *rapid.T) (Run, []Item, []Row) {
	families := []Family{{"a", "A"}, {"b", "B"}}
	var items []Item
	for i := range rapid.IntRange(0, 8).Draw(t, "items") {
		items = append(items, Item{fmt.Sprintf("i%d", i), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "family"), rapid.SampledFrom(bases[:]).Draw(t, "basis")})
	}
	models := []Model{{Name: "control/reference", Control: true, Postures: []string{"plain"}}, {Name: "x/m", Postures: []string{"plain", "thinking"}}}
	run := Run{ID: "r", Accounts: []price.Account{{Currency: "USD", Models: []price.AccountModel{{}, {Known: true, Input: 3, Output: 7e6}}}}, Bench: "b@1", Models: models, Repeats: rapid.IntRange(1, 4).Draw(t, "repeats"), Proven: true, Families: families, Items: slices.Values(items)}
	run.Planned = 3 * len(items) * run.Repeats
	var rows []Row
	for r := range answers(run, nil) {
		r.Tries = rapid.IntRange(0, 3).Draw(t, "tries")
		switch rapid.IntRange(0, 9).Draw(t, "end") {
		case 0:
			continue
		case 1:
			r.Outcome, r.State, r.Pass = "", "", false
		case 2:
			r.Outcome, r.State, r.Pass = rapid.SampledFrom([]record.Outcome{record.Error, record.Undelivered}).Draw(t, "fault"), "", false
			r.Reason = rapid.SampledFrom([]string{"", "one", "two"}).Draw(t, "reason")
		case 3:
			r.Outcome, r.Pass = rapid.SampledFrom([]record.Outcome{record.Truncated, record.Refused, record.Timeout}).Draw(t, "own"), false
		case 4:
			r.State, r.Pass = rapid.SampledFrom([]record.State{record.Ungradable, record.Unread, ""}).Draw(t, "state"), false
			r.Tolerant = rapid.Bool().Draw(t, "tolerant")
		default:
			r.Pass = rapid.Bool().Draw(t, "pass")
		}
		r.AnswerHash = rapid.SampledFrom([]string{"", "h1", "h1", "h1", "h2"}).Draw(t, "hash")
		r.Delivery = rapid.SampledFrom([]string{"", "delivered", "delivered", "undelivered", "not provable"}).Draw(t, "delivery")
		r.Detail = drawDetail(t)
		for range max(0, r.Tries-1) {
			r.Again = append(r.Again, Again{Kind: rapid.SampledFrom([]string{"", "busy (HTTP 429)", "broken"}).Draw(t, "kind"), Invalid: rapid.IntRange(0, 5).Draw(t, "invalid") == 0})
		}
		if rapid.Bool().Draw(t, "reports") {
			r.PromptTokens, r.GenerationNS, r.LoadNS = new(rapid.Int64Range(0, 5000).Draw(t, "prompt")), rapid.Int64Range(-5, 1e10).Draw(t, "generation"), rapid.Int64Range(0, 5e9).Draw(t, "load")
			r.OutputTokens = new(rapid.Int64Range(0, 5000).Draw(t, "tokens"))
			r.LatencyNS = rapid.Int64Range(0, 1e12).Draw(t, "latency")
		}
		rows = append(rows, r)
	}
	return run, items, rows
}

// drawDetail makes what a transcript may say beside its row.
func drawDetail(t *rapid.T) *Detail {
	if rapid.IntRange(0, 3).Draw(t, "read") == 0 {
		return nil
	}
	d := &Detail{Proof: rapid.SampledFrom([]string{"", "exact", "refuses", "probe"}).Draw(t, "proof"), Reason: rapid.SampledFrom([]string{"", "no reply", "counted 5", "counted 7"}).Draw(t, "why")}
	for range rapid.IntRange(0, 3).Draw(t, "settings") {
		d.Settings = append(d.Settings, record.Setting{Name: rapid.SampledFrom([]string{"seed", "thinking"}).Draw(t, "name"), Asked: "off",
			State: rapid.SampledFrom(stateOrder).Draw(t, "state"), Why: rapid.SampledFrom([]string{"", "a 5", "a 9"}).Draw(t, "reason")})
	}
	return d
}

func seq(rows []Row) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func printed(t interface{ Fatal(...any) }, run Run, rows []Row) string {
	r, err := Build(run, seq(rows))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, err := range []error{r.Text(&b, Page{Columns: 100}), r.Markdown(&b), r.JSON(&b)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run, _, rows := drawRun(t)
		first := printed(t, run, rows)
		if again := printed(t, run, rows); again != first {
			t.Fatal(cmp.Diff(first, again))
		}
		shuffled := rapid.Permutation(rows).Draw(t, "order")
		if other := printed(t, run, shuffled); other != first {
			t.Fatal(cmp.Diff(first, other))
		}
	})
}

// TestFiguresEqualANaiveCount recomputes every figure from the rows by the words of the design, one question at a time.
func TestFiguresEqualANaiveCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run, items, rows := drawRun(t)
		r, err := Build(run, seq(rows))
		if err != nil {
			t.Fatal(err)
		}
		var figures, families int
		for _, set := range [][2]string{{"control/reference", "plain"}, {"x/m", "plain"}, {"x/m", "thinking"}} {
			for _, basis := range bases {
				mine := slices.DeleteFunc(slices.Clone(items), func(it Item) bool { return it.Basis != basis })
				if len(mine) == 0 {
					continue
				}
				f := r.Figures[figures]
				figures++
				if f.Model != set[0] || f.Posture != set[1] || f.Basis != basis {
					t.Fatalf("figure %d is %s, %s, %s; want %v, %s", figures, f.Model, f.Posture, f.Basis, set, basis)
				}
				compareFigure(t, f, naive(rows, set, mine, run.Repeats))
			}
			for _, fam := range run.Families {
				for _, basis := range bases {
					mine := slices.DeleteFunc(slices.Clone(items), func(it Item) bool { return it.Basis != basis || it.Family != fam.ID })
					if len(mine) == 0 {
						continue
					}
					n := naive(rows, set, mine, run.Repeats)
					want := FamilyFigure{fam.ID, fam.Title, set[0], set[1], Score{basis, n.passed, n.items, n.interval, n.judged}}
					if diff := cmp.Diff(want, r.Families[families]); diff != "" {
						t.Fatal(diff)
					}
					families++
				}
			}
		}
		if figures != len(r.Figures) || families != len(r.Families) {
			t.Fatalf("%d figures and %d families; want %d and %d", len(r.Figures), len(r.Families), figures, families)
		}
		for i := range r.Attempts.Settings {
			addsUp(t, &r.Attempts.Settings[i])
		}
		if c := r.Attempts.Counts; c.Planned != run.Planned || c.Answered+c.Truncated+c.Refused+c.Timeout+c.Undelivered+c.Error+c.Missing != c.Planned {
			t.Fatalf("the outcomes do not add up to the plan: %+v", c)
		}
	})
}

type naiveFigure struct {
	items, judged, passed, unstable, same, of int
	answeredItems, answeredPassed             int
	interval                                  [2]float64
	open                                      map[string]int
	counts                                    Counts
	tolerantUnread, tolerantWrong             int
	pass1                                     float64
}

func naive(rows []Row, set [2]string, items []Item, repeats int) naiveFigure {
	n := naiveFigure{interval: [2]float64{0, 1}, open: map[string]int{}}
	var single, passing float64
	for _, it := range items {
		byRepeat := map[int]Row{}
		for _, r := range rows {
			if r.Key.Model == set[0] && r.Key.Posture == set[1] && r.Key.Item == it.ID {
				byRepeat[r.Key.Repeat] = r
			}
		}
		n.items++
		pass, fail, kind, answers, whole := 0, 0, "", map[string]bool{}, true
		taken := 0
		gravest := []string{"missing", "error", "undelivered", "not graded"}
		for i := 1; i <= repeats; i++ {
			r := byRepeat[i]
			n.counts.Planned++
			what, reason := "", r.Reason
			switch {
			case r.Outcome == "":
				n.counts.Missing++
				what = "missing"
			case r.Outcome == record.Error:
				n.counts.Error++
				what = "error"
			case r.Outcome == record.Undelivered:
				n.counts.Undelivered++
				what = "undelivered"
			case r.Outcome == record.Truncated:
				n.counts.Truncated++
			case r.Outcome == record.Refused:
				n.counts.Refused++
			case r.Outcome == record.Timeout:
				n.counts.Timeout++
			default:
				n.counts.Answered++
				if r.State == "" || r.State == record.Ungradable {
					n.counts.Ungradable++
					what = "not graded"
				}
				if r.State == "" {
					reason = "no verdict yet"
				}
				if r.State == record.Unread {
					n.counts.Unread++
				}
				if r.Tolerant && r.State == record.Unread {
					n.tolerantUnread++
				}
				if r.Tolerant && r.State == record.Graded && !r.Pass {
					n.tolerantWrong++
				}
			}
			if r.Tries > 1 {
				n.counts.Retried++
			}
			if what != "" {
				rank := func(s string) int { return slices.Index(gravest, strings.SplitN(s, ":", 2)[0]) }
				if kind == "" || rank(what) < rank(kind) {
					kind = what + ":" + reason
				}
			} else if r.Pass {
				taken++
				pass++
			} else {
				if r.Outcome == record.Answered && r.State != record.Unread {
					taken++
				}
				fail++
			}
			if r.Outcome != record.Answered || r.AnswerHash == "" {
				whole = false
			}
			answers[r.AnswerHash] = true
		}
		if repeats > 1 && whole {
			n.of++
			if len(answers) == 1 {
				n.same++
			}
		}
		if kind != "" {
			n.open[kind]++
			continue
		}
		n.judged++
		single, passing = single+float64(repeats), passing+float64(pass)
		if taken == repeats {
			n.answeredItems++
		}
		if fail == 0 {
			n.answeredPassed++
			n.passed++
		} else if pass > 0 {
			n.unstable++
		}
	}
	if n.judged > 0 {
		const z = 1.959963984540054
		x, m := float64(n.passed), float64(n.judged)
		mid, half := (x+z*z/2)/(m+z*z), z/(m+z*z)*math.Sqrt(x*(m-x)/m+z*z/4)
		n.interval = [2]float64{math.Round((mid-half)*1e4) / 1e4, math.Round((mid+half)*1e4) / 1e4}
		n.pass1 = passing / single
	}
	return n
}

func compareFigure(t *rapid.T, f Figure, n naiveFigure) {
	open := map[string]int{}
	for _, o := range f.Open {
		open[o.Kind+":"+o.Reason] += o.Items
	}
	got := naiveFigure{f.Items, f.Judged, f.Passed, f.Unstable, f.Identical.Same, f.Identical.Of, f.Answered.Items, f.Answered.Passed, f.Interval, open, f.Attempts, f.TolerantUnread, f.TolerantWrong, n.pass1}
	if diff := cmp.Diff(n, got, cmp.AllowUnexported(naiveFigure{})); diff != "" {
		t.Fatalf("%s, %s, %s (want, got):\n%s", f.Model, f.Posture, f.Basis, diff)
	}
	if f.Judged == 0 {
		if len(f.PassK) != 0 {
			t.Fatalf("pass^k from nothing: %v", f.PassK)
		}
		return
	}
	// pass^1 is the share of passing repeats, pass^repeats the share of passing items.
	if k := f.PassAny; len(k) != f.Repeats || math.Abs(k[0]-n.pass1) > 6e-5 || !sort.Float64sAreSorted(k) || k[len(k)-1] > 1 {
		t.Fatalf("pass@k %v of %v", k, n.pass1)
	}
	if k := f.PassK; len(k) != f.Repeats || math.Abs(k[0]-n.pass1) > 6e-5 || math.Abs(k[len(k)-1]-float64(n.passed)/float64(n.judged)) > 6e-5 || !sort.IsSorted(sort.Reverse(sort.Float64Slice(k))) {
		t.Fatalf("pass^k %v; %v of single repeats and %d of %d items passed", k, n.pass1, n.passed, n.judged)
	}
}

// Which reasons are kept depends on the texts alone: the first in order.
func TestReasonsKeepTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := make([]int, rapid.IntRange(reasonsKept-10, 2*reasonsKept).Draw(t, "texts"))
		for i := range texts {
			texts[i] = i
		}
		texts = rapid.Permutation(texts).Draw(t, "order")
		rs, number := newReasons(), map[string]uint32{}
		var all []string
		for range 2 { // each comes twice, and keeps its number unless it is dropped
			for _, n := range texts {
				s := fmt.Sprintf("reason %04d", n)
				got := rs.add(s)
				if was, ok := number[s]; ok && rs.of(was) == s && was != got {
					t.Fatalf("%q has the numbers %d and %d", s, was, got)
				}
				number[s] = got
			}
		}
		for s := range number {
			all = append(all, s)
		}
		slices.Sort(all)
		for i, s := range all {
			want := s
			if i >= reasonsKept {
				want = otherReasons
			}
			if got := rs.of(number[s]); got != want {
				t.Fatalf("the reason %d of %d, %q, reads %q; want %q", i+1, len(all), s, got, want)
			}
		}
	})
}
