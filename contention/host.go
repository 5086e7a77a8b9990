package contention

import "time"

// HostNow reads how busy this machine is, without its accelerators; false where the system does not say.
func HostNow(at time.Time) (Load, bool) {
	proc := systemProc()
	if proc == nil {
		return Load{}, false
	}
	s, _ := readProc(proc) // what could not be read is left out
	l := Load{At: utc(at), Memory: s.memory}
	if s.load != nil {
		l.Average = &Average{*s.load, s.cpus}
	}
	return l, l.known()
}
