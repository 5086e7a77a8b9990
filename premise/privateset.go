package premise

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
)

// PrivateSuffix is what the id of a private set has beyond that of the bench whose prompt it uses.
const PrivateSuffix = "-private"

// OpenPrivate makes a bench of a private set and compiles it. name is the file's. Errors name the file, the line in it and
// the problem.
func OpenPrivate(of *bench.Bench, name string, data []byte) (*PrivateSet, error) {
	b, lines, err := Private(of, name, data)
	if err != nil {
		return nil, err
	}
	set, err := Compile(b)
	if err != nil {
		return nil, unquoted(inFile(name, lines, err))
	}
	return &PrivateSet{set, name, lines}, nil
}

// PrivateSet is a private set, compiled. Of what its problems hold nothing may be shown: its self-check tells of faults and
// warnings by the problem's id and the reading's number alone.
type PrivateSet struct {
	*Set
	File  string
	lines map[string]int // of each problem in the file
}

// SelfCheck evaluates every reading. Controls are made from readings, so those of a problem with a wrong reading are left
// out of the faults.
func (p *PrivateSet) SelfCheck(ctx context.Context) (*SelfCheck, error) {
	c, err := p.Set.SelfCheck(ctx)
	if err != nil {
		return nil, err
	}
	wrong := map[string]bool{}
	for _, f := range c.Faults {
		wrong[f.Item] = wrong[f.Item] || f.Control == ""
	}
	var faults []Fault
	for _, f := range c.Faults {
		if f.Control == "" || !wrong[f.Item] {
			if f.Item != "" { // the prelude is the bench's, and has its own place
				f.Place = fmt.Sprintf("%s:%d", p.File, p.lines[f.Item])
			}
			f.Msg = f.Bare
			faults = append(faults, f)
		}
	}
	c.Faults, c.Warnings = faults, c.Bare
	return c, nil
}

// Claims gives the self-check in the form that benches of all shapes have.
func (p *PrivateSet) Claims(ctx context.Context) (*bench.Claims, error) {
	return claims(p.SelfCheck(ctx))
}

// unquoted takes from errors what they quote of a problem, but for the names of a problem's parts and of kinds.
func unquoted(err error) error {
	var out []error
	for line := range strings.SplitSeq(err.Error(), "\n") {
		line = quoted.ReplaceAllStringFunc(line, func(q string) string {
			if word := strings.Trim(q, `"`); slices.Contains(Kinds, word) || slices.Contains(partNames, word) {
				return q
			}
			return `"…"`
		})
		out = append(out, errors.New(line))
	}
	return errors.Join(out...)
}

var (
	quoted    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	partNames = []string{"prompt", "key", "assumption", "body", "expected", "from", "to"}
)

// inFile gives errors in the items that were made of a file the place in that file.
func inFile(name string, lines map[string]int, err error) error {
	var out []error
	var each func(error)
	each = func(err error) {
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range many.Unwrap() {
				each(e)
			}
			return
		}
		e := (*bench.Error)(nil)
		if !errors.As(err, &e) {
			out = append(out, err)
			return
		}
		id, ok := strings.CutPrefix(e.File, "items/")
		id = strings.TrimSuffix(id, ".yaml")
		if !ok || lines[id] == 0 {
			out = append(out, err)
			return
		}
		out = append(out, &bench.Error{File: name, Line: lines[id], Msg: "problem " + id + ": " + strings.TrimLeft(strings.TrimPrefix(e.Msg, id), ":, ")})
	}
	each(err)
	return errors.Join(out...)
}

// Private makes a bench of a private set: its problems with the prompt, the prelude and the protocol of another bench. It
// has a digest of its own. name is the file's, for errors; at gives the line of each problem in it.
func Private(of *bench.Bench, name string, data []byte) (b *bench.Bench, at map[string]int, err error) {
	if of.Shape != bench.ShapePremise {
		return nil, nil, &bench.Error{Msg: fmt.Sprintf("%s has the shape %q; only benches of the shape premise take a private set", of.Source, of.Shape)}
	}
	lines, _, err := readLines(name, data, true)
	if err != nil {
		return nil, nil, err
	}
	files := map[string][]byte{}
	err = fs.WalkDir(of.FS, "fixtures", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[file], err = fs.ReadFile(of.FS, file)
		return err
	})
	if err != nil {
		return nil, nil, &bench.Error{File: "fixtures", Msg: err.Error()}
	}
	if files["bench.yaml"], err = privateManifest(of); err != nil {
		return nil, nil, err
	}
	at = map[string]int{}
	for _, l := range lines {
		files["items/"+l.ID+".yaml"], at[l.ID] = l.item(), l.at
	}
	fsys, err := treeOf(files)
	if err != nil {
		return nil, at, err
	}
	if b, err = bench.Load(fsys, name); err != nil {
		return nil, at, unquoted(inFile(name, at, err))
	}
	return b, at, nil
}

// privateManifest is the manifest of a private set.
func privateManifest(of *bench.Bench) ([]byte, error) {
	data, err := fs.ReadFile(of.FS, "bench.yaml")
	if err != nil {
		return nil, &bench.Error{File: "bench.yaml", Msg: err.Error()}
	}
	n, err := bench.Parse("bench.yaml", data)
	if err != nil {
		return nil, err
	}
	m := map[string]any{
		"id": of.ID + PrivateSuffix, "version": of.Version, "title": "A private set with the prompt of " + of.Name(), "shape": of.Shape,
		"licence": "not published", "attribution": "the owner of the set", "notice": "a private set: only counts and letters of it are shown",
		"families": []any{map[string]any{"id": "unstated"}, map[string]any{"id": "plain"}},
		"protocol": n.Get("protocol").Any(), "premise": of.Own.Any(),
	}
	out, err := json.MarshalIndent(m, "", "  ")
	return append(out, '\n'), err
}

// treeOf makes a file tree of files by path.
func treeOf(files map[string][]byte) (fs.FS, error) {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = f.Write(files[name])
		}
		if err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return bench.OpenZip(buf.Bytes())
}
