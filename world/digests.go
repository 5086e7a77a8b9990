package world

import (
	"crypto/sha256"
	"sync"
)

// digests keeps the digests of states by the changes that made them of one seed: of a thousand episodes of a task most end as
// one of a few.
type digests struct {
	mu sync.Mutex
	m  map[[sha256.Size]byte]string
}

// mostDigests bounds what is kept; then all of it goes, and is made again.
const mostDigests = 256

// of gives the digest of the state that some changes, in canonical JSON, make.
func (d *digests) of(changes []byte, digest func() (string, error)) (string, error) {
	key := sha256.Sum256(changes)
	d.mu.Lock()
	have, ok := d.m[key]
	d.mu.Unlock()
	if ok {
		return have, nil
	}
	made, err := digest()
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.m == nil || len(d.m) >= mostDigests {
		d.m = map[[sha256.Size]byte]string{}
	}
	d.m[key] = made
	return made, nil
}
