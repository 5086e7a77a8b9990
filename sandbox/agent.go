package sandbox

import (
	"context"
	"net"
	"runtime"
	"time"
)

// Agent is a program that works for long, in a sandbox that is larger than a Job's and has a network of its own: nothing but
// loopback, on which nothing answers but what Reach names. Only the bwrap tier has that (OpenAgents).
//
// It sees the system's programs as a candidate does, certificates of authorities, its Shown files below /agent or wherever
// they say, the Folders, and an empty folder that is its home and its working folder. No name can be looked up but those of
// Reach.
type Agent struct {
	// Argv is the program and its arguments, as in a Job.
	Argv []string
	// Stdin is what it reads.
	Stdin []byte
	// Env is set beside what every candidate has, and in its place: NAME=value.
	Env []string
	// Shown are files that it can read and not change.
	Shown []Shown
	// Folders of this machine are shown under their own paths, read-only. Where this process is root, they must be readable by
	// everyone: the program is not root.
	Folders []string
	// Hidden are files and folders of this machine that it must not see, though they lie in something that is shown.
	Hidden []string
	// Reach is all that answers on its network.
	Reach []Reach
	// Limits: zero means AgentLimits.
	Limits Limits
}

// Shown is a file that an agent sees.
type Shown struct {
	Path    string // absolute, inside
	Data    []byte // its bytes; or
	Source  string // a file of this machine that has them
	Folder  bool   // it is an empty folder
	Execute bool
}

// Reach is one address on an agent's network. Whatever connects to it is connected to what Dial opens, outside.
type Reach struct {
	Address string   // 127.0.0.1:PORT, inside
	Names   []string // host names that stand for 127.0.0.1, inside
	// Server, if set, is the only name that a TLS connection may ask for: many servers behind one address answer for others as
	// well, and would lead further than was meant. What is no TLS does not get through then.
	Server string
	Dial   func(ctx context.Context) (net.Conn, error)
}

// AgentLimits bound an agent that says nothing else. Its time is the caller's, by a context.
func AgentLimits() Limits {
	const day = 24 * time.Hour
	return Limits{Wall: day, CPU: day * time.Duration(runtime.NumCPU()), Memory: 4 << 30, FileSize: 1 << 30, Disk: 1 << 30, Output: 64 << 20, Processes: 1024}
}
