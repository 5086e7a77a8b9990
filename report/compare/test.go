package compare

import (
	"math/big"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/stats"
)

// Basis is the comparison on the items of one basis.
type Basis struct {
	Basis        record.Basis `json:"basis"`
	Paired       int          `json:"paired"` // items with a result on both sides
	Both         int          `json:"both"`
	Neither      int          `json:"neither"`
	Regressions  int          `json:"regressions"`  // passed by the baseline alone
	Improvements int          `json:"improvements"` // passed by the other alone
	Open         int          `json:"open"`
	// Difference is improvements less regressions for each paired item, and Interval its 95 % bootstrap interval; null where
	// nothing is paired, or there is nothing to draw from. Drawn is what it draws ("families" or "items") and Draws how many.
	Difference *float64    `json:"difference"`
	Interval   *[2]float64 `json:"interval"`
	Drawn      string      `json:"drawn"`
	Draws      int         `json:"draws"`
	// P is the exact paired test's, MidP its mid-p variant, and Adjusted is P adjusted for the number of comparisons, which the
	// outcome follows from. Null where nothing is paired.
	P           *float64 `json:"p"`
	MidP        *float64 `json:"mid_p"`
	Adjusted    *float64 `json:"p_adjusted"`
	Comparisons int      `json:"comparisons"`
	Outcome     string   `json:"outcome"` // "better", "worse", "not told apart" or "nothing paired"

	clusters           []stats.Cluster
	single             []stats.Cluster
	difference         *big.Rat
	exact              stats.Paired
	low, high, adjusts *big.Rat
}

// Outcomes of a comparison, of the other side.
const (
	Better  = "better"
	Worse   = "worse"
	Same    = "not told apart"
	Nothing = "nothing paired"
)

// fewFamilies is below which a bootstrap draws items: too few families have no spread to speak of.
const fewFamilies = 5

// seed is the bootstrap's. It is one and the same, so that the same results give the same bytes.
const seed = 1

// count gathers the items of one basis as they come.
type count struct {
	both, neither, open int
	better, worse       int
	families            map[string]int // index into clusters
	clusters, single    []stats.Cluster
}

func (c *count) add(family string, difference int) {
	switch difference {
	case 1:
		c.better++
	case -1:
		c.worse++
	}
	if c.families == nil {
		c.families = map[string]int{}
	}
	i, ok := c.families[family]
	if !ok {
		i = len(c.clusters)
		c.families[family] = i
		c.clusters = append(c.clusters, stats.Cluster{})
	}
	c.clusters[i].Difference += difference
	c.clusters[i].Items++
	c.single = append(c.single, stats.Cluster{Difference: difference, Items: 1})
}

func (c *count) paired() int { return c.both + c.neither + c.better + c.worse }

func (c *count) basis(b record.Basis) Basis {
	return Basis{Basis: b, Paired: c.paired(), Both: c.both, Neither: c.neither, Regressions: c.worse, Improvements: c.better, Open: c.open, clusters: c.clusters, single: c.single}
}

// test puts the tests to every pair, and adjusts them for their number, each basis for itself.
func (c *Comparison) test() error {
	for _, basis := range []record.Basis{record.Exact, record.Proxy} {
		var list []*Basis
		var ps []*big.Rat
		for i := range c.Pairs {
			for j := range c.Pairs[i].Bases {
				b := &c.Pairs[i].Bases[j]
				if b.Basis != basis {
					continue
				}
				if b.Paired == 0 {
					b.Outcome = Nothing
					continue
				}
				if err := b.test(); err != nil {
					return err
				}
				list, ps = append(list, b), append(ps, b.exact.P)
			}
		}
		for i, p := range stats.Holm(ps) {
			list[i].close(p, len(ps))
		}
	}
	return nil
}

func (b *Basis) test() (err error) {
	b.difference = big.NewRat(int64(b.Improvements-b.Regressions), int64(b.Paired))
	if b.exact, err = stats.McNemar(b.Improvements, b.Regressions); err != nil {
		return err
	}
	draw := b.clusters
	b.Drawn = "families"
	if len(draw) < fewFamilies {
		draw, b.Drawn = b.single, "items"
	}
	b.Draws = len(draw)
	if b.Draws < 2 {
		return nil
	}
	b.low, b.high, err = stats.Bootstrap(draw, seed)
	if err == nil {
		b.Interval = &[2]float64{*rational(b.low), *rational(b.high)}
	}
	return err
}

// close decides by the adjusted probability.
func (b *Basis) close(adjusted *big.Rat, comparisons int) {
	b.Difference, b.P, b.MidP, b.Adjusted, b.Comparisons = rational(b.difference), rational(b.exact.P), rational(b.exact.MidP), rational(adjusted), comparisons
	b.adjusts = adjusted
	switch {
	case adjusted.Cmp(stats.Level()) > 0:
		b.Outcome = Same
	case b.Improvements > b.Regressions:
		b.Outcome = Better
	default:
		b.Outcome = Worse
	}
}
