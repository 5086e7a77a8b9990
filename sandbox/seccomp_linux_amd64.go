package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// legacyRefusals are calls that newer architectures never had.
func legacyRefusals(need filterNeeds) []rule {
	rules := []rule{
		{nr: unix.SYS_INOTIFY_INIT, errno: unix.EPERM},
		{nr: unix.SYS_IOPL, errno: unix.EPERM},
		{nr: unix.SYS_IOPERM, errno: unix.EPERM},
		{nr: unix.SYS_MODIFY_LDT, errno: unix.EPERM},
		{nr: unix.SYS_USELIB, errno: unix.EPERM},
		{nr: unix.SYS__SYSCTL, errno: unix.ENOSYS},
	}
	if need.metadata {
		for _, nr := range []uint32{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES} {
			rules = append(rules, rule{nr: nr, errno: unix.EPERM})
		}
		rules = append(rules,
			rule{nr: unix.SYS_FUTIMESAT, errno: unix.EPERM, when: []condition{notEqual(1, 0)}},
			rule{nr: unix.SYS_FUTIMESAT, errno: unix.EPERM, when: []condition{highNotZero(1)}})
	}
	return rules
}
