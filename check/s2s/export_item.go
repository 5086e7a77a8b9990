package s2s

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/strictjson"
	"github.com/assaybench/assay/record"
	"github.com/go-json-experiment/json/jsontext"
)

func keysOf[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// exported are the item keys that are written, or counted as left out.
var exported = []string{"prompt", "fixture", "notes", "expect", "checker", "rules", "controls"}

// item writes one item of our own.
func (l *losses) item(raw *bench.Item) (mapping, error) {
	f := bench.NewFields(raw.Node)
	it := item{id: raw.ID, category: raw.Family, basis: raw.Basis, frozen: raw.Frozen, prompt: f.NeedText("prompt"), fixture: f.Text("fixture"), notes: f.Text("notes"), checker: f.Text("checker")}
	for _, k := range append(slices.Clone(bench.CommonKeys), exported...) {
		f.Node(k)
	}
	for _, k := range raw.Node.Keys {
		if !slices.Contains(bench.CommonKeys, k.Text) && !slices.Contains(exported, k.Text) {
			f.Node(k.Text)
			l.add("item %s: the key %s has no place in the schema", it.id, k.Text)
		}
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if it.fixture != "" {
		l.fixtures[it.fixture] = true
	}
	l.count(raw.Node)
	expect := mapping{}
	switch e := raw.Node.Get("expect"); {
	case e == nil:
		l.add("item %s: it has no expect, so none is written", it.id)
	case e.Kind != bench.Map:
		return nil, e.Errorf("expect is a mapping in the schema")
	default:
		expect = fromNode(e).(mapping)
	}
	if it.checker == "" {
		l.checker(&it, expect, raw.Node)
	}
	return mapping{{"id", text(it.id)}, {"category", text(it.category)}, {"proxy", boolean(it.basis == record.Proxy)}, {"frozen", boolean(it.frozen)},
		{"checker", text(it.checker)}, {"fixture", orNull(it.fixture)}, {"prompt", text(it.prompt)}, {"expect", expect}, {"notes", orNull(it.notes)}}, nil
}

func (l *losses) count(n *bench.Node) {
	if r := n.Get("rules"); r != nil && len(r.Values) > 0 {
		l.rules, l.ruled = l.rules+len(r.Values), l.ruled+1
	}
	c := n.Get("controls")
	if c == nil {
		return
	}
	here := 0
	for _, key := range []string{"accept", "reject"} {
		if side := c.Get(key); side != nil {
			here += len(side.Values)
		}
	}
	if here > 0 {
		l.controls, l.controlled = l.controls+here, l.controlled+1
	}
}

// checker names the known checker where the item's id has one and the expect is what it takes; otherwise it lists the kinds
// of the rules, by a name that no importer knows.
func (l *losses) checker(it *item, expect mapping, n *bench.Node) {
	var kinds []string
	if r := n.Get("rules"); r != nil {
		for _, v := range r.Values {
			if v.Kind == bench.Map && len(v.Keys) == 1 {
				kinds = append(kinds, v.Keys[0].Text)
			}
		}
	}
	own := "rules:" + strings.Join(kinds, "+")
	name, ok := known(it.id)
	if !ok {
		it.checker = own
		l.add("item %s: the checker is written as %q, which no reader knows; read again, the item cannot run", it.id, own)
		return
	}
	it.checker = name
	if why := fits(*it, expect); why != "" {
		it.checker = own
		l.add("item %s: the expect is not what %s takes (%s), so the checker is written as %q, which no reader knows; read again, the item cannot run", it.id, name, why, own)
	}
}

// fits says why an expect is not what the item's checker takes, or "".
func fits(it item, expect mapping) string {
	data, err := writeJSON(expect)
	if err != nil {
		return err.Error()
	}
	if it.expect, err = strictjson.Parse(string(data)); err != nil {
		return err.Error()
	}
	var out faults
	_, why := rulesOf(&it, &out)
	if why == "" && len(out.errs) > 0 {
		why = out.errs[0].Error()
	}
	return why
}

// fromNode gives a YAML node as it is to stand in JSON.
func fromNode(n *bench.Node) any {
	switch n.Kind {
	case bench.Map:
		out := make(mapping, len(n.Keys))
		for i, k := range n.Keys {
			out[i] = entry{k.Text, fromNode(n.Values[i])}
		}
		return out
	case bench.List:
		out := make(list, len(n.Values))
		for i, v := range n.Values {
			out[i] = fromNode(v)
		}
		return out
	}
	switch v := n.Any().(type) {
	case nil:
		return plain("null")
	case bool:
		return boolean(v)
	case bench.Number:
		return plain(v)
	}
	return text(n.Text)
}

// writeJSON writes a value with its keys in order.
func writeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := jsontext.NewEncoder(&b, jsontext.WithIndent("  "))
	err := putJSON(enc, v)
	return b.Bytes(), err
}

func putJSON(enc *jsontext.Encoder, v any) error {
	switch v := v.(type) {
	case plain:
		return enc.WriteValue(jsontext.Value(v))
	case text:
		return enc.WriteToken(jsontext.String(string(v)))
	case mapping:
		if err := enc.WriteToken(jsontext.BeginObject); err != nil {
			return err
		}
		for _, e := range v {
			if err := enc.WriteToken(jsontext.String(e.key)); err != nil {
				return err
			}
			if err := putJSON(enc, e.value); err != nil {
				return err
			}
		}
		return enc.WriteToken(jsontext.EndObject)
	case list:
		if err := enc.WriteToken(jsontext.BeginArray); err != nil {
			return err
		}
		for _, e := range v {
			if err := putJSON(enc, e); err != nil {
				return err
			}
		}
		return enc.WriteToken(jsontext.EndArray)
	}
	return fmt.Errorf("a value of type %T", v)
}

func (l *losses) quotas(b *bench.Bench) mapping {
	out := mapping{}
	titles := 0
	for _, f := range b.Families {
		if f.Quota >= 0 {
			out = append(out, entry{f.ID, count(f.Quota)})
		}
		if f.Title != "" {
			titles++
		}
	}
	if titles > 0 {
		l.add("families: the titles of %d families have no place in the schema", titles)
	}
	return out
}

// protocol writes the default posture and one with thinking on; the schema has room for these two.
func (l *losses) protocol(p *bench.Protocol) mapping {
	float := func(v *float64) any {
		if v == nil {
			return plain("null")
		}
		return plain(jsontext.Float(*v).String())
	}
	if p.Seed != nil {
		l.add("protocol: the seed %d has no place in the schema", *p.Seed)
	}
	base, _ := p.Posture(p.DefaultPosture)
	words := "the model's own default of thinking for every model"
	switch base.Thinking {
	case "off":
		words = "think:false for every model"
	case "":
	default:
		l.add("protocol: the default posture %s asks for thinking %s, and the schema knows on and off", base.Name, base.Thinking)
	}
	m := mapping{{"temperature", float(p.Temperature)}, {"top_p", float(p.TopP)}, {"repeats", count(p.Repeats)},
		{"pass_rule", text("conjunctive - an item passes only if every repeat passes")}, {"num_ctx", count(p.Context)},
		{"num_predict", count(base.MaxOutput)}, {"timeout_s", l.seconds(base)}}
	taken := false
	for _, q := range p.Postures {
		switch {
		case q.Name == base.Name:
		case q.Thinking == "on" && !taken:
			taken = true
			m = append(m, entry{"num_predict_think_true", count(q.MaxOutput)}, entry{"timeout_s_think_true", l.seconds(q)})
			words += l.thinking(q)
		default:
			l.add("protocol: the posture %s has no place in the schema, which knows the default and one with thinking on", q.Name)
		}
	}
	return append(m, entry{"postures", text(words)})
}

// thinking says in the schema's own words which models take the second posture.
func (l *losses) thinking(q bench.Posture) string {
	var tagged []string
	for _, m := range q.Models {
		if modelName.FindString(m) == m {
			tagged = append(tagged, m)
			continue
		}
		l.add("protocol: the model %s of the posture %s has no tag (NAME:TAG), by which a reader would know it in the sentence", m, q.Name)
	}
	if len(tagged) == 0 {
		return ""
	}
	return "; think:true additionally for " + strings.Join(tagged, " and ") + " only"
}

func (l *losses) seconds(q bench.Posture) plain {
	s := (q.Timeout + time.Second - 1) / time.Second
	if s*time.Second != q.Timeout {
		l.add("protocol: the timeout %s of the posture %s is written as %d s", q.Timeout, q.Name, s)
	}
	return count(int(s))
}
