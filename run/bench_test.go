package run

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/store"
)

// attemptsOf runs n attempts of an instant model against a durable store and gives the largest heap that was seen.
func attemptsOf(tb testing.TB, n int) (heap uint64) {
	tb.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(tb.TempDir(), "assay.db"), store.Options{Create: true})
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	e := newEngine(db)
	e.Observe = func(Snapshot) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		heap = max(heap, m.HeapInuse)
	}
	s, err := e.Start(ctx, Spec{Set: newSet(n), Digest: "bench-1", Models: []Entrant{{&fakeModel{name: "fake/m"}, "m"}}, Repeats: 1, Concurrency: 4})
	if err != nil {
		tb.Fatal(err)
	}
	defer s.Close()
	sum, err := s.Execute(ctx)
	if err != nil || sum.Done != n {
		tb.Fatalf("%d of %d: %v", sum.Done, n, err)
	}
	return heap
}

// BenchmarkInstantModel is the engine's own cost: planning, calls that take no time, commits on the disk, grading.
func BenchmarkInstantModel(b *testing.B) {
	const n = 10_000
	b.ReportAllocs()
	for b.Loop() {
		attemptsOf(b, n)
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "attempts/s")
}

func TestMemoryIsFlat(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("20,000 attempts, and the race detector has a heap of its own")
	}
	small := attemptsOf(t, 1_000)
	runtime.GC()
	large := attemptsOf(t, 20_000)
	t.Logf("largest heap: %d KiB at 1,000 attempts, %d KiB at 20,000", small>>10, large>>10)
	if large > small+16<<20 {
		t.Errorf("the heap grew from %d to %d bytes", small, large)
	}
}

// residentChild makes the test binary run so many attempts and print the most memory it held.
const residentChild = "ASSAY_RUN_RESIDENT_CHILD"

// TestResidentMemory measures whole processes, so that the other tests' memory is not in the figures: about the same at
// 100,000 attempts as at 1,000, and below 60 MB.
func TestResidentMemory(t *testing.T) {
	if n, err := strconv.Atoi(os.Getenv(residentChild)); err == nil {
		attemptsOf(t, n)
		t.Log(highWater(t))
		return
	}
	if os.Getenv("ASSAY_SLOW") == "" || runtime.GOOS != "linux" || raceDetector {
		t.Skip("set ASSAY_SLOW=1, on Linux and without the race detector, for 100,000 attempts")
	}
	small, large := resident(t, 1_000), resident(t, 100_000)
	t.Logf("%d kB at 1,000 attempts, %d kB at 100,000", small, large)
	if large > 60<<10 || large > small+16<<10 {
		t.Errorf("%d kB at 1,000 attempts and %d kB at 100,000", small, large)
	}
}

// highWater is the kernel's line about the most memory that this process held.
func highWater(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "VmHWM:") {
			return strings.TrimSpace(line)
		}
	}
	t.Fatal("no VmHWM in /proc/self/status")
	return ""
}

// resident gives the most memory, in kB, that a process held for n attempts.
func resident(t *testing.T, n int) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestResidentMemory$", "-test.v")
	cmd.Env = append(os.Environ(), residentChild+"="+strconv.Itoa(n))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, after, _ := strings.Cut(string(out), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(after + " x")[0])
	if err != nil {
		t.Fatalf("no figure in %q", out)
	}
	return kb
}

// BenchmarkSlowModel is a model that takes 100 ms, a hundred calls at once: "ratio" is the time over the least possible.
func BenchmarkSlowModel(b *testing.B) {
	const n, atOnce, each = 1000, 100, 100 * time.Millisecond
	var spent time.Duration
	for b.Loop() {
		ctx := context.Background()
		db, err := store.Open(ctx, filepath.Join(b.TempDir(), "assay.db"), store.Options{Create: true})
		if err != nil {
			b.Fatal(err)
		}
		m := &fakeModel{name: "fake/m", reply: func(_ context.Context, req model.Request) (model.Reply, error) {
			time.Sleep(each)
			return right(req), nil
		}}
		begun := time.Now()
		s, err := newEngine(db).Start(ctx, Spec{Set: newSet(n), Digest: "bench-1", Models: []Entrant{{m, "m"}}, Repeats: 1, Concurrency: atOnce})
		if err != nil {
			b.Fatal(err)
		}
		sum, err := s.Execute(ctx)
		if err != nil || sum.Done != n {
			b.Fatalf("%d of %d: %v", sum.Done, n, err)
		}
		spent += time.Since(begun)
		s.Close()
		db.Close()
	}
	b.ReportMetric(float64(spent)/float64(b.N)/float64(n/atOnce*each), "ratio")
}

// slowDisk is a store whose commits take long.
type slowDisk struct {
	store.Store
	commits atomic.Int64
}

func (s *slowDisk) Record(ctx context.Context, r *store.Run, b store.Batch) error {
	s.commits.Add(1)
	time.Sleep(100 * time.Millisecond)
	return s.Store.Record(ctx, r, b)
}

// TestWorkersGoOnDuringCommits: a thousand attempts fit into the queue while a commit runs, so they become a few
// transactions and not a thousand.
func TestWorkersGoOnDuringCommits(t *testing.T) {
	b := setup(t, 1000)
	b.spec.Repeats = 1
	slow := &slowDisk{Store: b.db}
	s, err := newEngine(slow).Start(t.Context(), b.spec)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.complete(s.Run, 1000)
	// About ten on a quiet machine; one that is slow at answering commits what it has from time to time.
	if n := slow.commits.Load(); n > 100 {
		t.Errorf("%d commits for 1,000 instant attempts", n)
	}
}
