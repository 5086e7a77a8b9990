package run

import (
	"strings"
	"testing"

	"github.com/assaybench/assay/model"
)

// What a server says of a schema becomes a word about what was turned down and how to go on; other refusals stay as they are.
func TestSchemaRefused(t *testing.T) {
	for said, refused := range map[string]bool{
		`the server did not accept the request ("response_format.type" must be "text")`:                         true,
		"the server did not accept the request (json_schema is not implemented)":                                true,
		"the server did not accept the request (Structured Outputs are not available for this model)":           true,
		"the server did not accept the request (output_config: Extra inputs are not permitted)":                 true,
		"the server did not accept the request (Unknown name \"responseMimeType\")":                             true,
		"the server did not accept the request (failed to parse grammar)":                                       true,
		"the server did not accept the request (temperature must be at most 1)":                                 false,
		"the server did not accept the request (max_tokens is too large)":                                       false,
		"the server did not accept the request (Please reduce the length of the messages, or the tokens asked)": false,
	} {
		for _, kind := range []model.FaultKind{model.FaultRejected, model.FaultServer, model.FaultBusy} {
			f := &model.Fault{Kind: kind, Status: 400, Msg: said}
			schemaRefused(&model.Request{Schema: &model.Schema{Name: "proposal"}}, f)
			want := said
			if refused && kind != model.FaultBusy {
				want = "structured output (the schema proposal) was refused; --no-schema --new runs without it, and the results say so: " + said
			}
			if f.Msg != want {
				t.Errorf("%s: %s", kind, f.Msg)
			}
			f = &model.Fault{Kind: kind, Msg: said}
			if schemaRefused(&model.Request{}, f); strings.Contains(f.Msg, "--no-schema") {
				t.Errorf("nothing was asked for: %s", f.Msg)
			}
		}
	}
}
