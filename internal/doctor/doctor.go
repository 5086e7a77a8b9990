// Package doctor looks at what works on this machine and gives it as data: providers and their keys, the model servers
// that answer and what they hold, the sandbox, the hardware, and the files of the working folder. It changes nothing,
// loads no model and calls none.
//
// What is looked at runs at once, and each part has its own patience, so that Look takes about as long as the slowest of
// them may. A key is only ever said to be there, by the name of its variable; it goes to the addresses that the user named
// and to a provider's own server, and never to whatever happens to listen at a usual port of this machine. All text that
// comes from outside is one line, escaped for terminals, bounded, and free of the keys.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/assaybench/assay/model"
)

// Options say how to look. Getenv, Dir and Now are required; other zero values take the defaults.
type Options struct {
	Getenv func(string) string
	Dir    string // the working folder
	Now    func() time.Time
	Assay  string // this program's version

	Online  bool    // ask servers that are not on this machine too
	Servers []Named // asked in any case, with the provider's key where one is set
	// Ports are where model servers are looked for on this machine; nil: the usual ones, UsualPorts.
	Ports []int
	// Patience is how long a server of this machine may take for one answer: 1 s by default. Others get 5 s at the least.
	Patience time.Duration

	// Dial opens connections in place of a net.Dialer; tests use it to stay on loopback.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// LookPath finds nvidia-smi; by default exec.LookPath.
	LookPath func(file string) (string, error)
	// Box opens the sandbox; by default that of package sandbox.
	Box func(ctx context.Context) (Box, error)
}

const (
	usualPatience  = time.Second
	remotePatience = 5 * time.Second
)

// gatherer is one look.
type gatherer struct {
	Options
	secrets []string
}

// Look looks at everything. What is missing or broken is in the report; the error is that of a look that could not be made
// at all: no working folder, or an end of ctx.
func Look(ctx context.Context, o Options) (*Report, error) {
	if o.Patience <= 0 {
		o.Patience = usualPatience
	}
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	if o.Box == nil {
		o.Box = openBox
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{}).DialContext
	}
	if o.Ports == nil {
		o.Ports = UsualPorts()
	}
	info, err := os.Stat(o.Dir)
	switch {
	case o.Dir == "":
		return nil, errors.New("the working folder cannot be found out; change to a folder that exists")
	case err != nil:
		return nil, fmt.Errorf("the working folder %s: %w; change to a folder that exists", model.OneLine(o.Dir, 0), errors.Unwrap(err))
	case !info.IsDir():
		return nil, fmt.Errorf("the working folder %s is not a folder; change to one", model.OneLine(o.Dir, 0))
	}
	g := &gatherer{Options: o}
	g.secrets = g.keys()
	r := &Report{Kind: Kind, Program: g.program(), Providers: g.providers()}
	targets := g.targets(r.Providers)
	r.Servers = make([]Server, len(targets))

	var wg sync.WaitGroup
	for i, t := range targets {
		wg.Go(func() { r.Servers[i] = g.server(ctx, t) })
	}
	wg.Go(func() { r.CPUs, r.Memory, r.Accelerator = g.machine(ctx) })
	wg.Go(func() { r.Sandbox, r.Python = g.box(ctx) })
	wg.Go(func() { r.Database = g.database(ctx) })
	r.Disk = g.disk()
	r.Prices = g.prices()
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	g.conclude(r)
	return r, nil
}
