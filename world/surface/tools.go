package surface

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/world"
)

// tool is a mounted tool with its schema as forms and query strings need it.
type tool struct {
	*world.Tool
	resource, operation string // of server.resource.operation; resource is "" of server.operation
	props               []prop // in the order of their declaration
	required            []string
}

// prop is a property of a schema: what a form or a query string must know to make its value.
type prop struct {
	Name        string
	Description string
	Type        string // string, integer, number, boolean, array, object; the first that is not null
	Format      string
	Enum        []string // of texts
	Required    bool
	Long        bool // a text that may have several lines
	Minimum     string
	Maximum     string
	MaxLength   int
	Items       *prop
	Nullable    bool
}

// system is one server of the organisation with its mounted tools.
type system struct {
	ID, Title string
	Tools     []*tool
}

// subschema is the part of JSON Schema that a prop is read from. What it leaves out is the world's to check.
type subschema struct {
	Type        json.RawMessage
	Description string
	Format      string
	Enum        []any
	Minimum     json.Number
	Maximum     json.Number
	MaxLength   int
	Items       *subschema
	Properties  map[string]subschema
	Required    []string
}

func (s *subschema) prop(name string) prop {
	p := prop{Name: name, Description: s.Description, Format: s.Format, Minimum: s.Minimum.String(), Maximum: s.Maximum.String(), MaxLength: s.MaxLength,
		Long: s.MaxLength == 0 && s.Format == "" || s.MaxLength > 200}
	var one string
	var many []string
	if json.Unmarshal(s.Type, &one) != nil {
		if json.Unmarshal(s.Type, &many) != nil {
			many = nil
		}
	} else {
		many = []string{one}
	}
	for _, t := range many {
		if t == "null" {
			p.Nullable = true
		} else if p.Type == "" {
			p.Type = t
		}
	}
	for _, v := range s.Enum {
		if text, ok := v.(string); ok {
			p.Enum = append(p.Enum, text)
		}
	}
	if s.Items != nil {
		i := s.Items.prop("")
		p.Items = &i
	}
	return p
}

func (v *Server) readTools() error {
	v.tools, v.routes = map[string]*tool{}, map[string]*tool{}
	titles := map[string]string{world.BuiltinServer: "The task itself"}
	order := []string{world.BuiltinServer}
	for _, s := range v.session.World().Servers {
		titles[s.ID] = s.Title
		order = append(order, s.ID)
	}
	byServer := map[string][]*tool{}
	for _, t := range v.session.Tools() {
		x, err := readTool(t)
		if err != nil {
			return err
		}
		v.tools[t.Name] = x
		v.routes[strings.ReplaceAll(t.Name, ".", "/")] = x
		byServer[t.Server] = append(byServer[t.Server], x)
	}
	for _, id := range order {
		if list := byServer[id]; len(list) > 0 {
			v.systems = append(v.systems, system{id, titles[id], list})
		}
	}
	return nil
}

func readTool(t *world.Tool) (*tool, error) {
	var s subschema
	if err := json.Unmarshal(t.Input.JSON, &s); err != nil {
		return nil, fmt.Errorf("the input schema of %s: %w", t.Name, err)
	}
	x := &tool{Tool: t, required: s.Required}
	parts := strings.Split(t.Name, ".")
	x.operation = parts[len(parts)-1]
	if len(parts) == 3 {
		x.resource = parts[1]
	}
	for _, name := range t.Input.Properties() {
		sub := s.Properties[name]
		p := sub.prop(name)
		p.Required = slices.Contains(s.Required, name)
		x.props = append(x.props, p)
	}
	return x, nil
}

func (t *tool) prop(name string) *prop {
	i := slices.IndexFunc(t.props, func(p prop) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &t.props[i]
}

// readOnly says that a tool changes nothing.
func (t *tool) readOnly() bool { return t.Access == world.Read }

// repeatable says that the same call twice has no more effect than once.
func (t *tool) repeatable() bool {
	return t.readOnly() || t.Idempotency != "" && slices.Contains(t.required, t.Idempotency)
}

// hint is a tool in one line.
func (t *tool) hint() string { return strings.Join(strings.Fields(t.Description), " ") }
