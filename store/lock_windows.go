package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockAt lies far beyond the pid, since a locked range cannot be read by others here.
const lockAt = 1 << 30

// lockFile takes the lock without waiting.
func lockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
		&windows.Overlapped{Offset: lockAt})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errHeld
	}
	return err
}

// removeLocked gives the lock back. A file that another process has open cannot be removed here, and may stay.
func removeLocked(f *os.File, path string) error {
	err := f.Close()
	_ = os.Remove(path) // best effort: a file that stays locks nothing
	return err
}
