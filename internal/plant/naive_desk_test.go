package main

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
	"github.com/assaybench/assay/world/surface"
)

// A desk is what an agent has: addresses to ask, over the same surface as any other. Whoever sits at it sees no contract.
type desk struct {
	handler http.Handler
	token   string
	tools   []deskTool
	asked   map[string]any // what assay.context gives
	session *world.Session
}

type deskTool struct {
	Name, Title, Description, Access string
	Input                            struct {
		Required   []string
		Properties map[string]struct {
			Type   any
			Enum   []string
			Format string
		}
	}
}

var compiled = sync.OnceValues(func() (*tasks.Set, error) {
	b, err := bench.Load(os.DirFS(shipped), "shopfloor")
	if err != nil {
		return nil, err
	}
	return tasks.Compile(b)
})

func sit(t testing.TB, tk *tasks.Task) *desk {
	t.Helper()
	s, err := tk.Session(context.Background(), "naive")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	d := &desk{token: surface.NewToken(), session: s}
	v, err := surface.New(s, d.token)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	d.handler = v.Handler()
	var list struct{ Tools []struct{ Name string } }
	if !d.ask(http.MethodGet, "/api/v1/tools", nil, &list) {
		t.Fatal("no list of tools")
	}
	for _, one := range list.Tools {
		var tool deskTool
		if !d.ask(http.MethodGet, "/api/v1/tools/"+one.Name, nil, &tool) {
			t.Fatalf("%s does not tell of itself", one.Name)
		}
		d.tools = append(d.tools, tool)
	}
	return d
}

func (d *desk) ask(method, path string, body []byte, into any) bool {
	r := httptest.NewRequest(method, "http://127.0.0.1"+path, bytes.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w.Code == http.StatusOK && json.Unmarshal(w.Body.Bytes(), into, json.MatchCaseInsensitiveNames(true)) == nil
}

// does is one call of an agent.
type does struct {
	tool string
	args map[string]any
}

func (d *desk) call(c does) (map[string]any, bool) {
	if c.args == nil {
		c.args = map[string]any{}
	}
	b, err := json.Marshal(c.args)
	if err != nil {
		return nil, false
	}
	var out map[string]any
	ok := d.ask(http.MethodPost, "/api/v1/tools/"+c.tool, b, &out)
	if ok && c.tool == world.ToolContext {
		d.asked = out
	}
	return out, ok
}

// ended judges what was done at the desk, as the bench judges any agent.
func (d *desk) ended(t testing.TB, set *tasks.Set, id string) record.Verdict {
	t.Helper()
	ep, err := world.Bundle(context.Background(), d.session, "answered")
	if err != nil {
		t.Fatal(err)
	}
	v, err := set.Grade(context.Background(), id, record.Transcript{Outcome: record.Answered, Episode: ep})
	if err != nil || v.State != record.Graded {
		t.Fatalf("not graded: %v %s", err, v.Reason)
	}
	return v
}

// notes are what an agent remembers of everything that it could look up.
type notes struct {
	reads   []does
	records []noted
	papers  []paper
	known   map[string][]string // texts by the name of the member that held them
	once    sync.Once
	stated  []stated
}

type noted struct {
	tool   string
	fields map[string]any
}

type paper struct {
	id, title, kind, text, low string
}

// rounds of reading: lists first, then what their ids lead to, then what those lead to.
const rounds = 3

// mostOfOne bounds how often one tool is called.
const mostOfOne = 30

// lookUp reads whatever can be read: every list, and every record and file whose id is shown somewhere.
func (d *desk) lookUp() *notes {
	n := &notes{known: map[string][]string{}}
	done := map[string]bool{}
	count := map[string]int{}
	try := func(c does) {
		b, err := json.Marshal(c.args, json.Deterministic(true))
		if key := c.tool + string(b); err != nil || done[key] || count[c.tool] >= mostOfOne {
			return
		} else {
			done[key] = true
		}
		count[c.tool]++
		if out, ok := d.call(c); ok {
			n.reads = append(n.reads, c)
			n.note(c.tool, out)
		}
	}
	try(does{tool: world.ToolContext})
	for round := range rounds {
		for _, tool := range d.tools {
			if tool.Access != "read" || strings.HasPrefix(tool.Name, "assay.") {
				continue
			}
			args := map[string]any{}
			if _, has := tool.Input.Properties["limit"]; has {
				args["limit"] = 100
			}
			if len(tool.Input.Required) == 0 {
				if round == 0 {
					try(does{tool.Name, args})
				}
				continue
			}
			for _, with := range n.fills(tool.Input.Required) {
				maps.Copy(with, args)
				try(does{tool.Name, with})
			}
		}
	}
	return n
}

// fills gives the arguments that a call needs: values that were shown under their names, of one record where there are several.
func (n *notes) fills(names []string) []map[string]any {
	var out []map[string]any
	if len(names) == 1 {
		for _, v := range n.known[names[0]] {
			out = append(out, map[string]any{names[0]: v})
		}
		return out
	}
	for _, r := range n.records {
		args := map[string]any{}
		for _, name := range names {
			if v, ok := r.fields[name].(string); ok {
				args[name] = v
			}
		}
		if len(args) == len(names) {
			out = append(out, args)
		}
	}
	return out
}

// note remembers a result: its records, its texts, and its values by name. What another list calls "part" may be an "item" here.
func (n *notes) note(tool string, v any) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			n.note(tool, e)
		}
	case map[string]any:
		n.records = append(n.records, noted{tool, x})
		for _, k := range slices.Sorted(maps.Keys(x)) {
			if s, ok := x[k].(string); ok {
				for _, name := range append(alike[k], k) {
					if !slices.Contains(n.known[name], s) {
						n.known[name] = append(n.known[name], s)
					}
				}
			}
			n.note(tool, x[k])
		}
		if text, ok := x["text"].(string); ok && x["file_id"] != nil {
			p := paper{text: text, low: strings.ToLower(text)}
			p.id, _ = x["file_id"].(string)
			p.title, _ = x["title"].(string)
			p.kind, _ = x["kind"].(string)
			n.papers = append(n.papers, p)
		}
	}
}

var alike = map[string][]string{"product": {"item", "part", "assembly"}, "part": {"item", "assembly"}, "item": {"part", "assembly"}, "component": {"part", "item"}, "line_id": {"line"}}

// related gives the records that name one of some values.
func (n *notes) related(values ...string) []noted {
	var out []noted
	for _, r := range n.records {
		for _, v := range r.fields {
			if s, ok := v.(string); ok && slices.Contains(values, s) {
				out = append(out, r)
				break
			}
		}
	}
	return out
}

var (
	aNumber = regexp.MustCompile(`-?\d+(?:\.\d+)?`)
	aDay    = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)
	anID    = regexp.MustCompile(`\b[A-Z]{1,4}-[A-Z0-9-]*\d[A-Z0-9-]*`)
	aWord   = regexp.MustCompile(`[A-Za-z]{3,}`)
)

func wordsOf(s string) []string {
	var out []string
	for _, w := range aWord.FindAllString(strings.ToLower(strings.ReplaceAll(s, "_", " ")), -1) {
		if !slices.Contains([]string{"the", "and", "that", "which", "what", "for", "with", "from", "are", "may", "has", "have", "its"}, w) {
			out = append(out, strings.TrimSuffix(w, "s"))
		}
	}
	return out
}

func inCommon(a, b []string) int {
	n := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			n++
		}
	}
	return n
}
