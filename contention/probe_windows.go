package contention

import "syscall"

// Windows has its own numbers for these, and syscall's do not match them.
var (
	errRefused error = syscall.Errno(10061) // WSAECONNREFUSED
	errReset   error = syscall.Errno(10054) // WSAECONNRESET
)
