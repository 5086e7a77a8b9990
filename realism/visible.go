package realism

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/evidence"
	"github.com/assaybench/assay/world"
)

// file is one evidence file as it was read.
type file struct {
	*world.File
	Doc *evidence.Document // nil where no parser takes it
	Err error
}

// where is the file's path in the bench.
func (s *Subject) where(f *world.File) string { return s.whereOf(f.Path) }

func (s *Subject) whereOf(path string) string { return "tasks/" + s.ID + "/public/evidence/" + path }

// files are the task's evidence files, each parsed once.
func (s *Subject) files() []file {
	out, _ := once(&s.facts, "files", func() ([]file, error) {
		list := make([]file, len(s.Public.Evidence))
		for i := range s.Public.Evidence {
			f := &s.Public.Evidence[i]
			list[i].File = f
			list[i].Doc, list[i].Err = evidence.Parse(f.Path, f.Data)
		}
		return list, nil
	})
	return out
}

// visible are all texts that an agent of the task can see without a live record: what is asked, the form of the answer, what
// tools say of themselves, what the world and the bench call things, and the files. Live records are cells.
func (s *Subject) visible() []text {
	out, _ := once(&s.facts, "visible", func() ([]text, error) {
		out := s.requestTexts()
		add := func(where string, line int, field, t string) {
			if strings.TrimSpace(t) != "" {
				out = append(out, text{Where: where, Line: line, Field: field, Text: t, Said: true})
			}
		}
		for _, f := range s.Public.Answer {
			add(s.File, f.Line, "answer."+f.Name+" values", strings.Join(f.Values, ", "))
		}
		for _, h := range s.Public.Handles {
			add(s.File, 0, "handles."+h.Name, h.Value)
		}
		for _, t := range s.World.Mounted(s.Public) {
			add(t.File, t.Line, t.Name, t.Title+". "+t.Description)
			add(t.File, t.Line, t.Name+" input", schemaWords(t.Input))
			add(t.File, t.Line, t.Name+" output", schemaWords(t.Output))
		}
		w := s.World
		add("world.yaml", 0, "organisation", strings.Join([]string{w.Name, w.Organisation.Name, w.Organisation.Site}, "; "))
		for _, sv := range w.Servers {
			add("world.yaml", 0, "servers."+sv.ID, sv.Title)
		}
		b := s.Release.Set.Bench()
		add("bench.yaml", 0, "face", strings.Join(append([]string{b.Title, b.Notice}, b.Limits...), "\n"))
		for _, f := range s.files() {
			add(s.where(f.File), 0, "title", f.Title)
			t, ok := f.Text()
			if f.Doc != nil {
				t, ok = f.Doc.Text, true
			}
			if ok && strings.TrimSpace(t) != "" {
				out = append(out, text{Where: s.where(f.File), Text: t, Table: f.Doc != nil && len(f.Doc.Sheets) > 0})
			}
		}
		return out, nil
	})
	return out
}

// public are the texts that an agent can see, and those that whoever fetches the bench can: what stands at its root and in docs.
func (s *Subject) public() ([]text, error) {
	more, err := s.Release.proseFiles()
	if err != nil {
		return nil, err
	}
	out := slices.Clone(s.visible())
	for _, t := range more {
		if ext := path.Ext(t.Where); ext != ".yaml" && ext != ".yml" { // what they say stands in what the bench says of itself
			t.Said = true
			out = append(out, t)
		}
	}
	return out, nil
}

// schemaWords are the prose and the listed values of a schema.
func schemaWords(sc *world.Schema) string {
	doc, err := exact.Decode(sc.JSON)
	if err != nil {
		return ""
	}
	var b strings.Builder
	var walk func(v any, prose bool)
	walk = func(v any, prose bool) {
		switch x := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				walk(x[k], k == "description" || k == "title" || k == "enum" || k == "const" || k == "examples" || k == "example" || k == "default" || k == "$comment" || k == "pattern")
			}
		case []any:
			for _, e := range x {
				walk(e, prose)
			}
		default:
			if prose {
				b.WriteString(strings.Trim(exact.Text(v), `"`) + "\n")
			}
		}
	}
	walk(doc, false)
	return b.String()
}

// sealed are the texts of the task's sealed part, by path.
func (s *Subject) sealed() (map[string]string, error) {
	return once(&s.facts, "sealed", func() (map[string]string, error) {
		out := map[string]string{}
		root := path.Join("tasks", s.ID, "sealed")
		fsys := s.Release.Set.Bench().FS
		err := fs.WalkDir(fsys, root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if !d.Type().IsRegular() {
				return errors.New(p + ": no plain file")
			}
			b, err := fs.ReadFile(fsys, p)
			out[p] = string(b)
			return err
		})
		return out, err
	})
}

// cell is one value of a live record.
type liveCell struct {
	table, key, column string
	value              any // as package exact holds it
	row                world.Row
}

// cells are the values of all live records that the task's tools can show. Tables of files are left out: their texts are the
// files'.
func (s *Subject) cells(ctx context.Context) ([]liveCell, error) {
	return once(&s.facts, "cells", func() ([]liveCell, error) {
		state, err := s.seedRows(ctx)
		if err != nil {
			return nil, err
		}
		shown := map[string]bool{}
		for _, t := range s.World.Mounted(s.Public) {
			for _, name := range t.Touches {
				shown[name] = true
			}
		}
		var out []liveCell
		for _, t := range state {
			if files, _ := s.World.EvidenceTable("path"); t.Table == files || !shown[t.Table] {
				continue
			}
			var key []string
			for _, tb := range s.World.Tables {
				if tb.Name == t.Table {
					key = tb.Key
				}
			}
			for _, r := range t.Rows {
				var id []string
				for _, k := range key {
					id = append(id, strings.Trim(exact.Text(exact.Column(r[k])), `"`))
				}
				for _, col := range slices.Sorted(maps.Keys(r)) {
					out = append(out, liveCell{t.Table, strings.Join(id, "/"), col, exact.Column(r[col]), r})
				}
			}
		}
		return out, nil
	})
}
