package report

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/assaybench/assay/record"
)

// bases in the order in which they are shown. What is counted by basis is kept in arrays of this index.
var bases = [2]record.Basis{record.Exact, record.Proxy}

// catalog keeps the planned items in a few bytes each beside their ids: 100,000 of them are about 3 MB.
type catalog struct {
	ids    []byte   // every id, end to end
	ends   []uint32 // where each id ends in ids
	byID   []uint32 // item numbers in the order of their ids
	family []uint16
	basis  []uint8 // index into bases
}

func newCatalog(items iter.Seq[Item], families []Family) (*catalog, error) {
	famNo := make(map[string]uint16, len(families))
	for i, f := range families {
		if _, dup := famNo[f.ID]; dup || i > math.MaxUint16 {
			return nil, fmt.Errorf("the family %q is named twice, or there are more than %d", f.ID, math.MaxUint16)
		}
		famNo[f.ID] = uint16(i)
	}
	c := &catalog{}
	for it := range items {
		fam, ok := famNo[it.Family]
		if !ok {
			return nil, fmt.Errorf("the item %q is of family %q, which the bench does not have", it.ID, it.Family)
		}
		b := slices.Index(bases[:], it.Basis)
		if b < 0 {
			return nil, fmt.Errorf("the item %q has the basis %q; known: exact, proxy", it.ID, it.Basis)
		}
		if len(c.ids)+len(it.ID) > math.MaxUint32 {
			return nil, fmt.Errorf("the item ids are longer than 4 GB together")
		}
		c.ids = append(c.ids, it.ID...)
		c.ends = append(c.ends, uint32(len(c.ids)))
		c.family = append(c.family, fam)
		c.basis = append(c.basis, uint8(b))
	}
	c.byID = make([]uint32, len(c.ends))
	for i := range c.byID {
		c.byID[i] = uint32(i)
	}
	slices.SortFunc(c.byID, func(a, b uint32) int { return slices.Compare(c.raw(int(a)), c.raw(int(b))) })
	for i := 1; i < len(c.byID); i++ {
		if a, b := c.id(int(c.byID[i-1])), c.id(int(c.byID[i])); a == b {
			return nil, fmt.Errorf("the item %q is planned twice", a)
		}
	}
	return c, nil
}

func (c *catalog) len() int { return len(c.ends) }

func (c *catalog) raw(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = c.ends[i-1]
	}
	return c.ids[start:c.ends[i]]
}

func (c *catalog) id(i int) string { return string(c.raw(i)) }

// find gives an item's number by its id.
func (c *catalog) find(id string) (int, bool) {
	at, found := sort.Find(len(c.byID), func(i int) int {
		raw := c.raw(int(c.byID[i]))
		switch { // conversions in comparisons do not allocate
		case id < string(raw):
			return -1
		case id > string(raw):
			return 1
		}
		return 0
	})
	if !found {
		return 0, false
	}
	return int(c.byID[at]), true
}

// reasons numbers the distinct texts of reasons. A server can make every one different, so only the reasonsKept that sort
// first are kept; the rest are "other reasons". A text that belongs to those first ones is never dropped on the way, so
// what is kept does not depend on the order of the rows. Number 0 is no reason.
type reasons struct {
	number map[string]uint32
	text   map[uint32]string
	sorted []string
	last   uint32
}

const (
	reasonsKept  = 256
	reasonWidth  = 200 // bytes of a reason that are kept
	otherReasons = "other reasons"
)

func newReasons() *reasons {
	return &reasons{number: map[string]uint32{}, text: map[uint32]string{}}
}

func (rs *reasons) add(s string) uint32 {
	s = clip(Printable(s), reasonWidth)
	if s == "" {
		return 0
	}
	if n, ok := rs.number[s]; ok {
		return n
	}
	at, _ := slices.BinarySearch(rs.sorted, s)
	if at == reasonsKept {
		return droppedReason
	}
	rs.last++
	rs.number[s], rs.text[rs.last] = rs.last, s
	rs.sorted = slices.Insert(rs.sorted, at, s)
	if len(rs.sorted) > reasonsKept {
		out := rs.sorted[reasonsKept]
		rs.sorted = rs.sorted[:reasonsKept]
		delete(rs.text, rs.number[out])
		delete(rs.number, out)
	}
	return rs.last
}

const droppedReason = math.MaxUint32

// of gives the text of a number, "" for number 0.
func (rs *reasons) of(n uint32) string {
	if n == 0 {
		return ""
	}
	if s, ok := rs.text[n]; ok {
		return s
	}
	return otherReasons
}
