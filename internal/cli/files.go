package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// importMost bounds a file that is imported; the published one has 20 kB.
const importMost = 64 << 20

// opener is a file that is opened when it is first read: opening a named pipe waits until somebody writes to it, and whoever
// waits for the reading to end can be interrupted.
type opener struct {
	name   string
	mu     sync.Mutex
	f      *os.File
	closed bool
}

func (o *opener) Read(b []byte) (int, error) {
	o.mu.Lock()
	f := o.f
	o.mu.Unlock()
	if f == nil {
		var err error
		if f, err = os.Open(o.name); err != nil {
			return 0, err
		}
		o.mu.Lock()
		o.f = f
		if o.closed {
			f.Close()
		}
		o.mu.Unlock()
	}
	return f.Read(b)
}

func (o *opener) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	if o.f == nil {
		return nil
	}
	return o.f.Close()
}

// readInput reads a whole input file, bounded.
func (p *Process) readInput(name string, most int64) ([]byte, error) {
	f := &opener{name: p.path(name)}
	defer f.Close()
	data, err := p.readUnlessStopped(io.LimitReader(f, most+1))
	switch {
	case err == errInterrupted:
		return nil, fault(err)
	case err != nil:
		return nil, usage("%s: %v", name, errors.Unwrap(err))
	case int64(len(data)) > most:
		return nil, usage("%s: larger than %d bytes, which no file of that kind is", name, most)
	}
	return data, nil
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
		if err := writeFile(path, files[n]); err != nil {
			return fault(err)
		}
	}
	return nil
}
