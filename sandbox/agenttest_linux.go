package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// agentTest does in a box for agents what an agent must not: read a file that permissions show to everyone, reach another
// service of this machine, read the program that keeps it in. And what it must: reach what it was given, and write at home.
func agentTest(ctx context.Context, b *Box, parent string) (err error) {
	fail := func(format string, a ...any) error { return fmt.Errorf("self-test for agents: "+format, a...) }
	dir, err := os.MkdirTemp(parent, "assay-selftest-")
	if err != nil {
		return fail("%w", err)
	}
	defer func() { err = errors.Join(err, removeTree(dir)) }()
	const secret = "planted-3e77"
	file := filepath.Join(dir, "secret")
	if err := errors.Join(os.WriteFile(file, []byte(secret), 0o644), os.Chmod(file, 0o644), os.Chmod(dir, 0o755)); err != nil {
		return fail("%w", err)
	}
	given, err := greeter("welcome\n")
	if err != nil {
		return fail("%w", err)
	}
	defer given.close()
	other, err := greeter("leaked\n")
	if err != nil {
		return fail("%w", err)
	}
	defer other.close()
	const line = `exec 3<>"/dev/tcp/named/$1" && read -r word <&3 && echo "$word"
(exec 4<>"/dev/tcp/127.0.0.1/$2") && echo other-reached
cat -- "$3" /etc/shadow
head -c 4 /proc/1/exe
ls -A && echo own > own && cat own && cat /agent/shown && echo x > /agent/shown && echo changed
echo "env:$HOME:$SANDBOX_SELFTEST:$GIVEN:"`
	_, port, err := net.SplitHostPort(given.addr)
	if err != nil {
		return fail("%w", err)
	}
	_, otherPort, err := net.SplitHostPort(other.addr)
	if err != nil {
		return fail("%w", err)
	}
	r, err := b.RunAgent(ctx, Agent{
		Argv:   []string{"bash", "--noprofile", "--norc", "-c", line, "bash", port, otherPort, file},
		Env:    []string{"GIVEN=yes"},
		Shown:  []Shown{{Path: "/agent/shown", Data: []byte("shown\n")}},
		Reach:  []Reach{{Address: "127.0.0.1:" + port, Names: []string{"named"}, Dial: dialer(given.addr)}},
		Limits: Limits{Wall: 20 * time.Second, Memory: 256 << 20, Disk: 4 << 20, FileSize: 1 << 20, Output: 1 << 20, Processes: 48},
	})
	if err != nil {
		return fail("%w", err)
	}
	out := string(r.Stdout)
	switch {
	case strings.Contains(out, secret):
		return fail("a program could read a file outside")
	case strings.Contains(out, "other-reached") || other.met.Load() > 0:
		return fail("a program could reach another service of this machine")
	case strings.Contains(out, "ELF") || strings.Contains(out, "root:"):
		return fail("a program could read what keeps it in")
	case strings.Contains(out, "changed"):
		return fail("a program could change what it was shown")
	case r.Stopped != "" || r.Exit != 0 || out != "welcome\nown\nshown\nenv:"+agentHome+"::yes:\n":
		return fail("an honest program failed (exit %d, stopped %q): %q %s", r.Exit, r.Stopped, out, tail(r.Stderr))
	}
	return nil
}

// dialer opens connections to one address.
func dialer(addr string) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) { return new(net.Dialer).DialContext(ctx, "tcp", addr) }
}

// service greets whoever connects.
type service struct {
	addr  string
	met   atomic.Int32
	close func()
}

func greeter(word string) (*service, error) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &service{addr: ln.Addr().String()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.met.Add(1)
			_, _ = io.WriteString(c, word)
			c.Close()
		}
	}()
	s.close = func() {
		ln.Close()
		<-done
	}
	return s, nil
}
