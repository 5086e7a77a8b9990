package world

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// killedRoot tells a process of this test that it is the one to be killed, and where its episodes are.
const killedRoot = "ASSAY_TEST_KILLED"

func slow() bool { return os.Getenv("ASSAY_SLOW") == "1" }

// TestKilled kills a process amid calls, again and again: the episode goes on with every call whose answer was given, its
// chain whole and its state what the events made of it.
func TestKilled(t *testing.T) {
	if root := os.Getenv(killedRoot); root != "" {
		callForever(t, root)
		return
	}
	rounds := 5
	if slow() {
		rounds = 50
	}
	w, sp := depot(t)
	ctx, root := context.Background(), t.TempDir()
	s, err := w.CreateSession(ctx, sp, root)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	acknowledged, unanswered := []string{}, 0
	for round := range rounds {
		lines := killed(t, root, "TestKilled", time.Duration(5+rand.IntN(120))*time.Millisecond)
		acknowledged = append(acknowledged, lines...)
		s, err := w.OpenSession(ctx, sp, root)
		if err != nil {
			t.Fatalf("round %d, after %d calls: %v", round, len(acknowledged), err)
		}
		events := s.Events()
		if len(events) < len(acknowledged) || len(events) > len(acknowledged)+1 {
			t.Fatalf("round %d: %d events for %d answers", round, len(events), len(acknowledged))
		}
		for i, hash := range acknowledged {
			if events[i].Hash != hash {
				t.Fatalf("round %d: event %d is another than was answered", round, i+1)
			}
		}
		for _, e := range events[len(acknowledged):] { // recorded, and killed before the answer came out
			acknowledged = append(acknowledged, e.Hash)
			unanswered++
		}
		if err := VerifyChain(s.Genesis(), events); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Changes(ctx); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// A busy machine, under the race detector, may do few calls before it is killed; none in a round says nothing.
	if len(acknowledged) < rounds {
		t.Errorf("only %d calls in %d rounds", len(acknowledged), rounds)
	}
	t.Logf("%d calls in %d rounds, %d of them killed between the record and the answer", len(acknowledged), rounds, unanswered)
}

// killed runs this test's other half, kills it after a time that begins with its first line, and gives the whole lines
// that it said.
func killed(t *testing.T, root, test string, after time.Duration) []string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$")
	cmd.Env = append(os.Environ(), killedRoot+"="+root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	first, err := r.ReadString('\n')
	if err != nil {
		t.Fatalf("it said nothing: %v", err)
	}
	time.AfterFunc(after, func() { cmd.Process.Kill() })
	rest, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("it ended by itself")
	}
	all := first + string(rest)
	all = all[:strings.LastIndexByte(all, '\n')+1]
	return strings.Fields(all)
}

func callForever(t *testing.T, root string) {
	w, sp := depot(t)
	s, err := w.OpenSession(context.Background(), sp, root)
	if err != nil {
		t.Fatal(err)
	}
	revision := 1
	for _, e := range s.Events() {
		if e.Tool == "stores.lots.release" && e.OK() {
			revision++
		}
	}
	for i := 0; ; i++ {
		var e *Event
		switch i % 5 {
		case 0:
			if e = ask(t, s, "stores.lots.release", fmt.Sprintf(`{"lot_id":"WS-88","revision":%d}`, revision)); e.OK() {
				revision++
			}
		case 1:
			e = ask(t, s, "stores.lots.list", `{"part":"WS-M4"}`)
		case 2:
			e = ask(t, s, "notes.drafts.create", fmt.Sprintf(`{"recipient":"u-marta","body":%q}`, strings.Repeat("word ", 1+rand.IntN(700))))
		case 3:
			e = ask(t, s, "roads.bookings.create", fmt.Sprintf(`{"road":"LIFT-2","date":"2031-04-%02d","unit":"4417","request_key":"k%d"}`, 10+rand.IntN(20), rand.IntN(20)))
		case 4:
			e = ask(t, s, "no.such.tool", `{`)
		}
		fmt.Println(e.Hash)
	}
}

// TestKilledAtTheBeginning kills a process that makes episodes: each of them is whole or not there, and its name is free.
func TestKilledAtTheBeginning(t *testing.T) {
	if root := os.Getenv(killedRoot); root != "" {
		w, sp := depot(t)
		for i := 0; ; i++ {
			sp.ID = fmt.Sprintf("%d-%d", os.Getpid(), i)
			s, err := w.CreateSession(context.Background(), sp, root)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println(sp.ID)
			s.Close()
		}
	}
	rounds := 5
	if slow() {
		rounds = 50
	}
	w, sp := depot(t)
	ctx, root := context.Background(), t.TempDir()
	for range rounds {
		lines := killed(t, root, "TestKilledAtTheBeginning", time.Duration(rand.IntN(40))*time.Millisecond)
		var pid, last int
		if _, err := fmt.Sscanf(lines[len(lines)-1], "%d-%d", &pid, &last); err != nil {
			t.Fatal(err)
		}
		for i := max(0, last-2); i <= last+1; i++ {
			sp.ID = fmt.Sprintf("%d-%d", pid, i)
			_, err := os.Stat(filepath.Join(root, sp.ID))
			there := err == nil
			if !there && i <= last {
				t.Fatalf("the episode %s was made and is gone", sp.ID)
			}
			var s *Session
			if there {
				s, err = w.OpenSession(ctx, sp, root)
			} else {
				s, err = w.CreateSession(ctx, sp, root)
			}
			if err != nil {
				t.Fatalf("%s (there: %v): %v", sp.ID, there, err)
			}
			if e := ask(t, s, "stores.lots.get", `{"lot_id":"WS-91"}`); !e.OK() {
				t.Error(e.Error)
			}
			s.Close()
		}
	}
}
