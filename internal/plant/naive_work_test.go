package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assaybench/assay/contract/tasks"
)

// fieldsAsked gives the fields of the answer as the task shows them.
func fieldsAsked(asked map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	answer, _ := asked["answer"].(map[string]any)
	props, _ := answer["properties"].(map[string]any)
	for k, v := range props {
		out[k], _ = v.(map[string]any)
	}
	return out
}

func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// answers fills every field with what looks most like it: the figure, day or number in the line whose words are those of the
// field, or the member of a record that is called alike.
func (n *notes) answers(asked map[string]any, h habit) map[string]any {
	out := map[string]any{}
	today, _ := asked["as_of"].(string)
	handle := strings.ToLower(strings.Join(slices.Sorted(maps.Values(handles(asked))), " "))
	for name, f := range fieldsAsked(asked) {
		said, _ := f["description"].(string)
		words := append(wordsOf(name), wordsOf(said)...)
		if enum := texts(f["enum"]); len(enum) > 0 {
			out[name] = enum[0]
			if h.cheapest && name == "option" {
				out[name] = n.cheapest(enum, said)
			}
			continue
		}
		kind, _ := f["type"].(string)
		switch {
		case h.blind && kind == "string" && f["format"] == "date":
			out[name] = today
		case h.blind && kind == "string":
			out[name] = "none"
		case h.blind:
			out[name] = 0
		case kind == "string" && f["format"] == "date":
			out[name] = cmp.Or(n.best(h, words, handle, aDay.FindAllString), today)
		case kind == "string":
			out[name] = cmp.Or(n.best(h, words, handle, anID.FindAllString), "none")
		case kind == "boolean":
			out[name] = true
		case kind == "array":
			out[name] = []any{}
		default:
			v, err := strconv.ParseFloat(n.best(h, words, handle, aNumber.FindAllString), 64)
			if err != nil || kind == "integer" && v != float64(int(v)) {
				v = 0
			}
			out[name] = v
		}
	}
	return out
}

func handles(asked map[string]any) map[string]string {
	m, _ := asked["handles"].(map[string]any)
	out := map[string]string{}
	for k, v := range m {
		out[k], _ = v.(string)
	}
	return out
}

// stated is a line of a paper, or one member of a record, with its words.
type stated struct {
	text  string
	words []string
	paper *paper // nil: of a record
}

func (n *notes) lines() []stated {
	n.once.Do(func() {
		for i := range n.papers {
			for line := range strings.Lines(n.papers[i].text) {
				if aNumber.MatchString(line) {
					n.stated = append(n.stated, stated{line, wordsOf(line), &n.papers[i]})
				}
			}
		}
		seen := map[string]bool{}
		for _, r := range n.records {
			for _, k := range slices.Sorted(maps.Keys(r.fields)) {
				switch v := r.fields[k].(type) {
				case string, float64:
					if line := fmt.Sprintf("%s %s %v", r.tool, k, v); !seen[line] && aNumber.MatchString(line) {
						seen[line] = true
						n.stated = append(n.stated, stated{line, wordsOf(line), nil})
					}
				}
			}
		}
	})
	return n.stated
}

// best gives the value of a kind that stands among most of some words.
func (n *notes) best(h habit, words []string, handle string, find func(string, int) []string) string {
	found, most := "", 0
	for _, l := range n.lines() {
		k := 3 * inCommon(words, l.words)
		if l.paper != nil && h.papers != nil && h.papers(*l.paper) {
			k += 6
		}
		if l.paper != nil && handle != "" && strings.Contains(l.paper.low, handle) {
			k++
		}
		if k <= most {
			continue
		}
		if values := find(l.text, 3); len(values) > 0 {
			found, most = values[len(values)-1], k
		}
	}
	return found
}

// cheapest takes the option beside whose name the smallest price stands.
func (n *notes) cheapest(enum []string, said string) string {
	best, least := enum[0], 0.0
	for i, e := range enum {
		_, name, _ := strings.Cut(said, e+": ")
		if i+1 < len(enum) {
			name, _, _ = strings.Cut(name, enum[i+1]+": ")
		}
		words := wordsOf(name)
		for _, p := range n.papers {
			for line := range strings.Lines(p.text) {
				for _, m := range aNumber.FindAllString(line, 4) {
					if v, err := strconv.ParseFloat(m, 64); err == nil && v > 1 && inCommon(words, wordsOf(line)) > 0 && (least == 0 || v < least) {
						best, least = e, v
					}
				}
			}
		}
	}
	return best
}

// change finds a change that the world takes: of the tools that change something, those first that are called as the request
// speaks, with values that stand in one record or beside what the task is about. It tries in a world of its own, so that the
// refusals are not part of what is judged. The looks are what it reads afterwards.
func (d *desk) change(t *testing.T, tk *tasks.Task, n *notes) (change does, looks []does) {
	t.Helper()
	request, _ := d.asked["request"].(string)
	said := wordsOf(request)
	var list []deskTool
	for _, tool := range d.tools {
		if tool.Access == "write" && !strings.HasPrefix(tool.Name, "assay.") && wordedIn(tool.Name, tool.Input.Properties) == "" {
			list = append(list, tool)
		}
	}
	weight := func(x deskTool) int { return inCommon(wordsOf(x.Name+" "+x.Title+" "+x.Description), said) }
	slices.SortStableFunc(list, func(a, b deskTool) int { return weight(b) - weight(a) })
	near := slices.Sorted(maps.Values(handles(d.asked)))
	for _, r := range n.related(near...) { // and what stands in one record with it
		for _, v := range r.fields {
			if s, ok := v.(string); ok && anID.FindString(s) == s && len(near) < 60 {
				near = append(near, s)
			}
		}
	}
	records := append(n.related(near...), n.records...)
	trial := sit(t, tk)
	for _, tool := range list {
		tries := 0
		for _, r := range records {
			for _, number := range []float64{1, 12, 24, 50} {
				args, ok := n.arguments(tool, r, d.asked, number)
				if tries++; !ok || tries > 600 {
					break
				}
				if _, done := trial.call(does{tool.Name, args}); done {
					return does{tool.Name, args}, n.after(tool, args)
				}
			}
		}
	}
	t.Fatal("the world takes no change")
	return does{}, nil
}

// arguments fills a call from one record, and what the record has not from others that are called alike.
func (n *notes) arguments(tool deskTool, r noted, asked map[string]any, number float64) (map[string]any, bool) {
	args := map[string]any{}
	own := 0
	for _, name := range tool.Input.Required {
		p := tool.Input.Properties[name]
		v, has := r.fields[name]
		switch {
		case has && v != nil:
			args[name] = v
			own++
		case len(p.Enum) > 0:
			args[name] = p.Enum[0]
		case p.Format == "date":
			args[name] = "2035-03-23"
			if days, ok := asked["as_of"].(string); ok && strings.Contains(name, "send") {
				args[name] = days
			}
		case p.Type == "integer" || p.Type == "number":
			args[name] = number
		case len(n.known[name]) > 0:
			args[name] = n.known[name][0]
			for _, v := range r.fields { // another name of the same thing, such as an item that is a part
				if s, ok := v.(string); ok && slices.Contains(n.known[name], s) {
					args[name] = s
				}
			}
		default:
			args[name] = "as agreed with everybody in the house, and with the vendor, today"
		}
	}
	return args, own > 0
}

// after are the reads that show what was changed: those that ask by a value that the change named.
func (n *notes) after(tool deskTool, args map[string]any) []does {
	var out []does
	server, _, _ := strings.Cut(tool.Name, ".")
	for _, c := range n.reads {
		if !strings.HasPrefix(c.tool, server+".") {
			continue
		}
		for _, v := range c.args {
			if slices.ContainsFunc(slices.Collect(maps.Values(args)), func(a any) bool { return a == v }) {
				out = append(out, c)
				break
			}
		}
	}
	return out[:min(len(out), 10)]
}
