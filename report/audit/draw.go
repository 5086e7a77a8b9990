package audit

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assaybench/assay/realism"
	"github.com/assaybench/assay/report"
)

// drawing is a derivation graph with places: layers from left to right, by how far a node is from what is read.
type drawing struct {
	W, H  int
	Boxes []box
	Lines []line
}

type box struct {
	X, Y, W, H        int
	Name, Kind, Under string
	Graded            bool
	Title             string
}

type line struct{ Path string }

// Measures of a drawing, in pixels.
const (
	boxWide   = 150
	boxHigh   = 36
	layerWide = 200
	rowHigh   = 48
	border    = 12
)

// layers says in which layer each node stands. What needs nothing stands right before what first needs it, so that its lines
// are short.
func layers(g realism.Graph) []int {
	depth := g.Depth()
	at := slices.Clone(depth)
	needs := make([]bool, len(g.Nodes))
	for _, e := range g.Edges {
		needs[e[1]] = true
	}
	first := map[int]int{}
	for _, e := range g.Edges {
		if d, ok := first[e[0]]; !ok || depth[e[1]] < d {
			first[e[0]] = depth[e[1]]
		}
	}
	for i := range at {
		if d, ok := first[i]; ok && !needs[i] {
			at[i] = d - 1
		}
	}
	return at
}

// rows says in which row of its layer each node stands: beside the middle of what it needs, as far as there is room.
func rows(g realism.Graph, layer []int) []int {
	row := make([]int, len(g.Nodes))
	into := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		into[e[1]] = append(into[e[1]], e[0])
	}
	most := 0
	for _, l := range layer {
		most = max(most, l)
	}
	for l := range most + 1 {
		type want struct{ node, row int }
		var list []want
		for i := range g.Nodes {
			if layer[i] != l {
				continue
			}
			w := want{node: i, row: len(g.Nodes)} // what needs nothing goes below
			sum, n := 0, 0
			for _, from := range into[i] {
				if layer[from] < l {
					sum, n = sum+row[from], n+1
				}
			}
			if n > 0 {
				w.row = sum / n
			}
			list = append(list, w)
		}
		slices.SortStableFunc(list, func(a, b want) int { return cmp.Compare(a.row, b.row) })
		for k, w := range list {
			row[w.node] = k
		}
	}
	return row
}

func draw(g realism.Graph) *drawing {
	if len(g.Nodes) == 0 {
		return nil
	}
	layer := layers(g)
	row := rows(g, layer)
	d := &drawing{}
	for i, n := range g.Nodes {
		x, y := border+layer[i]*layerWide, border+row[i]*rowHigh
		under := n.Op
		if n.Value != "" {
			under = n.Value
		}
		d.Boxes = append(d.Boxes, box{X: x, Y: y, W: boxWide, H: boxHigh, Name: clip(report.Printable(n.Name), 20), Kind: n.Kind, Under: clip(report.Printable(under), 22), Graded: n.Graded,
			Title: report.Printable(fmt.Sprintf("%s: %s, %s", n.Name, n.Kind, n.Op))})
		d.W, d.H = max(d.W, x+boxWide+border), max(d.H, y+boxHigh+border)
	}
	for _, e := range g.Edges {
		a, b := d.Boxes[e[0]], d.Boxes[e[1]]
		x1, y1, x2, y2 := a.X+a.W, a.Y+a.H/2, b.X, b.Y+b.H/2
		bend := max(20, (x2-x1)/2)
		d.Lines = append(d.Lines, line{fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, x1+bend, y1, x2-bend, y2, x2, y2)})
	}
	return d
}
