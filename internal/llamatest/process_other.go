//go:build !unix

package llamatest

import (
	"os"
	"os/exec"
)

// ownGroup does nothing: the shim starts no process that outlives it.
func ownGroup(*exec.Cmd) {}

// killGroup kills the process.
func killGroup(p *os.Process) { _ = p.Kill() }
