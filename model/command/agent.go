package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/sandbox"
)

// Agent is how a program works on agent tasks.
type Agent struct {
	// Environ is what an unsealed program gets beside the ASSAY_ variables; nil means this process's own environment.
	Environ []string
	// Box seals the program off; nil: it runs as the user, and its episodes are never ranked.
	Box *sandbox.Box
	// Env is all of the environment that a sealed program is handed down: NAME=value.
	Env []string
	// Folders of this machine are shown to a sealed program, Hidden ones never.
	Folders, Hidden []string
	// Model is what the program is to think with; the zero value leaves it to the program.
	Model Thinker
}

// Thinker is a model that an agent's program calls by itself.
type Thinker struct {
	Spec     model.Spec
	Endpoint string // its server's base address
	// Dial opens connections in place of a net.Dialer.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Where a sealed program finds what it is given.
const (
	insideProgram  = "/agent/"
	insideRequest  = "/task/request.txt"
	insideEvidence = "/task/evidence"
)

// NewAgent makes the agent command/PATH; path is read as New reads it. Its name ends in the model's where it has one. The box
// becomes the agent's, which closes it.
func NewAgent(path string, a Agent) (model.Model, error) {
	m, err := New(path, a.Environ)
	if err != nil {
		return nil, errors.Join(err, closeBox(a.Box))
	}
	c := m.(*command)
	c.agent = &a
	if s := a.Model.Spec; s.Raw != "" {
		c.name += " with " + s.Raw
		if a.Box != nil {
			if _, err := a.reach(); err != nil {
				return nil, errors.Join(err, closeBox(a.Box))
			}
		}
	}
	if !strings.Contains(path, "/") && a.Box != nil {
		if real, err := filepath.EvalSymlinks(c.path); err == nil {
			c.path = real // a name in PATH is often a link into the program's own folder
		}
	}
	var once sync.Once
	var version string
	c.version = func(ctx context.Context) string {
		once.Do(func() { version = c.askVersion(ctx) })
		return version
	}
	return c, nil
}

func closeBox(b *sandbox.Box) error {
	if b == nil {
		return nil
	}
	return b.Close()
}

// Close gives back the sandbox.
func (c *command) Close() error {
	if c.agent == nil {
		return nil
	}
	return closeBox(c.agent.Box)
}

// Sealed reports whether the program is kept in a sandbox.
func (c *command) Sealed() bool { return c.agent != nil && c.agent.Box != nil }

// modelVars tell the program what to think with. The address of a sealed program is the one that answers where it is.
func (a *Agent) modelVars() []string {
	s := a.Model.Spec
	if s.Raw == "" {
		return nil
	}
	at := a.Model.Endpoint
	if a.Box != nil {
		if way, err := a.reach(); err == nil {
			at = way.url
		}
	}
	return []string{prefix + "MODEL=" + env(s.Raw), prefix + "MODEL_PROVIDER=" + s.Provider, prefix + "MODEL_NAME=" + env(s.Name), prefix + "MODEL_URL=" + at}
}

// worldVars tell the program where its world is.
func worldVars(w *model.World) []string {
	if w == nil {
		return nil
	}
	return append(slices.Clone(w.Env), prefix+"REQUEST="+w.Request, prefix+"EVIDENCE="+w.Evidence)
}

// way leads from inside a sandbox to a model's server.
type way struct {
	url   string // as it is written inside
	reach sandbox.Reach
}

// reach says how the model's server is found inside. A name stays what it is, since certificates and virtual hosts go by it; an
// address that is not this machine's own becomes it, which TLS does not take.
func (a *Agent) reach() (*way, error) {
	u, err := url.Parse(a.Model.Endpoint)
	if err != nil || u.Hostname() == "" {
		return nil, fmt.Errorf("model %q: its server's address %q is no URL", a.Model.Spec.Raw, a.Model.Endpoint)
	}
	host, port := u.Hostname(), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	w := &way{}
	switch ip := net.ParseIP(host); {
	case ip == nil:
		w.reach.Names = []string{host}
		if u.Scheme == "https" {
			w.reach.Server = host
		}
	case ip.String() == "127.0.0.1":
	case u.Scheme == "https":
		return nil, fmt.Errorf("model %q: give its server by name: a certificate for the address %s is worth nothing in a sandbox, where the server answers on 127.0.0.1", a.Model.Spec.Raw, host)
	default:
		u.Host = net.JoinHostPort("127.0.0.1", port)
	}
	dial := a.Model.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	w.url = u.String()
	w.reach.Address = net.JoinHostPort("127.0.0.1", port)
	w.reach.Dial = func(ctx context.Context) (net.Conn, error) { return dial(ctx, "tcp", net.JoinHostPort(host, port)) }
	return w, nil
}

// inside is the program as a sandbox's agent, without a network yet.
func (c *command) inside(args ...string) sandbox.Agent {
	a := sandbox.Agent{Folders: c.agent.Folders, Hidden: append(ownProgram(), c.agent.Hidden...), Env: slices.Clone(c.agent.Env)}
	at := c.path
	if !c.inView() {
		at = insideProgram + filepath.Base(c.path)
		a.Shown = []sandbox.Shown{{Path: at, Source: c.path, Execute: true}}
	}
	a.Argv = append([]string{at}, args...)
	return a
}

// inView says whether the program is in a sandbox by its own path.
func (c *command) inView() bool {
	in := func(dir string) bool {
		rel, err := filepath.Rel(dir, c.path)
		return err == nil && filepath.IsLocal(rel)
	}
	return slices.ContainsFunc([]string{"/usr/bin", "/usr/lib", "/usr/share"}, in) || slices.ContainsFunc(c.agent.Folders, in)
}

// runSealed runs the program where nothing but its world and its model's server answers.
func (c *command) runSealed(ctx context.Context, vars []string, w *model.World, input []byte) result {
	a := c.inside()
	a.Stdin = input
	a.Env = append(a.Env, vars...)
	if w != nil {
		shown, err := taskFiles(w)
		if err != nil {
			return result{start: err}
		}
		a.Shown = append(a.Shown, shown...)
		inside := *w
		inside.Request, inside.Evidence = insideRequest, insideEvidence
		a.Env = append(a.Env, worldVars(&inside)...)
		a.Reach = append(a.Reach, sandbox.Reach{Address: w.Address, Dial: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", w.Address)
		}})
	}
	if c.agent.Model.Spec.Raw != "" {
		way, err := c.agent.reach()
		if err != nil {
			return result{start: err}
		}
		a.Reach = append(a.Reach, way.reach)
	}
	r, err := c.agent.Box.RunAgent(ctx, a)
	if err != nil {
		if ctx.Err() != nil {
			return result{ended: true}
		}
		return result{start: err}
	}
	res := result{stdout: r.Stdout, stderr: r.Stderr[max(0, len(r.Stderr)-maxStderr):], exit: r.Exit}
	switch {
	case r.Stopped == sandbox.StoppedOutput:
		res.tooBig = true
	case r.Stopped != "":
		res.how = "stopped by the sandbox, for its " + r.Stopped
	case r.Exit == 126 || r.Exit == 127:
		res.how = fmt.Sprintf("exit %d in a sandbox where only the system's own programs are seen (--agent-see shows a folder)", r.Exit)
	case r.Exit != 0:
		res.how = fmt.Sprintf("exit %d", r.Exit)
	}
	return res
}

// taskFiles are the request and the evidence as a sealed program sees them.
func taskFiles(w *model.World) ([]sandbox.Shown, error) {
	out := []sandbox.Shown{{Path: insideRequest, Source: w.Request}, {Path: insideEvidence, Folder: true}}
	err := filepath.WalkDir(w.Evidence, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(w.Evidence, p)
		if err != nil {
			return err
		}
		out = append(out, sandbox.Shown{Path: insideEvidence + "/" + filepath.ToSlash(rel), Source: p})
		return nil
	})
	return out, err
}

// details are what decides whether two agents are the same, beside the program's own bytes.
func (c *command) details(ctx context.Context) map[string]string {
	d := map[string]string{"agent": filepath.Base(c.path), "sealed": "no"}
	if c.Sealed() {
		d["sealed"] = "yes"
	}
	if v := c.version(ctx); v != "" {
		d["agent_version"] = v
	}
	if s := c.agent.Model.Spec; s.Raw != "" {
		d["agent_model"] = s.Raw
	}
	return d
}

const versionTime = 5 * time.Second

var versionLine = regexp.MustCompile(`\d+\.\d+`)

// askVersion asks a program for its version where that can do no harm: sealed off, without a world, a network or a key. What it
// says is kept where it looks like a version.
func (c *command) askVersion(ctx context.Context) string {
	if !c.Sealed() {
		return ""
	}
	a := c.inside("--version")
	a.Env = nil
	a.Limits = sandbox.AgentLimits()
	a.Limits.Wall, a.Limits.CPU, a.Limits.Output = versionTime, versionTime, 64<<10
	r, err := c.agent.Box.RunAgent(ctx, a)
	if err != nil || r.Exit != 0 || r.Stopped != "" {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(r.Stdout)), "\n")
	if first = strings.TrimSpace(first); len(first) > 100 || !versionLine.MatchString(first) {
		return ""
	}
	return model.OneLine(first, 0)
}

// ownProgram is where this program lies, which holds the shipped benches and is never seen by an agent.
func ownProgram() []string {
	exe, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{exe}
}
