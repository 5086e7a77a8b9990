// Package model is how Assay speaks to whatever answers: one small interface, the faults a call can end in, and the one
// function that decides an attempt's outcome from what came back. Each provider is a package of its own below this one
// and passes the conformance suite in model/modeltest.
package model

import (
	"context"

	"github.com/assaybench/assay/record"
)

// Model answers one request at a time; it is safe for concurrent use. Streaming, if any, stays inside.
type Model interface {
	// Name is the model as the user wrote it: provider/model, with @URL where one was given.
	Name() string
	// Call sends one request and waits for the whole reply. It makes no retries of its own. A reply that ended badly but
	// whole (cut off, refused) is a Reply; everything that is not the model's doing is a *Fault. When ctx ends, Call
	// returns at once with a *Fault that wraps ctx's cause. The exchange is filled in both cases as far as it went.
	Call(ctx context.Context, req Request) (Reply, error)
}

// Identifier is the optional ability to say, before and after a run, which model answers behind a name.
type Identifier interface {
	Identify(ctx context.Context) (record.Identity, error)
}

// Closer is the optional ability to give back what a model holds (connections, a program).
type Closer interface {
	Close() error
}

// Local is the optional ability to say that the model's server shares this machine, where concurrent calls disturb each
// other; the default concurrency is then 1.
type Local interface {
	Local() bool
}

// Control is the optional ability of reference and negative controls to say what they are: they are never ranked.
type Control interface {
	Control() bool
}

// Request is one call. Zero pointers mean "not sent".
type Request struct {
	Key         record.Key // opaque to real providers; control and replay answer by it
	Messages    []Message
	Temperature *float64
	TopP        *float64
	Seed        *int64
	MaxOutput   int      // tokens, thinking included where the server counts it so
	Context     int      // tokens the loaded context must hold
	Thinking    Thinking // the posture's wish
}

// Message is one turn. Role is "system", "user" or "assistant".
type Message struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Thinking is what a posture asks of a model's reasoning: "" (say nothing), "off", "on", or an effort level.
type Thinking string

const (
	ThinkingUnset Thinking = ""
	ThinkingOff   Thinking = "off"
	ThinkingOn    Thinking = "on"
)

// Finish is how a reply ended, in one vocabulary for all providers.
type Finish string

const (
	FinishStop    Finish = "stop"    // the model ended by itself
	FinishLength  Finish = "length"  // the output limit or the context's end
	FinishRefusal Finish = "refusal" // the model or its provider declined in the reply's own terms
	FinishFilter  Finish = "filter"  // a content filter cut in
	FinishTool    Finish = "tool"    // it asked for a tool
	FinishAborted Finish = "aborted" // the server ended it without an error and without a final record
)

// Reply is a whole reply. Thinking is apart from Answer and is never graded.
type Reply struct {
	Answer    string
	Thinking  string
	Unclosed  bool // a think block was opened in the content and never closed: the reply was cut inside it
	Finish    Finish
	FinishRaw string // the server's own word
	Model     string // who the server says answered
	Usage     record.Usage
	Timing    record.Timing
	Exchange  record.Exchange
	// Recorded is set by replay alone: the attempt as it was recorded, outcome and all, whatever the other fields say.
	// Transcribe gives it back unchanged, since an outcome is decided once, when the answer comes in.
	Recorded *record.Transcript
}
