package gemini

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/assaybench/assay/model"
	"github.com/assaybench/assay/record"
)

// left is the form of a setting that is not sent.
const left = -1

// forms is how many ways there are to ask for a setting; a refused one is followed by the next.
var forms = map[string]int{"thinking on": 2, "schema": 2}

// plan is what is sent of a request, and what must be said of the rest.
type plan struct {
	temperature, topP, seed, tools bool
	schema, thinking               int // the form in which it is sent, or left

	settings   []record.Setting
	inputLimit int64
}

// sent reports whether a setting is a part of the request.
func (p *plan) sent(name string) bool {
	switch name {
	case "temperature":
		return p.temperature
	case "top_p":
		return p.topP
	case "seed":
		return p.seed
	case "tools":
		return p.tools
	case "schema":
		return p.schema != left
	case "thinking":
		return p.thinking != left
	}
	return false
}

// leave takes a setting out of the request.
func (p *plan) leave(name string) {
	switch name {
	case "temperature":
		p.temperature = false
	case "top_p":
		p.topP = false
	case "seed":
		p.seed = false
	case "tools":
		p.tools = false
	case "schema":
		p.schema = left
	case "thinking":
		p.thinking = left
	}
}

// learned is what the server said of itself and of what it does not take. It is kept by setting and value, since a model
// may take one value and refuse another.
type learned struct {
	mu                      sync.RWMutex
	refused                 map[string]refusal
	unthinking              string // not "": the server's word that the model does not think at all
	inputLimit, outputLimit int64  // tokens; 0: unknown
}

type refusal struct {
	count int    // of the forms in which it was asked for
	why   string // the server's own words
}

// refuse notes that the server did not take a setting in its present form; it reports whether another form is left.
func (l *learned) refuse(req model.Request, name, why string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused == nil {
		l.refused = map[string]refusal{}
	}
	key := name + "\x00" + value(req, name)
	r := l.refused[key]
	r.count++
	r.why = why
	l.refused[key] = r
	return r.count < formsOf(req, name)
}

func formsOf(req model.Request, name string) int {
	if name == "thinking" && req.Thinking == model.ThinkingOn {
		name = "thinking on"
	}
	return max(forms[name], 1)
}

// value tells the asked values of a setting apart.
func value(req model.Request, name string) string {
	if name == "schema" {
		return req.Schema.Name + "\x00" + string(req.Schema.JSON)
	}
	return asked(req, name)
}

// asked is a setting's value as the record shows it.
func asked(req model.Request, name string) string {
	switch name {
	case "temperature":
		return strconv.FormatFloat(*req.Temperature, 'g', -1, 64)
	case "top_p":
		return strconv.FormatFloat(*req.TopP, 'g', -1, 64)
	case "seed":
		return strconv.FormatInt(*req.Seed, 10)
	case "max_output":
		return strconv.Itoa(req.MaxOutput)
	case "context":
		return strconv.Itoa(req.Context)
	case "schema":
		return req.Schema.Name
	case "thinking":
		return string(req.Thinking)
	}
	names := make([]string, 0, len(req.Tools))
	for _, t := range req.Tools {
		names = append(names, t.Name)
	}
	return model.OneLine(strings.Join(names, ", "), 0)
}

// settingNames are in the order in which settings are reported.
var settingNames = []string{"temperature", "top_p", "seed", "max_output", "context", "thinking", "schema", "tools"}

// plan decides what of a request is sent, from what was learned.
func (m *Model) plan(req model.Request) plan {
	l := &m.learned
	l.mu.RLock()
	defer l.mu.RUnlock()
	p := plan{schema: left, thinking: left, inputLimit: l.inputLimit}
	for _, name := range settingNames {
		if !wanted(req, name) {
			continue
		}
		state, why := "", ""
		r := l.refused[name+"\x00"+value(req, name)]
		switch {
		case name == "max_output":
			if l.outputLimit > 0 && int64(req.MaxOutput) > l.outputLimit {
				state, why = record.SettingAsked, fmt.Sprintf("the model writes at most %d tokens", l.outputLimit)
			}
		case name == "context": // nothing is sent: a model has the context that it has
			if l.inputLimit > 0 && int64(req.Context) > l.inputLimit {
				state, why = record.SettingNotAccepted, fmt.Sprintf("the model takes at most %d tokens of input", l.inputLimit)
			}
		case name == "thinking" && l.unthinking != "":
			state, why = record.SettingNotAccepted, l.unthinking
			if req.Thinking == model.ThinkingOff {
				state = record.SettingEnforced
			}
		case r.count >= formsOf(req, name):
			state, why = record.SettingNotAccepted, r.why
		default:
			state, why = p.send(req, name, r.count)
		}
		if state != "" {
			p.settings = append(p.settings, record.Setting{Name: name, Asked: asked(req, name), State: state, Why: why})
		}
	}
	return p
}

func wanted(req model.Request, name string) bool {
	switch name {
	case "temperature":
		return req.Temperature != nil
	case "top_p":
		return req.TopP != nil
	case "seed":
		return req.Seed != nil
	case "max_output":
		return req.MaxOutput > 0
	case "context":
		return req.Context > 0
	case "thinking":
		return req.Thinking != model.ThinkingUnset
	case "schema":
		return req.Schema != nil
	}
	return len(req.Tools) > 0
}

// send puts a setting into the request and gives what is to be said of it; "" where it is plainly sent.
func (p *plan) send(req model.Request, name string, form int) (state, why string) {
	switch name {
	case "temperature", "top_p":
		if name == "temperature" {
			p.temperature = true
		} else {
			p.topP = true
		}
		return record.SettingAsked, "sent; newer Gemini models are documented to take it and leave it unused, and the reply does not show which"
	case "seed":
		p.seed = true
	case "thinking":
		p.thinking = form
		if req.Thinking == model.ThinkingOn && form > 0 {
			return record.SettingAsked, "the model has no word for it but its own default; only its thoughts were asked for"
		}
	case "schema":
		p.schema = form
		if odd := ignored(req.Schema.JSON); len(odd) > 0 {
			return record.SettingAsked, "the server is documented to leave parts of this schema aside: " + model.OneLine(strings.Join(odd, ", "), 160)
		}
		return record.SettingEnforced, "constrained by the server; all of its keywords are documented as supported"
	case "tools":
		p.tools = true
		return record.SettingAsked, "offered; the server does not hold the arguments to their schema"
	}
	return "", ""
}
