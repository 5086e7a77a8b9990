package cli

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/world"
)

// starterAgent is a bench of one agent task that passes assay check as it stands.
//
//go:embed starter/bench.yaml starter/world starter/tasks
var starterAgent embed.FS

// newWorld starts a bench of agent tasks.
func (p *Process) newWorld(dir string) error {
	if err := p.emptyFolder(dir); err != nil {
		return err
	}
	id := strings.ToLower(filepath.Base(p.path(dir)))
	if !bench.ValidID(id) {
		return usage("%s: the folder's name becomes the bench's id, which is made of lowercase letters, digits and . _ - inside", dir)
	}
	files := map[string][]byte{}
	err := fs.WalkDir(starterAgent, "starter", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := starterAgent.ReadFile(path)
		name := strings.TrimPrefix(path, "starter/")
		if name == "bench.yaml" {
			b = []byte(strings.Replace(string(b), "id: starter\n", "id: "+id+"\n", 1))
		}
		files[name] = b
		return err
	})
	if err != nil {
		return fault(err)
	}
	if err := p.writeTree(dir, files); err != nil {
		return err
	}
	p.printf("%s holds a world and one task; next: assay check %s\n", dir, asRef(dir))
	return nil
}

// newTask adds a task to a bench: what an author must write is there to be filled, and nothing passes until it is.
func (p *Process) newTask(ref string) error {
	dir, id := filepath.Split(strings.TrimSuffix(filepath.ToSlash(ref), "/"))
	dir = strings.TrimSuffix(dir, "/")
	if dir == "" || !bench.ValidItem(id) {
		return usage("assay new task wants BENCH/ID: a bench's folder, and an id of letters, digits and . _ -; got %q", ref)
	}
	fsys, err := p.files(asRef(dir))
	if err != nil {
		return err
	}
	// The bench is not compiled: other drafts in it may be as unfinished as this one will be.
	b, err := bench.LoadEmpty(fsys, asRef(dir))
	if err != nil {
		return inBench(asRef(dir), err)
	}
	if b.Shape != bench.ShapeAgent {
		return usage("%s is no bench of agent tasks", b.Name())
	}
	if info, err := os.Stat(p.path(dir)); err != nil || !info.IsDir() {
		return usage("%s is no folder that a task could be written into", shown(dir))
	}
	if b.Has(id) {
		return usage("%s has a task %q; take another id", b.Name(), id)
	}
	w, key, err := firstWorld(b)
	if err != nil {
		return inBench(asRef(dir), err)
	}
	user := ""
	if len(w.Users) > 0 {
		user = "user: " + w.Users[0].ID + "\n"
	}
	var tools strings.Builder
	for _, t := range w.Tools {
		args := slices.Clone(t.Input.Properties())
		fmt.Fprintf(&tools, "#   %-5s %s(%s)\n", t.Access, t.Name, strings.Join(args, ", "))
	}
	root := p.path(filepath.Join(dir, "tasks", id))
	for _, f := range []struct{ name, text string }{
		{"public/task.yaml", fmt.Sprintf(starterTask, id, b.Families[0].ID, key, user, w.Begins().Format(time.DateOnly))},
		{"sealed/contract.yaml", fmt.Sprintf(starterContract, tools.String())},
		{"sealed/reference.jsonl", "{\"tool\":\"assay.context\",\"args\":{}}\n"},
	} {
		path := filepath.Join(root, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fault(err)
		}
		if err := writeFile(path, []byte(f.text)); err != nil {
			return fault(err)
		}
	}
	p.printf("%s/tasks/%s is there to be written: the request, the contract, the reference trace; assay check %s names what is missing\n", dir, id, asRef(dir))
	return nil
}

// firstWorld gives the world that a new task begins in, and the line of task.yaml that names it where the bench has several.
func firstWorld(b *bench.Bench) (w *world.World, key string, err error) {
	if _, err := fs.Stat(b.FS, "world"); err == nil {
		w, err = world.Load(b.FS, "world", b.Source)
		return w, "", err
	}
	entries, err := fs.ReadDir(b.FS, "worlds")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && bench.ValidID(e.Name()) {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, "", &bench.Error{Msg: "there is neither a folder world/ nor one worlds/NAME/ that a task could happen in"}
	}
	key = "world: " + names[0]
	if len(names) > 1 {
		key += "   # or " + strings.Join(names[1:], ", ")
	}
	w, err = world.Load(b.FS, "worlds/"+names[0], b.Source)
	return w, key + "\n", err
}

const starterTask = `id: %s
family: %s
basis: exact
frozen: false                # a draft: never run or counted, until it is right
title: What it is about
role: the employee's role
%s%sas_of: "%s"
request: |
  What an employee asks for: the outcome, not the way to it.
handles: {}                  # what a real employee would hold: a case number, a name
answer:
  figure: {type: integer, unit: piece, description: What the figure is}
`

const starterContract = `# What a right episode is. It is sealed: no agent sees it. docs/contract-format.md explains every key.
# The world's tools:
%s
inputs: {}                   # NAME: {tool: …, args: {…}, at: /pointer, type: integer, unit: …}
derivations: {}              # NAME: {do: {sub: [a, b]}, unit: …, answer: FIELD}
investigations: []           # - {id: …, says: …, any_of: [{tool: …, args: {…}, result: {/pointer: …}}], feeds: [NAME]}
changes: []                  # - {id: …, role: primary, tool: …, args: {…}, rows: [{table: …, op: insert, values: {…}}]}
readbacks: []                # - {id: …, after: CHANGE, tool: …, identity: {args.ID: result.ID}, result: {/pointer: …}}
containment: []              # - {table: …, op: insert, most: 1}
answer: {}                   # FIELD: {value: NAME}, of fields that no derivation fills
`
