package harbor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/world"
)

// Options of an export.
type Options struct {
	Binary []byte // the program, a static linux/amd64 executable; nil writes a package that is marked incomplete
	Base   string // the agent's image, NAME@sha256:DIGEST; "" leaves the agent without a shell, and marks the package incomplete
	Egress bool   // the agent's network reaches the outside
}

// Package is an exported task.
type Package struct {
	Name    string // ORGANISATION/TASK
	Files   Files
	Missing []string // what keeps the package from being run, one line each
}

var pinned = regexp.MustCompile(`^[a-z0-9][a-z0-9._/:-]*@sha256:[0-9a-f]{64}$`)

// Export makes a package of one task of a bench. The same bench and options give the same bytes. It fails where a sealed
// line would stand in what the agent's side holds.
func Export(set *tasks.Set, id string, o Options) (*Package, error) {
	t, err := set.Task(id)
	if err != nil {
		return nil, err
	}
	if !t.Frozen {
		return nil, fmt.Errorf("the task %s is a draft, which is not exported", id)
	}
	if o.Base != "" && !pinned.MatchString(o.Base) {
		return nil, fmt.Errorf("the base image %q is not pinned: NAME@sha256:DIGEST", o.Base)
	}
	if o.Binary != nil {
		if err := CheckBinary(o.Binary); err != nil {
			return nil, err
		}
	}
	b := set.Bench()
	sealed := "tasks/" + id + "/sealed"
	worldDir := "world"
	item, err := b.Item(id)
	if err != nil {
		return nil, err
	}
	if v := item.Node.Get("world"); v != nil {
		name, err := v.AsText()
		if err != nil {
			return nil, err
		}
		worldDir = "worlds/" + name
	}
	p := &Package{Name: b.ID + "/" + id, Files: Files{}}
	const shown, judged = worldPart + "bench/", verifierBench
	for _, c := range []struct {
		from string
		to   []string
	}{{worldDir, []string{shown, judged}}, {"tasks/" + id + "/public", []string{shown, judged}}, {sealed + "/seed", []string{shown, judged}},
		{sealed + "/faults.yaml", []string{shown, judged}}, {sealed, []string{judged}}} {
		if err := p.take(b.FS, c.from, c.to); err != nil {
			return nil, err
		}
	}
	manifest, err := oneTask(b, t)
	if err != nil {
		return nil, err
	}
	p.put(judged+"bench.yaml", manifest, false)
	reference, err := fs.ReadFile(b.FS, sealed+"/reference.jsonl")
	if err != nil {
		return nil, err
	}
	if _, err := world.ReadTrace(reference); err != nil {
		return nil, fmt.Errorf("%s/reference.jsonl: %w", sealed, err)
	}
	p.put(referenceFile, reference, false)
	p.put(solveFile, []byte(solveScript), true)
	p.put(testFile, []byte(testScript), true)
	p.put("environment/docker-compose.yaml", []byte(compose(o.Egress)), false)
	p.put(agentImage, []byte(mainImage(o.Base)), false)
	p.put(agentImage+".dockerignore", []byte(agentContext), false)
	p.put(worldImage, []byte(worldImageOf(id)), false)
	p.put(worldImage+".dockerignore", []byte(worldContext), false)
	p.put("environment/tool", []byte(toolScript), true)
	if o.Binary != nil {
		p.put(programFile, o.Binary, true)
	} else {
		p.Missing = append(p.Missing, programFile+": the program itself, a static executable for linux/amd64")
	}
	if o.Base == "" {
		p.Missing = append(p.Missing, agentImage+": a base image with a shell, pinned by digest, for the agent and the verifier")
	}
	p.put("instruction.md", []byte(instruction(strings.TrimSpace(tasks.Brief(t.World, t.Public)))), false)
	if err := p.writeTask(t, set, o); err != nil {
		return nil, err
	}
	p.put("README.md", []byte(p.readme(t.Public.Title, o)), false)
	return p, p.closed(b.FS, sealed)
}

func (p *Package) put(name string, data []byte, exec bool) { p.Files[name] = File{data, exec} }

func (p *Package) take(fsys fs.FS, dir string, to []string) error {
	return fs.WalkDir(fsys, dir, func(n string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && n == dir {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		if err := checkName(n); err != nil {
			return err
		}
		b, err := fs.ReadFile(fsys, n)
		for _, x := range to {
			p.put(x+n, b, false)
		}
		return err
	})
}

// oneTask is the bench's manifest with one task alone.
func oneTask(b *bench.Bench, t *tasks.Task) ([]byte, error) {
	data, err := fs.ReadFile(b.FS, "bench.yaml")
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := yaml.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	var keep []any
	list, _ := m["families"].([]any)
	for _, f := range list {
		if f, ok := f.(map[string]any); ok && f["id"] == t.Family {
			f["quota"] = 1
			keep = append(keep, f)
		}
	}
	m["families"] = keep
	exact := 0
	if string(t.Basis) == "exact" {
		exact = 1
	}
	m["counts"] = map[string]int{"frozen": 1, "drafted": 1, "exact": exact, "proxy": 1 - exact}
	return yaml.Marshal(m)
}

func (p *Package) writeTask(t *tasks.Task, set *tasks.Set, o Options) error {
	timeout := set.Limits().Time.Seconds()
	if timeout <= 0 {
		timeout = 1800
	}
	type m = map[string]any
	doc := m{
		"schema_version": "1.4",
		"task":           m{"name": p.Name, "version": set.Bench().Version, "description": t.Public.Request},
		"metadata":       m{"bench": set.Bench().ID, "family": t.Family, "title": t.Public.Title, "as_of": t.Public.AsOf, "llm_judge": false, "egress": o.Egress, "complete": len(p.Missing) == 0},
		"agent":          m{"timeout_sec": timeout, "user": "agent"},
		"verifier":       m{"timeout_sec": 300.0, "user": "root"},
		"environment": m{"build_timeout_sec": 600.0, "cpus": 1, "memory_mb": 1024,
			"mcp_servers": []m{{"name": "world", "transport": "stdio", "command": "/usr/local/bin/assay", "args": []string{"harbor", "mcp", "/handoff/world.json"}}}},
	}
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(doc); err != nil {
		return err
	}
	p.put("task.toml", b.Bytes(), false)
	_, _, err := readTask(b.Bytes())
	return err
}
