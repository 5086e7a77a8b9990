// Package s2s imports and exports the schema s2s-bench-v1, in which a set of prompt items is published as one JSON object:
// prompts, what each checker expects, and the checkers' names. Import makes a whole bench of such a file, with the prompts
// as they stand and rules made from each item's own expect; the file itself is kept untouched. Export gives an imported
// file back exactly, and writes any other bench of prompt items in that schema, saying what the schema has no room for.
// Everything here is a pure function of its input.
package s2s

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check"
	"github.com/assaybench/assay/record"
)

// OriginFile is where an imported bench keeps the imported bytes.
const OriginFile = "origin/s2s.json"

// importer is raised whenever Import makes other files of the same input, so that Export can tell a changed bench from one
// that another version made.
const importer = 1

// idSuffix is put behind the exhibit's name, so that an imported set is never taken for a bench of that name that ships.
const idSuffix = "-s2s"

// Report says what an import made, and what a reader must know of it.
type Report struct {
	Bench     string          `json:"bench"` // id@version
	Items     int             `json:"items"` // drafts included
	Frozen    int             `json:"frozen"`
	Exact     int             `json:"exact"`      // of the frozen items
	Proxy     int             `json:"proxy"`      // of the frozen items
	CannotRun []bench.Blocked `json:"cannot_run"` // drafts included, by id
	Warnings  []string        `json:"warnings"`
}

//go:embed hardened
var hardenedFiles embed.FS

// hardened are two folders of ours on which the one line of check_c2_sh_1 is run as well, as a diagnostic: other counts, and
// the word in other columns, in other case, in longer words, behind and before spaces, and a last line without an end.
var hardened = []struct{ folder, stdout, source string }{
	{"hardened-1", "6", "hardened/one/inventory.csv"},
	{"hardened-2", "2", "hardened/two/inventory.csv"},
}

// hardens reports whether a prompt asks what the hardened folders answer: the rows of inventory.csv that have brass as
// their third field.
func hardens(prompt string) bool {
	return strings.Contains(prompt, "inventory.csv") && strings.Contains(prompt, "brass") && strings.Contains(prompt, "third field")
}

// Import makes a bench of a published file. fixtures holds the files that the items name, by the names that they use
// (passages/…, longctx/…, sandbox/…), and is copied whole; with nil, or where a file is missing, the items that need it
// cannot run, and the report lists them. The result is keyed by path in the bench's folder. What is wrong with the file is
// an error of one line for each fault, naming item, key and byte; a checker or a key that is not known here is no error and
// makes its item unable to run.
func Import(data []byte, fixtures fs.FS) (files map[string][]byte, report Report, err error) {
	f, err := readFile(data)
	if err != nil {
		return nil, Report{}, err
	}
	files, err = f.bench(data)
	if err != nil {
		return nil, Report{}, err
	}
	if fixtures != nil {
		if err := copyFixtures(files, fixtures); err != nil {
			return nil, Report{}, err
		}
	}
	report, err = f.report(files)
	if err != nil {
		return nil, Report{}, err
	}
	return files, report, nil
}

// bench makes every file but the copied fixtures.
func (f *file) bench(data []byte) (map[string][]byte, error) {
	files := map[string][]byte{OriginFile: bytes.Clone(data), "bench.yaml": f.manifest(data)}
	var out faults
	for i := range f.items {
		it := &f.items[i]
		rules, why := rulesOf(it, &out)
		files["items/"+it.id+".yaml"] = it.yaml(rules, why)
		if it.checker == "check_c2_sh_1" && why == "" && hardens(it.prompt) {
			for _, h := range hardened {
				b, err := hardenedFiles.ReadFile(h.source)
				if err != nil {
					return nil, fmt.Errorf("s2s: %w", err) // embedded above
				}
				files["fixtures/"+h.folder+"/inventory.csv"] = b
			}
		}
	}
	if err := out.err(); err != nil {
		return nil, err
	}
	return files, f.readBack(files)
}

// readBack holds what was written against what was read, as the loader will read it: "the VERBATIM prompt".
func (f *file) readBack(files map[string][]byte) error {
	for _, it := range f.items {
		name := "items/" + it.id + ".yaml"
		n, err := bench.Parse(name, files[name])
		if err != nil {
			return fmt.Errorf("item %s cannot be written as YAML: %w", it.id, err)
		}
		if p := n.Get("prompt"); p == nil || p.Text != it.prompt {
			return fmt.Errorf("item %s: the prompt does not come back from YAML as it was", it.id)
		}
	}
	return nil
}

func (it *item) yaml(rules []rule, why string) []byte {
	m := mapping{{"id", text(it.id)}, {"family", text(it.category)}, {"basis", text(it.basis)}, {"frozen", boolean(it.frozen)}, {"checker", text(it.checker)}}.
		with("fixture", text(it.fixture))
	m = append(m, entry{"prompt", text(it.prompt)})
	if it.expect != nil {
		m = append(m, entry{"expect", fromJSON(it.expect)})
	}
	m = m.with("notes", text(it.notes)).with("cannot_run", text(why))
	if why == "" {
		l := block{}
		for _, r := range rules {
			l = append(l, one(r.kind, r.params))
		}
		m = append(m, entry{"rules", l})
	}
	return writeYAML("Imported: everything but the rules is the published file's own ("+OriginFile+").", m)
}

// report compiles the bench that was made, so that whatever an import gives can be loaded, and counts it.
func (f *file) report(files map[string][]byte) (Report, error) {
	b, err := bench.Load(newTree(files), "the imported file")
	if err != nil {
		return Report{}, oneLine(err)
	}
	set, err := check.Compile(b)
	if err != nil {
		return Report{}, oneLine(err)
	}
	r := Report{Bench: b.Name(), Items: len(f.items), CannotRun: []bench.Blocked{}, Warnings: slices.Clone(f.warnings)}
	for _, it := range f.items {
		if it.frozen {
			r.Frozen++
			if it.basis == record.Exact {
				r.Exact++
			} else {
				r.Proxy++
			}
		}
		for _, w := range check.LintPrompt(it.prompt) {
			r.Warnings = append(r.Warnings, "item "+it.id+": "+w)
		}
	}
	for _, id := range b.IDs() {
		compiled, err := set.Item(id)
		if err != nil {
			return Report{}, oneLine(err)
		}
		if compiled.Blocked != "" {
			r.CannotRun = append(r.CannotRun, bench.Blocked{Item: id, Why: compiled.Blocked})
		}
	}
	r.Warnings = append(r.Warnings, f.miscounted(r)...)
	return r, nil
}

// miscounted compares the file's own counts with its items.
func (f *file) miscounted(r Report) []string {
	var out []string
	for _, c := range []struct {
		key  string
		says *int
		has  int
	}{{"frozen_count", f.frozen, r.Frozen}, {"drafted_count", f.drafted, r.Items}, {"exact_items", f.exact, r.Exact}, {"proxy_items", f.proxy, r.Proxy}} {
		if c.says != nil && *c.says != c.has {
			out = append(out, fmt.Sprintf("%s says %d, and the items are %d", c.key, *c.says, c.has))
		}
	}
	by := map[string]int{}
	for _, it := range f.items {
		if it.frozen {
			by[it.category]++
		}
	}
	for _, q := range f.quotas {
		if n := by[q.family]; n != q.n {
			out = append(out, fmt.Sprintf("quota_frozen says %d for %s, and the frozen items are %d", q.n, q.family, n))
		}
	}
	return out
}

// oneLine says of an error in the files that were made that it comes from the file that was read.
func oneLine(err error) error {
	first, _, more := strings.Cut(err.Error(), "\n")
	if more {
		first += " (and more)"
	}
	return errors.New("the file makes no bench that can be loaded: " + first)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// names lists the keys of files in order.
func names(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }
