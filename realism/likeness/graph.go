package likeness

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"math/big"
	"slices"
	"strconv"
)

// Bag is a multiset: how often each label stands in it.
type Bag map[string]int

// Add puts a label in once more.
func (b Bag) Add(label string) { b[label]++ }

// Graph is what is done in a task, in labels that name no case.
type Graph struct {
	Nodes Bag
	Edges Bag
}

// NewGraph makes an empty graph.
func NewGraph() *Graph { return &Graph{Bag{}, Bag{}} }

// edgeWeight is what an edge counts against a node: how the steps hang together says more of a job than which they are.
const edgeWeight = 2

// Graphs gives the weighted Jaccard similarity of two graphs, Σmin/Σmax over nodes and edges together; 1 of two empty ones.
func Graphs(a, b *Graph) *big.Rat {
	least, most := overlap(a.Nodes, b.Nodes)
	el, em := overlap(a.Edges, b.Edges)
	least, most = least+edgeWeight*el, most+edgeWeight*em
	if most == 0 {
		return big.NewRat(1, 1)
	}
	return big.NewRat(int64(least), int64(most))
}

func overlap(a, b Bag) (least, most int) {
	for k, n := range a {
		least += min(n, b[k])
		most += max(n, b[k])
	}
	for k, n := range b {
		if a[k] == 0 {
			most += n
		}
	}
	return least, most
}

// Digest is the same of two graphs exactly when they are one.
func (g *Graph) Digest() string {
	h := sha256.New()
	for _, b := range []Bag{g.Nodes, g.Edges} {
		for _, k := range slices.Sorted(maps.Keys(b)) {
			h.Write([]byte(strconv.Quote(k) + " " + strconv.Itoa(b[k]) + "\n"))
		}
		h.Write([]byte("\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Gate is the clone gate: a pair is one job twice when both of its likenesses are strictly beyond their bounds.
type Gate struct{ Raw, Semantic *big.Rat }

// Clone says whether a pair is one.
func (g Gate) Clone(raw, semantic *big.Rat) bool {
	return raw.Cmp(g.Raw) > 0 && semantic.Cmp(g.Semantic) > 0
}

// Near says whether a pair is within a margin of the gate's corner on both sides, so that it should be looked at.
func (g Gate) Near(raw, semantic, margin *big.Rat) bool {
	low := func(bound *big.Rat) *big.Rat { return new(big.Rat).Sub(bound, margin) }
	return raw.Cmp(low(g.Raw)) >= 0 && semantic.Cmp(low(g.Semantic)) >= 0
}

// Clusters gives the groups that pairs make of n things, each group sorted, by their first members.
func Clusters(n int, pairs [][2]int) [][]int {
	head := make([]int, n)
	for i := range head {
		head[i] = i
	}
	find := func(i int) int {
		for head[i] != i {
			head[i] = head[head[i]]
			i = head[i]
		}
		return i
	}
	for _, p := range pairs {
		a, b := find(p[0]), find(p[1])
		head[max(a, b)] = min(a, b)
	}
	groups := map[int][]int{}
	for i := range n {
		groups[find(i)] = append(groups[find(i)], i)
	}
	var out [][]int
	for _, k := range slices.Sorted(maps.Keys(groups)) {
		out = append(out, groups[k])
	}
	return out
}
