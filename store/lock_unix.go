//go:build unix

package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes the whole file's lock without waiting.
func lockFile(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		}
		return err
	}
}

// removeLocked removes the file while it is still locked, so that nobody takes a lock on a name that is about to go.
func removeLocked(f *os.File, path string) error {
	return errors.Join(os.Remove(path), f.Close())
}
