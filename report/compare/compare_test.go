package compare_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/report/compare"
	"github.com/assaybench/assay/report/gate"
	"github.com/assaybench/assay/stats"
)

// side is a model with a word for each item: a letter for each repeat.
type side struct {
	model, posture string
	words          []string
}

// made builds a run. Every third item is a proxy, and families hold four items each.
func made(t interface{ Fatal(...any) }, id string, sides ...side) compare.Run {
	n, repeats := len(sides[0].words), len(sides[0].words[0])
	run := report.Run{ID: id, Bench: "b@1", Digest: "d1", Grader: "g1", Repeats: repeats, Planned: n * repeats * len(sides), Proven: true, AllItems: true}
	var items []report.Item
	for i := range n {
		basis := record.Exact
		if i%3 == 2 {
			basis = record.Proxy
		}
		f := fmt.Sprintf("f%d", i/4)
		if i%4 == 0 {
			run.Families = append(run.Families, report.Family{ID: f, Title: f})
		}
		items = append(items, report.Item{ID: fmt.Sprintf("i%02d", i), Family: f, Basis: basis})
	}
	run.Items = slices.Values(items)
	var rows []report.Row
	for _, s := range sides {
		run.Models = append(run.Models, report.Model{Name: s.model, Postures: []string{s.posture}})
		for i, w := range s.words {
			for j, l := range w {
				r := report.Row{Key: record.Key{Model: s.model, Posture: s.posture, Item: items[i].ID, Repeat: j + 1}, Outcome: record.Answered, State: record.Graded}
				switch l {
				case '.':
					r.Pass = true
				case 'E':
					r.Outcome, r.State = record.Error, ""
				case 'T':
					r.Outcome, r.State = record.Timeout, ""
				case '-':
					continue
				}
				rows = append(rows, r)
			}
		}
	}
	res, err := report.Build(run, func(yield func(report.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return compare.Run{Result: res, Protocol: "p1", Repeats: repeats}
}

func words(s string) []string { return strings.Fields(s) }

func TestCompare(t *testing.T) {
	c, err := compare.New([]compare.Run{
		made(t, "one", side{"m", "plain", words(".. .. .. .. FF FF F. .E .. ..")}),
		made(t, "two", side{"m", "plain", words("FF .F .. FF .. .. .. .. -- TT")}),
	}, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := c.Pairs[0]
	names := func(list []compare.Change) (out []string) {
		for _, ch := range list {
			out = append(out, ch.Item)
		}
		return out
	}
	if got := names(p.Regressions); !slices.Equal(got, []string{"i00", "i01", "i03", "i09"}) {
		t.Errorf("regressions: %v", got)
	}
	if got := names(p.Improvements); !slices.Equal(got, []string{"i04", "i05", "i06"}) {
		t.Errorf("improvements: %v", got)
	}
	if got := names(p.Open); !slices.Equal(got, []string{"i07", "i08"}) {
		t.Errorf("open: %v", got)
	}
	x, y := p.Bases[0], p.Bases[1]
	if x.Basis != record.Exact || x.Paired != 6 || x.Regressions != 4 || x.Improvements != 2 || x.Open != 1 || *x.Difference != -1.0/3 || *x.P != 0.6875 || x.Outcome != compare.Same {
		t.Errorf("exact: %+v", x)
	}
	if y.Basis != record.Proxy || y.Paired != 2 || y.Both != 1 || y.Improvements != 1 || y.Open != 1 || *y.Difference != 0.5 || *y.P != 1 {
		t.Errorf("proxy: %+v", y)
	}
	if x.Drawn != "items" || x.Draws != 6 || x.Interval == nil || x.Interval[0] > -1.0/3 || x.Interval[1] < -1.0/3 {
		t.Errorf("the bootstrap: %+v", x)
	}
	var text, again, md, js bytes.Buffer
	for _, err := range []error{c.Text(&text, 0), c.Text(&again, 80), c.Markdown(&md), c.JSON(&js)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if text.String() != again.String() {
		t.Error("the same comparison is written in two ways")
	}
	for _, want := range []string{
		"exact: 6 items paired: 4 regressed, 2 improved, 0 unchanged (0 passed, 0 not); 1 open, which are not counted",
		"difference -33.3 points", "p = 0.6875, mid-p 0.4531: the two cannot be told apart",
		"  i09  f2  exact  .. -> TT", "passed, of all items       4 of 7 (57.1 %)  3 of 7 (42.9 %)", "timed out                  0",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the text lacks %q:\n%s", want, &text)
		}
	}
	for l := range strings.SplitSeq(text.String(), "\n") {
		if len(l) > 80 {
			t.Errorf("a line of %d columns: %s", len(l), l)
		}
	}
	if i, j := strings.Index(text.String(), "Regressions (4)"), strings.Index(text.String(), "Improvements (3)"); i < 0 || j < i {
		t.Error("regressions do not come first")
	}
	if !strings.Contains(md.String(), "| i09 | f2 | exact | .. | TT |") || !strings.Contains(js.String(), `"regressions": 4`) {
		t.Errorf("%s\n%s", &md, &js)
	}
}

// Pairs against a count by the words of the definition, over all that repeats can come to.
func TestComparePairsNaively(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.Custom(func(t *rapid.T) string {
			return rapid.StringOfN(rapid.SampledFrom([]rune("..FTE-")), 2, 2, 2).Draw(t, "word")
		})
		n := rapid.IntRange(1, 24).Draw(t, "items")
		a, b := rapid.SliceOfN(word, n, n).Draw(t, "a"), rapid.SliceOfN(word, n, n).Draw(t, "b")
		c, err := compare.New([]compare.Run{made(t, "one", side{"m", "p", a}), made(t, "two", side{"m", "p", b})}, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, got := range c.Pairs[0].Bases {
			var both, neither, worse, better, open int
			for i := range n {
				if (i%3 == 2) != (got.Basis == record.Proxy) {
					continue
				}
				switch x, y := a[i], b[i]; {
				case strings.ContainsAny(x+y, "E-"):
					open++
				case x == ".." && y == "..":
					both++
				case x == "..":
					worse++
				case y == "..":
					better++
				default:
					neither++
				}
			}
			if got.Both != both || got.Neither != neither || got.Regressions != worse || got.Improvements != better || got.Open != open || got.Paired != both+neither+worse+better {
				t.Fatalf("%+v; counting gives %d %d %d %d %d", got, both, neither, worse, better, open)
			}
			total += got.Paired + got.Open
			if got.Paired == 0 {
				if got.P != nil || got.Difference != nil || got.Outcome != compare.Nothing {
					t.Fatalf("nothing is paired: %+v", got)
				}
				continue
			}
			test, err := stats.McNemar(better, worse)
			if err != nil {
				t.Fatal(err)
			}
			told := test.P.Cmp(big.NewRat(1, 20)) <= 0
			if want := map[bool]string{false: compare.Same, true: compare.Better}[told]; got.Outcome != want && !(told && worse > better && got.Outcome == compare.Worse) {
				t.Fatalf("%d better, %d worse: %s", better, worse, got.Outcome)
			}
		}
		if total != n {
			t.Fatalf("%d of %d items are accounted for", total, n)
		}
	})
}

func TestManyComparisons(t *testing.T) {
	pass, fail := strings.Repeat(". ", 12), strings.Repeat("F ", 12)
	six := ". . F . . F . . F . . F"  // all eight exact items pass
	some := ". . F . . F . F F F F F" // five of them
	c, err := compare.New([]compare.Run{made(t, "all", side{"base", "p", words(fail)}, side{"x", "p", words(six)}, side{"y", "p", words(some)}, side{"z", "p", words(pass)})}, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Pairs) != 3 {
		t.Fatalf("%d pairs", len(c.Pairs))
	}
	for i, want := range []struct {
		p, adjusted float64
		outcome     string
	}{{1.0 / 128, 3.0 / 128, compare.Better}, {1.0 / 16, 1.0 / 16, compare.Same}, {1.0 / 128, 3.0 / 128, compare.Better}} {
		b := c.Pairs[i].Bases[0]
		if *b.P != want.p || *b.Adjusted != want.adjusted || b.Comparisons != 3 || b.Outcome != want.outcome {
			t.Errorf("pair %d: p %v, adjusted %v of %d, %s; want %+v", i, *b.P, *b.Adjusted, b.Comparisons, b.Outcome, want)
		}
	}
	var text bytes.Buffer
	if err := c.Text(&text, 0); err != nil || !strings.Contains(text.String(), "3 comparisons: probabilities are adjusted by Holm's method") {
		t.Errorf("%v\n%s", err, &text)
	}
}

func TestWhatIsNotCompared(t *testing.T) {
	one := func(id string, change func(*compare.Run)) compare.Run {
		r := made(t, id, side{"m", "plain", words(". F .")})
		change(&r)
		return r
	}
	none := func(*compare.Run) {}
	two := made(t, "two", side{"a", "p", words(".")}, side{"b", "q", words(".")})
	for name, c := range map[string]struct {
		runs []compare.Run
		o    compare.Options
		want string
	}{
		"one side":    {[]compare.Run{one("x", none)}, compare.Options{}, "one model at one posture"},
		"named twice": {[]compare.Run{one("x", none), one("x", none)}, compare.Options{}, "named twice"},
		"bench":       {[]compare.Run{one("x", none), one("y", func(r *compare.Run) { r.Result.Digest = "d2" })}, compare.Options{}, "bench digest d1 and d2"},
		"protocol":    {[]compare.Run{one("x", none), one("y", func(r *compare.Run) { r.Protocol = "p2" })}, compare.Options{}, "protocol p1 and p2"},
		"repeats":     {[]compare.Run{one("x", none), made(t, "y", side{"m", "plain", words(".. FF ..")})}, compare.Options{}, "repeats 1 and 2"},
		"grader":      {[]compare.Run{one("x", none), one("y", func(r *compare.Run) { r.Result.Grader = "g2" })}, compare.Options{}, "graded by different graders"},
		"unclear":     {[]compare.Run{two, made(t, "x", side{"c", "r", words(".")})}, compare.Options{}, "choose them with --model"},
		"not chosen":  {[]compare.Run{two, made(t, "x", side{"a", "p", words(".")})}, compare.Options{Models: []string{"z"}}, "none of the chosen"},
	} {
		got, err := compare.New(c.runs, c.o)
		if _, ok := errors.AsType[*compare.Refused](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v; want %q", name, got, err, c.want)
		}
	}
	got, err := compare.New([]compare.Run{two, made(t, "x", side{"c", "r", words("F")})}, compare.Options{Models: []string{"a", "c"}})
	if err != nil || len(got.Pairs) != 1 || got.Pairs[0].Base.Model != "a" || len(got.Pairs[0].Differs) != 2 {
		t.Errorf("a chosen counterpart: %+v, %v", got, err)
	}
}

// A model that is another by its digest, or a server by its version, is named; what one side does not say is not.
func TestIdentitiesThatDiffer(t *testing.T) {
	one, two := made(t, "one", side{"m", "p", words(".")}), made(t, "two", side{"m", "p", words("F")})
	one.Result.Servers[0].Start = &report.Identity{Digest: "aaaa", Server: "ollama 0.1", Context: 8192}
	two.Result.Servers[0].Start = &report.Identity{Digest: "bbbb", Server: "ollama 0.1"}
	c, err := compare.New([]compare.Run{one, two}, compare.Options{})
	if err != nil || !slices.Equal(c.Pairs[0].Differs, []string{"model's digest: aaaa and bbbb"}) {
		t.Errorf("%v, %v", c.Pairs[0].Differs, err)
	}
	two.Result.Servers[0].Start = nil
	if c, err = compare.New([]compare.Run{one, two}, compare.Options{}); err != nil || len(c.Pairs[0].Differs) != 0 {
		t.Errorf("%v, %v", c.Pairs[0].Differs, err)
	}
}

func TestHostileNames(t *testing.T) {
	const bad = "x\x1b[2J|<img src=x>\u202e`*[a](b)"
	c, err := compare.New([]compare.Run{made(t, bad, side{bad, bad, words(". .")}), made(t, "two", side{bad, "p", words("F F")})}, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(*bytes.Buffer) error{"text": func(b *bytes.Buffer) error { return c.Text(b, 0) }, "markdown": func(b *bytes.Buffer) error { return c.Markdown(b) },
		"json": func(b *bytes.Buffer) error { return c.JSON(b) }} {
		var b bytes.Buffer
		if err := write(&b); err != nil || strings.ContainsAny(b.String(), "\x1b\u202e") || name == "markdown" && (strings.Contains(b.String(), "<img") || strings.Contains(b.String(), "a](b")) {
			t.Errorf("%s, %v:\n%q", name, err, &b)
		}
	}
}

func TestGatesOnPairs(t *testing.T) {
	check := func(text string, runs ...compare.Run) string {
		c, err := compare.New(runs, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g, err := gate.Parse(text, append(slices.Clone(gate.Metrics), gate.PairMetrics...))
		if err != nil {
			t.Fatal(err)
		}
		return gate.Line(gate.Check([]gate.Gate{g}, c.Subjects()))
	}
	base, worse := made(t, "one", side{"m", "p", words(". . .")}), made(t, "two", side{"m", "p", words("F . F")})
	for text, want := range map[string]string{
		"exact-regressions<=1": "", "exact-regressions==0": "has 1", "proxy-difference>=-1": "", "exact-difference>=-0.49": "has -50.0 points", "exact>=1/2": "", "exact-improvements>0": "has 0",
	} {
		if got := check(text, base, worse); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	open := made(t, "gone", side{"m", "p", words("- . .")})
	if got := check("exact-regressions==0", open, made(t, "two", side{"m", "p", words(". . .")})); !strings.Contains(got, "no result on one side") {
		t.Errorf("a baseline with a missing item passes a gate: %q", got)
	}
	part := made(t, "part", side{"m", "p", words(". . .")})
	part.Part = "2 items were chosen"
	if got := check("exact-regressions==0", part, base); !strings.Contains(got, "no whole run") {
		t.Errorf("a part as the baseline passes a gate: %q", got)
	}
}
