package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assaybench/assay/contract/harbor"
	"github.com/assaybench/assay/contract/tasks"
)

// importHarbor stores a task package as a folder: its files as they are, and what was understood of them.
func (p *Process) importHarbor(name, out string) error {
	files, err := p.readPackage(name)
	if err != nil {
		return err
	}
	stored, u, err := harbor.Import(files)
	if err != nil {
		return usage("%s: %v", shown(name), err)
	}
	if err := p.writePackage(out, stored); err != nil {
		return err
	}
	for _, w := range u.Warnings {
		p.notef("warning: %s", plain(w))
	}
	p.printf("%s holds %s, schema %s, %s, %d files\ncontent digest %s\nrunnable: %s\n", out, plain(u.Name), u.Schema, u.Dialect, len(files), u.Content, u.Runnable)
	for _, w := range u.Why {
		p.printf("  %s\n", plain(w))
	}
	for _, n := range u.Opaque {
		p.printf("opaque: %s\n", plain(n))
	}
	return nil
}

func (p *Process) readPackage(name string) (harbor.Files, error) {
	info, err := os.Stat(p.path(name))
	if err != nil {
		return nil, usage("%s: %v", shown(name), reasonOf(err))
	}
	var files harbor.Files
	if info.IsDir() {
		root, err := os.OpenRoot(p.path(name))
		if err != nil {
			return nil, usage("%s: %v", shown(name), reasonOf(err))
		}
		defer root.Close()
		if files, err = harbor.ReadFolder(root.FS()); err != nil {
			return nil, usage("%s: %v", shown(name), err)
		}
		return files, nil
	}
	data, err := p.readInput(name, harbor.MaxArchive)
	if err != nil {
		return nil, err
	}
	if files, err = harbor.ReadArchive(data); err != nil {
		return nil, usage("%s: %v", shown(name), err)
	}
	return files, nil
}

// writePackage writes files with the modes 0644 and 0755 alone.
func (p *Process) writePackage(dir string, files harbor.Files) error {
	data := map[string][]byte{}
	for n, f := range files {
		data[n] = f.Data
	}
	if err := p.writeTree(dir, data); err != nil {
		return err
	}
	for n, f := range files {
		mode := fs.FileMode(0o644)
		if f.Exec {
			mode = 0o755
		}
		if err := os.Chmod(filepath.Join(p.path(dir), filepath.FromSlash(n)), mode); err != nil {
			return fault(err)
		}
	}
	return nil
}

// importTrace makes a trace of ours out of one that another program recorded.
func (p *Process) importTrace(name, out string) error {
	data, err := p.readInput(name, importMost)
	if err != nil {
		return err
	}
	t, err := harbor.ReadTrace(data)
	if err != nil {
		return usage("%s: %v", shown(name), err)
	}
	b, err := t.Bytes()
	if err != nil {
		return usage("%s: %v", shown(name), err)
	}
	if len(t.Calls) == 0 {
		return usage("%s: holds no call of a tool", shown(name))
	}
	if out == "-" {
		_, err = p.Stdout.Write(b)
	} else if err = writeFile(p.path(out), b); err == nil {
		p.printf("%s: %d calls\n", out, len(t.Calls))
	}
	if err != nil {
		return fault(fmt.Errorf("%s: %w", out, err))
	}
	for _, f := range t.Failed {
		p.notef("warning: %s; the call is kept, and is no success", plain(f))
	}
	return nil
}

type harborFlags struct {
	binary, base     string
	noBinary, egress bool
}

// exportHarbor writes each frozen task of a bench as a package, or gives an imported package back.
func (p *Process) exportHarbor(ref, out string, f harborFlags) error {
	if err := p.emptyFolder(out); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(p.path(ref), harbor.ImportFile)); err == nil {
		if f != (harborFlags{}) {
			return usage("%s is an imported package, which is given back as it is; no flag but -o", shown(ref))
		}
		return p.reexportHarbor(ref, out)
	}
	opt := harbor.Options{Base: f.base, Egress: f.egress}
	switch {
	case f.binary != "" && f.noBinary:
		return usage("--binary and --no-binary exclude each other")
	case f.binary == "" && !f.noBinary:
		return usage("a package holds the program: --binary FILE names a static one for linux/amd64; --no-binary writes a package that is marked incomplete")
	case f.binary != "":
		b, err := p.readInput(f.binary, harbor.MaxArchive)
		if err != nil {
			return err
		}
		if err := harbor.CheckBinary(b); err != nil {
			return usage("--binary %s: %v", shown(f.binary), err)
		}
		opt.Binary = b
	}
	o, err := p.open(ref)
	if err != nil {
		return err
	}
	set, ok := o.set.(*tasks.Set)
	if !ok {
		return usage("%s is no bench of agent tasks; the format harbor holds those alone", o.bench.Name())
	}
	var packages []*harbor.Package
	for _, t := range set.Tasks() {
		if !t.Frozen {
			p.notef("left out: %s, a draft", t.ID)
			continue
		}
		x, err := harbor.Export(set, t.ID, opt)
		if err != nil {
			return usage("%s: %v", shown(ref), err)
		}
		packages = append(packages, x)
	}
	for _, x := range packages {
		if err := p.writePackage(filepath.Join(out, filepath.FromSlash(x.Name)), x.Files); err != nil {
			return err
		}
		p.showDigests(x.Name, x.Files)
		for _, m := range x.Missing {
			p.notef("warning: %s is incomplete; missing: %s", x.Name, m)
		}
	}
	return nil
}

func (p *Process) showDigests(name string, files harbor.Files) {
	m := sha256.Sum256(harbor.Manifest(files))
	p.printf("%s\n  content  %s\n  tree     %s\n  manifest sha256:%s\n", plain(name), harbor.ContentDigest(files), harbor.TreeDigest(files), hex.EncodeToString(m[:]))
}

func (p *Process) reexportHarbor(ref, out string) error {
	root, err := os.OpenRoot(p.path(ref))
	if err != nil {
		return usage("%s: %v", shown(ref), reasonOf(err))
	}
	defer root.Close()
	files, edited, err := harbor.Reexport(root.FS())
	if err != nil {
		return usage("%s: %v", shown(ref), err)
	}
	if err := p.writePackage(out, files); err != nil {
		return err
	}
	p.showDigests(out, files)
	if edited {
		p.notef("the package was edited: it has a new version, and names the digest that it came from")
	}
	return nil
}
