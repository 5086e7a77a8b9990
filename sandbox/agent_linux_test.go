package sandbox

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func agents(t *testing.T) *Box {
	t.Helper()
	b, err := OpenAgents(context.Background(), Options{Dir: t.TempDir()})
	if err != nil {
		t.Skipf("no sandbox for agents on this machine: %v", err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// line makes an agent of a line of bash.
func line(text string, args ...string) Agent {
	return Agent{Argv: append([]string{"bash", "--noprofile", "--norc", "-c", text, "bash"}, args...)}
}

// ranAgent runs one that must come to its end.
func ranAgent(t *testing.T, b *Box, a Agent) (out, errs string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r, err := b.RunAgent(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	if r.Exit != 0 || r.Stopped != "" {
		t.Fatalf("exit %d, stopped %q: %s%s", r.Exit, r.Stopped, r.Stdout, r.Stderr)
	}
	return string(r.Stdout), string(r.Stderr)
}

// TestAgentReachesNothingElse: other ports of this machine's loopback, its own addresses, the net beyond, names, Unix sockets in
// files and without, and other processes are not there.
func TestAgentReachesNothingElse(t *testing.T) {
	b := agents(t)
	h := newHost(t)
	given, err := greeter("welcome\n")
	if err != nil {
		t.Fatal(err)
	}
	defer given.close()
	// A service on every address of this machine, as a model's server may be.
	all, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	_, allPort, _ := net.SplitHostPort(all.Addr().String())
	abstract, err := net.Listen("unix", fmt.Sprintf("@sandbox-test-%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	own := []string{}
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		if ip, _, err := net.ParseCIDR(a.String()); err == nil && ip.To4() != nil && !ip.IsLoopback() {
			own = append(own, ip.String())
		}
	}
	const text = `import socket, sys
port, tcp, udp, all_, path, abstract, own = sys.argv[1:8]
def tell(name, f):
    try:
        f()
        print("REACHED", name)
    except OSError as e:
        print("no", name)
def tcpto(host, p):
    def f():
        s = socket.create_connection((host, int(p)), 5)
        s.close()
    return f
s = socket.create_connection(("127.0.0.1", int(port)), 5)
print(s.recv(100).decode().strip())
tell("tcp", tcpto("127.0.0.1", tcp))
tell("all", tcpto("127.0.0.1", all_))
tell("::1", tcpto("::1", tcp))
for o in own.split():
    tell("own", tcpto(o, all_))
for o in ["169.254.169.254", "192.168.0.1", "10.0.0.1", "1.1.1.1"]:
    tell(o, tcpto(o, 80))
def udpto(host, p):
    def f():
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.connect((host, int(p)))
        s.send(b"x")
        s.settimeout(0.3)
        s.recv(10)
    return f
tell("udp", udpto("127.0.0.1", udp))
tell("dns", udpto("8.8.8.8", 53))
for name in ["example.com", "localhost.localdomain"]:
    tell("name " + name, lambda: socket.getaddrinfo(name, 80))
def unix(p):
    def f():
        s = socket.socket(socket.AF_UNIX)
        s.connect(p)
    return f
tell("unix", unix(path))
tell("abstract", unix("\0" + abstract))
for family, kind in [(socket.AF_PACKET, socket.SOCK_RAW), (socket.AF_INET, socket.SOCK_RAW), (40, socket.SOCK_STREAM), (38, socket.SOCK_SEQPACKET)]:
    tell("family %d" % family, lambda: socket.socket(family, kind))
tell("privileged port", lambda: socket.socket().bind(("127.0.0.1", 81)))
import os
print("processes", len([p for p in os.listdir("/proc") if p.isdigit()]) < 8)
`
	_, port, _ := net.SplitHostPort(given.addr)
	a := Agent{Argv: []string{"python3", "-I", "-c", text, port, strconv.Itoa(h.tcp), strconv.Itoa(h.udp), allPort, h.unix, abstract.Addr().String()[1:], strings.Join(own, " ")},
		// A port below 1024 is listened on by right of the supervisor alone.
		Reach: []Reach{{Address: "127.0.0.1:" + port, Dial: dialer(given.addr)}, {Address: "127.0.0.1:443", Dial: dialer(given.addr)}}}
	out, errs := ranAgent(t, b, a)
	if strings.Contains(out, "REACHED") || !strings.HasPrefix(out, "welcome\n") || !strings.Contains(out, "processes True") || strings.Count(out, "no ") < 15+len(own) {
		t.Errorf("%s%s", out, errs)
	}
	if n := h.contacts.Load(); n != 0 {
		t.Errorf("%d contacts arrived", n)
	}
}

// TestAgentSees: what it is shown it can read and not change, what is to be hidden is not there, its home is empty and its own.
func TestAgentSees(t *testing.T) {
	b := agents(t)
	dir := openFolder(t)
	put := func(rel, text string) string {
		p := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return p
	}
	put("tools/lib/part", "a part")
	bench := filepath.Dir(put("tools/bench/contract.yaml", secret))
	store := put("tools/assay.db", secret)
	binary := put("tools/assay", secret)
	program := put("elsewhere/agent.sh", "#!/bin/sh\necho I am $0 of $(id -u); cat /agent/request; echo; exec \"$@\"\n")
	if err := os.Chmod(filepath.Dir(program), 0o700); err != nil { // not even its own folder can be entered
		t.Fatal(err)
	}
	link := filepath.Join(dir, "by-link")
	if err := os.Symlink(filepath.Join(dir, "tools"), link); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	system := filepath.Join(t.TempDir(), "tac") // as a program of a package is, which lies among the system's
	if err := os.Symlink("/usr/bin/tac", system); err != nil {
		t.Fatal(err)
	}
	const text = `ls -A . && pwd && echo "$HOME" && cat "$1/lib/part" && echo
for d in "$1" "$2"; do cat "$d/assay" "$d/assay.db"; ls -A "$d/bench"; cat "$d/bench/contract.yaml"; echo x > "$d/lib/part" && echo CHANGED; done
cat "$3" "$4" /usr/bin/tac /bin/tac; /usr/bin/cat /usr/bin/cat | head -c 4 | tail -c 3; echo; ls -A "$(dirname "$4")"
for f in /agent/request /agent/agent.sh /etc/hosts; do echo x > $f && echo CHANGED $f; rm -f $f && [ ! -e $f ] && echo CHANGED $f; chmod 777 $f && echo CHANGED $f; done
env | sort | cut -d= -f1 | tr '\n' ' '`
	out, errs := ranAgent(t, b, Agent{
		Argv:  []string{"/agent/agent.sh", "bash", "--noprofile", "--norc", "-c", text, "bash", filepath.Join(dir, "tools"), link, exe, program},
		Shown: []Shown{{Path: "/agent/agent.sh", Source: program, Execute: true}, {Path: "/agent/request", Data: []byte("Find it.")}},
		Env:   []string{"PATH=/usr/bin", "GIVEN=1"}, Folders: []string{link}, Hidden: []string{bench, store, binary, exe, system, filepath.Join(dir, "not-there")},
	})
	want := "I am /agent/agent.sh of 1000\nFind it.\n/work\n/work\na part\n"
	if !strings.HasPrefix(out, want) || strings.Contains(out, secret) || strings.Contains(out, "CHANGED") || strings.Contains(out, "contract.yaml") || strings.Count(out, "ELF") != 1 {
		t.Errorf("%q\n%s", out, errs)
	}
	if names := out[strings.LastIndex(out, "\n")+1:]; names != "GIVEN HOME LC_ALL PATH PWD SHLVL TMPDIR TZ _ " {
		t.Errorf("the environment has %s", names)
	}
	for _, c := range []struct {
		a    Agent
		want string
	}{
		{Agent{Argv: []string{"true"}, Folders: []string{filepath.Join(bench)}, Hidden: []string{bench}}, "which an agent must not see"},
		{Agent{Argv: []string{"true"}, Folders: []string{filepath.Join(dir, "tools", "lib")}, Hidden: []string{filepath.Join(dir, "tools")}}, "which an agent must not see"},
		{Agent{Argv: []string{"true"}, Folders: []string{"/"}}, "too much to show"},
		{Agent{Argv: []string{"true"}, Folders: []string{filepath.Join(dir, "nowhere")}}, "no such file"},
		{Agent{Argv: []string{"true"}, Reach: []Reach{{Address: "0.0.0.0:80"}}}, "is not 127.0.0.1:PORT"},
		{Agent{Argv: []string{"true"}, Shown: []Shown{{Path: "/agent/../etc/hosts"}}}, "not absolute and clean"},
		{Agent{}, "no program"},
	} {
		if _, err := b.RunAgent(context.Background(), c.a); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestAgentTalks: many connections at once, of whatever length, with their ends passed on, arrive whole; those under way when the
// agent ends are closed.
func TestAgentTalks(t *testing.T) {
	b := agents(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%d %v\n", n, err)
	}))
	defer srv.Close()
	hung := make(chan struct{})
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() {
		defer close(hung)
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = io.Copy(io.Discard, c) // until the other end is gone
	}()
	const text = `head -c 3000000 /dev/zero > big
for i in 1 2 3 4 5 6 7 8; do curl -sS --data-binary @big http://named.example:8080/ & done; wait
exec 3<>/dev/tcp/127.0.0.1/8081; echo hello >&3`
	a := line(text)
	a.Reach = []Reach{{Address: "127.0.0.1:8080", Names: []string{"named.example"}, Dial: dialer(srv.Listener.Addr().String())},
		{Address: "127.0.0.1:8081", Dial: dialer(ln.Addr().String())}}
	out, errs := ranAgent(t, b, a)
	if out != strings.Repeat("3000000 <nil>\n", 8) {
		t.Errorf("%q %s", out, errs)
	}
	select {
	case <-hung:
	case <-time.After(10 * time.Second):
		t.Error("a connection outlived the agent")
	}
}

// TestAgentTLS: a TLS connection goes through whole, under the server's own name, and to that name alone.
func TestAgentTLS(t *testing.T) {
	b := agents(t)
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "served %s\n", r.Host) }))
	defer srv.Close()
	var mu sync.Mutex
	names := []string{}
	srv.TLS.GetConfigForClient = func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		mu.Lock()
		defer mu.Unlock()
		names = append(names, h.ServerName)
		return nil, nil
	}
	a := line(`curl -sSk https://api.example/ ; curl -sSk --connect-to ::api.example:443 https://other.example/ && echo THROUGH
curl -sS --http0.9 --max-time 5 http://api.example:443/ && echo THROUGH; true`)
	a.Reach = []Reach{{Address: "127.0.0.1:443", Names: []string{"api.example"}, Server: "api.example", Dial: dialer(srv.Listener.Addr().String())}}
	out, errs := ranAgent(t, b, a)
	if out != "served api.example\n" {
		t.Errorf("%q %s", out, errs)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(names) != 1 || names[0] != "api.example" {
		t.Errorf("the server was asked for %q", names)
	}
}

// TestAgentEnds: what ends an agent ends all of it, whatever it left running; and agents at once do not see each other.
func TestAgentEnds(t *testing.T) {
	b := agents(t)
	mark := fmt.Sprintf("31%d", os.Getpid())
	running := func() string {
		out, _ := exec.Command("pgrep", "-f", "sleep "+mark).Output()
		return string(out)
	}
	stop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	began, err := greeter("")
	if err != nil {
		t.Fatal(err)
	}
	defer began.close()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			a := line(`trap '' TERM; (setsid sleep ` + mark + ` &) ; exec 3<>/dev/tcp/127.0.0.1/9000; pgrep -c sleep > n; sleep ` + mark)
			a.Reach = []Reach{{Address: "127.0.0.1:9000", Dial: dialer(began.addr)}}
			if _, err := b.RunAgent(ctx, a); !errors.Is(err, stop) {
				t.Errorf("ended by %v", err)
			}
		})
	}
	for began.met.Load() < 3 {
		time.Sleep(5 * time.Millisecond)
	}
	if running() == "" {
		t.Error("pgrep sees nothing of what is running: the test shows nothing")
	}
	start := time.Now()
	cancel(stop)
	wg.Wait()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
	for range 100 {
		if running() == "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if left := running(); left != "" {
		t.Errorf("still running: %s", left)
	}
	// By itself: the end of its first process is the end.
	a := line(`(setsid sleep ` + mark + ` &); echo done`)
	if out, _ := ranAgent(t, b, a); out != "done\n" {
		t.Errorf("%q", out)
	}
	if left := running(); left != "" {
		t.Errorf("still running after its end: %s", left)
	}
}

// TestAgentTierNeedsANetwork: a tier without a network of its own is refused, not used.
func TestAgentTierNeedsANetwork(t *testing.T) {
	b, err := Open(context.Background(), Options{Unsafe: true, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := b.RunAgent(context.Background(), line("true")); err == nil || !strings.Contains(err.Error(), "no network of its own") {
		t.Errorf("%v", err)
	}
}
