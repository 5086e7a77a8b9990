package s2s

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// tree is files in memory as a file system, so that a bench can be loaded before anything is written.
type tree struct {
	files map[string][]byte
	dirs  map[string][]fs.DirEntry
}

func newTree(files map[string][]byte) *tree {
	t := &tree{files: files, dirs: map[string][]fs.DirEntry{".": nil}}
	for _, name := range names(files) {
		t.enter(node{name, int64(len(files[name])), false})
	}
	return t
}

// enter lists a node in its folder, and the folder in its own.
func (t *tree) enter(n node) {
	dir := path.Dir(n.path)
	if _, known := t.dirs[dir]; !known {
		t.dirs[dir] = nil
		t.enter(node{dir, 0, true})
	}
	t.dirs[dir] = append(t.dirs[dir], fs.FileInfoToDirEntry(n))
}

// Open implements fs.FS.
func (t *tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if data, ok := t.files[name]; ok {
		return &openFile{bytes.NewReader(data), node{name, int64(len(data)), false}}, nil
	}
	if entries, ok := t.dirs[name]; ok {
		entries = slices.Clone(entries)
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
		return &openDir{node{name, 0, true}, entries}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// node is a file's or a folder's fs.FileInfo.
type node struct {
	path string
	size int64
	dir  bool
}

func (n node) Name() string       { return path.Base(n.path) }
func (n node) Size() int64        { return n.size }
func (n node) ModTime() time.Time { return time.Time{} }
func (n node) IsDir() bool        { return n.dir }
func (n node) Sys() any           { return nil }

func (n node) Mode() fs.FileMode {
	if n.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

type openFile struct {
	*bytes.Reader
	node node
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.node, nil }
func (f *openFile) Close() error               { return nil }

type openDir struct {
	node node
	left []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.node, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.node.path, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.left) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.left) {
		n = len(d.left)
	}
	out := d.left[:n]
	d.left = d.left[n:]
	return out, nil
}
