package web

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/publication"
	"github.com/assaybench/assay/store"
)

// keptAtOnce bounds how many bytes of a publication wait to be recorded.
const keptAtOnce = 4 << 20

// Keep records what a publication holds in a store, under the run's own id, so that it is shown as any other run. source is
// where its bench is found; "" where the publisher withheld it. Of an attempt that took several tries a publication has the
// last one alone. What does not fit together in the publication is a fault.
func Keep(ctx context.Context, db *store.DB, pub *publication.Publication, source string) ([]publication.Fault, error) {
	created, err := time.Parse(time.RFC3339Nano, pub.Head.Created)
	if err != nil {
		return []publication.Fault{{Path: publication.HeadFile, What: "the time that the run was made is none"}}, nil
	}
	run := &store.Run{ID: pub.Head.Run, Created: created, Plan: pub.Head.Plan}
	run.Plan.Source = source
	var planned []store.Attempt
	faults, err := pub.Each(func(a *publication.Attempt, _ *record.Transcript) error {
		m := slices.IndexFunc(run.Plan.Models, func(m store.PlanModel) bool { return m.Name == a.Key.Model })
		p := slices.Index(run.Plan.Postures, a.Key.Posture)
		if m < 0 || p < 0 {
			return fmt.Errorf("attempt %d is of a model or posture that its plan does not have", a.N)
		}
		planned = append(planned, store.Attempt{Model: m, Posture: p, Repeat: a.Key.Repeat, Item: a.Key.Item, Family: a.Family, Basis: a.Basis})
		return nil
	})
	if err != nil || len(faults) > 0 {
		return faults, err
	}
	if err := db.CreateRun(ctx, run, slices.Values(planned)); err != nil {
		return nil, err
	}
	var batch store.Batch
	held := 0
	flush := func() error {
		err := db.Record(ctx, run, batch)
		batch, held = store.Batch{}, 0
		return err
	}
	_, err = pub.Each(func(a *publication.Attempt, t *record.Transcript) error {
		if t == nil {
			return nil
		}
		try, err := store.NewTry(a.N, 1, *t)
		if err != nil {
			return err
		}
		batch.Tries = append(batch.Tries, try)
		if string(a.Verdict) != "null" && t.Outcome != record.Error {
			v, err := store.DecodeVerdict(a.Verdict)
			if err != nil {
				return err
			}
			v.Grader = run.Plan.Grader
			row, err := store.NewVerdict(a.N, v, run.Plan.Digest, created.UnixNano())
			if err != nil {
				return err
			}
			batch.Verdicts = append(batch.Verdicts, row)
		}
		if held += try.Size(); held > keptAtOnce || len(batch.Tries) == 1000 {
			return flush()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return nil, flush()
}
