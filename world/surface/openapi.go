package surface

import (
	"strings"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// addresses are the addresses of a tool beside /tools/NAME, each with its method; {name} stands for an argument.
func (v *Server) addresses(t *tool) [][2]string {
	method := "POST"
	if t.readOnly() {
		method = "GET"
	}
	out := [][2]string{{method, "/" + strings.ReplaceAll(t.Name, ".", "/")}}
	if t.resource == "" {
		return out
	}
	base := "/" + t.Server + "/" + t.resource
	taken := v.routes[t.Server+"/"+t.resource] != nil
	switch {
	case v.collection(t.Server, t.resource) == t && !taken, t.operation == "create" && !t.readOnly() && !taken:
		out = append(out, [2]string{method, base})
	case t.operation == "get" && t.readOnly() && len(t.required) == 1:
		out = append(out, [2]string{"GET", base + "/{" + t.required[0] + "}"})
	}
	return out
}

func (t *tool) short() map[string]any {
	return map[string]any{"name": t.Name, "title": t.Title, "hint": t.hint(), "access": t.Access}
}

func (t *tool) long() map[string]any {
	m := t.short()
	m["description"], m["server"], m["input"], m["output"] = t.Description, t.Server, rawJSON(t.Input.JSON), rawJSON(t.Output.JSON)
	m["endpoint"] = map[string]string{"method": "POST", "path": apiBase + "/tools/" + t.Name}
	return m
}

// index tells a caller where everything is.
func (v *Server) index() map[string]any {
	servers := []any{}
	for _, s := range v.systems {
		tools := []any{}
		for _, t := range s.Tools {
			m := t.short()
			var at []any
			for _, e := range v.addresses(t) {
				at = append(at, map[string]string{"method": e[0], "path": apiBase + e[1]})
			}
			m["endpoints"] = at
			tools = append(tools, m)
		}
		servers = append(servers, map[string]any{"id": s.ID, "title": s.Title, "tools": tools})
	}
	return map[string]any{"episode": v.session.ID(), "organisation": v.session.World().Organisation, "servers": servers,
		"task": apiBase + "/task", "submit": apiBase + "/submit", "tools": apiBase + "/tools", "openapi": apiBase + "/openapi.json", "events": apiBase + "/events"}
}

// document makes the OpenAPI 3.1 document.
func (v *Server) document() ([]byte, error) {
	paths := map[string]any{}
	add := func(path, method string, op map[string]any) {
		p, _ := paths[apiBase+path].(map[string]any)
		if p == nil {
			p = map[string]any{}
			paths[apiBase+path] = p
		}
		p[strings.ToLower(method)] = op
	}
	reply := func(schema any) map[string]any {
		return map[string]any{"description": "The result", "content": map[string]any{"application/json": map[string]any{"schema": schema}}}
	}
	responses := func(schema any) map[string]any {
		out := map[string]any{"200": reply(schema)}
		for _, e := range [][2]string{{"400", "The arguments are not what the schema says"}, {"401", "The token is missing or wrong"}, {"404", "No such tool or record"},
			{"422", "The world refused the call"}, {"500", "A fault of the world"}, {"503", "The system is busy; the same call succeeds later"}} {
			out[e[0]] = map[string]any{"description": e[1], "content": map[string]any{"application/json": map[string]any{"schema": map[string]any{"$ref": "#/components/schemas/Error"}}}}
		}
		return out
	}
	body := func(t *tool) map[string]any {
		return map[string]any{"required": len(t.required) > 0, "content": map[string]any{"application/json": map[string]any{"schema": rawJSON(t.Input.JSON)}}}
	}
	for _, t := range v.tools {
		op := func(id string) map[string]any {
			return map[string]any{"operationId": id, "summary": t.Title, "description": t.Description, "tags": []any{t.Server}, "responses": responses(rawJSON(t.Output.JSON))}
		}
		call := op(t.Name)
		call["requestBody"] = body(t)
		add("/tools/"+t.Name, "POST", call)
		for i, e := range v.addresses(t) {
			o := op(t.Name + []string{".at", ".of"}[i])
			if e[0] == "POST" {
				o["requestBody"] = body(t)
			} else {
				o["parameters"] = t.parameters(e[1])
			}
			add(e[1], e[0], o)
		}
	}
	brief, submit := v.tools[world.ToolContext], v.tools[world.ToolSubmit]
	add("/task", "GET", map[string]any{"operationId": "task", "summary": brief.Title, "responses": responses(rawJSON(brief.Output.JSON))})
	if submit != nil {
		add("/submit", "POST", map[string]any{"operationId": "submit", "summary": submit.Title, "description": submit.Description, "requestBody": body(submit), "responses": responses(rawJSON(submit.Output.JSON))})
	}
	object := map[string]any{"type": "object"}
	for path, says := range map[string]string{"": "Where everything is", "/tools": "All tools", "/events": "The calls that were made", "/openapi.json": "This document"} {
		add(path, "GET", map[string]any{"operationId": "index" + strings.ReplaceAll(strings.ReplaceAll(path, "/", "."), ".json", ""), "summary": says, "responses": map[string]any{"200": reply(object)}})
	}
	add("/tools/{name}", "GET", map[string]any{"operationId": "schema", "summary": "A tool's schemas", "responses": map[string]any{"200": reply(object)},
		"parameters": []any{map[string]any{"name": "name", "in": "path", "required": true, "schema": map[string]any{"type": "string"}}}})
	w := v.session.World()
	return record.Canonical(map[string]any{
		"openapi": "3.1.0", "info": map[string]any{"title": w.Name, "version": "1", "description": "The systems of " + w.Organisation.Name + "."},
		"security": []any{map[string]any{"token": []any{}}}, "paths": paths,
		"components": map[string]any{
			"securitySchemes": map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer"}},
			"schemas": map[string]any{"Error": map[string]any{"type": "object", "required": []any{"error"}, "properties": map[string]any{"error": map[string]any{
				"type": "object", "required": []any{"code", "message", "retryable"}, "properties": map[string]any{
					"code": map[string]any{"type": "string"}, "message": map[string]any{"type": "string"}, "retryable": map[string]any{"type": "boolean"}}}}}},
		},
	})
}

// parameters describes a read's arguments as a query string has them.
func (t *tool) parameters(path string) []any {
	out := []any{}
	for _, p := range t.props {
		in, required := "query", p.Required
		if strings.Contains(path, "{"+p.Name+"}") {
			in, required = "path", true
		}
		m := map[string]any{"name": p.Name, "in": in, "required": required, "schema": p.schema()}
		if p.Description != "" {
			m["description"] = p.Description
		}
		out = append(out, m)
	}
	return out
}

func (p *prop) schema() map[string]any {
	m := map[string]any{"type": p.Type}
	if p.Format != "" {
		m["format"] = p.Format
	}
	if len(p.Enum) > 0 {
		m["enum"] = p.Enum
	}
	if p.Items != nil {
		m["items"] = p.Items.schema()
	}
	return m
}
