package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/record"
)

// Again is a call of an attempt after which another one was due.
type Again struct {
	Kind    string // of the fault, as "busy (HTTP 429)"; "" for a call that is not kept for another reason
	Invalid bool   // it had its outcome, and was declared to be no result
	Usage   record.Usage
}

// Retries are the calls that were made again, by what they had ended in. Calls of the tries before the last ones; Invalid
// counts attempts that had their outcome and were declared to be no results, since the model was not what it had been.
type Retries struct {
	Attempts int         `json:"attempts"` // that have such calls
	Calls    int         `json:"calls"`
	Kinds    []RetryKind `json:"kinds"` // they add up to Calls, the most frequent first
	Invalid  int         `json:"invalid"`
}

// RetryKind is a number of calls that ended in one kind of fault.
type RetryKind struct {
	Kind  string `json:"kind"`
	Calls int    `json:"calls"`
}

type retries struct {
	Retries
	kinds firsts[int]
}

const (
	retryKindsKept = 64
	otherKinds     = "other"
)

func (t *retries) add(r *Row) {
	t.kinds.limit = retryKindsKept
	calls := 0
	for _, a := range r.Again {
		if a.Invalid {
			t.Invalid++
			continue
		}
		calls++
		if n := t.kinds.at(cmp.Or(clip(Printable(a.Kind), 64), otherKinds)); n != nil {
			*n++
		}
	}
	if calls > 0 {
		t.Attempts++
		t.Calls += calls
	}
}

func (t *retries) close() Retries {
	t.Kinds = []RetryKind{}
	rest := t.Calls
	for _, k := range t.kinds.sorted {
		n := *t.kinds.values[k]
		rest -= n
		t.Kinds = append(t.Kinds, RetryKind{k, n})
	}
	slices.SortStableFunc(t.Kinds, func(a, b RetryKind) int { return -cmp.Compare(a.Calls, b.Calls) })
	if rest > 0 {
		t.Kinds = append(t.Kinds, RetryKind{"kinds beyond these", rest})
	}
	return t.Retries
}

// String is "14 calls made again in 9 attempts: busy (HTTP 429) 12, broken 2"; "" where there were none.
func (t *Retries) String() string {
	var parts []string
	if t.Calls > 0 {
		var kinds []string
		for _, k := range t.Kinds {
			kinds = append(kinds, k.Kind+" "+thousands(int64(k.Calls)))
		}
		parts = append(parts, fmt.Sprintf("%s made again in %s: %s", callWords(t.Calls), attemptWords(t.Attempts), strings.Join(kinds, ", ")))
	}
	if t.Invalid > 0 {
		parts = append(parts, attemptWords(t.Invalid)+" declared invalid since the model had changed")
	}
	return strings.Join(parts, "; ")
}
