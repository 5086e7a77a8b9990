package run

import (
	"strings"

	"github.com/assaybench/assay/model"
)

// schemaWords are those by which servers speak of a schema for replies. One that only says that a request is wrong may mean
// anything.
var schemaWords = model.NewPattern(`(?i)schema|response_?format|structured[ _-]?output|output[ _]config|output format|text\.format|json mode|mime_?type|grammar|guided|additionalProperties`)

// schemaRefused says of a fault by which a provider turned down the form of replies what was turned down, and how a run goes
// on without it. It stands first, since a long message is cut.
func schemaRefused(req *model.Request, f *model.Fault) {
	if req.Schema == nil || f.Kind != model.FaultRejected && f.Kind != model.FaultServer || !schemaWords.MatchString(f.Msg) {
		return
	}
	f.Msg = "structured output (the schema " + req.Schema.Name + ") was refused; " + withoutSchema + ": " + f.Msg
}

// SchemaRefused says whether a fault's message is of a schema that was turned down, and so says itself how to go on: not by the
// same command, which asks with the schema again.
func SchemaRefused(msg string) bool { return strings.Contains(msg, withoutSchema) }

const withoutSchema = "--no-schema --new runs without it, and the results say so"
