package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Box is an opened sandbox. Its methods may be called from several goroutines.
type Box struct {
	tier Tier
	root bool // jobs run as another user than this process's

	bwrap   string // bwrap: the program
	version bwrapVersion
	exe     *os.File // bwrap: this program

	abi  int            // landlock: the ABI in use
	dir  string         // landlock, unsafe: the box's folder
	lock *os.File       // held while a process of the box lives
	late sync.WaitGroup // removals that a Run could not wait for

	python struct {
		sync.Mutex
		version string
		err     error
	}
}

// Tier says which mechanism the box uses.
func (b *Box) Tier() Tier { return b.tier }

// Open picks the best tier that passes the self-test and returns its box. The
// error is *Unavailable when none passes, or the context's. It also removes
// what boxes of killed processes left behind in o.Dir.
func Open(ctx context.Context, o Options) (*Box, error) {
	if o.Dir == "" {
		o.Dir = os.TempDir()
	}
	removeStale(o.Dir)
	if o.Unsafe {
		if o.Tier != "" && o.Tier != TierUnsafe {
			return nil, fmt.Errorf("sandbox: unsafe was asked for together with tier %s; choose one", o.Tier)
		}
		b := &Box{tier: TierUnsafe}
		var err error
		if b.dir, b.lock, err = newBoxDir(o.Dir); err != nil {
			return nil, err
		}
		return b, nil
	}
	tiers := []Tier{TierBwrap, TierLandlock}
	switch o.Tier {
	case "":
	case TierBwrap, TierLandlock:
		tiers = []Tier{o.Tier}
	case TierUnsafe:
		return nil, errors.New("sandbox: the unsafe tier must be asked for with Options.Unsafe")
	default:
		return nil, fmt.Errorf("sandbox: unknown tier %q", o.Tier)
	}
	var reasons []string
	for _, t := range tiers {
		b, err := openTier(ctx, t, o.Dir)
		if err == nil {
			return b, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("sandbox: open: %w", context.Cause(ctx))
		}
		reasons = append(reasons, string(t)+": "+err.Error())
	}
	return nil, &Unavailable{
		Reasons: reasons,
		Install: "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap), or use Linux 6.2 or newer with Landlock enabled",
	}
}

func openTier(ctx context.Context, t Tier, dir string) (*Box, error) {
	b := &Box{tier: t, root: os.Geteuid() == 0}
	err := func() (err error) {
		if _, err = filterProgram(filterNeeds{}); err != nil {
			return err
		}
		if t == TierLandlock {
			if b.abi = landlockABI(); b.abi < minABI {
				return fmt.Errorf("the kernel offers Landlock ABI %d, %d is needed", b.abi, minABI)
			}
			b.dir, b.lock, err = newBoxDir(dir)
			return err
		}
		if b.bwrap, b.version, err = findBwrap(ctx); err != nil {
			return err
		}
		b.exe, err = selfExecutable(b.root)
		return err
	}()
	if err == nil {
		err = selfTest(ctx, b, dir)
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// Close removes what the box keeps. No Run may be under way.
func (b *Box) Close() error {
	b.late.Wait()
	var errs []error
	if b.exe != nil {
		errs = append(errs, b.exe.Close())
		b.exe = nil
	}
	if b.lock != nil {
		errs = append(errs, removeTree(b.dir), b.lock.Close())
		b.lock = nil
	}
	return errors.Join(errs...)
}

// Slots bound the jobs of this process that run at once, and give each its own
// user id when this process is root: processes are counted by user, and a
// candidate must not use up, or signal, what is another's.
const slotCount = 64

var slots = sync.OnceValue(func() chan int {
	c := make(chan int, slotCount)
	for i := range slotCount {
		c <- i
	}
	return c
})

// userIDs says which ids this process can give to candidates: first and count.
// High numbers belong to nobody; where a container maps fewer, the upper
// quarter of what it maps serves, ids then being shared by chance only.
var userIDs = sync.OnceValues(func() (first, count int) {
	const wanted, wantedCount = 0x6000_0000, 1 << 28
	b, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return wanted, wantedCount
	}
	return idRange(string(b), wanted, wantedCount)
})

// idRange chooses from lines of "inside outside length".
func idRange(uidMap string, wanted, wantedCount int) (first, count int) {
	var best, bestLen int
	for line := range strings.Lines(uidMap) {
		var inside, outside, length int
		if n, err := fmt.Sscan(line, &inside, &outside, &length); n != 3 || err != nil {
			continue
		}
		if inside <= wanted && wanted+wantedCount <= inside+length {
			return wanted, wantedCount
		}
		if length > bestLen {
			best, bestLen = inside, length
		}
	}
	return best + bestLen - bestLen/4, bestLen / 4
}

// candidateID is the user for a slot. Process ids are unique on a machine, so
// no two processes choose the same.
func candidateID(slot int) (int, error) {
	first, count := userIDs()
	if first == 0 || count < slotCount {
		return 0, errors.New("sandbox: this container maps too few user ids; run it as a user other than root")
	}
	return first + (os.Getpid()*slotCount+slot)%count, nil
}

// processLimit is the value for RLIMIT_NPROC. The watch stops a candidate with
// too many processes; this bounds what it can start between two looks.
func (b *Box) processLimit(limit int) int {
	if b.root || b.tier == TierBwrap && countsPerNamespace() {
		return 2*limit + 16
	}
	// The kernel counts all processes of the user, with those of other jobs.
	return threadsOf(os.Geteuid()) + 8*limit
}

// countsPerNamespace says whether RLIMIT_NPROC counts apart in each user
// namespace, as since Linux 5.14.
var countsPerNamespace = sync.OnceValue(func() bool {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return false
	}
	return releaseAtLeast(unix.ByteSliceToString(u.Release[:]), 5, 14)
})

func releaseAtLeast(release string, major, minor int) bool {
	var ma, mi int
	if n, _ := fmt.Sscanf(release, "%d.%d", &ma, &mi); n != 2 {
		return false
	}
	return ma > major || ma == major && mi >= minor
}

// jobDir makes the folder of one job in the box's folder.
func (b *Box) jobDir() (string, error) {
	dir, err := os.MkdirTemp(b.dir, "job-")
	if err != nil {
		return "", fmt.Errorf("sandbox: throwaway folder: %w", err)
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		return "", errors.Join(fmt.Errorf("sandbox: throwaway folder: %w", err), os.Remove(dir))
	}
	return dir, nil
}

func workDir(base string) string { return filepath.Join(base, "work") }
func tmpDir(base string) string  { return filepath.Join(base, "tmp") }
