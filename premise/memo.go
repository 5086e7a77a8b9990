package premise

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/assaybench/assay/kairos"
)

// memoMost and memoPoints bound what a memo keeps: the latest evaluations, and of each not more points than these.
const (
	memoMost   = 256
	memoPoints = 400
)

// memo keeps what bodies gave, since the controls of a problem are made of the same few bodies. What a body gives follows from
// its text and the range alone, so that whether it was kept changes nothing.
type memo struct {
	mu    sync.Mutex
	kept  map[[sha256.Size]byte]evaluated
	order [memoMost][sha256.Size]byte
	next  int
}

// evaluated is what a body gave: points, which nobody changes, or a diagnostic.
type evaluated struct {
	points     []string
	diagnostic *Diagnostic
}

// memoKey names an evaluation.
func memoKey(body string, from, to kairos.Date) [sha256.Size]byte {
	h := sha256.New()
	for _, d := range []kairos.Date{from, to} {
		for _, n := range []int{d.Year, d.Month, d.Day} {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(n)))
		}
	}
	h.Write([]byte(body))
	return [sha256.Size]byte(h.Sum(nil))
}

func (m *memo) get(k [sha256.Size]byte) (evaluated, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.kept[k]
	return e, ok
}

func (m *memo) put(k [sha256.Size]byte, e evaluated) {
	if len(e.points) > memoPoints {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.kept[k]; ok {
		return
	}
	if m.kept == nil {
		m.kept = map[[sha256.Size]byte]evaluated{}
	}
	if len(m.kept) == memoMost {
		delete(m.kept, m.order[m.next])
	}
	m.order[m.next], m.next = k, (m.next+1)%memoMost
	m.kept[k] = e
}
