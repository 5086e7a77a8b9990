package main

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assaybench/assay/evidence"
)

// swap replaces a text that stands in a file just once.
func (r spoilt) swap(path, old, next string) {
	b, ok := r[path]
	if n := bytes.Count(b, []byte(old)); !ok || n != 1 {
		panic(fmt.Sprintf("%s holds %q %d times", path, old, n))
	}
	r[path] = bytes.Replace(b, []byte(old), []byte(next), 1)
}

// lines drops or changes the lines of a file; edit gives nil for one that goes.
func (r spoilt) lines(path string, edit func(line string) []string) {
	b, ok := r[path]
	if !ok {
		panic("no file " + path)
	}
	var out []string
	changed := false
	for line := range strings.SplitSeq(strings.TrimSuffix(string(b), "\n"), "\n") {
		next := edit(line)
		changed = changed || len(next) != 1 || next[0] != line
		out = append(out, next...)
	}
	if !changed {
		panic("nothing changed in " + path)
	}
	r[path] = []byte(strings.Join(out, "\n") + "\n")
}

// without drops the lines that hold one of some texts; each must stand somewhere.
func (r spoilt) without(path string, parts ...string) {
	for _, p := range parts {
		if !bytes.Contains(r[path], []byte(p)) {
			panic(fmt.Sprintf("%s does not hold %q", path, p))
		}
	}
	r.lines(path, func(line string) []string {
		if slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(line, p) }) {
			return nil
		}
		return []string{line}
	})
}

func public(task string) string    { return "tasks/" + task + "/public/task.yaml" }
func contract(task string) string  { return "tasks/" + task + "/sealed/contract.yaml" }
func reference(task string) string { return "tasks/" + task + "/sealed/reference.jsonl" }
func evidenceOf(task, path string) string {
	return "tasks/" + task + "/public/evidence/" + path
}

// request gives a task other words, and asks in their place.
func (r spoilt) request(task string, edit func(was string) string) {
	head, rest, ok := strings.Cut(string(r[public(task)]), "request: |-\n")
	end := strings.Index(rest, "\nservers:")
	if i := strings.Index(rest, "\nhandles:"); end < 0 || i >= 0 && i < end {
		end = i
	}
	if !ok || end < 0 {
		panic(task + " asks nothing")
	}
	was := strings.ReplaceAll(strings.TrimPrefix(rest[:end], "  "), "\n  ", "\n")
	next := strings.ReplaceAll(strings.TrimSpace(edit(was)), "\n", "\n  ")
	r[public(task)] = []byte(head + "request: |-\n  " + next + rest[end:])
}

// adds puts one more evidence file into a task.
func (r spoilt) adds(task, id, path, kind string, data []byte) {
	r[evidenceOf(task, path)] = data
	line := fmt.Sprintf("  - {path: %s, id: %s, title: %s, kind: %s, media_type: %s}", path, id, quoted("One file more"), kind, mediaType(path))
	r[public(task)] = append(bytes.TrimRight(r[public(task)], "\n"), []byte("\n"+line+"\n")...)
}

// renames gives a file another ending, in the list as in the folder.
func (r spoilt) renames(task, from, to string) {
	r[evidenceOf(task, to)] = r[evidenceOf(task, from)]
	delete(r, evidenceOf(task, from))
	r.swap(public(task), "{path: "+from+",", "{path: "+to+",")
	list := strings.Split(string(r[public(task)]), "\n")
	for i, line := range list {
		if strings.Contains(line, "{path: "+to+",") {
			list[i] = strings.ReplaceAll(line, "media_type: "+mediaType(from), "media_type: "+mediaType(to))
		}
	}
	r[public(task)] = []byte(strings.Join(list, "\n"))
}

// plain makes Markdown of all files of some formats; what they say stays.
func (r spoilt) plain(task string, of ...string) {
	for _, p := range r.ending(task, of...) {
		d, err := evidence.Parse(p, r[evidenceOf(task, p)])
		if err != nil {
			panic(err)
		}
		r[evidenceOf(task, p)] = []byte(d.Text + "\n")
		r.renames(task, p, strings.TrimSuffix(p, filepath.Ext(p))+"-as-text.md")
	}
}

// drops takes evidence files out.
func (r spoilt) drops(task string, paths ...string) {
	for _, p := range paths {
		if _, ok := r[evidenceOf(task, p)]; !ok {
			panic("no file " + p)
		}
		delete(r, evidenceOf(task, p))
		r.without(public(task), "{path: "+p+",")
	}
}

// ending lists the evidence files of a task with one of some endings.
func (r spoilt) ending(task string, of ...string) []string {
	var out []string
	for _, p := range slices.Sorted(maps.Keys(r)) {
		if rest, ok := strings.CutPrefix(p, evidenceOf(task, "")); ok && slices.Contains(of, strings.TrimPrefix(filepath.Ext(p), ".")) {
			out = append(out, rest)
		}
	}
	return out
}

// unasked takes fields out of the answer: of its form, its criteria, and what the reference hands in.
func (r spoilt) unasked(task string, fields ...string) {
	for _, f := range fields {
		r.without(public(task), "  "+f+": {type: ")
		r.lines(contract(task), func(line string) []string {
			if strings.HasPrefix(line, "  "+f+": {value:") || line == "    answer: "+f {
				return nil
			}
			return []string{strings.Replace(line, ", answer: "+f+"}", "}", 1)}
		})
		r.lines(reference(task), func(line string) []string {
			if !strings.Contains(line, `"assay.submit_answer"`) {
				return []string{line}
			}
			return []string{withoutMember(line, f)}
		})
	}
}

// withoutMember takes a member of a scalar value out of a line of JSON.
func withoutMember(line, name string) string {
	i := strings.Index(line, quoted(name)+":")
	if i < 0 {
		panic(line + " has no " + name)
	}
	end := i + strings.IndexAny(line[i:], ",}")
	if line[end] == ',' {
		return line[:i] + line[end+1:]
	}
	return strings.TrimSuffix(line[:i], ",") + line[end:]
}

// derives puts another derivation in the place of one, under its own name and answer.
func (r spoilt) derives(task, name, do string) {
	found := 0
	r.lines(contract(task), func(line string) []string {
		head, rest, ok := strings.Cut(line, ": {do: ")
		if !ok || strings.TrimSpace(head) != name {
			return []string{line}
		}
		found++
		tail := "}"
		if i := strings.LastIndex(rest, ", answer: "); i >= 0 {
			tail = rest[i:]
		}
		return []string{"  " + name + ": {do: " + do + tail}
	})
	if found != 1 {
		panic(fmt.Sprintf("%s derives %s %d times on one line", task, name, found))
	}
}
