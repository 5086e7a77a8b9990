// Package contention measures what a run did to the services beside it on its machine, and what they did to the run.
//
// A Watcher probes URLs in three phases: before the run, while nothing is asked of the model; during it; and after it, for
// as long as before. Beside that it samples the host's load, memory and accelerators all the time, and takes the speed of
// the model from calibration calls that its caller makes: alone, under the run, and after. Memory is bounded however long
// a run lasts.
//
//	w, err := contention.Start(ctx, contention.Options{URLs: urls, Now: time.Now})
//	w.Hold(ctx, contention.Before)               // the services alone
//	w.Speed(contention.Before, …)                // the model alone: nothing is probed between phases
//	w.Phase(contention.During)                   // the run, with w.Speed(contention.During, …) and w.Now() inside
//	w.Hold(ctx, contention.After)
//	doc := w.Stop()
//
// What is kept is a Document: integers only, in canonical JSON, with a version. It has no verdict. Flags tells which of
// the attempts that timed out ran while the machine was loaded, by thresholds that stand beside the figures; Summary,
// Lines and Tables say everything in words. docs/contention.md explains the figures to readers.
//
// # Quantiles
//
// The quantile q of n values is the value of rank ceil(q*n), counted from 1 in rising order: always a value that was
// measured, never one between two. The median of four values is the second. Up to 512 values of a kind and a phase are
// kept as they are; beyond that they are counted in buckets, and a quantile is then the greatest value of its bucket: never
// too low, and too high by less than 1/256 (0.4 %). The least and the greatest value are always exact.
package contention

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"time"
)

// Phase is a stretch of time that has its own figures.
type Phase string

// The phases, in the order in which they are entered; each at most once.
const (
	Idle   Phase = ""       // between phases: nothing is probed, and samples count for the timeline alone
	Before Phase = "before" // the services without the run; of the model's speed: alone
	During Phase = "during" // the run
	After  Phase = "after"
)

// rank puts the phases into their order.
func (p Phase) rank() int {
	switch p {
	case Before:
		return 1
	case During:
		return 2
	case After:
		return 3
	}
	return 0
}

// Options are how a Watcher measures. Zero values take the defaults; Now is required.
type Options struct {
	// URLs are the services to probe: http or https, without credentials. None is allowed: the host is sampled all the same.
	URLs []string
	// Interval is the time from one probe of a URL to the next: 1 s by default, 10 ms to 1 h.
	Interval time.Duration
	// Timeout bounds a whole probe, from the look-up of the name to the end of the body: 5 s by default, 10 ms to 1 min.
	Timeout time.Duration
	// Around is how long the phases before and after last: 5 s by default, at most 10 min.
	Around time.Duration
	// Sample is the time from one sample of the host to the next: 1 s by default, 10 ms to 1 min. Accelerators are asked
	// half as often, since that starts a program.
	Sample time.Duration
	// Concurrency is how many requests the run keeps open at most. It is only written down, so that a reader can tell what
	// the speed under the run stands for; 0: not said.
	Concurrency int

	// Now is the clock. It must run at the speed of the timers.
	Now func() time.Time
	// Dial opens connections; by default a net.Dialer. No proxy is ever used: it would be measured in place of the service.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// TLS is for https; by default the system's authorities are trusted.
	TLS *tls.Config
	// Proc holds the files of /proc; by default this machine's, where it has them.
	Proc fs.FS
	// LookPath finds nvidia-smi; by default exec.LookPath.
	LookPath func(file string) (string, error)
	// Getenv is asked for what nvidia-smi needs to start (PATH and the like); by default os.Getenv.
	Getenv func(name string) string
}

// Bounds of what one Watcher takes on.
const (
	urlsMax     = 16
	urlBytesMax = 2048
	bodyMax     = 1 << 20 // bytes of an answer that are read
	headerMax   = 64 << 10
	flyingMax   = 16 // probes of one URL at the same time
)

// ready fills in the defaults and refuses what is out of bounds.
func (o Options) ready() (Options, error) {
	if o.Now == nil {
		return o, errors.New("contention: no clock was given")
	}
	for _, d := range []struct {
		name             string
		at               *time.Duration
		def, least, most time.Duration
	}{
		{"interval between probes", &o.Interval, time.Second, 10 * time.Millisecond, time.Hour},
		{"time limit of a probe", &o.Timeout, 5 * time.Second, 10 * time.Millisecond, time.Minute},
		{"time watched before and after the run", &o.Around, 5 * time.Second, 10 * time.Millisecond, 10 * time.Minute},
		{"interval between samples of the host", &o.Sample, time.Second, 10 * time.Millisecond, time.Minute},
	} {
		if *d.at == 0 {
			*d.at = d.def
		}
		if *d.at < d.least || *d.at > d.most {
			return o, fmt.Errorf("watch: the %s is %v: choose %v to %v", d.name, *d.at, d.least, d.most)
		}
	}
	if o.Concurrency < 0 {
		return o, fmt.Errorf("watch: %d requests at once are not possible", o.Concurrency)
	}
	if o.Dial == nil {
		o.Dial = new(net.Dialer).DialContext
	}
	if o.Proc == nil {
		o.Proc = systemProc()
	}
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	return o, nil
}
