package realism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/realism/wording"
	"github.com/assaybench/assay/world"
)

// identified is a record that a handle of the request names, and no other of its table: what the task is about.
type identified struct {
	table          *world.Table
	row            world.Row
	key            string
	column, handle string // where the handle stands
}

// identified gives the records that the task's handles name. A column that repeats a handle only speaks of what the task is
// about, as approvals and confirmations do.
func (s *Subject) identified(base []world.TableRows) []identified {
	var out []identified
	for _, tr := range base {
		t := s.table(tr.Table)
		if t == nil || len(t.Key) != 1 || s.holdsFiles(tr.Table) || slices.Contains([]string{"message", "note"}, s.World.Records[tr.Table]) {
			continue
		}
		for _, h := range s.Public.Handles {
			for _, c := range t.Columns {
				var named []world.Row
				for _, r := range tr.Rows {
					if text, ok := r[c.Name].(string); ok && names(text, h.Value) {
						named = append(named, r)
					}
				}
				if len(named) != 1 {
					continue
				}
				if key, ok := named[0][t.Key[0]].(string); ok {
					out = append(out, identified{t, named[0], key, c.Name, h.Value})
				}
			}
		}
	}
	return out
}

// names says whether a short text is a name, or has it among its words.
func names(text, name string) bool {
	if text == name {
		return true
	}
	if len(text) > 120 || !strings.Contains(text, name) {
		return false
	}
	return slices.Contains(parts(text), name)
}

// parts are the words of a text, with whatever else stands in them than blanks and marks.
func parts(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;:()/", r) })
}

// scopeIdentity wants what the task is about to have been found by a search, beside a record that could be taken for it, and the
// primary change to be made to it or to what hangs on it.
func scopeIdentity(ctx context.Context, s *Subject) (Hop, error) {
	p, err := s.Reference(ctx)
	if err != nil {
		return Hop{}, err
	}
	base, err := s.seedRows(ctx)
	if err != nil {
		return Hop{}, err
	}
	note := "no handle of the request names one record of a table"
	first := firstChange(p.Events)
	for _, id := range s.identified(base) {
		search := ""
		for i := range p.Events {
			if e := &p.Events[i]; e.Seq < first && s.searched(e, &id) {
				search = fmt.Sprintf("%s (call %d)", e.Tool, e.Seq)
				break
			}
		}
		if search == "" {
			note = "no search gives " + id.key + ", which the task is about"
			continue
		}
		if !s.actedOn(p.Events, base, &id) {
			note = "the primary change is made neither to " + id.key + " nor to what hangs on it"
			continue
		}
		twin := twinOf(base, &id)
		if twin == "" {
			note = id.key + " has no record beside it that could be taken for it"
			continue
		}
		h := Hop{Pattern: Pass, Path: arrows(search, id.key, "the primary change"), Note: "beside it stands " + twin}
		var said string
		h.Confirmed, said, err = s.refused(ctx, "wrong_subject")
		h.Note += "; " + said
		return h, err
	}
	return lacking(note)
}

// searched says whether a call found a record: it was not asked for by its key alone, and gave it.
func (s *Subject) searched(e *world.Event, id *identified) bool {
	if e.Actor != world.Agent || !e.OK() || len(e.Effect) > 0 || strings.HasPrefix(e.Tool, world.BuiltinServer+".") || strings.HasSuffix(e.Tool, ".get") || !holds(e.Result, id.key) {
		return false
	}
	t := s.World.Tool(e.Tool)
	return t != nil && slices.Contains(t.Touches, id.table.Name) && (id.key == id.handle || !holds(e.Args, id.key))
}

// actedOn says whether the primary change, or what is read before it, names a record, or one that names it.
func (s *Subject) actedOn(events []world.Event, base []world.TableRows, id *identified) bool {
	hang := []string{id.key, id.handle}
	for _, tr := range base {
		t := s.table(tr.Table)
		if t == nil || len(t.Key) != 1 {
			continue
		}
		for _, r := range tr.Rows {
			if key, ok := r[t.Key[0]].(string); ok && slices.ContainsFunc(t.Columns, func(c world.Column) bool { return r[c.Name] == id.key }) {
				hang = append(hang, key)
			}
		}
	}
	for _, v := range id.row {
		if text, ok := v.(string); ok && strings.ContainsAny(text, "0123456789") {
			hang = append(hang, text) // such as the product that an order is for
		}
	}
	for _, ch := range s.Contract().Changes {
		if ch.Role != contract.Primary {
			continue
		}
		for i := range events {
			e := &events[i]
			if e.Tool != ch.Tool || !e.OK() || len(e.Effect) == 0 {
				continue
			}
			doc, err := exact.Decode(e.Args)
			found := false
			if err == nil {
				exact.Scalars(doc, func(v any) {
					text, ok := v.(string)
					found = found || ok && slices.Contains(hang, text)
				})
			}
			if found {
				return true
			}
		}
	}
	return false
}

// holds says whether a scalar of a JSON value is the text.
func holds(raw []byte, text string) bool {
	doc, err := exact.Decode(raw)
	if err != nil {
		return false
	}
	found := false
	exact.Scalars(doc, func(v any) { found = found || v == text })
	return found
}

// twinOf gives another record of the table that could be taken for one: its identity is written much alike, or it is called
// as the other is by a text with a letter and a figure or a blank in it, which stands for no state.
func twinOf(base []world.TableRows, id *identified) string {
	i := slices.IndexFunc(base, func(tr world.TableRows) bool { return tr.Table == id.table.Name })
	for _, other := range base[i].Rows {
		key, ok := other[id.table.Key[0]].(string)
		if !ok || key == id.key {
			continue
		}
		if text, ok := other[id.column].(string); ok && slices.ContainsFunc(parts(text), func(w string) bool { return alike(w, id.handle) }) {
			return fmt.Sprintf("%s of %s, whose %s is %s", key, id.table.Name, id.column, text)
		}
		for _, c := range id.table.Columns {
			if text, ok := id.row[c.Name].(string); ok && c.Name != id.table.Key[0] && naming(c.Name) && other[c.Name] == text && calledBy(text) {
				return fmt.Sprintf("%s of %s, with the same %s", key, id.table.Name, c.Name)
			}
		}
	}
	return ""
}

// mostApart is by how many characters two identities may differ that could be taken for each other.
const mostApart = 2

// alike says whether two identities are of one length and differ in two places at most.
func alike(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) != len(y) || a == b {
		return false
	}
	n := 0
	for i := range x {
		if x[i] != y[i] {
			n++
		}
	}
	return n <= mostApart
}

func calledBy(text string) bool {
	if _, ok := derive.ParseDay(text); ok || len(text) < 4 {
		return false
	}
	return strings.ContainsFunc(text, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0x7f }) && strings.ContainsAny(text, "0123456789 ") && len(wording.Words(text)) < 12
}
