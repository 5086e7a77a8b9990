package realism

import (
	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/record"
)

// Report is what an audit found. The same release, standard and program give the same bytes.
type Report struct {
	Auditor struct {
		Checks   string `json:"checks"`   // Version
		Contract string `json:"contract"` // what judges the tasks
		Program  string `json:"program"`
	} `json:"auditor"`
	Bench struct {
		Name   string   `json:"name"`
		Title  string   `json:"title"`
		Digest string   `json:"digest"`
		Grader string   `json:"grader"`
		Tasks  []string `json:"tasks"`
		Drafts []string `json:"drafts"`
	} `json:"bench"`
	Standard struct {
		Name      string `json:"name"`
		Version   string `json:"schema_version"`
		Effective string `json:"effective_date"`
		Source    string `json:"source"`
		SHA256    string `json:"sha256"`
	} `json:"standard"`
	Keys        []Row      `json:"keys"`
	Pass        int        `json:"pass"`
	Fail        int        `json:"fail"`
	Warn        int        `json:"warn"`
	NotMeasured int        `json:"not_measured"`
	Pairs       []Pair     `json:"pairs"` // the most alike, worst first
	Pages       []TaskPage `json:"tasks"`
}

func (r *Release) report() *Report {
	b := r.Set.Bench()
	rep := &Report{Keys: []Row{}, Pairs: []Pair{}, Pages: []TaskPage{}}
	rep.Auditor.Checks, rep.Auditor.Contract, rep.Auditor.Program = Version, contract.Version, r.Version
	rep.Bench.Name, rep.Bench.Title, rep.Bench.Digest, rep.Bench.Grader = b.Name(), b.Title, r.State.Digest, r.Set.Digest()
	rep.Bench.Tasks, rep.Bench.Drafts = []string{}, append([]string{}, r.Drafts...)
	for _, s := range r.Tasks {
		rep.Bench.Tasks = append(rep.Bench.Tasks, s.ID)
	}
	text := func(key string) string {
		l, _ := r.Standard.Leaf(key)
		s, _ := l.Value.(string)
		return s
	}
	rep.Standard.Name, rep.Standard.Version, rep.Standard.Effective = text("name"), text("schemaVersion"), text("effectiveDate")
	rep.Standard.Source, rep.Standard.SHA256 = r.Standard.Source, r.Standard.SHA256
	return rep
}

func (rep *Report) add(row Row) {
	rep.Keys = append(rep.Keys, row)
	switch row.Result {
	case Pass:
		rep.Pass++
	case Fail:
		rep.Fail++
	case Warn:
		rep.Warn++
	default:
		rep.NotMeasured++
	}
}

// Verdict is the whole release's: FAIL before NOT_MEASURED before WARN before PASS.
func (rep *Report) Verdict() Result {
	out := Pass
	for i := range rep.Keys {
		out = Worse(out, rep.Keys[i].Result)
	}
	return out
}

// Canonical gives the report's bytes: canonical JSON.
func (rep *Report) Canonical() ([]byte, error) { return record.Canonical(rep) }

// Row gives the row of a key.
func (rep *Report) Row(key string) (Row, bool) {
	for _, row := range rep.Keys {
		if row.Key == key {
			return row, true
		}
	}
	return Row{}, false
}
