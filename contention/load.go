package contention

import (
	"fmt"
	"strings"
	"time"
)

// Load is how busy the machine was at one moment. What is not known is left out.
type Load struct {
	At           time.Time         `json:"at"`
	Average      *Average          `json:"average,omitzero"`
	Busy         *int64            `json:"busy_permille,omitzero"` // processors at work since the sample before, in thousandths of their time
	Memory       *Memory           `json:"memory,omitzero"`
	Accelerators []AcceleratorLoad `json:"accelerators,omitempty"`
}

// Average is the system's load average of one minute, in hundredths, and the processors that it is for.
type Average struct {
	Load1 int64 `json:"load1_centi"`
	CPUs  int64 `json:"cpus"`
}

// Memory is in bytes. Available is what programs could still get without swapping.
type Memory struct {
	Available int64 `json:"available_bytes"`
	Total     int64 `json:"total_bytes"`
}

// permille is the available share in thousandths.
func (m Memory) permille() int64 { return permille(m.Available, m.Total) }

// AcceleratorLoad is one accelerator as nvidia-smi reports it. What it does not say ("[N/A]") is nil.
type AcceleratorLoad struct {
	Index int64  `json:"index"`
	Name  string `json:"name"`
	Busy  *int64 `json:"busy_percent,omitzero"`
	Used  *int64 `json:"used_mib,omitzero"`
	Total *int64 `json:"total_mib,omitzero"`
}

// String is one line for people.
func (l Load) String() string {
	var parts []string
	if a := l.Average; a != nil {
		s := "load " + fixed(a.Load1, 100, 2)
		if a.CPUs > 0 {
			s += " on " + count(a.CPUs, "CPU")
		}
		parts = append(parts, s)
	}
	if l.Busy != nil {
		parts = append(parts, "CPUs "+percent(*l.Busy)+" busy")
	}
	if m := l.Memory; m != nil {
		parts = append(parts, percent(m.permille())+" of "+size(m.Total)+" memory available")
	}
	for _, a := range l.Accelerators {
		var s []string
		if a.Busy != nil {
			s = append(s, fmt.Sprintf("%d %% busy", *a.Busy))
		}
		if a.Used != nil && a.Total != nil {
			s = append(s, fmt.Sprintf("%d of %d MiB used", *a.Used, *a.Total))
		}
		if len(s) > 0 {
			parts = append(parts, fmt.Sprintf("accelerator %d %s", a.Index, strings.Join(s, ", ")))
		}
	}
	if len(parts) == 0 {
		return "load not known"
	}
	return strings.Join(parts, "; ")
}

// known reports whether the sample says anything.
func (l Load) known() bool {
	return l.Average != nil || l.Busy != nil || l.Memory != nil || len(l.Accelerators) > 0
}
