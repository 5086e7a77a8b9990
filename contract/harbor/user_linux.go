package harbor

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// user is whom the agent's processes run as. The zero value is this process's own user.
type user struct{ uid uint32 }

// agentUser gives the agent a user of its own, where this process may make one and that user comes to the folder.
func agentUser(ctx context.Context, dir string) user {
	if os.Geteuid() != 0 {
		return user{}
	}
	u := user{agentUID}
	c := exec.CommandContext(ctx, "/bin/sh", "-c", ":")
	c.Dir, c.Env = dir, []string{}
	u.become(c)
	if c.Run() != nil {
		return user{}
	}
	return u
}

func (u user) become(c *exec.Cmd) {
	if u.uid != 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: u.uid, Gid: u.uid}}
	}
}

func (u user) own(dir string) error {
	if u.uid == 0 {
		return nil
	}
	return os.Chown(dir, int(u.uid), int(u.uid))
}
