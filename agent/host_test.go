package agent

import (
	"context"
	"net/http"
	"os"
	"strings"
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
	env := map[string]string{}
	for _, e := range h.Env {
		k, v, _ := strings.Cut(e, "=")
		env[k] = v
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
	tr, err := h.Whole(context.Background(), record.Transcript{Outcome: record.Answered}, "command/x")
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
	env := map[string]string{}
	for _, e := range h.Env {
		k, v, _ := strings.Cut(e, "=")
		env[k] = v
	}
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
	tr, err := h.Whole(context.Background(), record.Transcript{Outcome: record.Answered}, "command/x")
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
