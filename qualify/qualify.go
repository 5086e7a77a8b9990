// Package qualify proves graders: it runs the controls that a bench carries and those generated from its references, twice
// each, and counts what was wrongly accepted and wrongly refused. A clean report makes a proof record, without which a
// bench does not run.
package qualify

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/record"
)

// Least controls that an item must carry, where its shape does not say so itself.
const (
	leastAccept = 2
	leastReject = 4
)

// Options says how much is checked.
type Options struct {
	Slow     bool     // run the controls that take seconds by design
	Only     []string // items; nil for all
	Progress func(done, total int)
}

// Report is what a check found. Counts are of judged controls, each of which was judged twice.
type Report struct {
	Bench        string       `json:"bench"`
	Digest       string       `json:"digest"`
	Grader       string       `json:"grader"`
	Items        int          `json:"items"` // frozen
	Drafts       int          `json:"drafts"`
	FalseAccepts int          `json:"false_accepts"`
	FalseRejects int          `json:"false_rejects"`
	Controls     int          `json:"controls"`
	Generated    int          `json:"generated"`
	SlowLeftOut  int          `json:"slow_left_out"`
	NotGraded    int          `json:"not_graded"` // this machine lacks what judging them needs
	Faults       []Fault      `json:"faults"`
	Warnings     []string     `json:"warnings"`
	PerItem      []ItemReport `json:"per_item"`
	// Claims are what the bench's shape shows beside its controls; Shown is the same by name, each with the number of those
	// that hold ("problems", "problems_ok").
	Claims []bench.Claim  `json:"-"`
	Shown  map[string]int `json:",embed"`

	index []byte
	only  []string // the items that were judged; nil for all
}

// ItemReport is the counts of one item.
type ItemReport struct {
	Item         string `json:"item"`
	Frozen       bool   `json:"frozen"`
	Accept       int    `json:"accept"`
	Reject       int    `json:"reject"`
	Generated    int    `json:"generated"`
	FalseAccepts int    `json:"false_accepts"`
	FalseRejects int    `json:"false_rejects"`
	NotGraded    int    `json:"not_graded"`
}

// Fault is one thing that is wrong with a bench or a grader.
type Fault struct {
	Item    string `json:"item"`
	Control string `json:"control"`
	Kind    string `json:"kind"` // false accept, false reject, other reason, unstable, controls, quota, blocked, not graded, self-check
	Msg     string `json:"msg"`
	Place   string `json:"place"` // file:line, "" where there is none
}

// String is the fault in one line.
func (f Fault) String() string {
	s := f.Kind + ": " + f.Msg
	if f.Control != "" {
		s = f.Control + ": " + s
	}
	if f.Item != "" {
		s = f.Item + ": " + s
	}
	if f.Place != "" {
		s = f.Place + ": " + s
	}
	return s
}

// Clean reports whether nothing was wrong and everything could be judged.
func (r *Report) Clean() bool { return len(r.Faults) == 0 && r.NotGraded == 0 }

// Check judges every control of a bench. The error is a fault of ours or a cancelled context; what is wrong with the bench
// or its graders is in the report.
func Check(ctx context.Context, set grade.Set, o Options) (*Report, error) {
	b := set.Bench()
	r := &Report{Bench: b.Name(), Grader: set.Digest(), Faults: []Fault{}, Warnings: []string{}, PerItem: []ItemReport{}}
	heads := slices.Collect(set.Heads())
	drafter, lenient := set.(grade.Drafter)
	r.structure(b, heads, lenient)
	if lenient {
		unfinished := map[string]bool{}
		for _, f := range drafter.Unfinished() {
			unfinished[f.Item] = true
			r.Faults = append(r.Faults, Fault{Item: f.Item, Kind: "unfinished", Msg: f.Msg, Place: f.Place})
		}
		heads = slices.DeleteFunc(heads, func(h bench.Head) bool { return unfinished[h.ID] })
	}
	for _, bl := range set.Blocked() {
		r.Faults = append(r.Faults, Fault{Item: bl.Item, Kind: "blocked", Msg: "cannot run: " + bl.Why})
	}
	if o.Only != nil {
		heads = slices.DeleteFunc(heads, func(h bench.Head) bool { return !slices.Contains(o.Only, h.ID) })
	}
	blocked := map[string]bool{}
	for _, bl := range set.Blocked() {
		blocked[bl.Item] = true
	}
	heads = slices.DeleteFunc(heads, func(h bench.Head) bool { return blocked[h.ID] })
	r.only = slices.Clone(o.Only)
	if o.Only == nil {
		var err error
		if r.index, err = set.Index(); err != nil {
			return nil, err
		}
	}
	var shown *bench.Claims
	if c, ok := set.(grade.Claimer); ok && o.Only == nil {
		var err error
		if shown, err = c.Claims(ctx); err != nil {
			return nil, err
		}
	}
	results := make([]itemResult, len(heads))
	var wg sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, 0
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(heads) || ctx.Err() != nil {
					return
				}
				results[i] = checkItem(ctx, set, heads[i], o.Slow, shown.MootOf(heads[i].ID))
				mu.Lock()
				done++
				if o.Progress != nil {
					o.Progress(done, len(heads))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	for _, res := range results {
		if res.err != nil {
			return nil, res.err
		}
		r.add(res)
	}
	if shown != nil {
		r.claims(shown)
	}
	if lenient {
		r.pardon(set)
	}
	return r, nil
}

// pardon makes warnings of what is wrong with drafts: they are never run or counted, and may be unfinished.
func (r *Report) pardon(set grade.Set) {
	drafts := map[string]bool{}
	for h := range set.Heads() {
		drafts[h.ID] = !h.Frozen
	}
	r.Faults = slices.DeleteFunc(r.Faults, func(f Fault) bool {
		if drafts[f.Item] {
			r.Warnings = append(r.Warnings, "draft: "+f.String())
		}
		return drafts[f.Item]
	})
	for _, it := range r.PerItem {
		if !it.Frozen {
			r.FalseAccepts -= it.FalseAccepts
			r.FalseRejects -= it.FalseRejects
			r.NotGraded -= it.NotGraded
		}
	}
}

// structure holds the counts that the manifest promises against the items. Where drafts may come and go, their number is worth
// a warning and no fault.
func (r *Report) structure(b *bench.Bench, heads []bench.Head, lenient bool) {
	frozen := map[string]int{}
	var n bench.Counts
	for _, h := range heads {
		n.Drafted++
		if !h.Frozen {
			continue
		}
		n.Frozen++
		frozen[h.Family]++
		if h.Basis == record.Exact {
			n.Exact++
		} else {
			n.Proxy++
		}
	}
	r.Items, r.Drafts = n.Frozen, n.Drafted-n.Frozen
	quota := func(format string, args ...any) {
		r.Faults = append(r.Faults, Fault{Kind: "quota", Msg: fmt.Sprintf(format, args...), Place: "bench.yaml"})
	}
	for _, f := range b.Families {
		if f.Quota >= 0 && frozen[f.ID] != f.Quota {
			quota("the family %s has %d frozen items, and its quota is %d", f.ID, frozen[f.ID], f.Quota)
		}
	}
	if b.Counts == nil || *b.Counts == n {
		return
	}
	if but := *b.Counts; lenient {
		if but.Drafted = n.Drafted; but == n {
			r.Warnings = append(r.Warnings, fmt.Sprintf("bench.yaml: counts promises %s with the drafts, and there are %d; write drafted: %d before the bench is frozen", items(b.Counts.Drafted), n.Drafted, n.Drafted))
			return
		}
	}
	quota("counts promises %d frozen of %d drafted, %d exact and %d proxy, and the items are %d of %d, %d and %d",
		b.Counts.Frozen, b.Counts.Drafted, b.Counts.Exact, b.Counts.Proxy, n.Frozen, n.Drafted, n.Exact, n.Proxy)
}

func items(n int) string {
	if n == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", n)
}

func (r *Report) add(res itemResult) {
	r.PerItem = append(r.PerItem, res.ItemReport)
	r.Faults = append(r.Faults, res.faults...)
	r.FalseAccepts += res.FalseAccepts
	r.FalseRejects += res.FalseRejects
	r.Controls += res.Accept + res.Reject
	r.Generated += res.Generated
	r.NotGraded += res.NotGraded
	r.SlowLeftOut += res.slow
}

func (c *checker) fault(control, place, kind, msg string) {
	if place == "" {
		place = c.head.File
	}
	c.res.faults = append(c.res.faults, Fault{Item: c.head.ID, Control: control, Kind: kind, Msg: msg, Place: place})
}
