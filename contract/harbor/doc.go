// Package harbor reads and writes task packages of the Harbor format: a folder of task.toml, instruction.md, environment/,
// tests/ and solution/. Reading is of data only: nothing that a package holds is ever run. What a package does not say
// openly, such as what a verifier's script decides, is called opaque and never guessed.
package harbor

// Limits of a package: what real ones need, and ten times more.
const (
	maxFiles   = 4000
	maxFile    = 64 << 20  // bytes
	maxPackage = 256 << 20 // bytes, unpacked
	maxName    = 400       // bytes of a path
)

// MaxArchive is the most bytes that an archive of a package may have.
const MaxArchive = maxPackage
