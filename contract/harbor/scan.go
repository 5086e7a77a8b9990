package harbor

import (
	"bytes"
	"encoding/binary"
)

// leastPattern is the fewest bytes that a pattern has: shorter ones stand anywhere by chance.
const leastPattern = 24

// scanner finds many patterns in one pass: a program of tens of megabytes is searched for hundreds of lines.
type scanner struct {
	seen  [1 << 12]uint64 // a bit for the hash of each pattern's first eight bytes
	by    map[uint64][][]byte
	count int
}

func (s *scanner) add(pattern []byte) {
	if len(pattern) < leastPattern {
		return
	}
	if s.by == nil {
		s.by = map[uint64][][]byte{}
	}
	k := binary.LittleEndian.Uint64(pattern)
	for _, have := range s.by[k] {
		if bytes.Equal(have, pattern) {
			return
		}
	}
	h := slot(k)
	s.seen[h>>6] |= 1 << (h & 63)
	s.by[k] = append(s.by[k], pattern)
	s.count++
}

func slot(k uint64) uint64 { return k * 0x9e3779b97f4a7c15 >> 46 }

// find calls with each place where a pattern stands; false ends the search.
func (s *scanner) find(data []byte, each func(at int, pattern []byte) bool) {
	for i := 0; i+leastPattern <= len(data); i++ {
		k := binary.LittleEndian.Uint64(data[i:])
		if h := slot(k); s.seen[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for _, p := range s.by[k] {
			if bytes.HasPrefix(data[i:], p) && !each(i, p) {
				return
			}
		}
	}
}
