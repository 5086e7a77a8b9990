package cli

import (
	"fmt"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/run"
)

// boundCost gives a run the prices by which its bench's limit of cost ends episodes. Whom the limit does not bind, the run and
// its results say.
func (p *Process) boundCost(o *opened, s *run.Spec, specs []model.Spec, f runFlags) error {
	w, ok := o.set.(run.Worker)
	if !ok || w.Limits().Cost == 0 {
		return nil
	}
	limits := w.Limits()
	table, err := p.prices(f.prices)
	if err != nil {
		return err
	}
	if table != nil && table.Currency != limits.Currency {
		return usage("%s has prices in %s, and %s limits an episode's cost to %s %s; give a price file in that currency with --prices", table.File, table.Currency, o.bench.Name(), limits.Cost, limits.Currency)
	}
	s.Prices = make([]*price.Price, len(specs))
	for i, spec := range specs {
		name, why := spec.Provider+"/"+spec.Name, "no price of it is known"
		switch spec.Provider {
		case "control", "replay":
			continue // nothing is generated
		case "command":
			why = "what a program spends is not seen"
		default:
			if x, ok := table.Of(name); ok {
				s.Prices[i] = &x
				continue
			}
		}
		flag := fmt.Sprintf("the bench's limit of %s %s for an episode does not bind %s: %s", limits.Cost, limits.Currency, name, why)
		s.Flags = append(s.Flags, flag)
		if !f.quiet && o.private == nil {
			p.notef("warning: %s", flag)
		}
	}
	return nil
}
