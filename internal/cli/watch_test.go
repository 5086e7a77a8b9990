package cli_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assaybench/assay/contention"
	"github.com/assaybench/assay/model/modeltest"
)

// service is a service of this machine that answers after a while.
func service(t testing.TB, status int, after time.Duration) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		select {
		case <-time.After(after):
			w.WriteHeader(status)
		case <-q.Context().Done():
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/health"
}

// TestWatch: services are probed before, during and after a run, and the model's own speed is measured; all of it is in the
// result.
func TestWatch(t *testing.T) {
	t.Parallel()
	for _, w := range []modeltest.Wire{modeltest.WireOllama, modeltest.WireChat} {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.write(benchOf{items: 12, repeats: 2, timeout: "1500ms"})
			s := &script{says: func(item string, call int) modeltest.MockReply {
				reply := right()
				reply.Delay = 20 * time.Millisecond
				if item == itemName(3) && call == 1 {
					reply.Delay = time.Minute
				}
				return reply
			}}
			m, _ := r.mock(modeltest.MockOptions{Wire: w, Reply: s.reply})
			fast, slow, broken := service(t, 204, 0), service(t, 200, 60*time.Millisecond), service(t, 503, 0)
			dead := "http://" + deadPort + "/health"
			watched := strings.Join([]string{fast + "?token=" + canary, slow, broken, dead}, ",")
			res, got := r.run(0, m, "--watch", watched)
			if !strings.Contains(got.err, "watching 4 services and the model's own speed before the run") || !strings.Contains(got.err, "watching 4 services and the model's own speed after the run") {
				t.Errorf("standard error: %s", got.err)
			}
			if len(res.Contention) != 1 || res.Contention[0].Document == nil || res.Contention[0].Model != m {
				t.Fatalf("%+v", res.Contention)
			}
			d := res.Contention[0].Document
			if len(d.Services) != 4 || d.Services[0].URL != fast || d.Settings.Concurrency != 1 || !d.Ended.After(d.Started) {
				t.Fatalf("%+v", d.Services)
			}
			for _, p := range []contention.Phase{contention.Before, contention.During, contention.After} {
				if d.Periods.In(p) == nil {
					t.Fatalf("nothing was seen %s the run", p)
				}
				for i, c := range []struct {
					failed bool
					kind   contention.Kind
					least  time.Duration
				}{{}, {least: 60 * time.Millisecond}, {failed: true, kind: contention.Status5xx}, {failed: true, kind: contention.Refused}} {
					got := d.Services[i].In(p)
					switch {
					case got == nil || got.N == 0:
						t.Errorf("%s, %s: no probes", d.Services[i].URL, p)
					case c.failed && (got.Failed != got.N || got.Failures[c.kind] != got.N || got.Latency != nil):
						t.Errorf("%s, %s: %+v, want %s alone", d.Services[i].URL, p, got, c.kind)
					case !c.failed && (got.Failed != 0 || got.Latency == nil || got.Latency.Median < c.least.Nanoseconds()):
						t.Errorf("%s, %s: %+v", d.Services[i].URL, p, got)
					}
				}
				speed := d.Speed.In(p)
				if speed == nil {
					t.Errorf("%s: the model's speed was not measured", p)
				}
			}
			if want := map[modeltest.Wire]contention.SpeedOf{modeltest.WireOllama: contention.Generation, modeltest.WireChat: contention.Total}[w]; d.Speed.Of != want {
				t.Errorf("the speed is that of %q, want %q", d.Speed.Of, want)
			}
			// The attempt that ran out of time is the model's, and looked at beside what was seen then.
			if f := res.Figures[0]; f.Attempts.Timeout != 1 || f.Passed != 11 || letters(res, itemName(3)) != "T." {
				t.Errorf("%+v, %s", f, letters(res, itemName(3)))
			}
			if d.Flagged == nil || d.Flagged.TimedOut != 1 {
				t.Errorf("%+v", d.Flagged)
			}
			text := r.want(0, "result", "latest")
			for _, want := range []string{"Contention: the run and what was beside it", "the bench did this to the services", "the services did this to the bench", "refused", "status 5xx"} {
				if !strings.Contains(text.out, want) {
					t.Errorf("no %q in\n%s", want, text.out)
				}
			}
			if md := r.want(0, "result", "latest", "--markdown"); !strings.Contains(md.out, strings.TrimPrefix(fast, "http:")) {
				t.Errorf("no service in\n%s", md.out)
			}
			r.noSecret(canary, got, text)
			// A finished run is shown and watched no more.
			calls := len(s.requests(true))
			if again, _ := r.run(0, m, "--watch", fast); len(again.Contention) != 1 || len(s.requests(true)) != calls {
				t.Errorf("%d documents, %d further calls", len(again.Contention), len(s.requests(true))-calls)
			}
		})
	}
}

// TestCalibrate measures the model alone, with nothing else watched. A model that gives no speed is said to have none.
func TestCalibrate(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write(benchOf{items: 15})
	fails := false
	s := &script{says: func(string, int) modeltest.MockReply {
		reply := right()
		reply.Delay = 20 * time.Millisecond
		return reply
	}}
	m, _ := r.mock(modeltest.MockOptions{Reply: func(q modeltest.MockRequest) modeltest.MockReply {
		reply := s.reply(q)
		if asked(q.User) == "" {
			reply.OutputTokens, reply.Delay = 40, 20*time.Millisecond
			if fails {
				reply.Fault = "500"
			}
		}
		return reply
	}})
	res, got := r.run(0, m, "--calibrate", "--watch-for", "100ms")
	d := res.Contention[0].Document
	if len(d.Services) != 0 || d.Settings.Around != 100e6 || !strings.Contains(got.err, "watching the model's own speed before the run") {
		t.Errorf("%+v, %s", d.Services, got.err)
	}
	for _, p := range []contention.Phase{contention.Before, contention.During, contention.After} {
		speed := d.Speed.In(p)
		if speed == nil || speed.N == 0 || speed.Failed != 0 || speed.Rate == nil || speed.Rate.Median > 2_000_000 || speed.Rate.Median < 10_000 {
			t.Errorf("%s: %+v", p, speed)
		}
	}
	for _, q := range s.requests(true) {
		if asked(q.User) == "" && !strings.Contains(string(q.Body), `"max_tokens":64`) && !strings.Contains(string(q.Body), `"max_completion_tokens":64`) {
			t.Errorf("calibrated by other settings than the protocol's: %s", q.Body)
		}
	}
	// Calls to calibrate are no attempts.
	if res.Attempts.Planned != 15 || res.Attempts.Answered != 15 || res.Attempts.Settings[0].Output.Sum != 15*4 {
		t.Errorf("%+v", res.Attempts)
	}
	fails = true
	res, _ = r.run(0, m, "--calibrate", "--new")
	if sp := res.Contention[0].Document.Speed.In(contention.Before); sp == nil || sp.Failed != 3 || sp.N != 0 || res.Figures[0].Passed != 15 {
		t.Errorf("%+v", sp)
	}
}

// TestWhatCannotBeWatched is refused in one line, before anything is asked of anybody and before there is a run.
func TestWhatCannotBeWatched(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write(benchOf{items: 2})
	m, mock := r.mock(modeltest.MockOptions{Models: []string{"mock", "other"}})
	fast := service(t, 200, 0)
	none := "controls, replays and programs are measured without --watch and --calibrate"
	for _, c := range []struct{ model, args, want string }{
		{m + "," + strings.Replace(m, "mock", "other", 1), "--watch " + fast, "services are watched beside one model at a time"},
		{"control/empty", "--watch " + fast, none},
		{"control/empty,command/true", "--calibrate", none},
		{"command/true", "--watch " + fast, none},
		{m, "--watch ftp://x", "does not begin with http:// or https://"},
		{m, "--watch http://u:" + canary + "@127.0.0.1/", "holds credentials"},
		{m, "--watch " + fast + "," + fast, "is the same as URL 1"},
		{m, "--watch=", "--watch is empty"},
		{m, "--watch " + fast + " --watch-for 0s", "--watch-for is a length of time such as 30s"},
		{m, "--watch " + fast + " --watch-for -1s", "--watch-for is a length of time such as 30s"},
		{m, "--watch " + fast + " --watch-for 1h", "services are watched for 50ms to 10m0s before and after a run, not for 1h0m0s"},
		{m, "--watch " + fast + " --watch-for 49ms", "services are watched for 50ms to 10m0s"},
		{m, "--watch-for 1s", "goes with --watch or --calibrate"},
	} {
		got := r.want(2, append([]string{"run", "./bench", "--unproven", "--model", c.model}, strings.Fields(c.args)...)...)
		if strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, c.want) || strings.Contains(got.err, canary) || got.out != "" {
			t.Errorf("%s %s: %s%s", c.model, c.args, got.err, got.out)
		}
	}
	if n := mock.Requests(); n != 0 {
		t.Errorf("%d calls", n)
	}
	if got := r.want(0, "runs"); got.out != "" {
		t.Errorf("runs were begun: %s", got.out)
	}
	// A control beside the model is no hindrance.
	res, _ := r.run(0, m+",control/empty", "--watch", fast)
	if len(res.Contention) != 1 || res.Contention[0].Model != m {
		t.Errorf("%+v", res.Contention)
	}
}
