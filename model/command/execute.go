package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// result is how a process ended.
type result struct {
	start  error // it could not be started
	stdout []byte
	stderr []byte // the last of it
	exit   int    // -1 when a signal ended it
	how    string // "" for exit 0, else "exit 3" or "signal: killed"
	ended  bool   // the context ended first
	tooBig bool
}

// execute runs a prepared command to its end. The pipes are made here and not by os/exec, so that the program's own end is
// seen before the end of its output: a child left in the background may hold the output open for ever.
func execute(ctx context.Context, cmd *exec.Cmd, input []byte) (res result) {
	var ends [3]struct{ ours, theirs *os.File }
	defer func() {
		for _, e := range ends {
			for _, f := range []*os.File{e.ours, e.theirs} {
				if f != nil {
					f.Close()
				}
			}
		}
	}()
	for i := range ends {
		r, w, err := os.Pipe()
		if err != nil {
			res.start = err
			return res
		}
		ends[i].ours, ends[i].theirs = r, w
		if i == 0 {
			ends[i].ours, ends[i].theirs = w, r
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = ends[0].theirs, ends[1].theirs, ends[2].theirs
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		res.start = err
		return res
	}
	for i := range ends {
		ends[i].theirs.Close()
		ends[i].theirs = nil
	}

	var io3 sync.WaitGroup
	tooBig := make(chan struct{})
	io3.Go(func() {
		// A program need not read its prompt: a closed pipe is no fault.
		_, _ = ends[0].ours.Write(input)
		ends[0].ours.Close()
	})
	io3.Go(func() {
		var over bool
		if res.stdout, over = readUpTo(pipeEnd{ends[1].ours}, maxOutput); over {
			close(tooBig)
		}
	})
	io3.Go(func() { res.stderr = readTail(pipeEnd{ends[2].ours}, maxStderr) })
	drained := make(chan struct{})
	go func() { io3.Wait(); close(drained) }()

	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	var err error
	select {
	case err = <-exited:
	case <-tooBig:
		res.tooBig = true
		killGroup(cmd)
		err = <-exited
	case <-ctx.Done():
		res.ended = true
		killGroup(cmd)
		err = <-exited
	}
	// The program has ended. What it left in its group is killed in every case, so that nothing outlives a call; its
	// output gets a moment first.
	if !res.ended && !res.tooBig {
		wait(ctx, drained, lingering)
	}
	killGroup(cmd)
	if !wait(context.Background(), drained, lingering) {
		// A process that has left the group still holds a pipe: what is in it by now is the output.
		past := time.Unix(1, 0)
		for i := range ends {
			_ = ends[i].ours.SetDeadline(past)
		}
	}
	<-drained
	select {
	case <-tooBig:
		res.tooBig = true
	default:
	}
	res.exit = cmd.ProcessState.ExitCode()
	if err != nil {
		res.how = describe(err)
	}
	return res
}

func describe(err error) string {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		if code := e.ExitCode(); code >= 0 {
			return fmt.Sprintf("exit %d", code)
		}
		return e.Error() // "signal: killed"
	}
	return reason(err)
}

// wait reports whether done was closed within d; it gives up early when ctx ends.
func wait(ctx context.Context, done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	return false
}

// pipeEnd reads a pipe to its end, or, once a deadline has been set on it, whatever is still in it. On a busy machine a
// reader may be so late that the deadline is there before its first read, and nothing may be lost then.
type pipeEnd struct{ f *os.File }

func (p pipeEnd) Read(b []byte) (int, error) {
	n, err := p.f.Read(b)
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) {
		return readNow(p.f, b)
	}
	return n, err
}

func readUpTo(r io.Reader, limit int64) (b []byte, over bool) {
	b, _ = io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(b)) > limit {
		return b[:limit], true
	}
	return b, false
}

// readTail reads all and keeps the last n bytes.
func readTail(r io.Reader, n int) []byte {
	var kept []byte
	buf := make([]byte, 8192)
	for {
		m, err := r.Read(buf)
		kept = append(kept, buf[:m]...)
		if len(kept) > 2*n {
			kept = append(kept[:0], kept[len(kept)-n:]...)
		}
		if err != nil {
			return kept[max(0, len(kept)-n):]
		}
	}
}
