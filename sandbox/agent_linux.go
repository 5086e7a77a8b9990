package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// agentHome is the home and working folder inside.
const agentHome = bwrapWork

// trust are the places of authorities' certificates, without which no TLS is spoken.
var trust = []string{"/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted"}

// OpenAgents opens a sandbox for agents: namespaces, and among them one of the network. It is trusted by what it did in a
// test of itself. The error is *Unavailable where there is none, or the context's.
func OpenAgents(ctx context.Context, o Options) (*Box, error) {
	if o.Dir == "" {
		o.Dir = os.TempDir()
	}
	b, err := openTier(ctx, TierBwrap, o.Dir)
	if err == nil {
		if err = agentTest(ctx, b, o.Dir); err != nil {
			err = errors.Join(err, b.Close())
		}
	}
	if err == nil {
		return b, nil
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("sandbox: open: %w", context.Cause(ctx))
	}
	return nil, &Unavailable{Reasons: []string{string(TierBwrap) + ": " + err.Error()}, Install: "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap)"}
}

// RunAgent runs an agent to its end, which may be the context's; the error is then the context's. When it returns nothing of
// the agent is left, neither processes nor files nor connections.
func (b *Box) RunAgent(ctx context.Context, a Agent) (Result, error) {
	if b.tier != TierBwrap {
		return Result{}, fmt.Errorf("sandbox: the tier %s has no network of its own for an agent", b.tier)
	}
	limits := a.Limits
	if limits == (Limits{}) {
		limits = AgentLimits()
	}
	limits, err := limits.withDefaults()
	if err != nil {
		return Result{}, err
	}
	if len(a.Argv) == 0 || a.Argv[0] == "" {
		return Result{}, errors.New("sandbox: the agent is no program")
	}
	if why := refusedArgv(append(slices.Clone(a.Argv), a.Env...)); why != "" {
		return Result{}, errors.New("sandbox: the agent's command line or environment: " + why)
	}
	var slot int
	select {
	case slot = <-slots():
		defer func() { slots() <- slot }()
	case <-ctx.Done():
		return Result{}, fmt.Errorf("sandbox: %w", context.Cause(ctx))
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	room := &room{agent: a}
	defer room.close()
	if err := room.furnish(); err != nil {
		return Result{}, fmt.Errorf("sandbox: %w", err)
	}
	return b.runConfined(ctx, Job{Argv: a.Argv, Stdin: a.Stdin}, limits, nil, slot, room)
}

// room is what an agent has beyond a candidate.
type room struct {
	agent  Agent
	args   []string   // of bubblewrap
	files  []*os.File // that it reads from, in order, from fdShown on
	theirs *os.File   // the end of the socket that the supervisor sends its listeners over
	ours   *net.UnixConn
}

func (r *room) close() {
	for _, f := range r.files {
		f.Close()
	}
	if r.theirs != nil {
		r.theirs.Close()
	}
	if r.ours != nil {
		r.ours.Close()
	}
}

// furnish says to bubblewrap what is shown and what is hidden.
func (r *room) furnish() error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("socketpair: %w", err)
	}
	ours := os.NewFile(uintptr(pair[0]), "network")
	r.theirs = os.NewFile(uintptr(pair[1]), "network")
	conn, err := net.FileConn(ours)
	ours.Close()
	if err != nil {
		return err
	}
	r.ours = conn.(*net.UnixConn)

	for _, reach := range r.agent.Reach {
		host, port, err := net.SplitHostPort(reach.Address)
		n, perr := strconv.ParseUint(port, 10, 16)
		if err != nil || perr != nil || host != "127.0.0.1" || n == 0 {
			return fmt.Errorf("the address %q inside is not 127.0.0.1:PORT", reach.Address)
		}
		if n < 1024 && !slices.Contains(r.args, lowPorts) {
			r.args = append(r.args, "--cap-add", lowPorts) // the supervisor's; the agent has it no more
		}
	}
	for _, p := range trust {
		r.args = append(r.args, "--ro-bind-try", p, p)
	}
	shown := append(r.etc(), r.agent.Shown...)
	var folders []string
	for _, dir := range r.agent.Folders {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return fmt.Errorf("the folder %s: %w", dir, err)
		}
		if real == "/" || real == "/proc" || real == "/dev" || real == "/sys" {
			return fmt.Errorf("the folder %s is too much to show", dir)
		}
		folders = append(folders, real)
		r.args = append(r.args, "--ro-bind", real, real)
		if abs := filepath.Clean(dir); abs != real && filepath.IsAbs(abs) {
			r.args = append(r.args, "--ro-bind", real, abs)
			folders = append(folders, abs)
		}
	}
	if err := r.hide(folders); err != nil {
		return err
	}
	for _, s := range shown {
		if err := r.show(s); err != nil {
			return err
		}
	}
	return nil
}

// show hands a file's bytes over by a descriptor, so that neither its path on this machine nor the right to go there is needed.
func (r *room) show(s Shown) error {
	if !path.IsAbs(s.Path) || path.Clean(s.Path) != s.Path || strings.IndexByte(s.Path, 0) >= 0 {
		return fmt.Errorf("the file %q: its path inside is not absolute and clean", s.Path)
	}
	if s.Folder {
		r.args = append(r.args, "--dir", s.Path)
		return nil
	}
	perms := "0444"
	if s.Execute {
		perms = "0555"
	}
	var f *os.File
	var err error
	if s.Source != "" {
		f, err = os.Open(s.Source)
	} else {
		f, err = memfile("shown", 0o444, func(w io.Writer) error {
			_, err := w.Write(s.Data)
			return err
		})
	}
	if err != nil {
		return err
	}
	r.args = append(r.args, "--perms", perms, "--ro-bind-data", strconv.Itoa(fdShown+len(r.files)), s.Path)
	r.files = append(r.files, f)
	return nil
}

// etc are the files of the system that programs ask for and that must not be this machine's.
func (r *room) etc() []Shown {
	hosts := "127.0.0.1 localhost\n"
	for _, reach := range r.agent.Reach {
		for _, name := range reach.Names {
			if name != "localhost" {
				hosts += "127.0.0.1 " + name + "\n"
			}
		}
	}
	return []Shown{
		{Path: "/etc/hosts", Data: []byte(hosts)},
		{Path: "/etc/nsswitch.conf", Data: []byte("passwd: files\ngroup: files\nhosts: files\n")},
		{Path: "/etc/passwd", Data: []byte("agent:x:" + bwrapID + ":" + bwrapID + "::" + agentHome + ":/bin/sh\n")},
		{Path: "/etc/group", Data: []byte("agent:x:" + bwrapID + ":\n")},
	}
}

// hide covers what must not be seen where a part of the machine that is shown holds it.
func (r *room) hide(folders []string) error {
	shown := slices.Clone(folders)
	for _, p := range slices.Concat(systemDirs, rootDirs, systemEtc, trust) {
		shown = append(shown, p)
		if real, err := filepath.EvalSymlinks(p); err == nil {
			shown = append(shown, real)
		}
	}
	under := func(dir, p string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }
	var covered []string // folders that are hidden whole
	for _, h := range slices.Sorted(slices.Values(r.agent.Hidden)) {
		real, err := filepath.EvalSymlinks(h)
		if errors.Is(err, fs.ErrNotExist) {
			continue // there is nothing to see
		} else if err != nil {
			return fmt.Errorf("%s, which is to be hidden: %w", h, err)
		}
		st, err := os.Stat(real)
		if err != nil {
			return fmt.Errorf("%s, which is to be hidden: %w", h, err)
		}
		for _, f := range folders {
			if under(real, f) {
				return fmt.Errorf("the folder %s lies in %s, which an agent must not see", f, h)
			}
		}
		if slices.ContainsFunc(covered, func(dir string) bool { return under(dir, real) }) {
			continue
		}
		if st.IsDir() {
			covered = append(covered, real)
		}
		for _, f := range shown {
			rf, err := filepath.EvalSymlinks(f)
			if err != nil {
				continue
			}
			rel, err := filepath.Rel(rf, real)
			if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
				continue
			}
			at := path.Join(f, rel)
			if st.IsDir() {
				r.args = append(r.args, "--tmpfs", at, "--remount-ro", at)
			} else {
				r.args = append(r.args, "--ro-bind", os.DevNull, at)
			}
		}
	}
	return nil
}

// addresses are those that the supervisor listens on.
func (r *room) addresses() []string {
	var out []string
	for _, reach := range r.agent.Reach {
		out = append(out, reach.Address)
	}
	return out
}

// maxReach is how many addresses fit into one message.
const maxReach = 32

// serve takes the listeners that the supervisor made on the agent's own network, and connects what comes to them with what
// is outside, until ctx ends. A listener belongs to the network that it was made in, wherever it is served.
func (r *room) serve(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { _ = r.ours.SetReadDeadline(time.Unix(1, 0)) })()
	oob := make([]byte, syscall.CmsgSpace(4*maxReach))
	_, n, _, _, err := r.ours.ReadMsgUnix(make([]byte, 1), oob)
	if err != nil {
		return // the supervisor ended first, which Run tells of
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	msgs, err := syscall.ParseSocketControlMessage(oob[:n])
	if err != nil || len(msgs) != 1 {
		return
	}
	fds, err := syscall.ParseUnixRights(&msgs[0])
	if err != nil {
		return
	}
	for i, fd := range fds {
		syscall.CloseOnExec(fd)
		f := os.NewFile(uintptr(fd), "listener")
		ln, err := net.FileListener(f)
		f.Close()
		if err == nil && i < len(r.agent.Reach) {
			wg.Go(func() { forward(ctx, ln, r.agent.Reach[i]) })
		}
	}
}

// listen makes the listeners on this process's network, which is the agent's, and sends them out.
func listen(addresses []string, to int) error {
	var files []*os.File
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	var fds []int
	for _, a := range addresses {
		ln, err := net.Listen("tcp4", a)
		if err != nil {
			return fmt.Errorf("the agent's network: %w", err)
		}
		f, err := ln.(*net.TCPListener).File()
		ln.Close()
		if err != nil {
			return fmt.Errorf("the agent's network: %w", err)
		}
		files = append(files, f)
		fds = append(fds, int(f.Fd()))
	}
	if err := syscall.Sendmsg(to, []byte{0}, syscall.UnixRights(fds...), nil, 0); err != nil {
		return fmt.Errorf("the agent's network: %w", err)
	}
	return nil
}
