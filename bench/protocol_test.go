package bench

import (
	"strings"
	"testing"

	"github.com/assaybench/assay/record"
)

// TestUnhonoured: a bench that says nothing of settings that models do not take has the protocol it always had, as has one
// that says the default.
func TestUnhonoured(t *testing.T) {
	const before = `{"context":32768,"default_posture":"plain","pass_rule":"all","postures":[` +
		`{"max_output":1536,"models":[],"name":"plain","thinking":"","timeout":"4m0s"},` +
		`{"max_output":4096,"models":["big","bigger"],"name":"thinking","thinking":"on","timeout":"10m0s"}],` +
		`"repeats":2,"seed":7,"temperature":0,"top_p":1}`
	for key, want := range map[string]string{
		"": before, "unhonoured: record\n  ": before, "unhonoured:\n  ": before,
		"unhonoured: refuse\n  ": strings.Replace(before, `"top_p":1`, `"top_p":1,"unhonoured":"refuse"`, 1),
	} {
		m := sample()
		m["bench.yaml"].Data = []byte(strings.Replace(manifest, "pass_rule: all\n", "pass_rule: all\n  "+key+"\n", 1))
		b, err := Load(m, "here")
		if err != nil {
			t.Fatal(err)
		}
		got, err := record.Canonical(&b.Protocol)
		if err != nil || string(got) != want {
			t.Errorf("%q gives %s, %v\n\twant %s", key, got, err, want)
		}
	}
}
