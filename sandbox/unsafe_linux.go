package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// runUnsafe runs a job without isolation: as this user, with this machine's
// files and network. Wall time, output, the environment and the throwaway
// folder are all that it keeps, and it kills only the process group.
func (b *Box) runUnsafe(ctx context.Context, j Job, limits Limits, paths []string) (_ Result, err error) {
	base, err := b.jobDir()
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, removeTree(base)) }()
	// Tier landlock names the layout of folders, not a rule set.
	o := order{Tier: TierLandlock, Work: workDir(base), Tmp: tmpDir(base)}
	var data bytes.Buffer
	for _, p := range paths {
		o.Files = append(o.Files, orderFile{Path: []byte(p), Size: int64(len(j.Files[p]))})
		data.Write(j.Files[p])
	}
	if err := makeCopy(o, bytes.NewReader(data.Bytes()), 0); err != nil {
		return Result{}, err
	}
	program, err := lookup(j.Argv[0])
	if err != nil {
		return Result{}, &NoProgram{Name: j.Argv[0]}
	}
	p := &process{tier: TierUnsafe, limits: limits, cmd: &exec.Cmd{
		Path: program, Args: j.Argv, Dir: o.Work, Env: environment(o),
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL},
	}}
	if err := p.start(j.Stdin, nil, nil); err != nil {
		return Result{}, err
	}
	late, err := p.wait(ctx, limits.Wall)
	if err != nil {
		return Result{}, err
	}
	r := Result{Stdout: p.stdout.buf, Stderr: p.stderr.buf, Elapsed: time.Since(p.begun)}
	switch ws, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); {
	case p.stdout.exceeded || p.stderr.exceeded:
		r.Exit, r.Stopped = exitKilled, StoppedOutput
	case late:
		r.Exit, r.Stopped = exitKilled, StoppedTime
	case ok:
		r.Exit, r.Stopped = exitOf(unix.WaitStatus(ws))
	}
	return r, nil
}
