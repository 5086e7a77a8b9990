package items_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/report/items"
)

// made builds a run of models m0, m1 … by a word of letters for each item; ~ is wrong by the strict reading alone. The items
// from proxies on are proxies.
func made(t interface{ Fatal(...any) }, id string, proxies int, models ...[]string) *report.Result {
	n, repeats := len(models[0]), len(models[0][0])
	run := report.Run{ID: id, Bench: "b@1", Digest: "d", Grader: "g", Repeats: repeats, Planned: (len(models) + 1) * n * repeats, Proven: true, AllItems: true, Families: []report.Family{{ID: "f"}}}
	var list []report.Item
	for i := range n {
		basis := record.Exact
		if i >= proxies {
			basis = record.Proxy
		}
		list = append(list, report.Item{ID: fmt.Sprintf("i%02d", i), Family: "f", Basis: basis})
	}
	run.Items = slices.Values(list)
	run.Models = append(run.Models, report.Model{Name: "control/reference", Control: true, Postures: []string{"p"}})
	for m := range models {
		run.Models = append(run.Models, report.Model{Name: fmt.Sprintf("%s-m%d", id, m), Postures: []string{"p"}})
	}
	res, err := report.Build(run, func(yield func(report.Row, error) bool) {
		for m, words := range models {
			for i, w := range words {
				for j, l := range w {
					r := report.Row{Key: record.Key{Model: fmt.Sprintf("%s-m%d", id, m), Posture: "p", Item: list[i].ID, Repeat: j + 1}, Outcome: record.Answered, State: record.Graded, Pass: l == '.', Tolerant: l == '~'}
					if l != '-' && !yield(r, nil) {
						return
					}
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestItems(t *testing.T) {
	one := made(t, "one", 4, strings.Fields(".. .. FF ~~ .F .."), strings.Fields("FF .. FF .F FF --"))
	two := made(t, "two", 4, strings.Fields(".. .. FF .. .. .."))
	r, err := items.New([]*report.Result{one, two})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Sides) != 3 {
		t.Fatalf("sides: %v; a control is none", r.Sides)
	}
	type seen struct{ judged, passed, unstable, tolerant int }
	for i, want := range []seen{{3, 2, 0, 0}, {3, 3, 0, 0}, {3, 0, 0, 0}, {3, 1, 1, 2}, {3, 1, 1, 0}, {2, 2, 0, 0}} {
		if it := r.Items[i]; (seen{it.Judged, it.Passed, it.Unstable, it.Tolerant}) != want || it.Attempts != 6 {
			t.Errorf("%s: %+v, want %+v", it.Item, it, want)
		}
	}
	// i00 tells m0 and two's model from m1: both are at least as good on the other exact items, one of them better.
	if it := r.Items[0]; it.Agreeing != 1 || it.Tied != 1 || it.Opposed != 0 || *it.Discrimination != 0.5 {
		t.Errorf("%+v", it)
	}
	if it := r.Items[1]; it.Discrimination != nil {
		t.Errorf("all pass: %+v", it)
	}
	var text, js bytes.Buffer
	if err := r.Text(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.JSON(&js); err != nil || !strings.Contains(js.String(), `"tolerant": 2`) {
		t.Errorf("%v %s", err, &js)
	}
	for _, want := range []string{"Passed by none of 3 models (1 item)\n  i02  f  exact  FF FF FF  3 judged", "Passed by all of 3 models (2 items)", "Repeats disagree (2 items)", "2 of 6 attempts", "+0.50, of 2 pairs", "rests on 3 models only"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, &text)
		}
	}
}

// Discrimination by the words of its definition: for each item and each pair, look at the rest.
func TestDiscriminationNaively(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(1, 9).Draw(t, "items"), rapid.IntRange(1, 6).Draw(t, "models")
		proxies := rapid.IntRange(0, n).Draw(t, "proxies")
		models := make([][]string, m)
		for i := range models {
			models[i] = rapid.SliceOfN(rapid.SampledFrom([]string{".", ".", "F", "-"}), n, n).Draw(t, "model")
		}
		r, err := items.New([]*report.Result{made(t, "one", proxies, models...)})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			agree, oppose, tied := 0, 0, 0
			for a := range m {
				for b := range m {
					if models[a][i] != "." || models[b][i] != "F" {
						continue
					}
					pa, pb := 0, 0
					for k := range n {
						if k != i && (k >= proxies) == (i >= proxies) && models[a][k] != "-" && models[b][k] != "-" {
							if models[a][k] == "." {
								pa++
							}
							if models[b][k] == "." {
								pb++
							}
						}
					}
					switch {
					case pa > pb:
						agree++
					case pa < pb:
						oppose++
					default:
						tied++
					}
				}
			}
			if it := r.Items[i]; it.Agreeing != agree || it.Opposed != oppose || it.Tied != tied {
				t.Fatalf("%s: %+v, counting gives %d, %d, %d", it.Item, it, agree, oppose, tied)
			}
		}
	})
}

func TestWhatIsNotPutTogether(t *testing.T) {
	one, two := made(t, "one", 1, []string{"."}), made(t, "two", 1, []string{"."})
	two.Digest = "other"
	three := made(t, "three", 1, []string{"."})
	three.Grader = "other"
	only := made(t, "only", 1, []string{"."})
	only.Attempts.Settings = only.Attempts.Settings[:1]
	for _, c := range []struct {
		runs []*report.Result
		want string
	}{{[]*report.Result{one, one}, "twice"}, {[]*report.Result{one, two}, "different benches"}, {[]*report.Result{one, three}, "different graders"}, {[]*report.Result{only}, "only controls"}} {
		if r, err := items.New(c.runs); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v; want %q", r, err, c.want)
		}
	}
}
