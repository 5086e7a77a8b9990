package openai

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/model/wire"
	"github.com/assaybench/assay/record"
)

// Refusal is one thing that a server said it does not take.
type Refusal struct {
	Param string // as the request names it: "temperature", "reasoning.effort"; with Strict at its end, only its strictness
	Whole bool   // the model has no such parameter; false: it may take another value
	Why   string // the server's words, one line
}

// Strict ends the name of a parameter that was taken when it was no longer asked for strictly.
const Strict = ".strict"

// Learned holds what a model was found not to take, by its server's own 400s and never by its name, since what a table
// of names says ages. It is kept for each posture apart: many models take a temperature only while they do not think.
// Reading it costs nothing as long as there is nothing in it. The zero value is ready.
type Learned struct {
	mu    sync.Mutex
	known atomic.Pointer[map[learnedKey]Refusal]
}

type learnedKey struct {
	thinking model.Thinking
	param    string
}

// Of gives what was learned of a parameter under a posture; false: nothing.
func (l *Learned) Of(t model.Thinking, param string) (Refusal, bool) {
	known := l.known.Load()
	if known == nil {
		return Refusal{}, false
	}
	r, ok := (*known)[learnedKey{t, param}]
	return r, ok
}

// Takes reports whether nothing speaks against sending a parameter.
func (l *Learned) Takes(t model.Thinking, param string) bool {
	_, refused := l.Of(t, param)
	return !refused
}

// Empty reports whether nothing was learned.
func (l *Learned) Empty() bool { return l.known.Load() == nil }

func (l *Learned) add(t model.Thinking, r Refusal) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := map[learnedKey]Refusal{}
	if old := l.known.Load(); old != nil {
		known = maps.Clone(*old)
	}
	known[learnedKey{t, r.Param}] = r
	l.known.Store(&known)
}

// maxTries bounds how often one posture is tried out: a request has fewer settings than this.
const maxTries = 10

// Settle makes a call, and makes it again without what the server says it does not take, until it is taken or refused for
// another reason. params are the parameters that a call can do without, under the names that the server gives them; call
// leaves out what was learned. Every exchange is in the second result.
func (l *Learned) Settle(ctx context.Context, req model.Request, params []string,
	call func(context.Context, model.Request) (model.Reply, error)) (model.Reply, []record.Exchange, error) {
	var calls []record.Exchange
	for try := 1; ; try++ {
		rep, err := call(ctx, req)
		if err == nil {
			return rep, append(calls, rep.Exchange), nil
		}
		f := model.AsFault(err)
		if f.Exchange.Status != 0 || f.Exchange.Error != "" {
			calls = append(calls, f.Exchange)
		}
		r, ok := readRefusal(f, params)
		if !ok || try == maxTries {
			return model.Reply{}, calls, f
		}
		if strict := r.Param + Strict; !r.Whole && strictly[r.Param] && l.Takes(req.Thinking, strict) {
			r.Param = strict
		}
		if !l.Takes(req.Thinking, r.Param) { // it was left out already, so that leaving it out does not help
			return model.Reply{}, calls, f
		}
		l.add(req.Thinking, r)
	}
}

// strictly are the parameters that may be taken when they are asked for less strictly: a schema outside the subset that a
// server can enforce is one that it may still be shown.
var strictly = map[string]bool{"response_format": true, "text.format": true, "tools": true}

var (
	refusing = model.NewPattern(`(?i)unsupported|not support|not accept|unrecognized|unknown|unexpected|not (permitted|allowed|available)|` +
		`deprecated|must be verified|only the default|invalid|missing '`)
	wholly = model.NewPattern(`(?i)(unsupported|unknown|unrecognized|unexpected|extra).{0,20}(parameter|argument|input|field)|not supported (with|by|for|in) th(is|e) model`)
	// tooMuch is a number out of bounds: what helps is another number, and not to say none.
	tooMuch = model.NewPattern(`(?i)too (large|big|high|long)|at most|maximum|greater than|exceed`)
)

// readRefusal reads which of the parameters a 400 is about.
func readRefusal(f *model.Fault, params []string) (Refusal, bool) {
	if f.Kind != model.FaultRejected || f.Status != http.StatusBadRequest && f.Status != http.StatusUnprocessableEntity {
		return Refusal{}, false
	}
	e := wire.ReadError(f.Exchange.ResponseBody)
	var more struct {
		Error wire.Loose[struct {
			Param    wire.Word `json:"param"`
			Metadata wire.Loose[struct {
				Raw wire.Word `json:"raw"` // routers: the error of the provider behind them
			}] `json:"metadata"`
		}] `json:"error"`
		Param wire.Word `json:"param"` // vLLM
	}
	// A body of another form leaves all of it empty, and the message decides.
	_ = json.Unmarshal(f.Exchange.ResponseBody, &more, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if raw := string(more.Error.V.Metadata.V.Raw); raw != "" {
		if inner := wire.ReadError([]byte(raw)); inner.Message != "" {
			e = inner
		} else {
			e.Message += " " + raw
		}
	}
	named := string(more.Error.V.Param)
	if named == "" {
		named = string(more.Param)
	}
	whole := e.Code == "unsupported_parameter" || e.Code == "unknown_parameter" || wholly.MatchString(e.Message)
	if named == "" && !refusing.MatchString(e.Message) || !whole && tooMuch.MatchString(e.Message) {
		return Refusal{}, false
	}
	param, at := "", len(e.Message)
	for _, p := range params {
		if named != "" {
			if (named == p || strings.HasPrefix(named, p+".") || strings.HasPrefix(named, p+"[")) && len(p) > len(param) {
				param = p
			}
		} else if i := wordAt(e.Message, p); i >= 0 && (i < at || i == at && len(p) > len(param)) {
			param, at = p, i
		}
	}
	return Refusal{Param: param, Whole: whole, Why: model.OneLine(e.Message, 200)}, param != ""
}

// wordAt finds a name that stands by itself in a text, or gives -1.
func wordAt(text, name string) int {
	part := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(name)
		if (i == 0 || !part(text[i-1])) && (end == len(text) || !part(text[end])) {
			return i
		}
		from = end
	}
}
