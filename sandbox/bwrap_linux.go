package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

const (
	bwrapWork = "/work"
	bwrapTmp  = "/tmp"
	// bwrapID is the user and group inside, the same on every machine.
	bwrapID = "1000"
)

// bwrapVersion is major*1000+minor.
type bwrapVersion int

// Versions that brought an option used here.
const (
	bwrapOldest        bwrapVersion = 5 // --clearenv, --perms
	bwrapSize          bwrapVersion = 7 // --size; before it the watch alone bounds the tmpfs
	bwrapDisableUserns bwrapVersion = 8 // --disable-userns; seccomp refuses them too
)

// lowPorts is the capability to listen on ports below 1024.
const lowPorts = "CAP_NET_BIND_SERVICE"

// bwrapPlaces is where distributions put it.
var bwrapPlaces = []string{"/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"}

// findBwrap looks in these places before it looks in PATH.
func findBwrap(ctx context.Context) (path string, v bwrapVersion, err error) {
	for _, p := range bwrapPlaces {
		if _, e := os.Stat(p); e == nil {
			path = p
			break
		}
	}
	if path == "" {
		if path, err = exec.LookPath("bwrap"); err != nil {
			return "", 0, errors.New("not installed")
		}
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return "", 0, fmt.Errorf("%s --version: %w", path, err)
	}
	if v, err = parseBwrapVersion(string(out)); err != nil {
		return "", 0, err
	}
	if v < bwrapOldest {
		return "", 0, fmt.Errorf("%s is too old, 0.%d is needed", strings.TrimSpace(string(out)), bwrapOldest)
	}
	return path, v, nil
}

// parseBwrapVersion reads "bubblewrap 0.8.0".
func parseBwrapVersion(s string) (bwrapVersion, error) {
	f := strings.Fields(s)
	if len(f) == 2 && f[0] == "bubblewrap" {
		parts := strings.Split(f[1], ".")
		if len(parts) >= 2 {
			major, err1 := strconv.Atoi(parts[0])
			minor, err2 := strconv.Atoi(parts[1])
			if err1 == nil && err2 == nil && major >= 0 && minor >= 0 {
				return bwrapVersion(major*1000 + minor), nil
			}
		}
	}
	return 0, fmt.Errorf("unreadable version %q", oneLine(strings.TrimSpace(s)))
}

// bwrapArgs builds the namespaces: a read-only root of the system's folders,
// two tmpfs for the candidate and this program as pid 1, through a descriptor,
// so that its path neither has to be visible inside nor reachable by the user.
func bwrapArgs(v bwrapVersion, workSize, tmpSize int64, more []string) []string {
	a := []string{
		"--unshare-all", "--unshare-user", "--uid", bwrapID, "--gid", bwrapID, "--hostname", "sandbox",
		"--die-with-parent", "--as-pid-1", "--clearenv", "--setenv", helperEnv[0], helperEnv[1],
	}
	// Disabling takes a user namespace inside the one that owns the network, in which the right to a low port is worth nothing.
	// The filter refuses namespaces all the same.
	if v >= bwrapDisableUserns && !slices.Contains(more, lowPorts) {
		a = append(a, "--disable-userns")
	}
	for _, p := range systemDirs {
		a = append(a, "--ro-bind-try", p, p)
	}
	for _, p := range rootDirs {
		// On a merged system these are links into /usr.
		if target, err := os.Readlink(p); err == nil {
			a = append(a, "--symlink", target, p)
		} else {
			a = append(a, "--ro-bind-try", p, p)
		}
	}
	for _, p := range systemEtc {
		a = append(a, "--ro-bind-try", p, p)
	}
	a = append(a, "--proc", "/proc")
	for _, d := range devices {
		a = append(a, "--dev-bind-try", d.path, d.path)
	}
	for _, link := range [][2]string{{"fd", "fd"}, {"stdin", "fd/0"}, {"stdout", "fd/1"}, {"stderr", "fd/2"}} {
		a = append(a, "--symlink", "/proc/self/"+link[1], "/dev/"+link[0])
	}
	tmpfs := func(path string, size int64) {
		if v >= bwrapSize {
			a = append(a, "--size", strconv.FormatInt(size, 10))
		}
		a = append(a, "--tmpfs", path)
	}
	tmpfs(bwrapTmp, tmpSize)
	tmpfs(bwrapWork, workSize)
	a = append(a, more...)
	return append(a, "--remount-ro", "/", "--chdir", bwrapWork,
		"--", "/proc/self/fd/"+strconv.Itoa(fdLock), superviseMark)
}

// tmpfsSize is room for the files, a page of rounding for each, and the disk limit.
func tmpfsSize(files map[string][]byte, disk int64) int64 {
	page := int64(os.Getpagesize())
	size := disk
	for _, b := range files {
		size += (int64(len(b))/page + 2) * page
	}
	return size
}

// selfExecutable opens this program for execution by another user. Where that
// user could not execute the file (a umask of 077), a copy in memory serves.
func selfExecutable(root bool) (*os.File, error) {
	exe, err := os.Open("/proc/self/exe")
	if err != nil {
		return nil, fmt.Errorf("open this program: %w", err)
	}
	st, err := exe.Stat()
	if err != nil {
		exe.Close()
		return nil, fmt.Errorf("open this program: %w", err)
	}
	if !root || st.Mode().Perm()&0o001 != 0 {
		return exe, nil
	}
	defer exe.Close()
	return memfile("sandbox-helper", 0o755, func(w io.Writer) error {
		_, err := io.Copy(w, exe)
		return err
	})
}

// tail is the last line of a program's complaint.
func tail(b []byte) string {
	b = bytes.TrimSpace(b)
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		b = b[i+1:]
	}
	if len(b) > 300 {
		b = b[:300]
	}
	return strings.ToValidUTF8(string(b), "?")
}
