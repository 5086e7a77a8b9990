package premise

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assaybench/assay/check/strictjson"
	"github.com/assaybench/assay/model"
)

// Reply is what a model must answer with.
type Reply struct {
	Body        string       `json:"body"`
	Explanation string       `json:"explanation"`
	Assumptions []Assumption `json:"assumptions"`
}

// Assumption is a premise that was filled in.
type Assumption struct {
	Topic     string `json:"topic"` // one of Kinds
	Statement string `json:"statement"`
}

// MaxReply is how many bytes of a reply are read.
const MaxReply = 4 << 20

// ReadReply reads a reply strictly: one JSON object with exactly the three members, and nothing around it. The error is
// one line for whoever wrote the reply.
func ReadReply(text string) (Reply, error) {
	var r Reply
	if len(text) > MaxReply {
		return r, fmt.Errorf("the reply has %d bytes, and at most %d are read", len(text), MaxReply)
	}
	if strings.TrimSpace(text) == "" {
		return r, fmt.Errorf("the reply is empty")
	}
	v, err := strictjson.Parse(text)
	if err != nil {
		if strings.Contains(text, "```") {
			return r, fmt.Errorf("the reply is not JSON alone (%v): leave the fence and all text around it out", err)
		}
		return r, fmt.Errorf("the reply is not JSON alone: %v", err)
	}
	if err := members(v, "the reply", "body", "explanation", "assumptions"); err != nil {
		return r, err
	}
	for _, m := range []struct {
		name string
		to   *string
	}{{"body", &r.Body}, {"explanation", &r.Explanation}} {
		s := v.Get(m.name)
		if s.Kind != strictjson.String {
			return r, fmt.Errorf("%s is %v and must be a string", m.name, s.Kind)
		}
		*m.to = s.Text
	}
	list := v.Get("assumptions")
	if list.Kind != strictjson.Array {
		return r, fmt.Errorf("assumptions is %v and must be a list", list.Kind)
	}
	r.Assumptions = []Assumption{}
	for i, a := range list.Values {
		where := fmt.Sprintf("assumptions[%d]", i)
		if err := members(a, where, "topic", "statement"); err != nil {
			return r, err
		}
		topic, statement := a.Get("topic"), a.Get("statement")
		switch {
		case topic.Kind != strictjson.String:
			return r, fmt.Errorf("%s.topic is %v and must be a string", where, topic.Kind)
		case !slices.Contains(Kinds, topic.Text):
			return r, fmt.Errorf("%s.topic is %q and must be one of %s", where, clip(topic.Text, 40), strings.Join(Kinds, ", "))
		case statement.Kind != strictjson.String:
			return r, fmt.Errorf("%s.statement is %v and must be a string", where, statement.Kind)
		}
		r.Assumptions = append(r.Assumptions, Assumption{topic.Text, statement.Text})
	}
	return r, nil
}

// members checks that v is an object with exactly these members.
func members(v *strictjson.Value, what string, names ...string) error {
	if v.Kind != strictjson.Object {
		return fmt.Errorf("%s is %v and must be an object with %s", what, v.Kind, strings.Join(names, ", "))
	}
	for _, n := range names {
		if v.Get(n) == nil {
			return fmt.Errorf("%s has no %q", what, n)
		}
	}
	for _, n := range v.Names {
		if !slices.Contains(names, n) {
			return fmt.Errorf("%s has an unknown member %q; it has %s", what, clip(n, 40), strings.Join(names, ", "))
		}
	}
	return nil
}

// clip cuts a text to so many characters.
func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// Topics are the kinds that a reply declares, each once, in the order of Kinds.
func (r Reply) Topics() []string {
	out := []string{}
	for _, k := range Kinds {
		if slices.ContainsFunc(r.Assumptions, func(a Assumption) bool { return a.Topic == k }) {
			out = append(out, k)
		}
	}
	return out
}

// replySchema is the JSON Schema of a reply, the same for all problems.
var replySchema = func() *model.Schema {
	text := map[string]any{"type": "string"}
	object := func(props map[string]any, required ...string) map[string]any {
		return map[string]any{"type": "object", "properties": props, "required": required, "additionalProperties": false}
	}
	s := object(map[string]any{
		"body": text, "explanation": text,
		"assumptions": map[string]any{"type": "array", "items": object(map[string]any{
			"topic": map[string]any{"type": "string", "enum": Kinds}, "statement": text}, "topic", "statement")},
	}, "body", "explanation", "assumptions")
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // it is built of what JSON has
	}
	return &model.Schema{Name: "kairos_proposal", JSON: b}
}()
