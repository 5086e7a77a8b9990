//go:build !unix

package cli

import (
	"io/fs"
	"os"
)

func openFolder(dir string) fs.FS { return os.DirFS(dir) }
