//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assaybench/assay/internal/cli"
)

// TestKairosBatchInterrupted: an interrupt ends a batch soon and cleanly; what was written are whole lines, in order.
func TestKairosBatchInterrupted(t *testing.T) {
	r := newRig(t)
	// Filters within filters over minutes take longer than anybody waits.
	endless := batchLine(`2`, `m = everyInstant |> strideBy(1m, from: 2026-01-01T00:00)\nm |> filter(a => coincides(m |> filter(b => b != a), day, a))`, "2026-01-01", "2026-12-01")
	in := strings.Join([]string{batchLine(`0`, `everyDay`, "2026-01-01", "2026-01-03"), batchLine(`1`, `everyDay`, "2026-01-01", "2026-01-03"),
		endless, batchLine(`3`, `everyDay`, "2026-01-01", "2026-01-03")}, "\n")
	name := filepath.Join(r.dir, "in.jsonl")
	if err := os.WriteFile(name, []byte(in), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, err := os.Create(filepath.Join(r.dir, "out.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p := r.spawnWith(nil, f, out, "kairos", "batch")
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if b, _ := os.ReadFile(out.Name()); strings.Count(string(b), "\n") == 2 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the first two results do not come")
		}
	}
	p.Process.Signal(os.Interrupt)
	r.ended(p, 3)
	b, _ := os.ReadFile(out.Name())
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines: %s", len(lines), b)
	}
	for i, l := range lines {
		var o struct{ ID int }
		if err := json.Unmarshal([]byte(l), &o); err != nil || o.ID != i {
			t.Errorf("line %d: %s, %v", i, l, err)
		}
	}
	if got := p.errs.String(); got != "assay: interrupted\n" {
		t.Errorf("it says %q", got)
	}
}

// TestKairosInterrupted: an interrupt ends a command within an evaluation.
func TestKairosInterrupted(t *testing.T) {
	r := newRig(t)
	long := "m = everyInstant |> strideBy(1m, from: 2026-01-01T00:00)\nm |> filter(a => coincides(m |> filter(b => b != a), day, a))\n"
	if err := os.WriteFile(filepath.Join(r.dir, "long.kairos"), []byte(long), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"list", "--from", "2026-01-01", "--to", "2026-12-01", "long.kairos"}, {"check", "long.kairos"}, {"explain", "long.kairos"},
	} {
		p := r.spawn(nil, append([]string{"kairos"}, args...)...)
		time.Sleep(300 * time.Millisecond) // it has to be at it
		p.Process.Signal(os.Interrupt)
		r.ended(p, 3)
		if got := p.errs.String(); got != "assay: interrupted\n" {
			t.Errorf("%v: it says %q", args, got)
		}
	}
}

// TestKairosPipe: a command that waits for a named pipe to be opened by somebody can be interrupted.
func TestKairosPipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "day.kairos"), []byte("everyDay"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"list", "pipe"}, {"fmt", "-w", "pipe"}, {"list", "--supply", "pipe", "day.kairos"}} {
		ctx, interrupt := context.WithCancel(t.Context())
		var out, errs bytes.Buffer
		p := outside(dir, nil, &out, &errs, append([]string{"kairos"}, args...)...)
		p.Context = ctx
		ended := make(chan int)
		go func() { ended <- cli.Main(p) }()
		time.Sleep(50 * time.Millisecond) // it has to be at it
		interrupt()
		if code := <-ended; code != 3 || errs.String() != "assay: interrupted\n" {
			t.Errorf("%v: exit %d, %q", args, code, errs.String())
		}
		w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // lets go whoever still waits
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
}
