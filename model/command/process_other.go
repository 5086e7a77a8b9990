//go:build !unix

package command

import (
	"io"
	"os"
	"os/exec"
)

// ownGroup does nothing where there are no process groups: only the program itself can be killed.
func ownGroup(*exec.Cmd) {}

// killGroup kills the program.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// executable leaves the answer to the system.
func executable(string) error { return nil }

// readNow is not reached where pipes have no deadlines: there a call lasts until its output is closed.
func readNow(*os.File, []byte) (int, error) { return 0, io.EOF }
