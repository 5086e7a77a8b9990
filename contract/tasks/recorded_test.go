package tasks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// forge alters an episode's events and chains them anew, as anybody can who writes all files of a bundle.
func forge(t *testing.T, ep *record.Episode, alter func([]world.Event) []world.Event) *record.Episode {
	t.Helper()
	var events []world.Event
	if err := jsonv2.Unmarshal(ep.Events, &events); err != nil {
		t.Fatal(err)
	}
	events = alter(events)
	prev := world.Genesis(ep.Session, ep.Seed)
	b := []byte{'['}
	for i := range events {
		e := &events[i]
		e.Prev, e.Hash = prev, ""
		line, err := e.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(line)
		e.Hash = hex.EncodeToString(sum[:])
		prev = e.Hash
		if line, err = e.Canonical(); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, line...)
	}
	out := *ep
	out.Events = append(b, ']')
	return &out
}

// TestEventsThatNobodyRecorded: a chain says that a log is as it was written. What no session of the task can hold is ungradable,
// with the event; so is a result that the world does not give when the call is made again.
func TestEventsThatNobodyRecorded(t *testing.T) {
	ctx := context.Background()
	m := files(t)
	s, task := compiled(t, m)
	whole := episode(t, task, "x", reference(m))
	for _, c := range []struct {
		name  string
		alter func([]world.Event) []world.Event
		want  string
	}{
		{"a fault without an error", func(e []world.Event) []world.Event { e[2].Status, e[2].Result = world.Fault, nil; return e }, "event 3 was never recorded by this world: a call that did not succeed has an error"},
		{"a refusal without an error", func(e []world.Event) []world.Event { e[2].Status, e[2].Result = world.Refused, nil; return e }, "event 3 was never recorded"},
		{"another session's event", func(e []world.Event) []world.Event { e[1].Session = "y"; return e }, `event 2 was never recorded by this world: it is of the session "y"`},
		{"an unknown actor", func(e []world.Event) []world.Event { e[1].Actor = "ghost"; return e }, `the actor "ghost" is not known`},
		{"an unknown status", func(e []world.Event) []world.Event { e[1].Status = "fine"; return e }, `the status "fine" is not known`},
		{"another time", func(e []world.Event) []world.Event { e[1].At = "2034-05-02T10:00:01"; return e }, "and the clock says"},
		{"arguments that the schema refuses", func(e []world.Event) []world.Event { e[2].Args = []byte(`{"ordr":"MO-31"}`); return e }, "would not have taken its arguments"},
		{"a tool that is not there", func(e []world.Event) []world.Event { e[2].Tool = "maint.orders.guess"; return e }, `there is no tool "maint.orders.guess"`},
		{"a read that changed rows", func(e []world.Event) []world.Event {
			i := slices.IndexFunc(e, func(x world.Event) bool { return len(x.Effect) > 0 })
			e[0].Effect = e[i].Effect
			return e
		}, "event 1 was never recorded"},
		{"a change of no row", func(e []world.Event) []world.Event {
			i := slices.IndexFunc(e, func(x world.Event) bool { return len(x.Effect) > 0 })
			e[i].Effect = append(slices.Clone(e[i].Effect), world.Change{Table: "slots", Op: world.Update})
			return e
		}, "a change of slots is no"},
		{"no result", func(e []world.Event) []world.Event { e[0].Result = nil; return e }, "has a result and no error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := s.Grade(ctx, ferry, record.Transcript{Outcome: record.Answered, Episode: forge(t, whole, c.alter)})
			if err != nil || v.State != record.Ungradable || v.Pass || !strings.Contains(v.Reason, c.want) {
				t.Errorf("%s, pass %v, %v: %q", v.State, v.Pass, err, v.Reason)
			}
		})
	}
	if why, err := s.Retrace(ctx, whole); why != "" || err != nil {
		t.Errorf("a true episode differs: %q, %v", why, err)
	}
	made := forge(t, whole, func(e []world.Event) []world.Event {
		for i := range e {
			e[i].Result = []byte(strings.Replace(string(e[i].Result), `"drums":3`, `"drums":4`, 1))
		}
		return e
	})
	if why, err := s.Retrace(ctx, made); err != nil || !strings.Contains(why, "event 3: maint.orders.get, made again in a fresh world, gives another result") {
		t.Errorf("a made-up result: %q, %v", why, err)
	}
	// A refusal that a guard never spoke, and a call that came in by one server's address, which cannot be made again.
	refused := forge(t, whole, func(e []world.Event) []world.Event {
		e[2].Status, e[2].Result, e[2].Error = world.Refused, nil, &world.CallError{Code: world.NotFound, Message: "No."}
		return e
	})
	if why, err := s.Retrace(ctx, refused); err != nil || !strings.Contains(why, "event 3: maint.orders.get, made again in a fresh world, is ok () and not refused (not_found)") {
		t.Errorf("a made-up refusal: %q, %v", why, err)
	}
}

// TestEverySpoiltBundle takes each value out of a bundle's events and changes in turn: every one is judged or ungradable, and none
// breaks the judge.
func TestEverySpoiltBundle(t *testing.T) {
	ctx := context.Background()
	m := files(t)
	s, task := compiled(t, m)
	whole := episode(t, task, "x", reference(m))
	graded := 0
	for i := range 14 {
		for _, alter := range []func(*world.Event){
			func(e *world.Event) { e.Error = nil }, func(e *world.Event) { e.Result = nil }, func(e *world.Event) { e.Args = nil }, func(e *world.Event) { e.Effect = nil },
			func(e *world.Event) { e.Status = world.Fault }, func(e *world.Event) { e.Status = world.Refused }, func(e *world.Event) { e.Status = world.Rejected },
			func(e *world.Event) { e.Status = "" }, func(e *world.Event) { e.Error = &world.CallError{} }, func(e *world.Event) { e.Args = []byte("[]") },
			func(e *world.Event) { e.Result = []byte("1") }, func(e *world.Event) { e.Effect = []world.Change{{}} },
			func(e *world.Event) { e.Effect = []world.Change{{Table: "bookings", Op: world.Insert}} }, func(e *world.Event) { e.Replayed = true },
		} {
			ep := forge(t, whole, func(e []world.Event) []world.Event {
				if i < len(e) {
					alter(&e[i])
				}
				return e
			})
			v, err := s.Grade(ctx, ferry, record.Transcript{Outcome: record.Answered, Episode: ep})
			if err != nil {
				t.Fatal(err)
			}
			if v.State == record.Graded {
				graded++
			}
			if _, err := s.Retrace(ctx, ep); err != nil {
				t.Fatal(err)
			}
		}
	}
	if graded == 0 {
		t.Error("nothing was judged")
	}
	for _, changes := range []string{"[null]", "[{}]", `[{"table":"slots","op":"update","key":null,"before":null,"after":null}]`, "null", "{}", "[1]"} {
		ep := *whole
		ep.Changes = []byte(changes)
		if v, err := s.Grade(ctx, ferry, record.Transcript{Outcome: record.Answered, Episode: &ep}); err != nil || v.State != record.Ungradable {
			t.Errorf("changes %s: %s, %v", changes, v.State, err)
		}
	}
}

// TestSealedAmongEvidence: a copy of the key among what the agent reads is a fault.
func TestSealedAmongEvidence(t *testing.T) {
	ctx := context.Background()
	m := files(t)
	key := m[keyFile].Data
	m["tasks/"+ferry+"/public/evidence/notes.md"] = &fstest.MapFile{Data: append([]byte("# Notes\n\n"), key...)}
	s, _ := compiled(t, m)
	c, err := s.Claims(ctx)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range c.Faults {
		if strings.Contains(f.Msg, "the evidence file notes.md holds what is sealed in "+keyFile) {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d such faults: %+v", found, c.Faults)
	}
	m["tasks/"+ferry+"/public/evidence/notes.md"] = &fstest.MapFile{Data: []byte("# Notes\n\nThe ropes are on the quay.\n")}
	if s, _ = compiled(t, m); s == nil {
		t.Fatal("no bench")
	}
	if out, err := s.copied(); err != nil || len(out) != 0 {
		t.Errorf("%v, %v", out, err)
	}
}
