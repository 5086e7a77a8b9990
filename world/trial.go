package world

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Edit is one change that is made to a world for a trial: a cell gets another value, or a row goes.
type Edit struct {
	Table  string
	Key    Row    // the row's key columns
	Column string // "" when the row goes
	Value  any    // int64, float64, string or nil
}

// Base gives the rows that the session began with, table by table. It must not be changed.
func (s *Session) Base() []TableRows { return s.seed.base }

// ErrEdit is an edit that the world's schema does not allow, or of a row that is not there.
var ErrEdit = errors.New("the edit does not fit the world")

// Trial makes edits, calls run, and takes back the edits and the calls that run made: to see what would follow from another
// seed. It is for sessions in memory that nobody else uses. References between tables are not enforced meanwhile.
func (s *Session) Trial(ctx context.Context, edits []Edit, run func() error) (err error) {
	if s.file != "" {
		return errors.New("a trial is for a session in memory")
	}
	n, agents := len(s.events), s.agents
	if err := s.trial(ctx, "PRAGMA foreign_keys = 0", "SAVEPOINT assay_trial"); err != nil {
		return err
	}
	defer func() {
		s.events, s.agents = s.events[:n], agents
		err = errors.Join(err, s.trial(ctx, "ROLLBACK TO assay_trial", "RELEASE assay_trial", "PRAGMA foreign_keys = 1"))
	}()
	for _, e := range edits {
		if err := s.edit(ctx, e); err != nil {
			return err
		}
	}
	return run()
}

// trial runs statements of the engine's own, outside the log.
func (s *Session) trial(ctx context.Context, statements ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	if err := s.d.queryOnly(ctx, false); err != nil {
		return err
	}
	for _, text := range statements {
		if err := s.d.exec(ctx, text); err != nil {
			s.broken = fmt.Errorf("a trial could not be taken back: %w", err)
			return s.broken
		}
	}
	return nil
}

func (s *Session) edit(ctx context.Context, e Edit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.world.table(e.Table)
	if t == nil || e.Column != "" && !t.Has(e.Column) {
		return fmt.Errorf("%w: there is no %s.%s", ErrEdit, e.Table, e.Column)
	}
	if err := s.d.queryOnly(ctx, false); err != nil {
		return err
	}
	var args []any
	text := "DELETE FROM " + quoteName(t.Name)
	if e.Column != "" {
		text, args = "UPDATE "+quoteName(t.Name)+" SET "+quoteName(e.Column)+" = ?", append(args, e.Value)
	}
	var where []string
	for _, k := range t.Key {
		where, args = append(where, quoteName(k)+" = ?"), append(args, e.Key[k])
	}
	stmt, err := s.d.prepare(ctx, engine, text+" WHERE "+strings.Join(where, " AND "))
	if err != nil {
		return err
	}
	res, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return fmt.Errorf("%w: %v", ErrEdit, sqlError(err))
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return fmt.Errorf("%w: %d rows of %s have this key", ErrEdit, n, t.Name)
	}
	return nil
}
