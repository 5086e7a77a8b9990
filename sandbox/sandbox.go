package sandbox

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// Tier is a mechanism of isolation.
type Tier string

// The tiers, best first. TierUnsafe isolates nothing.
const (
	TierBwrap    Tier = "bwrap"
	TierLandlock Tier = "landlock"
	TierUnsafe   Tier = "unsafe"
)

// What stopped a candidate, in Result.Stopped.
const (
	StoppedTime      = "time"      // wall or CPU time
	StoppedOutput    = "output"    // more bytes on one stream than Limits.Output
	StoppedMemory    = "memory"    // resident memory of all its processes together
	StoppedDisk      = "disk"      // bytes, number or depth of the files it made
	StoppedProcesses = "processes" // too many processes at once
)

// Limits bound one job. Zero means the default; a negative value is an error.
// In the unsafe tier only Wall and Output are kept.
type Limits struct {
	// Wall is the candidate's time from start to end. Default 15 s.
	Wall time.Duration
	// CPU is processor time of all its processes together. Default: as Wall.
	CPU time.Duration
	// Memory in bytes: resident memory of all processes together (beyond it
	// the candidate is stopped), and the address space of each one (beyond it
	// an allocation fails). Default 512 MiB.
	Memory int64
	// FileSize in bytes of the largest file it can write. Default 16 MiB.
	FileSize int64
	// Disk in bytes that it can add to its folders together. Default 64 MiB.
	Disk int64
	// Output in bytes of standard output and of standard error, each. Default 1 MiB.
	Output int64
	// Processes at one time, threads included. Default 48.
	Processes int
}

func (l Limits) withDefaults() (Limits, error) {
	if l.Wall < 0 || l.CPU < 0 || l.Memory < 0 || l.FileSize < 0 || l.Disk < 0 || l.Output < 0 || l.Processes < 0 {
		return l, fmt.Errorf("sandbox: a limit is negative: %+v", l)
	}
	l.Wall = orDefault(l.Wall, 15*time.Second)
	l.CPU = orDefault(l.CPU, l.Wall)
	l.Memory = orDefault(l.Memory, 512<<20)
	l.FileSize = orDefault(l.FileSize, 16<<20)
	l.Disk = orDefault(l.Disk, 64<<20)
	l.Output = orDefault(l.Output, 1<<20)
	l.Processes = orDefault(l.Processes, 48)
	return l, nil
}

func orDefault[T time.Duration | int64 | int](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

// Job is one command in one throwaway copy of Files.
type Job struct {
	// Files maps a path relative to the working folder ('/' separated, no
	// "..", not absolute) to the file's bytes. Folders are made as needed.
	Files map[string][]byte
	// Argv is the program and its arguments. Argv[0] is a name looked up in
	// /usr/bin:/bin inside the sandbox, or an absolute path.
	// An argument that no program could ever be given (a NUL byte in it, or
	// 128 KiB and longer) ends with Exit 126 and the reason on Stderr, as a
	// shell would say it: a candidate's line can be such an argument.
	Argv []string
	// Stdin is what the command reads; empty is an empty standard input.
	Stdin []byte
	// Limits of this job.
	Limits Limits
}

// Result is how a candidate ended. It says nothing about right or wrong.
type Result struct {
	Exit           int           // exit status, 128+n for signal n, 137 when Stopped
	Stdout, Stderr []byte        // each cut at Limits.Output
	Stopped        string        // "", or the limit that the candidate exceeded
	Elapsed        time.Duration // wall time of the candidate, without set-up
}

// Options say how to open a Box.
type Options struct {
	// Unsafe asks for TierUnsafe: no isolation. The caller owes a visible warning.
	Unsafe bool
	// Tier forces one tier; empty takes the best that passes the self-test.
	Tier Tier
	// Dir is where throwaway copies live in tiers without a tmpfs of their
	// own. Default os.TempDir().
	Dir string
}

const (
	maxArg     = 128<<10 - 1 // the kernel's MAX_ARG_STRLEN is 128 KiB with the final NUL
	maxArgs    = 1 << 20     // a quarter of the stack limit is 2 MiB; half of it is left for the rest
	maxPathLen = 1024
	exitNoExec = 126 // what a shell reports for a program that cannot be executed
	exitKilled = 128 + 9
)

// refusedArgv says why no program can be given these arguments, or "".
func refusedArgv(argv []string) string {
	total := 0
	for i, a := range argv {
		total += len(a) + 1 + 8 // the string, its NUL, its pointer
		switch {
		case strings.IndexByte(a, 0) >= 0:
			return fmt.Sprintf("argument %d holds a NUL byte", i)
		case len(a) > maxArg:
			return fmt.Sprintf("argument %d is too long: %d bytes, at most %d", i, len(a), maxArg)
		}
	}
	if total > maxArgs {
		return fmt.Sprintf("argument list too long: %d bytes, at most %d", total, maxArgs)
	}
	return ""
}

// sortedPaths validates the files' paths and returns them sorted, so that the
// copy is made in the same order every time.
func sortedPaths(files map[string][]byte) ([]string, error) {
	paths := make([]string, 0, len(files))
	for p := range files {
		if !fs.ValidPath(p) || p == "." || strings.IndexByte(p, 0) >= 0 || len(p) > maxPathLen {
			return nil, fmt.Errorf("sandbox: file %q: give a path inside the working folder, '/' separated, without \"..\", at most %d bytes", p, maxPathLen)
		}
		for dir := p; ; {
			i := strings.LastIndexByte(dir, '/')
			if i < 0 {
				break
			}
			dir = dir[:i]
			if _, both := files[dir]; both {
				return nil, fmt.Errorf("sandbox: file %q: %q is a file too, it cannot be its folder", p, dir)
			}
		}
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths, nil
}
