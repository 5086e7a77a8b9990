package record

import "time"

// Transcript is everything that was sent and received in one attempt, raw bytes included, and what was derived from it.
type Transcript struct {
	Outcome  Outcome    `json:"outcome"`
	Reason   string     `json:"reason"`   // one line: why this outcome, e.g. "finish_reason length"
	Answer   string     `json:"answer"`   // the answer text, byte for byte
	Thinking string     `json:"thinking"` // never graded as the answer
	Finish   string     `json:"finish"`   // the server's own word for how generation ended, "" where it said none
	Usage    Usage      `json:"usage"`
	Timing   Timing     `json:"timing"`
	Model    string     `json:"model"` // the model that the server says answered
	Delivery Delivery   `json:"delivery"`
	Settings []Setting  `json:"settings,omitempty"` // what was not plainly sent as the protocol asks; a setting that is not named was
	Tools    []ToolCall `json:"tools,omitempty"`    // what the model asked to be called
	Turns    []Turn     `json:"turns,omitempty"`    // the replies before the last one, where a model may mend its reply or calls tools
	Episode  *Episode   `json:"episode,omitempty"`  // of agent tasks
	Calls    []Exchange `json:"calls"`
}

// Turn is a reply that was not the last one, and what the model was told about it.
type Turn struct {
	Answer   string     `json:"answer"`
	Thinking string     `json:"thinking,omitempty"`
	Told     string     `json:"told"`
	Tools    []ToolCall `json:"tools,omitempty"` // what it asked to be called; the answers are the episode's events
}

// Setting says what became of something that was asked of a model.
type Setting struct {
	Name  string `json:"name"`  // "temperature", "top_p", "seed", "max_output", "context", "thinking", "schema", "tools"
	Asked string `json:"asked"` // as the protocol has it: "0", "off"; for a schema its name
	State string `json:"state"` // one of the Setting… constants
	Why   string `json:"why"`   // one line
}

// States of a setting.
const (
	SettingEnforced    = "enforced"     // the server makes sure of it, as a grammar does of a schema
	SettingAsked       = "asked"        // it was sent, and nothing shows that it is kept
	SettingNotAccepted = "not accepted" // the server or the model does not take it, so it was not sent
	SettingNotHonoured = "not honoured" // it was sent, and the reply shows otherwise
)

// ToolCall is one call that a model asked for. Arguments are raw: the JSON that the server sent, whatever it holds.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Usage counts tokens as the server reported them; nil means that it did not say.
type Usage struct {
	Prompt   *int64 `json:"prompt"`
	Output   *int64 `json:"output"`   // thinking included, where the server counts it so
	Thinking *int64 `json:"thinking"` //
	Cached   *int64 `json:"cached"`   // the part of Prompt that came from a cache
}

// Add sums tokens; a sum is known only where both parts are.
func (a Usage) Add(b Usage) Usage {
	add := func(x, y *int64) *int64 {
		if x == nil || y == nil {
			return nil
		}
		s := *x + *y
		return &s
	}
	return Usage{Prompt: add(a.Prompt, b.Prompt), Output: add(a.Output, b.Output), Thinking: add(a.Thinking, b.Thinking), Cached: add(a.Cached, b.Cached)}
}

// Add sums times from the first start on.
func (a Timing) Add(b Timing) Timing {
	started := a.Started
	if started.IsZero() {
		started = b.Started
	}
	return Timing{Started: started, Total: a.Total + b.Total, Load: a.Load + b.Load, Queue: a.Queue + b.Queue, Prompt: a.Prompt + b.Prompt, Output: a.Output + b.Output}
}

// Timing is in nanoseconds; zero means unknown. Latency is Total less Load.
type Timing struct {
	Started time.Time `json:"started"`
	Total   int64     `json:"total_ns"`
	Load    int64     `json:"load_ns"`
	Queue   int64     `json:"queue_ns"`
	Prompt  int64     `json:"prompt_ns"`
	Output  int64     `json:"output_ns"`
}

// Delivery says whether the whole prompt provably reached the model.
type Delivery struct {
	State    string `json:"state"`            // "delivered", "undelivered" or "not provable"
	Reason   string `json:"reason"`           //
	Expected int64  `json:"expected"`         // tokens at the least: exact, or a declared lower bound
	Proof    string `json:"proof,omitempty"`  // of "delivered": "exact", "refuses" or "probe"
	Loaded   int64  `json:"loaded,omitempty"` // tokens that the server held for one request; 0: unknown
}

// Exchange is one request and its response on the wire. Headers never hold a secret: whoever builds an Exchange drops
// credentials first.
type Exchange struct {
	Endpoint       string              `json:"endpoint"` // method and URL, or the program's name
	RequestHeader  map[string][]string `json:"request_header,omitempty"`
	RequestBody    []byte              `json:"request_body"`
	Status         int                 `json:"status"` // HTTP status or exit code; 0 when there was no response
	ResponseHeader map[string][]string `json:"response_header,omitempty"`
	ResponseBody   []byte              `json:"response_body"`
	Error          string              `json:"error,omitempty"` // our side's error: connection refused, body cut short
	Started        time.Time           `json:"started"`
	Elapsed        int64               `json:"elapsed_ns"`
}

// Identity is what can be known of the model and the server that answered.
type Identity struct {
	Model   string            `json:"model"`   // as the server names it
	Digest  string            `json:"digest"`  // of the model as stored; "" where the server has none
	Server  string            `json:"server"`  // software and version, "" where unknown
	Context int64             `json:"context"` // tokens that one request can hold, prompt and output together; 0 where unknown
	Details map[string]string `json:"details"` // anything else that decides comparability
}
