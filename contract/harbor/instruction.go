package harbor

// The block that says how to work, apart from what is asked. Both markers stand on lines of their own.
const (
	harnessBegin = "<!-- harness: how this task is worked on; not part of the request -->"
	harnessEnd   = "<!-- end of harness -->"
)
