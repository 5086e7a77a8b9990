package stored

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/premise"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report"
	"github.com/assaybench/assay/store"
)

// regressionSuffix is what the id of a regression set has beyond that of the bench that it belongs to.
const regressionSuffix = "-regression"

// IsPrivate reports whether a run is one of a private set: of it nothing is shown but counts and the letters of items.
func IsPrivate(r *store.Run) bool { return slices.Contains(r.Plan.Flags, store.FlagPrivate) }

// premiseRun gives what the results of authoring problems need beside the common part; nil for another bench. Linked runs
// are read with links alone, so that these do not read theirs.
func premiseRun(ctx context.Context, db store.Store, r *store.Run, o Options) (*report.PremiseRun, error) {
	if r.Plan.Shape != bench.ShapePremise {
		return nil, nil
	}
	p := &report.PremiseRun{Plain: r.Plan.Plain, Repairs: premise.Repairs, Private: IsPrivate(r), Thinking: map[string]string{}}
	var protocol struct {
		Postures []struct {
			Name     string `json:"name"`
			Thinking string `json:"thinking"`
		} `json:"postures"`
	}
	if err := json.Unmarshal(r.Plan.Protocol, &protocol); err != nil {
		return nil, fmt.Errorf("run %s: the protocol in its plan cannot be read: %w", r.ID, err)
	}
	for _, q := range protocol.Postures {
		p.Thinking[q.Name] = q.Thinking
	}
	if o.alone || p.Private || o.Grader != r.Plan.Grader {
		return p, nil
	}
	var err error
	if p.PrivateOf, err = privateOf(ctx, db, r); err == nil {
		p.Regression, err = regressionOf(ctx, db, r)
	}
	return p, err
}

// privateOf reads the newest run of a private set that was made with the run.
func privateOf(ctx context.Context, db store.Store, r *store.Run) (map[[2]string]report.Linked, error) {
	links, err := store.Links(ctx, db, r)
	if err != nil {
		return nil, err
	}
	for _, l := range slices.Backward(links) {
		if l.Main != r.ID {
			continue
		}
		other, err := db.FindRun(ctx, l.Private)
		if err != nil {
			return nil, err
		}
		return linked(ctx, db, other, true)
	}
	return nil, nil
}

// regressionOf finds for each model at each posture the newest whole run of the bench's regression set that is judged alike.
func regressionOf(ctx context.Context, db store.Store, r *store.Run) (map[[2]string]report.Linked, error) {
	var runs []*store.Run // read to the end first, so that no cursor is open meanwhile
	for other, err := range db.Runs(ctx) {
		if err != nil {
			return nil, err
		}
		p := &other.Plan
		if p.Bench == r.Plan.Bench+regressionSuffix && p.Method == r.Plan.Method && len(p.Only) == 0 && p.Shard == (store.Shard{}) && !IsPrivate(other) {
			runs = append(runs, other)
		}
	}
	want := settings(r)
	out := map[[2]string]report.Linked{}
	for _, other := range runs {
		has := settings(other)
		if !slices.ContainsFunc(want, func(k [2]string) bool { _, done := out[k]; return !done && slices.Contains(has, k) }) {
			continue
		}
		scores, err := linked(ctx, db, other, false)
		if err != nil {
			return nil, err
		}
		for k, l := range scores {
			if _, done := out[k]; !done {
				out[k] = l
			}
		}
	}
	return out, nil
}

// settings lists a run's models at their postures.
func settings(r *store.Run) [][2]string {
	var out [][2]string
	for _, m := range r.Plan.Models {
		for _, q := range m.Postures {
			if q >= 0 && q < len(r.Plan.Postures) {
				out = append(out, [2]string{m.Name, r.Plan.Postures[q]})
			}
		}
	}
	return out
}

// linked reads what another run came to, under its own grader.
func linked(ctx context.Context, db store.Store, r *store.Run, failed bool) (map[[2]string]report.Linked, error) {
	res, err := Result(ctx, db, r, Options{alone: true})
	if err != nil {
		return nil, err
	}
	out := map[[2]string]report.Linked{}
	if res.Premise == nil {
		return out, nil
	}
	for _, p := range res.Premise.Settings {
		l := report.Linked{Run: r.ID, Bench: r.Plan.Bench + "@" + r.Plan.Version, Passed: p.Passed, Items: p.Items, Judged: p.Judged, Failed: []report.FailedItem{}}
		if failed {
			l.Failed = p.Failed
		}
		out[[2]string{p.Model, p.Posture}] = l
	}
	return out, nil
}

// letters are the meanings of the letters of the run's shape.
// Letters are what the letters of a run's shape mean, beside those that every bench has.
func Letters(r *store.Run) []report.Meaning {
	if r.Plan.Shape != bench.ShapePremise {
		return nil
	}
	var out []report.Meaning
	for _, m := range premise.Meanings {
		out = append(out, report.Meaning{Letter: m.Letter, Meaning: m.Meaning})
	}
	return out
}

// premise takes from a verdict what the results of authoring problems need.
func (rd *reader) premise(n int, out *report.Row) error {
	b, err := rd.db.VerdictJSON(rd.ctx, rd.run, n, rd.grader)
	if err != nil {
		return err
	}
	v := new(struct {
		Reason  string   `json:"reason"`
		Reading *string  `json:"reading"`
		Over    int      `json:"over_declared"`
		Repairs int      `json:"repairs"`
		Tries   []string `json:"tries"`
	})
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("attempt %d: its verdict is not JSON: %w", n, err)
	}
	if len(v.Tries) > 0 { // a grader that failed gives none
		out.Premise = &record.Premise{Reading: v.Reading, OverDeclared: v.Over, Repairs: v.Repairs, Tries: v.Tries}
	}
	if out.State == record.Ungradable {
		out.Reason = v.Reason
	}
	return nil
}

// hush takes from a row of a private set every text that may hold something of it.
func hush(row *report.Row) {
	row.Reason = ""
	if row.Detail != nil {
		row.Detail.Reason = ""
		for i := range row.Detail.Settings {
			row.Detail.Settings[i].Why = ""
		}
	}
	if row.Premise != nil {
		row.Premise.Reading = nil
	}
}
