package tasks

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"

	"github.com/assaybench/assay/bench"
)

// unfinished is a draft that does not compile yet. It is shown with its faults, is never run, counted or graded, and keeps
// nothing else of the bench from working.
type unfinished struct {
	bench.Head
	err error
}

// draftLine finds a draft whose file cannot even be parsed.
var draftLine = regexp.MustCompile(`(?m)^frozen:[ \t]*(false|no|off)\b`)

// draft says whether an item that has faults is a draft, and what is known of it.
func draft(b *bench.Bench, id string) (bench.Head, bool) {
	if raw, _ := b.Item(id); raw != nil {
		h := raw.Head
		h.ID = id
		return h, !h.Frozen
	}
	file := "tasks/" + id + "/public/task.yaml"
	text, err := fs.ReadFile(b.FS, file)
	return bench.Head{ID: id, File: file}, err == nil && draftLine.Match(text)
}

// Unfinished gives the faults of the drafts that do not compile, in the bench's order.
func (s *Set) Unfinished() []bench.ClaimFault {
	var out []bench.ClaimFault
	for i := range s.unfinished {
		out = append(out, s.unfinished[i].faults()...)
	}
	return out
}

func (u *unfinished) faults() []bench.ClaimFault {
	var out []bench.ClaimFault
	for _, err := range bench.Fold(u.err) {
		f := bench.ClaimFault{Item: u.ID, Msg: err.Error(), Place: u.File}
		var be *bench.Error
		if errors.As(err, &be) && be.File != "" {
			f.Msg, f.Place = be.Msg, be.File
			if be.Line > 0 {
				f.Place = fmt.Sprintf("%s:%d", be.File, be.Line)
			}
		}
		out = append(out, f)
	}
	return out
}

// notWhole is what is said to whoever wants to use a draft that does not compile.
func (s *Set) notWhole(id string) error {
	for i := range s.unfinished {
		u := &s.unfinished[i]
		if u.ID != id {
			continue
		}
		list := u.faults()
		more := ""
		if n := len(list) - 1; n > 0 {
			more = fmt.Sprintf(" (and %d more)", n)
		}
		return &bench.Error{Msg: fmt.Sprintf("%s of %s is a draft that is not whole yet; assay check names what is missing: %s: %s%s", id, s.bench.Name(), list[0].Place, list[0].Msg, more)}
	}
	return nil
}

// frozenFirst gives the tasks with drafts last, so that a draft never is what a frozen task is held against.
func (s *Set) frozenFirst() []*Task {
	var out, drafts []*Task
	for _, t := range s.tasks {
		if t.Frozen {
			out = append(out, t)
		} else {
			drafts = append(drafts, t)
		}
	}
	return append(out, drafts...)
}
