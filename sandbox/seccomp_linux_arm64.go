package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// legacyRefusals is empty: this architecture has no older calls.
func legacyRefusals(filterNeeds) []rule { return nil }
