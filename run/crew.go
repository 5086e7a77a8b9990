package run

import "sync"

// crew is the workers of one session. While one of them waits before its next try, another takes its place, so that as many
// calls are made at once as before; how many that are at most is the gate's affair.
type crew struct {
	want, most int         // that are not resting, and in all
	start      func(*crew) // starts one more
	mu         sync.Mutex
	there      int
	resting    int
}

// newCrew starts as many workers as are wanted.
func newCrew(want int, start func(*crew)) *crew {
	c := &crew{want: want, most: 2 * want, start: start, there: want}
	for range want {
		start(c)
	}
	return c
}

// rest is told when a worker begins to wait (1) and when its wait is over (-1).
func (c *crew) rest(change int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resting += change
	if change > 0 && c.there < c.most && c.there-c.resting < c.want {
		c.there++
		c.start(c)
	}
}

// dispensable is asked by a worker between two attempts: true means that the others are enough, and it is to leave.
func (c *crew) dispensable() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.there-c.resting <= c.want {
		return false
	}
	c.there--
	return true
}
