package harbor

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// commandPath is the program's main package, by which a process knows that it is that program.
const commandPath = "github.com/assaybench/assay/cmd/assay"

// OwnProgram gives the program that packages hold, made of the running one, as Program does. A running program that wants a dynamic
// loader cannot be it: it was built with cgo, as the Go command does by itself where a C compiler is at hand. Where its source still
// lies where it was built, and has not changed since, the static one is built of it, once: it is kept in the folder cache by the
// digest of the source. The error says what to do elsewhere.
func OwnProgram(ctx context.Context, cache string) ([]byte, error) {
	at, err := os.Executable()
	if err != nil {
		return nil, err
	}
	why := errors.New("it is another program that runs here")
	if info, ok := debug.ReadBuildInfo(); ok && info.Path == commandPath {
		b, err := os.ReadFile(at)
		if err != nil {
			return nil, err
		}
		if b, why = Program(b); why == nil {
			return b, nil
		}
	}
	b, err := fromSource(ctx, at, cache)
	if err != nil {
		return nil, fmt.Errorf("%w, and of its source none can be made: %w", why, err)
	}
	return Program(b)
}

// fromSource builds the static program from the source that this process was built of.
func fromSource(ctx context.Context, running, cache string) ([]byte, error) {
	_, here, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(here)))
	if !filepath.IsAbs(here) {
		return nil, errors.New("this program does not know where it lies (-trimpath)")
	}
	built, err := os.Stat(running)
	if err != nil {
		return nil, err
	}
	gotool, err := exec.LookPath("go")
	if err != nil {
		return nil, errors.New("the Go command is not at hand")
	}
	key, err := sourceDigest(root, built.ModTime())
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(cache, key)
	if b, err := os.ReadFile(kept); err == nil && CheckBinary(b) == nil {
		return b, nil
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(cache, ".new-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	made := filepath.Join(dir, "assay")
	c := exec.CommandContext(ctx, gotool, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", made, "./cmd/assay")
	c.Dir = root
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64", "GOFLAGS=", "GOWORK=off")
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("go build fails (%w): %s", err, tail(&said))
	}
	b, err := os.ReadFile(made)
	if err != nil {
		return nil, err
	}
	if err := os.Rename(made, kept); err != nil {
		return nil, err
	}
	return b, prune(cache)
}

// sourceDigest is that of the files that the program is made of, and of the Go command's version. It fails where one is newer than
// the program that runs: what would be built is another one.
func sourceDigest(root string, built time.Time) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", runtime.Version())
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (d.Name()[0] == '.' || d.Name() == "testdata" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") || d.Name()[0] == '.':
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil || !partOfProgram(rel) {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if info.ModTime().After(built) {
			return fmt.Errorf("%s has changed since this program was built; build it again", filepath.ToSlash(rel))
		}
		fmt.Fprintf(h, "%s\x00%x\n", filepath.ToSlash(rel), sha256.Sum256(b))
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("its source is not in %s any more", root)
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// partOfProgram leaves out what people alone read, which changes without a program changing.
func partOfProgram(rel string) bool {
	first, _, deep := strings.Cut(filepath.ToSlash(rel), "/")
	return deep && first != "docs" && first != "examples" || strings.HasPrefix(rel, "go.")
}

// keptPrograms is how many built programs a cache keeps; one has tens of megabytes.
const keptPrograms = 3

func prune(cache string) error {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return err
	}
	type kept struct {
		name string
		at   time.Time
	}
	var all []kept
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !hex64.MatchString(e.Name()) {
			continue // another process's, or gone meanwhile
		}
		all = append(all, kept{e.Name(), info.ModTime()})
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Compare(b.at.UnixNano(), a.at.UnixNano()) })
	for i := keptPrograms; i < len(all); i++ {
		if err := os.Remove(filepath.Join(cache, all[i].name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
