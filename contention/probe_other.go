//go:build !windows

package contention

import "syscall"

var (
	errRefused error = syscall.ECONNREFUSED
	errReset   error = syscall.ECONNRESET
)
