package bench

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Limits on what a bench from outside may hold.
const (
	maxFileBytes  = 256 << 20
	maxTotalBytes = 4 << 30
	maxFiles      = 1_000_000
	maxPathDepth  = 100
)

// FreezeFile is the one file that a bench's digest leaves out, beside everything below reports/.
const FreezeFile = "FREEZE.json"

// File is one file of a bench with its SHA-256 in lowercase hex and its size in bytes.
type File struct {
	Path   string
	SHA256 string
	Size   int64
}

// Files walks every file that the digest covers, in the digest's order (sorted by path, byte by byte), and calls fn with
// each. Links, devices and paths that two systems would read differently are refused.
func Files(fsys fs.FS, fn func(File) error) error {
	var total int64
	count := 0
	batch := make([]hashed, 0, hashAhead)
	buffers := make([][]byte, runtime.GOMAXPROCS(0))
	flush := func() error {
		hashAll(fsys, batch, buffers)
		for i := range batch {
			h := &batch[i]
			if h.err != nil {
				return &Error{File: h.Path, Msg: reason(h.err)}
			}
			if total += h.Size; total > maxTotalBytes {
				return &Error{Msg: fmt.Sprintf("more than %d bytes of files; this is not a bench", int64(maxTotalBytes))}
			}
			if err := fn(h.File); err != nil {
				return err
			}
		}
		batch = batch[:0]
		return nil
	}
	err := walk(fsys, ".", func(p string, plain bool) error {
		if p == FreezeFile || p == "reports" || strings.HasPrefix(p, "reports/") {
			return nil
		}
		if !plain {
			return &Error{File: p, Msg: "not a plain file (a link or a device); a bench holds plain files only"}
		}
		if count++; count > maxFiles {
			return &Error{Msg: fmt.Sprintf("more than %d files; this is not a bench", maxFiles)}
		}
		if batch = append(batch, hashed{File: File{Path: p}}); len(batch) == hashAhead {
			return flush()
		}
		return nil
	})
	// What was walked before a fault comes first, so that the same fault is told however many files are hashed at once.
	if ferr := flush(); ferr != nil {
		return ferr
	}
	return err
}

// hashAhead is how many files are hashed at once: opening a small file takes longer than hashing it, so all processors
// share the work.
const hashAhead = 128

// hashed is a file on its way through hashAll.
type hashed struct {
	File
	err error
}

func hashAll(fsys fs.FS, batch []hashed, buffers [][]byte) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range min(len(buffers), (len(batch)+leastHashed-1)/leastHashed) {
		wg.Go(func() {
			if buffers[w] == nil {
				buffers[w] = make([]byte, 64<<10)
			}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(batch) {
					return
				}
				h := &batch[i]
				h.SHA256, h.Size, h.err = hashFile(fsys, h.Path, buffers[w])
			}
		})
	}
	wg.Wait()
}

// leastHashed is how many files are worth a goroutine of their own.
const leastHashed = 8

// walk visits files in the byte order of their full paths, which is not the order of a folder-by-folder walk ("a.b" sorts
// before "a/b"), so each folder is visited as if its name ended with "/".
func walk(fsys fs.FS, dir string, fn func(p string, plain bool) error) error {
	entries, err := list(fsys, dir)
	if err != nil {
		return &Error{File: dir, Msg: reason(err)}
	}
	for _, d := range entries {
		name, isDir := strings.CutSuffix(d.key, "/")
		if dir == "." && (name == ".git" || name == ".assay") {
			continue // the bench's own repository, and runs made in its folder, are no part of it
		}
		p := path.Join(dir, name)
		if strings.ContainsAny(name, "\x00\n\\") {
			return &Error{File: fmt.Sprintf("%q", p), Msg: "a file name with a backslash, a line break or a NUL; rename it"}
		}
		if isDir {
			err = walk(fsys, p, fn)
		} else {
			err = fn(p, d.plain)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listed is one name in a folder; key is the name, with "/" behind a folder's.
type listed struct {
	key   string
	plain bool
}

// list reads a folder's names, sorted by key. It reads them in portions: a folder of 100,000 items would otherwise cost more
// memory than everything else that a run needs.
func list(fsys fs.FS, dir string) ([]listed, error) {
	var out []listed
	add := func(portion []fs.DirEntry) {
		for _, e := range portion {
			key := strings.Clone(e.Name()) // not a part of the portion's memory
			if e.IsDir() {
				key += "/"
			}
			out = append(out, listed{key, e.Type().IsRegular()})
		}
	}
	err := inPortions(fsys, dir, add)
	if err != nil {
		return nil, err
	}
	if len(out) > maxFiles {
		return nil, fmt.Errorf("more than %d files; this is not a bench", maxFiles)
	}
	slices.SortFunc(out, func(a, b listed) int { return strings.Compare(a.key, b.key) })
	return out, nil
}

// inPortions reads a folder, in portions where the file system can.
func inPortions(fsys fs.FS, dir string, add func([]fs.DirEntry)) error {
	f, err := fsys.Open(dir)
	if err == nil {
		defer f.Close()
	}
	d, ok := f.(fs.ReadDirFile)
	if err != nil || !ok {
		all, err := fs.ReadDir(fsys, dir)
		add(all)
		return err
	}
	for count := 0; count <= maxFiles; {
		portion, err := d.ReadDir(256)
		add(portion)
		count += len(portion)
		if err == io.EOF || err == nil && len(portion) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func hashFile(fsys fs.FS, name string, buf []byte) (sum string, size int64, err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{io.LimitReader(f, maxFileBytes+1)}, buf)
	if err == nil && n > maxFileBytes {
		err = fmt.Errorf("the file is larger than %d bytes", maxFileBytes)
	}
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// digester makes a bench's digest from its files in order.
type digester struct{ h hash.Hash }

func newDigester() digester { return digester{sha256.New()} }

func (d digester) add(f File) { fmt.Fprintf(d.h, "%s\x00%s\n", f.Path, f.SHA256) }

func (d digester) sum() string { return hex.EncodeToString(d.h.Sum(nil)) }

// Digest is the lowercase hex SHA-256 over the lines "path NUL sha256 LF" of every file but FREEZE.json and reports/,
// sorted by path.
func Digest(fsys fs.FS) (string, error) {
	d := newDigester()
	err := Files(fsys, func(f File) error { d.add(f); return nil })
	return d.sum(), err
}

// Prompt is a file system whose Open never waits, not even for whoever may write to a pipe of that name.
type Prompt interface{ NeverWaits() }

func readFile(fsys fs.FS, name string) ([]byte, error) {
	// A pipe would be waited for until somebody writes, and a device has no end.
	if _, ok := fsys.(Prompt); !ok {
		if info, err := fs.Stat(fsys, name); err == nil && !plain(info) {
			return nil, errNotPlain
		}
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := int64(0)
	if info, err := f.Stat(); err == nil {
		if !plain(info) {
			return nil, errNotPlain
		}
		size = info.Size()
	}
	// With room beyond its size its end is seen without growing; what it says of itself is not believed far.
	buf := bytes.NewBuffer(make([]byte, 0, min(max(size, 0), 1<<20)+bytes.MinRead))
	n, err := buf.ReadFrom(io.LimitReader(f, maxFileBytes+1))
	if err == nil && n > maxFileBytes {
		err = fmt.Errorf("the file is larger than %d bytes", maxFileBytes)
	}
	return buf.Bytes(), err
}

var errNotPlain = errors.New("is not a plain file")

// plain reports whether something can be read as a file; of a folder the reading itself says what is wrong.
func plain(info fs.FileInfo) bool { return info.Mode().IsRegular() || info.IsDir() }

// reason gives an error without the path that the message already has.
func reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		if errors.Is(err, fs.ErrNotExist) {
			return "does not exist"
		}
		return pe.Err.Error()
	}
	return err.Error()
}

// OpenZip opens a bench in a zip archive, whose files stand at its root or in one folder. Paths that leave the archive,
// links, duplicates, names that differ only by case and archives that unpack to too much are refused.
func OpenZip(data []byte) (fs.FS, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, &Error{Msg: "not a zip archive: " + err.Error()}
	}
	if len(z.File) > maxFiles {
		return nil, &Error{Msg: fmt.Sprintf("the archive has more than %d files", maxFiles)}
	}
	var total uint64
	paths := archivePaths{}
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(name) || name == "." || strings.Contains(name, "\\") {
			return nil, &Error{Msg: fmt.Sprintf("the archive holds the path %q, which could leave its folder", f.Name)}
		}
		if m := f.Mode(); !m.IsRegular() && !m.IsDir() {
			return nil, &Error{Msg: fmt.Sprintf("the archive holds %q, which is neither a file nor a folder", f.Name)}
		}
		if err := paths.add(name, f.Mode().IsDir()); err != nil {
			return nil, err
		}
		if f.UncompressedSize64 > maxFileBytes || total+f.UncompressedSize64 > maxTotalBytes {
			return nil, &Error{Msg: "the archive unpacks to more than a bench may hold"}
		}
		total += f.UncompressedSize64
	}
	if _, err := fs.Stat(z, "bench.yaml"); err == nil {
		return z, nil
	}
	entries, err := fs.ReadDir(z, ".")
	if err == nil && len(entries) == 1 && entries[0].IsDir() {
		return fs.Sub(z, entries[0].Name())
	}
	return z, nil
}

// archivePaths finds paths that could not all stand in one folder on every system, by lower-case path.
type archivePaths map[string]struct {
	name string // as the archive writes it
	dir  bool
}

// add takes a path and the folders above it.
func (a archivePaths) add(name string, dir bool) error {
	if strings.Count(name, "/") > maxPathDepth {
		return &Error{Msg: fmt.Sprintf("the archive holds folders more than %d deep", maxPathDepth)}
	}
	for own := true; name != "."; own, name, dir = false, path.Dir(name), true {
		key := strings.ToLower(name)
		old, known := a[key]
		switch {
		case !known:
			old.name, old.dir = name, dir
			a[key] = old
		case old.name != name || old.dir != dir || own && !dir:
			return &Error{Msg: fmt.Sprintf("the archive holds both %q and %q", old.name, name)}
		case !own:
			return nil // the folders above it are known too
		}
	}
	return nil
}
