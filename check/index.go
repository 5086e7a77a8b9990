package check

import (
	"encoding/json"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/record"
)

// index is what compiling a whole bench leaves behind, so that a bench that was proven need not be compiled again before it
// runs: its digest says that the files are the same, and the kinds' versions that the rules decide the same.
type index struct {
	Kinds map[string]int `json:"kinds"` // in use, with their versions
	Items []byte         `json:"items"` // three bytes an item, in the bench's order: the family's place, low byte first, and bits
}

const (
	bitProxy = 1 << iota
	bitFrozen
	bitExecutes
	bitPython
)

// Index gives what Restore takes.
func (s *Set) Index() ([]byte, error) {
	ix := index{Kinds: s.kinds, Items: make([]byte, 0, 3*len(s.flags))}
	for _, f := range s.flags {
		var bits byte
		for _, b := range []struct {
			on  bool
			bit byte
		}{{f.proxy, bitProxy}, {f.frozen, bitFrozen}, {f.executes, bitExecutes}, {f.python, bitPython}} {
			if b.on {
				bits |= b.bit
			}
		}
		ix.Items = append(ix.Items, byte(f.family), byte(f.family>>8), bits)
	}
	return record.Canonical(ix)
}

// Restore makes a compiled bench from its index, without compiling: each item is compiled when it is asked for. The bench's
// files must be those that the index was made of. It gives false when this program's rules are other versions, or the
// index does not fit the bench; compile it then.
func Restore(b *bench.Bench, grader string, data []byte) (*Set, bool) {
	var ix index
	if json.Unmarshal(data, &ix) != nil || len(ix.Items) != 3*len(b.IDs()) || len(ix.Kinds) == 0 || b.Shape != bench.ShapePrompt {
		return nil, false
	}
	for name, version := range ix.Kinds {
		if k := kinds[name]; k == nil || k.version != version {
			return nil, false
		}
	}
	s := newSet(b)
	s.digest, s.kinds, s.read, s.restored = grader, ix.Kinds, b.Brief, true
	for i := range s.flags {
		e := ix.Items[3*i : 3*i+3]
		s.flags[i] = flags{family: uint16(e[0]) | uint16(e[1])<<8, proxy: e[2]&bitProxy != 0, frozen: e[2]&bitFrozen != 0,
			executes: e[2]&bitExecutes != 0, python: e[2]&bitPython != 0}
		if int(s.flags[i].family) >= len(s.families) {
			return nil, false
		}
	}
	return s, true
}
