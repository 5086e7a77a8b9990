//go:build unix

package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// ownGroup makes the program the head of a process group, so that all that it starts can be killed together.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills whatever is left of the group. The group may be gone already, which is no fault.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// readNow reads what a pipe holds at this moment; an empty pipe is at its end.
func readNow(f *os.File, b []byte) (n int, err error) {
	// The deadline has done its work, and would hinder the read.
	if err := f.SetReadDeadline(time.Time{}); err != nil {
		return 0, err
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	rawErr := raw.Read(func(fd uintptr) bool {
		for {
			if n, err = syscall.Read(int(fd), b); err != syscall.EINTR {
				return true // never wait: the pipe does not block
			}
		}
	})
	switch {
	case rawErr != nil:
		return 0, rawErr
	case err == syscall.EAGAIN, err == nil && n == 0:
		return 0, io.EOF
	case err != nil:
		return 0, err
	}
	// More may follow: come back here, not to a read that waits.
	return n, f.SetReadDeadline(time.Unix(1, 0))
}

// executable finds out before a run what would fail at each call: a text without a #! line, or with one that names an
// interpreter that is not there. The kernel has the last word on all else.
func executable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		if os.IsPermission(err) { // a program may be executable and not readable
			return nil
		}
		return err
	}
	defer f.Close()
	head := make([]byte, 256)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		if err == io.EOF {
			return fmt.Errorf("the file is empty")
		}
		return err
	}
	head = head[:n]
	line, isScript := bytes.CutPrefix(head, []byte("#!"))
	if !isScript {
		if bytes.IndexByte(head, 0) < 0 {
			return fmt.Errorf("it is neither a program nor a script whose first line is #! and an interpreter")
		}
		return nil
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	fields := strings.Fields(string(line))
	if len(fields) == 0 {
		return fmt.Errorf("its #! line names no interpreter")
	}
	if bytes.HasSuffix(line, []byte("\r")) {
		return fmt.Errorf("its #! line ends in a carriage return (Windows line ends)")
	}
	if _, err := os.Stat(fields[0]); err != nil {
		return fmt.Errorf("its interpreter %s is not there", fields[0])
	}
	return nil
}
