package contention

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

const (
	smiName     = "nvidia-smi"
	smiTimeout  = 3 * time.Second
	smiBytesMax = 64 << 10
	smiTries    = 3 // after so many failures in a row it is not asked again
	cardsMax    = 64
	nameMax     = 64
)

var smiArgs = []string{"--query-gpu=index,name,utilization.gpu,memory.used,memory.total", "--format=csv,noheader,nounits"}

// smiEnv names what nvidia-smi is given of the environment: what it needs to start, and no keys.
var smiEnv = []string{"PATH", "LD_LIBRARY_PATH", "SystemRoot", "SystemDrive", "windir", "ProgramFiles", "TEMP"}

// askSMI runs nvidia-smi once, within its own time limit. Errors are one line, without anything that the program said.
func askSMI(ctx context.Context, path string, getenv func(string) string, limit time.Duration) ([]AcceleratorLoad, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out := &bounded{most: smiBytesMax, over: cancel}
	cmd := exec.CommandContext(ctx, path, smiArgs...)
	cmd.Stdout = out
	cmd.WaitDelay = limit/4 + 1    // a child of it may hold the pipe open
	cmd.Env = []string{"LC_ALL=C"} // never nil, which would stand for the whole environment
	for _, name := range smiEnv {
		if v := getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	alone(cmd)
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		_ = endGroup(cmd) // it is over itself, but has left somebody behind who holds its output
	}
	if out.full {
		return nil, fmt.Errorf("%s wrote more than %d KiB", smiName, smiBytesMax>>10)
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, exec.ErrWaitDelay) {
		return nil, fmt.Errorf("%s did not answer within %v", smiName, limit)
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return nil, fmt.Errorf("%s failed (exit status %d)", smiName, exit.ExitCode())
	case err != nil:
		return nil, fmt.Errorf("%s could not be started", smiName)
	}
	return parseSMI(out.buf.String())
}

// bounded takes at most so many bytes, and ends the program that writes more. The buffer is not embedded: its ReadFrom
// would take everything.
type bounded struct {
	buf  bytes.Buffer
	most int
	full bool
	over func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > b.most {
		b.full = true
		b.over()
		return 0, errors.New("too much output")
	}
	return b.buf.Write(p)
}

// parseSMI reads lines of "0, NVIDIA RTX A6000, 37, 1024, 49140". A name can hold commas, so the numbers are taken from
// both ends.
func parseSMI(text string) ([]AcceleratorLoad, error) {
	var out []AcceleratorLoad
	seen := map[int64]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		fields := strings.Split(line, ",")
		n := len(fields)
		if n < 5 {
			return nil, errors.New(smiName + " wrote a line that is not an accelerator's")
		}
		index, err := strconv.ParseUint(strings.TrimSpace(fields[0]), 10, 16)
		if err != nil || seen[int64(index)] || len(out) == cardsMax {
			return nil, errors.New(smiName + " wrote a line that is not an accelerator's")
		}
		seen[int64(index)] = true
		a := AcceleratorLoad{Index: int64(index), Name: clip(printable(strings.Join(fields[1:n-3], ",")), nameMax)}
		for i, f := range []struct {
			into **int64
			most int64
		}{{&a.Busy, 100}, {&a.Used, 1 << 40}, {&a.Total, 1 << 40}} {
			if *f.into, err = smiNumber(fields[n-3+i], f.most); err != nil {
				return nil, err
			}
		}
		out = append(out, a)
	}
	if len(out) == 0 {
		return nil, errors.New(smiName + " knows of no accelerator")
	}
	return out, nil
}

// smiNumber reads a number, or nil for what nvidia-smi does not know: "[N/A]", "[Not Supported]", "N/A".
func smiNumber(s string, most int64) (*int64, error) {
	s = strings.TrimSpace(s)
	if s == "N/A" || len(s) > 2 && s[0] == '[' && s[len(s)-1] == ']' {
		return nil, nil
	}
	v, err := strconv.ParseUint(s, 10, 62)
	if err != nil || int64(v) > most {
		return nil, errors.New(smiName + " wrote a figure that is not a number in its range")
	}
	n := int64(v)
	return &n, nil
}
