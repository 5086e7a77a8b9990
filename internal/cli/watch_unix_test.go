//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/report"
)

// spawned is the program in a process, and a process group, of its own.
type spawned struct {
	*exec.Cmd
	out    bytes.Buffer
	errs   safeBuffer
	exited chan error
}

// spawn starts the program and calls see for each line that it says to people.
func (r *rig) spawn(see func(p *spawned, line string), args ...string) *spawned {
	r.Helper()
	return r.spawnWith(see, nil, nil, args...)
}

// spawnWith is spawn with these files as standard input and output, where they are not nil.
func (r *rig) spawnWith(see func(p *spawned, line string), in, out *os.File, args ...string) *spawned {
	r.Helper()
	self, err := os.Executable()
	if err != nil {
		r.Fatal(err)
	}
	p := &spawned{Cmd: exec.Command(self, args...), exited: make(chan error, 1)}
	p.Dir = r.dir
	p.Env = []string{"ASSAY_AS_COMMAND=1", "ASSAY_TEST_QUICK=1"}
	for k, v := range r.env {
		p.Env = append(p.Env, k+"="+v)
	}
	p.Stdout = &p.out
	if in != nil {
		p.Stdin = in
	}
	if out != nil {
		p.Stdout = out
	}
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said, err := p.StderrPipe()
	if err != nil {
		r.Fatal(err)
	}
	if err := p.Start(); err != nil {
		r.Fatal(err)
	}
	go func() {
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			p.errs.Write(append(lines.Bytes(), '\n'))
			if see != nil {
				see(p, lines.Text())
			}
		}
		p.exited <- p.Wait()
	}()
	r.Cleanup(func() { syscall.Kill(-p.Process.Pid, syscall.SIGKILL) })
	return p
}

// ended waits for the program's end, which must come soon and leave nothing of its process group.
func (r *rig) ended(p *spawned, code int) {
	r.Helper()
	select {
	case <-p.exited:
	case <-time.After(30 * time.Second):
		r.Fatalf("it does not end:\n%s", p.errs.String())
	}
	if got := p.ProcessState.ExitCode(); got != code {
		r.Errorf("exit %d, want %d\n%s", got, code, p.errs.String())
	}
	if err := syscall.Kill(-p.Process.Pid, 0); err != syscall.ESRCH {
		r.Errorf("something of its process group is left: %v", err)
	}
}

// TestInterruptedWatch: an interrupt in any phase of a watched run ends it soon, leaves no process and nothing running, and
// the same command goes on where it stopped.
func TestInterruptedWatch(t *testing.T) {
	t.Parallel()
	const items = 6
	for _, c := range []struct {
		name  string
		line  string // of what the program says, at which it is interrupted
		call  string // or the call: "calibration" or an item
		code  int
		want  string
		docs  int  // contention documents
		after bool // the document knows of the time after the run
	}{
		{name: "before", line: "before the run", code: 3, want: "interrupted: run ", docs: 0},
		{name: "alone", call: "calibration", code: 3, want: "has 0 of 6 attempts; the same command resumes it", docs: 0},
		{name: "during", call: itemName(2), code: 3, want: "attempts; the same command resumes it", docs: 1},
		{name: "after", line: "after the run", code: 0, want: "what came after the run was not watched whole", docs: 1, after: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.write(benchOf{items: items})
			var p atomic.Pointer[spawned]
			var once sync.Once // a second one ends the program at once
			interrupt := func() {
				if p := p.Load(); p != nil {
					once.Do(func() { p.Process.Signal(os.Interrupt) })
				}
			}
			s := &script{says: func(item string, _ int) modeltest.MockReply {
				reply := right()
				reply.Delay = 10 * time.Millisecond
				if item == c.call {
					interrupt()
					reply.Delay = 300 * time.Millisecond
				}
				return reply
			}}
			m, _ := r.mock(modeltest.MockOptions{Wire: modeltest.WireOllama, Reply: func(q modeltest.MockRequest) modeltest.MockReply {
				reply := s.reply(q)
				if strings.HasPrefix(q.User, "Write the numbers") && c.call == "calibration" {
					interrupt()
					reply.Delay = 300 * time.Millisecond
				}
				return reply
			}})
			args := []string{"run", "./bench", "--unproven", "--json", "--model", m, "--watch", service(t, 200, 0), "--watch-for", "400ms"}
			begun := make(chan struct{})
			p.Store(r.spawn(func(got *spawned, line string) {
				<-begun
				if c.line != "" && strings.Contains(line, c.line) {
					interrupt()
				}
			}, args...))
			close(begun)
			first := p.Load()
			r.ended(first, c.code)
			if !strings.Contains(first.errs.String(), c.want) {
				t.Errorf("no %q in %s", c.want, first.errs.String())
			}
			if whole := c.code == 0; whole != (first.out.Len() > 0) {
				t.Errorf("printed: %s", first.out.String())
			}
			res := r.result("latest")
			if len(res.Contention) != c.docs {
				t.Fatalf("%d documents, want %d", len(res.Contention), c.docs)
			}
			if c.docs > 0 {
				if d := res.Contention[0].Document; d == nil || d.Periods.Before == nil || d.Periods.During == nil || (d.Periods.After != nil) != c.after {
					t.Errorf("%+v", d)
				}
			}
			if c.name == "during" && res.Attempts.Answered != 2 {
				t.Errorf("%+v", res.Attempts.Counts)
			}
			// The same command.
			p.Store(nil)
			again := r.spawn(nil, args...)
			r.ended(again, 0)
			final := new(report.Result)
			if err := json.Unmarshal(again.out.Bytes(), final); err != nil {
				t.Fatalf("%v\n%s", err, again.errs.String())
			}
			if final.Run != res.Run || final.Figures[0].Passed != items || final.Attempts.Retried != 0 {
				t.Errorf("%+v", final.Figures[0])
			}
			for i := range items {
				if n := s.of(itemName(i)); n != 1 && !(c.call == itemName(i) && n == 2) {
					t.Errorf("%s was asked for %d times", itemName(i), n)
				}
			}
		})
	}
}

// TestSecondInterrupt ends the program at once; the same command goes on with what was on record.
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write(benchOf{items: 3})
	called := make(chan struct{})
	var once sync.Once
	m, _ := r.mock(modeltest.MockOptions{Reply: func(q modeltest.MockRequest) modeltest.MockReply {
		reply := right()
		if asked(q.User) == itemName(1) {
			once.Do(func() {
				close(called)
				reply.Delay = 20 * time.Second
			})
		}
		return reply
	}})
	args := []string{"run", "./bench", "--unproven", "--model", m}
	p := r.spawn(nil, args...)
	select {
	case <-called:
	case <-time.After(20 * time.Second):
		t.Fatalf("it was not asked for: %s", p.errs.String())
	}
	begun := time.Now()
	p.Process.Signal(os.Interrupt)
	p.Process.Signal(syscall.SIGTERM)
	r.ended(p, 3)
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	res := r.result("latest")
	if res.Attempts.Answered > 1 || res.Attempts.Error > 0 {
		t.Errorf("%+v", res.Attempts.Counts)
	}
	again := r.spawn(nil, args...)
	r.ended(again, 0)
	if final := r.result("latest"); final.Run != res.Run || final.Figures[0].Passed != 3 || final.Attempts.Retried != 0 {
		t.Errorf("%+v", final.Figures[0])
	}
}
