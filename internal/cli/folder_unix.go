//go:build unix

package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// folder is a bench's folder, as os.DirFS opens it, but that opening a file never waits, whatever stands there under its
// name: a pipe would wait for whoever writes to it. A file that is opened so takes half of the system calls, and a bench has
// one for each item.
type folder string

func openFolder(dir string) fs.FS { return folder(dir) }

// Open implements fs.FS.
func (f folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := os.OpenFile(filepath.Join(string(f), filepath.FromSlash(name)), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, placed(err, name)
	}
	return file, nil
}

// Stat implements fs.StatFS.
func (f folder) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	info, err := os.Stat(filepath.Join(string(f), filepath.FromSlash(name)))
	if err != nil {
		return nil, placed(err, name)
	}
	return info, nil
}

// placed puts the name within the folder into an error, as other file systems do.
func placed(err error, name string) error {
	if pe, ok := err.(*fs.PathError); ok {
		pe.Path = name
	}
	return err
}

// NeverWaits implements bench.Prompt.
func (folder) NeverWaits() {}
