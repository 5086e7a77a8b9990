package world

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// newPrefix begins the name of a folder that is to become an episode. A process that is killed on the way leaves it behind.
const newPrefix = ".new-"

// staleAfter is how old what a killed process left must be to be taken for that. Making an episode takes milliseconds.
const staleAfter = 10 * time.Minute

// swept are the roots that this process has looked through; once is enough, and a root may hold thousands of episodes.
var swept sync.Map

// sweepOnce removes what killed processes left below a root, the first time that this process comes to it.
func sweepOnce(root string) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return // the caller meets the same fault, and tells it
	}
	if _, done := swept.LoadOrStore(abs, true); !done {
		sweep(abs, time.Now())
	}
}

// sweep removes the beginnings of episodes and of seeds that no process works on: they are old, and nobody holds them. What
// cannot be removed stays for the next start and hinders nobody, since it has no episode's name.
func sweep(root string, now time.Time) {
	old := func(path string) bool {
		st, err := os.Lstat(path)
		return err == nil && now.Sub(st.ModTime()) > staleAfter
	}
	for _, path := range begins(root, newPrefix) {
		if old(path) && !held(path) {
			_ = os.RemoveAll(path)
		}
	}
	for _, path := range begins(filepath.Join(root, seedsFolder), ".") { // "." + SHA-256 + ".db." + chance, before it has its name
		if old(path) && strings.Contains(filepath.Base(path), ".db.") {
			_ = os.Remove(path)
		}
	}
}

// begins lists what is in a folder and whose name begins so.
func begins(dir, prefix string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}
