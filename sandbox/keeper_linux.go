package sandbox

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// keeper is the one thread of a supervisor that starts the candidate and, in
// the landlock tier, can kill all of it with one call.
//
// It stays one thread because a child's "die with the parent" means the thread
// that forked it, and because the thread enters a Landlock domain that only
// scopes signals. The candidate is born into that domain, so kill(-1) from this
// thread means the candidate's processes and nothing else on the machine. The
// kernel sends it to all of them at once: a fork bomb cannot outrun it, as it
// can a walk through its tree.
type keeper struct {
	tasks  chan func()
	done   chan struct{}
	scoped bool
}

func newKeeper(scope bool) *keeper {
	k := &keeper{tasks: make(chan func()), done: make(chan struct{})}
	go func() {
		runtime.LockOSThread()
		for task := range k.tasks {
			task()
			k.done <- struct{}{}
		}
	}()
	if scope {
		k.do(func() { k.scoped = enterSignalScope() })
	}
	return k
}

// do runs a task on the keeper's thread and waits for it.
func (k *keeper) do(task func()) {
	k.tasks <- task
	<-k.done
}

// killAll kills all of the candidate, or says that it cannot.
func (k *keeper) killAll() bool {
	if !k.scoped {
		return false
	}
	k.do(func() { _ = unix.Kill(-1, unix.SIGKILL) })
	return true
}

// enterSignalScope confines the signals of this thread and its future children
// to themselves, and proves it: kill(-1) without it would hit every process of
// the user, or of the machine. The proof is that it may not signal the process
// that started the supervisor any more, which it may as that has the same user.
func enterSignalScope() bool {
	parent := os.Getppid()
	if parent <= 1 || unix.Kill(parent, 0) != nil {
		return false
	}
	ruleset, err := createRuleset(unix.LandlockRulesetAttr{Scoped: unix.LANDLOCK_SCOPE_SIGNAL}, abiScoped)
	if err != nil {
		return false
	}
	defer unix.Close(ruleset)
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil || restrictSelf(ruleset) != nil {
		return false
	}
	return unix.Kill(parent, 0) == unix.EPERM && os.Getppid() == parent
}
