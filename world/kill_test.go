package world

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	if root := os.Getenv("ASSAY_TEST_CALLER"); root != "" {
		keepCalling(root)
		return
	}
	os.Exit(m.Run())
}

// keepCalling makes calls for ever, and says after each that it was answered.
func keepCalling(root string) {
	ctx := context.Background()
	w, sp := depot(new(fatalTB))
	s, err := w.OpenSession(ctx, sp, root)
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	for i := len(s.Events()); ; i++ {
		c := Call{Actor: Agent, Surface: "test", Tool: "notes.drafts.create", Args: fmt.Appendf(nil, `{"recipient":"u-marta","body":"note %d %s"}`, i, strings.Repeat("x", i%2000))}
		if i%3 == 1 {
			c.Tool, c.Args = "stores.lots.get", []byte(`{"lot_id":"WS-91"}`)
		}
		e, err := s.Call(ctx, c)
		if err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		fmt.Println(e.Seq, e.Hash)
	}
}

// fatalTB stands in for a test where there is none.
type fatalTB struct{ testing.TB }

func (*fatalTB) Helper() {}
func (*fatalTB) Fatal(args ...any) {
	fmt.Println(append([]any{"failed:"}, args...)...)
	os.Exit(1)
}

// TestKilled: a process that is killed at any moment loses no call that it answered, and the next one goes on.
func TestKilled(t *testing.T) {
	rounds := 5
	if os.Getenv("ASSAY_SLOW") != "" {
		rounds = 60
	}
	w, sp := depot(t)
	ctx, root := context.Background(), t.TempDir()
	s, err := w.CreateSession(ctx, sp, root)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	answered := map[int]string{}
	for round := range rounds {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "ASSAY_TEST_CALLER="+root)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		enough := 1 + rand.IntN(60)
		for n := 0; lines.Scan(); n++ {
			var seq int
			var hash string
			if _, err := fmt.Sscan(lines.Text(), &seq, &hash); err != nil {
				t.Fatalf("round %d: %s", round, lines.Text())
			}
			answered[seq] = hash
			if n == enough {
				time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		cmd.Wait()
		s, err := w.OpenSession(ctx, sp, root)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		events := s.Events()
		for seq, hash := range answered {
			if seq > len(events) || events[seq-1].Hash != hash {
				t.Fatalf("round %d: call %d was answered and is lost", round, seq)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d rounds, %d calls answered", rounds, len(answered))
}

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
