package surface

import (
	"encoding/json"
	"net/url"
	"strings"
)

// field is one input of a form.
type field struct {
	ID, Name, Hint, Kind, Value, Step, Min, Max, Pattern string
	Required, Must, Multiple                             bool // Must: the browser itself asks for it
	Rows                                                 int
	Options                                              []option
}

type option struct {
	Value  string
	Chosen bool
}

// fields makes a form's inputs of a schema, filled with what was sent.
func (t *tool) fields(sent url.Values) []field {
	var out []field
	for _, p := range t.props {
		if p.Name == "cursor" && t.Output.Has("next_cursor") {
			continue // the link to the next page holds it
		}
		f := field{ID: "f-" + p.Name, Name: p.Name, Hint: p.Description, Required: p.Required, Must: p.Required && !p.Nullable && p.Type != "array",
			Value: sent.Get(p.Name), Rows: 4}
		values := sent[p.Name]
		choose := func(all []string) {
			f.Kind = "select"
			for _, o := range all {
				chosen := false
				for _, s := range values {
					chosen = chosen || s == o
				}
				f.Options = append(f.Options, option{o, chosen})
			}
		}
		switch {
		case len(p.Enum) > 0 && p.Type == "string":
			choose(p.Enum)
		case p.Type == "boolean":
			choose([]string{"true", "false"})
		case p.Type == "integer" || p.Type == "number":
			f.Kind, f.Step, f.Min, f.Max = "number", "any", p.Minimum, p.Maximum
			if p.Type == "integer" {
				f.Step = "1"
			}
		case p.Type == "array" && p.Items != nil && len(p.Items.Enum) > 0:
			f.Multiple = true
			choose(p.Items.Enum)
		case p.Type == "array" && p.scalars():
			f.Kind, f.Value = "textarea", strings.Join(values, "\n")
			f.Hint = strings.TrimSpace(f.Hint + " One a line.")
		case p.Type == "array" || p.Type == "object":
			f.Kind = "textarea"
			f.Hint = strings.TrimSpace(f.Hint + " As JSON.")
		case p.Format == "date":
			f.Kind, f.Pattern = "text", `\d{4}-\d{2}-\d{2}`
			if !strings.Contains(f.Hint, "YYYY-MM-DD") {
				f.Hint = strings.TrimSpace(f.Hint + " A date, YYYY-MM-DD.")
			}
		case p.Long && p.MaxLength > 200:
			f.Kind, f.Rows = "textarea", 6
		default:
			f.Kind = "text"
		}
		out = append(out, f)
	}
	return out
}

// scalars says whether a list's elements fit on a line each.
func (p *prop) scalars() bool {
	return p.Items != nil && (p.Items.Type == "string" || p.Items.Type == "integer" || p.Items.Type == "number" || p.Items.Type == "boolean")
}

// formArgs makes a call's arguments of what a form sent. Blanks are left out, except where a list is required, which is
// then empty, and where null is a value.
func (t *tool) formArgs(sent url.Values) []byte {
	args := map[string]any{}
	for name, values := range sent {
		if name == csrfField {
			continue
		}
		p := t.prop(name)
		if p == nil {
			args[name] = values[0] // the schema is closed, and says so
			continue
		}
		for i := range values {
			values[i] = strings.ReplaceAll(values[i], "\r\n", "\n") // as browsers send every line's end
		}
		switch {
		case p.Type == "array":
			if list := p.lines(values); list != nil {
				args[name] = list
			}
		case len(values) > 1:
			args[name] = values
		case strings.TrimSpace(values[0]) != "":
			args[name] = p.value(values[0])
		}
	}
	for _, p := range t.props {
		if _, ok := args[p.Name]; ok || !p.Required {
			continue
		}
		switch {
		case p.Type == "array":
			args[p.Name] = []any{}
		case p.Nullable:
			args[p.Name] = nil
		}
	}
	return encodeArgs(args)
}

// lines reads a list: JSON where it is one, else each line as an element; nil where there is none.
func (p *prop) lines(values []string) any {
	if len(values) == 1 && strings.HasPrefix(strings.TrimSpace(values[0]), "[") && json.Valid([]byte(values[0])) {
		return json.RawMessage(strings.TrimSpace(values[0]))
	}
	var list []string
	for _, s := range values {
		for line := range strings.SplitSeq(s, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
	}
	switch {
	case len(list) == 0:
		return nil
	case !p.scalars():
		return strings.Join(values, "\n") // no JSON, so that the schema says what is wanted
	}
	return p.list(list)
}
