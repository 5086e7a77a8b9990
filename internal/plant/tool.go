package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// tool is one tool of the plant, written short. In and Out hold one property a line, "name[?]:type  what it is": type is
// text, int, number, date, bool or words divided by |, a ? is an argument that may be left out or a value that may be null, and lines
// that are indented below "name[]" or "name{}" are the properties of its elements.
type tool struct {
	Name, Title, Says string
	In, Out           string
	Ids               string // "param table column prefix width"
	Steps             []step
	Row, Missing      string // of a tool that gives one record
	With              []with
	Rows, As, Order   string // of a tool that gives a list, with pages and a total
}

// step is a guard, or a statement that changes rows; Says is what a caller is told where it fails.
type step struct {
	Guard, Run, Code, Says string
	Rows                   int
}

type with struct{ Key, Rows, Order string }

type property struct {
	name, kind, says string
	optional         bool
	of               []property
}

func properties(text string) []property {
	list, rest := block(strings.Split(strings.Trim(text, "\n"), "\n"), 0)
	if len(rest) > 0 {
		panic("plant: a property is indented too far: " + rest[0])
	}
	return list
}

func block(lines []string, depth int) (out []property, rest []string) {
	for len(lines) > 0 {
		line := lines[0]
		trimmed := strings.TrimLeft(line, "\t ")
		if trimmed == "" {
			lines = lines[1:]
			continue
		}
		if indent := len(line) - len(trimmed); indent < depth {
			return out, lines
		} else if indent > depth {
			last := &out[len(out)-1]
			last.of, lines = block(lines, indent)
			continue
		}
		head, says, _ := strings.Cut(trimmed, "  ")
		name, kind, ok := strings.Cut(head, ":")
		p := property{name: name, kind: kind, says: strings.TrimSpace(says)}
		if !ok {
			p.kind = name[len(name)-2:]
			p.name = name[:len(name)-2]
		}
		p.name, p.optional = strings.CutSuffix(p.name, "?")
		out = append(out, p)
		lines = lines[1:]
	}
	return out, nil
}

// quoted gives a text as YAML takes it anywhere.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// yaml writes the tool as tools.yaml has it.
func (t *tool) yaml(b *strings.Builder) {
	write := len(t.Steps) > 0
	for i := range t.Steps {
		write = write || t.Steps[i].Run != ""
	}
	access := "read"
	if write {
		access = "write"
	}
	fmt.Fprintf(b, "  - name: %s\n    title: %s\n    description: %s\n    access: %s\n", t.Name, t.Title, quoted(t.Says), access)
	in, out := properties(t.In), properties(t.Out)
	if t.Rows != "" {
		in = append(in, property{name: "limit", kind: "page", optional: true}, property{name: "cursor", kind: "text", optional: true, says: "next_cursor of the page before"})
		out = []property{{name: t.As, kind: "[]", of: out}, {name: "next_cursor", kind: "text", optional: true}, {name: "total", kind: "int"}}
	}
	if write {
		in = append(in, property{name: "request_key", kind: "key", optional: true, says: "The same key with the same values is done once."})
		b.WriteString("    idempotency: request_key\n")
	}
	b.WriteString("    input:\n")
	object(b, "      ", in, true)
	b.WriteString("    output:\n")
	object(b, "      ", out, false)
	if t.Ids != "" {
		f := strings.Fields(t.Ids)
		fmt.Fprintf(b, "    ids: {%s: {table: %s, column: %s, prefix: %s, width: %s}}\n", f[0], f[1], f[2], quoted(f[3]), f[4])
	}
	if len(t.Steps) > 0 {
		b.WriteString("    steps:\n")
	}
	for _, s := range t.Steps {
		if s.Guard != "" {
			fmt.Fprintf(b, "      - guard: %s\n", quoted(flat(s.Guard)))
		} else {
			fmt.Fprintf(b, "      - run: %s\n", quoted(flat(s.Run)))
		}
		if s.Rows > 0 {
			fmt.Fprintf(b, "        rows: %d\n", s.Rows)
		}
		if s.Code != "" {
			fmt.Fprintf(b, "        code: %s\n", s.Code)
		}
		if s.Says != "" {
			fmt.Fprintf(b, "        error: %s\n", quoted(s.Says))
		}
	}
	b.WriteString("    result:\n")
	if t.Rows != "" {
		fmt.Fprintf(b, "      rows: %s\n      as: %s\n      order: [%s]\n      page: {size: limit, cursor: cursor, default: 20}\n      total: true\n", quoted(flat(t.Rows)), t.As, t.Order)
		return
	}
	fmt.Fprintf(b, "      row: %s\n", quoted(flat(t.Row)))
	if t.Missing != "" {
		fmt.Fprintf(b, "      missing: %s\n", quoted(t.Missing))
	}
	for i, w := range t.With {
		if i == 0 {
			b.WriteString("      with:\n")
		}
		fmt.Fprintf(b, "        %s: {rows: %s, order: [%s]}\n", w.Key, quoted(flat(w.Rows)), w.Order)
	}
}

// flat puts a statement on one line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// object writes the schema of an object; in says whether it is an input, of which a ? may be left out, or an output, of which a ? may be null.
func object(b *strings.Builder, indent string, list []property, in bool) {
	b.WriteString(indent + "type: object\n" + indent + "additionalProperties: false\n")
	var need []string
	for _, p := range list {
		if !in || !p.optional {
			need = append(need, p.name)
		}
	}
	if len(need) > 0 {
		fmt.Fprintf(b, "%srequired: [%s]\n", indent, strings.Join(need, ", "))
	}
	if len(list) == 0 {
		b.WriteString(indent + "properties: {}\n")
		return
	}
	b.WriteString(indent + "properties:\n")
	for _, p := range list {
		if p.kind == "[]" {
			fmt.Fprintf(b, "%s  %s:\n%s    type: array\n%s    items:\n", indent, p.name, indent, indent)
			object(b, indent+"      ", p.of, in)
			continue
		}
		fmt.Fprintf(b, "%s  %s: {%s}\n", indent, p.name, p.schema(in))
	}
}

func (p *property) schema(in bool) string {
	kind := map[string]string{"text": "string", "long": "string", "key": "string", "date": "string", "int": "integer", "count": "integer", "page": "integer", "number": "number", "bool": "boolean"}[p.kind]
	var parts []string
	if kind == "" {
		kind = "string"
	}
	if p.optional && !in {
		parts = append(parts, fmt.Sprintf(`type: [%s, "null"]`, kind))
	} else {
		parts = append(parts, "type: "+kind)
	}
	if p.kind == "date" && (in || !p.optional) {
		parts = append(parts, "format: date")
	}
	if strings.Contains(p.kind, "|") {
		list := strings.Split(p.kind, "|")
		if p.optional && !in {
			list = append(list, "null")
		}
		parts = append(parts, "enum: ["+strings.Join(list, ", ")+"]")
	}
	if in {
		switch p.kind {
		case "text":
			parts = append(parts, "minLength: 1, maxLength: 200")
		case "long":
			parts = append(parts, "minLength: 1, maxLength: 4000")
		case "key":
			parts = append(parts, "maxLength: 80")
		case "page":
			parts = append(parts, "minimum: 1, maximum: 100")
		case "count":
			parts = append(parts, "minimum: 0, maximum: 1000000")
		case "number":
			parts = append(parts, "minimum: 0, maximum: 10000000")
		}
	}
	if p.says != "" {
		parts = append(parts, "description: "+quoted(p.says))
	}
	return strings.Join(parts, ", ")
}
