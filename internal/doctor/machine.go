package doctor

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/assaybench/assay/contention"
)

// smiPatience is how long nvidia-smi may take; without persistence mode it wakes the hardware first.
const smiPatience = 1800 * time.Millisecond

func (g *gatherer) program() Program {
	p := Program{Assay: g.line(g.Assay, nameMost), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	p.Finding = Finding{State: OK, Say: fmt.Sprintf("%s, %s, %s/%s", p.Assay, p.Go, p.OS, p.Arch)}
	return p
}

// machine takes one sample of the host, as a run with --watch takes many.
func (g *gatherer) machine(ctx context.Context) (CPUs, Memory, Accelerator) {
	c := CPUs{Count: runtime.NumCPU(), Usable: min(runtime.NumCPU(), runtime.GOMAXPROCS(0))}
	c.Finding = Finding{State: OK, Say: fmt.Sprint(c.Count)}
	if c.Usable < c.Count {
		c.Say = fmt.Sprintf("%d, of which this program may use %d", c.Count, c.Usable)
	}
	smi := false
	w, err := contention.Start(ctx, contention.Options{Now: g.Now, Getenv: g.Getenv, LookPath: func(name string) (string, error) {
		path, err := g.LookPath(name)
		smi = err == nil
		return path, err
	}})
	if err != nil {
		f := g.finding(Fault, err.Error(), "")
		return c, Memory{Finding: f}, Accelerator{Finding: f, List: []contention.AcceleratorLoad{}}
	}
	load := awaitLoad(ctx, w, smi)
	doc := w.Stop()

	m := Memory{Finding: g.finding(Missing, doc.Host.Note, "")}
	if m.Say == "" {
		m.Say = "not known"
	}
	if load.Memory != nil {
		m.Total, m.Available = load.Memory.Total, load.Memory.Available
		m.Finding = Finding{State: OK, Say: fmt.Sprintf("%s, of which %s available", Size(m.Total), Size(m.Available))}
	}
	return c, m, g.accelerator(load.Accelerators, smi, doc.Accelerators.Note)
}

func (g *gatherer) accelerator(list []contention.AcceleratorLoad, smi bool, note string) Accelerator {
	a := Accelerator{List: append([]contention.AcceleratorLoad{}, list...)}
	switch {
	case !smi:
		a.Finding = Finding{Missing, "none seen: there is no nvidia-smi", "where this machine has one, install its driver with nvidia-smi"}
	case len(a.List) == 0:
		if note == "" {
			note = fmt.Sprintf("nvidia-smi did not answer within %v", smiPatience)
		}
		a.Finding = g.finding(Fault, "none seen: "+note, "run nvidia-smi and see what it says")
	default:
		a.State = OK
		for i := range a.List {
			// Its name is nvidia-smi's own, and reaches the JSON too.
			a.List[i].Name = g.line(a.List[i].Name, nameMost)
			if i > 0 {
				a.Say += "; "
			}
			a.Say += a.List[i].Name
			if total := a.List[i].Total; total != nil {
				a.Say += ", " + Size(*total<<20)
			}
		}
	}
	return a
}

// awaitLoad waits for the first sample: of memory for a moment, of the accelerators as long as nvidia-smi may take.
func awaitLoad(ctx context.Context, w *contention.Watcher, smi bool) contention.Load {
	ctx, cancel := context.WithTimeout(ctx, smiPatience)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		load, _ := w.Now()
		// A machine whose memory cannot be sampled never gives a sample: 40 looks are 200 ms.
		if (load.Memory != nil || n > 40) && (!smi || len(load.Accelerators) > 0) {
			return load
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return load
		}
	}
}
