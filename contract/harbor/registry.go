package harbor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// WriteFolder writes a package's files below a folder, which is made where it is missing, with the modes 0644 and 0755 alone,
// whatever the process's mask is.
func WriteFolder(dir string, files Files) error {
	for _, n := range files.Names() {
		if err := checkName(n); err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(n))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, files[n].Data, 0o644); err != nil {
			return err
		}
		if err := os.Chmod(path, files[n].mode()); err != nil {
			return err
		}
	}
	return nil
}

func (f File) mode() fs.FileMode {
	if f.Exec {
		return 0o755
	}
	return 0o644
}

// Registry is a folder of published packages: each file once, by its SHA-256, and for each package and content digest the
// manifest that says which files it has. What was published never changes.
type Registry struct{ Dir string }

func (r Registry) blob(sha string) string {
	return filepath.Join(r.Dir, "files", sha[:2], sha)
}

func (r Registry) manifest(name, digest string) (string, error) {
	sha, ok := strings.CutPrefix(digest, "sha256:")
	if !ok || !hex64.MatchString(digest) {
		return "", fmt.Errorf("%q is no content digest", digest)
	}
	if err := checkName(name); err != nil {
		return "", err
	}
	return filepath.Join(r.Dir, "packages", filepath.FromSlash(name), sha), nil
}

// Publish stores a package under its name, and gives the content digest by which it is fetched.
func (r Registry) Publish(name string, files Files) (digest string, err error) {
	have := sumsOf(files)
	digest = have.content()
	at, err := r.manifest(name, digest)
	if err != nil {
		return "", err
	}
	for _, n := range files.Names() {
		if err := checkName(n); err != nil {
			return "", err
		}
		if err := place(r.blob(have.of[n]), files[n].Data); err != nil {
			return "", err
		}
	}
	m := have.manifest()
	if before, err := os.ReadFile(at); err == nil && !bytes.Equal(before, m) {
		return "", fmt.Errorf("%s %s is published already, with other files beside those that its digest covers, or other modes", name, digest)
	}
	return digest, place(at, m)
}

// place writes a file that is named by what it holds: whole, or not at all.
func place(path string, data []byte) error {
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Fetch writes a published package into a folder that is empty or missing, and gives its files as they are read again from there.
// Bytes that are not those of their digests are refused.
func (r Registry) Fetch(name, digest, into string) (Files, error) {
	at, err := r.manifest(name, digest)
	if err != nil {
		return nil, err
	}
	if entries, err := os.ReadDir(into); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty", into)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	m, err := os.ReadFile(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s %s is not published in %s", name, digest, r.Dir)
	} else if err != nil {
		return nil, err
	}
	files, err := r.gather(m)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, digest, err)
	}
	if got := files.content(); got != digest {
		return nil, fmt.Errorf("%s %s: the published files have the digest %s", name, digest, got)
	}
	if err := WriteFolder(into, files.files); err != nil {
		return nil, err
	}
	return readExact(into)
}

// gather reads the files that a manifest lists, each held against its digest.
func (r Registry) gather(manifest []byte) (sums, error) {
	rd, none := newReader(), sums{}
	lines := strings.Split(strings.TrimSuffix(string(manifest), "\n"), "\n")
	for i, line := range lines {
		part := strings.SplitN(line, " ", 4)
		if len(part) != 4 || !slices.Contains([]string{"0644", "0755"}, part[0]) || !hex64.MatchString(part[2]) || strings.HasPrefix(part[2], "sha256:") {
			return none, fmt.Errorf("the manifest's line %d is no mode, size, digest and path", i+1)
		}
		f, err := os.Open(r.blob(part[2]))
		if err != nil {
			return none, fmt.Errorf("%s: its bytes are not in the registry", part[3])
		}
		err = rd.add(part[3], part[0] == "0755", f)
		f.Close()
		if err != nil {
			return none, err
		}
		if data := rd.files[part[3]].Data; sum(data) != part[2] || strconv.Itoa(len(data)) != part[1] {
			return none, fmt.Errorf("%s: the registry's bytes are not those of their digest", part[3])
		}
	}
	files, err := rd.done()
	if err != nil {
		return none, err
	}
	got := sums{files, map[string]string{}}
	for _, line := range lines {
		part := strings.SplitN(line, " ", 4)
		if _, ok := files[part[3]]; !ok {
			return none, errors.New("the manifest's files stand in a folder of their own")
		}
		got.of[part[3]] = part[2]
	}
	return got, nil
}

// readExact reads a package from its folder, and refuses files with other modes than 0644 and 0755.
func readExact(dir string) (Files, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files, err := ReadFolder(root.FS())
	if err != nil {
		return nil, err
	}
	for _, n := range files.Names() {
		info, err := root.Stat(filepath.FromSlash(n))
		if err != nil {
			return nil, err
		}
		if info.Mode().Perm() != files[n].mode() {
			return nil, fmt.Errorf("%s has the mode %#o; a package's files have 0644 or 0755", n, info.Mode().Perm())
		}
	}
	return files, nil
}

// Differences lists by path where two packages are not the same: files that one lacks, other bytes, other modes.
func Differences(want, got Files) (out []string) {
	for _, n := range want.Names() {
		have, ok := got[n]
		switch {
		case !ok:
			out = append(out, n+": is missing")
		case !bytes.Equal(have.Data, want[n].Data):
			out = append(out, n+": other bytes")
		case have.Exec != want[n].Exec:
			out = append(out, n+": another mode")
		}
	}
	for _, n := range got.Names() {
		if _, ok := want[n]; !ok {
			out = append(out, n+": was not there")
		}
	}
	return out
}
