package contention

import (
	"io/fs"
	"os"
)

// systemProc gives this machine's /proc.
func systemProc() fs.FS { return os.DirFS("/proc") }
