package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/run"
	"github.com/assaybench/assay/store"
)

// link joins the run of a bench with that of a private set, once.
func (p *Process) link(db store.Store, main, private *store.Run, file string) error {
	ctx := context.WithoutCancel(p.Context)
	l := store.Link{Main: main.ID, Private: private.ID, File: file}
	for _, r := range []*store.Run{private, main} {
		have, err := store.Links(ctx, db, r)
		if err != nil {
			return err
		}
		// Of a bench's run the last link is the one that counts; a private set's may stand beside several.
		if n := len(have); r == private && slices.Contains(have, l) || n > 0 && have[n-1] == l {
			continue
		}
		f, err := store.NewFact(store.FactLink, store.NoIndex, store.NoIndex, p.Now(), l)
		if err == nil {
			err = db.AddFacts(ctx, r, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hushed takes from an error of a private set's run the words of a server, which may hold what it was asked.
func hushed(err error) error {
	stop, ok := errors.AsType[*run.StopError](err)
	if _, limit := errors.AsType[*price.Limit](err); !ok || limit {
		return err
	}
	const why = "what it said is not shown, since the set is private"
	if stop.Fault == nil {
		return fault(fmt.Errorf("model %s: the run of the private set was stopped; %s; the same command resumes it", stop.Model, why))
	}
	kind := string(stop.Fault.Kind)
	if stop.Fault.Status != 0 {
		kind += fmt.Sprintf(" (HTTP %d)", stop.Fault.Status)
	}
	if strings.Contains(stop.Fault.Msg, "--no-schema") {
		return fault(fmt.Errorf("model %s: the run of the private set was stopped: %s, structured output was refused; %s; --no-schema --new runs without it, and the same command would be refused again", stop.Model, kind, why))
	}
	return fault(fmt.Errorf("model %s: the run of the private set was stopped: %s; %s; once it is mended, the same command resumes it", stop.Model, kind, why))
}

// findRun finds a run; the latest one is the latest that is not of a private set, which only ever stands beside another.
func (p *Process) findRun(db store.Store, ref string) (*store.Run, error) {
	if ref != "latest" {
		return db.FindRun(p.Context, ref)
	}
	for r, err := range db.Runs(p.Context) {
		if err != nil || !stored.IsPrivate(r) {
			return r, err
		}
	}
	return db.FindRun(p.Context, ref)
}

// replayed finds the run that replay/RUN names: for a private set, the one that was made beside it.
func (p *Process) replayed(o *opened, db store.Store, ref string) (*store.Run, error) {
	r, err := db.FindRun(p.Context, ref)
	if ref == "latest" { // of the runs that asked somebody, or an interrupted replay would replay itself
		r, err = p.latestAsked(db)
	}
	if err != nil {
		return nil, storeError(err)
	}
	if o.private != nil {
		if r, err = p.privateOf(db, r); err != nil {
			return nil, err
		}
	}
	// Answers to one bench are never shown as answers to another.
	if r.Plan.Digest != o.state.Digest {
		return nil, usage("replay/%s: run %s was made on %s@%s with the digest %.12s, and this is %s with %.12s; a run is replayed on its own bench", ref, r.ID, r.Plan.Bench, r.Plan.Version, r.Plan.Digest, o.bench.Name(), o.state.Digest)
	}
	return r, nil
}

// privateOf finds the run of a private set that was made with a run.
func (p *Process) privateOf(db store.Store, main *store.Run) (*store.Run, error) {
	links, err := store.Links(p.Context, db, main)
	if err != nil {
		return nil, storeError(err)
	}
	for _, l := range slices.Backward(links) {
		if l.Main != main.ID {
			continue
		}
		r, err := db.FindRun(p.Context, l.Private)
		if err != nil {
			return nil, storeError(err)
		}
		return r, nil
	}
	return nil, usage("replay/%s: it was made without a private set; leave --private off", main.ID)
}

// openGraded opens what a run is graded again by: its bench, or the private set behind its bench's prompt.
func (p *Process) openGraded(db store.Store, r *store.Run, ref, file string) (*opened, error) {
	if !stored.IsPrivate(r) {
		if file != "" {
			return nil, usage("run %s is not one of a private set; leave --private off", r.ID)
		}
		return p.open(ref)
	}
	if file == "" {
		links, err := store.Links(p.Context, db, r)
		if err != nil {
			return nil, storeError(err)
		}
		if len(links) == 0 {
			return nil, usage("run %s is one of a private set: name its file with --private", r.ID)
		}
		file = links[len(links)-1].File
	}
	of, err := p.open(ref)
	if err != nil {
		return nil, err
	}
	return p.openPrivate(of, file)
}

// letterOf is all that is shown of an attempt of a private set.
type letterOf struct {
	record.Key
	Letter record.Letter `json:"letter"`
}

// printLetters shows the attempts at one item of a private set: their letters.
func (p *Process) printLetters(r *store.Run, list []letterOf, item string, asJSON bool) error {
	if asJSON {
		return p.writeJSON(map[string]any{"run": r.ID, "item": item, "private": true, "attempts": list})
	}
	for _, a := range list {
		p.printf("%s, posture %s, repeat %d: %s:%s\n", plain(a.Model), plain(a.Posture), a.Repeat, plain(a.Item), a.Letter)
	}
	p.printf("a private set: nothing else of it is shown\n")
	return nil
}
