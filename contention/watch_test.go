package contention

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var quiet = log.New(io.Discard, "", 0)

func mustEncode(t testing.TB, d *Document) []byte {
	t.Helper()
	b, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(b)
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if b2 := must(again.Encode()); string(b2) != string(b) {
		t.Errorf("decoded and encoded it is other bytes:\n%s\n%s", b, b2)
	}
	return b
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// until waits for a condition, with a bound for a busy machine.
func until(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come about in 20 s")
		}
	}
}

// play is a service within the test's own time: each connection is a pipe whose other end waits and answers.
type play struct {
	mu     sync.Mutex
	answer map[string]act // by host
}

type act struct {
	delay  time.Duration
	status int // 0: never
	refuse error
}

func (p *play) set(host string, a act) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer[host] = a
}

func (p *play) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	host, _, _ := net.SplitHostPort(addr)
	p.mu.Lock()
	a := p.answer[host]
	p.mu.Unlock()
	if a.refuse != nil {
		return nil, a.refuse
	}
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		in := bufio.NewReader(theirs)
		if _, err := http.ReadRequest(in); err != nil {
			return
		}
		if a.status == 0 {
			io.Copy(io.Discard, in)
			return
		}
		time.Sleep(a.delay)
		fmt.Fprintf(theirs, "HTTP/1.1 %d x\r\nContent-Length: 2\r\n\r\nok", a.status)
	}()
	return ours, nil
}

// playOptions have the defaults, in the test's own time.
func playOptions(p *play, urls ...string) Options {
	return Options{URLs: urls, Now: time.Now, Dial: p.dial, LookPath: noSMI, Proc: procOf(goodLoadavg, goodStat, goodMeminfo)}
}

func TestWatchAWholeRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &play{answer: map[string]act{"a": {delay: 12 * time.Millisecond, status: 200}, "b": {delay: 5 * time.Millisecond, status: 200}}}
		o := playOptions(p, "http://a/health?key=hunter2", "http://b/")
		o.Concurrency = 8
		w := start(t, o)
		time.Sleep(500 * time.Millisecond) // samples are taken at whole seconds, and phases begin between them
		begun := time.Now()
		if err := w.Hold(t.Context(), Before); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took != 5*time.Second {
			t.Errorf("the phase before took %v", took)
		}
		for range 3 {
			time.Sleep(time.Second) // calibration: nothing is probed, and 3 s pass
			if err := w.Speed(Before, Measure{Of: Generation, Tokens: 412, Elapsed: 10 * time.Second}); err != nil {
				t.Fatal(err)
			}
		}
		p.set("a", act{delay: 48 * time.Millisecond, status: 200})
		if err := w.Phase(During); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100*time.Second - time.Millisecond)
		p.set("a", act{delay: time.Millisecond, status: 503})
		time.Sleep(3 * time.Second)
		p.set("a", act{status: 0})
		p.set("b", act{refuse: errRefused})
		time.Sleep(17 * time.Second)
		if err := w.Speed(During, Measure{Of: Generation, Tokens: 180, Elapsed: 10 * time.Second}); err != nil {
			t.Fatal(err)
		}
		p.set("a", act{delay: 12 * time.Millisecond, status: 200})
		p.set("b", act{delay: 5 * time.Millisecond, status: 200})
		if err := w.Hold(t.Context(), After); err != nil {
			t.Fatal(err)
		}
		d := w.Stop()

		ms := int64(time.Millisecond)
		a := d.Services[0]
		if want := (&Probes{N: 5, Latency: &Latency{5, 12 * ms, 12 * ms, 12 * ms}}); !reflect.DeepEqual(a.Before, want) {
			t.Errorf("a before: %+v %+v", a.Before, a.Before.Latency)
		}
		// 120 probes: 100 good ones, 3 with 503, 17 that hang: of 117 that are timed, the median is good and the 95th percentile is not.
		want := &Probes{N: 120, Failed: 20, Failures: map[Kind]int64{Status5xx: 3, TimedOut: 17}, Latency: &Latency{117, 48 * ms, 5000 * ms, 5000 * ms}}
		if !reflect.DeepEqual(a.During, want) {
			t.Errorf("a during: %+v %+v", a.During, a.During.Latency)
		}
		if a.After == nil || a.After.N != 5 || a.After.Failed != 0 || a.After.Latency.Worst != 12*ms {
			t.Errorf("a after: %+v", a.After)
		}
		b := d.Services[1]
		if b.During.N != 120 || b.During.Failures[Refused] != 17 || b.During.Latency.N != 103 || b.During.Latency.P95 != 5*ms {
			t.Errorf("b during: %+v %+v", b.During, b.During.Latency)
		}
		wantSummary := []string{
			"the bench did this to the services: http://a/health: median 12.0 ms -> 48.0 ms (x4.0), 95th percentile 12.0 ms -> >= 5.00 s (at least x417), failures 0/5 -> 20/120 (17 timeout, 3 status 5xx); after the run 12.0 ms, 12.0 ms, 0/5",
			"the bench did this to the services: http://b/: median 5.00 ms -> 5.00 ms (x1.0), 95th percentile 5.00 ms -> 5.00 ms (x1.0), failures 0/5 -> 17/120 (17 refused); after the run 5.00 ms, 5.00 ms, 0/5",
			"the services did this to the bench: 41.2 tokens/s alone -> 18.0 tokens/s under the run (x0.44) (medians of 3 and 1 calls, time of the output alone); the run's own requests, up to 8 at once, take part in it",
		}
		if got := d.Summary(); !reflect.DeepEqual(got, wantSummary) {
			t.Errorf("the summary is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(wantSummary, "\n"))
		}
		if during := d.Periods.During; during.To.Sub(during.From) != 120*time.Second-time.Millisecond {
			t.Errorf("the run took %v", during.To.Sub(during.From))
		}
		if !d.Host.Known || d.Host.CPUs != 2 || d.Host.During.Load.Median != 720 || d.Host.During.Load.N != 120 || d.Host.Before.Load.N != 5 {
			t.Errorf("the host is %+v", d.Host)
		}
		if s := string(mustEncode(t, d)); strings.Contains(s, "hunter2") {
			t.Error("the query is kept")
		}
		probes := int64(0)
		for _, s := range d.Timeline.Stretches {
			for _, v := range s.Services {
				probes += v.N
			}
		}
		if probes != 2*(5+120+5) {
			t.Errorf("the timeline has %d probes", probes)
		}
	})
}

func TestWatchPhases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, playOptions(&play{answer: map[string]act{}}))
		steps := []struct {
			phase Phase
			want  string
		}{
			{"later", `no phase "later"`}, {Idle, ""}, {Before, ""}, {Before, "comes too late"}, {Idle, ""}, {Before, "comes too late"},
			{During, ""}, {Before, "comes too late"}, {Idle, ""}, {After, ""}, {During, "comes too late"},
		}
		for _, s := range steps {
			err := w.Phase(s.phase)
			if s.want == "" && err != nil || s.want != "" && (err == nil || !strings.Contains(err.Error(), s.want)) {
				t.Errorf("entering %q: %v, want %q", s.phase, err, s.want)
			}
		}
		d := w.Stop()
		if w.Stop() != d {
			t.Error("a second Stop gives another document")
		}
		for _, err := range []error{w.Phase(Idle), w.Hold(t.Context(), After), w.Speed(After, Measure{Failed: true})} {
			if !errors.Is(err, errStopped) {
				t.Errorf("after Stop: %v", err)
			}
		}
	})
}

func TestHoldWaitsForItsProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &play{answer: map[string]act{"a": {delay: 3 * time.Second, status: 200}}}
		w := start(t, playOptions(p, "http://a/"))
		begun := time.Now()
		if err := w.Hold(t.Context(), Before); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took != 7*time.Second { // the last probe begins at 4 s
			t.Errorf("it took %v", took)
		}
		d := w.Stop()
		if b := d.Services[0].Before; b.N != 5 || b.Latency.Median != int64(3*time.Second) {
			t.Errorf("before: %+v", b)
		}
		if p := d.Periods.Before; p.To.Sub(p.From) != 5*time.Second {
			t.Errorf("the phase lasted %v", p.To.Sub(p.From))
		}
	})
}

func TestHoldEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, playOptions(&play{answer: map[string]act{"a": {}}}, "http://a/"))
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		begun := time.Now()
		if err := w.Hold(ctx, Before); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 2*time.Second {
			t.Errorf("Hold gave %v after %v", err, time.Since(begun))
		}
		if d := w.Stop(); d.Services[0].Before != nil { // what was on its way says nothing
			t.Errorf("before: %+v", d.Services[0].Before)
		}
	})
}

func TestWatchEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := &play{answer: map[string]act{"a": {delay: time.Millisecond, status: 200}}}
		w, err := Start(ctx, playOptions(p, "http://a/"))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Phase(During); err != nil {
			t.Fatal(err)
		}
		time.Sleep(9500 * time.Millisecond)
		cancel()
		synctest.Wait() // nothing but this is left running, or the bubble would not end
		time.Sleep(time.Hour)
		if err := w.Hold(t.Context(), After); !errors.Is(err, context.Canceled) {
			t.Errorf("Hold gave %v", err)
		}
		d := w.Stop()
		if n := d.Services[0].During.N; n != 10 {
			t.Errorf("%d probes", n)
		}
		if _, ok := w.Now(); ok {
			t.Error("a load from an hour ago is given as that of now")
		}
		mustEncode(t, d)
	})
}

func TestProbesThatWaitDoNotHoldUpOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := playOptions(&play{answer: map[string]act{"a": {}}}, "http://a/")
		o.Interval = 100 * time.Millisecond
		w := start(t, o)
		if err := w.Phase(During); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20050 * time.Millisecond)
		d := w.Stop()
		// 16 begin in the first 1.6 s, and end at 5.0 to 6.5 s, each making room for another: of 201 that were due,
		// those of three rounds ended, and the rest of each round was not made.
		p := d.Services[0].During
		if p.N < 48 || p.N > 64 || p.Failures[TimedOut] != p.N || p.Missed == 0 || p.N+p.Missed < 201-16 || p.N+p.Missed > 201 {
			t.Errorf("during: %+v", p)
		}
	})
}

func TestNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, playOptions(&play{}))
		synctest.Wait()
		l, ok := w.Now()
		if !ok || l.Average.Load1 != 720 || l.Average.CPUs != 2 || l.Memory.permille() != 50 || l.Busy != nil || !l.At.Equal(time.Now()) {
			t.Errorf("the load is %+v, %v", l, ok)
		}
		if want := "load 7.20 on 2 CPUs; 5.0 % of 23.5 GiB memory available"; l.String() != want {
			t.Errorf("in words: %q", l)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		o := playOptions(&play{})
		o.Proc = procOf("", "", "")
		w := start(t, o)
		time.Sleep(10 * time.Second)
		if l, ok := w.Now(); ok || l.String() != "load not known" {
			t.Errorf("the load is %+v", l)
		}
		d := w.Stop()
		if d.Host.Known || d.Host.Note != "/proc/loadavg: is not there; /proc/stat: is not there; /proc/meminfo: is not there" {
			t.Errorf("the host is %+v", d.Host)
		}
		mustEncode(t, d)
	})
}

// TestNoProc is what other systems show.
func TestNoProc(t *testing.T) {
	o := testOptions()
	o, err := o.ready()
	if err != nil {
		t.Fatal(err)
	}
	w := &Watcher{opts: o, prober: newProber(o), started: o.Now(), stay: newStay(Idle, o.Now(), 0), line: timeline{start: o.Now(), step: o.Sample}}
	w.ctx, w.cancel = context.WithCancel(t.Context())
	w.host.note, w.cards.note = notKnown(), "not known here: no nvidia-smi was found"
	d := w.Stop()
	lines := strings.Join(d.Lines(), "\n")
	if d.Host.Known || !strings.Contains(lines, "host of the harness: not known here: there is no /proc on ") || !strings.Contains(lines, "accelerators: not known here") {
		t.Errorf("it says\n%s", lines)
	}
	mustEncode(t, d)
}

// moving is a /proc whose counters go on.
type moving struct {
	mu   sync.Mutex
	busy int
	all  int
}

func (m *moving) Open(name string) (fs.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if name == "stat" {
		m.all += 100
		m.busy += 25
	}
	return procOf(goodLoadavg, fmt.Sprintf("cpu %d 0 0 %d\ncpu0 1\n", m.busy, m.all-m.busy), goodMeminfo).Open(name)
}

func TestBusyIsSampledWithinPhases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := playOptions(&play{})
		o.Proc = &moving{}
		w := start(t, o)
		time.Sleep(1500 * time.Millisecond)
		if err := w.Hold(t.Context(), Before); err != nil {
			t.Fatal(err)
		}
		d := w.Stop()
		// Samples at 2, 3, 4, 5 and 6 s; the share of the first began before the phase.
		want := &Spread{N: 4, Min: 250, Median: 250, Max: 250}
		if got := d.Host.Before.Busy; !reflect.DeepEqual(got, want) {
			t.Errorf("busy is %+v", got)
		}
		if n := d.Host.Before.Load.N; n != 5 {
			t.Errorf("%d samples of load", n)
		}
	})
}

// TestRealServers has real time, so that the bounds are wide.
func TestRealServers(t *testing.T) {
	slow := server(t, func(w http.ResponseWriter, r *http.Request) { time.Sleep(30 * time.Millisecond); fmt.Fprint(w, "ok") })
	var n int
	var mu sync.Mutex
	flaky := server(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if n++; n%2 == 0 {
			w.WriteHeader(500)
		}
	})
	o := testOptions(slow.URL, flaky.URL, deadPort(t), raw(t, func(c net.Conn) { io.Copy(io.Discard, c) }))
	o.Timeout = 1500 * time.Millisecond
	w := start(t, o)
	if err := w.Hold(t.Context(), Before); err != nil {
		t.Fatal(err)
	}
	if err := w.Phase(During); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 { // everything at once
		wg.Go(func() {
			for range 20 {
				w.Now()
				if err := w.Speed(During, Measure{Of: Total, Tokens: int64(10 + i), Elapsed: time.Second}); err != nil {
					t.Error(err)
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	wg.Wait()
	time.Sleep(500 * time.Millisecond)
	if err := w.Hold(t.Context(), After); err != nil {
		t.Fatal(err)
	}
	d := w.Stop()
	for _, phase := range []Phase{Before, During, After} {
		get := func(i int) *Probes {
			p := d.Services[i].In(phase)
			if p == nil {
				t.Fatalf("%s: service %d was not probed", phase, i)
			}
			if phase != During && p.N+p.Missed > 10 {
				t.Errorf("%s: %d probes of service %d and %d not made, of 10 that were due", phase, p.N, i, p.Missed)
			}
			return p
		}
		if p := get(0); p.Failed != 0 || p.N < 1 || p.Latency.Median < int64(30*time.Millisecond) || p.Latency.Median > int64(time.Second) {
			t.Errorf("%s: the slow one is %+v %+v", phase, p, p.Latency)
		}
		if p := get(1); p.Failures[Status5xx] != p.Failed || p.Failed*2 > p.N+4 || p.Failed*2 < p.N-4 || p.Latency.N != p.N-p.Failed {
			t.Errorf("%s: the flaky one is %+v", phase, p)
		}
		if p := get(2); p.Failures[Refused] != p.N || p.Latency != nil {
			t.Errorf("%s: the dead one is %+v", phase, p)
		}
	}
	if p := d.Services[3].Before; p.Failures[TimedOut] != p.N || p.Latency.Median != int64(o.Timeout) {
		t.Errorf("the one that hangs is %+v", p)
	}
	if s := d.Speed.During; s.N != 160 || s.Rate.Min != 10_000 || s.Rate.Max != 17_000 || s.Tokens != 20*(10+11+12+13+14+15+16+17) {
		t.Errorf("the speed is %+v", s)
	}
	mustEncode(t, d)
}

// stall is a clock that stands in for a machine that gave this program no time: it leaps once.
type stall struct {
	mu   sync.Mutex
	leap time.Duration
}

func (s *stall) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.leap)
}

func TestProbesThatWereDueAreCounted(t *testing.T) {
	for _, tt := range []struct {
		hold      bool
		n, missed int64
	}{{true, 4, 1}, {false, 7, 61}} {
		synctest.Test(t, func(t *testing.T) {
			p := &play{answer: map[string]act{"a": {delay: time.Millisecond, status: 200}}}
			o := playOptions(p, "http://a/")
			clock := &stall{}
			o.Now = clock.now
			w := start(t, o)
			go func() {
				time.Sleep(2200 * time.Millisecond)
				clock.mu.Lock()
				defer clock.mu.Unlock()
				clock.leap = 62500 * time.Millisecond
			}()
			if tt.hold {
				if err := w.Hold(t.Context(), Before); err != nil {
					t.Fatal(err)
				}
			} else {
				if err := w.Phase(Before); err != nil {
					t.Fatal(err)
				}
				time.Sleep(5 * time.Second)
			}
			got := w.Stop().Services[0].Before
			if got.N != tt.n || got.Missed != tt.missed || got.Failed != 0 {
				t.Errorf("with a limit %v: %d probes and %d not made; want %d and %d", tt.hold, got.N, got.Missed, tt.n, tt.missed)
			}
		})
	}
}

func TestOptionsRefused(t *testing.T) {
	tests := []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.Now = nil }, "no clock"},
		{func(o *Options) { o.Interval = time.Millisecond }, "interval between probes is 1ms: choose 10ms to 1h0m0s"},
		{func(o *Options) { o.Interval = -1 }, "interval between probes"},
		{func(o *Options) { o.Timeout = 2 * time.Minute }, "time limit of a probe is 2m0s"},
		{func(o *Options) { o.Around = time.Hour }, "before and after"},
		{func(o *Options) { o.Sample = time.Hour }, "samples of the host"},
		{func(o *Options) { o.Concurrency = -1 }, "requests at once"},
		{func(o *Options) { o.URLs = []string{"http://a:b@c/"} }, "holds credentials"},
	}
	for _, tt := range tests {
		o := testOptions()
		tt.change(&o)
		if w, err := Start(t.Context(), o); err == nil {
			w.Stop()
			t.Errorf("options for %q are taken", tt.want)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("the error is %v, want %q", err, tt.want)
		}
	}
	o, err := Options{Now: time.Now}.ready()
	if err != nil || o.Interval != time.Second || o.Timeout != 5*time.Second || o.Around != 5*time.Second || o.Sample != time.Second {
		t.Errorf("the defaults are %+v, %v", o, err)
	}
}
