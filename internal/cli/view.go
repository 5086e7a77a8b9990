package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/benches"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/internal/web"
	"github.com/assaybench/assay/report/leaderboard"
	"github.com/assaybench/assay/report/publication"
	"github.com/assaybench/assay/store"
	"github.com/assaybench/assay/world/surface"
)

type viewFlags struct {
	db, listen string
	open       bool
}

func newView(p *Process) *cobra.Command {
	var f viewFlags
	c := &cobra.Command{
		Use: "view [RUN|BENCH|DIR]", Short: "Look at runs, answers and benches in a browser",
		Long: `Serves web pages on this machine alone and prints one line with their address: runs with their figures and charts, every
attempt with its answer, findings, request and response, two runs side by side, benches with their rules and controls. An
interrupt ends it. It only reads, and asks nothing of any other machine.

RUN is an id, a unique prefix of one, or latest; BENCH a shipped name or a path; DIR a publication, or a folder of
publications of a bench of agent tasks, whose leaderboard is shown. The address is then that of its page.

With --listen on an address that other machines can reach, a token is asked for, which the printed address holds. The
pages show sealed contracts and expected answers: they are for people, and for no agent. docs/view.md describes them.
` + exitHelp,
		Args: args(0, 1, "RUN, BENCH or DIR, or nothing"),
		RunE: func(_ *cobra.Command, a []string) error {
			ref := ""
			if len(a) > 0 {
				ref = a[0]
			}
			return p.view(ref, f)
		},
	}
	c.Flags().StringVar(&f.db, "db", "", "the database file (default .assay/assay.db)")
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:0", "the address to listen on; port 0 takes a free one")
	c.Flags().BoolVar(&f.open, "open", false, "open the page in this machine's browser")
	return c
}

// viewMemory is what the viewer's memory is held to, in bytes, where it can be: garbage is collected earlier from there on.
const viewMemory = 128 << 20

func (p *Process) view(ref string, f viewFlags) (err error) {
	o := web.Options{Benches: benches.Names(), Now: p.Now, Open: p.viewBench}
	local, err := web.Loopback(f.listen)
	if err != nil {
		return usage("--listen %q is not HOST:PORT, such as 127.0.0.1:0", f.listen)
	}
	if !local {
		o.Token = surface.NewToken()
	}
	page, done, err := p.viewOf(ref, f.db, &o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fault(done())) }()
	ln, err := new(net.ListenConfig).Listen(p.Context, "tcp", f.listen)
	if err != nil {
		return usage("--listen: %v", err)
	}
	defer ln.Close()
	s, err := web.New(o)
	if err != nil {
		return fault(err)
	}
	debug.SetMemoryLimit(viewMemory)
	at := "http://" + ln.Addr().String() + page
	if o.Token != "" {
		u, err := url.Parse(at)
		if err != nil {
			return fault(err)
		}
		q := u.Query()
		q.Set("token", o.Token)
		u.RawQuery = q.Encode()
		at = u.String()
	}
	p.printf("%s\n", at)
	if f.open {
		if err := browse(p.Context, at); err != nil {
			p.notef("no browser could be opened: %v", err)
		}
	}
	return fault(s.Serve(p.Context, ln))
}

// viewOf finds what a command line names and gives its page's address; done closes what was opened.
func (p *Process) viewOf(ref, db string, o *web.Options) (page string, done func() error, err error) {
	done = func() error { return nil }
	if st, serr := os.Stat(p.path(ref)); ref != "" && serr == nil && st.IsDir() && (isPath(ref) || !isBench(ref)) {
		if _, berr := os.Stat(filepath.Join(p.path(ref), "bench.yaml")); errors.Is(berr, fs.ErrNotExist) {
			return p.viewPublications(ref, o)
		}
	}
	s, err := p.reading(db)
	switch {
	case err == nil:
		o.Store, done = s, s.Close
	case store.KindOf(err) == store.NoRuns && (ref == "" || isBench(ref)):
		o.Why = err.Error()
	default:
		return "", done, err
	}
	switch {
	case ref == "":
		return "/", done, nil
	case isBench(ref):
		if !slices.Contains(o.Benches, ref) {
			o.Benches = append(o.Benches, ref)
		}
		if _, err := p.load(ref); err != nil {
			return "", done, errors.Join(err, done())
		}
		return "/bench?" + url.Values{"name": {ref}}.Encode(), done, nil
	}
	r, err := p.findRun(s, ref)
	if err != nil {
		return "", done, errors.Join(storeError(err), done())
	}
	return "/run/" + r.ID, done, nil
}

// isBench tells a bench's name or path from a run's id.
func isBench(ref string) bool {
	if isPath(ref) {
		return true
	}
	_, _, shipped := benches.Open(ref)
	return shipped
}

// viewBench opens a bench for its pages.
func (p *Process) viewBench(_ context.Context, name string) (*web.Bench, error) {
	o, err := p.open(name)
	if err != nil {
		return nil, err
	}
	b := &web.Bench{Set: o.set, Digest: o.state.Digest}
	if o.state.Freeze != nil {
		b.Frozen = o.state.Freeze.FrozenAt
	}
	b.Proofs, err = p.proofs(o)
	return b, err
}

// viewPublications shows one publication, or the leaderboard of those in a folder. A publication is read into a database of
// its own, which is removed at the end.
func (p *Process) viewPublications(ref string, o *web.Options) (page string, done func() error, err error) {
	done = func() error { return nil }
	dirs, err := publicationsIn(p.path(ref))
	if err != nil {
		return "", done, fault(err)
	}
	if len(dirs) == 0 {
		return "", done, usage("%s is neither a bench nor a publication, nor a folder of publications", shown(ref))
	}
	tmp, err := os.MkdirTemp("", "assay-view-")
	if err != nil {
		return "", done, fault(err)
	}
	done = func() error { return os.RemoveAll(tmp) }
	file := filepath.Join(tmp, "view.db")
	var pubs []*publication.Publication
	for _, dir := range dirs {
		pub, faults, err := p.publication(dir)
		if err == nil && len(faults) > 0 {
			err = usage("%s: %s", shown(dir), faults[0])
		}
		if err == nil {
			err = p.keep(pub, dir, file)
		}
		if err != nil {
			return "", done, errors.Join(err, done())
		}
		pubs = append(pubs, pub)
	}
	db, err := store.Open(p.Context, file, store.Options{ReadOnly: true})
	if err != nil {
		return "", done, errors.Join(storeError(err), done())
	}
	o.Store = db
	done = func() error { return errors.Join(db.Close(), os.RemoveAll(tmp)) }
	o.Board = func(ctx context.Context) (*leaderboard.Board, error) { return p.boardOf(ctx, pubs) }
	if len(pubs) == 1 {
		return "/run/" + pubs[0].Head.Run, done, nil
	}
	return "/leaderboard", done, nil
}

// publicationsIn lists a folder that is a publication, or those in it that are.
func publicationsIn(dir string) ([]string, error) {
	is := func(dir string) bool {
		st, err := os.Stat(filepath.Join(dir, publication.HeadFile))
		return err == nil && st.Mode().IsRegular()
	}
	if is(dir) {
		return []string{dir}, nil
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range list {
		if sub := filepath.Join(dir, e.Name()); e.IsDir() && is(sub) {
			out = append(out, sub)
		}
	}
	return out, nil
}

// keep records what a publication holds in a database.
func (p *Process) keep(pub *publication.Publication, dir, file string) error {
	db, err := store.Open(p.Context, file, store.Options{Create: true})
	if err != nil {
		return storeError(err)
	}
	source := ""
	if pub.Head.Bench == publication.BenchFile {
		source = filepath.Join(dir, publication.BenchFile)
	}
	faults, err := web.Keep(p.Context, db, pub, source)
	if err = errors.Join(err, db.Close()); err != nil {
		return fault(err)
	}
	if len(faults) > 0 {
		return usage("the publication of run %s: %s", pub.Head.Run, faults[0])
	}
	return nil
}

// boardOf ranks publications of one bench of agent tasks.
func (p *Process) boardOf(ctx context.Context, pubs []*publication.Publication) (*leaderboard.Board, error) {
	plan := pubs[0].Head.Plan
	o, err := p.open(plan.Bench)
	if err != nil {
		return nil, err
	}
	set, ok := o.set.(*tasks.Set)
	if !ok {
		return nil, fmt.Errorf("%s has the shape %s; a leaderboard is of agent tasks", o.bench.Name(), o.bench.Shape)
	}
	rel, err := leaderboard.Open(set, o.state.Digest)
	if err != nil {
		return nil, err
	}
	var rows []*leaderboard.Row
	var refused []leaderboard.Refusal
	for _, pub := range pubs {
		run, err := rel.Read(ctx, pub)
		if err != nil {
			return nil, err
		}
		r, no := rel.Admit(run)
		rows, refused = append(rows, r...), append(refused, no...)
	}
	return rel.Table(rows, refused), nil
}

// browse opens an address in this machine's browser, which the program does not wait for.
func browse(ctx context.Context, at string) error {
	name, args := "xdg-open", []string{at}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", at}
	}
	cmd := exec.CommandContext(ctx, name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait()
	return nil
}
