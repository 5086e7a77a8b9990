package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/premise"
)

// kairosFlags name the files of a published premise bench that are not in its folder.
type kairosFlags struct {
	prelude, declaration, skill, returns, rules string
}

// importKairos makes a bench of a published premise bench.
func (p *Process) importKairos(dir, out string, f kairosFlags) error {
	for _, need := range [][2]string{{"prelude", f.prelude}, {"declaration", f.declaration}, {"skill", f.skill}} {
		if need[1] == "" {
			return usage("assay import kairos-premise wants --%s FILE: the published folder does not hold it", need[0])
		}
	}
	var in premise.Published
	for _, x := range []struct {
		to   *[]byte
		name string
	}{{&in.Problems, filepath.Join(dir, "problems.jsonl")}, {&in.Answers, filepath.Join(dir, "answers.jsonl")}, {&in.Prelude, f.prelude},
		{&in.Declaration, f.declaration}, {&in.Skill, f.skill}, {&in.Return, f.returns}, {&in.Rules, f.rules}} {
		if x.name == "" {
			continue
		}
		data, err := p.readInput(x.name, importMost)
		if err != nil {
			return err
		}
		*x.to = append([]byte{}, data...) // an empty file is there, and not nil
	}
	forms := filepath.Join(dir, "forms.json") // an export leaves it where the published files have no place for what it holds
	if _, err := os.Stat(p.path(forms)); err == nil {
		data, err := p.readInput(forms, importMost)
		if err != nil {
			return err
		}
		in.Forms = append([]byte{}, data...)
	}
	im, err := premise.Import(p.Context, in)
	if err != nil {
		return inBench(dir, err)
	}
	if err := p.writeTree(out, im.Files); err != nil {
		return err
	}
	for _, n := range im.Notes {
		p.notef("%s", n)
	}
	for _, x := range im.Check.Faults {
		p.notef("warning: %s: %s", strings.TrimSpace(x.Item+" "+x.Control), x.Msg)
	}
	c := im.Check
	p.printf("%s holds %s; %d/%d problems, %d/%d pairs\n", out, counted(c.Problems, "problem"), c.ProblemsOK, c.Problems, c.PairsOK, c.Pairs)
	p.printf("its controls are made from its readings; assay check %s proves its grader\n", named(out))
	return nil
}

// named is a folder as commands take it.
func named(dir string) string {
	if isPath(dir) {
		return dir
	}
	return "./" + dir
}

// exportKairos writes a bench as the published files, into a new folder.
func (p *Process) exportKairos(ref, out string) error {
	if err := p.emptyFolder(out); err != nil {
		return err
	}
	fsys, err := p.files(ref)
	if err != nil {
		return err
	}
	b, err := bench.Load(fsys, ref)
	if err != nil {
		return inBench(ref, err)
	}
	files, lossy, err := premise.Export(b)
	if err != nil {
		return inBench(ref, err)
	}
	for _, l := range lossy {
		p.notef("left out: %s", l)
	}
	if err := p.writeTree(out, files); err != nil {
		return err
	}
	p.printf("%s holds %d files\n", out, len(files))
	return nil
}
