//go:build !linux

package sandbox

import (
	"context"
	"runtime"
)

// Box exists only on Linux; elsewhere Open returns no Box.
type Box struct{}

// Main does nothing here: there is no helper process to become.
func Main() {}

// Open returns *Unavailable: both tiers are made of Linux kernel features.
func Open(context.Context, Options) (*Box, error) { return nil, unavailable() }

// OpenAgents returns *Unavailable.
func OpenAgents(context.Context, Options) (*Box, error) { return nil, unavailable() }

// RunAgent returns *Unavailable.
func (*Box) RunAgent(context.Context, Agent) (Result, error) { return Result{}, unavailable() }

// Tier is empty: there is no Box.
func (*Box) Tier() Tier { return "" }

// Run returns *Unavailable.
func (*Box) Run(context.Context, Job) (Result, error) { return Result{}, unavailable() }

// Python returns *Unavailable.
func (*Box) Python(context.Context) (string, error) { return "", unavailable() }

// Close does nothing.
func (*Box) Close() error { return nil }

func unavailable() error {
	return &Unavailable{
		Reasons: []string{"this system is " + runtime.GOOS + ", the sandbox needs Linux"},
		Install: "run it on Linux or in a Linux virtual machine",
	}
}
