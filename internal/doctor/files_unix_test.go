//go:build unix

package doctor

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// TestFilesThatWait puts pipes where files belong: reading one would wait for ever.
func TestFilesThatWait(t *testing.T) {
	b := setup(t)
	for _, name := range []string{databaseName, pricesName} {
		path := b.in(t, name, "")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	_, d, p := b.files(t)
	is(t, d.Finding, Fault, "not a plain file", "name a file")
	is(t, p.Finding, Fault, "not a plain file", "correct")
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}
