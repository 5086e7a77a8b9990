package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assaybench/assay/model/modeltest"
)

// A server that refuses the schema of replies is told of by what it refused, with the way around it: before the first
// attempt where it refuses it at once, and where all attempts err alike.
func TestSchemaIsRefused(t *testing.T) {
	const hint = "structured output (the schema kairos_proposal) was refused; --no-schema --new runs without it"
	r := newRig(t)
	r.desk(12)
	anthropic, _ := r.mock(modeltest.MockOptions{Wire: modeltest.WireAnthropic, Reply: func(q modeltest.MockRequest) modeltest.MockReply {
		if q.Asks("schema") {
			return modeltest.MockReply{Fault: "400-schema"}
		}
		return modeltest.MockReply{Content: proposal(rightBody, "roll"), OutputTokens: 5}
	}})
	got := r.want(3, "run", "./desk", "--unproven", "--model", anthropic, "--no-probe", "--yes")
	if !strings.Contains(got.err, hint) || !strings.Contains(got.err, "additionalProperties") {
		t.Error(got.err)
	}
	if got := r.want(0, "run", "./desk", "--unproven", "--model", anthropic, "--no-probe", "--no-schema", "--yes"); !strings.Contains(got.out, "without a schema (--no-schema)") || !strings.Contains(got.out, "13/16") {
		t.Errorf("%s%s", got.err, got.out)
	}

	// This one says nothing of it until it is asked something long.
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(string(body), "json_schema") && strings.Contains(string(body), "要件") {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"message":"cannot compile the grammar of this json_schema"}}`)
			return
		}
		b, _ := json.Marshal(proposal(rightBody, "roll"))
		fmt.Fprintf(w, `{"object":"list","data":[{"id":"mock","object":"model"}],"id":"x","model":"mock","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}],"usage":{"prompt_tokens":9000,"completion_tokens":2}}`, b)
	}))
	t.Cleanup(late.Close)
	name := "openai/mock@" + late.URL + "/v1"
	got = r.want(3, "run", "./desk", "--unproven", "--model", name, "--no-probe")
	if !strings.Contains(got.err, "attempts in a row were turned down in the same way") || !strings.Contains(got.err, hint) {
		t.Error(got.err)
	}
	const again = "the same command would be refused again"
	if !strings.Contains(got.err, again) || strings.Contains(got.err, "resumes") {
		t.Error(got.err)
	}
	// Fewer attempts than stop a run say so, too.
	got = r.want(3, "run", "./desk", "--unproven", "--model", name, "--no-probe", "--only", "T-01,T-02")
	if !strings.Contains(got.err, "2 attempts of 2 are missing or ended in an error (the first: ") || !strings.Contains(got.err, hint) {
		t.Error(got.err)
	}
	if !strings.Contains(got.err, "; the same command would ask for them in the same way") || strings.Contains(got.err, "tries them again") {
		t.Error(got.err)
	}
	got = r.want(3, "run", "./desk", "--unproven", "--model", name, "--no-probe", "--only", "T-01")
	if !strings.Contains(got.err, "1 attempt of 1 is missing or ended in an error") || !strings.Contains(got.err, "1 item x 1 repeat x 1 model and posture = 1 attempt, ") {
		t.Error(got.err)
	}
	if got := r.want(0, "run", "./desk", "--unproven", "--model", name, "--no-probe", "--no-schema", "--new", "--only", "T-01,T-02"); !strings.Contains(got.out, "2/2") {
		t.Error(got.out)
	}
}

// Other tests of schemas are those of the providers; that what was used is recorded is one for all wires.
func TestSchemaIsRecorded(t *testing.T) {
	for _, w := range modeltest.Wires() {
		t.Run(w.String(), func(t *testing.T) {
			r := newRig(t)
			r.desk(0)
			name, _ := r.mock(modeltest.MockOptions{Wire: w, Reply: func(q modeltest.MockRequest) modeltest.MockReply {
				return modeltest.MockReply{Content: proposal(rightBody, "roll"), OutputTokens: 5}
			}})
			r.want(0, "run", "./desk", "--unproven", "-q", "--model", name, "--no-probe", "--yes", "--only", "P-01")
			seen := r.item("P-01")
			if len(seen) != 1 || seen[0].Letter != "." {
				t.Fatalf("%+v", seen)
			}
			said := ""
			for _, s := range seen[0].Settings {
				if s.Name == "schema" {
					said = s.State
				}
			}
			if said != "asked" && said != "enforced" {
				t.Errorf("what became of the schema is not recorded: %+v", seen[0].Settings)
			}
		})
	}
}
