package model

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assaybench/assay/record"
)

// FaultKind sorts the ways in which a call fails without it being the model's doing.
type FaultKind string

const (
	FaultUnreachable FaultKind = "unreachable" // no connection, name not found, connection closed before the first byte
	FaultBroken      FaultKind = "broken"      // the response began and did not end as it should: cut body, bad JSON, wrong content type
	FaultBusy        FaultKind = "busy"        // 429, 503, 529: try later
	FaultServer      FaultKind = "server"      // other 5xx, or an error inside a 200
	FaultRejected    FaultKind = "rejected"    // other 4xx: the request itself was not accepted
	FaultDenied      FaultKind = "denied"      // 401, 402, 403: key or account; stops the run
	FaultNoModel     FaultKind = "no-model"    // the server does not know the model; stops the run
	FaultContext     FaultKind = "context"     // the prompt does not fit the context: undelivered, not retried
	FaultCancelled   FaultKind = "cancelled"   // the caller's context ended (deadline or interrupt)
	FaultOurs        FaultKind = "ours"        // a fault of this program or of the plan (a control that is not there)
)

// Fault is a failed call. Msg is one line for people and holds no secret.
type Fault struct {
	Kind       FaultKind
	Status     int           // HTTP status, 0 when none
	RetryAfter time.Duration // as the server asked, 0 when it did not
	Msg        string
	Exchange   record.Exchange
	Err        error
}

func (f *Fault) Error() string {
	if f.Status != 0 {
		return fmt.Sprintf("%s (HTTP %d): %s", f.Kind, f.Status, f.Msg)
	}
	return fmt.Sprintf("%s: %s", f.Kind, f.Msg)
}

func (f *Fault) Unwrap() error { return f.Err }

// Retryable reports whether another try may help: only declared faults, never a verdict, never the model's doing.
func (f *Fault) Retryable() bool {
	switch f.Kind {
	case FaultUnreachable, FaultBusy, FaultServer:
		return true
	}
	return false // a reply that began and broke off, too: long ones break off more often, so trying again would favour short ones
}

// Terminal reports whether every further call would fail in the same way, so that the run must stop and say why.
func (f *Fault) Terminal() bool { return f.Kind == FaultDenied || f.Kind == FaultNoModel }

// AsFault gives the *Fault inside err, wrapping anything else as our own fault.
func AsFault(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	return &Fault{Kind: FaultOurs, Msg: err.Error(), Err: err}
}

// Cancelled is the fault of a call whose context has ended: it wraps the context's cause, so that the protocol's own limit
// (ErrTimeLimit) is told from every other end.
func Cancelled(ctx context.Context, x record.Exchange) *Fault {
	cause := context.Cause(ctx)
	if cause == nil {
		cause = context.Canceled
	}
	x.Error = OneLine(cause.Error(), maxLine)
	return &Fault{Kind: FaultCancelled, Msg: "the call was ended: " + x.Error, Exchange: x, Err: cause}
}

// maxLine bounds what of a foreign text goes into one line for people, in bytes.
const maxLine = 300

// OneLine makes foreign text fit for one line of a message or a terminal: white space folded, control and invisible
// characters and broken UTF-8 escaped, at most limit bytes of it (0: 300) with an ellipsis after a cut.
func OneLine(s string, limit int) string {
	if limit <= 0 {
		limit = maxLine
	}
	s = strings.TrimSpace(s)
	var b strings.Builder
	space := false
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		piece := s[i : i+n]
		switch {
		case r == utf8.RuneError && n == 1:
			piece = fmt.Sprintf(`\x%02x`, s[i])
		case unicode.IsSpace(r):
			space = true
			continue
		case !unicode.IsPrint(r):
			q := strconv.QuoteRune(r)
			piece = q[1 : len(q)-1]
		}
		if space && b.Len() > 0 {
			piece = " " + piece
		}
		space = false
		if b.Len()+len(piece) > limit {
			b.WriteString("…")
			break
		}
		b.WriteString(piece)
	}
	return b.String()
}
