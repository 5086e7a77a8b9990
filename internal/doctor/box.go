package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assaybench/assay/sandbox"
)

// Box is what is asked of a sandbox.
type Box interface {
	Tier() sandbox.Tier
	Python(ctx context.Context) (string, error)
	Close() error
}

// boxPatience bounds the sandbox's self-test and the start of python3 together, which take a fifth of a second.
const boxPatience = 10 * time.Second

func openBox(ctx context.Context) (Box, error) {
	b, err := sandbox.Open(ctx, sandbox.Options{})
	if err != nil {
		return nil, err // not b, which would be a Box that is not nil
	}
	return b, nil
}

// box opens the sandbox, which tests itself, and starts the python3 inside.
func (g *gatherer) box(ctx context.Context) (Sandbox, Python) {
	ctx, cancel := context.WithTimeoutCause(ctx, boxPatience, fmt.Errorf("it did not open within %v", boxPatience))
	defer cancel()
	b, err := g.Box(ctx)
	if err != nil {
		none := Python{Finding: Finding{NotAsked, "it is used inside the sandbox alone", ""}}
		if u, ok := errors.AsType[*sandbox.Unavailable](err); ok {
			return Sandbox{Finding: Finding{Missing, g.line("none: "+strings.Join(u.Reasons, "; "), sayMost), g.line(u.Install, sayMost)}}, none
		}
		return Sandbox{Finding: g.finding(Fault, err.Error(), "see whether its temporary folder can be written")}, none
	}
	s := Sandbox{Tier: string(b.Tier()), Finding: Finding{State: OK, Say: string(b.Tier())}}
	switch b.Tier() {
	case sandbox.TierBwrap:
		s.Say = "bubblewrap, and it withstands its self-test"
	case sandbox.TierLandlock:
		s.Say = "Landlock, and it withstands its self-test (bubblewrap, which hides more, is not there or fails)"
	}
	p := Python{}
	if p.Version, err = b.Python(ctx); err == nil {
		p.Finding = Finding{State: OK, Say: p.Version + ", inside the sandbox"}
	} else if n, ok := errors.AsType[*sandbox.NoPython](err); ok {
		p.Finding = Finding{Missing, g.line("none in the sandbox: "+n.Reason, sayMost), g.line(n.Install, sayMost)}
	} else {
		p.Finding = g.finding(Fault, err.Error(), "see whether python3 runs by itself")
	}
	p.Version = g.line(p.Version, nameMost)
	if err := b.Close(); err != nil {
		s.Finding = g.finding(Fault, "its folder could not be removed: "+err.Error(), "remove it by hand")
	}
	return s, p
}
