// Package perturb finds out by trial what the evidence of a task is worth: it changes one cell or row of the seed at a time,
// derives everything that is graded again, and looks whether anything moves. What moves nothing under any change of the
// declared family is padding, whatever its author calls it.
//
// The family of changes of one cell: a number or date one step up and down (also in its last decimal place); each value that
// it, or what follows from it, was compared with, and one step beside; a word of a fixed set (a status, a kind): every other
// of them; the value of a rival row; and the row gone. In the text of a file every number and every date is such a cell.
package perturb

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/contract"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/world"
)

// Read is one read of the world: a tool with its arguments, as a trace has them.
type Read struct {
	Tool string
	Args jsontext.Value
}

func (r Read) String() string { return r.Tool + " " + string(r.Args) }

// Edit is one change of the seed, in words and as it is made.
type Edit struct {
	Kind  string // number, date, threshold, status, rival, removed, text
	Says  string // TABLE KEY COLUMN: BEFORE → AFTER
	Edits []world.Edit
	Table string
	Key   string
}

// Found is what the trials say of one read.
type Found struct {
	Read   Read
	Tables []string // that the tool touches
	Edit   *Edit    // one that shows in the read's result and moves something; nil: padding
	Moved  []string // what it moves, by name of contract.Stakes
	Tried  int      // changes that showed in the result and moved nothing
	Capped bool     // there were more changes than are tried
}

// Material tells whether some change of what the read gives moves something that is graded.
func (f *Found) Material() bool { return f.Edit != nil }

// Lab is a task's world for trials. It is not safe for concurrent use.
type Lab struct {
	s     *world.Session
	c     *contract.Contract
	base  contract.Stakes
	rows  map[string]*world.TableRows
	cache map[string]*answer // of reads on the untouched seed
	gaps  []*big.Rat         // between numbers that were compared on the untouched seed
	spans []derive.Day       // between days that were compared, and between numbers of days
}

type answer struct {
	result jsontext.Value
	doc    any // the result as package exact holds it, once it was asked for
	err    error
}

// New opens a lab on a session in memory in which nothing has happened yet; the lab closes it.
func New(ctx context.Context, s *world.Session, c *contract.Contract) (*Lab, error) {
	if len(s.Events()) > 0 {
		return nil, errors.New("a lab begins on an untouched session")
	}
	l := &Lab{s: s, c: c, rows: map[string]*world.TableRows{}, cache: map[string]*answer{}}
	base := s.Base()
	for i := range base {
		l.rows[base[i].Table] = &base[i]
	}
	l.base = c.Stakes(l.reader(ctx, ""), l.compared())
	for name := range l.base {
		if !l.base.Known(name) {
			return nil, fmt.Errorf("%s cannot be derived on the seed", name)
		}
	}
	return l, nil
}

// compared keeps how far apart the values were that were compared: by so much one of them must move to cross the other.
func (l *Lab) compared() func(a, b derive.Value) {
	gaps, spans := map[string]bool{}, map[derive.Day]bool{}
	return func(a, b derive.Value) {
		switch {
		case a.Kind() == derive.Number && b.Kind() == derive.Number:
			gap := new(big.Rat).Sub(b.Rat(), a.Rat())
			gap.Abs(gap)
			if text := gap.RatString(); !gaps[text] && len(l.gaps) < maxCompared {
				gaps[text] = true
				l.gaps = append(l.gaps, gap)
			}
			if n := gap.Num(); a.Unit().String() == "day" && gap.IsInt() && n.BitLen() < 20 && !spans[derive.Day(n.Int64())] {
				spans[derive.Day(n.Int64())] = true
				l.spans = append(l.spans, derive.Day(n.Int64()))
			}
		case a.Kind() == derive.Date && b.Kind() == derive.Date:
			x, _ := a.Day()
			y, _ := b.Day()
			if n := max(x-y, y-x); !spans[n] && len(l.spans) < maxCompared {
				spans[n] = true
				l.spans = append(l.spans, n)
			}
		}
	}
}

const maxCompared = 4000

// Close ends the lab.
func (l *Lab) Close() error { return l.s.Close() }

// Stakes is what is graded on the untouched seed.
func (l *Lab) Stakes() contract.Stakes { return l.base }

// reader makes the reads of one derivation. What does not touch the table is taken from what was read on the untouched seed,
// and nothing is read twice.
type reader struct {
	l     *Lab
	ctx   context.Context
	table string
	seen  map[string]*answer
}

func (l *Lab) reader(ctx context.Context, table string) *reader {
	if table == "" {
		return &reader{l, ctx, "", l.cache}
	}
	return &reader{l, ctx, table, map[string]*answer{}}
}

// Read implements contract.Reads.
func (r *reader) Read(tool string, args jsontext.Value) (jsontext.Value, error) {
	a := r.read(Read{tool, args})
	return a.result, a.err
}

// Document implements contract.Documents.
func (r *reader) Document(tool string, args jsontext.Value) (any, error) {
	a := r.read(Read{tool, args})
	if a.err == nil && a.doc == nil {
		a.doc, a.err = exact.Decode(a.result)
	}
	return a.doc, a.err
}

func (r *reader) read(of Read) *answer {
	key := of.String()
	from := r.seen
	if r.table != "" && !r.l.touches(of.Tool, r.table) {
		from = r.l.cache
	}
	a := from[key]
	if a == nil {
		a = r.l.call(r.ctx, of)
		from[key] = a
	}
	return a
}

func (l *Lab) call(ctx context.Context, r Read) *answer {
	e, err := l.s.Call(ctx, world.Call{Actor: world.Harness, Surface: "trial", Tool: r.Tool, Args: r.Args})
	switch {
	case err != nil:
		return &answer{err: err}
	case e.Error != nil:
		return &answer{err: errors.New(e.Error.Message)}
	}
	return &answer{result: e.Result}
}

func (l *Lab) touches(tool, table string) bool {
	t := l.s.World().Tool(tool)
	if t == nil {
		return false
	}
	for _, name := range t.Touches {
		if name == table {
			return true
		}
	}
	return false
}

// Try makes an edit, and gives the names of what is graded that it moves, and the places in reads of those whose results it
// changes. What can no longer be derived has not moved: evidence that only breaks a derivation says nothing by its value.
// ok is false for an edit that the world's schema refuses.
func (l *Lab) Try(ctx context.Context, e *Edit, reads []Read) (moved []string, shows []int, ok bool, err error) {
	before := make([]*answer, len(reads))
	base := l.reader(ctx, "")
	for i, r := range reads {
		before[i] = base.read(r)
	}
	err = l.s.Trial(ctx, e.Edits, func() error {
		now := l.reader(ctx, e.Table)
		for i, r := range reads {
			if !l.touches(r.Tool, e.Table) {
				continue
			}
			if a := now.read(r); string(a.result) != string(before[i].result) || (a.err == nil) != (before[i].err == nil) {
				shows = append(shows, i)
			}
		}
		if len(shows) == 0 && len(reads) > 0 {
			return nil
		}
		after := l.c.Stakes(now, nil)
		for _, name := range l.base.Moved(after) {
			if after.Known(name) {
				moved = append(moved, name)
			}
		}
		return nil
	})
	if errors.Is(err, world.ErrEdit) {
		return nil, nil, false, nil
	}
	return moved, shows, err == nil, err
}
