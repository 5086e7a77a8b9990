package publication

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
)

// maxRepeats is the most that a run can plan.
const maxRepeats = 1000

// planned holds what the head says of the run's plan against the bench: what a bench fixes, nobody else can say. Whoever could
// leave an item out, or a caveat, would publish another figure with the same verdicts.
func (p *Publication) planned(b *bench.Bench) []Fault {
	plan := &p.Head.Plan
	var out []Fault
	no := func(format string, args ...any) { out = append(out, Fault{HeadFile, 0, fmt.Sprintf(format, args...)}) }
	if plan.Bench != b.ID || plan.Version != b.Version || plan.Shape != "" && plan.Shape != b.Shape {
		no("it says that the bench is %.60q, and the bench inside is %.60q", plan.Bench+"@"+plan.Version, b.Name())
	}
	if raw, err := record.Canonical(&b.Protocol); err != nil || plan.ProtocolDigest != b.Protocol.Digest() || string(raw) != string(plan.Protocol) {
		no("the protocol is not the bench's")
	}
	if !slices.Equal(plan.Face, b.Face()) {
		no("what the bench says of itself beside every figure is not what stands there")
	}
	switch {
	case plan.Repeats < 1 || plan.Repeats > maxRepeats:
		no("it plans %d repeats; they are 1 to %d", plan.Repeats, maxRepeats)
	case plan.RepeatsChosen == 0 && plan.Repeats != b.Protocol.Repeats || plan.RepeatsChosen != 0 && plan.RepeatsChosen != plan.Repeats:
		no("it plans %d repeats, the protocol has %d, and %d were chosen", plan.Repeats, b.Protocol.Repeats, plan.RepeatsChosen)
	}
	for i, q := range plan.Postures {
		if _, ok := b.Protocol.Posture(q); !ok || slices.Index(plan.Postures, q) != i {
			no("the posture %.60q is none of the bench's, or stands twice", q)
		}
	}
	for i, m := range plan.Models {
		if slices.IndexFunc(plan.Models, func(o store.PlanModel) bool { return o.Name == m.Name }) != i || m.Name == "" {
			no("the model %.60q stands twice, or has no name", m.Name)
		}
		if strings.HasPrefix(m.Name, "control/") && !m.Control {
			no("%.60q is a control, and is not called one", m.Name)
		}
		for k, q := range m.Postures {
			if q < 0 || q >= len(plan.Postures) || slices.Index(m.Postures, q) != k {
				no("the model %.60q has a posture that the plan does not have, or has one twice", m.Name)
				break
			}
		}
	}
	if len(plan.Models) == 0 {
		no("it plans no model")
	}
	if _, err := time.Parse(time.RFC3339Nano, p.Head.Created); err != nil {
		no("the time that the run was made is none")
	}
	if !plainID(p.Head.Run) {
		no("the run's id is none")
	}
	return out
}

// plainID says whether a text can be a run's id: letters and digits, with dashes between them.
func plainID(s string) bool {
	for _, r := range s {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return s != "" && len(s) <= 100
}

// order gives the attempts that the plan has on the items of a bench, in their one order: model by model, posture by posture,
// repeat by repeat over all items.
func order(plan *store.Plan, heads iter.Seq[bench.Head]) iter.Seq[Attempt] {
	var items []bench.Head
	chosen := 0
	for h := range heads {
		if !h.Frozen || len(plan.Only) > 0 && !slices.Contains(plan.Only, h.ID) {
			continue
		}
		if plan.Shard.Of == 0 || chosen%plan.Shard.Of == plan.Shard.I-1 {
			items = append(items, h)
		}
		chosen++
	}
	return func(yield func(Attempt) bool) {
		n := 0
		for _, m := range plan.Models {
			for _, q := range m.Postures {
				for repeat := 1; repeat <= plan.Repeats; repeat++ {
					for _, h := range items {
						key := record.Key{Model: m.Name, Posture: plan.Postures[q], Item: h.ID, Repeat: repeat}
						if !yield(Attempt{N: n, Key: key, Family: h.Family, Basis: h.Basis}) {
							return
						}
						n++
					}
				}
			}
		}
	}
}

// errMisplaced ends a walk at an attempt that is not the plan's.
var errMisplaced = errors.New("an attempt is not the plan's")

// misplaced says what stands where the plan has another attempt, or none.
func misplaced(a *Attempt, want Attempt, planned bool) string {
	if !planned {
		return "the plan has no such attempt"
	}
	return fmt.Sprintf("%.60q/%d of %.60q stands where the plan has %s/%d of %.60q", a.Key.Item, a.Key.Repeat, a.Key.Model, want.Key.Item, want.Key.Repeat, want.Key.Model)
}

// fits says what is wrong with an attempt by itself: its item is another one, it has a result that nothing brought about, or its
// trajectory is of another attempt. It is "" where all fits.
func fits(a *Attempt, want Attempt, t *record.Transcript) string {
	switch {
	case a.Family != want.Family || a.Basis != want.Basis:
		return fmt.Sprintf("it is of the family %.60q and the basis %.60q, and the item of %.60q and %.60q", a.Family, a.Basis, want.Family, want.Basis)
	case a.Tries < 0 || (a.Tries > 0) != (t != nil):
		return fmt.Sprintf("it has %d tries, and what was sent and received does not go with that", a.Tries)
	case t == nil && (a.Outcome != "" || a.Letter != record.LetterMissing || a.Pass):
		return "it has a result without a transcript"
	case t != nil && t.Episode != nil && t.Episode.Task != a.Key.Item:
		return fmt.Sprintf("its trajectory is of the task %.60q", t.Episode.Task)
	case t != nil && t.Episode != nil && t.Episode.Session != tasks.SessionName(a.Key):
		return "its trajectory is of another attempt"
	}
	return ""
}
