package sandbox

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// The first argument of a helper process. No command or flag of a program has
// such a name.
const (
	superviseMark = "assay-sandbox-helper:supervise"
	launchMark    = "assay-sandbox-helper:launch"
	exitHelper    = 125 // a helper that could not do its work
)

// Main must be called first thing in main and in TestMain. In a process that
// was executed as a helper of the sandbox it does that work and never returns;
// in any other it returns at once.
func Main() {
	if len(os.Args) != 2 {
		return
	}
	switch os.Args[1] {
	case superviseMark:
		supervise()
	case launchMark:
		launch()
	}
}

// fault reports what is not the candidate's doing, and ends the helper.
func fault(status *os.File, err error) {
	send(status, report{Fault: oneLine(err.Error())})
	os.Exit(exitHelper)
}

// inherited wraps the descriptors that the parent process passed on. The order
// must be a sealed file in memory: where somebody typed the helper's mark by
// hand, there is none.
func inherited() (order, status *os.File) {
	if seals, err := unix.FcntlInt(fdOrder, unix.F_GET_SEALS, 0); err != nil || seals&unix.F_SEAL_WRITE == 0 {
		fmt.Fprintln(os.Stderr, "this is the inner half of a sandbox; it cannot be called by hand")
		os.Exit(exitHelper)
	}
	return os.NewFile(fdOrder, "order"), os.NewFile(fdStatus, "status")
}
