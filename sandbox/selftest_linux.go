package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// selfTest runs attack lines in a box that is about to be trusted: read a
// planted secret that file permissions show to everyone, write where everyone
// may write, open a socket; and one honest line, since a box in which nothing
// works is no box. A tier is only ever judged by what it did, not by what the
// kernel or a program claims to support.
func selfTest(ctx context.Context, b *Box, parent string) (err error) {
	dir, err := os.MkdirTemp(parent, "assay-selftest-")
	if err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	defer func() { err = errors.Join(err, removeTree(dir)) }()
	const secret = "planted-8c1f"
	drop := filepath.Join(dir, "drop")
	err = errors.Join(
		os.WriteFile(filepath.Join(dir, "secret"), []byte(secret), 0o644),
		os.Mkdir(drop, 0o700),
		os.Chmod(filepath.Join(dir, "secret"), 0o644), // whatever the umask
		os.Chmod(drop, 0o777),
		os.Chmod(dir, 0o755),
	)
	if err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	// The folder is an argument, not part of the line, whatever its name holds.
	const line = `cat -- "$1/secret" /etc/shadow /etc/passwd
echo stolen > "$1/drop/file"
(exec 3<>/dev/udp/127.0.0.1/9) && echo socket-opened
(exec 3<>/dev/tcp/127.0.0.1/9) && echo socket-opened
read -r word < folder/given && echo "$word" > "$PWD/own" && cat -- "$PWD/own" && echo "env:$HOME:$LC_ALL:$SANDBOX_SELFTEST:"`
	r, err := b.Run(ctx, Job{
		Argv:   []string{"bash", "--noprofile", "--norc", "-c", line, "bash", dir},
		Files:  map[string][]byte{"folder/given": []byte("works\n")},
		Limits: Limits{Wall: 10 * time.Second},
	})
	if err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	dropped, err := os.ReadDir(drop)
	if err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	out := string(r.Stdout)
	switch {
	case strings.Contains(out, secret):
		return errors.New("self-test: a line could read a file outside its folder")
	case strings.Contains(out, "root:"):
		return errors.New("self-test: a line could read /etc")
	case len(dropped) > 0:
		return errors.New("self-test: a line could write outside its folder")
	case strings.Contains(out, "socket-opened"):
		return errors.New("self-test: a line could open a socket")
	case r.Stopped != "" || r.Exit != 0 || out != "works\nenv:/nonexistent:C.UTF-8::\n":
		return fmt.Errorf("self-test: an honest line failed (exit %d, stopped %q): %s", r.Exit, r.Stopped, tail(r.Stderr))
	}
	return nil
}
