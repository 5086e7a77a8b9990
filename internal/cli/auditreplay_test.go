package cli

import "testing"

// A program that was built or installed under another name measures as much as one that is called assay.
func TestAnAuditJudgesInOtherProcessesWhateverTheProgramIsCalled(t *testing.T) {
	for exe, want := range map[string]bool{
		"/usr/bin/assay": true, "/tmp/assay.exe": true, "/opt/assay-linux-amd64": true, "/home/a/bin/bench-tool": true, "/tmp/assay.test.d/assay": true,
		"/tmp/go-build1/b001/cli.test": false, "/tmp/go-build1/b001/cli.test.exe": false,
	} {
		if got := isProgram(exe); got != want {
			t.Errorf("isProgram(%q) = %v, want %v", exe, got, want)
		}
	}
}
