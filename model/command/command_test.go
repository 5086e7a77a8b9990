//go:build unix

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	goleak.VerifyTestMain(m)
}

// program writes a shell script and makes a model of it.
func program(t testing.TB, script string) model.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	writeProgram(t, path, "#!/bin/sh\n"+script)
	m, err := New(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// writeProgram writes an executable file. No child that another test starts at this moment may inherit the open file, or
// executing it would fail ("text file busy").
func writeProgram(t testing.TB, path, text string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func ask(text string) model.Request {
	return model.Request{Key: record.Key{Item: "it", Posture: "plain", Repeat: 1}, Messages: []model.Message{{Role: "user", Text: text}}}
}

func TestConformance(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{
		Can: modeltest.CanEcho | modeltest.CanWait | modeltest.HasWire,
		New: func(t testing.TB, act modeltest.Act) model.Model {
			answer := filepath.Join(t.TempDir(), "answer")
			if err := os.WriteFile(answer, []byte(act.Answer), 0o600); err != nil {
				t.Fatal(err)
			}
			switch {
			case act.Echo:
				return program(t, "exec cat\n")
			case act.Delay > 0:
				return program(t, fmt.Sprintf("sleep %d\n", int(act.Delay.Seconds())))
			}
			return program(t, "exec cat '"+answer+"'\n")
		},
	})
}

func TestPromptAndEnvironment(t *testing.T) {
	t.Setenv("ASSAY_SEED", "left over from outside")
	m := program(t, `printf '%s|%s|%s|%s|%s|%s|%s|%s|%s|' "$ASSAY_ITEM" "$ASSAY_REPEAT" "$ASSAY_POSTURE" "$ASSAY_MAX_OUTPUT" "$ASSAY_CONTEXT" "$ASSAY_THINKING" "$ASSAY_TEMPERATURE" "$ASSAY_TOP_P" "${ASSAY_SEED-none}"; cat`)
	zero, one := 0.0, 1.0
	req := model.Request{Key: record.Key{Item: "c1 'x'\n$HOME", Posture: "thinking", Repeat: 2}, Temperature: &zero, TopP: &one, MaxOutput: 1536, Context: 4096, Thinking: "on",
		Messages: []model.Message{{Role: "system", Text: "be brief"}, {Role: "user", Text: "first"}, {Role: "assistant", Text: "so?"}, {Role: "user", Text: "last\x00\r\n"}}}
	rep, err := m.Call(t.Context(), req)
	want := "c1 'x'\n$HOME|2|thinking|1536|4096|on|0|1|none|be brief\n\nlast\x00\r\n"
	if err != nil || rep.Answer != want {
		t.Errorf("%v:\n got %q\nwant %q", err, rep.Answer, want)
	}
	x := rep.Exchange
	if string(x.RequestBody) != "be brief\n\nlast\x00\r\n" || len(x.RequestHeader) != 8 || x.RequestHeader["ASSAY_MAX_OUTPUT"][0] != "1536" || x.RequestHeader["PATH"] != nil || x.Elapsed <= 0 {
		t.Errorf("recorded %+v", x)
	}
}

func TestFailures(t *testing.T) {
	t.Setenv("SOME_API_KEY", "hunter2-hunter2")
	for name, c := range map[string]struct {
		script, want string
		kind         model.FaultKind
		exit         int
	}{
		"exit 3":         {"echo one >&2; echo 'the last one' >&2; echo >&2; exit 3", "exit 3: the last one", model.FaultServer, 3},
		"silent":         {"exit 1", "exit 1, and nothing on standard error", model.FaultServer, 1},
		"controls":       {`printf 'a\033[31m\r\tb\000c' >&2; exit 1`, `exit 1: b\x00c`, model.FaultServer, 1},
		"a long line":    {"head -c 1000000 /dev/zero | tr '\\000' x >&2; exit 1", "xxx…", model.FaultServer, 1},
		"killed":         {"kill -9 $$", "signal: killed", model.FaultServer, -1},
		"prints a key":   {"echo bad key $SOME_API_KEY >&2; exit 1", "bad key [value of SOME_API_KEY]", model.FaultServer, 1},
		"too much":       {"yes | head -c 70000000", "wrote more than 64 MB", model.FaultBroken, 0},
		"without an end": {"exec yes", "wrote more than 64 MB", model.FaultBroken, -1},
	} {
		rep, err := program(t, c.script).Call(t.Context(), ask("x"))
		f := model.AsFault(err)
		if err == nil || f.Kind != c.kind || !strings.Contains(f.Msg, c.want) || strings.ContainsAny(f.Msg, "\n\x1b\x00") || len(f.Msg) > 1000 {
			t.Errorf("%s: %v (answer of %d bytes); want %q", name, err, len(rep.Answer), c.want)
		}
		if c.exit != 0 && f.Exchange.Status != c.exit {
			t.Errorf("%s: exit %d recorded", name, f.Exchange.Status)
		}
		if modeltest.FindSecret("hunter2", err) != "" {
			t.Errorf("%s: the key is in the fault", name)
		}
		if tr := model.Transcribe(ask("x"), rep, err); tr.Outcome != record.Error {
			t.Errorf("%s: %s", name, tr.Outcome)
		}
	}
}

func TestAProgramThatDoesNotReadItsPrompt(t *testing.T) {
	rep, err := program(t, "echo done").Call(t.Context(), ask(strings.Repeat("x", 1<<20)))
	if err != nil || rep.Answer != "done\n" {
		t.Errorf("%q, %v", rep.Answer, err)
	}
}

func TestALargePromptAndAnswer(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", 1<<18)
	rep, err := program(t, "exec cat").Call(t.Context(), ask(text))
	if err != nil || rep.Answer != text {
		t.Errorf("%d bytes of %d, %v", len(rep.Answer), len(text), err)
	}
}

// alive reports whether a process still runs; a zombie whose parent has not looked yet does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !os.IsNotExist(err)
	}
	_, after, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(after, "Z")
}

func gone(t *testing.T, pidFile string) {
	t.Helper()
	b, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(string(b)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(5 * time.Second)
		for alive(pid) {
			if time.Now().After(deadline) {
				t.Errorf("process %d outlived the call", pid)
				_ = syscall.Kill(pid, syscall.SIGKILL)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// TestBackgroundChild: a child in the background holds the output open; the answer comes back soon and whole, and the
// child is gone.
func TestBackgroundChild(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	m := program(t, "sleep 300 & echo $! >'"+pids+"'; echo whole")
	began := time.Now()
	rep, err := m.Call(t.Context(), ask("x"))
	if err != nil || rep.Answer != "whole\n" {
		t.Errorf("%q, %v", rep.Answer, err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
	gone(t, pids)
}

// TestLateOutput: what a pipeline's last part writes just after the program's own end belongs to the answer.
func TestLateOutput(t *testing.T) {
	rep, err := program(t, "(sleep 0.05; echo late) & echo early").Call(t.Context(), ask("x"))
	if err != nil || rep.Answer != "early\nlate\n" {
		t.Errorf("%q, %v", rep.Answer, err)
	}
}

// TestNoOrphans: at the time limit the whole tree dies, whatever it ignores.
func TestNoOrphans(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	m := program(t, "trap '' TERM INT HUP\n(trap '' TERM; sleep 300) & a=$!\nsleep 300 & echo $$ $a $! >'"+pids+"'\nwait\nsleep 300")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 700*time.Millisecond, model.ErrTimeLimit)
	defer cancel()
	began := time.Now()
	rep, err := m.Call(ctx, ask("x"))
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
	if tr := model.Transcribe(ask("x"), rep, err); tr.Outcome != record.Timeout {
		t.Errorf("%s, %v", tr.Outcome, err)
	}
	gone(t, pids)
}

// TestNothingInAPipeIsLost: a reader that is late, past the deadline, still gets all that was written, and does not wait.
func TestNothingInAPipeIsLost(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	text := strings.Repeat("0123456789", 3000)
	if _, err := w.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := r.SetDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if got, over := readUpTo(pipeEnd{r}, maxOutput); string(got) != text || over {
		t.Errorf("%d bytes of %d", len(got), len(text))
	}
}

// TestAChildThatLeftTheGroup holds the output from outside: the call ends all the same.
func TestAChildThatLeftTheGroup(t *testing.T) {
	if _, err := os.Stat("/usr/bin/setsid"); err != nil {
		t.Skip("no setsid on this machine")
	}
	pids := filepath.Join(t.TempDir(), "pids")
	m := program(t, "setsid sh -c 'echo $$ >\""+pids+"\"; exec sleep 30' & while ! [ -s '"+pids+"' ]; do sleep 0.01; done; echo whole")
	began := time.Now()
	rep, err := m.Call(t.Context(), ask("x"))
	if took := time.Since(began); err != nil || rep.Answer != "whole\n" || took > 5*time.Second {
		t.Errorf("%q, %v, %v", rep.Answer, err, took)
	}
	b, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

func TestNew(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct{ path, want string }{
		"missing":            {filepath.Join(dir, "nowhere"), "no such file"},
		"not in PATH":        {"no-such-program-anywhere", "not found in $PATH"},
		"a folder":           {dir, "is a directory"},
		"not executable":     {write("plain", "#!/bin/sh\n", 0o644), "permission denied"},
		"empty":              {write("empty", "", 0o755), "empty"},
		"no #! line":         {write("noline", "echo hi\n", 0o755), "neither a program nor a script"},
		"no interpreter":     {write("nointerp", "#!/no/such/interpreter -x\n", 0o755), "interpreter /no/such/interpreter is not there"},
		"a bare #!":          {write("bare", "#!\n", 0o755), "names no interpreter"},
		"Windows line ends":  {write("crlf", "#!/bin/sh\r\necho hi\r\n", 0o755), "carriage return"},
		"controls in a name": {"a\x1b[31m\nb", "not found"},
	} {
		_, err := New(c.path, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	t.Chdir(dir)
	write("prog", "#!/bin/sh\necho here\n", 0o755)
	m, err := New("./prog", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // a relative path is that of the moment when it was given
	if rep, err := m.Call(t.Context(), ask("x")); err != nil || rep.Answer != "here\n" || m.Name() != "command/./prog" {
		t.Errorf("%s: %q, %v", m.Name(), rep.Answer, err)
	}
	if _, err := New("cat", nil); err != nil {
		t.Errorf("a program in PATH: %v", err)
	}
}

func TestAProgramThatVanishes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "program")
	writeProgram(t, path, "#!/bin/sh\n")
	m, err := New(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, err = m.Call(t.Context(), ask("x"))
	if f, ok := errors.AsType[*model.Fault](err); !ok || f.Kind != model.FaultOurs || !strings.Contains(f.Msg, "cannot be started: no such file") {
		t.Errorf("got %v", err)
	}
}
