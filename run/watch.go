package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// A tag such as NAME:latest can be pulled again, and a server restarted with other weights, while a run is under way. So
// the models are asked again and again what they are. What was answered before the question was put is vouched for by an
// unchanged answer; where the answer has changed, whatever was recorded since the last unchanged one may be of either kind
// and is declared invalid.

// checked is what asking the models again came to.
type checked struct {
	changes []string // known to be otherwise than at the start of the session
	doubts  []string // not said any more, or not said at all
}

// check asks every model that is at work what it is and records the answers. With patience, one that does not answer is asked again.
func (s *Session) check(ctx context.Context, phase string, patience bool) (checked, error) {
	mark, err := s.engine.Store.Mark(context.WithoutCancel(ctx))
	if err != nil {
		return checked{}, err
	}
	return s.conclude(ctx, phase, mark, s.askAll(ctx, patience))
}

// said is what a model said of itself when it was asked.
type said struct {
	model   int // index into the plan's models
	taken   time.Time
	id      record.Identity
	changes []string
	err     error
}

// askAll asks every model that is at work what it is.
func (s *Session) askAll(ctx context.Context, patience bool) []said {
	out := []said{}
	for i := range s.spec.Models {
		if !s.works(i) || !s.identifies(i) {
			continue
		}
		id, changes, err := s.ask(ctx, i, patience)
		out = append(out, said{model: i, taken: s.engine.Now().UTC(), id: id, changes: changes, err: err})
	}
	return out
}

// conclude records what the models said. All that was on record at the mark had been answered before they were asked.
func (s *Session) conclude(ctx context.Context, phase string, mark int64, answers []said) (out checked, err error) {
	for _, a := range answers {
		name := s.spec.Models[a.model].Model.Name()
		if a.err != nil {
			// What was answered is recorded; a server that went away after its last answer does not undo it.
			out.doubts = append(out.doubts, name+": did not say what it is: "+model.OneLine(a.err.Error(), 0))
			continue
		}
		out.changes = append(out.changes, a.changes...)
		if len(a.changes) == 0 {
			out.doubts = append(out.doubts, identityDifferences(name, s.start[a.model].Identity, a.id)...)
		}
		err := s.engine.Store.SetIdentity(ctx, s.Run, store.Identity{Model: a.model, Phase: phase, Taken: a.taken, Mark: mark, Identity: a.id})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// ask asks one model. An answer that differs is asked for again, since much hangs on it: only one that stays so counts.
func (s *Session) ask(ctx context.Context, i int, patience bool) (id record.Identity, changes []string, err error) {
	m, retry := s.spec.Models[i].Model, s.engine.Retry.orDefault()
	tries := 1
	if patience {
		tries = retry.Tries
	}
	for try := 1; ; try++ {
		if patience {
			id, err = s.engine.identify(ctx, m)
		} else {
			id, err = askIdentity(ctx, m.(model.Identifier))
		}
		if err != nil {
			return id, nil, err
		}
		changes = identityChanges(m.Name(), s.start[i].Identity, id)
		if len(changes) == 0 || try >= max(2, tries) {
			return id, changes, nil
		}
		if err := wait(ctx, retry.delay(try, 0, s.engine.Rand())); err != nil {
			return id, nil, err
		}
	}
}

// watchModels checks the models now and then until ctx ends, and stops the session when one has changed.
func (x *execution) watchModels(ctx context.Context, cancel context.CancelCauseFunc) {
	s := x.session
	every := s.engine.CheckEvery
	if every == 0 {
		every = checkEvery
	}
	if every < 0 {
		return
	}
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		found, err := s.check(ctx, "check", true)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			cancel(err)
			return
		case len(found.changes) > 0:
			cancel(&ChangedError{Run: s.Run, Differences: found.changes})
			return
		}
	}
}

// part makes the last check of a session, which ended by err, and draws the conclusions of all checks. asked, if not nil, is
// what the models said after the last of their answers, while these were still being recorded; they are then not asked again.
func (s *Session) part(ctx context.Context, err error, asked []said) (drift []string, _ error) {
	if k := store.KindOf(err); k != "" && k != store.Cancelled {
		return nil, err
	}
	changed, found := errors.AsType[*ChangedError](err)
	if !found {
		last, cerr := s.lastCheck(context.WithoutCancel(ctx), err, asked)
		if cerr != nil {
			return nil, errors.Join(err, cerr)
		}
		drift = append(last.changes, last.doubts...)
		if len(last.changes) == 0 {
			return drift, err
		}
		changed = &ChangedError{Run: s.Run, Differences: last.changes}
	} else {
		drift = changed.Differences
	}
	n, herr := s.engine.settle(context.WithoutCancel(ctx), s.Run)
	if herr != nil {
		return drift, errors.Join(err, herr)
	}
	if changed.Attempts = n; n == 0 && err == nil {
		return drift, nil // changed after the last attempt was vouched for
	}
	return drift, changed
}

func (s *Session) lastCheck(ctx context.Context, err error, asked []said) (checked, error) {
	if err != nil {
		ctx, cancel := context.WithTimeout(ctx, partingTimeout)
		defer cancel()
		return s.check(ctx, "end", false)
	}
	if asked == nil {
		return s.check(ctx, "end", true)
	}
	mark, err := s.engine.Store.Mark(ctx)
	if err != nil {
		return checked{}, err
	}
	return s.conclude(ctx, "end", mark, asked)
}

// doubtful is a stretch of the record in which a model was not what it had been.
type doubtful struct {
	model       int
	after, upto int64 // marks
	differences []string
}

// stretches finds where models had changed, from what was recorded of them: from the last answer that was as at the run's
// beginning to the next such one, or to the end.
func stretches(r *store.Run, ids []store.Identity) []doubtful {
	var out []doubtful
	first := firstIdentities(r, ids)
	for m := range r.Plan.Models {
		var good int64
		var open *doubtful
		for _, id := range ids {
			if id.Model != m || first[m] == nil {
				continue
			}
			name := r.Plan.Models[m].Name
			changes := identityChanges(name, *first[m], id.Identity)
			switch {
			case len(changes) > 0 && open == nil:
				open = &doubtful{model: m, after: good, upto: math.MaxInt64, differences: changes}
			case len(changes) > 0 || len(identityLosses(name, *first[m], id.Identity)) > 0:
				// still changed, or nothing to go by
			default:
				if open != nil {
					open.upto = id.Mark
					out = append(out, *open)
					open = nil
				}
				good = id.Mark
			}
		}
		if open != nil {
			out = append(out, *open)
		}
	}
	return out
}

// vouchedFor is the mark up to which the answers of a model are known to be of what it was at the beginning.
func vouchedFor(r *store.Run, ids []store.Identity, m int) (mark int64) {
	first := firstIdentities(r, ids)[m]
	for _, id := range ids {
		if id.Model == m && first != nil && len(identityChanges("", *first, id.Identity)) == 0 && len(identityLosses("", *first, id.Identity)) == 0 {
			mark = max(mark, id.Mark)
		}
	}
	return mark
}

// settle declares invalid what was recorded while models had changed, and gives how many attempts that are. It finds them
// from the record alone and does nothing twice, so that it may be interrupted anywhere. Nobody may be recording tries.
func (e *Engine) settle(ctx context.Context, r *store.Run) (attempts int, err error) {
	ids, err := e.Store.Identities(ctx, r)
	if err != nil {
		return 0, err
	}
	for _, d := range stretches(r, ids) {
		n, err := e.invalidate(ctx, r, d)
		if err != nil {
			return attempts, err
		}
		attempts += n
	}
	return attempts, nil
}

// unsettled reports whether settle would find something.
func (e *Engine) unsettled(ctx context.Context, r *store.Run) (bool, error) {
	ids, err := e.Store.Identities(ctx, r)
	if err != nil {
		return false, err
	}
	for _, d := range stretches(r, ids) {
		if n, err := e.Store.Recorded(ctx, r, d.model, d.after, d.upto); err != nil || n > 0 {
			return true, err
		}
	}
	return false, nil
}

func (e *Engine) invalidate(ctx context.Context, r *store.Run, d doubtful) (int, error) {
	inv := &store.Invalidity{Model: d.model, After: d.after, Upto: d.upto, Differences: d.differences,
		Reason: model.OneLine(fmt.Sprintf("the model or its server changed during the run: %s", strings.Join(d.differences, "; ")), 400)}
	err := e.Store.Invalidate(ctx, r, inv, e.Now().UTC())
	return inv.Attempts, err
}
