package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"

	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/store"
	"github.com/assaybench/assay/world"
)

// episodePage is what an agent did in its world, event by event.
type episodePage struct {
	face
	N        int
	Back     string
	E        *record.Episode
	Events   []event
	More     bool
	Page     int
	Of       int
	Reads    int
	Writes   int
	No       int
	Criteria []criterion
	At       int // the event that the state is shown after; 0 for none
	State    []rowState
	Evidence []evidence
	BenchWhy string
}

// event is one call.
type event struct {
	*world.Event
	Kind, Says string // "read", "write", "no", "again"
	Args, Got  block
	Changes    []change
	Decides    []int // the criteria that stand on it, from 1
}

// change is a row before and after.
type change struct {
	Op, Table, Key string
	Columns        []columnChange
}

type columnChange struct {
	Name, Before, After string
	Changed             bool
}

// criterion is a finding with the events that it stands on.
type criterion struct {
	record.Finding
	N int
}

// rowState is a row that is not as it was at the beginning.
type rowState struct {
	change
	Since int // the event that changed it last
}

// evidence is a file that the agent could read, with how often it did.
type evidence struct {
	world.File
	Block block
}

// eventsShown is how many events a page has.
const eventsShown = 200

func (s *Server) episode(w http.ResponseWriter, r *http.Request) error {
	o, row, t, done, err := s.read(r)
	defer done()
	if err != nil {
		return err
	}
	if t == nil || t.Episode == nil {
		return lost("The attempt has no episode.")
	}
	var events []world.Event
	if err := json.Unmarshal(t.Episode.Events, &events); err != nil {
		return fmt.Errorf("the episode's events cannot be read: %w", err)
	}
	p := episodePage{face: o.face(), N: row.N, E: t.Episode, Page: 1, Of: len(events)}
	p.Back = p.To(fmt.Sprintf("/attempt/%d", row.N))
	if err := p.choose(r, len(events)); err != nil {
		return err
	}
	if err := s.criteria(r, o, &p); err != nil {
		return err
	}
	for i := range events {
		e := &events[i]
		kind, _ := kindOf(e)
		switch kind {
		case "read", "again":
			p.Reads++
		case "write":
			p.Writes++
		default:
			p.No++
		}
		if i >= (p.Page-1)*eventsShown && i < p.Page*eventsShown {
			p.Events = append(p.Events, p.event(e))
		}
	}
	p.More = len(events) > p.Page*eventsShown
	if p.At > 0 {
		p.State = stateAt(events, p.At)
	}
	b, why := s.benchOf(r.Context(), o.Run, benchShort)
	p.BenchWhy = why
	if b != nil {
		if set, ok := b.Set.(*tasks.Set); ok {
			if task, err := set.Task(row.Key.Item); err == nil {
				p.files(task.Public.Evidence)
			}
		}
	}
	return show(w, http.StatusOK, "episode", layout{Title: row.Key.Item + ": the episode", Crumbs: []link{{p.To(""), "Run " + o.ID}, {p.Back, fmt.Sprintf("Attempt %d", row.N)}, {Text: "Episode"}}, Body: p, release: done})
}

// choose reads which page of the events is shown, and after which event the state.
func (p *episodePage) choose(r *http.Request, events int) error {
	for name, to := range map[string]*int{"page": &p.Page, "at": &p.At} {
		v := r.URL.Query().Get(name)
		if v == "" {
			continue
		}
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > events+1 {
			return badly("The episode has no such " + name + ".")
		}
		*to = n
	}
	return nil
}

// criteria takes the verdict's findings.
func (s *Server) criteria(r *http.Request, o *opened, p *episodePage) error {
	body, err := s.Store.VerdictJSON(r.Context(), o.Run, p.N, o.Grader)
	if store.KindOf(err) == store.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	v, err := store.DecodeVerdict(body)
	if err != nil {
		return err
	}
	for i, f := range v.Findings {
		p.Criteria = append(p.Criteria, criterion{f, i + 1})
	}
	slices.SortStableFunc(p.Criteria, func(a, b criterion) int { // what does not hold is looked for first
		if a.Pass == b.Pass {
			return 0
		}
		if b.Pass {
			return -1
		}
		return 1
	})
	return nil
}

// eventTo is the address of an event on this page or another one.
func (p *episodePage) eventTo(n int) string {
	page := max(1, (n+eventsShown-1)/eventsShown)
	if page == p.Page {
		return fmt.Sprintf("#event-%d", n)
	}
	return p.To(fmt.Sprintf("/attempt/%d/episode?page=%d", p.N, page)) + fmt.Sprintf("#event-%d", n)
}

// kindOf says what a call was: a read, a write, one that was answered with no, or one that got an earlier answer again.
func kindOf(e *world.Event) (kind, says string) {
	switch {
	case e.Error != nil || !e.OK():
		return "no", string(e.Status)
	case len(e.Effect) > 0:
		return "write", "changed the world"
	case e.Replayed:
		return "again", "got the first answer again"
	}
	return "read", "read"
}

func (p *episodePage) event(e *world.Event) event {
	out := event{Event: e}
	out.Kind, out.Says = kindOf(e)
	id := fmt.Sprintf("event-%d", e.Seq)
	out.Args = newBlock(id+"-args", "Arguments", pretty(e.Args), "", nil)
	out.Got = newBlock(id+"-got", "Result", pretty(e.Result), "", nil)
	for i := range e.Effect {
		out.Changes = append(out.Changes, changeOf(&e.Effect[i]))
	}
	for _, c := range p.Criteria {
		if slices.Contains(c.Events, e.Seq) {
			out.Decides = append(out.Decides, c.N)
		}
	}
	return out
}

func changeOf(c *world.Change) change {
	out := change{Op: c.Op, Table: c.Table, Key: value(c.Key)}
	changed := c.Columns()
	names := sortedKeys(c.After)
	if c.After == nil {
		names = sortedKeys(c.Before)
	}
	for _, name := range names {
		cc := columnChange{Name: name, Changed: slices.Contains(changed, name)}
		if c.Before != nil {
			cc.Before = value(c.Before[name])
		}
		if c.After != nil {
			cc.After = value(c.After[name])
		}
		out.Columns = append(out.Columns, cc)
	}
	return out
}

// valueMost is how much of a value stands in a table.
const valueMost = 2000

func value(v any) string {
	b, err := record.Canonical(v)
	if err != nil {
		return "?"
	}
	if len(b) > valueMost {
		return string(b[:edge(string(b), valueMost)]) + "…"
	}
	return string(b)
}

// stateAt is what differs from the beginning after an event: each row with what it was and what it is. A row that came back to
// what it was is not among them.
func stateAt(events []world.Event, at int) []rowState {
	type held struct {
		world.Change
		since int
	}
	rows := map[string]*held{}
	for i := range events[:min(at, len(events))] {
		for _, c := range events[i].Effect {
			key := c.Table + " " + value(c.Key)
			h := rows[key]
			if h == nil {
				h = &held{Change: world.Change{Table: c.Table, Key: c.Key, Before: c.Before}}
				rows[key] = h
			}
			h.After, h.since = c.After, events[i].Seq
		}
	}
	var out []rowState
	for _, key := range sortedKeys(rows) {
		h := rows[key]
		switch {
		case h.Before == nil && h.After == nil, h.Before != nil && h.After != nil && value(h.Before) == value(h.After):
			continue
		case h.Before == nil:
			h.Op = world.Insert
		case h.After == nil:
			h.Op = world.Delete
		default:
			h.Op = world.Update
		}
		out = append(out, rowState{changeOf(&h.Change), h.since})
	}
	return out
}

// filesShown bounds the evidence files that are previewed.
const filesShown = 50

func (p *episodePage) files(list []world.File) {
	for i := range list {
		if i == filesShown {
			return
		}
		f := &list[i]
		text, ok := f.Text()
		if !ok {
			text = ""
		}
		p.Evidence = append(p.Evidence, evidence{*f, newBlock(fmt.Sprintf("evidence-%d", i), f.Path, text, "", nil)})
	}
}
