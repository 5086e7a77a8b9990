package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

const (
	// Files and folders that a candidate may make; Run has to remove them within
	// its second after the limit.
	maxEntries = 10_000
	maxDepth   = 128 // nesting of its folders
)

// errHidden says that the candidate keeps files where they cannot be counted.
var errHidden = errors.New("files that cannot be counted")

// disk measures what a candidate holds on disk: usage in bytes, or errHidden.
type disk interface {
	usage(pids []int) (int64, error)
}

// mounts measures the tmpfs mounts of the bwrap tier. The kernel counts there,
// unlinked files included.
type mounts []string

func (m mounts) usage([]int) (int64, error) {
	var used int64
	for _, path := range m {
		var st unix.Statfs_t
		if err := unix.Statfs(path, &st); err != nil {
			return 0, fmt.Errorf("statfs %s: %w", path, err)
		}
		used += int64(st.Blocks-st.Bfree) * st.Bsize
		// Full is over the limit, even if the last write left no trace.
		if st.Bfree == 0 || st.Files-st.Ffree > maxEntries {
			return 0, errHidden
		}
	}
	return used, nil
}

// folders measures the folders of the landlock tier by walking them, and adds
// the files that a process has unlinked but still holds.
type folders struct {
	paths    []string
	fileSize int64 // the largest that a file can be
}

type inode struct {
	dev, ino uint64
}

type walk struct {
	bytes   int64
	entries int
	seen    map[inode]bool // files with several links, and unlinked ones
}

func (f folders) usage(pids []int) (int64, error) {
	w := walk{seen: map[inode]bool{}}
	var dev uint64
	for _, path := range f.paths {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return 0, errHidden
		}
		var st unix.Stat_t
		err = unix.Fstat(fd, &st)
		dev = st.Dev
		if err == nil {
			err = w.dir(fd, 0)
		}
		unix.Close(fd)
		if err != nil {
			return 0, err
		}
	}
	for _, pid := range pids {
		w.unlinked(pid, dev, f.fileSize)
	}
	return w.bytes, nil
}

// dir adds what is below an open folder. The candidate changes it meanwhile:
// what vanishes was not there, what cannot be opened is hidden.
func (w *walk) dir(fd, depth int) error {
	if depth > maxDepth {
		return errHidden
	}
	names, err := readNames(fd, false)
	if err != nil {
		return errHidden
	}
	for _, name := range names {
		var st unix.Stat_t
		if err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			if errors.Is(err, unix.ENOENT) {
				continue
			}
			return errHidden
		}
		if w.entries++; w.entries > maxEntries {
			return errHidden
		}
		w.add(&st)
		if st.Mode&unix.S_IFMT != unix.S_IFDIR {
			continue
		}
		child, err := unix.Openat(fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
			continue
		}
		if err != nil {
			return errHidden
		}
		err = w.dir(child, depth+1)
		unix.Close(child)
		if err != nil {
			return err
		}
	}
	return nil
}

// add counts blocks, not size: a sparse file takes what it holds. A file with
// several names counts once.
func (w *walk) add(st *unix.Stat_t) {
	if st.Mode&unix.S_IFMT != unix.S_IFDIR && st.Nlink != 1 {
		id := inode{uint64(st.Dev), st.Ino}
		if w.seen[id] {
			return
		}
		w.seen[id] = true
	}
	w.bytes += st.Blocks * 512
}

// unlinked adds the files of one process that have no name any more: those it
// has open, and those it has only mapped, whose true size no one tells and
// which count as the largest possible.
func (w *walk) unlinked(pid int, dev uint64, largest int64) {
	dir := "/proc/" + strconv.Itoa(pid)
	fds, _ := os.ReadDir(dir + "/fd")
	for _, e := range fds {
		var st unix.Stat_t
		if unix.Stat(dir+"/fd/"+e.Name(), &st) == nil && st.Nlink == 0 && uint64(st.Dev) == dev && st.Mode&unix.S_IFMT == unix.S_IFREG {
			w.add(&st)
		}
	}
	maps, err := os.ReadFile(dir + "/maps")
	if err != nil || !bytes.Contains(maps, []byte(" (deleted)\n")) {
		return
	}
	for line := range bytes.Lines(maps) {
		if !bytes.HasSuffix(line, []byte(" (deleted)\n")) {
			continue
		}
		if id, ok := parseMapping(line); ok && id.dev == dev && !w.seen[id] {
			w.seen[id] = true
			w.bytes += largest
		}
	}
}

// parseMapping reads device and inode of a line of /proc/PID/maps:
// "start-end perms offset major:minor inode path".
func parseMapping(line []byte) (inode, bool) {
	f := bytes.Fields(line)
	if len(f) < 5 {
		return inode{}, false
	}
	major, minor, ok := bytes.Cut(f[3], []byte{':'})
	ma, err1 := strconv.ParseUint(string(major), 16, 32)
	mi, err2 := strconv.ParseUint(string(minor), 16, 32)
	ino, err3 := strconv.ParseUint(string(f[4]), 10, 64)
	if !ok || err1 != nil || err2 != nil || err3 != nil {
		return inode{}, false
	}
	return inode{unix.Mkdev(uint32(ma), uint32(mi)), ino}, true
}
