package cli

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/store"
	"github.com/assaybench/assay/telemetry"
)

// telemetryFlags are wrong before anything is begun, or not at all.
func (p *Process) telemetryFlags(f *runFlags) error {
	if f.metrics != "" {
		if local, err := ofThisMachine(f.metrics); err != nil || !local {
			return usage("--metrics %s: it is an address of this machine with a port, such as 127.0.0.1:9464", shown(f.metrics))
		}
	}
	if f.otlp != "" {
		u, err := url.Parse(f.otlp)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
			// What was given is not shown: a key may stand in it.
			return usage("--otlp: it is the plain URL of a collector, such as http://127.0.0.1:4318; keys go into OTEL_EXPORTER_OTLP_HEADERS")
		}
		if _, err := otlpHeaders(p.Getenv("OTEL_EXPORTER_OTLP_HEADERS")); err != nil {
			return err
		}
	}
	return nil
}

// telemetry lets others watch a session, where that was asked for; done ends it. A private set is shown to nobody.
func (p *Process) telemetry(s *run.Session, f runFlags) (done func(), err error) {
	done = func() {}
	if f.metrics == "" && f.otlp == "" || stored.IsPrivate(s.Run) {
		return done, nil
	}
	plan := &s.Run.Plan
	name := plan.Bench + "@" + plan.Version
	var metrics *telemetry.Metrics
	var traces *telemetry.Traces
	var ends []func()
	if f.metrics != "" {
		metrics = telemetry.NewMetrics(s.Run.ID, name, plan.Attempts)
		end, at, err := serveMetrics(f.metrics, metrics)
		if err != nil {
			return done, usage("--metrics %s: %v", shown(f.metrics), reasonOf(err))
		}
		ends = append(ends, end)
		if !f.quiet {
			p.notef("numbers for Prometheus at http://%s/metrics while the run goes on", at)
		}
	}
	if f.otlp != "" {
		headers, err := otlpHeaders(p.Getenv("OTEL_EXPORTER_OTLP_HEADERS"))
		if err != nil {
			for _, e := range ends {
				e()
			}
			return done, err
		}
		transport := &http.Transport{DialContext: p.Dial}
		traces = telemetry.NewTraces(f.otlp, headers, &http.Client{Transport: transport}, p.Now, s.Run.ID, name, version())
		if !f.quiet {
			p.notef("the trace of this run is %s", traces.ID())
		}
		ends = append(ends, func() {
			if lost, err := traces.Close(); lost > 0 {
				p.notef("warning: %d spans did not reach the collector: %s", lost, plain(reason(err)))
			}
			transport.CloseIdleConnections()
		})
	}
	s.Recorded = func(t run.Tried) {
		y := tryOf(s.Run.ID, name, &t)
		if metrics != nil {
			metrics.Observe(y)
		}
		if traces != nil {
			traces.Observe(y)
		}
	}
	if metrics != nil {
		s.Graded = func(t store.Task, l record.Letter) {
			metrics.Graded(telemetry.Verdict{Model: t.Key.Model, Basis: t.Basis, Letter: l})
		}
	}
	return func() {
		for _, e := range ends {
			e()
		}
	}, nil
}

func reason(err error) string {
	if err == nil {
		return "too many at once"
	}
	return reasonOf(err).Error()
}

func tryOf(run, bench string, t *run.Tried) telemetry.Try {
	x := &t.Transcript
	return telemetry.Try{Run: run, Bench: bench, Model: t.Task.Key.Model, Posture: t.Task.Key.Posture, Item: t.Task.Key.Item, Basis: t.Task.Basis, Repeat: t.Task.Key.Repeat, Try: t.Try, Final: t.Final,
		Outcome: x.Outcome, Usage: x.Usage, Started: x.Timing.Started, Took: time.Duration(x.Timing.Total), Answered: x.Model, Finish: x.Finish}
}

// serveMetrics listens until end is called.
func serveMetrics(addr string, h http.Handler) (end func(), at string, err error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, "", err
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: 30 * time.Second, MaxHeaderBytes: 16 << 10}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = s.Serve(l) // ends with http.ErrServerClosed
	}()
	return func() {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		if err := s.Shutdown(ctx); err != nil {
			_ = s.Close()
		}
		<-gone
	}, l.Addr().String(), nil
}

// otlpHeaders reads the variable as OpenTelemetry's specification has it: key=value, separated by commas, values percent-encoded.
func otlpHeaders(s string) (map[string]string, error) {
	out := map[string]string{}
	for _, pair := range strings.Split(s, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		k, v, ok := strings.Cut(pair, "=")
		k = strings.TrimSpace(k)
		v, err := url.PathUnescape(strings.TrimSpace(v))
		if !ok || k == "" || err != nil || strings.ContainsAny(k+v, "\r\n\x00") || strings.ContainsAny(k, " :()<>@,;\\\"/[]?={}\t") {
			return nil, usage("OTEL_EXPORTER_OTLP_HEADERS is no list of key=value, separated by commas")
		}
		out[k] = v
	}
	return out, nil
}
