package world

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestFileSession: an episode goes on where it was, with the same chain as in memory.
func TestFileSession(t *testing.T) {
	w, sp := depot(t)
	ctx, root := context.Background(), t.TempDir()
	s, err := w.CreateSession(ctx, sp, root)
	if err != nil {
		t.Fatal(err)
	}
	m, err := w.NewSession(ctx, sp)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	calls := [][2]string{
		{"roads.slots.list", `{"road":"LIFT-2"}`},
		{"roads.bookings.create", `{"road":"LIFT-2","date":"2031-04-16","unit":"4417","request_key":"k"}`},
		{"stores.lots.release", `{"lot_id":"WS-88","revision":9}`},
		{"nothing", `{`},
		{"roads.slots.list", `{"road":"LIFT-2"}`},
		{"roads.bookings.create", `{"road":"LIFT-2","date":"2031-04-16","unit":"4417","request_key":"k"}`},
		{"stores.lots.release", `{"lot_id":"WS-88","revision":1}`},
		{"notes.drafts.create", `{"recipient":"u-marta","body":"Röntgen \u2014 ok \ud83d\ude00"}`},
		{"assay.evidence", `{"path":"spec-7.md"}`},
	}
	for i, c := range calls {
		a, b := ask(t, s, c[0], c[1]), ask(t, m, c[0], c[1])
		if a.Hash != b.Hash {
			t.Fatalf("call %d: the chains differ", i)
		}
		if _, err := w.OpenSession(ctx, sp, root); err == nil || !strings.Contains(err.Error(), "another process works on") {
			t.Fatalf("a second owner: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = w.OpenSession(ctx, sp, root); err != nil {
			t.Fatalf("after call %d: %v", i, err)
		}
	}
	if err := VerifyChain(s.Genesis(), s.Events()); err != nil || len(s.Events()) != len(calls) {
		t.Errorf("%d events, %v", len(s.Events()), err)
	}
	if _, err := w.CreateSession(ctx, sp, root); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("a second one of the same name: %v", err)
	}
	a, err := Bundle(ctx, s, "answer")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Bundle(ctx, m, "answer")
	if err != nil || string(a.Events) != string(b.Events) || string(a.Changes) != string(b.Changes) || a.State != b.State {
		t.Errorf("the bundles differ: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Call(ctx, Call{Actor: Agent, Tool: ToolContext}); err != errClosed {
		t.Errorf("a call after the end: %v", err)
	}
}

// TestTornSession: what was altered behind the log's back is found when the episode is opened.
func TestTornSession(t *testing.T) {
	w, sp := depot(t)
	for name, harm := range map[string]func(dir string) error{
		"row":    statementOn("UPDATE lots SET qty = 99 WHERE lot_id = 'WS-91'"),
		"event":  statementOn(`UPDATE assay_events SET event = replace(event, 'WS-88', 'WS-89') WHERE seq = 2`),
		"last":   statementOn(`DELETE FROM assay_events WHERE seq = 2`),
		"first":  statementOn(`DELETE FROM assay_events WHERE seq = 1`),
		"broken": statementOn(`UPDATE assay_events SET event = substr(event, 1, 30) WHERE seq = 1`),
		"file": func(dir string) error {
			path := filepath.Join(dir, worldFile)
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			os.Remove(path + "-wal")
			return os.WriteFile(path, b[:len(b)/2], 0o600)
		},
		"manifest": func(dir string) error { return os.Truncate(filepath.Join(dir, episodeFile), 10) },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, root := context.Background(), t.TempDir()
			s, err := w.CreateSession(ctx, sp, root)
			if err != nil {
				t.Fatal(err)
			}
			ask(t, s, "stores.lots.get", `{"lot_id":"WS-91"}`)
			ask(t, s, "stores.lots.release", `{"lot_id":"WS-88","revision":1}`)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if err := harm(filepath.Join(root, sp.ID)); err != nil {
				t.Fatal(err)
			}
			s, err = w.OpenSession(ctx, sp, root)
			if err == nil {
				s.Close()
				t.Fatal("it was opened")
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %v", err)
			}
			t.Log(err)
		})
	}
}

func statementOn(text string) func(string) error {
	return func(dir string) error {
		db, err := sql.Open("sqlite", filepath.Join(dir, worldFile))
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = db.Exec(text)
		return err
	}
}

// TestSessionsApart: many sessions at once, in memory and in files, none of which sees another, while the seed is made
// under them.
func TestSessionsApart(t *testing.T) {
	ctx, root := context.Background(), t.TempDir()
	var wg sync.WaitGroup
	for v := range 2 { // two versions of the world
		for i := range 25 {
			wg.Go(func() {
				w, sp := depot(t)
				if v == 1 {
					sp.Staged = nil
				}
				sp.ID = fmt.Sprintf("v%d-%d", v, i)
				var s *Session
				var err error
				if i%2 == 0 {
					s, err = w.NewSession(ctx, sp)
				} else {
					s, err = w.CreateSession(ctx, sp, root)
				}
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				want := `"qty":7`
				if v == 1 {
					want = `"qty":1,`
				}
				if e := ask(t, s, "stores.lots.get", `{"lot_id":"WS-92"}`); !strings.Contains(string(e.Result), want) {
					t.Errorf("%s sees %s", sp.ID, e.Result)
				}
				ask(t, s, "roads.slots.list", `{"road":"LIFT-2"}`)
				if e := ask(t, s, "roads.bookings.create", `{"road":"LIFT-2","date":"2031-04-16","unit":"1"}`); !strings.Contains(string(e.Result), "BK-0001") {
					t.Errorf("%s sees another's bookings: %s", sp.ID, e.Result)
				}
				if ch, err := s.Changes(ctx); err != nil || len(ch) != 3 {
					t.Errorf("%s: %d changes, %v", sp.ID, len(ch), err)
				}
			})
		}
	}
	wg.Wait()
}
