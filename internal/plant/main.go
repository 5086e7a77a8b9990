// Command plant writes the bench shopfloor: the world's tools and rows, and of each task its request, its evidence files, its
// contract and its reference, all from the same rows. The same program gives the same bytes on any machine.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const root = "benches/shopfloor"

func main() {
	if len(os.Args) != 2 || os.Args[1] != "write" {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/plant write   (in the repository's root)")
		os.Exit(2)
	}
	if err := write(root); err != nil {
		fmt.Fprintln(os.Stderr, "plant:", err)
		os.Exit(1)
	}
}

// others says of a file of the bench that this program does not write it: the schema is written by hand, the freeze and the
// reports by assay.
func others(name string) bool {
	return name == "world/schema.sql" || name == "FREEZE.json" || strings.HasPrefix(name, "reports/")
}

// write brings a bench's folder to what render gives, and takes away what is no longer part of it.
func write(dir string) error {
	files, err := render(dir)
	if err != nil {
		return err
	}
	have, err := present(dir)
	if err != nil {
		return err
	}
	for _, p := range have {
		if _, ok := files[p]; !ok && !others(p) {
			if err := os.Remove(filepath.Join(dir, p)); err != nil {
				return err
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		full := filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(full, files[p], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// present lists the files of a folder, by slashes.
func present(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && p == dir {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	return out, err
}

// render gives every file of the bench that this program writes, by its path.
func render(dir string) (map[string][]byte, error) {
	schema, err := readSchema(dir)
	if err != nil {
		return nil, err
	}
	p := newPlant(schema)
	shared(p)
	list := allTasks(p)
	files := map[string][]byte{
		"bench.yaml":       benchYAML(list),
		"world/world.yaml": worldYAML(p),
		"world/tools.yaml": toolsYAML(),
	}
	for _, t := range p.tables {
		if len(p.rows[t]) > 0 {
			files["world/seed/"+t+".csv"] = p.seed(t, p.rows[t])
		}
	}
	for _, t := range list {
		at := "tasks/" + t.ID
		files[at+"/public/task.yaml"] = t.publicYAML()
		for _, f := range t.Files {
			files[at+"/public/evidence/"+f.Path] = f.Data
		}
		files[at+"/sealed/contract.yaml"] = t.contractYAML()
		files[at+"/sealed/reference.jsonl"] = t.referenceJSONL(p)
		for name, text := range t.Controls {
			files[at+"/sealed/controls/"+name+".jsonl"] = []byte(strings.TrimLeft(text, "\n"))
		}
		for table, rows := range t.Own {
			files[at+"/sealed/seed/"+table+".csv"] = p.seed(table, rows)
		}
	}
	return files, nil
}
