//go:build linux || darwin || freebsd

package doctor

import "golang.org/x/sys/unix"

// room is what is free for this user where a folder is, in bytes, and whether the folder can be written, by the system's
// own word for it. nil is what cannot be known.
func room(dir string) (free *int64, writable *bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) == nil {
		n := int64(min(uint64(st.Bavail)*uint64(st.Bsize), 1<<62))
		free = &n
	}
	may := unix.Access(dir, unix.W_OK|unix.X_OK) == nil
	return free, &may
}
