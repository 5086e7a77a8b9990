package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// SubmitTool is the tool by which an agent answers.
const SubmitTool = "assay.submit_answer"

// Episode is what there is to judge.
type Episode struct {
	Events  []world.Event
	Final   []world.Change // the difference of the final state from the baseline, which was taken after the task's own seed
	Answer  jsontext.Value // nil: the arguments of the last submission among the events
	Outcome record.Outcome // how the episode ended; only an answered one is judged for the record

	TaskDigest  string // of the task's public files
	StateDigest string // of the final state; "" for that of the final difference
}

// call is an agent's event, read.
type call struct {
	*world.Event
	args, result any
	effect       []*change
}

// change is one row's change, with values as a contract compares them.
type change struct {
	table, op, id      string // id: table and key
	key, before, after map[string]any
	columns            []string
}

func newChange(c *world.Change) *change {
	columns := func(r world.Row) map[string]any {
		if r == nil {
			return nil
		}
		out := make(map[string]any, len(r))
		for k, v := range r {
			out[k] = exact.Column(v)
		}
		return out
	}
	out := &change{table: c.Table, op: c.Op, key: columns(c.Key), before: columns(c.Before), after: columns(c.After)}
	out.id = c.Table + "\x00" + exact.Text(out.key)
	for _, k := range slices.Sorted(maps.Keys(mergeRows(out.before, out.after))) {
		a, inBefore := out.before[k]
		b, inAfter := out.after[k]
		if inBefore != inAfter || !exact.Equal(a, b) {
			out.columns = append(out.columns, k)
		}
	}
	return out
}

func mergeRows(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]any{}
	}
	maps.Copy(out, b)
	return out
}

// row gives the row as it stands after the change, or stood before it was deleted.
func (c *change) row() map[string]any {
	if c.op == world.Delete {
		return c.before
	}
	return c.after
}

// ours says whether a table belongs to the machinery and not to the world.
func ours(table string) bool {
	return strings.HasPrefix(table, "assay_") || strings.HasPrefix(table, "sqlite_")
}

// newCall reads an event. Arguments or a result that are no JSON are left as nothing: no criterion holds of them.
func newCall(e *world.Event) *call {
	c := &call{Event: e}
	if v, err := exact.Decode(e.Args); err == nil {
		c.args = v
	}
	if e.OK() {
		if v, err := exact.Decode(e.Result); err == nil {
			c.result = v
		}
	}
	for i := range e.Effect {
		if !ours(e.Effect[i].Table) {
			c.effect = append(c.effect, newChange(&e.Effect[i]))
		}
	}
	return c
}

// part gives a part of a call by its plain name: of the result, else of a changed row, else of the arguments.
func (c *call) part(name string) (any, bool) {
	at := pointer.Pointer{}
	for _, s := range strings.Split(name, ".") {
		at = append(at, pointer.Part{Name: s})
	}
	if v, ok := at.Get(c.result); ok {
		return v, true
	}
	for _, e := range c.effect {
		if v, ok := e.row()[name]; ok {
			return v, true
		}
	}
	return at.Get(c.args)
}

// at gives the parts of a call that a place names.
func (c *call) at(p Place) []any {
	switch p.Part {
	case "args":
		return p.At.All(c.args)
	case "result":
		return p.At.All(c.result)
	}
	for _, e := range c.effect {
		if e.table != p.Table {
			continue
		}
		if v, ok := e.row()[p.At[0].Name]; ok {
			return []any{v}
		}
	}
	return nil
}

// replayChanges gives the net difference that the events make, by row.
func replayChanges(events []world.Event) map[string]*change {
	net := map[string]*change{}
	for i := range events {
		if events[i].Actor == world.Setup {
			continue
		}
		for j := range events[i].Effect {
			if ours(events[i].Effect[j].Table) {
				continue
			}
			c := newChange(&events[i].Effect[j])
			prev := net[c.id]
			if prev == nil {
				net[c.id] = c
				continue
			}
			net[c.id] = compose(prev, c)
		}
	}
	for id, c := range net {
		if c.before == nil && c.after == nil || c.before != nil && c.after != nil && exact.Equal(c.before, c.after) {
			delete(net, id)
		}
	}
	return net
}

func compose(a, b *change) *change {
	c := &change{table: a.table, id: a.id, key: b.key, before: a.before, after: b.after}
	switch {
	case c.before == nil:
		c.op = world.Insert
	case c.after == nil:
		c.op = world.Delete
	default:
		c.op = world.Update
	}
	for _, k := range slices.Sorted(maps.Keys(mergeRows(c.before, c.after))) {
		if !exact.Equal(c.before[k], c.after[k]) {
			c.columns = append(c.columns, k)
		}
	}
	return c
}

// inconsistent says how the final difference and the events contradict each other, or "". A state that no event explains is
// no agent's work: a baseline taken too early, a torn copy, another's write.
func inconsistent(e *Episode) string {
	for i := range e.Events {
		if ev := &e.Events[i]; ev.Actor == world.Harness && len(ev.Effect) > 0 {
			return fmt.Sprintf("the harness changed the world in event %d", ev.Seq)
		}
		if i > 0 && e.Events[i].Seq <= e.Events[i-1].Seq {
			return fmt.Sprintf("event %d stands after event %d", e.Events[i].Seq, e.Events[i-1].Seq)
		}
	}
	net := replayChanges(e.Events)
	seen := map[string]bool{}
	for i := range e.Final {
		if ours(e.Final[i].Table) {
			continue
		}
		f := newChange(&e.Final[i])
		n := net[f.id]
		if seen[f.id] {
			return "the final difference names a row of " + f.table + " twice"
		}
		seen[f.id] = true
		if n == nil {
			return fmt.Sprintf("the final state has a change of %s %s that no event made", f.table, exact.Text(f.key))
		}
		if n.op != f.op || !sameRow(n.before, f.before) || !sameRow(n.after, f.after) {
			return fmt.Sprintf("the final state of %s %s is not what the events left", f.table, exact.Text(f.key))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(net)) {
		if !seen[id] {
			return fmt.Sprintf("the events changed %s %s, and the final state does not show it", net[id].table, exact.Text(net[id].key))
		}
	}
	return ""
}

func sameRow(a, b map[string]any) bool {
	return (a == nil) == (b == nil) && exact.Equal(map[string]any(a), map[string]any(b))
}

// submission gives the last submitted answer and its event's number; MaxInt where none was submitted.
func submission(e *Episode, calls []*call) (answer map[string]any, seq, count int) {
	seq = math.MaxInt
	for _, c := range calls {
		if c.Tool == SubmitTool && c.OK() {
			answer, _ = c.args.(map[string]any)
			seq, count = c.Seq, count+1
		}
	}
	if e.Answer != nil {
		answer = nil
		if v, err := exact.Decode(e.Answer); err == nil {
			answer, _ = v.(map[string]any)
		}
	}
	return answer, seq, count
}

// digests of the trace and of the final difference.
func traceDigest(events []world.Event) (string, error) {
	if n := len(events); n > 0 && events[n-1].Hash != "" {
		return events[n-1].Hash, nil // the chain binds all before it
	}
	return digestOf(events)
}

func digestOf(v any) (string, error) {
	b, err := record.Canonical(v)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
