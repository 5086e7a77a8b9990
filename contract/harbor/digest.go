package harbor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// publishable says whether a path belongs to what is published of a task, and so to its content digest.
func publishable(name string) bool {
	first, rest, deep := strings.Cut(name, "/")
	switch first {
	case "task.toml", "instruction.md", "README.md":
		if deep {
			return false
		}
	case "environment", "tests", "solution", "steps":
		if !deep {
			return false
		}
	default:
		return false
	}
	for seg := range strings.SplitSeq(rest, "/") {
		if seg == "__pycache__" || seg == ".DS_Store" {
			return false
		}
	}
	for _, end := range []string{".pyc", ".swp", ".swo", "~"} {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	return true
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// sums are the digests of a package's files. They are made once where several digests are wanted: a package holds a program of tens
// of megabytes.
type sums struct {
	files Files
	of    map[string]string
}

func sumsOf(files Files) sums {
	s := sums{files, make(map[string]string, len(files))}
	for n, f := range files {
		s.of[n] = sum(f.Data)
	}
	return s
}

func (s sums) content() string { return s.digest(publishable) }

func (s sums) tree() string {
	return s.digest(func(n string) bool { return !strings.Contains("/"+n, "/__pycache__/") })
}

func (s sums) digest(keep func(string) bool) string {
	h := sha256.New()
	for _, n := range s.files.Names() {
		if keep(n) {
			fmt.Fprintf(h, "%s\x00%s\n", n, s.of[n])
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

func (s sums) manifest() []byte {
	var b strings.Builder
	for _, n := range s.files.Names() {
		mode := "0644"
		if s.files[n].Exec {
			mode = "0755"
		}
		fmt.Fprintf(&b, "%s %d %s %s\n", mode, len(s.files[n].Data), s.of[n], n)
	}
	return []byte(b.String())
}

// ContentDigest is the format's own digest of a task: over its publishable files by path, without caches and modes.
// It begins with "sha256:".
func ContentDigest(files Files) string { return sumsOf(files).content() }

// TreeDigest is the digest of all files, caches of Python left out. It begins with "sha256:".
func TreeDigest(files Files) string { return sumsOf(files).tree() }

// Manifest lists every file with its mode, its size in bytes and its digest, one a line: mode, size, sha256, path. It covers
// what the other digests leave out, and says by its form that no entry is a link.
func Manifest(files Files) []byte { return sumsOf(files).manifest() }

// Digests gives the content digest, the tree digest and the digest of the manifest at once.
func Digests(files Files) (content, tree, manifest string) {
	s := sumsOf(files)
	return s.content(), s.tree(), "sha256:" + sum(s.manifest())
}
