package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract/harbor"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/qualify"
	"github.com/assaybench/assay/realism"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/leaderboard"
)

// replays gives an audit what it needs to execute: the qualification, the leaderboard that is put to the test, packages that
// are run from their bytes, and other processes that judge the same.
func (p *Process) replays(r *realism.Release, ref string, set *tasks.Set) {
	r.Qualify(qualify.Dir(p.proofDir()), func(task string, done, total int) { p.notef("qualifying %d/%d %s", done, total, task) })
	r.Board = func(ctx context.Context) ([]realism.BoardTrial, error) {
		return leaderboard.Trial(ctx, set, r.State.Digest)
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		var program []byte
		r.Packages = func(ctx context.Context, s *realism.Subject) (*realism.PackageProof, error) {
			if program == nil {
				b, err := harbor.OwnProgram(ctx, filepath.Join(p.stateDir(), "programs"))
				if err != nil {
					return nil, err
				}
				program = b
			}
			p.notef("running the package of %s from its bytes", s.ID)
			return packageProof(ctx, set, s.ID, program)
		}
	}
	if exe, err := os.Executable(); err == nil && isProgram(exe) {
		r.Elsewhere = func(ctx context.Context, s *realism.Subject, _ []byte) ([]string, error) {
			return p.elsewhere(ctx, exe, ref, set, s.ID)
		}
	}
}

// isProgram says whether an executable is the command line, under whatever name it was built: everything but a binary of
// tests, which would run its tests again where it is asked for a verdict.
func isProgram(exe string) bool {
	return !strings.HasSuffix(strings.TrimSuffix(filepath.Base(exe), ".exe"), ".test")
}

// packageProof exports and proves a task's package. A release that cannot be exported is a finding about it, and no fault.
func packageProof(ctx context.Context, set *tasks.Set, id string, program []byte) (*realism.PackageProof, error) {
	rec, err := harbor.ProveTask(ctx, set, id, harbor.Options{Binary: program}, "")
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return &realism.PackageProof{Problems: []string{err.Error()}}, nil
	}
	digest, err := rec.Digest()
	if err != nil {
		return nil, err
	}
	problems := rec.Problems
	if err := rec.Proven(); err != nil && len(problems) == 0 {
		problems = []string{err.Error()}
	}
	return &realism.PackageProof{Content: rec.Content, Receipt: digest, Way: rec.Way, Oracle: rec.Oracle.Reward, Noop: rec.Noop.Reward, Files: rec.RoundTrip.Files,
		Same: rec.RoundTrip.Same, Private: rec.Private != "reached", Problems: problems}, nil
}

// surroundings are other surroundings in which a verdict must be the same.
var surroundings = [][]string{
	{"TZ=Pacific/Kiritimati", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8"},
	{"TZ=America/St_Johns", "LANG=C", "LC_ALL=C"},
}

// elsewhere judges the reference by the command line in other processes, and holds what they print against this one.
func (p *Process) elsewhere(ctx context.Context, exe, ref string, set *tasks.Set, id string) ([]string, error) {
	controls, err := set.Controls(id)
	if err != nil {
		return nil, err
	}
	v, err := set.Grade(ctx, id, record.Transcript{Outcome: record.Answered, Answer: controls[0].Answer})
	if err != nil {
		return nil, err
	}
	want, err := record.Canonical(v)
	if err != nil {
		return nil, err
	}
	if isPath(ref) {
		ref = p.path(ref)
	}
	var out []string
	for _, env := range surroundings {
		cmd := exec.CommandContext(ctx, exe, "grade", ref, id, "-", "--json")
		cmd.Env = env
		for _, name := range []string{"PATH", "HOME", "TMPDIR", "ASSAY_STATE"} {
			if v := p.Getenv(name); v != "" {
				cmd.Env = append(cmd.Env, name+"="+v)
			}
		}
		cmd.Stdin = strings.NewReader(controls[0].Answer)
		b, err := cmd.Output()
		if err != nil {
			return out, fmt.Errorf("judged with %s: %w", env[0], err)
		}
		got := jsontext.Value(bytes.TrimSpace(b))
		if err := got.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
			return out, err
		}
		if string(got) != string(want) {
			return out, errors.New("with " + strings.Join(env, " ") + " the verdict is another")
		}
		out = append(out, strings.Join(env[:2], " "))
	}
	return out, nil
}
