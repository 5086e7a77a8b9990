package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// interrupted leaves a run behind with some attempts done.
func (b *bundle) interrupted() *store.Run {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	b.model.reply = func(ctx context.Context, req model.Request) (model.Reply, error) {
		if b.model.calls.Load() > 3 {
			cancel()
			<-ctx.Done()
			return model.Reply{}, model.Cancelled(ctx, record.Exchange{})
		}
		return right(req), nil
	}
	s, err := b.eng.Start(ctx, b.spec)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.Execute(ctx); !errors.Is(err, ErrInterrupted) {
		b.Fatal(err)
	}
	s.Close()
	b.model.reply = nil
	return s.Run
}

func TestResumeRefusesDifferences(t *testing.T) {
	was := record.Identity{Model: "m-8b", Digest: "sha256:aa", Server: "server 1.0", Details: map[string]string{"context": "4096", "quant": "q4"}}
	tests := []struct {
		name   string
		change func(*bundle)
		want   []string
	}{
		{"nothing", func(b *bundle) {}, nil},
		{"the version of the program", func(b *bundle) { b.spec.Assay = "9" }, nil},
		{"concurrency", func(b *bundle) { b.spec.Concurrency = 2 }, nil},
		{"bench digest", func(b *bundle) { b.spec.Digest = "bench-2" }, []string{"bench digest: bench-1 -> bench-2"}},
		{"bench version", func(b *bundle) { b.set.b.Version = "2" }, []string{"bench version: 1 -> 2"}},
		{"grader", func(b *bundle) { b.set.digest = "grader-2" }, []string{"grader digest: grader-1 -> grader-2"}},
		{"flags", func(b *bundle) { b.spec.Flags = []string{"unsafe-no-sandbox"} }, []string{"flags: none -> unsafe-no-sandbox"}},
		{"model digest", func(b *bundle) { b.model.id.Digest = "sha256:bb" }, []string{"fake/m: model digest: sha256:aa -> sha256:bb"}},
		{"server", func(b *bundle) { b.model.id.Server = "" }, []string{"fake/m: server version: server 1.0 -> none"}},
		{"several", func(b *bundle) {
			b.model.id = record.Identity{Model: "m-9b", Digest: "sha256:aa", Server: "server\x1b 2", Details: map[string]string{"context": "8192", "new": "x"}}
		}, []string{"fake/m: model: m-8b -> m-9b", `fake/m: server version: server 1.0 -> server\x1b 2`, "fake/m: context: 4096 -> 8192", "fake/m: new: none -> x", "fake/m: quant: q4 -> none"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := setup(t, 5)
			b.model.id = was
			r := b.interrupted()
			tt.change(b)
			s, err := b.eng.Start(t.Context(), b.spec)
			if tt.want == nil {
				if err != nil || s.Status != Resumed || s.Run.ID != r.ID {
					t.Fatalf("got %+v, %v, want it resumed", s, err)
				}
				s.Close()
				return
			}
			diff, ok := errors.AsType[*DifferentError](err)
			if !ok {
				t.Fatalf("got %v, want a DifferentError", err)
			}
			if d := cmp.Diff(tt.want, diff.Differences); d != "" || diff.Finished || diff.Run.ID != r.ID {
				t.Errorf("%+v\n%s", diff, d)
			}
			if !strings.Contains(err.Error(), "--new starts another run") || strings.Count(err.Error(), "\n") != len(tt.want)+1 {
				t.Errorf("the text is %q", err)
			}
			// The refusal holds nothing, and --new starts another.
			b.spec.New = true
			fresh, err := b.eng.Start(t.Context(), b.spec)
			if err != nil || fresh.Status != Created || fresh.Run.ID == r.ID {
				t.Fatalf("--new: %+v, %v", fresh, err)
			}
			fresh.Close()
		})
	}
}

func TestProtocolChangeIsRefused(t *testing.T) {
	b := setup(t, 5)
	b.interrupted()
	b.set.b.Protocol.Context = 1
	_, err := b.eng.Start(t.Context(), b.spec)
	if diff, ok := errors.AsType[*DifferentError](err); !ok || len(diff.Differences) != 1 || !strings.HasPrefix(diff.Differences[0], "protocol digest: ") {
		t.Errorf("got %v", err)
	}
}

func TestFinishedRunOfAnotherBenchIsNotShownAsTodays(t *testing.T) {
	b := setup(t, 2)
	b.mustRun()
	b.spec.Digest = "bench-2"
	_, err := b.eng.Start(t.Context(), b.spec)
	if diff, ok := errors.AsType[*DifferentError](err); !ok || !diff.Finished {
		t.Errorf("got %v, want a DifferentError of a finished run", err)
	}
}

func TestOtherRequestsAreOtherRuns(t *testing.T) {
	b := setup(t, 4)
	first, _ := b.mustRun()
	changes := map[string]func(*Spec){
		"model":    func(s *Spec) { s.Models = []Entrant{{&fakeModel{name: "fake/m@http://other"}, "m"}} },
		"posture":  func(s *Spec) { s.Postures = []string{"thinking"} },
		"repeats":  func(s *Spec) { s.Repeats = 3 },
		"only":     func(s *Spec) { s.Only = []string{itemID(1)} },
		"shard":    func(s *Spec) { s.Shard = store.Shard{I: 1, Of: 2} },
		"a second": func(s *Spec) { s.Models = append(s.Models, Entrant{&fakeModel{name: "fake/n"}, "n"}) },
	}
	ids := map[string]bool{first.Run.ID: true}
	for name, change := range changes {
		spec := b.spec
		change(&spec)
		s, err := b.eng.Start(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if s.Status != Created || ids[s.Run.ID] {
			t.Errorf("another %s: %s %s", name, s.Status, s.Run.ID)
		}
		ids[s.Run.ID] = true
	}
	spec := b.spec
	spec.Only = []string{itemID(1), itemID(1)} // the same items, said otherwise
	s, err := b.eng.Start(t.Context(), spec)
	if err != nil || s.Status != Resumed {
		t.Errorf("the same items again: %+v, %v", s, err)
	}
	s.Close()
}

func TestModelThatCannotSayWhatItIs(t *testing.T) {
	b := setup(t, 2)
	b.model.idErr = fault(model.FaultUnreachable)
	_, err := b.eng.Start(t.Context(), b.spec)
	if me, ok := errors.AsType[*ModelError](err); !ok || me.Model != "fake/m" {
		t.Errorf("got %v, want a ModelError", err)
	}
	if b.model.ids.Load() != 3 {
		t.Errorf("asked %d times, want 3", b.model.ids.Load())
	}
	for range b.db.Runs(t.Context()) {
		t.Error("a run was recorded for a server that is not there")
	}
	b.model.idErr = nil
	b.mustRun()
}

func TestRunIDs(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	a, b := newID(at, 1<<15-1), newID(at.Add(time.Second), 0)
	if a >= b || len(a) != 10 || a[:7] == b[:7] {
		t.Errorf("%s then %s: ids must sort by time", a, b)
	}
	if newID(at, 5) == newID(at, 6) || newID(at, 5) != newID(at, 5|1<<15) {
		t.Error("three digits are random, and no more")
	}
}
