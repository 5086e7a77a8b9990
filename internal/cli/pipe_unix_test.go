//go:build unix

package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A named pipe to which nobody writes can be interrupted, whatever command was to read it.
func TestPipesAreInterrupted(t *testing.T) {
	r := newRig(t)
	r.desk(0)
	if err := os.Mkdir(filepath.Join(r.dir, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe", filepath.Join("in", "problems.jsonl")} {
		if err := syscall.Mkfifo(filepath.Join(r.dir, name), 0o600); err != nil {
			t.Skip("no named pipes here: ", err)
		}
	}
	for _, args := range [][]string{
		{"check", "./desk", "--private", "pipe"},
		{"run", "./desk", "-m", "control/reference", "--private", "pipe"},
		{"grade", "./desk", "P-01", "pipe"},
		{"premise", "explain", "P-01", "pipe", "--bench", "./desk"},
		{"import", "kairos-premise", "in", "-o", "out", "--prelude", "pipe", "--declaration", "pipe", "--skill", "pipe"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		r.ctx = ctx
		done := make(chan ran, 1)
		go func() { done <- r.assay(args...) }()
		select {
		case got := <-done:
			if got.code != 3 || !strings.Contains(got.err, "interrupted") {
				t.Errorf("%v: exit %d, %s", args, got.code, got.err)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%v: it cannot be interrupted", args)
		}
		cancel()
		for _, name := range []string{"pipe", filepath.Join("in", "problems.jsonl")} { // whoever still waits is let go
			if w, err := os.OpenFile(filepath.Join(r.dir, name), os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
				w.Close()
			}
		}
	}
}
