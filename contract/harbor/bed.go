package harbor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// bed is a folder in which a package's parts run as processes, laid out as its image files say:
//
//	main/      what the agent's image has        private/   the channel of world and verifier, closed to the agent
//	world/     what the world's image has        handoff/   what the agent is given of the world
//	solution/  for the oracle alone              tests/     put there after the agent ended
//	logs/      what the verifier leaves
type bed struct {
	dir   string
	from  string // the package's folder
	files Files
	agent user
	world *exec.Cmd
	said  *bytes.Buffer // by the world, on standard error
	ended chan error
}

// agentUID is the user that the agent's image makes.
const agentUID = 10001

// Bounds of a package's parts, generous since machines are busy.
const (
	untilReady = 60 * time.Second
	untilDone  = 3 * time.Minute
)

func (b *bed) path(elem string) string { return filepath.Join(b.dir, filepath.FromSlash(elem)) }

// lay makes the folders, and puts into main/ and world/ what their image files copy.
func (b *bed) lay() error {
	for _, d := range []string{"main/workspace", "world", "handoff", "logs"} {
		if err := os.MkdirAll(b.path(d), 0o755); err != nil {
			return err
		}
	}
	for image, to := range map[string]string{agentImage: "main", worldImage: "world"} {
		for _, line := range strings.Split(string(b.files[image].Data), "\n") {
			w := strings.Fields(line)
			if len(w) == 0 || w[0] != "COPY" {
				continue
			}
			w = slices.DeleteFunc(w[1:], func(s string) bool { return strings.HasPrefix(s, "--") })
			if len(w) != 2 || !path.IsAbs(w[1]) {
				return fmt.Errorf("%s: %q is no COPY of one thing to one place", image, line)
			}
			if err := b.put("environment/"+w[0], to+path.Clean(w[1])); err != nil {
				return fmt.Errorf("%s: %w", image, err)
			}
		}
	}
	if err := os.Chmod(b.path("world"), 0o700); err != nil { // another container's, where there are any
		return err
	}
	return b.agent.own(b.path("main/workspace"))
}

// put puts a file or folder of the package into its place. It is linked where that can be: nobody writes to it.
func (b *bed) put(from, to string) error {
	found := false
	for _, n := range b.files.Names() {
		rest, ok := strings.CutPrefix(n, from)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		found = true
		src, dst := filepath.Join(b.from, filepath.FromSlash(n)), b.path(to+rest)
		if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
			return err
		}
		if os.Link(src, dst) == nil {
			continue
		}
		if err := os.WriteFile(dst, b.files[n].Data, b.files[n].mode()); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("the package holds no %s", from)
	}
	return nil
}

// environ is what a process without a container finds its way by. Nothing of this process's own environment is in it.
func (b *bed) environ() []string {
	return []string{"PATH=" + b.path("main/usr/local/bin"), "HOME=" + b.path("main/workspace"), "TMPDIR=" + b.path("main/workspace"), "TZ=UTC", "LC_ALL=C",
		programVar + "=" + b.path("main/usr/local/bin/assay"), handoffVar + "=" + b.path("handoff/"+handoffName)}
}

func command(ctx context.Context, dir string, env []string, name string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	c, said := exec.CommandContext(ctx, name, args...), &bytes.Buffer{}
	c.Dir, c.Env, c.Stderr, c.WaitDelay = dir, env, said, 5*time.Second
	return c, said
}

func tail(said *bytes.Buffer) string {
	s := strings.Join(strings.Fields(said.String()), " ")
	if len(s) > 400 {
		s = "…" + strings.ToValidUTF8(s[len(s)-400:], "")
	}
	if s == "" {
		return "it said nothing"
	}
	return s
}

// start starts the world by its image's own entry, from the program that the package holds, and waits until it can be reached.
func (b *bed) start(ctx context.Context) error {
	var args []string
	for _, line := range strings.Split(string(b.files[worldImage].Data), "\n") {
		if entry, ok := strings.CutPrefix(line, "ENTRYPOINT "); ok {
			if err := json.Unmarshal([]byte(entry), &args); err != nil || len(args) == 0 {
				return fmt.Errorf("%s: the entry is no list of words", worldImage)
			}
		}
	}
	if len(args) == 0 {
		return fmt.Errorf("%s: has no entry", worldImage)
	}
	for i, a := range args {
		switch {
		case a == worldAddr:
			args[i] = "127.0.0.1:0" // processes share the machine's ports, as containers do not
		case a == privateDir, a == handoffDir, strings.HasPrefix(a, handoffDir+"/"):
			args[i] = b.path(a)
		case path.IsAbs(a):
			args[i] = b.path("world" + path.Clean(a))
		}
	}
	b.world, b.said = command(ctx, b.path("world"), []string{"HOME=" + b.path("world"), "TMPDIR=" + b.path("world"), "TZ=UTC", "LC_ALL=C"}, args[0], args[1:]...)
	b.ended = make(chan error, 1)
	if err := b.world.Start(); err != nil {
		return fmt.Errorf("the world does not start: %w", err)
	}
	go func() { b.ended <- b.world.Wait() }()
	for limit := time.Now().Add(untilReady); ; time.Sleep(3 * time.Millisecond) {
		if _, err := os.Stat(b.path("handoff/" + handoffName)); err == nil {
			return nil
		}
		select {
		case err := <-b.ended:
			b.ended <- err
			return fmt.Errorf("the world ended at once (%v): %s", err, tail(b.said))
		default:
		}
		if time.Now().After(limit) {
			return fmt.Errorf("the world is not ready after %s: %s", untilReady, tail(b.said))
		}
	}
}

// stop ends the world. A world that has to be killed, or that ends with a fault, is one.
func (b *bed) stop() error {
	if b.world == nil || b.world.Process == nil {
		return nil
	}
	if err := b.world.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case err := <-b.ended:
		if err != nil {
			return fmt.Errorf("the world ended with %w: %s", err, tail(b.said))
		}
		return nil
	case <-time.After(30 * time.Second):
		return errors.Join(errors.New("the world does not end; it was killed"), b.world.Process.Kill())
	}
}

// solve runs the package's own solution as the agent's user.
func (b *bed) solve(ctx context.Context) error {
	if err := b.put("solution", "solution"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, untilDone)
	defer cancel()
	c, said := command(ctx, b.path("main/workspace"), b.environ(), "/bin/sh", b.path(solveFile))
	b.agent.become(c)
	if err := c.Run(); err != nil {
		return fmt.Errorf("the package's own solution fails (%w): %s", err, tail(said))
	}
	return nil
}

// peek tries, as the agent's user, to come to the private part: to its token by the shell, and to the world's answers by the
// program. It reports what it came to.
func (b *bed) peek(ctx context.Context) (reached []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, untilDone)
	defer cancel()
	for _, try := range []struct {
		what string
		args []string
	}{
		{"the token of the private channel", []string{"/bin/sh", "-c", `read -r x < "$1"`, "sh", b.path("private/token")}},
		{"the world's own files", []string{"/bin/sh", "-c", `cd "$1"`, "sh", b.path("world")}},
		{"the package's own files", []string{"/bin/sh", "-c", `cd "$1"`, "sh", b.from}},
		{"the folder of the private channel", []string{"/bin/sh", "-c", `cd "$1"`, "sh", b.path("private")}},
		{"the private channel", []string{b.path("main/usr/local/bin/assay"), "harbor", "health", b.path("private")}},
	} {
		c, _ := command(ctx, b.path("main/workspace"), b.environ(), try.args[0], try.args[1:]...)
		b.agent.become(c)
		err := c.Run()
		if _, refused := errors.AsType[*exec.ExitError](err); err != nil && !refused {
			return nil, err
		}
		if err == nil {
			reached = append(reached, try.what)
		}
	}
	return reached, nil
}

// verify runs the package's verifier, after the tests have been put there.
func (b *bed) verify(ctx context.Context) error {
	if err := b.put("tests", "tests"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, untilDone)
	defer cancel()
	env := append(b.environ(), testsVar+"="+b.path("tests"), privateVar+"="+b.path("private"), logsVar+"="+b.path("logs"))
	c, said := command(ctx, b.dir, env, "/bin/sh", b.path(testFile))
	if err := c.Run(); err != nil {
		return fmt.Errorf("the package's verifier fails (%w): %s", err, tail(said))
	}
	return nil
}

// remove takes the bed away.
func (b *bed) remove() error {
	err := os.RemoveAll(b.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
