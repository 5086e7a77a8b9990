package world

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// write runs a tool's steps and its result in one transaction, with the event in it: either all of it happened, or nothing.
func (s *Session) write(ctx context.Context, e *Event, k *call) error {
	if key, ok := k.args[k.tool.Idempotency].(string); ok && key != "" {
		if done, err := s.repeated(k, key, e); done {
			return s.record(ctx, e.finish(k.tool, nil, err))
		} else if e.Replayed {
			return s.record(ctx, e)
		}
	}
	if err := s.d.queryOnly(ctx, false); err != nil {
		return err
	}
	if err := s.d.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	s.d.hook = s.collect
	defer func() { s.d.hook = nil }()
	out, err := k.within(ctx, func(ctx context.Context) (map[string]any, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		s.collect.stop = cancel
		if err := k.newIDs(ctx); err != nil {
			return nil, err
		}
		if err := k.steps(ctx); err != nil {
			return nil, err
		}
		return k.give(ctx)
	})
	effect, broken := s.collect.effect()
	e.finish(k.tool, out, k.missing(err))
	switch {
	case errors.Is(broken, errMuch):
		return s.undo(ctx, e.end(Refused, errMuch))
	case e.Status != OK:
		return s.undo(ctx, e)
	case broken != nil:
		return s.undo(ctx, e.end(Fault, &CallError{Code: WorldFault, Message: k.tool.Name + ": " + oneLine(broken.Error(), 500)}))
	case effect != nil:
		e.Effect = effect
	}
	if err := e.seal(s.last()); err != nil {
		return errors.Join(err, s.d.rollback(ctx))
	}
	if err := s.store(ctx, e); err != nil {
		return errors.Join(err, s.d.rollback(ctx))
	}
	if err := s.d.exec(ctx, "COMMIT"); brokenRule(err) != nil { // references that the schema lets wait until here
		return s.undo(ctx, e.end(Refused, brokenRule(err)))
	} else if err != nil {
		return errors.Join(err, s.d.rollback(ctx))
	}
	s.append(e)
	return nil
}

// undo takes back what a call did that ended otherwise than well, and records how it ended.
func (s *Session) undo(ctx context.Context, e *Event) error {
	e.Effect = []Change{}
	if err := s.d.rollback(ctx); err != nil {
		return err
	}
	return s.record(ctx, e)
}

// rollback ends a transaction, which the store may have ended by itself: an interrupted change does, and a conflict clause
// ROLLBACK.
func (d *database) rollback(ctx context.Context) error {
	err := d.exec(ctx, "ROLLBACK")
	if err != nil && strings.Contains(err.Error(), "no transaction is active") {
		return nil
	}
	return err
}

// brokenRule says what a caller is told whose change breaks a rule of the schema; nil for every other error. A world says
// in guards what its users may not do, and its schema stands behind them: that no guard was written is no reason to take
// the change, and none to end the episode.
func brokenRule(err error) *CallError {
	var se *storeError
	if !errors.As(err, &se) {
		return nil
	}
	say := func(code, text string) *CallError { return &CallError{Code: code, Message: oneLine(text, 1000)} }
	switch code := se.err.Code(); code {
	case sqlite3.SQLITE_CONSTRAINT_TRIGGER: // the schema's own words, in RAISE
		return say(Denied, se.text)
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return say(Conflict, "There is such a record already ("+se.text+").")
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return say(Conflict, "The change refers to a record that does not exist, or takes away one that others refer to.")
	default:
		switch code & 0xff {
		case sqlite3.SQLITE_CONSTRAINT:
			return say(Invalid, "The records do not take this ("+se.text+").")
		case sqlite3.SQLITE_TOOBIG:
			return say(Limit, "A text is too long.")
		}
	}
	if strings.HasPrefix(se.text, "LIKE or GLOB pattern too complex") {
		return say(Limit, "The text to look for is too long.")
	}
	return nil
}

// repeated looks for an earlier call with an idempotency key: the same call gets the same answer and changes nothing,
// another one under the same key is refused. An empty key is none.
func (s *Session) repeated(k *call, key string, e *Event) (refused bool, err error) {
	i, ok := s.keys[k.tool.Name+"\x00"+key]
	if !ok {
		return false, nil
	}
	first := &s.events[i]
	args, err := decodeArgs(first.Args)
	if err != nil {
		return true, err
	}
	if !sameJSON(args, k.args) {
		return true, &CallError{Code: Conflict, Message: fmt.Sprintf("%s %q was used before with other arguments", k.tool.Idempotency, oneLine(key, 100))}
	}
	e.Status, e.Result, e.Replayed = OK, first.Result, true
	return false, nil
}

// newIDs makes the ids of new rows: one past the largest number that is in the table or ever was in this episode, so that
// an id never comes to mean another record.
func (c *call) newIDs(ctx context.Context) error {
	for _, id := range c.tool.ids {
		_, rows, err := c.query(ctx, 1, id.sql.text, nil)
		if err != nil {
			return err
		}
		n, _ := rows[0][0].(int64)
		n = max(n, c.highest[id.series()])
		if n == math.MaxInt64 {
			return fmt.Errorf("the ids %s… of %s.%s are used up", id.prefix, id.table, id.column)
		}
		c.params[id.param] = fmt.Sprintf("%s%0*d", id.prefix, id.width, n+1)
	}
	return nil
}

// series is the row of numbers that an id is the next of.
func (id *newID) series() string { return id.table + "\x00" + id.column + "\x00" + id.prefix }

// steps runs guards and changes in their order.
func (c *call) steps(ctx context.Context) error {
	for i := range c.tool.steps {
		st := &c.tool.steps[i]
		ok := true
		if st.guard != nil {
			_, rows, err := c.query(ctx, 1, st.guard.text, st.guard.params)
			if err != nil {
				return err
			}
			ok = len(rows) > 0 && holds(rows[0][0])
		} else {
			n, err := c.run(ctx, st.run)
			if err != nil {
				return err
			}
			ok = st.rows < 0 || n == int64(st.rows)
		}
		if !ok {
			say, _ := fill(st.say, c.value)
			return &CallError{Code: st.code, Message: oneLine(say, 1000)}
		}
	}
	return nil
}

// holds is a guard's first column: anything but null, 0 and the empty text.
func holds(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case int64:
		return x != 0
	case float64:
		return x != 0
	case string:
		return x != ""
	}
	return true
}

func (c *call) run(ctx context.Context, s *statement) (int64, error) {
	st, err := c.d.prepare(ctx, writes, s.text)
	if err != nil {
		return 0, err
	}
	var args []any
	for _, p := range s.params {
		args = append(args, named(p, c.params[p]))
	}
	r, err := st.ExecContext(ctx, args...)
	if err != nil {
		return 0, sqlError(err)
	}
	return r.RowsAffected()
}
