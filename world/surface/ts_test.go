package surface_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestReferenceByTypeScript does the example's task with the TypeScript SDK's client. Its packages are those of
// testdata/tsclient, which npm ci installs there.
func TestReferenceByTypeScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat("testdata/tsclient/node_modules/@modelcontextprotocol/sdk/package.json")
	}
	if err != nil {
		if os.Getenv("ASSAY_REQUIRE_TSCLIENT") == "1" {
			t.Fatal(err)
		}
		t.Skipf("the TypeScript client is not installed (npm ci --ignore-scripts in world/surface/testdata/tsclient): %v", err)
	}
	s := serve(t, files(t, nil))
	trace, err := filepath.Abs(example + "/tasks/ferry-217/sealed/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "client.mjs", s.base+"/mcp", s.token, trace)
	cmd.Dir = "testdata/tsclient"
	out, err := cmd.Output()
	if err != nil {
		if e, ok := err.(*exec.ExitError); ok {
			t.Fatalf("%v\n%s", err, e.Stderr)
		}
		t.Fatal(err)
	}
	var got struct {
		Tools, Resources, Structured int
		Refused, Unknown             bool
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if got.Tools != len(s.session.Tools()) || got.Resources != 1 || got.Structured != len(reference(t)) || !got.Refused || !got.Unknown {
		t.Errorf("%s", out)
	}
	mustPass(t, s.judge())
	if n := len(s.session.Events()); n != len(reference(t))+2 {
		t.Errorf("%d events", n)
	}
}
