package sandbox

import "strings"

// Unavailable says that no tier can be trusted on this machine.
type Unavailable struct {
	Reasons []string // one for each tier that was tried: "bwrap: why not"
	Install string   // what to do about it
}

// Error is one line: what was tried, why each failed, what to install.
func (e *Unavailable) Error() string {
	s := "no sandbox: " + strings.Join(e.Reasons, "; ")
	if e.Install != "" {
		s += "; " + e.Install
	}
	return oneLine(s)
}

// NoPython says that no python3 works inside the sandbox.
type NoPython struct {
	Reason  string // what was found instead
	Install string // what to do about it
}

// Error is one line: what is missing and what to install.
func (e *NoPython) Error() string {
	return oneLine("no python3 in the sandbox: " + e.Reason + "; " + e.Install)
}

// NoProgram says that the job's program does not exist inside the sandbox,
// which is a fault of the machine, not of the candidate.
type NoProgram struct {
	Name string // Job.Argv[0]
}

// Error is one line that names the program and where it was looked for.
func (e *NoProgram) Error() string {
	return oneLine("sandbox: no program " + e.Name + " in /usr/bin or /bin; install it there")
}

// oneLine folds line breaks, for texts that come from other programs.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " | ")
}
