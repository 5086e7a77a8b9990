//go:build linux && !amd64 && !arm64

package sandbox

// auditArch 0 makes filterProgram fail, and with it every tier.
const auditArch = 0

func legacyRefusals(filterNeeds) []rule { return nil }
