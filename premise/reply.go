package premise

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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

// ReadReply reads a reply strictly: one JSON object with exactly the three members, and nothing around it. The error is a
// *Diagnostic for whoever wrote the reply.
func ReadReply(text string) (Reply, error) {
	var r Reply
	if !utf8.ValidString(text) {
		return r, malformed("the reply is not UTF-8", "返答が UTF-8 ではありません")
	}
	if len(text) > MaxReply {
		return r, malformed("the reply has %d bytes, and at most %d are read", "返答が %d バイトあります。読めるのは %d バイトまでです", len(text), MaxReply)
	}
	if strings.TrimSpace(text) == "" {
		return r, malformed("the reply is empty", "返答が空です")
	}
	v, err := strictjson.Parse(text)
	if err != nil {
		why := notAlone(err)
		if strings.Contains(text, "```") {
			return r, malformed("the reply is not JSON alone (%[1]s): leave the fence and all text around it out",
				"返答が JSON だけになっていません（%[2]s）。囲みと前後の文章を除いてください", why.Message, why.Japanese)
		}
		return r, malformed("the reply is not JSON alone: %[1]s", "返答が JSON だけになっていません: %[2]s", why.Message, why.Japanese)
	}
	if err := members(v, place{"the reply", "返答"}, "body", "explanation", "assumptions"); err != nil {
		return r, err
	}
	if r.Body, err = textOf(v.Get("body"), "body"); err != nil {
		return r, err
	}
	if r.Explanation, err = textOf(v.Get("explanation"), "explanation"); err != nil {
		return r, err
	}
	list := v.Get("assumptions")
	if list.Kind != strictjson.Array {
		return r, malformed("assumptions is %[1]v and must be a list", "assumptions が%[2]sです。リストでなければなりません", list.Kind, kindsInJapanese[list.Kind])
	}
	r.Assumptions = []Assumption{}
	for i, a := range list.Values {
		where := fmt.Sprintf("assumptions[%d]", i)
		if err := members(a, place{where, where}, "topic", "statement"); err != nil {
			return r, err
		}
		topic, err := textOf(a.Get("topic"), where+".topic")
		if err != nil {
			return r, err
		}
		if !slices.Contains(Kinds, topic) {
			return r, malformed("%s is %q and must be one of %s", "%s が %q です。%s のいずれかでなければなりません", where+".topic", clip(topic, 40), strings.Join(Kinds, ", "))
		}
		statement, err := textOf(a.Get("statement"), where+".statement")
		if err != nil {
			return r, err
		}
		r.Assumptions = append(r.Assumptions, Assumption{topic, statement})
	}
	return r, nil
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
