package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// supervise makes the copy, starts the candidate, watches it and, whatever
// happens, ends with nothing of it alive. It never returns.
//
// In the bwrap tier it is pid 1 of the candidate's process table: its end is
// everybody's end, by the kernel. In the landlock tier it is a subreaper.
// In both it ends when the lifeline does, that is when Run gives up or its
// process dies, by kill -9 too.
func supervise() {
	orderFile, status := inherited()
	lifeline := os.NewFile(fdLifeline, "lifeline")
	// Nothing but what is passed on by hand may reach the candidate.
	if err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		fault(status, fmt.Errorf("close_range: %w", err))
	}
	o, data, err := readOrder(orderFile)
	if err != nil {
		fault(status, err)
	}
	s := &supervisor{order: o, status: status, lost: make(chan struct{})}
	if err := s.prepare(orderFile, data); err != nil {
		s.fault(err)
	}
	if o.Agent {
		if err := listen(o.Ports, fdNetwork); err != nil {
			s.fault(err)
		}
		unix.Close(fdNetwork)
	}
	go func() {
		_, _ = io.Copy(io.Discard, lifeline) // nothing is ever written to it
		close(s.lost)
	}()
	if err := s.start(orderFile); err != nil {
		s.fault(err)
	}
	s.end(s.wait())
}

type supervisor struct {
	order
	status *os.File
	lost   chan struct{} // closed when the lifeline ends: Run gave up, or is no more
	watch  *watch
	keeper *keeper
	pid    int // the candidate's first process
	begun  time.Time
}

// ending is how the candidate's first process ended, or what it was stopped for.
type ending struct {
	status  unix.WaitStatus
	stopped string
	lost    bool // the lifeline ended: nobody waits for a report
}

func (s *supervisor) prepare(data io.ReaderAt, offset int64) error {
	// As pid 1 or as a process of the same user it must be out of reach:
	// its memory closed (/proc/1/mem), its signals ignored.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("prctl: %w", err)
	}
	ignoreSignals()
	var d disk = mounts{s.Work, s.Tmp}
	if s.Tier == TierLandlock {
		d = folders{paths: []string{s.Work, s.Tmp}, fileSize: s.FileSize}
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return fmt.Errorf("prctl: %w", err)
		}
	}
	unix.Umask(0o022)
	if err := makeCopy(s.order, data, offset); err != nil {
		return err
	}
	var err error
	s.watch, err = newWatch(s.Limits, d)
	return err
}

// ignoreSignals ignores what a candidate could send. Not SIGCHLD, since the
// kernel then forgets dead children; not SIGURG and SIGPROF, which belong to
// the Go runtime and end nothing.
func ignoreSignals() {
	for sig := syscall.Signal(1); sig < 32; sig++ {
		switch sig {
		case syscall.SIGKILL, syscall.SIGSTOP, syscall.SIGCHLD, syscall.SIGURG, syscall.SIGPROF:
		default:
			signal.Ignore(sig)
		}
	}
}

func (s *supervisor) start(order *os.File) error {
	attr := &syscall.ProcAttr{
		Dir:   s.Work,
		Files: []uintptr{0, 1, 2, order.Fd(), s.status.Fd()},
		// Of the parent's environment nothing; the candidate's is set by launch,
		// which must not be at collecting garbage when its memory gets limited.
		Env: []string{"GOMAXPROCS=1", "GOGC=off"},
		Sys: &syscall.SysProcAttr{Setsid: true},
	}
	s.keeper = newKeeper(s.Tier == TierLandlock && s.ABI >= abiScoped)
	var err error
	s.keeper.do(func() {
		s.begun = time.Now()
		s.pid, err = syscall.ForkExec("/proc/self/exe", []string{os.Args[0], launchMark}, attr)
	})
	// A file that nobody refers to any more is closed by the garbage collector, and with it the number that was passed on.
	runtime.KeepAlive(order)
	runtime.KeepAlive(s.status)
	if err != nil {
		return fmt.Errorf("start the launcher: %w", err)
	}
	send(s.status, report{Started: true})
	return nil
}

// wait returns when the candidate's first process ended or has to be stopped.
func (s *supervisor) wait() ending {
	ended := make(chan unix.WaitStatus, 1)
	go func() { ended <- reapUntil(s.pid) }()
	wall := time.NewTimer(time.Until(s.begun.Add(s.Wall)))
	select {
	case ws := <-ended:
		return ending{status: ws}
	case <-s.lost:
		return ending{lost: true}
	case <-wall.C:
		return ending{stopped: StoppedTime}
	case why := <-s.watch.begin():
		return ending{stopped: why}
	}
}

// reapUntil waits for all children, orphans included, until the given one ends.
func reapUntil(pid int) unix.WaitStatus {
	for {
		var ws unix.WaitStatus
		got, err := unix.Wait4(-1, &ws, 0, nil)
		if err != nil && !errors.Is(err, unix.EINTR) || got == pid {
			return ws
		}
	}
}

// end kills what is left, reports and ends the process.
func (s *supervisor) end(e ending) {
	elapsed := time.Since(s.begun)
	s.clean()
	if !e.lost {
		r := report{Ended: true, Exit: exitKilled, Stopped: e.stopped, Elapsed: elapsed}
		if e.stopped == "" {
			r.Exit, r.Stopped = exitOf(e.status)
			if why := s.watch.exceededAtEnd(); r.Stopped == "" && why != "" {
				r.Exit, r.Stopped = exitKilled, why
			}
		}
		send(s.status, r)
	}
	os.Exit(0)
}

// fault is for the time before the candidate runs.
func (s *supervisor) fault(err error) {
	s.clean()
	fault(s.status, err)
}

// clean kills all that is left. In the bwrap tier the kernel does it when this
// process ends. The folder is Run's to remove, unless Run does not wait for it.
func (s *supervisor) clean() {
	if s.Tier != TierLandlock {
		return
	}
	s.killDescendants()
	select {
	case <-s.lost:
		_ = removeTree(s.Base) // if it fails, the next Open does it
	default:
	}
}

// killDescendants kills everything below this process. As it is a subreaper,
// an orphan becomes its child, so "no child left" means "nothing left". It does
// not give up: nobody else could find an orphan.
func (s *supervisor) killDescendants() {
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		if s.keeper == nil || !s.keeper.killAll() {
			killTree(os.Getpid())
		}
		if reapAll() {
			return
		}
		time.Sleep(pause)
	}
}

// exitOf translates a wait status as a shell does. A first process that died
// of its own limits was stopped by them.
func exitOf(ws unix.WaitStatus) (exit int, stopped string) {
	if !ws.Signaled() {
		return ws.ExitStatus(), ""
	}
	switch ws.Signal() {
	case unix.SIGXCPU:
		return exitKilled, StoppedTime
	case unix.SIGXFSZ:
		return exitKilled, StoppedDisk
	}
	return 128 + int(ws.Signal()), ""
}
