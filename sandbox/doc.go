// Package sandbox runs one untrusted command line in a throwaway copy of a
// set of files, with nothing to steal and nothing to break.
//
// Words: a Job is the files, the command and its limits; a Box is an opened
// sandbox that runs jobs, several at a time; a Tier is the mechanism behind it;
// the candidate is the untrusted command with everything that it starts.
//
// Tier "bwrap" puts the candidate into namespaces of its own with bubblewrap:
// a read-only system, a working folder on a tmpfs, no network, its own process
// table. Tier "landlock" needs no privilege and no program: Landlock rules
// confine files, a subreaper supervisor finds and kills what is left behind.
// Both add a seccomp filter (no socket of any family, nothing that reaches
// another process) and resource limits. Open tries them in that order and
// takes the first one that withstands a self-test; with none it refuses with
// *Unavailable, it never runs a line bare. Tier "unsafe" does that, and only
// when asked for by name.
//
// How a job runs, in both tiers:
//
//	Run (this process)         pipes, output limit, last deadline
//	└─ supervise (re-executed) makes the copy, watches time, memory, disk and processes,
//	   │                       kills all of them; in bwrap it is pid 1 of the namespace
//	   └─ launch (re-executed) drops privileges, confines itself, executes the command
//
// The helper processes are this same program: Main must be called first thing
// in main and in TestMain.
//
// What a candidate sees: PATH=/usr/bin:/bin, HOME=/nonexistent, LC_ALL=C.UTF-8,
// TZ=UTC and TMPDIR, no other variable; its files with mode 0644 and one fixed
// time; standard input from memory; the folders bin, sbin, lib*, libexec and
// share of /usr, /etc/alternatives, /etc/ld.so.cache and the devices null,
// zero, full, random and urandom. In the bwrap tier the working folder is
// /work and /tmp is TMPDIR.
//
// Where the landlock tier is coarser: the working folder has a random path;
// sizes and times of host files can be asked for by whoever knows their path
// (not their content or the names in a folder); modes, owners and times can be
// changed only through an open file (chmod by path is refused, as Landlock does
// not confine it); nothing in the working folder can be executed directly;
// /proc is closed. On Linux before 6.12 an unprivileged candidate can signal
// only its own process group.
package sandbox
