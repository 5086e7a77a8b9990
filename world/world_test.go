package world

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assaybench/assay/bench"
)

// depot is the world of the tests, with its one task.
func depot(t testing.TB) (*World, Spec) {
	t.Helper()
	fsys := os.DirFS("testdata/depot")
	w, err := Load(fsys, "world", "depot")
	if err != nil {
		t.Fatal(err)
	}
	const dir = "tasks/lift-4417/public"
	b, err := os.ReadFile("testdata/depot/" + dir + "/task.yaml")
	if err != nil {
		t.Fatal(err)
	}
	n, err := bench.Parse(dir+"/task.yaml", b)
	if err != nil {
		t.Fatal(err)
	}
	task, err := w.ReadTask(n, fsys, dir)
	if err != nil {
		t.Fatal(err)
	}
	st, err := w.ReadStaged(fsys, "tasks/lift-4417/sealed")
	if err != nil {
		t.Fatal(err)
	}
	return w, Spec{ID: "s1", Task: task, Staged: st}
}

func memory(t testing.TB) *Session {
	t.Helper()
	w, sp := depot(t)
	s, err := w.NewSession(context.Background(), sp)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func ask(t testing.TB, s *Session, tool, args string) *Event {
	t.Helper()
	e, err := s.Call(context.Background(), Call{Actor: Agent, Surface: "test", Tool: tool, Args: []byte(args)})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return e
}

func TestEpisode(t *testing.T) {
	s := memory(t)
	for _, c := range []struct {
		tool, args string
		status     Status
		want       string // in the result or the error's message
		effect     int
	}{
		{"stores.lots.list", `{"part":"WS-M4","status":"FREE"}`, OK, `"lots":[{"free":true,"lot_id":"WS-91","part":"WS-M4","price":180.5,"qty":2,"received":"2031-03-02","status":"FREE"},{"free":true,"lot_id":"WS-92","part":"WS-M4","price":99.99,"qty":7`, 0},
		{"stores.lots.list", `{"query":"ws 9","sort":"newest"}`, OK, `"total":2`, 0},
		{"stores.lots.list", `{"part":"WS-M4","status":"GONE"}`, Rejected, `'FREE', 'HELD'`, 0},
		{"stores.lots.list", `{"prat":"WS-M4"}`, Rejected, `known: part, status, query, sort, limit, cursor`, 0},
		{"stores.lots.list", `{"part":"x","part":"y"}`, Rejected, `no name twice`, 0},
		{"stores.lots.get", `{"lot_id":"WS-1' OR '1'='1"}`, Refused, `No lot WS-1' OR '1'='1 is known.`, 0},
		{"stores.lots.gett", `{}`, Rejected, `did you mean "stores.lots.get"`, 0},
		{"stores.lots.release", `{"lot_id":"WS-88","revision":3}`, Refused, `read it again`, 0},
		{"stores.lots.release", `{"lot_id":"WS-88","revision":1.0}`, OK, `"revision":2`, 1},
		{"roads.slots.list", `{"road":"LIFT-2"}`, Refused, `ask again`, 0},
		{"roads.slots.list", `{"road":"LIFT-2"}`, OK, `"day":"2031-04-15"`, 0},
		{"roads.bookings.create", `{"road":"LIFT-2","date":"2031-04-15","unit":"4417"}`, Refused, `is taken`, 0},
		{"roads.bookings.create", `{"road":"LIFT-2","date":"2031-04-16","unit":"4417","request_key":"k1"}`, OK, `"booking_id":"BK-0001"`, 3},
		{"roads.bookings.create", `{"road":"LIFT-2","date":"2031-04-16","unit":"4417","request_key":"k1"}`, OK, `"booking_id":"BK-0001"`, 0},
		{"roads.bookings.create", `{"road":"LIFT-2","date":"2031-04-22","unit":"4417","request_key":"k1"}`, Refused, `used before with other arguments`, 0},
		{"roads.bookings.get", `{"booking_id":"BK-0001"}`, OK, `"made_at":"2031-04-07T09:13:00"`, 0},
		{"drive.files.read", `{"file_id":"SPEC-7"}`, OK, `Two wheelsets`, 0},
		{"assay.evidence", `{"path":"spec-7.md"}`, OK, `Two wheelsets`, 0},
		{"assay.evidence", `{"path":"../task.yaml"}`, Refused, `the files are spec-7.md`, 0},
		{"assay.context", ``, OK, `"handles":{"unit":"4417"}`, 0},
		{"assay.submit_answer", `{"option":"A"}`, Rejected, `missing properties`, 0},
		{"assay.submit_answer", `{"required_quantity":4,"option":"A","outcome_date":"2031-04-16","cost":12.345,"lots":[],"blocker":"none"}`, Rejected, `a multiple of 0.01`, 0},
		{"assay.submit_answer", `{"required_quantity":4,"option":"A","outcome_date":"2031-04-16","cost":12.34,"lots":["WS-91"],"blocker":"none"}`, OK, `"submissions":1`, 0},
	} {
		e := ask(t, s, c.tool, c.args)
		got := string(e.Result)
		if e.Error != nil {
			got = e.Error.Message
		}
		if e.Status != c.status || !strings.Contains(got, c.want) || len(e.Effect) != c.effect {
			t.Errorf("%s %s: %s, %d changes: %s", c.tool, c.args, e.Status, len(e.Effect), got)
		}
	}
	if err := VerifyChain(s.Genesis(), s.Events()); err != nil {
		t.Error(err)
	}
	ch, err := s.Changes(context.Background())
	if err != nil || len(ch) != 4 { // a lot, a slot, a booking, and the trigger's line
		t.Errorf("%d changes, %v", len(ch), err)
	}
	if a, n := Answer(s.Events()); n != 1 || !strings.Contains(string(a), "WS-91") {
		t.Errorf("%d answers, %s", n, a)
	}
}

// TestTouches holds what a tool is said to touch against its statements, and those of triggers.
func TestTouches(t *testing.T) {
	w, _ := depot(t)
	for name, want := range map[string][]string{"stores.lots.list": {"lots"}, "roads.bookings.create": {"log_lines", "road_bookings", "road_slots"}} {
		if got := w.Tool(name).Touches; !slices.Equal(got, want) {
			t.Errorf("%s touches %v, want %v", name, got, want)
		}
	}
}
