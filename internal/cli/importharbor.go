package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assaybench/assay/contract/harbor"
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
