//go:build !linux

package contention

import "io/fs"

// systemProc gives nil: this system has no /proc like Linux's.
func systemProc() fs.FS { return nil }
