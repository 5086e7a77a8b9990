package ollama

import (
	"cmp"
	"strconv"

	"github.com/assaybench/assay/model"
)

// version is a server's. Its zero value is an unknown one, which counts as older than every other; so is the 0.0.0 of a
// server that was built without its version.
type version struct {
	major, minor, patch int
	early               bool // something follows the numbers ("-rc1", "-5-gabcdef"): it is held to be older than the bare numbers
}

// What of a server's behaviour hangs on its version.
var (
	// sinceNoCut knows truncate and shift; older servers ignore both and cut.
	sinceNoCut = version{major: 0, minor: 12, patch: 6}
	// sinceWholeCount counts the cached part of a prompt in prompt_eval_count.
	sinceWholeCount = version{major: 0, minor: 30, patch: 1}
	// sinceTwoPasses constrains the answer after thinking, by a second request inside the server.
	sinceTwoPasses = version{major: 0, minor: 12, patch: 4}
	// sinceFormatOff keeps format with thinking off for the models whose thinking a parser of the server's own reads.
	sinceFormatOff = version{major: 0, minor: 31, patch: 2}
)

var versionForm = model.NewPattern(`^v?([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6})(.*)$`)

func parseVersion(s string) version {
	p := versionForm.FindStringSubmatch(s)
	if p == nil {
		return version{}
	}
	var n [3]int
	for i := range n {
		n[i], _ = strconv.Atoi(p[i+1]) // at most six digits
	}
	if n == [3]int{} {
		return version{}
	}
	return version{n[0], n[1], n[2], p[4] != ""}
}

// has reports whether a server of version v is known to be of version since or newer.
func (v version) has(since version) bool {
	c := cmp.Or(cmp.Compare(v.major, since.major), cmp.Compare(v.minor, since.minor), cmp.Compare(v.patch, since.patch))
	return c > 0 || c == 0 && !v.early
}
