package harbor

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// File is one file of a package. Exec says whether it may be executed; nothing else of its mode is kept.
type File struct {
	Data []byte
	Exec bool
}

// Files are a package's files by their paths below its folder, with slashes.
type Files map[string]File

// Names gives the paths in byte order.
func (f Files) Names() []string {
	names := make([]string, 0, len(f))
	for n := range f {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// reader gathers files, and refuses those that no package should hold.
type reader struct {
	files  Files
	folded map[string]string // every file and folder by its folded path
	total  int64
}

func newReader() *reader { return &reader{Files{}, map[string]string{}, 0} }

// checkName refuses names that could leave the folder, or that mean different things on different machines.
func checkName(name string) error {
	switch {
	case !utf8.ValidString(name):
		return fmt.Errorf("the path %q is not UTF-8", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("the path %q holds a control character", name)
	case strings.Contains(name, `\`):
		return fmt.Errorf("the path %q holds a backslash", name)
	case strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':':
		return fmt.Errorf("the path %q is absolute", name)
	case !fs.ValidPath(name) || name == ".":
		return fmt.Errorf("the path %q could leave its folder", name)
	case len(name) > maxName:
		return fmt.Errorf("a path has more than %d bytes: %q…", maxName, name[:60])
	}
	return nil
}

var fold = cases.Fold()

// claim notes a path and the folders above it, and refuses two that a file system may take for one.
func (r *reader) claim(name string) error {
	for p := name; p != "."; p = path.Dir(p) {
		key := fold.String(norm.NFC.String(p))
		if have, ok := r.folded[key]; ok && have != p {
			return fmt.Errorf("the paths %q and %q differ in case or composition alone, and are one on some machines", have, p)
		}
		r.folded[key] = p
	}
	return nil
}

func (r *reader) add(name string, exec bool, from io.Reader) error {
	if err := checkName(name); err != nil {
		return err
	}
	if _, ok := r.files[name]; ok {
		return fmt.Errorf("%s: the package holds this file twice", name)
	}
	if err := r.claim(name); err != nil {
		return err
	}
	if len(r.files) == maxFiles {
		return fmt.Errorf("more than %d files", maxFiles)
	}
	data, err := readAtMost(from, maxFile+1)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > maxFile {
		return fmt.Errorf("%s: larger than %d bytes", name, maxFile)
	}
	if r.total += int64(len(data)); r.total > maxPackage {
		return fmt.Errorf("more than %d bytes in all", maxPackage)
	}
	if kind := archiveKind(data); kind != "" {
		return fmt.Errorf("%s: an archive (%s) inside the package; its files cannot be looked at, so unpack it", name, kind)
	}
	r.files[name] = File{data, exec}
	return nil
}

// readAtMost reads a file whole. What says its size is read in one piece: programs have tens of megabytes.
func readAtMost(from io.Reader, most int64) ([]byte, error) {
	var b bytes.Buffer
	if f, ok := from.(interface{ Stat() (fs.FileInfo, error) }); ok {
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		b.Grow(int(min(info.Size(), most)) + bytes.MinRead)
	}
	_, err := b.ReadFrom(io.LimitReader(from, most))
	return b.Bytes(), err
}

// archiveKind goes by a file's first bytes, since names lie. Office documents are zip files by nature, and are let through
// where they say so inside.
func archiveKind(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("PK\x03\x04")):
		if bytes.Contains(b[:min(len(b), 200)], []byte("mimetypeapplication/")) {
			return ""
		}
		if z, err := zip.NewReader(bytes.NewReader(b), int64(len(b))); err == nil && slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == "[Content_Types].xml" }) {
			return ""
		}
		return "zip"
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		return "gzip"
	case bytes.HasPrefix(b, []byte("BZh")) && len(b) > 10 && bytes.HasPrefix(b[4:], []byte{0x31, 0x41, 0x59, 0x26}):
		return "bzip2"
	case bytes.HasPrefix(b, []byte{0xfd, '7', 'z', 'X', 'Z', 0}):
		return "xz"
	case bytes.HasPrefix(b, []byte{'7', 'z', 0xbc, 0xaf, 0x27, 0x1c}):
		return "7z"
	case bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	case len(b) > 262 && string(b[257:262]) == "ustar":
		return "tar"
	}
	return ""
}

// done takes away the one folder that everything stands in, where there is one, and wants a task's file.
func (r *reader) done() (Files, error) {
	if _, ok := r.files["task.toml"]; ok {
		return r.files, nil
	}
	top := ""
	for n := range r.files {
		first, _, ok := strings.Cut(n, "/")
		if !ok || top != "" && first != top {
			return nil, errors.New("no task.toml; a package is one task's folder")
		}
		top = first
	}
	if _, ok := r.files[top+"/task.toml"]; !ok {
		return nil, errors.New("no task.toml; a package is one task's folder")
	}
	out := Files{}
	for n, f := range r.files {
		out[n[len(top)+1:]] = f
	}
	return out, nil
}

// ReadFolder reads a package from its folder. Links and devices are refused, not followed.
func ReadFolder(fsys fs.FS) (Files, error) {
	r := newReader()
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			return fmt.Errorf("%q is a link; a package holds files alone", p)
		case !d.Type().IsRegular():
			return fmt.Errorf("%q is neither a file nor a folder", p)
		}
		f, err := fsys.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%q is neither a file nor a folder", p)
		}
		return r.add(p, info.Mode()&0o111 != 0, f)
	})
	if err != nil {
		return nil, err
	}
	return r.done()
}

// ReadArchive reads a package from a .zip, .tar or .tar.gz file.
func ReadArchive(data []byte) (Files, error) {
	switch kind := archiveKind(data); kind {
	case "zip":
		return readZip(data)
	case "tar":
		return readTar(bytes.NewReader(data))
	case "gzip":
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		return readTar(io.LimitReader(z, 2*maxPackage))
	}
	return nil, errors.New("neither a folder nor a .zip, .tar or .tar.gz file")
}

func readZip(data []byte) (Files, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	r := newReader()
	for _, f := range z.File {
		name, mode := f.Name, f.Mode()
		if strings.HasSuffix(name, "/") {
			if err := checkName(strings.TrimSuffix(name, "/")); err != nil {
				return nil, err
			}
			continue
		}
		if !mode.IsRegular() {
			return nil, fmt.Errorf("%q is a link or a device; a package holds files alone", name)
		}
		from, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		err = r.add(name, mode&0o111 != 0, from)
		from.Close()
		if err != nil {
			return nil, err
		}
	}
	return r.done()
}

func readTar(from io.Reader) (Files, error) {
	t := tar.NewReader(from)
	r := newReader()
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return r.done()
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return nil, err
		}
		name := strings.TrimPrefix(h.Name, "./")
		switch h.Typeflag {
		case tar.TypeReg:
			if err := r.add(name, h.Mode&0o111 != 0, t); err != nil {
				return nil, err
			}
		case tar.TypeDir:
			if name = strings.TrimSuffix(name, "/"); name != "" && name != "." {
				if err := checkName(name); err != nil {
					return nil, err
				}
			}
		case tar.TypeXGlobalHeader:
		default:
			return nil, fmt.Errorf("%q is a link or a device; a package holds files alone", name)
		}
	}
}
