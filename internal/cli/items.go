package cli

import (
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/report/items"
	"github.com/assaybench/assay/store"
)

// itemReport prints what runs say of their bench's items.
func (p *Process) itemReport(db store.Store, refs []string, grader string, asJSON bool) error {
	var results []*report.Result
	for _, ref := range refs {
		r, err := p.findRun(db, ref)
		if err != nil {
			return storeError(err)
		}
		res, err := p.wholeResult(db, r, grader)
		if err != nil {
			return err
		}
		results = append(results, res)
	}
	r, err := items.New(results)
	switch {
	case err != nil:
		return usage("%v", err)
	case asJSON:
		return fault(r.JSON(p.Stdout))
	}
	return fault(r.Text(p.Stdout))
}
