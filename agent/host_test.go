package agent

import (
	"context"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// TestHostGivesTheRequestAsAFile: a request that looks like an option of a command line reaches a program as it stands; asking
// whether the server is there begins nothing; and nothing is left behind.
func TestHostGivesTheRequestAsAFile(t *testing.T) {
	s := mooring(t, "tasks/ferry-217/public/task.yaml", "  Ada in passenger services needs", "  --help -rf Ada in passenger services needs")
	asked, err := s.Prompt("ferry-217")
	if err != nil {
		t.Fatal(err)
	}
	sess, err := s.Tasks()[0].Session(context.Background(), "host")
	if err != nil {
		t.Fatal(err)
	}
	asked = append([]model.Message{{Role: "system", Text: "-v"}}, asked...)
	h, err := NewHost(sess, asked, world.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	env := envOf(h)
	for k, v := range env {
		if strings.Contains(v, "--help") || strings.Contains(v, "\n") {
			t.Errorf("the request stands in %s", k)
		}
	}
	b, err := os.ReadFile(env["ASSAY_REQUEST"])
	if err != nil || !strings.HasPrefix(string(b), "-v\n\n") || !strings.Contains(string(b), "\n--help -rf Ada in passenger services") {
		t.Errorf("the request is %q, %v", b, err)
	}
	for range 50 { // a readiness probe
		resp, err := http.Get(env["ASSAY_API_URL"] + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	if h.Begun() {
		t.Error("a probe begins an episode")
	}
	tr, err := h.Whole(context.Background(), record.Transcript{Outcome: record.Answered}, "command/x", false)
	if err != nil || tr.Episode.Sealed || string(tr.Episode.Events) != "[]" || tr.Episode.Ended != EndedSilent || tr.Episode.Agent != "command/x" {
		t.Errorf("%+v, %v", tr.Episode, err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(env["ASSAY_REQUEST"]); !os.IsNotExist(err) {
		t.Errorf("the request is left behind: %v", err)
	}
}

// TestHostRecordsNothingAfterTheEnd: a program may leave another one running, which goes on calling. It can neither make the
// attempt look like a fault of ours, nor add to what was recorded.
func TestHostRecordsNothingAfterTheEnd(t *testing.T) {
	s := mooring(t, "tasks/ferry-217/public/task.yaml", "Ada in passenger services needs", "Ada in passenger services needs")
	asked, err := s.Prompt("ferry-217")
	if err != nil {
		t.Fatal(err)
	}
	sess, err := s.Tasks()[0].Session(context.Background(), "host")
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHost(sess, asked, world.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	env := envOf(h)
	told := make(chan int)
	go func() {
		n := 0
		for ; ; n++ {
			r, err := http.NewRequest("POST", env["ASSAY_API_URL"]+"/tools/notes.drafts.create", strings.NewReader(`{"recipient":"u-ada","subject":"a","body":"b"}`))
			if err != nil {
				t.Error(err)
				break
			}
			r.Header.Set("Authorization", "Bearer "+env["ASSAY_TOKEN"])
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				break
			}
			resp.Body.Close()
		}
		told <- n
	}()
	for !h.Begun() {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	tr, err := h.Whole(context.Background(), record.Transcript{Outcome: record.Answered}, "command/x", false)
	if err != nil {
		t.Fatalf("a program that goes on calling is a fault of the world: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	n := <-told
	// One call may have been made whose answer the end cut off.
	if got := strings.Count(string(tr.Episode.Events), `"tool":"notes.drafts.create"`); n < 5 || got < n || got > n+1 || got != len(sess.Events()) {
		t.Errorf("%d calls were answered, %d are in the record and %d in the world", n, got, len(sess.Events()))
	}
}

// served is a session of the example's task behind a host, and a caller of its REST surface.
func served(t *testing.T, limits world.Limits) (h *Host, call func(tool, args string) int) {
	t.Helper()
	s := mooring(t, "tasks/ferry-217/public/task.yaml", "Ada in passenger services needs", "Ada in passenger services needs")
	asked, err := s.Prompt("ferry-217")
	if err != nil {
		t.Fatal(err)
	}
	sess, err := s.Tasks()[0].Session(context.Background(), "host")
	if err != nil {
		t.Fatal(err)
	}
	if h, err = NewHost(sess, asked, limits); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	env := envOf(h)
	return h, func(tool, args string) int {
		r, err := http.NewRequest("POST", env["ASSAY_API_URL"]+"/tools/"+tool, strings.NewReader(args))
		if err != nil {
			t.Error(err)
			return 0
		}
		r.Header.Set("Authorization", "Bearer "+env["ASSAY_TOKEN"])
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		resp.Body.Close()
		return resp.StatusCode
	}
}

// TestHostCountsCalls: the server counts calls, of whatever kind and end, many at once; the first one too many is not made, ends
// the program's context and is the episode's ending, whatever the program says of itself afterwards.
func TestHostCountsCalls(t *testing.T) {
	h, call := served(t, world.Limits{Calls: 7})
	ctx, end := h.Work(context.Background(), time.Minute)
	defer end()
	var wg sync.WaitGroup
	var ok, bad, refused atomic.Int64
	for i := range 20 {
		wg.Go(func() {
			tool := "notes.drafts.create"
			if i%2 == 0 {
				tool = "no.such.tool"
			}
			switch call(tool, `{"recipient":"u-ada","subject":"a","body":"b"}`) {
			case http.StatusOK, http.StatusCreated:
				ok.Add(1)
			case http.StatusNotFound:
				bad.Add(1)
			case http.StatusUnprocessableEntity:
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	if ok.Load()+bad.Load() != 7 || refused.Load() != 13 {
		t.Errorf("%d calls were made, %d rejected, %d refused at the limit", ok.Load(), bad.Load(), refused.Load())
	}
	select {
	case <-ctx.Done():
	default:
		t.Error("the program may go on")
	}
	if cause := context.Cause(ctx); cause != errCapped {
		t.Errorf("the cause is %v", cause)
	}
	tr, err := h.Whole(context.Background(), record.Transcript{Outcome: record.Error, Reason: "it was killed"}, "command/x", false)
	if err != nil {
		t.Fatal(err)
	}
	if tr.Outcome != record.Truncated || tr.Reason != "the limit of 7 calls was reached" || tr.Episode.Ended != EndedCalls || strings.Count(string(tr.Episode.Events), `"seq":`) != 7 {
		t.Errorf("%s (%s), ended by %s, events %s", tr.Outcome, tr.Reason, tr.Episode.Ended, tr.Episode.Events)
	}
}

// TestHostCountsTime: what comes after the time is not made, though the program lived on.
func TestHostCountsTime(t *testing.T) {
	h, call := served(t, world.Limits{Time: 50 * time.Millisecond})
	within := h.Limit(time.Hour)
	if within != 50*time.Millisecond {
		t.Fatalf("the limit is %v", within)
	}
	ctx, end := h.Work(context.Background(), within)
	defer end()
	time.Sleep(60 * time.Millisecond)
	if got := call("assay.context", `{}`); got != http.StatusUnprocessableEntity {
		t.Errorf("a call after the time: %d", got)
	}
	if ctx.Err() != nil {
		t.Error("the time is its caller's to end, with the outcome that belongs to it")
	}
	if h.Begun() {
		t.Error("the call is in the log")
	}
	tr, err := h.Whole(context.Background(), record.Transcript{Outcome: record.Timeout}, "command/x", false)
	if err != nil || tr.Outcome != record.Truncated || tr.Episode.Ended != EndedTime || tr.Reason != "the limit of 50ms was reached" {
		t.Errorf("%s (%s), ended by %s, %v", tr.Outcome, tr.Reason, tr.Episode.Ended, err)
	}
}

// TestHostLimitAfterTheAnswer: as in the loop, a limit that is met after the answer changes nothing.
func TestHostLimitAfterTheAnswer(t *testing.T) {
	for _, last := range []record.Outcome{record.Error, record.Timeout} {
		h, call := served(t, world.Limits{Calls: 2, Time: time.Minute})
		_, end := h.Work(context.Background(), time.Minute)
		defer end()
		answer := `{"decision":"DO_NOT_MOOR"}`
		if b, err := os.ReadFile("../examples/mooring/tasks/ferry-217/sealed/reference.jsonl"); err == nil {
			for line := range strings.Lines(string(b)) {
				if _, rest, ok := strings.Cut(strings.TrimSpace(line), `"tool":"assay.submit_answer","args":`); ok {
					answer = strings.TrimSuffix(rest, "}")
				}
			}
		}
		if got := call("assay.context", `{}`); got != http.StatusOK {
			t.Fatal(got)
		}
		if got := call("assay.submit_answer", answer); got != http.StatusOK {
			t.Fatalf("the answer: %d", got)
		}
		if last == record.Error {
			if got := call("assay.context", `{}`); got != http.StatusUnprocessableEntity {
				t.Fatalf("a call too many: %d", got)
			}
		}
		tr, err := h.Whole(context.Background(), record.Transcript{Outcome: last}, "command/x", false)
		if err != nil || tr.Outcome != record.Answered || tr.Episode.Ended != EndedAnswer {
			t.Errorf("after %s: %s (%s), ended by %s, %v", last, tr.Outcome, tr.Reason, tr.Episode.Ended, err)
		}
	}
}
