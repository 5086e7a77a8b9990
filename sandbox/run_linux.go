package sandbox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Run returns within the wall limit and one second, by these steps: the
// supervisor stops the candidate at the wall limit; graceTime after it Run cuts
// the lifeline itself; killTime after that it kills what it can find.
const (
	graceTime = 400 * time.Millisecond
	killTime  = 250 * time.Millisecond
	lastTime  = 50 * time.Millisecond // for what was killed, and for each stream to end
)

// helperEnv keeps the supervisor small on a machine of many processors.
var helperEnv = [2]string{"GOMAXPROCS", "2"}

// Run runs one job. A candidate that exceeds its limits is a Result with
// Stopped set. An error is a fault of the job's description, of the machine or
// of this package (*NoProgram when the program does not exist), or the
// context's when that ended first. When Run returns, nothing of the candidate
// is left, neither processes nor files; only what does not manage to die within
// the second after the wall limit may still be at it.
func (b *Box) Run(ctx context.Context, j Job) (Result, error) {
	limits, err := j.Limits.withDefaults()
	if err != nil {
		return Result{}, err
	}
	paths, err := sortedPaths(j.Files)
	if err != nil {
		return Result{}, err
	}
	if len(j.Argv) == 0 || j.Argv[0] == "" {
		return Result{}, errors.New("sandbox: the job names no program")
	}
	if why := refusedArgv(j.Argv); why != "" {
		return Result{Exit: exitNoExec, Stderr: []byte(j.Argv[0] + ": " + why + "\n")}, nil
	}
	var slot int
	select {
	case slot = <-slots():
		defer func() { slots() <- slot }()
	case <-ctx.Done():
		return Result{}, fmt.Errorf("sandbox: %w", context.Cause(ctx))
	}
	// The kernel ties "die with the parent" to the parent's thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if b.tier == TierUnsafe {
		return b.runUnsafe(ctx, j, limits, paths)
	}
	return b.runConfined(ctx, j, limits, paths, slot, nil)
}

func (b *Box) runConfined(ctx context.Context, j Job, limits Limits, paths []string, slot int, r *room) (_ Result, err error) {
	o := order{Tier: b.tier, Limits: limits, ABI: b.abi, Procs: b.processLimit(limits.Processes)}
	for _, a := range j.Argv {
		o.Argv = append(o.Argv, []byte(a))
	}
	for _, p := range paths {
		o.Files = append(o.Files, orderFile{Path: []byte(p), Size: int64(len(j.Files[p]))})
	}
	uid := 0
	if b.root {
		if uid, err = candidateID(slot); err != nil {
			return Result{}, err
		}
	}
	cmd := &exec.Cmd{
		Env:         []string{helperEnv[0] + "=" + helperEnv[1]},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true}, // no Ctrl-C from our terminal
	}
	var p *process
	extra := b.exe
	var more []string
	if r != nil {
		o.Agent, o.Ports, more = true, r.addresses(), r.args
		for _, kv := range r.agent.Env {
			o.Env = append(o.Env, []byte(kv))
		}
	}
	if b.tier == TierBwrap {
		o.Work, o.Tmp = bwrapWork, bwrapTmp
		cmd.Path = b.bwrap
		cmd.Args = append([]string{b.bwrap}, bwrapArgs(b.version, tmpfsSize(j.Files, limits.Disk), limits.Disk, more)...)
		if b.root {
			cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
		}
	} else {
		if o.Base, err = b.jobDir(); err != nil {
			return Result{}, err
		}
		defer func() {
			if p == nil || p.gone {
				err = errors.Join(err, removeTree(o.Base))
				return
			}
			b.late.Go(func() { // the candidate is still dying
				<-p.exited
				_ = removeTree(o.Base) // if it fails, Close says so
			})
		}()
		o.Work, o.Tmp, o.UID = workDir(o.Base), tmpDir(o.Base), uid
		cmd.Path = "/proc/self/exe"
		cmd.Args = []string{"sandbox", superviseMark}
		extra = b.lock
	}
	orderMem, err := writeOrder(o, j.Files)
	if err != nil {
		return Result{}, err
	}
	defer orderMem.Close()

	started := &process{cmd: cmd, limits: limits, tier: b.tier}
	if r != nil {
		started.more = append([]*os.File{r.theirs}, r.files...)
	}
	if err := started.start(j.Stdin, orderMem, extra); err != nil {
		return Result{}, err
	}
	p = started
	if r != nil {
		serving, end := context.WithCancel(ctx)
		var served sync.WaitGroup
		served.Go(func() { r.serve(serving) })
		defer served.Wait()
		defer end()
		r.theirs.Close() // so that the supervisor's end is seen
		r.theirs = nil
	}
	return p.finish(ctx)
}

// process is a started helper with the pipes around it.
type process struct {
	cmd    *exec.Cmd
	limits Limits
	tier   Tier
	more   []*os.File // descriptors beyond those that every helper has

	lifeline       *os.File // closing it is the order to stop
	stdout, stderr *capture
	reports        *reports // nil in the unsafe tier
	over           chan struct{}
	exited         chan struct{} // closed when the process was waited for
	begun          time.Time
	gone           bool // it and all of the candidate are dead
}

// start starts the process with its pipes. order and extra may be nil: then
// there is no helper, only a program.
func (p *process) start(stdin []byte, order, extra *os.File) (err error) {
	var theirs, ours []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
		if err != nil {
			for _, f := range ours {
				f.Close()
			}
		}
	}()
	pipe := func() (r, w *os.File) {
		if err != nil {
			return nil, nil
		}
		r, w, err = os.Pipe()
		return r, w
	}
	outR, outW := pipe()
	errR, errW := pipe()
	statusR, statusW := pipe()
	lifeR, lifeW := pipe()
	for _, f := range []*os.File{outR, errR, statusR, lifeW} {
		if f != nil {
			ours = append(ours, f)
		}
	}
	for _, f := range []*os.File{outW, errW, statusW, lifeR} {
		if f != nil {
			theirs = append(theirs, f)
		}
	}
	if err != nil {
		return fmt.Errorf("sandbox: pipe: %w", err)
	}
	in, err := standardInput(stdin)
	if err != nil {
		return err
	}
	theirs = append(theirs, in)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in, outW, errW
	if order != nil {
		p.cmd.ExtraFiles = append([]*os.File{order, statusW, lifeR, extra}, p.more...)
	}
	p.begun = time.Now()
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("sandbox: start %s: %w", p.cmd.Path, err)
	}
	p.lifeline = lifeW
	p.over = make(chan struct{})
	var once sync.Once
	over := func() { once.Do(func() { close(p.over) }) }
	p.stdout = newCapture(outR, p.limits.Output, over)
	p.stderr = newCapture(errR, p.limits.Output, over)
	p.reports = newReports(statusR)
	p.exited = make(chan struct{})
	go func() {
		_ = p.cmd.Wait() // its state is read from ProcessState
		close(p.exited)
	}()
	return nil
}

// standardInput is a sealed file in memory: a program can stop reading early,
// and what it read ahead is not lost to the next one, as it is with a pipe.
func standardInput(b []byte) (*os.File, error) {
	if len(b) == 0 {
		f, err := os.Open(os.DevNull)
		if err != nil {
			return nil, fmt.Errorf("sandbox: %w", err)
		}
		return f, nil
	}
	return memfile("stdin", 0o444, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// finish waits for the helpers and tells what happened.
func (p *process) finish(ctx context.Context) (Result, error) {
	late, err := p.wait(ctx, p.limits.Wall+graceTime)
	if err != nil {
		return Result{}, err
	}
	return p.result(late)
}

// wait returns when the process has ended by itself or been ended: because the
// context did, because a stream is over its limit, or because it is late.
func (p *process) wait(ctx context.Context, within time.Duration) (late bool, err error) {
	deadline := time.NewTimer(within)
	defer deadline.Stop()
	select {
	case <-p.exited:
	case <-ctx.Done():
		err = fmt.Errorf("sandbox: %w", context.Cause(ctx))
	case <-p.over:
	case <-deadline.C:
		late = true
	}
	p.gone = p.stop()
	p.stdout.close()
	p.stderr.close()
	p.reports.close()
	return late, err
}

// stop makes sure that the process is gone, first by its own supervisor, then
// by force, and says whether it is. On a machine so busy that hundreds of killed
// processes do not get to die in time it is not: they are killed all the same,
// and the supervisor stays until the last is gone.
func (p *process) stop() bool {
	p.lifeline.Close()
	if p.tier == TierUnsafe {
		_ = unix.Kill(-p.cmd.Process.Pid, unix.SIGKILL)
	}
	if p.exitedWithin(killTime) {
		return true
	}
	// In the landlock tier nobody but the supervisor can find orphans: it is
	// helped, never killed, and goes on after Run has given up. In bwrap
	// everything dies with pid 1, and that with bubblewrap.
	killTree(p.cmd.Process.Pid)
	if p.tier != TierLandlock {
		_ = p.cmd.Process.Kill()
	}
	return p.exitedWithin(lastTime)
}

func (p *process) exitedWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

func (p *process) result(late bool) (Result, error) {
	r := Result{Stdout: p.stdout.buf, Stderr: p.stderr.buf, Elapsed: time.Since(p.begun)}
	rep := p.reports.report
	if rep.Ended {
		r.Exit, r.Stopped, r.Elapsed = rep.Exit, rep.Stopped, rep.Elapsed
	}
	switch {
	case rep.Missing != "":
		return Result{}, &NoProgram{Name: rep.Missing}
	case rep.Fault != "":
		return Result{}, errors.New("sandbox: " + rep.Fault)
	case !rep.Started || !rep.Launched && p.tier != TierUnsafe:
		return Result{}, fmt.Errorf("sandbox: %s did not start the command: %s", p.tier, oneLine(p.complaint()))
	case p.stdout.exceeded || p.stderr.exceeded:
		// It wrote too much, whatever else happened: bytes are counted, not timed.
		r.Exit, r.Stopped = exitKilled, StoppedOutput
	case rep.Ended:
	case late:
		r.Exit, r.Stopped = exitKilled, StoppedTime
	default:
		return Result{}, fmt.Errorf("sandbox: the supervisor died (%s)", p.state())
	}
	return r, nil
}

// complaint is what the helper or bubblewrap said when it could not work.
func (p *process) complaint() string {
	if s := tail(p.stderr.buf); s != "" {
		return s
	}
	return p.state()
}

// state says how the helper ended, or that it has not yet: what it left is only there once it was waited for.
func (p *process) state() string {
	select {
	case <-p.exited:
		return p.cmd.ProcessState.String()
	default:
		return "it has not ended"
	}
}

// capture collects one stream up to a limit.
type capture struct {
	f        *os.File
	done     chan struct{}
	buf      []byte
	exceeded bool
}

func newCapture(f *os.File, limit int64, over func()) *capture {
	c := &capture{f: f, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		chunk := make([]byte, 64<<10)
		for {
			n, err := f.Read(chunk)
			if room := limit - int64(len(c.buf)); int64(n) > room {
				c.buf = append(c.buf, chunk[:room]...)
				c.exceeded = true
				over()
				return
			}
			c.buf = append(c.buf, chunk[:n]...)
			if err != nil {
				return
			}
		}
	}()
	return c
}

// close waits for the end of the stream, whose writers should all be dead.
// Whoever still held its other end gets a broken pipe.
func (c *capture) close() {
	_ = c.f.SetReadDeadline(time.Now().Add(lastTime))
	<-c.done
	c.f.Close()
}

// reports collects what the helpers say, merged into one report.
type reports struct {
	f      *os.File
	done   chan struct{}
	report report
}

func newReports(f *os.File) *reports {
	r := &reports{f: f, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			_ = json.Unmarshal(lines.Bytes(), &r.report) // fields of later lines are added
		}
	}()
	return r
}

func (r *reports) close() {
	_ = r.f.SetReadDeadline(time.Now().Add(lastTime))
	<-r.done
	r.f.Close()
}
