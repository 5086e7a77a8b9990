package sandbox

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// minABI is the oldest Landlock that the tier accepts: ABI 3 (Linux 6.2) is the
// first that confines truncation, without which a file outside can be emptied.
const minABI = 3

// ABIs that bring something used here.
const (
	abiNet    = 4 // TCP bind and connect
	abiIoctl  = 5 // ioctl on devices
	abiScoped = 6 // signals and abstract Unix sockets stay in the domain
)

const (
	fsFile = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE |
		unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	fsRead  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	fsWrite = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
	// fsHandled is refused wherever no rule grants it.
	fsHandled = fsFile | fsRead | fsWrite | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK
)

// systemDirs is the read-only system, in both tiers. Not /usr as a whole:
// /usr/local and the like are the host's own affair.
var systemDirs = []string{
	"/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/usr/libexec", "/usr/share",
}

// rootDirs are links into /usr on a merged system, folders elsewhere.
var rootDirs = []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// systemEtc is all of /etc that is shown.
var systemEtc = []string{"/etc/alternatives", "/etc/ld.so.cache"}

// landlockABI asks the kernel for its version of Landlock, 0 where there is none.
func landlockABI() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// landlockRuleset makes the ruleset for a candidate that may write in the given
// folders, and returns its descriptor. Every right that the ABI offers is
// handled; an older kernel is never met halfway.
func landlockRuleset(abi int, writable ...string) (int, error) {
	if abi < minABI {
		return -1, fmt.Errorf("the kernel offers Landlock ABI %d, %d is needed", abi, minABI)
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: fsHandled}
	if abi >= abiNet {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= abiIoctl {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= abiScoped {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	ruleset, err := createRuleset(attr, abi)
	if err != nil {
		return -1, err
	}
	allow := func(path string, access uint64, must bool) error {
		fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			if os.IsNotExist(err) && !must {
				return nil
			}
			return fmt.Errorf("open %s: %w", path, err)
		}
		defer unix.Close(fd)
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return fmt.Errorf("stat %s: %w", path, err)
		}
		if st.Mode&unix.S_IFMT != unix.S_IFDIR {
			access &= fsFile
		}
		rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
		if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
			uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
			return fmt.Errorf("landlock_add_rule %s: %w", path, errno)
		}
		return nil
	}
	err = func() error {
		for _, list := range [][]string{systemDirs, rootDirs} {
			for _, p := range list {
				if err := allow(p, fsRead, false); err != nil {
					return err
				}
			}
		}
		for _, p := range systemEtc {
			if err := allow(p, fsRead&^unix.LANDLOCK_ACCESS_FS_EXECUTE, false); err != nil {
				return err
			}
		}
		for _, d := range devices {
			if err := allow(d.path, d.access, false); err != nil {
				return err
			}
		}
		for _, p := range writable {
			if err := allow(p, fsWrite, true); err != nil {
				return err
			}
		}
		return nil
	}()
	if err != nil {
		unix.Close(ruleset)
		return -1, err
	}
	return ruleset, nil
}

// createRuleset passes as much of the attributes as the ABI knows.
func createRuleset(attr unix.LandlockRulesetAttr, abi int) (int, error) {
	size := unsafe.Sizeof(attr.Handled_access_fs)
	if abi >= abiNet {
		size = unsafe.Offsetof(attr.Handled_access_net) + unsafe.Sizeof(attr.Handled_access_net)
	}
	if abi >= abiScoped {
		size = unsafe.Offsetof(attr.Scoped) + unsafe.Sizeof(attr.Scoped)
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return -1, fmt.Errorf("landlock_create_ruleset: %w", errno)
	}
	return int(fd), nil
}

// restrictSelf confines the calling thread, which must not gain privileges.
func restrictSelf(ruleset int) error {
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(ruleset), 0, 0); errno != 0 {
		return fmt.Errorf("landlock_restrict_self: %w", errno)
	}
	return nil
}

// devices are the plain device nodes, in both tiers.
var devices = []struct {
	path   string
	access uint64
}{
	{"/dev/null", unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE},
	{"/dev/zero", unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE},
	{"/dev/full", unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE},
	{"/dev/random", unix.LANDLOCK_ACCESS_FS_READ_FILE},
	{"/dev/urandom", unix.LANDLOCK_ACCESS_FS_READ_FILE},
}
