package run

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/store"
)

func planSpec(set *fakeSet, names ...string) Spec {
	s := Spec{Set: set, Digest: "d"}
	for _, n := range names {
		_, after, _ := strings.Cut(n, "/")
		s.Models = append(s.Models, Entrant{&fakeModel{name: n}, after})
	}
	return s
}

// lines writes a plan's attempts, one a line.
func lines(p *Plan) []string {
	var out []string
	for a := range p.List() {
		out = append(out, fmt.Sprintf("%s %s %d %s %s %s", p.Models[a.Model].Name, p.Postures[a.Posture], a.Repeat, a.Item[len("item-00000"):], a.Family, a.Basis))
	}
	return out
}

func TestPlanOrder(t *testing.T) {
	p, err := NewPlan(planSpec(newSet(3), "x/a", "x/deep"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(`
x/a plain 1 0 family-0 exact
x/a plain 1 1 family-1 exact
x/a plain 1 2 family-0 proxy
x/a plain 2 0 family-0 exact
x/a plain 2 1 family-1 exact
x/a plain 2 2 family-0 proxy
x/deep plain 1 0 family-0 exact
x/deep plain 1 1 family-1 exact
x/deep plain 1 2 family-0 proxy
x/deep plain 2 0 family-0 exact
x/deep plain 2 1 family-1 exact
x/deep plain 2 2 family-0 proxy
x/deep thinking 1 0 family-0 exact
x/deep thinking 1 1 family-1 exact
x/deep thinking 1 2 family-0 proxy
x/deep thinking 2 0 family-0 exact
x/deep thinking 2 1 family-1 exact
x/deep thinking 2 2 family-0 proxy`), "\n")
	if d := cmp.Diff(want, lines(p)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(lines(p), lines(p)); d != "" {
		t.Errorf("a second pass differs: %s", d)
	}
	if p.Attempts != 18 || p.Items != 3 || p.MaxOutputTokens != 12*100+6*1000 {
		t.Errorf("attempts %d, items %d, ceiling %d tokens", p.Attempts, p.Items, p.MaxOutputTokens)
	}
	if want := (12*10*time.Second + 6*20*time.Second) / 1; p.MaxTime*int64(p.Concurrency) != int64(want) {
		t.Errorf("ceiling %v at concurrency %d, want %v in all", time.Duration(p.MaxTime), p.Concurrency, want)
	}
}

func TestPlanChoosesPostures(t *testing.T) {
	tests := []struct {
		name   string
		models []string
		chosen []string
		want   []string // model: postures
	}{
		{"default", []string{"x/a"}, nil, []string{"x/a: plain"}},
		{"named by the bench", []string{"x/a", "x/deep"}, nil, []string{"x/a: plain", "x/deep: plain thinking"}},
		{"named for two", []string{"x/deeper"}, nil, []string{"x/deeper: plain thinking extra"}},
		{"the provider's part does not count", []string{"deep/a"}, nil, []string{"deep/a: plain"}},
		{"chosen for all", []string{"x/a", "x/deep"}, []string{"extra"}, []string{"x/a: extra", "x/deep: extra"}},
		{"chosen order", []string{"x/a"}, []string{"thinking", "plain"}, []string{"x/a: thinking plain"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := planSpec(newSet(1), tt.models...)
			s.Postures = tt.chosen
			p, err := NewPlan(s)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range p.Models {
				var names []string
				for _, i := range m.Postures {
					names = append(names, p.Postures[i])
				}
				got = append(got, m.Name+": "+strings.Join(names, " "))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestPlanDefaultPostureFirst(t *testing.T) {
	set := newSet(1)
	set.b.Protocol.DefaultPosture = "extra" // stands last in the protocol
	p, err := NewPlan(planSpec(set, "x/deep"))
	if err != nil {
		t.Fatal(err)
	}
	if got := lines(p)[0]; !strings.HasPrefix(got, "x/deep extra 1") {
		t.Errorf("the first attempt is %q, want the default posture", got)
	}
}

func TestPlanSelects(t *testing.T) {
	set := newSet(5)
	set.draft = itemID(4)
	s := planSpec(set, "x/a")
	s.Repeats = 1
	ids := func(s Spec) string {
		t.Helper()
		p, err := NewPlan(s)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for a := range p.List() {
			out = append(out, strings.TrimPrefix(a.Item, "item-00000"))
		}
		return strings.Join(out, " ")
	}
	if got := ids(s); got != "0 1 2 3" {
		t.Errorf("frozen items: %s", got)
	}
	s.Only = []string{itemID(3), itemID(1), itemID(3)}
	if got := ids(s); got != "1 3" {
		t.Errorf("only, in the bench's order: %s", got)
	}
	s.Only = nil
	var all []string
	for i := 1; i <= 3; i++ {
		s.Shard = store.Shard{I: i, Of: 3}
		all = append(all, ids(s))
	}
	if got := strings.Join(all, " | "); got != "0 3 | 1 | 2" {
		t.Errorf("shards: %s", got)
	}
}

func TestPlanRefuses(t *testing.T) {
	loaded, err := bench.Load(fstest.MapFS{
		"bench.yaml": {Data: []byte("id: b\nversion: '1'\ntitle: T\nshape: prompt\nlicence: L\nattribution: A\nfamilies: [{id: f}]\n" +
			"protocol: {repeats: 1, pass_rule: all, context: 10, default_posture: plain, postures: {plain: {max_output: 1, timeout: 1s}}}\n")},
		"items/" + itemID(0) + ".yaml": {Data: []byte("id: x\n")},
	}, "b")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		change func(*Spec, *fakeSet)
		want   string
	}{
		{"no model", func(s *Spec, _ *fakeSet) { s.Models = nil }, "no model"},
		{"a model twice", func(s *Spec, _ *fakeSet) { s.Models = append(s.Models, s.Models[0]) }, "named twice"},
		{"an unknown posture", func(s *Spec, _ *fakeSet) { s.Postures = []string{"thinkin"} }, `did you mean "thinking"?`},
		{"a posture twice", func(s *Spec, _ *fakeSet) { s.Postures = []string{"plain", "plain"} }, "named twice"},
		{"an unknown item", func(s *Spec, f *fakeSet) { f.b, s.Only = loaded, []string{"item-00000"} }, `did you mean "` + itemID(0) + `"?`},
		{"a draft", func(s *Spec, f *fakeSet) { f.draft, s.Only = itemID(1), []string{itemID(1)} }, "is a draft"},
		{"repeats", func(s *Spec, _ *fakeSet) { s.Repeats = -1 }, "--repeats -1"},
		{"too many repeats", func(s *Spec, _ *fakeSet) { s.Repeats = 1001 }, "1 to 1000"},
		{"concurrency", func(s *Spec, _ *fakeSet) { s.Concurrency = 5000 }, "--concurrency 5000"},
		{"a shard", func(s *Spec, _ *fakeSet) { s.Shard = store.Shard{I: 3, Of: 2} }, "shard 3 of 2"},
		{"a shard of zero", func(s *Spec, _ *fakeSet) { s.Shard = store.Shard{I: 1} }, "shard 1 of 0"},
		{"an empty shard", func(s *Spec, _ *fakeSet) { s.Shard = store.Shard{I: 9, Of: 9} }, "nothing to run"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set := newSet(3)
			s := planSpec(set, "x/a")
			tt.change(&s, set)
			_, err := NewPlan(s)
			if _, ok := errors.AsType[*UsageError](err); !ok || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want a usage error with %q", err, tt.want)
			}
		})
	}
}

func TestLocalModelsRunOneByOne(t *testing.T) {
	s := planSpec(newSet(1), "x/a", "x/b")
	for _, tt := range []struct {
		local  bool
		chosen int
		want   int
	}{{false, 0, 4}, {true, 0, 1}, {true, 8, 8}} {
		s.Models[1].Model.(*fakeModel).local, s.Concurrency = tt.local, tt.chosen
		p, err := NewPlan(s)
		if err != nil || p.Concurrency != tt.want {
			t.Errorf("local %v, chosen %d: concurrency %d (%v), want %d", tt.local, tt.chosen, p.Concurrency, err, tt.want)
		}
	}
}

func TestPlanOfManyItemsIsSmall(t *testing.T) {
	set := newSet(100_000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	p, err := NewPlan(planSpec(set, "x/a"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range p.List() {
		n++
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if n != 200_000 || p.Attempts != n {
		t.Fatalf("%d attempts, the plan says %d", n, p.Attempts)
	}
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 6<<20 {
		t.Errorf("a plan of 100,000 items holds %d bytes", held)
	}
	runtime.KeepAlive(p)
}
