package report

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assaybench/assay/record"
)

func mustBuild(t testing.TB, run Run, rows iter.Seq2[Row, error]) *Result {
	t.Helper()
	r, err := Build(run, rows)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func reference() Model {
	return Model{Name: "control/reference", Control: true, Postures: []string{"plain"}}
}
func subject() Model { return Model{Name: "openai/m", Postures: []string{"plain"}} }

func words(figures []Figure) []string {
	var out []string
	for i := range figures {
		out = append(out, figures[i].phrase(0))
	}
	return out
}

func TestFigures(t *testing.T) {
	item := func(id string, edit func(*Row)) func(*Row) bool {
		return func(r *Row) bool {
			if r.Key.Item == id {
				edit(r)
			}
			return true
		}
	}
	ends := func(o record.Outcome, why string) func(*Row) {
		return func(r *Row) { r.Outcome, r.State, r.Pass, r.Reason = o, "", false, why }
	}
	for _, c := range []struct {
		name string
		edit func(*Row) bool
		want []string
	}{
		{"all pass", nil, []string{"13/13 exact", "7/7 proxy"}},
		{"no python3", item("c1-xx-1", func(r *Row) { r.State, r.Pass, r.Reason = record.Ungradable, false, "no python3" }),
			[]string{"12/13 exact, 1 not graded: no python3", "7/7 proxy"}},
		{"a wrong one", item("c1-xx-1", func(r *Row) { r.Pass = false }), []string{"12/13 exact", "7/7 proxy"}},
		{"an unread one", item("c3-xx-1", func(r *Row) { r.State, r.Pass = record.Unread, false }), []string{"13/13 exact", "6/7 proxy"}},
		{"one repeat wrong", func(r *Row) bool { r.Pass = r.Key.Item != "c1-xx-1" || r.Key.Repeat != 2; return true }, []string{"12/13 exact", "7/7 proxy"}},
		{"truncated is the model's", item("c1-xx-1", ends(record.Truncated, "")), []string{"12/13 exact", "7/7 proxy"}},
		{"refused is the model's", item("c1-xx-1", ends(record.Refused, "")), []string{"12/13 exact", "7/7 proxy"}},
		{"a timeout is the model's", item("c3-xx-1", ends(record.Timeout, "")), []string{"13/13 exact", "6/7 proxy"}},
		{"an error is not", item("c3-xx-1", ends(record.Error, "HTTP 500")), []string{"13/13 exact", "6/7 proxy, 1 error: HTTP 500"}},
		{"undelivered is not", item("c1-xx-1", ends(record.Undelivered, "context 4096")), []string{"12/13 exact, 1 undelivered: context 4096", "7/7 proxy"}},
		{"an attempt not made", item("c1-xx-1", ends("", "")), []string{"12/13 exact, 1 missing", "7/7 proxy"}},
		{"an attempt without a row", func(r *Row) bool { return r.Key.Item != "c1-xx-1" || r.Key.Repeat != 1 }, []string{"12/13 exact, 1 missing", "7/7 proxy"}},
		{"no verdict", item("c1-xx-1", func(r *Row) { r.State, r.Pass, r.Reason = "", false, "stop" }), []string{"12/13 exact, 1 not graded: no verdict yet", "7/7 proxy"}},
		{"wrong beside missing is not a failure", func(r *Row) bool {
			r.Pass = r.Key.Item != "c1-xx-1"
			return r.Pass || r.Key.Repeat == 1
		}, []string{"12/13 exact, 1 missing", "7/7 proxy"}},
		{"the gravest reason stands", func(r *Row) bool {
			if r.Key.Item == "c1-xx-1" {
				ends([]record.Outcome{record.Error, record.Undelivered}[r.Key.Repeat-1], fmt.Sprint("reason ", r.Key.Repeat))(r)
			}
			return true
		}, []string{"12/13 exact, 1 error: reason 1", "7/7 proxy"}},
		{"many reasons", func(r *Row) bool {
			ends(record.Error, "HTTP 50"+r.Key.Item[6:])(r)
			return true
		}, []string{"0/13 exact, 2 error: HTTP 501, 2 error: HTTP 502, 2 error: HTTP 503, 7 for other reasons",
			"0/7 proxy, 1 error: HTTP 501, 1 error: HTTP 502, 1 error: HTTP 503, 4 for other reasons"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := chairTrials(2, subject())
			r := mustBuild(t, run, answers(run, c.edit))
			if diff := cmp.Diff(c.want, words(r.Figures)); diff != "" {
				t.Error(diff)
			}
			for _, f := range r.Figures {
				if f.Complete != (len(f.Open) == 0) || f.Passed > f.Judged || f.Judged > f.Items {
					t.Errorf("the figure contradicts itself: %+v", f)
				}
			}
		})
	}
}

// ARCHITECTURE: exact and proxy results are never added together; no code path produces that sum.
func TestNothingIsTheSum(t *testing.T) {
	for _, repeats := range []int{1, 2} {
		run := chairTrials(repeats, reference())
		r := mustBuild(t, run, answers(run, nil))
		for name, write := range map[string]func(*bytes.Buffer) error{
			"text":     func(b *bytes.Buffer) error { return r.Text(b, Page{}) },
			"markdown": func(b *bytes.Buffer) error { return r.Markdown(b) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"13/13 exact", "7/7 proxy", "control, not ranked"} {
				if !strings.Contains(b.String(), want) {
					t.Errorf("%s, %d repeats: no %q in\n%s", name, repeats, want, &b)
				}
			}
			if strings.Contains(b.String(), "20/20") {
				t.Errorf("%s, %d repeats: 20/20 in\n%s", name, repeats, &b)
			}
			if got := strings.Contains(b.String(), "single run"); got != (repeats == 1) {
				t.Errorf("%s, %d repeats: single run is %v", name, repeats, got)
			}
		}
	}
}

func TestNotes(t *testing.T) {
	even := "warning: openai/m, plain: every item has the same verdict (not passed); look at some transcripts before believing it"
	alike := func(letter string) []string {
		return []string{"warning: openai/m, plain: every item is " + letter + ": is the server what it should be? Look at some transcripts before believing it"}
	}
	incomplete := "warning: incomplete: 40 of 40 missing or in error, not a result to rank"
	tolerant := func(s record.State) func(*Row) bool {
		return func(r *Row) bool {
			if r.Key.Item == "c1-xx-1" {
				r.Pass, r.State, r.Tolerant = false, s, true
			}
			return true
		}
	}
	for _, c := range []struct {
		name  string
		model Model
		run   func(*Run)
		edit  func(*Row) bool
		want  []string
	}{
		{"a control may be even", reference(), nil, nil, []string{}},
		{"a model may not", subject(), nil, func(r *Row) bool { r.Pass = false; return true }, alike("F (wrong)")},
		{"nor fail everything in several ways", subject(), nil, func(r *Row) bool {
			if r.Pass = false; r.Key.Repeat == 2 {
				r.Outcome, r.State = record.Refused, ""
			}
			return true
		}, []string{even}},
		{"all refused", subject(), nil, func(r *Row) bool { r.Outcome, r.State, r.Pass = record.Refused, "", false; return true }, alike("R (refused)")},
		{"all in error", subject(), nil, func(r *Row) bool { r.Outcome, r.State, r.Pass = record.Error, "", false; return true },
			append([]string{incomplete}, alike("E (error: ours or the provider's)")...)},
		{"nothing made yet", subject(), nil, func(*Row) bool { return false }, []string{incomplete}},
		{"ten attempts are enough for one letter", subject(), func(r *Run) {
			r.Repeats, r.Planned, r.Items = 1, 10, slices.Values(slices.Collect(r.Items)[:10])
		}, func(r *Row) bool { r.Pass = false; return true }, alike("F (wrong)")},
		{"nine attempts are too few for one letter", subject(), func(r *Run) {
			r.Repeats, r.Planned, r.Items = 1, 9, slices.Values(slices.Collect(r.Items)[:9])
		}, func(r *Row) bool { r.Pass = false; return true }, []string{even}},
		{"nor pass everything", subject(), nil, nil, []string{strings.Replace(even, "not passed", "passed", 1)}},
		{"unread and readable", subject(), nil, tolerant(record.Unread), []string{"openai/m, plain, exact: unread by the strict parse, readable by the tolerant one: 2"}},
		{"wrong and readable", subject(), nil, tolerant(record.Graded), []string{"openai/m, plain, exact: wrong by the strict parse, passing by the tolerant one: 2"}},
		{"unproven, once", reference(), func(r *Run) { r.Proven, r.Notes = false, []string{"only 3 of 20 items", "only 3 of 20 items", " "} }, nil,
			[]string{"unproven: this bench's graders had not been checked against their controls; run `assay check` on it", "only 3 of 20 items"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := chairTrials(2, c.model)
			if c.run != nil {
				c.run(&run)
			}
			if diff := cmp.Diff(c.want, mustBuild(t, run, answers(run, c.edit)).Notes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBuildRefuses(t *testing.T) {
	key := record.Key{Model: "openai/m", Posture: "plain", Item: "c1-xx-1", Repeat: 1}
	good := Row{Key: key, Outcome: record.Answered, State: record.Graded, Pass: true}
	row := func(edit func(*Row)) []Row { r := good; edit(&r); return []Row{r} }
	for _, c := range []struct {
		name string
		run  func(*Run)
		rows []Row
		want string
	}{
		{"a row twice", nil, []Row{good, good}, "recorded twice"},
		{"a row not made twice", nil, append(row(func(r *Row) { *r = Row{Key: key} }), good), "recorded twice"},
		{"another model", nil, row(func(r *Row) { r.Key.Model = "openai/n" }), "does not have that model"},
		{"another posture", nil, row(func(r *Row) { r.Key.Posture = "thinking" }), "does not have that model at that posture"},
		{"another item", nil, row(func(r *Row) { r.Key.Item = "c1-xx-10" }), "does not have that item"},
		{"repeat 0", nil, row(func(r *Row) { r.Key.Repeat = 0 }), "repeats 1 to 2"},
		{"repeat 3", nil, row(func(r *Row) { r.Key.Repeat = 3 }), "repeats 1 to 2"},
		{"a cut answer that passes", nil, row(func(r *Row) { r.Outcome = record.Truncated }), `passed, but with the outcome "truncated"`},
		{"an unread answer that passes", nil, row(func(r *Row) { r.State = record.Unread }), `the state "unread"`},
		{"a pass without an answer", nil, row(func(r *Row) { r.Outcome = "" }), "passed, but"},
		{"a verdict without an attempt", nil, row(func(r *Row) { r.Outcome, r.Pass = "", false }), "without having been made"},
		{"an unknown outcome", nil, row(func(r *Row) { r.Outcome, r.Pass = "fine", false }), `the outcome "fine" is not known`},
		{"an unknown state", nil, row(func(r *Row) { r.State, r.Pass = "fine", false }), `the state "fine" is not known`},
		{"a pass with a fault's letter", nil, row(func(r *Row) { r.Letter = "F" }), "contradicts pass=true"},
		{"a failure with the pass's letter", nil, row(func(r *Row) { r.Letter, r.Pass = ".", false }), "contradicts pass=false"},
		{"a letter that is none", nil, row(func(r *Row) { r.Letter = "\x1b" }), "not one printable"},
		{"two letters", nil, row(func(r *Row) { r.Letter = "ok" }), "not one printable"},
		{"no repeats", func(r *Run) { r.Repeats = 0 }, nil, "0 repeats"},
		{"no model", func(r *Run) { r.Models = nil }, nil, "no model"},
		{"no items", func(r *Run) { r.Items = nil }, nil, "no items"},
		{"a model without a posture", func(r *Run) { r.Models = []Model{{Name: "m"}} }, nil, "no posture"},
		{"a model twice", func(r *Run) { r.Models = append(r.Models, r.Models[0]) }, nil, "planned twice"},
		{"another plan", func(r *Run) { r.Planned = 44 }, nil, "44 attempts, but 1 models at their postures, 20 items and 2 repeats make 40"},
		{"an item twice", func(r *Run) { r.Items = slices.Values([]Item{{"a", "prose", "exact"}, {"a", "prose", "proxy"}}) }, nil, "planned twice"},
		{"an item of no basis", func(r *Run) { r.Items = slices.Values([]Item{{"a", "prose", "vibes"}}) }, nil, `basis "vibes"`},
		{"an item of no family", func(r *Run) { r.Items = slices.Values([]Item{{"a", "poems", "exact"}}) }, nil, `family "poems"`},
		{"a family twice", func(r *Run) { r.Families = append(r.Families, r.Families[0]) }, nil, "named twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := chairTrials(2, subject())
			if c.run != nil {
				c.run(&run)
			}
			_, err := Build(run, func(yield func(Row, error) bool) {
				for _, r := range c.rows {
					if !yield(r, nil) {
						return
					}
				}
			})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "01k3f7") {
				t.Errorf("got %v; want an error about the run with %q", err, c.want)
			}
		})
	}
	broken := errors.New("database disk image is malformed")
	if _, err := Build(chairTrials(1, subject()), func(yield func(Row, error) bool) { yield(Row{}, broken) }); !errors.Is(err, broken) {
		t.Errorf("the error of the rows is lost: %v", err)
	}
}

func TestCostLeavesOutTheImpossible(t *testing.T) {
	run := chairTrials(1, subject())
	n := int64(0)
	r := mustBuild(t, run, answers(run, func(r *Row) bool {
		n++
		r.PromptTokens, r.OutputTokens, r.LatencyNS, r.Tries = new(int64(100)), new(n), n*1_000_000_000, 1
		switch n {
		case 18:
			r.OutputTokens, r.LatencyNS = new(int64(-5)), 0
		case 19:
			r.OutputTokens, r.LatencyNS = new(int64(1)<<62), -1
		case 20: // an error's time is not the model's
			r.Outcome, r.State, r.Pass, r.OutputTokens, r.Tries = record.Error, "", false, nil, 5
		}
		return true
	}))
	want := Setting{
		Model: "openai/m", Posture: "plain", Counts: Counts{Planned: 20, Answered: 19, Error: 1, Retried: 1},
		Prompt: Tokens{2000, 20}, Output: Tokens{153, 17}, Latency: Latency{Median: new(9.0), P95: new(16.2), Of: 17},
		TokensPerSecond: new(1.0), Impossible: 3, SettingsRead: 19, Replies: 19, Wishes: []Wish{}, Retries: Retries{Kinds: []RetryKind{}},
		Delivery: Delivery{Delivered: 19, Refuses: 19, Error: 1, UndeliveredWhy: []Cause{}, NotProvableWhy: []Cause{}},
	}
	if diff := cmp.Diff([]Setting{want}, r.Attempts.Settings, cmpopts.IgnoreUnexported(Setting{})); diff != "" {
		t.Error(diff)
	}
}

// A run of 100,000 items must not need memory that grows by more than a few bytes for each attempt.
func TestMemoryOfALargeRun(t *testing.T) {
	const items, repeats = 100_000, 2
	run := Run{ID: "big", Models: []Model{subject()}, Repeats: repeats, Planned: items * repeats, Proven: true, Families: []Family{{"f", ""}}}
	run.Items = func(yield func(Item) bool) {
		for i := range items {
			if !yield(Item{fmt.Sprintf("item-%06d", i), "f", record.Exact}) {
				return
			}
		}
	}
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, during, n := live(), uint64(0), 0
	r := mustBuild(t, run, answers(run, func(r *Row) bool {
		r.LatencyNS, r.AnswerHash = 1_000_000, fmt.Sprintf("%064x", n)
		r.LoadNS, r.QueueNS, r.PromptNS, r.GenerationNS, r.OutputTokens = 1, 2, 3, 4, new(int64(5))
		r.Detail.Reason, r.Detail.Settings = fmt.Sprintf("it is %x", n), []record.Setting{{Name: "seed", State: record.SettingAsked, Why: fmt.Sprintf("%x", n)}}
		r.Again = []Again{{Kind: fmt.Sprint("kind ", n)}}
		r.Outcome, r.State, r.Pass, r.Reason = record.Error, "", false, fmt.Sprintf("request %d failed", n) // every reason differs
		if n%2 == 0 {
			r.Outcome, r.State, r.Pass = record.Answered, record.Graded, true
		}
		if n++; n == items*repeats {
			during = live()
		}
		return true
	}))
	if held := int64(during) - int64(before); held > 10<<20 {
		t.Errorf("%d attempts hold %d bytes", items*repeats, held)
	}
	if len(r.Items) != 0 || !strings.Contains(strings.Join(r.Notes, "\n"), "the letters of 100000 items are left out") {
		t.Errorf("%d items listed; notes %q", len(r.Items), r.Notes)
	}
	var b bytes.Buffer
	if err := errors.Join(r.Text(&b, Page{}), r.JSON(&b)); err != nil || b.Len() > 100_000 {
		t.Errorf("%v; %d bytes printed", err, b.Len())
	}
}

func BenchmarkBuild(b *testing.B) {
	var items []Item
	for i := range 100_000 {
		items = append(items, Item{fmt.Sprintf("item-%06d", i), "f", record.Exact})
	}
	run := Run{ID: "big", Models: []Model{subject()}, Repeats: 2, Planned: 200_000, Proven: true, Families: []Family{{"f", ""}}, Items: slices.Values(items)}
	for b.Loop() {
		mustBuild(b, run, answers(run, nil))
	}
}
