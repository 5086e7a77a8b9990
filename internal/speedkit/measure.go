//go:build unix

package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// sample is one measured process.
type sample struct {
	wall time.Duration
	cpu  time.Duration
	rss  int64 // bytes, of the largest process
}

// subject is one command to measure; it must be fresh every time.
type subject struct {
	name    string
	command func(run int) *exec.Cmd
	samples []sample
}

// measure builds the programs, starts the mock and runs the subjects in turn (A B C A B C …), so that a machine whose
// speed drifts disturbs all alike.
func measure(args []string) error {
	f := flag.NewFlagSet("measure", flag.ExitOnError)
	n := f.Int("n", 1000, "items")
	runs := f.Int("runs", 5, "counted runs of each")
	delay := f.Duration("delay", 0, "the mock's delay")
	workers := f.Int("c", 8, "concurrency")
	dir := f.String("dir", "", "folder to work in, on a real disk (default: a new one below the working folder)")
	promptfoo := f.String("promptfoo", "", "the promptfoo program, to be measured beside")
	most := f.Float64("most", 0, "fail when assay's median wall time is more than this many times the client's")
	mostRSS := f.Int64("most-mb", 0, "fail when assay's peak memory is more than this many MB")
	least := f.Float64("least", 0, "fail when promptfoo's median is less than this many times assay's")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		d, err := os.MkdirTemp(".", "speed-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(d)
		*dir = d
	}
	abs, err := filepath.Abs(*dir)
	if err != nil {
		return err
	}
	for name, pkg := range map[string]string{"assay": "./cmd/assay", "mock": "./internal/mockserver", "kit": "./internal/speedkit"} {
		build := exec.Command("go", "build", "-o", filepath.Join(abs, name), pkg)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("build %s: %w", pkg, err)
		}
	}
	url, stop, err := startMock(filepath.Join(abs, "mock"), *delay)
	if err != nil {
		return err
	}
	defer stop()
	if err := generate(abs, *n, url, *workers); err != nil {
		return err
	}
	prove := exec.Command(filepath.Join(abs, "assay"), "check", filepath.Join(abs, "bench"))
	prove.Env = append(os.Environ(), "ASSAY_STATE="+abs)
	if out, err := prove.CombinedOutput(); err != nil {
		return fmt.Errorf("assay check: %w: %s", err, out)
	}
	subjects := []*subject{assaySubject(abs, url, *workers), clientSubject(abs, url, *workers)}
	if *promptfoo != "" {
		subjects = append(subjects, promptfooSubject(abs, *promptfoo, *workers))
	}
	for run := range *runs + 1 { // the first is a warm-up
		for _, s := range subjects {
			m, err := s.run(run)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if run > 0 {
				s.samples = append(s.samples, m)
			}
		}
	}
	return judge(os.Stdout, subjects, *n, *most, *mostRSS, *least)
}

func assaySubject(dir, url string, workers int) *subject {
	return &subject{name: "assay", command: func(run int) *exec.Cmd {
		db := filepath.Join(dir, fmt.Sprintf("run-%d.db", run))
		c := exec.Command(filepath.Join(dir, "assay"), "run", filepath.Join(dir, "bench"), "--model", "openai/mock@"+url,
			"--concurrency", fmt.Sprint(workers), "--quiet", "--db", db)
		c.Env = append(os.Environ(), "ASSAY_STATE="+dir)
		return c
	}}
}

func clientSubject(dir, url string, workers int) *subject {
	return &subject{name: "least client", command: func(run int) *exec.Cmd {
		return exec.Command(filepath.Join(dir, "kit"), "client", "-url", url, "-requests", filepath.Join(dir, "requests.jsonl"),
			"-o", filepath.Join(dir, fmt.Sprintf("replies-%d.jsonl", run)), "-c", fmt.Sprint(workers))
	}}
}

func promptfooSubject(dir, program string, workers int) *subject {
	return &subject{name: "promptfoo", command: func(run int) *exec.Cmd {
		c := exec.Command(program, "eval", "-c", filepath.Join(dir, "promptfoo.yaml"), "--no-cache", "--no-table", "--no-progress-bar", "-j", fmt.Sprint(workers))
		c.Env = append(os.Environ(), "PROMPTFOO_CONFIG_DIR="+filepath.Join(dir, fmt.Sprintf("promptfoo-%d", run)), "PROMPTFOO_DISABLE_TELEMETRY=1",
			"PROMPTFOO_DISABLE_UPDATE=1", "PROMPTFOO_DISABLE_REMOTE_GENERATION=1", "OPENAI_API_KEY=none")
		return c
	}}
}

func (s *subject) run(n int) (sample, error) {
	cmd := s.command(n)
	var errs strings.Builder
	cmd.Stderr = &errs
	cmd.Stdout = io.Discard
	start := time.Now()
	err := cmd.Run()
	m := sample{wall: time.Since(start)}
	if err != nil {
		if ee, ok := errors.AsType[*exec.ExitError](err); !ok || s.name != "promptfoo" || ee.ExitCode() != 100 { // 100: some tests failed
			return m, fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
		}
	}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		m.rss = u.Maxrss * 1024
		m.cpu = time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return m, nil
}

func startMock(program string, delay time.Duration) (url string, stop func(), err error) {
	cmd := exec.Command(program, "-addr", "127.0.0.1:0", "-delay", delay.String(), "-answer", answer)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", nil, fmt.Errorf("the mock said nothing: %w", err)
	}
	line = strings.TrimSpace(line)
	if i := strings.Index(line, "http://"); i >= 0 {
		line = strings.Fields(line[i:])[0]
	}
	return line, func() { cmd.Process.Kill(); cmd.Wait() }, nil
}

func median[T any](list []sample, get func(sample) T, less func(a, b T) int) T {
	v := make([]T, len(list))
	for i, s := range list {
		v[i] = get(s)
	}
	slices.SortFunc(v, less)
	return v[len(v)/2]
}

func (s *subject) wall() time.Duration {
	return median(s.samples, func(m sample) time.Duration { return m.wall }, func(a, b time.Duration) int { return int(a - b) })
}

func (s *subject) rss() int64 {
	return median(s.samples, func(m sample) int64 { return m.rss }, func(a, b int64) int { return int(a - b) })
}

func judge(w io.Writer, subjects []*subject, n int, most float64, mostMB int64, least float64) error {
	base := subjects[0].wall()
	fmt.Fprintf(w, "%d items, medians of %d runs in turn\n%-14s %12s %12s %10s %16s\n", n, len(subjects[0].samples), "", "wall", "cpu", "peak MB", "wall / assay's")
	for _, s := range subjects {
		cpu := median(s.samples, func(m sample) time.Duration { return m.cpu }, func(a, b time.Duration) int { return int(a - b) })
		fmt.Fprintf(w, "%-14s %12s %12s %10.1f %16.2f\n", s.name, s.wall().Round(time.Millisecond), cpu.Round(time.Millisecond), float64(s.rss())/1e6, float64(s.wall())/float64(base))
	}
	var faults []error
	if ratio := float64(base) / float64(subjects[1].wall()); most > 0 && ratio > most {
		faults = append(faults, fmt.Errorf("assay took %.2f times the least client's time; at most %.2f is wanted", ratio, most))
	}
	if mb := subjects[0].rss() / 1e6; mostMB > 0 && mb > mostMB {
		faults = append(faults, fmt.Errorf("assay took %d MB; at most %d is wanted", mb, mostMB))
	}
	if len(subjects) > 2 && least > 0 && float64(subjects[2].wall())/float64(base) < least {
		faults = append(faults, fmt.Errorf("promptfoo took only %.1f times assay's time; at least %.1f is wanted", float64(subjects[2].wall())/float64(base), least))
	}
	return errors.Join(faults...)
}
