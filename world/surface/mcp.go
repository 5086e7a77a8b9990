package surface

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assaybench/assay/world"
)

// URIs of the resources.
const (
	briefURI    = "assay://brief"
	evidenceURI = "assay://evidence/"
)

// mountMCP mounts all tools at /mcp, and each server's own at /mcp/SERVER.
func (v *Server) mountMCP(mux *http.ServeMux) {
	mount := func(path, only string) {
		e := v.newEndpoint(only)
		v.endpoints = append(v.endpoints, e)
		mux.Handle(path, e)
	}
	mount("/mcp", "")
	var ids []string
	for _, s := range v.systems {
		mount("/mcp/"+s.ID, s.ID)
		ids = append(ids, s.ID)
	}
	mux.HandleFunc("/mcp/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, http.StatusNotFound, "not_found", "no such server; the servers are "+strings.Join(ids, ", ")+", and all tools are at /mcp", false)
	})
}

// mcpServer makes the MCP server of one system, or of all; id names protocol sessions where there are any.
func (v *Server) mcpServer(only string, id func() string) *mcp.Server {
	w := v.session.World()
	title, say := w.Name, "The systems of "+w.Organisation.Name+". The task's brief is in "+world.ToolContext+"; the answer is handed in with "+world.ToolSubmit+"."
	if only != "" && only != world.BuiltinServer {
		for _, s := range v.systems {
			if s.ID == only {
				title, say = s.Title, s.Title+" of "+w.Organisation.Name+"."
			}
		}
	}
	name := "assay"
	if only != "" {
		name = only
	}
	m := mcp.NewServer(&mcp.Implementation{Name: name, Title: title, Version: "1"}, &mcp.ServerOptions{
		Instructions: say, PageSize: 1000, GetSessionID: id,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}},
	})
	yes, no := true, false
	for _, s := range v.systems {
		if only != "" && s.ID != only {
			continue
		}
		for _, t := range s.Tools {
			a := &mcp.ToolAnnotations{Title: t.Title, ReadOnlyHint: t.readOnly(), IdempotentHint: t.repeatable(), DestructiveHint: &no, OpenWorldHint: &no}
			if !t.readOnly() && t.Server != world.BuiltinServer {
				a.DestructiveHint = &yes // a tool may change rows that were there; none says that it only adds
			}
			m.AddTool(&mcp.Tool{Name: t.Name, Title: t.Title, Description: t.Description, Annotations: a,
				InputSchema: json.RawMessage(t.Input.JSON), OutputSchema: json.RawMessage(t.Output.JSON)},
				func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					return v.mcpCall(ctx, only, r.Params)
				})
		}
	}
	if only == "" || only == world.BuiltinServer {
		v.addResources(m)
	}
	m.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if r, ok := req.(*mcp.CallToolRequest); ok && method == "tools/call" && r.Params != nil {
				if t := v.tools[r.Params.Name]; t == nil || only != "" && t.Server != only {
					return v.mcpCall(ctx, only, r.Params) // not mounted here; the world records and refuses it
				}
			}
			return next(ctx, method, req)
		}
	})
	return m
}

// mcpCall answers a call. An error of the world is a result, which the agent reads, and no protocol error, which it may
// never see; it has no structured content, which clients hold against the output schema.
func (v *Server) mcpCall(ctx context.Context, only string, p *mcp.CallToolParamsRaw) (*mcp.CallToolResult, error) {
	e, err := v.call(ctx, MCP, only, p.Name, p.Arguments)
	if err != nil {
		return nil, storeFailed()
	}
	if !e.OK() {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(errorJSON(e.Error))}}}, nil
	}
	return &mcp.CallToolResult{StructuredContent: json.RawMessage(e.Result), Content: []mcp.Content{&mcp.TextContent{Text: string(e.Result)}}}, nil
}

func storeFailed() error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the world cannot answer; the episode stands as it was"}
}

func errorJSON(e *world.CallError) []byte {
	b, err := json.Marshal(map[string]any{"error": e})
	if err != nil { // texts and a bool
		panic(err)
	}
	return b
}

// addResources offers the brief and the evidence files. Reading one is a call of the built-in tool, and recorded as one.
func (v *Server) addResources(m *mcp.Server) {
	m.AddResource(&mcp.Resource{URI: briefURI, Name: "brief", Title: "Task brief", MIMEType: "application/json", Description: "The request and the form of the answer."},
		func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			e, err := v.call(ctx, MCP, "", world.ToolContext, nil)
			if err != nil {
				return nil, storeFailed()
			}
			if !e.OK() {
				return nil, resourceError(e.Error)
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: briefURI, MIMEType: "application/json", Text: string(e.Result)}}}, nil
		})
	for _, f := range v.session.Task().Evidence {
		uri := evidenceURI + escapePath(f.Path)
		m.AddResource(&mcp.Resource{URI: uri, Name: f.Path, Title: f.Title, MIMEType: f.MediaType, Size: int64(f.Size)},
			func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return v.readResource(ctx, uri, f.Path)
			})
	}
}

func (v *Server) readResource(ctx context.Context, uri, path string) (*mcp.ReadResourceResult, error) {
	e, f, err := v.readEvidence(ctx, MCP, path)
	if err != nil {
		return nil, storeFailed()
	}
	if !e.OK() {
		return nil, resourceError(e.Error)
	}
	c := &mcp.ResourceContents{URI: uri, MIMEType: f.MediaType}
	if f.Text != nil {
		c.Text = *f.Text
	} else {
		c.Blob = f.data
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
}

// resourceError keeps the world's code for clients that look for it.
func resourceError(e *world.CallError) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: e.Message, Data: errorJSON(e)}
}

// file is what assay.evidence gave.
type file struct {
	Path      string
	Title     string
	MediaType string `json:"media_type"`
	SHA256    string
	Text      *string
	Base64    *string
	data      []byte
}

// readEvidence reads an evidence file as the agent, which is recorded.
func (v *Server) readEvidence(ctx context.Context, surface, path string) (*world.Event, *file, error) {
	args, err := json.Marshal(map[string]string{"path": path})
	if err != nil {
		return nil, nil, err
	}
	e, err := v.call(ctx, surface, "", world.ToolEvidence, args)
	if err != nil || !e.OK() {
		return e, nil, err
	}
	f := new(file)
	if err := json.Unmarshal(e.Result, f); err != nil {
		return e, nil, err
	}
	switch {
	case f.Text != nil:
		f.data = []byte(*f.Text)
	case f.Base64 != nil:
		f.data, err = base64.StdEncoding.DecodeString(*f.Base64)
	}
	return e, f, err
}

func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}
