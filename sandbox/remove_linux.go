package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// maxOpenDepth bounds the descriptors that removeTree holds. A candidate can
// nest folders far deeper than a process can open files.
const maxOpenDepth = 32

// removeTree removes a folder and all below it, whatever a candidate made of
// it: closed folders, names of any bytes, nesting without end. It follows no
// link. Every process that could change the tree meanwhile must be dead.
func removeTree(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("sandbox: remove %s: %w", path, err)
	}
	defer unix.Close(fd)
	r := remover{root: fd}
	for again := true; again; { // what was nested too deep was moved up to the root
		r.moved = false
		if err := r.clear(fd, 0); err != nil {
			return fmt.Errorf("sandbox: remove %s: %w", path, err)
		}
		again = r.moved
	}
	if err := unix.Rmdir(path); err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("sandbox: remove %s: %w", path, err)
	}
	return nil
}

type remover struct {
	root   int
	serial int
	moved  bool
}

// clear empties an open folder.
func (r *remover) clear(fd, depth int) error {
	for {
		names, err := readNames(fd, true)
		if err != nil {
			return err
		}
		removed := false
		for _, name := range names {
			if depth == 0 && strings.HasPrefix(name, movedPrefix) && r.moved {
				continue // moved up in this pass, the next one takes it
			}
			if err := r.remove(fd, name, depth); err != nil {
				return err
			}
			removed = true
		}
		if !removed {
			return nil
		}
	}
}

// movedPrefix marks folders that were moved up. A candidate's folder of such a
// name is only taken one pass later.
const movedPrefix = ".assay-moved-"

func (r *remover) remove(dir int, name string, depth int) error {
	err := unix.Unlinkat(dir, name, 0)
	if err == nil || errors.Is(err, unix.ENOENT) {
		return nil
	}
	var st unix.Stat_t
	if e := unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW); e == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
		err = r.removeDir(dir, name, depth)
	}
	// Run and a supervisor that it no longer waits for may remove the same tree.
	if err == nil || errors.Is(err, unix.ENOENT) {
		return nil
	}
	return fmt.Errorf("%q: %w", name, err)
}

func (r *remover) removeDir(dir int, name string, depth int) error {
	if err := unix.Fchmodat(dir, name, 0o700, 0); err != nil {
		return err
	}
	if depth >= maxOpenDepth {
		for {
			r.serial++
			err := unix.Renameat2(dir, name, r.root, movedPrefix+strconv.Itoa(r.serial), unix.RENAME_NOREPLACE)
			if err == nil {
				r.moved = true
			}
			if !errors.Is(err, unix.EEXIST) {
				return err
			}
		}
	}
	child, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	err = r.clear(child, depth+1)
	unix.Close(child)
	if err != nil {
		return err
	}
	return unix.Unlinkat(dir, name, unix.AT_REMOVEDIR)
}

// readNames lists an open folder, from its beginning; a part of it only if
// some is enough.
func readNames(fd int, some bool) ([]string, error) {
	if _, err := unix.Seek(fd, 0, unix.SEEK_SET); err != nil {
		return nil, err
	}
	var names []string
	buf := make([]byte, 32<<10)
	for {
		n, err := unix.Getdents(fd, buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n <= 0 {
			return names, err
		}
		_, _, names = unix.ParseDirent(buf[:n], -1, names)
		if some && len(names) > 0 {
			return names, nil
		}
	}
}

const (
	boxPrefix = "assay-sandbox-"
	lockName  = "lock"
)

// newBoxDir makes the folder of a box, locked for as long as a process of it
// lives: the lock belongs to the open file, which the supervisors inherit.
func newBoxDir(parent string) (dir string, lock *os.File, err error) {
	if parent, err = filepath.Abs(parent); err != nil {
		return "", nil, fmt.Errorf("sandbox: folder for throwaway copies: %w", err)
	}
	if dir, err = os.MkdirTemp(parent, boxPrefix); err != nil {
		return "", nil, fmt.Errorf("sandbox: folder for throwaway copies: %w", err)
	}
	// Others may pass through, as the candidate's user must, but not list.
	err = os.Chmod(dir, 0o711)
	// Locked before it has its name, so that removeStale never sees it free.
	fresh := filepath.Join(dir, lockName+".new")
	if err == nil {
		lock, err = os.OpenFile(fresh, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err == nil {
		err = unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err == nil {
		err = os.Rename(fresh, filepath.Join(dir, lockName))
	}
	if err != nil {
		if lock != nil {
			lock.Close()
		}
		return "", nil, errors.Join(fmt.Errorf("sandbox: folder for throwaway copies: %w", err), os.RemoveAll(dir))
	}
	return dir, lock, nil
}

// removeStale removes the folders of boxes whose processes are all dead: ours
// by name and owner, with a lock that nobody holds.
func removeStale(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), boxPrefix) || !e.IsDir() {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		var st unix.Stat_t
		if unix.Lstat(dir, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR || int(st.Uid) != os.Geteuid() {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
		switch {
		case err == nil:
			if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
				_ = removeTree(dir) // the next Open tries again
			}
			lock.Close()
		case errors.Is(err, os.ErrNotExist) && time.Since(time.Unix(st.Mtim.Unix())) > time.Minute:
			_ = removeTree(dir) // died between making the folder and its lock
		}
	}
}
