package check

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/token"
	"github.com/assaybench/assay/sandbox"
)

// shellRule runs the candidate's one line with bash -c in a throwaway copy of each case's folder and compares standard
// output, trimmed. The hardened cases run too, but only as a diagnostic.
type shellRule struct {
	Cases    []shellCase `json:"cases"`
	Hardened []shellCase `json:"hardened,omitempty"`
	Timeout  string      `json:"timeout"`
	timeout  time.Duration
}

type shellCase struct {
	Folder string `json:"folder"` // below fixtures/
	Stdout string `json:"stdout"`
	files  map[string][]byte
}

func (r *shellRule) params() any { return r }

func (r *shellRule) words() string {
	parts := make([]string, len(r.Cases))
	for i, c := range r.Cases {
		parts[i] = fmt.Sprintf("%q in a copy of %s", c.Stdout, c.Folder)
	}
	s := "the reply is one line; run with bash -c in a sandbox, it prints " + strings.Join(parts, "; ") + " (white space trimmed; " + r.Timeout + " each)"
	if len(r.Hardened) > 0 {
		s += fmt.Sprintf("; %d further folders are run as a diagnostic", len(r.Hardened))
	}
	return s
}

func (r *shellRule) judge(ctx context.Context, in *input) result {
	p, bad := oneLine(in.text)
	if bad != nil {
		return *bad
	}
	if in.box == nil {
		return ungradable(in.nobox)
	}
	line := p.Of(in.text)
	for _, c := range r.Cases {
		got, why, err := r.run(ctx, in, line, c)
		switch {
		case err != nil:
			return ungradable("the sandbox failed: " + err.Error())
		case why != "":
			return failAt(p, why, fmt.Sprintf("%q in %s", c.Stdout, c.Folder), got)
		}
	}
	res := pass("the right output in each folder", "so")
	if len(r.Hardened) > 0 && !in.diagno {
		res.diag = map[string]any{"hardened": r.harden(ctx, in, line)}
	}
	return res
}

// run gives what a line printed in a case's folder, and why that is wrong, if it is. "A candidate that exceeds its limit
// is wrong, not an error."
func (r *shellRule) run(ctx context.Context, in *input, line string, c shellCase) (got, why string, err error) {
	res, err := in.execute(ctx, sandbox.Job{Files: c.files, Argv: []string{"bash", "--noprofile", "--norc", "-c", line}, Limits: sandbox.Limits{Wall: r.timeout, CPU: r.timeout}})
	if err != nil {
		return "", "", err
	}
	got = strings.TrimSpace(string(res.Stdout))
	switch {
	case res.Stopped != "":
		return fmt.Sprintf("%q", clip(strings.ToValidUTF8(got, "�"))), "the line exceeded its limit (" + res.Stopped + ")", nil
	case got == c.Stdout:
		return got, "", nil
	case got == "" && len(res.Stderr) > 0:
		first, _, _ := strings.Cut(strings.ToValidUTF8(string(res.Stderr), "�"), "\n")
		return "nothing", fmt.Sprintf("the line printed nothing in %s and complained: %s", c.Folder, clip(first)), nil
	}
	return fmt.Sprintf("%q", clip(strings.ToValidUTF8(got, "�"))), "another output in " + c.Folder, nil
}

// harden says how the line does on the further folders; it decides nothing.
func (r *shellRule) harden(ctx context.Context, in *input, line string) map[string]any {
	for _, c := range r.Hardened {
		got, why, err := r.run(ctx, in, line, c)
		switch {
		case err != nil:
			return map[string]any{"pass": nil, "why": err.Error()}
		case why != "":
			return map[string]any{"pass": false, "why": why, "got": got, "expected": c.Stdout}
		}
	}
	return map[string]any{"pass": true}
}

const (
	defaultTimeout = 15 * time.Second
	maxTimeout     = 5 * time.Minute
)

func init() {
	register(kind{name: "shell", version: 1, executes: true, mutate: mutateOneLine,
		doc:     "runs the reply, one line, with bash -c in a sandbox: {cases: [{folder: F, stdout: S}…], hardened: [… diagnostic only], timeout: 15s}",
		compile: compileShell})
}

func compileShell(c *compiler, n *bench.Node) (rule, error) {
	f := bench.NewFields(n)
	r := &shellRule{}
	r.timeout = readTimeout(f, n)
	r.Timeout = r.timeout.String()
	if f.Need("cases") != nil {
		r.Cases = c.shellCases(f, "cases")
	}
	r.Hardened = c.shellCases(f, "hardened")
	return r, f.Done()
}

// readTimeout reads the key timeout, which both execution kinds have.
func readTimeout(f *bench.Fields, n *bench.Node) time.Duration {
	if f.Node("timeout") == nil {
		return defaultTimeout
	}
	d := f.Duration("timeout")
	if d > maxTimeout {
		f.Fault(n.Get("timeout").Errorf("a timeout of at most %s is wanted", maxTimeout))
	}
	return d
}

func (c *compiler) shellCases(f *bench.Fields, key string) []shellCase {
	n := f.Node(key)
	if n == nil {
		return nil
	}
	if n.Kind != bench.List || len(n.Values) == 0 {
		f.Fault(n.Errorf("%s is a list of {folder, stdout}", key))
		return nil
	}
	var out []shellCase
	for _, v := range n.Values {
		cf := bench.NewFields(v)
		sc := shellCase{Folder: cf.NeedText("folder"), Stdout: token.Trim(cf.NeedText("stdout"))}
		if sc.Folder != "" {
			var err error
			sc.files, err = c.folder(v.Get("folder"), sc.Folder)
			cf.Fault(err)
		}
		f.Fault(cf.Done())
		out = append(out, sc)
	}
	return out
}

// folder reads a fixture folder whole.
func (c *compiler) folder(n *bench.Node, name string) (map[string][]byte, error) {
	if !fs.ValidPath(name) {
		return nil, n.Errorf("%q is not a path below fixtures/", name)
	}
	root := path.Join("fixtures", name)
	out := map[string][]byte{}
	err := fs.WalkDir(c.bench.FS, root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := c.bench.Fixture(strings.TrimPrefix(p, "fixtures/"))
		out[strings.TrimPrefix(p, root+"/")] = data
		return err
	})
	if err != nil || len(out) == 0 {
		return nil, &missingFixture{n.Errorf("the fixture folder %q has no files below fixtures/", name)}
	}
	return out, nil
}
