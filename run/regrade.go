package run

import (
	"context"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// pageGrades is how many transcripts are graded between two commits.
const pageGrades = 128

// Flip is an attempt whose letter or pass differs between two sets of verdicts.
type Flip struct {
	N        int
	Key      record.Key
	Basis    record.Basis
	From, To record.Letter
}

// Regraded is what a re-grading came to.
type Regraded struct {
	Grader  string // the digest that was graded under
	Against string // the digest of the set that flips are counted against; "" when there was none
	Graded  int    // verdicts recorded
	Healed  int    // of these, ungradable before and not now
	Flips   int
	Faults  int // answers that the grader failed on
	Fault   string
	// Ungradable are verdicts recorded now that say this machine cannot grade.
	Ungradable int
}

// Regrade grades a run's transcripts again, under the set's digest. Under another digest than before that is a new set of
// verdicts beside the old ones; under the same one only what is missing or ungradable is graded. digest is the bench's
// as it stands; unless anyBench is set, it must be the run's (*DifferentError). flip is told of each attempt whose
// letter changed against the run's own set, in order. Errors are also *Interrupted and *store.Error.
func (e *Engine) Regrade(ctx context.Context, r *store.Run, set Set, digest string, anyBench bool, flip func(Flip)) (out Regraded, err error) {
	// Another bench's verdicts are never mixed into the run's own set: they need a grader's digest of their own.
	if b := set.Bench(); r.Plan.Bench != b.ID || r.Plan.Digest != digest && (!anyBench || set.Digest() == r.Plan.Grader) {
		var d differences
		d.compare("bench", r.Plan.Bench+"@"+r.Plan.Version, b.Name())
		d.compare("bench digest", r.Plan.Digest, digest)
		return out, &BenchError{Run: r, Differences: d, Named: anyBench}
	}
	unlock, err := e.Store.Lock(ctx, r.RunLock())
	if err != nil {
		return out, err
	}
	defer func() {
		if uerr := unlock(); err == nil {
			err = uerr
		}
	}()
	out.Grader = set.Digest()
	sets, err := e.Store.Sets(ctx, r)
	if err != nil {
		return out, err
	}
	for _, s := range sets {
		if s.Grader == r.Plan.Grader {
			out.Against = s.Grader
		}
	}
	g := regrading{engine: e, run: r, set: set, digest: digest, heal: true, against: out.Against}
	g.each = func(t store.Task, o record.Outcome, v *record.Verdict, fault string) {
		out.Graded++
		if fault != "" {
			if out.Faults++; out.Faults == 1 {
				out.Fault = fault
			}
		}
		if v.State == record.Ungradable {
			out.Ungradable++
		}
	}
	g.changed = func(t store.Task, was, now *record.Verdict) {
		if was.State == record.Ungradable && now.State != record.Ungradable && was.Grader == now.Grader {
			out.Healed++
		}
		if was.Letter != now.Letter || was.Pass != now.Pass {
			out.Flips++
			if flip != nil {
				flip(Flip{N: t.N, Key: t.Key, Basis: t.Basis, From: was.Letter, To: now.Letter})
			}
		}
	}
	if err := g.all(ctx); err != nil {
		if ctx.Err() != nil {
			return out, &Interrupted{Run: r}
		}
		return out, err
	}
	return out, nil
}

// BenchError refuses to grade a run by a bench that it was not made on.
type BenchError struct {
	Run         *store.Run
	Differences []string
	Named       bool // the bench was named: to grade by another digest was asked for
}

// Error is one line: what differs, and what to do.
func (e *BenchError) Error() string {
	do := "grade by the bench as it was, or, where its rules alone were changed, ask for it by naming the bench: assay grade --run " + e.Run.ID + " BENCH"
	if e.Named {
		do = "its rules are those of the run, so that there are no other verdicts to be had by it; grade by the bench as it was"
	}
	return "run " + e.Run.ID + " was made on another bench (run -> here): " + strings.Join(e.Differences, ", ") + "; " + do
}

// regrading grades stored transcripts, a page at a time: graded in parallel, recorded in order.
type regrading struct {
	engine  *Engine
	run     *store.Run
	set     Set
	digest  string
	heal    bool
	against string // digest of the set to compare with; "" for none
	each    func(t store.Task, o record.Outcome, v *record.Verdict, fault string)
	changed func(t store.Task, was, now *record.Verdict) // for attempts that answered
}

// regraded is one attempt's new verdict beside its old one.
type regraded struct {
	outcome record.Outcome
	verdict record.Verdict
	was     *record.Verdict
	fault   string
	row     store.Verdict
}

func (g *regrading) all(ctx context.Context) error {
	st := g.engine.Store
	for after := -1; ; {
		page, err := st.Ungraded(ctx, g.run, g.set.Digest(), g.heal, after, pageGrades)
		if err != nil || len(page) == 0 {
			return err
		}
		done := make([]regraded, len(page))
		group, inner := errgroup.WithContext(ctx)
		group.SetLimit(runtime.GOMAXPROCS(0))
		for i, t := range page {
			group.Go(func() error { return g.one(inner, t, &done[i]) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
		var b store.Batch
		for i := range done {
			b.Verdicts = append(b.Verdicts, done[i].row)
		}
		if err := st.Record(ctx, g.run, b); err != nil {
			return err
		}
		for i := range done {
			d := &done[i]
			g.each(page[i], d.outcome, &d.verdict, d.fault)
			if d.was != nil && g.changed != nil {
				g.changed(page[i], d.was, &d.verdict)
			}
		}
		after = page[len(page)-1].N
	}
}

func (g *regrading) one(ctx context.Context, t store.Task, out *regraded) error {
	st := g.engine.Store
	tr, err := st.Transcript(ctx, g.run, t.N, 0)
	if err != nil {
		return err
	}
	out.outcome = tr.Outcome
	if out.verdict, out.fault, err = Judge(ctx, g.set, t, tr); err != nil {
		return err
	}
	if g.against != "" && tr.Outcome == record.Answered {
		if out.was, err = g.old(ctx, t); err != nil {
			return err
		}
	}
	out.row, err = store.NewVerdict(t.N, out.verdict, g.digest, g.engine.Now().UnixNano())
	return err
}

// old reads the verdict to compare with; nil when there is none.
func (g *regrading) old(ctx context.Context, t store.Task) (*record.Verdict, error) {
	body, err := g.engine.Store.VerdictJSON(ctx, g.run, t.N, g.against)
	if store.KindOf(err) == store.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v, err := store.DecodeVerdict(body)
	return &v, err
}
