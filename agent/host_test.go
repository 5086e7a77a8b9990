package agent

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"

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
