package stats

import (
	"fmt"
	"math/big"
)

// pairsMax bounds the arithmetic of an exact test: its numbers have as many bits as there are pairs that differ.
const pairsMax = 1_000_000

// Paired is an exact paired test of two results on the same items (McNemar's, by the binomial distribution). Under the
// hypothesis that neither is better each item that they differ on is as likely to be the first one's as the second one's.
// P is the two-sided exact probability of a split at least as uneven, and never leads to more false alarms than its level
// says. MidP counts splits as uneven as the one that was seen by half (Fagerland, Lydersen and Laake 2013); it is less cautious and may
// exceed its level a little. Where nothing differs both are 1.
type Paired struct {
	First, Second int // items that only the first passed, and only the second
	P, MidP       *big.Rat
}

// McNemar tests first against second, the numbers of items that only one of the two passed. Items on which both agree say
// nothing about a difference and are not counted. The error is for negative numbers and for more than a million pairs.
func McNemar(first, second int) (Paired, error) {
	if first < 0 || second < 0 || first > pairsMax || second > pairsMax-first {
		return Paired{}, fmt.Errorf("stats: %d against %d is not a number of pairs from 0 to %d", first, second, pairsMax)
	}
	n, m := first+second, min(first, second)
	sum, last := tail(n, m)
	whole := new(big.Int).Lsh(big.NewInt(1), uint(n))
	if n == 0 {
		return Paired{P: big.NewRat(1, 1), MidP: big.NewRat(1, 1)}, nil
	}
	if first == second { // no split is less uneven, and it has no mirror image
		mid := new(big.Rat).SetFrac(last, new(big.Int).Lsh(whole, 1))
		return Paired{first, second, big.NewRat(1, 1), mid.Sub(big.NewRat(1, 1), mid)}, nil
	}
	twice := sum.Lsh(sum, 1)
	mid := new(big.Int).Sub(twice, last)
	return Paired{first, second, new(big.Rat).SetFrac(twice, whole), new(big.Rat).SetFrac(mid, whole)}, nil
}

// tail gives C(n,0)+…+C(n,m), and C(n,m).
func tail(n, m int) (sum, last *big.Int) {
	last, sum = big.NewInt(1), big.NewInt(1)
	factor := new(big.Int)
	for i := range m {
		last.Mul(last, factor.SetInt64(int64(n-i)))
		last.Quo(last, factor.SetInt64(int64(i+1)))
		sum.Add(sum, last)
	}
	return sum, last
}

// Level is the level of the tests, 5 %: a difference is told apart where its probability is not above it.
func Level() *big.Rat { return big.NewRat(1, 20) }

// Holm adjusts the probabilities of several tests for their number (Holm 1979): the least is multiplied by the number of
// tests, the next by one less and so on, none falls below one before it, and none exceeds 1. An adjusted probability is held
// against the level as a single one would be; the chance of even one false alarm among all is then no more than the level.
// The result is in the order of ps, which is left as it is.
func Holm(ps []*big.Rat) []*big.Rat {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	for i := 1; i < len(order); i++ { // few of them; equal ones keep their order
		for j := i; j > 0 && ps[order[j]].Cmp(ps[order[j-1]]) < 0; j-- {
			order[j], order[j-1] = order[j-1], order[j]
		}
	}
	out := make([]*big.Rat, len(ps))
	one, least := big.NewRat(1, 1), new(big.Rat)
	for rank, i := range order {
		p := new(big.Rat).Mul(ps[i], big.NewRat(int64(len(ps)-rank), 1))
		if p.Cmp(one) > 0 {
			p.Set(one)
		}
		if p.Cmp(least) < 0 {
			p.Set(least)
		}
		out[i], least = p, p
	}
	return out
}
