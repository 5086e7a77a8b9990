//go:build unix

package world

import (
	"os"
	"syscall"
)

// hold marks a folder as one that a living process works on, until the returned function is called. The lock is the folder's
// own and not a name's, so that it goes along when the folder gets its name, and the end of the process frees it.
func hold(dir string) (release func()) {
	f, err := os.Open(dir)
	if err != nil {
		return func() {}
	}
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) // a file system without locks leaves the age to decide
	return func() { f.Close() }
}

// held says whether a living process works on a folder. What cannot be looked at is left to its owner.
func held(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return true
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == syscall.EWOULDBLOCK
}
