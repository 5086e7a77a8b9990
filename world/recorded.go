package world

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/record"
)

var rejections = []string{UnknownTool, NotMounted, InvalidArguments}

// CheckEvents holds a log that came from a file against what a session of the spec can record, without making its calls: whose
// session it is, who called, when, which tools and arguments there are, and how a call can end. A chain of hashes says that a
// log is as it was written, and not that anybody recorded it. The error names the first event that no session has.
func (w *World) CheckEvents(sp Spec, events []Event) error {
	tools := w.toolsOf(sp.Task)
	agents := 0
	for i := range events {
		e := &events[i]
		at := sp.Task.start.Add(time.Duration(agents+1) * w.step).Format(clockLayout)
		if e.Actor == Agent {
			agents++
		}
		no := func(format string, args ...any) error {
			return fmt.Errorf("event %d was never recorded by this world: %s", i+1, fmt.Sprintf(format, args...))
		}
		switch {
		case e.Seq != i+1:
			return no("it says that it is number %d", e.Seq)
		case e.Session != sp.ID:
			return no("it is of the session %q, not of %q", oneLine(e.Session, 100), sp.ID)
		case !slices.Contains([]Actor{Agent, Harness, Setup}, e.Actor):
			return no("the actor %q is not known", oneLine(string(e.Actor), 40))
		case !slices.Contains([]Status{OK, Refused, Rejected, Fault}, e.Status):
			return no("the status %q is not known", oneLine(string(e.Status), 40))
		case e.At != at:
			return no("it is of %q, and the clock says %s", oneLine(e.At, 40), at)
		case e.Status == OK && (e.Error != nil || null(e.Result)):
			return no("a call that succeeded has a result and no error")
		case e.Status != OK && (e.Error == nil || !null(e.Result) || e.Replayed):
			return no("a call that did not succeed has an error and no result")
		case (e.Status != OK || e.Replayed) && len(e.Effect) > 0:
			return no("it changed rows, and only a call that succeeded can")
		case e.Status == Rejected != (e.Error != nil && slices.Contains(rejections, e.Error.Code)), e.Status == Fault != (e.Error != nil && e.Error.Code == WorldFault):
			return no("the code %q does not go with the status %s", oneLine(e.code(), 40), e.Status)
		}
		if err := w.checkChanges(e.Effect); err != nil {
			return no("%v", err)
		}
		if e.Status == Rejected {
			continue
		}
		k := slices.IndexFunc(tools, func(t *Tool) bool { return t.Name == e.Tool })
		if k < 0 {
			return no("there is no tool %q", oneLine(e.Tool, 100))
		}
		t := tools[k]
		args, err := decodeArgs(e.Args)
		if err == nil {
			err = t.Input.check(args)
		}
		switch {
		case err != nil:
			return no("%s would not have taken its arguments: %v", t.Name, err)
		case t.Access == Read && len(e.Effect) > 0:
			return no("%s only reads, and changed rows", t.Name)
		}
	}
	return nil
}

func null(v jsontext.Value) bool { return len(v) == 0 || string(v) == "null" }

func (e *Event) code() string {
	if e.Error == nil {
		return ""
	}
	return e.Error.Code
}

// checkChanges checks that changes are of rows that the world's tables can have.
func (w *World) checkChanges(changes []Change) error {
	for i := range changes {
		c := &changes[i]
		t := w.table(c.Table)
		if t == nil {
			return fmt.Errorf("a change of the unknown table %q", oneLine(c.Table, 100))
		}
		had := *c
		if !had.name() || had.Op != c.Op {
			return fmt.Errorf("a change of %s is no %q", t.Name, oneLine(c.Op, 40))
		}
		row := c.After
		if row == nil {
			row = c.Before
		}
		for _, r := range []Row{c.Before, c.After} {
			if r != nil && (len(r) != len(t.Columns) || slices.ContainsFunc(t.Columns, func(col Column) bool { _, ok := r[col.Name]; return !ok })) {
				return fmt.Errorf("a row of %s has other columns than the table", t.Name)
			}
		}
		if !sameRow(c.Key, t.key(row)) {
			return fmt.Errorf("a change of %s names another row than it shows", t.Name)
		}
	}
	return nil
}

// CheckChanges checks that a final difference is of rows that the world's tables can have.
func (w *World) CheckChanges(changes []Change) error { return w.checkChanges(changes) }

// Retrace makes a log's calls once more, in a world of its own, and holds what each gives and changes against what the log
// says. The first error names an event that came out otherwise (*Differs); others are ours. Calls that never reached the
// world and were no JSON, or came in by one server's address, cannot be made again and change nothing: they are taken as read.
func (w *World) Retrace(ctx context.Context, sp Spec, events []Event) error {
	s, err := w.NewSession(ctx, sp)
	if err != nil {
		return err
	}
	defer s.Close()
	for i := range events {
		e := &events[i]
		if e.Status == Rejected && (e.code() == NotMounted || len(e.Args) == 0 || e.Args[0] != '{') {
			s.remember(e, len(s.events))
			s.events = append(s.events, *e)
			continue
		}
		now, err := s.Call(ctx, Call{Actor: e.Actor, Surface: e.Surface, Tool: e.Tool, Args: e.Args})
		if err != nil {
			return fmt.Errorf("event %d: %w", e.Seq, err)
		}
		if err := now.same(e); err != nil {
			return &Differs{Seq: e.Seq, Msg: fmt.Sprintf("event %d: %s, made again in a fresh world, %v: nobody recorded it here", e.Seq, oneLine(e.Tool, 100), err)}
		}
	}
	return nil
}

// Differs says that a log's call does not give what the log says.
type Differs struct {
	Seq int
	Msg string
}

func (d *Differs) Error() string { return d.Msg }

// same says how a call that was made again came out otherwise. Messages of refusals are words, and may change with the program.
func (e *Event) same(old *Event) error {
	equal := func(a, b any) bool {
		x, err := record.Canonical(a)
		y, too := record.Canonical(b)
		return err == nil && too == nil && bytes.Equal(x, y)
	}
	effect := func(c []Change) []Change { return append([]Change{}, c...) }
	switch {
	case e.Status != old.Status || e.code() != old.code():
		return fmt.Errorf("is %s (%s) and not %s (%s)", e.Status, e.code(), old.Status, old.code())
	case e.At != old.At:
		return fmt.Errorf("is of %s and not of %s", e.At, old.At)
	case e.Replayed != old.Replayed:
		return fmt.Errorf("is a repeated call or not, otherwise than the log says")
	case null(e.Result) != null(old.Result) || !null(e.Result) && !equal(e.Result, old.Result):
		return fmt.Errorf("gives another result")
	case !equal(effect(e.Effect), effect(old.Effect)):
		return fmt.Errorf("changes other rows")
	}
	return nil
}
