package world

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestManySessions opens 500 episodes in files at once (50 unless ASSAY_SLOW=1), of a seed of about 1 MB, in a process of
// their own: each takes less than 1 MB, and none sees another's changes.
func TestManySessions(t *testing.T) {
	if os.Getenv("ASSAY_TEST_MANY") != "" {
		openMany(t, t.TempDir())
		return
	}
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("it takes seconds, and the system's own count of memory")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestManySessions$", "-test.v")
	cmd.Env = append(os.Environ(), "ASSAY_TEST_MANY=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, rest, ok := strings.Cut(string(out), "memory=")
	if !ok {
		t.Fatalf("it said nothing: %s", out)
	}
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	own := 50_000 // the process without a session, its seed and the test
	if slow() {
		own = 0
	}
	if kb > own+many()*1000 && !raceDetector {
		t.Errorf("%d sessions take %d kB", many(), kb)
	}
	t.Logf("%d sessions take %d kB", many(), kb)
}

func many() int {
	if slow() {
		return 500
	}
	return 50
}

func openMany(t *testing.T, root string) {
	w, sp := depot(t)
	sp.Staged = &Staged{rows: []seedFile{bulk(5000)}}
	var all []*Session
	for i := range many() {
		sp.ID = fmt.Sprintf("m%d", i)
		s, err := w.CreateSession(context.Background(), sp, root)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		all = append(all, s)
	}
	for range 3 { // all of them at work, in turn
		for i, s := range all {
			ask(t, s, "stores.lots.list", `{"part":"WS-M4"}`)
			if e := ask(t, s, "notes.drafts.create", fmt.Sprintf(`{"recipient":"u-marta","body":"of %d"}`, i)); !e.OK() {
				t.Fatal(e.Error)
			}
		}
	}
	for i, s := range all {
		e := s.Events()[5]
		if string(e.Result) != `{"note_id":"N-3"}` || e.Effect[0].After["body"] != fmt.Sprintf("of %d", i) {
			t.Fatalf("session %d: %s", i, e.Result)
		}
	}
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok { // the most there ever was
			fmt.Printf("memory=%s\n", strings.TrimSpace(rest))
		}
	}
}
