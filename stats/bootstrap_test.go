package stats_test

import (
	"math/big"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"github.com/assaybench/assay/stats"
)

// splitmix is the generator written anew, in big numbers and from its description alone.
type splitmix struct{ state *big.Int }

var word = new(big.Int).Lsh(big.NewInt(1), 64)

func hex(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 16)
	if !ok {
		panic(s)
	}
	return n
}

func (s *splitmix) next() *big.Int {
	s.state.Add(s.state, hex("9e3779b97f4a7c15")).Mod(s.state, word)
	z := new(big.Int).Set(s.state)
	for _, step := range []struct {
		shift uint
		by    string
	}{{30, "bf58476d1ce4e5b9"}, {27, "94d049bb133111eb"}, {31, "1"}} {
		z.Xor(z, new(big.Int).Rsh(z, step.shift))
		z.Mul(z, hex(step.by)).Mod(z, word)
	}
	return z
}

func (s *splitmix) below(n int64) int64 {
	for {
		x := s.next()
		x.Mul(x, big.NewInt(n))
		high, low := new(big.Int).DivMod(x, word, new(big.Int))
		if low.Cmp(new(big.Int).Mod(word, big.NewInt(n))) >= 0 {
			return high.Int64()
		}
	}
}

// The first values for the seed 1234567 that implementations of SplitMix64 are commonly tested with.
func TestTheGeneratorOfTheTestIsSplitMix64(t *testing.T) {
	g := splitmix{big.NewInt(1234567)}
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := g.next().Uint64(); got != want {
			t.Fatalf("value %d is %d, want %d", i+1, got, want)
		}
	}
}

// The same interval, reckoned with the other generator, with fractions and by the words of the definition.
func TestBootstrapAgainstAnother(t *testing.T) {
	for _, c := range []struct {
		clusters []stats.Cluster
		seed     uint64
	}{
		{[]stats.Cluster{{1, 4}, {-2, 5}, {0, 3}, {3, 6}}, 1},
		{[]stats.Cluster{{1, 1}, {0, 1}, {0, 1}, {-1, 1}, {1, 1}, {1, 1}, {0, 1}}, 18446744073709551615},
		{[]stats.Cluster{{-3, 3}, {7, 9}}, 7},
	} {
		g := splitmix{new(big.Int).SetUint64(c.seed)}
		var all []*big.Rat
		for range 9999 {
			d, n := 0, 0
			for range c.clusters {
				x := c.clusters[g.below(int64(len(c.clusters)))]
				d, n = d+x.Difference, n+x.Items
			}
			all = append(all, big.NewRat(int64(d), int64(n)))
		}
		sort.SliceStable(all, func(i, j int) bool { return all[i].Cmp(all[j]) < 0 })
		for range 2 {
			lo, hi, err := stats.Bootstrap(c.clusters, c.seed)
			if err != nil || lo.Cmp(all[249]) != 0 || hi.Cmp(all[9749]) != 0 {
				t.Errorf("Bootstrap(%v, %d) = %v..%v, %v; want %v..%v", c.clusters, c.seed, lo, hi, err, all[249], all[9749])
			}
		}
	}
}

// With few clusters every draw can be listed. The ends of the drawn interval must lie where 2.5 % of all draws lie outside,
// give or take 0.8 %, which is five standard errors of 9,999 draws.
func TestBootstrapAgainstAllDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) stats.Cluster {
			n := rapid.IntRange(1, 9).Draw(t, "items")
			return stats.Cluster{Difference: rapid.IntRange(-n, n).Draw(t, "difference"), Items: n}
		}), 2, 5).Draw(t, "clusters")
		seed := rapid.Uint64().Draw(t, "seed")
		lo, hi, err := stats.Bootstrap(clusters, seed)
		if err != nil {
			t.Fatal(err)
		}
		ways, below, above, reachLo, reachHi := 1, 0, 0, 0, 0
		for range clusters {
			ways *= len(clusters)
		}
		for way := range ways {
			d, n := 0, 0
			for w, i := way, 0; i < len(clusters); i++ {
				x := clusters[w%len(clusters)]
				d, n, w = d+x.Difference, n+x.Items, w/len(clusters)
			}
			mean := big.NewRat(int64(d), int64(n))
			if mean.Cmp(lo) < 0 {
				below++
			}
			if mean.Cmp(lo) <= 0 {
				reachLo++
			}
			if mean.Cmp(hi) > 0 {
				above++
			}
			if mean.Cmp(hi) >= 0 {
				reachHi++
			}
		}
		share := func(n int) float64 { return float64(n) / float64(ways) }
		if share(below) > 0.033 || share(above) > 0.033 || share(reachLo) < 0.017 || share(reachHi) < 0.017 {
			t.Fatalf("%v: %v..%v has %v below and %v above of all draws", clusters, lo, hi, share(below), share(above))
		}
	})
}

func TestBootstrapRefuses(t *testing.T) {
	for _, bad := range [][]stats.Cluster{nil, {{1, 2}}, {{1, 2}, {0, 0}}, {{1, 2}, {3, 2}}, {{1, 2}, {-3, 2}}, {{1, 2}, {0, -1}}, {{0, 2_000_000}, {0, 1}}} {
		if lo, hi, err := stats.Bootstrap(bad, 1); err == nil {
			t.Errorf("Bootstrap(%v) = %v..%v without an error", bad, lo, hi)
		}
	}
}

func TestBootstrapGolden(t *testing.T) {
	lo, hi, err := stats.Bootstrap([]stats.Cluster{{2, 5}, {0, 4}, {-1, 6}, {3, 5}, {1, 5}, {0, 5}}, 1)
	if err != nil || lo.String()+" "+hi.String() != goldenBootstrap {
		t.Errorf("%v %v, %v; these bytes must be the same on every machine: %s", lo, hi, err, goldenBootstrap)
	}
}

const goldenBootstrap = "-1/30 11/28"
