package cli

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// task is one line of a batch and, when it is done, its line of output.
type task struct {
	line int // number of the line
	data []byte
	long bool // the line was too long to be kept
	out  []byte
	bad  bool
	over bool // out is there
}

// queue hands tasks to workers and gives them back in order. What waits is bounded in number and in bytes, so that neither a
// slow task nor a slow reader of the output lets lines or results pile up: the reading of input waits instead.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	most    int // tasks that may be in the queue
	tasks   []*task
	taken   int // of tasks, how many a worker has or had
	held    int // bytes of lines and results
	ended   bool
	closed  bool
}

// queueBytes is how many bytes may be held before reading and evaluation wait. What is being evaluated is apart.
const queueBytes = 64 << 20

func newQueue(jobs int) *queue {
	q := &queue{most: 4*jobs + 4}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// add waits for room and puts a task in; false says that the queue is closed.
func (q *queue) add(t *task) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed && len(q.tasks) > 0 && (len(q.tasks) >= q.most || q.held > queueBytes) {
		q.changed.Wait()
	}
	if q.closed {
		return false
	}
	q.held += len(t.data)
	q.tasks = append(q.tasks, t)
	q.changed.Broadcast()
	return true
}

// end says that no task follows; close gives up on those that are there.
func (q *queue) end()   { q.set(&q.ended) }
func (q *queue) close() { q.set(&q.closed) }

func (q *queue) set(flag *bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	*flag = true
	q.changed.Broadcast()
}

// take gives a worker its next task, or nil when there will be none. While too much waits to be written, only the oldest task
// is given, which all of that waits for.
func (q *queue) take() *task {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch {
		case q.closed:
			return nil
		case q.taken < len(q.tasks) && (q.taken == 0 || q.held <= queueBytes):
			q.taken++
			return q.tasks[q.taken-1]
		case q.ended && q.taken == len(q.tasks):
			return nil
		}
		q.changed.Wait()
	}
}

// done puts a result to its task.
func (q *queue) done(t *task, out []byte, bad bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held += len(out) - len(t.data)
	t.out, t.bad, t.data, t.over = out, bad, nil, true
	q.changed.Broadcast()
}

// next waits for the oldest task to be done, or gives nil when there is none left or the queue is closed. More says that
// the task after it is done, too.
func (q *queue) next() (t *task, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch {
		case q.closed:
			return nil, false
		case len(q.tasks) > 0 && q.tasks[0].over:
			return q.tasks[0], len(q.tasks) > 1 && q.tasks[1].over
		case len(q.tasks) == 0 && q.ended:
			return nil, false
		}
		q.changed.Wait()
	}
}

// written takes the oldest task out.
func (q *queue) written(t *task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks[0] = nil
	q.tasks = q.tasks[1:]
	q.taken--
	q.held -= len(t.out)
	q.changed.Broadcast()
}

// readLines calls f for each line, without its line feed, and with long set and no data for one of more than most bytes. It
// ends when f gives false. Lines are counted from 1, and empty ones are passed over.
func readLines(r io.Reader, most int, f func(t *task) bool) error {
	br := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		t := &task{line: n}
		var err error
		for more := true; more; {
			var part []byte
			part, err = br.ReadSlice('\n')
			more = err == bufio.ErrBufferFull
			if t.long = t.long || len(t.data)+len(part) > most+1; t.long {
				t.data = nil
			} else {
				t.data = append(t.data, part...)
			}
		}
		t.data = bytes.TrimSpace(t.data)
		if (t.long || len(t.data) > 0) && !f(t) {
			return nil
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
