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

// ContentDigest is the format's own digest of a task: over its publishable files by path, without caches and modes.
// It begins with "sha256:".
func ContentDigest(files Files) string { return digestOf(files, publishable) }

// TreeDigest is the digest of all files, caches of Python left out. It begins with "sha256:".
func TreeDigest(files Files) string {
	return digestOf(files, func(n string) bool { return !strings.Contains("/"+n, "/__pycache__/") })
}

func digestOf(files Files, keep func(string) bool) string {
	h := sha256.New()
	for _, n := range files.Names() {
		if keep(n) {
			fmt.Fprintf(h, "%s\x00%s\n", n, sum(files[n].Data))
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Manifest lists every file with its mode, its size in bytes and its digest, one a line: mode, size, sha256, path. It covers
// what the other digests leave out, and says by its form that no entry is a link.
func Manifest(files Files) []byte {
	var b strings.Builder
	for _, n := range files.Names() {
		mode := "0644"
		if files[n].Exec {
			mode = "0755"
		}
		fmt.Fprintf(&b, "%s %d %s %s\n", mode, len(files[n].Data), sum(files[n].Data), n)
	}
	return []byte(b.String())
}
