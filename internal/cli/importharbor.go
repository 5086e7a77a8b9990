package cli

import (
	"fmt"
	"os"

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
	if err := harbor.WriteFolder(p.path(out), stored); err != nil {
		return fault(err)
	}
	for _, w := range u.Warnings {
		p.notef("warning: %s", plain(w))
	}
	p.printf("%s holds %s, schema %s, %s, %d files\ncontent digest %s\nrunnable: %s\n", out, plain(u.Name), u.Schema, u.Dialect, len(files), u.Content, u.Runnable)
	for _, w := range u.Why {
		p.printf("  %s\n", plain(w))
	}
	for _, n := range u.Foreign {
		p.printf("contract of another engine: %s; assay grade %s --foreign FILE judges its episodes by that engine's rules\n", plain(n), out)
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
