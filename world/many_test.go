package world

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// TestManyFiles holds 500 sessions in files open at once.
func TestManyFiles(t *testing.T) {
	if os.Getenv("ASSAY_SLOW") == "" {
		t.Skip("holds 500 files open; ASSAY_SLOW=1")
	}
	w, sp := depot(t)
	sp.Staged = &Staged{rows: []seedFile{bulk(5000)}}
	ctx, root := context.Background(), t.TempDir()
	before := resident(t)
	for i := range 500 {
		sp.ID = fmt.Sprintf("many-%d", i)
		s, err := w.CreateSession(ctx, sp, root)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ask(t, s, "stores.lots.list", `{"part":"WS-M4"}`)
		ask(t, s, "stores.lots.release", `{"lot_id":"WS-88","revision":1}`)
	}
	grown := resident(t) - before
	t.Logf("500 sessions: %d MB", grown>>20)
	if grown > 500<<20 {
		t.Errorf("500 sessions take %d MB", grown>>20)
	}
}

// resident is the process's memory.
func resident(t *testing.T) int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("the process's memory cannot be read here")
	}
	var all, pages int64
	if _, err := fmt.Sscan(string(b), &all, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
