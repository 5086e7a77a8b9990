package world

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Names of the tools that every world has.
const (
	ToolContext  = "assay.context"
	ToolEvidence = "assay.evidence"
	ToolSubmit   = "assay.submit_answer"
)

func mustSchema(text string) *Schema {
	s, err := NewSchema([]byte(text))
	if err != nil {
		panic(err)
	}
	return s
}

var (
	emptySchema    = mustSchema(`{"type":"object","additionalProperties":false,"properties":{}}`)
	contextOutput  = mustSchema(`{"type":"object","properties":{"task":{"type":"string"},"title":{"type":"string"},"role":{"type":"string"},"user":{"type":["string","null"]},"as_of":{"type":"string"},"request":{"type":"string"},"organisation":{"type":"object"},"users":{"type":"array"},"handles":{"type":"object"},"servers":{"type":"array"},"evidence":{"type":"array"},"answer":{"type":"object"}},"required":["task","title","role","as_of","request","servers","answer"],"additionalProperties":false}`)
	evidenceInput  = mustSchema(`{"type":"object","additionalProperties":false,"required":["path"],"properties":{"path":{"type":"string","minLength":1,"description":"A file of the evidence list, as its path stands there."}}}`)
	evidenceOutput = mustSchema(`{"type":"object","additionalProperties":false,"required":["path","title","media_type","size","sha256","text","base64"],"properties":{"path":{"type":"string"},"title":{"type":"string"},"media_type":{"type":"string"},"size":{"type":"integer"},"sha256":{"type":"string"},"text":{"type":["string","null"]},"base64":{"type":["string","null"]}}}`)
	submitOutput   = mustSchema(`{"type":"object","additionalProperties":false,"required":["accepted","submissions"],"properties":{"accepted":{"type":"boolean"},"submissions":{"type":"integer"}}}`)
)

// builtins gives the tools that every session has, for a task.
func builtins(t *Task) []*Tool {
	out := []*Tool{
		{Name: ToolContext, Server: BuiltinServer, Title: "Task brief", Access: Read, Input: emptySchema, Output: contextOutput,
			Description: "The request, the organisation and its people, the systems at hand with their tools, the evidence files, and the form of the answer."},
		{Name: ToolEvidence, Server: BuiltinServer, Title: "Read an evidence file", Access: Read, Input: evidenceInput, Output: evidenceOutput,
			Description: "One evidence file: its text (of a workbook the cells as CSV, of a PDF, a document or a mail what a reader sees), and the bytes in base64 where they are more than this text."},
	}
	if t != nil {
		out = append(out, &Tool{Name: ToolSubmit, Server: BuiltinServer, Title: "Submit the answer", Access: Write, Input: t.Schema, Output: submitOutput,
			Description: "Hand in the answer to the request. Every field is wanted. A later submission takes the place of an earlier one."})
	}
	return out
}

// brief is what assay.context gives.
func (s *Session) brief() map[string]any {
	t := s.task
	servers := []any{}
	for _, sv := range append([]Server{{ID: BuiltinServer, Title: "The task itself"}}, s.world.Servers...) {
		tools := []any{}
		for _, tl := range s.tools {
			if tl.Server == sv.ID {
				tools = append(tools, tl.Name)
			}
		}
		if len(tools) > 0 {
			servers = append(servers, map[string]any{"id": sv.ID, "title": sv.Title, "tools": tools})
		}
	}
	users := []any{}
	for _, u := range s.world.Users {
		users = append(users, map[string]any{"id": u.ID, "name": u.Name, "role": u.Role})
	}
	handles := map[string]any{}
	for _, h := range t.Handles {
		handles[h.Name] = h.Value
	}
	evidence := []any{}
	for _, e := range t.Evidence {
		evidence = append(evidence, map[string]any{"path": e.Path, "title": e.Title, "kind": e.Kind, "media_type": e.MediaType, "size": int64(e.Size), "sha256": e.SHA256})
	}
	form, _ := decodeJSON(t.Schema.JSON) // made by this package
	var user any
	if t.User != "" {
		user = t.User
	}
	o := s.world.Organisation
	return map[string]any{"task": t.ID, "title": t.Title, "role": t.Role, "user": user, "as_of": t.AsOf, "request": t.Request,
		"organisation": map[string]any{"id": o.ID, "name": o.Name, "site": o.Site}, "users": users, "handles": handles, "servers": servers,
		"evidence": evidence, "answer": form}
}

func (s *Session) readEvidence(path string) (map[string]any, error) {
	i := slices.IndexFunc(s.task.Evidence, func(f File) bool { return f.Path == path })
	if i < 0 {
		var have []string
		for _, f := range s.task.Evidence {
			have = append(have, f.Path)
		}
		say := "there are no evidence files"
		if len(have) > 0 {
			say = "the files are " + oneLine(strings.Join(have, ", "), 2000)
		}
		return nil, &CallError{Code: NotFound, Message: fmt.Sprintf("no evidence file has the path %q; %s", oneLine(path, 200), say)}
	}
	f := &s.task.Evidence[i]
	out := map[string]any{"path": f.Path, "title": f.Title, "media_type": f.MediaType, "size": int64(f.Size), "sha256": f.SHA256, "text": nil, "base64": nil}
	text, ok := f.Text()
	if ok {
		out["text"] = text
	}
	if !ok || text != string(f.Data) {
		out["base64"] = base64.StdEncoding.EncodeToString(f.Data)
	}
	return out, nil
}

// Answer gives the answer that was handed in last, as sent, and how many there were.
func Answer(events []Event) (last json.RawMessage, submissions int) {
	for i := range events {
		if e := &events[i]; e.Actor == Agent && e.Tool == ToolSubmit && e.OK() {
			last, submissions = json.RawMessage(e.Args), submissions+1
		}
	}
	return last, submissions
}
