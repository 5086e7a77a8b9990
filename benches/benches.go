// Package benches holds the benches that ship inside the program, as data, with their proofs.
package benches

import (
	"embed"
	"io/fs"
	"sort"
	"strings"
)

//go:embed all:chair-trials all:premise all:premise-en all:premise-regression all:shopfloor
var files embed.FS

//go:embed all:proofs
var proofs embed.FS

// Names lists the shipped benches.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	out := make([]string, 0, len(entries))
	for _, e := range entries {
		out = append(out, e.Name())
	}
	sort.Strings(out)
	return out
}

// Open gives a shipped bench's files and its version.
func Open(name string) (fsys fs.FS, version string, ok bool) {
	sub, err := fs.Sub(files, name)
	if err != nil || strings.ContainsAny(name, "/.") {
		return nil, "", false
	}
	manifest, err := fs.ReadFile(sub, "bench.yaml")
	if err != nil {
		return nil, "", false
	}
	for line := range strings.SplitSeq(string(manifest), "\n") {
		if v, found := strings.CutPrefix(line, "version:"); found {
			return sub, strings.Trim(strings.TrimSpace(v), `"'`), true
		}
	}
	return nil, "", false
}

// Proofs gives the proofs that ship, one folder for each bench digest.
func Proofs() fs.FS {
	sub, err := fs.Sub(proofs, "proofs")
	if err != nil {
		panic("benches: " + err.Error()) // the pattern above embeds it
	}
	return sub
}
