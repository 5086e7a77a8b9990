package likeness

import (
	"encoding/json"
	"math/big"
	"os"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func vectors(t testing.TB, into any) {
	t.Helper()
	b, err := os.ReadFile("../../../shared/realism/audit-vectors.json")
	if err != nil {
		t.Skip("the published figures (../shared/realism/audit-vectors.json beside the repository) are not here")
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

func rat(p [2]int64) *big.Rat { return big.NewRat(p[0], p[1]) }

func TestPublishedSequences(t *testing.T) {
	var v struct {
		RawSequence []struct {
			A, B []string
			AB   [2]int64 `json:"ratcliff_ab"`
			BA   [2]int64 `json:"ratcliff_ba"`
			LCS  [2]int64 `json:"lcs_ratio"`
			Over bool     `json:"gate_over_0_95"`
		}
	}
	vectors(t, &v)
	if len(v.RawSequence) == 0 {
		t.Fatal("no figures")
	}
	for i, c := range v.RawSequence {
		if got := Directed(c.A, c.B); got.Cmp(rat(c.AB)) != 0 {
			t.Errorf("%d: %s, want %v", i, got.RatString(), c.AB)
		}
		if got := Directed(c.B, c.A); got.Cmp(rat(c.BA)) != 0 {
			t.Errorf("%d, the other way: %s, want %v", i, got.RatString(), c.BA)
		}
		if got := Subsequence(c.A, c.B); got.Cmp(rat(c.LCS)) != 0 {
			t.Errorf("%d, common subsequence: %s, want %v", i, got.RatString(), c.LCS)
		}
		most := rat(c.AB)
		if most.Cmp(rat(c.BA)) < 0 {
			most = rat(c.BA)
		}
		got := Sequence(c.A, c.B)
		if got.Cmp(most) != 0 || (got.Cmp(big.NewRat(95, 100)) > 0) != c.Over {
			t.Errorf("%d: %s, want %s, and over 0.95 %v", i, got.RatString(), most.RatString(), c.Over)
		}
	}
}

func TestPublishedClones(t *testing.T) {
	var v struct {
		Clone []struct {
			Raw, Semantic [2]int64
			IsClone       bool `json:"is_clone"`
		}
	}
	vectors(t, &v)
	if len(v.Clone) == 0 {
		t.Fatal("no figures")
	}
	gate := Gate{big.NewRat(9, 10), big.NewRat(7, 10)}
	for _, c := range v.Clone {
		if got := gate.Clone(rat(c.Raw), rat(c.Semantic)); got != c.IsClone {
			t.Errorf("%v and %v: a clone is %v, want %v", c.Raw, c.Semantic, got, c.IsClone)
		}
	}
}

func TestSequenceIsSymmetricAndBounded(t *testing.T) {
	seq := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 14)
	rapid.Check(t, func(t *rapid.T) {
		a, b := seq.Draw(t, "a"), seq.Draw(t, "b")
		one := big.NewRat(1, 1)
		x, y, l, m := Sequence(a, b), Sequence(b, a), Subsequence(a, b), Subsequence(b, a)
		if x.Cmp(y) != 0 || l.Cmp(m) != 0 {
			t.Fatalf("not symmetric: %s %s, %s %s", x, y, l, m)
		}
		if x.Sign() < 0 || l.Cmp(one) > 0 || x.Cmp(l) > 0 {
			t.Fatalf("%s is not between 0 and %s", x, l)
		}
		if Sequence(a, a).Cmp(one) != 0 || Subsequence(a, a).Cmp(one) != 0 {
			t.Fatal("a sequence is not like itself")
		}
	})
}

func TestGraphsAreSymmetricAndBounded(t *testing.T) {
	bag := rapid.MapOf(rapid.SampledFrom([]string{"a", "b", "c", "d"}), rapid.IntRange(1, 3))
	rapid.Check(t, func(t *rapid.T) {
		a := &Graph{bag.Draw(t, "an"), bag.Draw(t, "ae")}
		b := &Graph{bag.Draw(t, "bn"), bag.Draw(t, "be")}
		one := big.NewRat(1, 1)
		x, y := Graphs(a, b), Graphs(b, a)
		if x.Cmp(y) != 0 || x.Sign() < 0 || x.Cmp(one) > 0 || Graphs(a, a).Cmp(one) != 0 {
			t.Fatalf("%s and %s", x, y)
		}
		if (x.Cmp(one) == 0) != (a.Digest() == b.Digest()) {
			t.Fatalf("%s, and the digests are equal: %v", x, a.Digest() == b.Digest())
		}
	})
}

func TestGraphWeights(t *testing.T) {
	a := &Graph{Bag{"x": 2, "y": 1}, Bag{"x>y": 1}}
	b := &Graph{Bag{"x": 1, "z": 1}, Bag{"x>y": 1, "y>z": 1}}
	if got := Graphs(a, b); got.Cmp(big.NewRat(1+2, 4+4)) != 0 {
		t.Errorf("%s, want 3/8", got)
	}
	if got := Clusters(5, [][2]int{{3, 1}, {4, 3}}); !reflect.DeepEqual(got, [][]int{{0}, {1, 3, 4}, {2}}) {
		t.Errorf("clusters: %v", got)
	}
	if got := Collapsed([]string{"a", "a", "b", "a"}); !reflect.DeepEqual(got, []string{"a", "b", "a"}) {
		t.Errorf("collapsed: %v", got)
	}
	gate := Gate{big.NewRat(9, 10), big.NewRat(7, 10)}
	if m := big.NewRat(5, 100); !gate.Near(big.NewRat(85, 100), big.NewRat(65, 100), m) || gate.Near(big.NewRat(84, 100), big.NewRat(1, 1), m) {
		t.Error("the margin of the gate's corner is 0.05 on both sides")
	}
}
