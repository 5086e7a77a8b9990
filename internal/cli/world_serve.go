package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

type serveFlags struct {
	db, episode, addr, evidence string
	stdio, reviewer             bool
}

func newWorldServe(p *Process) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use: "serve BENCH/TASK", Short: "Serve a task's world on this machine, and record the episode",
		Long: `Serves one task's world by MCP, REST, web pages and evidence files, all on one address of this machine, and prints one
line of JSON: episode, mcp, mcp_servers, api, console, evidence and token. Whatever is called on any of them is one episode,
which outlives the process: the same command with --episode goes on with it. An interrupt ends it; judge it with
  assay grade BENCH --episode DIR/EPISODE
Without --episode a name is made. An episode that another process works on, that began in another world than the bench has now, or
that is damaged ends the command with 3, here as in events, reset and grade --episode.
With --stdio MCP is spoken over standard input and output, the line of JSON goes to standard error, and the end of the
input ends the command.
` + exitHelp,
		Args: args(1, 1, "BENCH/TASK"),
		RunE: func(_ *cobra.Command, a []string) error { return p.serveWorld(a[0], f) },
	}
	c.Flags().StringVar(&f.db, "db", "", "the folder of episodes (default .assay/episodes)")
	c.Flags().StringVar(&f.episode, "episode", "", "the episode's name: an old one goes on, a new one begins")
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:0", "the address to listen on, of this machine; port 0 takes a free one")
	c.Flags().StringVar(&f.evidence, "evidence", "", "write the evidence files into this folder, too")
	c.Flags().BoolVar(&f.stdio, "stdio", false, "speak MCP over standard input and output as well")
	c.Flags().BoolVar(&f.reviewer, "reviewer", false, "give a second token, with which somebody may look at the web pages meanwhile: nothing they do is the agent's")
	return c
}

// taskOf opens BENCH/TASK: the last segment is the task.
func (p *Process) taskOf(ref string) (*tasks.Set, *tasks.Task, error) {
	i := strings.LastIndexAny(ref, `/\`)
	if err := p.onlyBench(ref); err != nil {
		return nil, nil, err
	}
	if i <= 0 || i == len(ref)-1 {
		return nil, nil, usage("%q is not BENCH/TASK: a bench, and the id of one of its tasks", ref)
	}
	o, err := p.open(ref[:i])
	if err != nil {
		return nil, nil, err
	}
	set, ok := o.set.(*tasks.Set)
	if !ok {
		return nil, nil, usage("%s is no bench of agent tasks, and has no worlds", o.bench.Name())
	}
	t, err := set.Task(ref[i+1:])
	if err != nil {
		return nil, nil, usage("%v", err)
	}
	return set, t, nil
}

// onlyBench says of a bench that is named without a task which tasks it has.
func (p *Process) onlyBench(ref string) error {
	dir := strings.TrimRight(ref, `/\`)
	if !isPath(dir) {
		dir = asRef(dir)
	}
	if _, err := os.Stat(filepath.Join(p.path(dir), "bench.yaml")); err != nil {
		return nil
	}
	fsys, err := p.files(dir)
	if err != nil {
		return err
	}
	b, err := bench.Load(fsys, dir)
	if err != nil {
		return inBench(dir, err)
	}
	if b.Shape != bench.ShapeAgent {
		return usage("%s is no bench of agent tasks, and has no worlds", b.Name())
	}
	return usage("%s is a bench; name one of its tasks, BENCH/TASK: %s/%s", shown(ref), strings.TrimRight(ref, `/\`), strings.Join(b.IDs()[:min(len(b.IDs()), someMost)], ", "))
}

func (p *Process) episodes(db string) string {
	if db == "" {
		db = filepath.Join(".assay", "episodes")
	}
	return p.path(db)
}

func (p *Process) serveWorld(ref string, f serveFlags) (err error) {
	_, t, err := p.taskOf(ref)
	if err != nil {
		return err
	}
	if err := loopback(f.addr); err != nil {
		return err
	}
	// The address first: one that is taken must not leave an episode behind that nobody works in.
	ln, err := new(net.ListenConfig).Listen(p.Context, "tcp", f.addr)
	if err != nil {
		return usage("--addr: %v", err)
	}
	defer ln.Close()
	if f.evidence != "" {
		if err := surface.WriteEvidence(p.path(f.evidence), t.Public); err != nil {
			return usage("--evidence: %v", err)
		}
	}
	s, dir, err := p.openEpisode(t, f)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := s.Close(); cerr != nil {
			err = errors.Join(err, fault(cerr))
		}
	}()
	token, err := episodeToken(dir)
	if err != nil {
		return fault(err)
	}
	v, err := surface.New(s, token)
	if err != nil {
		return fault(err)
	}
	if f.reviewer {
		if token, err = keptToken(dir, "reviewer"); err == nil {
			err = v.Review(token)
		}
		if err != nil {
			return fault(err)
		}
	}
	a := v.Addresses("http://" + ln.Addr().String())
	if f.evidence != "" {
		a.Folder = p.path(f.evidence)
	}
	line, err := json.Marshal(a)
	if err != nil {
		return fault(err)
	}
	if f.stdio {
		fmt.Fprintf(p.Stderr, "%s\n", line)
	} else {
		p.printf("%s\n", line)
	}
	if err := p.serveUntil(v, ln, f.stdio); err != nil {
		return fault(fmt.Errorf("the episode is in %s as far as it came: %w", plain(dir), err))
	}
	fmt.Fprintf(p.Stderr, "assay: the episode is in %s, with %s; judge it with: assay grade %s --episode %s\n", plain(dir), counted(len(s.Events()), "event"), plain(ref[:strings.LastIndexAny(ref, `/\`)]), plain(dir))
	return nil
}

// serveUntil serves until an interrupt, the end of standard input where MCP is spoken there, or a failing store.
func (p *Process) serveUntil(v *surface.Server, ln net.Listener, stdio bool) error {
	ctx, cancel := context.WithCancel(p.Context)
	defer cancel()
	if !stdio {
		return v.Serve(ctx, ln)
	}
	spoke := make(chan error, 1)
	go func() {
		defer cancel()
		spoke <- v.Stdio(ctx, io.NopCloser(p.Stdin), keepOpen{p.Stdout})
	}()
	err := v.Serve(ctx, ln)
	cancel()
	if p.Context.Err() != nil || err != nil { // a read of standard input cannot be broken off; the process ends it
		return err
	}
	return <-spoke
}

type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

// loopback refuses addresses that other machines can reach.
func loopback(addr string) error {
	switch local, err := ofThisMachine(addr); {
	case err != nil:
		return usage("--addr %q is not HOST:PORT, such as 127.0.0.1:0", addr)
	case !local:
		return usage("--addr %q is not of this machine alone; a world is served on 127.0.0.1, [::1] or localhost", addr)
	}
	return nil
}

// ofThisMachine says whether no other machine can reach an address; the error is of one that is no HOST:PORT.
func ofThisMachine(addr string) (bool, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false, err
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback(), nil
}

// openEpisode goes on with the named episode where there is one, and begins it where there is none.
func (p *Process) openEpisode(t *tasks.Task, f serveFlags) (*world.Session, string, error) {
	root, id := p.episodes(f.db), f.episode
	if id == "" {
		b := make([]byte, 6)
		rand.Read(b)
		id = fileName(t.ID) + "-" + hex.EncodeToString(b)
	}
	if id != filepath.Base(id) {
		return nil, "", usage("--episode %q is a name, not a path; the folder is --db", f.episode)
	}
	dir := filepath.Join(root, id)
	if _, err := os.Stat(dir); err == nil {
		s, err := t.World.OpenSession(p.Context, t.Spec(id), root)
		if err != nil {
			return nil, "", episodeError(err)
		}
		return s, dir, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, "", fault(err)
	}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, "", fault(err)
	}
	s, err := t.World.CreateSession(p.Context, t.Spec(id), root)
	if err != nil {
		return nil, "", episodeError(err)
	}
	return s, dir, nil
}

// episodeError gives the error of an episode that cannot be opened its exit code, the same in every command: 2 for a name that
// no episode has, 3 for one that another process works on, that began in another world than there is now, or that is damaged.
func episodeError(err error) error {
	if _, ok := errors.AsType[*world.NoEpisode](err); ok {
		return usage("%v", err)
	}
	return fault(err)
}

// episodeToken gives an episode its token, which it keeps: an agent goes on with what it has when the server was killed.
func episodeToken(dir string) (string, error) { return keptToken(dir, "token") }

// keptToken gives the token that an episode's folder holds under a name, and makes it where there is none.
func keptToken(dir, file string) (string, error) {
	name := filepath.Join(dir, file)
	b, err := os.ReadFile(name)
	if err == nil && len(b) >= 43 {
		return strings.TrimSpace(string(b)), nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	token := surface.NewToken()
	return token, os.WriteFile(name, []byte(token+"\n"), 0o600)
}
