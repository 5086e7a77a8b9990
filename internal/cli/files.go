package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// importMost bounds a file that is imported; the published one has 20 kB.
const importMost = 64 << 20

// readInput reads a whole input file, bounded.
func (p *Process) readInput(name string, most int64) ([]byte, error) {
	f, err := p.openUnlessStopped(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := p.readUnlessStopped(io.LimitReader(f, most+1))
	switch {
	case errors.Is(err, errInterrupted):
		return nil, fault(err)
	case err != nil:
		return nil, usage("%s: %v", shown(name), reasonOf(err))
	case int64(len(data)) > most:
		return nil, usage("%s: larger than %d bytes, which no file of that kind is", shown(name), most)
	}
	return data, nil
}

// openUnlessStopped opens a file, or ends when the process is told to: a named pipe opens once somebody writes to it.
func (p *Process) openUnlessStopped(name string) (*os.File, error) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(p.path(name))
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, &coded{code: exitUsage, err: &namedError{shown(name), o.err}}
		}
		return o.f, nil
	case <-p.Context.Done():
		return nil, fault(errInterrupted)
	}
}

// emptyFolder wants a folder that does not exist or is empty.
func (p *Process) emptyFolder(name string) error {
	entries, err := os.ReadDir(p.path(name))
	switch {
	case err == nil && len(entries) > 0:
		return usage("%s: the folder is not empty; name a new one", name)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return usage("%s: %v", name, errors.Unwrap(err))
	}
	return nil
}

// writeTree writes files below a folder, in a fixed order.
func (p *Process) writeTree(dir string, files map[string][]byte) error {
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		if !fs.ValidPath(n) {
			return fault(fmt.Errorf("%s: refusing to write the path %q", dir, n))
		}
		path := filepath.Join(p.path(dir), filepath.FromSlash(n))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fault(err)
		}
		if err := os.WriteFile(path, files[n], 0o644); err != nil { // whole folders are made anew, and not file by file
			return fault(err)
		}
	}
	return nil
}
