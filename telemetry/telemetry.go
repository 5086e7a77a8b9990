// Package telemetry shows a run to those who watch services: numbers for Prometheus, and traces for OpenTelemetry by its conventions
// for generative models. Both are off unless asked for, hold no prompt, no answer and no key, and never end or slow a run: what
// cannot be delivered is dropped and counted.
package telemetry

import (
	"time"

	"github.com/assaybench/assay/record"
)

// Try is one call of a run, as it was recorded.
type Try struct {
	Run      string
	Bench    string // id@version
	Model    string // as the run names it, provider/name
	Posture  string
	Item     string
	Basis    record.Basis
	Repeat   int  // from 1
	Try      int  // from 1
	Final    bool // the attempt has its outcome
	Outcome  record.Outcome
	Usage    record.Usage
	Started  time.Time
	Took     time.Duration // without load time; 0 unknown
	Answered string        // the model that the server says answered
	Finish   string        // the server's own word for how generation ended
}

// Verdict is what the rules made of an attempt.
type Verdict struct {
	Model  string
	Basis  record.Basis
	Letter record.Letter
}
