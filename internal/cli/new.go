package cli

import (
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
)

// starterManifest and starterItem are a bench that passes assay check as it stands, to be changed into the author's own.
const starterManifest = `id: %s
version: "1"
title: A bench of my own
shape: prompt
licence: CC-BY-4.0
attribution: your name here
families:
  - {id: writing, title: Writing under constraints, quota: 1}
counts: {frozen: 1, drafted: 1, exact: 1, proxy: 0}
protocol:
  temperature: 0
  top_p: 1
  repeats: 2
  pass_rule: all
  context: 8192
  default_posture: plain
  postures:
    plain: {thinking: off, max_output: 512, timeout: 120s}
`

const starterItem = `id: two-sentences
family: writing
basis: exact
prompt: |
  Write two sentences about rain. Each must begin with the capital letter R, and there must be no comma.
  Output the two sentences and nothing else.
rules:
  - sentences: {exactly: 2}
  - starts_each_sentence: R
  - characters_absent: {any: [","]}
controls:
  accept:
    - answer: Rain fell on the roof all night. Rivers rose by morning.
    - answer: |
        Rain is coming!
        Roads will be wet.
  reject:
    - {name: near-miss, answer: "Rain fell on the roof, all night. Rivers rose by morning.", breaks: characters_absent}
    - {name: wrong, answer: "Rain fell on the roof all night. The rivers rose by morning.", breaks: starts_each_sentence}
    - {answer: "Rain fell on the roof all night.", breaks: sentences}
    - {answer: "Rain fell on the roof all night. Rivers rose by morning. Roads shone.", breaks: sentences}
`

// starterPremise is a bench of the shape premise, which docs/premise.md shows.
//
//go:embed starter/premise
var starterPremise embed.FS

// starter gives the files of a small bench of a shape.
func starter(shape, id string) (map[string][]byte, error) {
	if shape != bench.ShapePremise {
		return map[string][]byte{"bench.yaml": fmt.Appendf(nil, starterManifest, id), "items/two-sentences.yaml": []byte(starterItem)}, nil
	}
	files := map[string][]byte{}
	root, err := fs.Sub(starterPremise, "starter/premise")
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[name], err = fs.ReadFile(root, name)
		}
		return err
	})
	first, rest, _ := strings.Cut(string(files["bench.yaml"]), "\n")
	if !strings.HasPrefix(first, "id: ") {
		return nil, fmt.Errorf("the manifest begins with %q", first)
	}
	files["bench.yaml"] = []byte("id: " + id + "\n" + rest)
	return files, err
}

func newNew(p *Process) *cobra.Command {
	var shape string
	c := &cobra.Command{
		Use: "new bench|world|task DIR", Short: "Start a bench of your own: a small one that passes assay check",
		Long: `Writes a small bench into a new folder, for you to change into your own: with bench one of prompts, or with --shape premise one of
requirements that are to be turned into schedules; with world (or bench --shape agent) one of agent tasks, which has a world, a task and its
contract. With task BENCH/ID it adds a draft of a task to a bench of agent tasks.` + exitHelp,
		Args: args(2, 2, "bench DIR, world DIR or task BENCH/ID"),
		RunE: func(_ *cobra.Command, a []string) error {
			if a[0] != "bench" && shape != bench.ShapePrompt {
				return usage("--shape goes with assay new bench")
			}
			switch a[0] {
			case "bench":
			case "world":
				return p.newWorld(a[1])
			case "task":
				return p.newTask(a[1])
			default:
				return usage("assay new makes a bench, a world or a task (assay new bench DIR), not %q", a[0])
			}
			if shape == bench.ShapeAgent {
				return p.newWorld(a[1])
			}
			if shape != bench.ShapePrompt && shape != bench.ShapePremise {
				return usage("--shape %q: it is %s, %s or %s", shape, bench.ShapePrompt, bench.ShapePremise, bench.ShapeAgent)
			}
			if err := p.emptyFolder(a[1]); err != nil {
				return err
			}
			id := strings.ToLower(filepath.Base(p.path(a[1])))
			if !bench.ValidID(id) {
				return usage("%s: the folder's name becomes the bench's id, which is made of lowercase letters, digits and . _ - inside", a[1])
			}
			files, err := starter(shape, id)
			if err != nil {
				return fault(err)
			}
			if err := p.writeTree(a[1], files); err != nil {
				return err
			}
			p.printf("%s holds a bench of one item; next: assay check %s\n", a[1], asRef(a[1]))
			return nil
		},
	}
	c.Flags().StringVar(&shape, "shape", bench.ShapePrompt, "the bench's `SHAPE`: prompt, premise or agent")
	return c
}

// asRef writes a path so that it is taken for one.
func asRef(path string) string {
	if isPath(path) {
		return path
	}
	return "./" + path
}
