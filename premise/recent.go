package premise

import (
	"context"
	"crypto/sha256"
	"sync"
)

// recentMost is how many judgements are kept: more than there are attempts under way, each of a few kilobytes at most.
const recentMost = 1024

// recent keeps the latest judgements, so that a reply that was looked at when it came in is not evaluated again for its
// verdict. A judgement follows from a problem and the bytes of a reply alone, so whether it was kept changes nothing.
type recent struct {
	mu    sync.Mutex
	kept  map[judged]judgement
	order []judged // the oldest at next, once it is full
	next  int
}

// judged names what was judged.
type judged struct {
	problem string
	answer  [sha256.Size]byte
}

func (r *recent) get(k judged) (judgement, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j, ok := r.kept[k]
	return j, ok
}

func (r *recent) put(k judged, j judgement) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.kept[k]; ok {
		return
	}
	if r.kept == nil {
		r.kept = map[judged]judgement{}
	}
	if len(r.order) < recentMost {
		r.order = append(r.order, k)
	} else {
		delete(r.kept, r.order[r.next])
		r.order[r.next] = k
		r.next = (r.next + 1) % recentMost
	}
	r.kept[k] = j
}

// judge holds a reply against a problem, once. The error is ctx's.
func (s *Set) judge(ctx context.Context, p *Problem, answer string) (judgement, error) {
	k := judged{p.ID, sha256.Sum256([]byte(answer))}
	if j, ok := s.recent.get(k); ok {
		return j, context.Cause(ctx)
	}
	j, _, err := s.spec.judge(ctx, p, answer)
	if err == nil {
		s.recent.put(k, j)
	}
	return j, err
}
