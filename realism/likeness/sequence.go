// Package likeness says how alike two tasks are in what is done: the sequences of their calls, the graphs of their work, and
// whether one is the other under new names. All ratios are exact, and none depends on which of the two comes first.
package likeness

import "math/big"

// Collapsed leaves out repetitions of a name right behind itself, as retries are.
func Collapsed(names []string) []string {
	var out []string
	for i, n := range names {
		if i == 0 || n != names[i-1] {
			out = append(out, n)
		}
	}
	return out
}

// Sequence gives the Ratcliff-Obershelp similarity of two sequences, the greater of both directions, since the usual way of
// choosing among blocks of one length makes it depend on the direction. Two empty sequences are the same.
func Sequence(a, b []string) *big.Rat {
	x, y := Matched(a, b), Matched(b, a)
	return ofBoth(max(x, y), len(a), len(b))
}

// Directed is the similarity in one direction.
func Directed(a, b []string) *big.Rat { return ofBoth(Matched(a, b), len(a), len(b)) }

// ofBoth gives 2·m/(n+k).
func ofBoth(m, n, k int) *big.Rat {
	if n+k == 0 {
		return big.NewRat(1, 1)
	}
	return big.NewRat(int64(2*m), int64(n+k))
}

// Matched counts the elements of the matching blocks: the longest common block, of equally long ones the earliest in a and
// then in b, and so on before and behind it.
func Matched(a, b []string) int {
	places := map[string][]int{}
	for j, x := range b {
		places[x] = append(places[x], j)
	}
	total := 0
	type part struct{ alo, ahi, blo, bhi int }
	todo := []part{{0, len(a), 0, len(b)}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, j, n := longest(a, places, p.alo, p.ahi, p.blo, p.bhi)
		if n == 0 {
			continue
		}
		total += n
		todo = append(todo, part{p.alo, i, p.blo, j}, part{i + n, p.ahi, j + n, p.bhi})
	}
	return total
}

// longest gives the first longest block that a[alo:ahi] and b[blo:bhi] share. places are b's, by element.
func longest(a []string, places map[string][]int, alo, ahi, blo, bhi int) (besti, bestj, n int) {
	ends := map[int]int{} // by place in b, how long a block ends there
	for i := alo; i < ahi; i++ {
		next := map[int]int{}
		for _, j := range places[a[i]] {
			if j < blo {
				continue
			}
			if j >= bhi {
				break
			}
			k := ends[j-1] + 1
			next[j] = k
			if k > n {
				besti, bestj, n = i-k+1, j-k+1, k
			}
		}
		ends = next
	}
	return besti, bestj, n
}

// Subsequence gives 2·LCS/(|a|+|b|): the upper bound of what any such measure can say, the same in both directions.
func Subsequence(a, b []string) *big.Rat {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return ofBoth(row[len(b)], len(a), len(b))
}
