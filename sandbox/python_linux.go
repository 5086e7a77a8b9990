package sandbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Python tells the version of the python3 that candidates get, such as
// "3.11.2". It asks once. The error is *NoPython when there is none that works;
// a python3 that is only in PATH, such as pyenv's, does not count.
func (b *Box) Python(ctx context.Context) (version string, err error) {
	b.python.Lock()
	defer b.python.Unlock()
	if b.python.version != "" || b.python.err != nil {
		return b.python.version, b.python.err
	}
	r, err := b.Run(ctx, Job{
		Argv:   []string{"python3", "-I", "-c", `import re, sys; print("python %d.%d.%d" % sys.version_info[:3])`},
		Limits: Limits{Wall: 30 * time.Second},
	})
	var missing *NoProgram
	v, ok := strings.CutPrefix(strings.TrimSpace(string(r.Stdout)), "python ")
	switch {
	case errors.As(err, &missing):
		b.python.err = noPython("there is none in /usr/bin")
	case err != nil:
		return "", err // not python's fault, and not for ever
	case r.Stopped != "" || r.Exit != 0 || !ok || v == "":
		b.python.err = noPython(fmt.Sprintf("it fails (exit %d, stopped %q): %s", r.Exit, r.Stopped, tail(r.Stderr)))
	default:
		b.python.version = v
	}
	return b.python.version, b.python.err
}

func noPython(reason string) error {
	return &NoPython{Reason: reason, Install: "install python3 (Debian, Ubuntu: apt-get install python3)"}
}
