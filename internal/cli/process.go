// Package cli is the command line: commands, flags and output, with no logic of its own. Everything of the operating
// system that a command touches is in one struct, Process, so that a whole command runs in a test.
package cli

import (
	"context"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/sandbox"
)

// Process is the outside of a command.
type Process struct {
	Args     []string // without the program's name
	Getenv   func(string) string
	Stdin    io.Reader
	Stdout   io.Writer
	Stderr   io.Writer
	Now      func() time.Time
	Dir      string // the working folder
	Terminal bool   // standard error is a terminal: a live bar may be drawn
	// Interactive: a person can be asked, since standard input and standard error are terminals.
	Interactive bool
	Width       int // of standard output in columns; 0 when it is not a terminal
	Context     context.Context
	// Dial opens connections to servers; nil is the usual way. Tests refuse every host but this machine with it.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	Pace Pace
	// Sealing opens the sandbox that an agent's program is kept in; nil is the usual way.
	Sealing func(context.Context) (*sandbox.Box, error)
	stop    func()
}

// Pace is how long the engine waits where it waits; the zero value is its own. Tests have no minutes.
type Pace struct {
	Retry      run.Retry
	CheckEvery time.Duration
	Beside     run.Beside // all but the URLs
}

// System is the real outside. The first interrupt cancels Context, the second ends the process at once.
func System() *Process {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel(errInterrupted)
		<-signals
		os.Exit(exitFault)
	}()
	dir, _ := os.Getwd()
	p := &Process{Args: os.Args[1:], Getenv: os.Getenv, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now, Dir: dir,
		Terminal: term.IsTerminal(int(os.Stderr.Fd())), Interactive: term.IsTerminal(int(os.Stderr.Fd())) && term.IsTerminal(int(os.Stdin.Fd())), Context: ctx, stop: func() { cancel(nil) }}
	if term.IsTerminal(int(os.Stdout.Fd())) {
		if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			p.Width = w
		}
	}
	return p
}

// path makes a user's path absolute against the working folder.
func (p *Process) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Dir, name)
}

// stateDir is where proofs are kept for this user: $ASSAY_STATE, or the system's usual place.
func (p *Process) stateDir() string {
	if d := p.Getenv("ASSAY_STATE"); d != "" {
		return p.path(d)
	}
	if d := p.Getenv("XDG_STATE_HOME"); d != "" && runtime.GOOS != "windows" {
		return filepath.Join(d, "assay")
	}
	home := p.Getenv("HOME")
	switch {
	case runtime.GOOS == "windows" && p.Getenv("LOCALAPPDATA") != "":
		return filepath.Join(p.Getenv("LOCALAPPDATA"), "assay")
	case runtime.GOOS == "darwin" && home != "":
		return filepath.Join(home, "Library", "Application Support", "assay")
	case home != "":
		return filepath.Join(home, ".local", "state", "assay")
	}
	return p.path(filepath.Join(".assay", "state"))
}
