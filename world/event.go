package world

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Actor is who made a call.
type Actor string

// Actors. Only an agent's events are judged.
const (
	Agent   Actor = "agent"
	Harness Actor = "harness" // readiness, a reviewer's look, a replay's own reads
	// Setup is what made the world before the baseline. Sessions write no such event: the world's and the task's rows are in
	// before the log begins, and the digest of what they came to is in the hash that the first event follows. The name is kept
	// for logs from elsewhere, which may show their seeding; it is no change of the agent's there either.
	Setup Actor = "setup"
)

// Status is how a call ended.
type Status string

// Statuses. A rejected call never reached the world; a refused one was answered with no; a fault is ours.
const (
	OK       Status = "ok"
	Refused  Status = "refused"
	Rejected Status = "rejected"
	Fault    Status = "fault"
)

// Codes of errors: the first group refuses (the world said no), the second rejects (the call never reached it), the last
// is a fault of the world itself.
const (
	NotFound     = "not_found"
	Conflict     = "conflict"
	Denied       = "refused"
	Unauthorised = "unauthorised"
	Limit        = "limit"
	Invalid      = "invalid"
	Transient    = "transient" // a staged fault; the same call succeeds later

	UnknownTool      = "unknown_tool"
	NotMounted       = "not_mounted"
	InvalidArguments = "invalid_arguments"

	WorldFault = "world_fault"
)

// CallError is what a caller is told in place of a result.
type CallError struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

func (e *CallError) Error() string { return e.Message }

// Row maps the columns of a table to their values: nil, int64, float64, string or Blob.
type Row map[string]any

// MarshalJSON writes no row as null, not as a row without columns.
func (r Row) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	return json.Marshal(map[string]any(r), json.Deterministic(true))
}

// Blob is a column's value of bytes; its JSON is {"$blob": base64}.
type Blob []byte

// MarshalJSON keeps bytes apart from texts.
func (b Blob) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string][]byte{"$blob": b}, json.Deterministic(true))
}

// Ops of a change.
const (
	Insert = "insert"
	Update = "update"
	Delete = "delete"
)

// Change is what one call did to one row, as the store saw it. Key holds the columns of the primary key (after the change,
// except of a deleted row); Before is nil of an inserted row, After of a deleted one. A change of a primary key is a
// delete and an insert.
type Change struct {
	Table  string `json:"table"`
	Op     string `json:"op"`
	Key    Row    `json:"key"`
	Before Row    `json:"before"`
	After  Row    `json:"after"`
}

// Columns gives the names of the columns that an update changed, sorted; of an insert or a delete all.
func (c *Change) Columns() []string {
	var names []string
	switch c.Op {
	case Insert:
		names = keys(c.After)
	case Delete:
		names = keys(c.Before)
	default:
		for _, k := range keys(c.After) {
			if !sameValue(c.Before[k], c.After[k]) {
				names = append(names, k)
			}
		}
	}
	return names
}

// Event is one call, and what it did. Events of a session are numbered from 1 and form a chain of hashes, so that none can
// be left out, added or altered without a trace.
type Event struct {
	Seq      int            `json:"seq"`
	Actor    Actor          `json:"actor"`
	Surface  string         `json:"surface"` // mcp, rest, console, cli, loop, replay, evidence
	Session  string         `json:"session"`
	At       string         `json:"at"` // the logical clock, 2031-04-07T09:04:00
	Tool     string         `json:"tool"`
	Args     jsontext.Value `json:"args"` // canonical JSON; a string of what was sent where that was no JSON
	Status   Status         `json:"status"`
	Result   jsontext.Value `json:"result"` // null unless ok
	Error    *CallError     `json:"error"`
	Replayed bool           `json:"replayed"` // the answer to a repeated idempotency key
	Effect   []Change       `json:"effect"`
	Prev     string         `json:"prev"`
	Hash     string         `json:"hash"`
}

// OK says whether the call succeeded.
func (e *Event) OK() bool { return e.Status == OK }

// Genesis gives the hash that a session's first event follows.
func Genesis(session, seed string) string {
	sum := sha256.Sum256([]byte("assay episode\x00" + session + "\x00" + seed))
	return hex.EncodeToString(sum[:])
}

// seal chains an event to the one before it.
func (e *Event) seal(prev string) error {
	e.Prev, e.Hash = prev, ""
	sum, err := e.sum()
	e.Hash = sum
	return err
}

func (e *Event) sum() (string, error) {
	b, err := e.canonical("")
	if err != nil {
		return "", fmt.Errorf("event %d has no canonical form: %w", e.Seq, err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// VerifyChain checks that events are whole, in order and unaltered since they were recorded. The error names the first
// event that is not.
func VerifyChain(genesis string, events []Event) error {
	prev := genesis
	for i := range events {
		e := &events[i]
		if e.Seq != i+1 {
			return fmt.Errorf("event %d of the log says that it is number %d: the log lacks events or holds some twice", i+1, e.Seq)
		}
		if e.Prev != prev {
			return fmt.Errorf("event %d does not follow the one before it: the log was altered or torn", e.Seq)
		}
		sum, err := e.sum()
		if err != nil {
			return err
		}
		if sum != e.Hash {
			return fmt.Errorf("event %d differs from what was recorded: the log was altered or torn", e.Seq)
		}
		prev = e.Hash
	}
	return nil
}

// rawArgs gives arguments as an event keeps them: canonical JSON, or a JSON string of what was no JSON.
func rawArgs(b []byte) jsontext.Value {
	v := jsontext.Value(b)
	if v = v.Clone(); v.Canonicalize(jsontext.CanonicalizeRawInts(false)) == nil { // UTF-8 and no name twice
		return v
	}
	q, _ := jsontext.AppendQuote(nil, bytes.ToValidUTF8(b, []byte("\uFFFD")))
	return q
}
