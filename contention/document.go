package contention

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/assaybench/assay/record"
)

// Version stands in each document. It changes when the meaning of a member does.
const Version = "contention/1"

// documentMax is how many bytes Decode takes.
const documentMax = 16 << 20

// Document is everything that a Watcher saw. All figures are integers; times are in UTC. What was not measured is left
// out, so that nothing looks like a zero.
type Document struct {
	Kind         string         `json:"kind"` // Version
	Started      time.Time      `json:"started"`
	Ended        time.Time      `json:"ended"`
	Settings     Settings       `json:"settings"`
	Periods      Phased[Period] `json:"periods"`
	Services     []Service      `json:"services"`
	Host         Host           `json:"host"`
	Accelerators Accelerators   `json:"accelerators"`
	Speed        Speed          `json:"speed"`
	Timeline     Timeline       `json:"timeline"`
	Flagged      *Flagged       `json:"flagged,omitzero"` // set by whoever knows the attempts
}

// Phased holds something for each phase that had it.
type Phased[T any] struct {
	Before *T `json:"before,omitzero"`
	During *T `json:"during,omitzero"`
	After  *T `json:"after,omitzero"`
}

// In gives what a phase had, or nil.
func (p *Phased[T]) In(phase Phase) *T {
	if at := p.at(phase); at != nil {
		return *at
	}
	return nil
}

func (p *Phased[T]) at(phase Phase) **T {
	switch phase {
	case Before:
		return &p.Before
	case During:
		return &p.During
	case After:
		return &p.After
	}
	return nil
}

// Period is when a phase was.
type Period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Settings are how it was measured.
type Settings struct {
	Interval    int64 `json:"interval_ns"`
	Timeout     int64 `json:"timeout_ns"`
	Around      int64 `json:"around_ns"`
	Sample      int64 `json:"sample_ns"`
	Concurrency int64 `json:"concurrency,omitzero"` // of the run; 0: not said
}

// Service is one watched URL, shown without its query.
type Service struct {
	URL string `json:"url"`
	Phased[Probes]
}

// Probes are the probes of one URL that began in one phase.
type Probes struct {
	N        int64          `json:"n"`                 // probes that ended
	Failed   int64          `json:"failed"`            // of those
	Failures map[Kind]int64 `json:"failures,omitzero"` // by kind
	Cut      int64          `json:"cut,omitzero"`      // answers longer than is read of them; their latency ends where reading did
	Missed   int64          `json:"missed,omitzero"`   // probes that were due and not made: too many were still waiting, or this program was given no time
	Latency  *Latency       `json:"latency,omitzero"`  // nil where no probe was answered or timed out
}

// Latency is how long probes took, in nanoseconds: those that were answered below 400, and those that timed out, which
// stand at the time limit. A figure at the time limit therefore means "at least". Other failures are often quick and
// would make a failing service look fast, so they are counted and not timed.
type Latency struct {
	N      int64 `json:"n"`
	Median int64 `json:"median_ns"`
	P95    int64 `json:"p95_ns"`
	Worst  int64 `json:"worst_ns"`
}

// Spread sums up values of one phase.
type Spread struct {
	N      int64 `json:"n"`
	Min    int64 `json:"min"`
	Median int64 `json:"median"`
	Max    int64 `json:"max"`
}

// Host is the machine that the harness ran on, which need not be the model's.
type Host struct {
	Known  bool   `json:"known"`
	Note   string `json:"note,omitzero"` // why it, or a part of it, is not known
	CPUs   int64  `json:"cpus,omitzero"`
	Memory int64  `json:"memory_bytes,omitzero"`
	Phased[HostPhase]
}

// HostPhase is the host in one phase.
type HostPhase struct {
	Load      *Spread `json:"load1_centi,omitzero"`        // load average of one minute, in hundredths
	Busy      *Spread `json:"busy_permille,omitzero"`      // processors at work, in thousandths of their time
	Available *Spread `json:"available_permille,omitzero"` // memory available, in thousandths
}

// Accelerators are what nvidia-smi showed.
type Accelerators struct {
	Note string        `json:"note,omitzero"` // why there are none, or why asking ended
	List []Accelerator `json:"list"`
}

// Accelerator is one accelerator of the host.
type Accelerator struct {
	Index int64  `json:"index"`
	Name  string `json:"name"`
	Total int64  `json:"memory_mib,omitzero"` // 0: not known
	Phased[AcceleratorPhase]
}

// AcceleratorPhase is one accelerator in one phase.
type AcceleratorPhase struct {
	Busy *Spread `json:"busy_percent,omitzero"`
	Used *Spread `json:"used_mib,omitzero"`
}

// Encode gives the canonical JSON, or an error for a document that Decode would refuse.
func (d *Document) Encode() ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("contention: %w", err)
	}
	return record.Canonical(d)
}

// Decode reads what Encode wrote, and nothing else: not another version, not a member more, not other bytes for the same.
func Decode(data []byte) (*Document, error) {
	if len(data) > documentMax {
		return nil, fmt.Errorf("contention: the document has more than %d MiB", documentMax>>20)
	}
	var head struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, errors.New("contention: the document is not JSON of the right shape")
	}
	if head.Kind != Version {
		return nil, fmt.Errorf("contention: the document is %q, and this program reads %q", clip(printable(head.Kind), 64), Version)
	}
	d := new(Document)
	if err := json.Unmarshal(data, d); err != nil {
		return nil, errors.New("contention: the document is not JSON of the right shape")
	}
	again, err := d.Encode()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, data) {
		return nil, errors.New("contention: the document is not as it was written: it has other members, or is not canonical")
	}
	return d, nil
}
