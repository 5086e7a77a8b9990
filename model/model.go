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

// Slots is the optional ability to say how many calls a server works on at once; 0: not known. More of them would wait inside
// the server, and their time would run meanwhile.
type Slots interface {
	Slots() int
}

// Paid is the optional ability to say that calls are made on somebody's account: with a key, on a server elsewhere.
type Paid interface {
	Paid() bool
}

// Control is the optional ability of reference and negative controls to say what they are: they are never ranked.
type Control interface {
	Control() bool
}

// Program is the optional ability of a model to be a program that works by itself: on an agent task it is told where its
// world is, and what it does there is the record, not what it says.
type Program interface {
	Program() bool
	// Sealed reports whether the program works where nothing but its world and its model's server can be reached, and nothing
	// of the bench or of this program seen. Where it does not, its episodes are never ranked.
	Sealed() bool
}

// Served is the optional ability of a model to say where its server is, so that a program can be let through to it.
type Served interface {
	Endpoint() string   // the server's base address without a slash at its end
	KeyNames() []string // the environment variables that may hold its key
}

// World is where a program that works by itself finds its world. None of it is ever recorded: a token is among it.
type World struct {
	Env      []string // NAME=value: the addresses, and the token
	Address  string   // 127.0.0.1:PORT, which all the addresses are of
	Request  string   // the file with the request
	Evidence string   // the folder with the evidence files
}

// Preparer is the optional ability to make ready for a session's calls.
type Preparer interface {
	// Prepare is called before the first call of a session, once for each posture, with a request that has the posture's
	// final settings, a short prompt and no key. It loads the model where that is a thing, and finds out what the model
	// takes: what it does not take, Call leaves out from then on and says so in Reply.Settings. A model that cannot serve
	// the request at all is a *Fault whose message says what to do. Every exchange made is in the result, or in the fault.
	Prepare(ctx context.Context, req Request) (Readiness, error)
}

// Readiness is what a Preparer found out.
type Readiness struct {
	Settings []record.Setting  `json:"settings"` // what will not be as the posture asks, or only asked for
	Context  int64             `json:"context"`  // tokens that one request can hold now that the model is loaded; 0: unknown
	Load     int64             `json:"load_ns"`  // time to load the model; 0: unknown, or loaded already
	Calls    []record.Exchange `json:"calls"`    // none: nothing was asked of the server, so that nothing was loaded
}

// Lister is the optional ability to say which models a server holds.
type Lister interface {
	List(ctx context.Context) ([]Held, error)
}

// Held is one model that a server holds.
type Held struct {
	Name    string `json:"name"`
	Digest  string `json:"digest"`  // "" where the server has none
	Context int64  `json:"context"` // tokens; 0 where unknown
	Bytes   int64  `json:"bytes"`   // as stored; 0 where unknown
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
	Schema      *Schema  // the answer must be JSON of this schema; nil: any text
	Tools       []Tool   // that the model may call; none: no tools
	World       *World   // for a program that works by itself: where its world is
	// Probed is the weight (Weigh) of the largest prompt of which it was shown, in this session and with these settings,
	// that its head, its middle and its tail reach the model; 0: no such probe.
	Probed int64
}

// Schema is the JSON Schema that an answer must follow.
type Schema struct {
	Name string // letters, digits, "_" and "-", at most 64
	JSON []byte // the schema, one JSON object
}

// Tool is one thing that a model may call.
type Tool struct {
	Name        string // letters, digits, "_" and "-", at most 64
	Description string
	Input       []byte // JSON Schema of its arguments, one JSON object
}

// Message is one turn. Role is "system", "user", "assistant" or "tool".
type Message struct {
	Role     string            `json:"role"`
	Text     string            `json:"text"`
	Thinking string            `json:"thinking,omitempty"` // of an assistant's turn
	Calls    []record.ToolCall `json:"calls,omitempty"`    // of an assistant's turn
	CallID   string            `json:"call_id,omitempty"`  // of a tool's turn: the call that it answers
	Tool     string            `json:"tool,omitempty"`     // of a tool's turn: the tool's name
	Failed   bool              `json:"failed,omitempty"`   // of a tool's turn: Text is an error
	// Native is an assistant's turn as its own provider wrote it, to be handed back unchanged, since some sign what they
	// think; other providers leave it aside.
	Native []byte `json:"native,omitempty"`
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
	FinishLength  Finish = "length"  // the output limit, or the context's end where the server does not tell them apart
	FinishContext Finish = "context" // the context's end before the output limit
	FinishRefusal Finish = "refusal" // the model or its provider declined in the reply's own terms
	FinishFilter  Finish = "filter"  // a content filter cut in
	FinishTool    Finish = "tool"    // it asked for a tool
	FinishAborted Finish = "aborted" // the server ended it without an error and without a final record
)

// Prompted is what a provider knows of the prompt's delivery beside the count in Usage.
type Prompted struct {
	Exact   int64 // tokens of the prompt as it is rendered, counted before the call by the server's own tokenizer; 0: not counted
	Partial bool  // the count in Usage may leave out what came from a cache: it can prove delivery, and cannot disprove it
	Loaded  int64 // tokens that the server holds for one request, prompt and output together; 0: unknown
	Refuses bool  // the server refuses a prompt that does not fit, sent as this one was, and never cuts it
}

// Turn is the reply as the assistant's turn of a further request.
func (r *Reply) Turn() Message {
	return Message{Role: "assistant", Text: r.Answer, Thinking: r.Thinking, Calls: r.Calls, Native: r.Native}
}

// Reply is a whole reply. Thinking is apart from Answer and is never graded.
type Reply struct {
	Answer    string
	Thinking  string
	Unclosed  bool // a think block was opened in the content and never closed: the reply was cut inside it
	Calls     []record.ToolCall
	Native    []byte // the turn as the provider wrote it, where it must be handed back so; see Message.Native
	Finish    Finish
	FinishRaw string           // the server's own word
	Model     string           // who the server says answered
	Remote    string           // not "": the server handed the call on to this other machine
	Settings  []record.Setting // what of the request was not plainly sent as it was asked, and what is known of the rest
	Prompt    Prompted
	Usage     record.Usage
	Timing    record.Timing
	Exchange  record.Exchange
	// Recorded is set by replay alone: the attempt as it was recorded, outcome and all, whatever the other fields say.
	// Transcribe gives it back unchanged, since an outcome is decided once, when the answer comes in.
	Recorded *record.Transcript
}
