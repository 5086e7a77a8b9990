package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// task is one task of the bench as its file says it. What a task reads is said once, in reads: the contract's inputs, its
// investigations and the reference's calls are all written from it.
type task struct {
	ID, Family, Title, Role, User, AsOf string
	Request                             string
	Servers                             []string // of the twelve, those that are mounted; all if empty
	Handles                             [][2]string
	Answer                              string // task.yaml: the fields of the answer, YAML
	Reads                               []read
	Contract                            string // contract.yaml: derivations and all that follows them, YAML
	Work                                []call // the reference after its reads: changes, looks, message, answer
	Files                               []file
	Own                                 map[string][]row // rows that only this task has
	Given                               []string         // fields of the answer that are read as they stand, and not derived
	Controls                            map[string]string
}

// m is a JSON object. A text that begins with = is the name of an input or derivation.
type m = map[string]any

// read is one call of a reading tool. Without Says it only leads on, as a search does that shows where to look.
type read struct {
	ID, Says string
	Tool     string
	Args     m
	Known    m       // what the reference gives in place of names in Args
	In       []input // facts that are taken from it
	Pins     m       // what must have been seen, beside the facts that are single values
	Feeds    []string
	Category string
	Weight   int
}

// input is one fact, or a list of rows, at a pointer of a result.
type input struct {
	Name, At, Type, Unit string
	Fields               string // of rows: a YAML mapping
	Within               string // of a text: a YAML mapping
}

// call is one call of the reference; a Line that begins with # stands before it.
type call struct {
	Tool string
	Args m
}

// file is one evidence file.
type file struct {
	Path, ID, Title, Kind string
	Data                  []byte
}

var registered = map[int]func(*plant) *task{}

// register makes a task known by its number; each task's file does so, so that no list of tasks has to be kept.
func register(n int, build func(*plant) *task) {
	if registered[n] != nil {
		panic(fmt.Sprintf("plant: two tasks have the number %d", n))
	}
	registered[n] = build
}

func allTasks(p *plant) []*task {
	var out []*task
	for _, n := range slices.Sorted(maps.Keys(registered)) {
		out = append(out, registered[n](p))
	}
	return out
}

// flow writes a value as YAML in one line; texts that begin with = become references.
func flow(v any) string {
	switch x := v.(type) {
	case m:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(x)) {
			parts = append(parts, yamlKey(k)+": "+flow(x[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, e := range x {
			parts = append(parts, flow(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		if name, ok := strings.CutPrefix(x, "="); ok {
			return "{value: " + name + "}"
		}
		return quoted(x)
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func yamlKey(k string) string {
	if strings.ContainsAny(k, "*: ") {
		return quoted(k)
	}
	return k
}

// publicYAML writes public/task.yaml.
func (t *task) publicYAML() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "id: %s\nfamily: %s\nbasis: exact\ntitle: %s\nrole: %s\nuser: %s\nas_of: %q\nrequest: |-\n", t.ID, t.Family, quoted(t.Title), quoted(t.Role), t.User, t.AsOf)
	for line := range strings.SplitSeq(strings.TrimSpace(t.Request), "\n") {
		b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
	}
	if len(t.Servers) > 0 {
		fmt.Fprintf(&b, "servers: [%s]\n", strings.Join(t.Servers, ", "))
	}
	if len(t.Handles) > 0 {
		var parts []string
		for _, h := range t.Handles {
			parts = append(parts, h[0]+": "+quoted(h[1]))
		}
		fmt.Fprintf(&b, "handles: {%s}\n", strings.Join(parts, ", "))
	}
	b.WriteString("answer:\n" + indented(t.Answer))
	b.WriteString("evidence:\n")
	for _, f := range t.sorted() {
		fmt.Fprintf(&b, "  - {path: %s, id: %s, title: %s, kind: %s, media_type: %s}\n", f.Path, f.ID, quoted(f.Title), f.Kind, mediaType(f.Path))
	}
	return []byte(b.String())
}

func (t *task) sorted() []file {
	out := slices.Clone(t.Files)
	slices.SortFunc(out, func(a, b file) int { return strings.Compare(a.Path, b.Path) })
	return out
}

func indented(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.Trim(s, "\n"), "\n") {
		b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
	}
	return b.String()
}

// contractYAML writes sealed/contract.yaml.
func (t *task) contractYAML() []byte {
	var b strings.Builder
	b.WriteString("inputs:\n")
	for _, r := range t.Reads {
		for _, in := range r.In {
			fmt.Fprintf(&b, "  %s: {tool: %s, args: %s, at: %s, type: %s", in.Name, r.Tool, flow(orEmpty(r.Args)), in.At, in.Type)
			for _, k := range [][2]string{{"unit", in.Unit}, {"fields", in.Fields}, {"within", in.Within}} {
				if k[1] != "" {
					fmt.Fprintf(&b, ", %s: %s", k[0], k[1])
				}
			}
			b.WriteString("}\n")
		}
	}
	b.WriteString("investigations:\n")
	for _, r := range t.Reads {
		if r.Says == "" {
			continue
		}
		pins := m{}
		for _, in := range r.In {
			if in.Type != "rows" && in.Type != "set" && in.Within == "" {
				pins[in.At] = "=" + in.Name
			}
		}
		maps.Copy(pins, r.Pins)
		fmt.Fprintf(&b, "  - id: %s\n    says: %s\n    any_of: [{tool: %s, args: %s, result: %s}%s]\n    feeds: [%s]\n", r.ID, quoted(r.Says), r.Tool, flow(orEmpty(r.Args)), flow(pins), t.otherRoute(&r, pins), strings.Join(r.Feeds, ", "))
		if r.Category != "" {
			fmt.Fprintf(&b, "    category: %s\n", r.Category)
		}
		if r.Weight > 0 {
			fmt.Fprintf(&b, "    weight: %d\n", r.Weight)
		}
	}
	b.WriteString(strings.Trim(t.Contract, "\n") + "\n")
	return []byte(b.String())
}

// otherRoute is the second way to the same file: every surface hands evidence out by its path as well.
func (t *task) otherRoute(r *read, pins m) string {
	if r.Tool != "drive.files.read" {
		return ""
	}
	for _, f := range t.Files {
		if f.ID == r.Args["file_id"] {
			return fmt.Sprintf(", {tool: assay.evidence, args: {path: %s}, result: %s}", f.Path, flow(pins))
		}
	}
	return ""
}

func orEmpty(x m) m {
	if x == nil {
		return m{}
	}
	return x
}

// referenceJSONL writes sealed/reference.jsonl: the brief, the reads, the work. {next TABLE} in a text of the work stands for the id
// that the next row of a table gets, which depends on the rows of all tasks.
func (t *task) referenceJSONL(p *plant) []byte {
	var b strings.Builder
	line := func(tool string, args m) {
		var a strings.Builder
		e := json.NewEncoder(&a)
		e.SetEscapeHTML(false)
		if err := e.Encode(orEmpty(args)); err != nil {
			panic(err)
		}
		fmt.Fprintf(&b, "{\"tool\":%s,\"args\":%s}\n", quoted(tool), nextID.ReplaceAllStringFunc(strings.TrimSpace(a.String()), func(s string) string { return p.next(nextID.FindStringSubmatch(s)[1]) }))
	}
	line("assay.context", nil)
	for _, r := range t.Reads {
		args := m{}
		for k, v := range r.Args {
			if s, ok := v.(string); ok && strings.HasPrefix(s, "=") {
				if v, ok = r.Known[k]; !ok {
					panic(fmt.Sprintf("plant: %s: the read %s gives %s by name; say in Known what the reference gives", t.ID, r.ID, k))
				}
			}
			args[k] = v
		}
		line(r.Tool, args)
	}
	for _, c := range t.Work {
		line(c.Tool, c.Args)
	}
	return []byte(b.String())
}
