package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/big"
	"slices"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/derive"
	"github.com/assaybench/assay/contract/exact"
	"github.com/assaybench/assay/contract/pointer"
)

// parser builds a contract from its file and keeps every fault.
type parser struct {
	c      *Contract
	inputs []derive.Input
	defs   []derive.Def
	errs   []error
	task   Task
}

const defaultSchemaErrors = 3

// gateNames are the gates, each of which makes the gated score 0.
var gateNames = []string{"primary", "authority", "containment", "decision", "evidence"}

// Parse reads a contract for a task. It checks everything that needs no view of the world: keys, names, kinds, units and
// cycles. The error joins all faults, each an *bench.Error with file and line.
func Parse(n *bench.Node, task Task) (*Contract, error) {
	p := &parser{c: &Contract{task: task, node: n, weights: map[string]*big.Rat{}}, task: task}
	p.contract(n)
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return p.c, nil
}

func (p *parser) fail(err error) bool {
	if err != nil {
		p.errs = append(p.errs, err)
	}
	return err != nil
}

func (p *parser) contract(n *bench.Node) {
	f := bench.NewFields(n)
	c := p.c
	if n.Kind == bench.Map {
		sum := sha256.Sum256([]byte("assay contract\x00" + exact.Text(exact.FromNode(n))))
		c.digest = hex.EncodeToString(sum[:])
	}
	p.mapping(f.Node("inputs"), p.input)
	p.mapping(f.Node("derivations"), p.derivation)
	p.list(f.Node("options"), p.option)
	if d := f.Node("decision"); d != nil {
		p.decision(d)
	}
	p.list(f.Node("investigations"), p.investigation)
	p.list(f.Node("changes"), p.change)
	p.list(f.Node("readbacks"), p.readback)
	p.list(f.Node("messages"), p.message)
	p.list(f.Node("containment"), p.allowance)
	c.NoTransient = f.Bool("no_transient_changes", false)
	p.order(f.Node("order"))
	p.mapping(f.Node("answer"), p.answerRule)
	c.SchemaErrors = defaultSchemaErrors
	if b := f.Node("budget"); b != nil {
		bf := bench.NewFields(b)
		if bf.Node("schema_errors") != nil {
			c.SchemaErrors = bf.Int("schema_errors")
		}
		p.fail(bf.Done())
	}
	c.Gates = gateNames
	if g := f.Node("gates"); g != nil {
		c.Gates = f.Texts("gates")
		for _, name := range c.Gates {
			if !slices.Contains(gateNames, name) {
				p.fail(g.Errorf("unknown gate %q%s", name, bench.Nearest(name, gateNames)))
			}
		}
	}
	weights := f.Node("weights")
	if p.fail(f.Done()) || len(p.errs) > 0 { // what is half read is not looked through for more
		return
	}
	if def, ok := p.asOf(); ok {
		p.defs = append(p.defs, def)
	}
	program, err := derive.Compile(p.inputs, p.defs)
	if p.fail(err) {
		return
	}
	c.Program = program
	p.finish()
	p.mapping(weights, p.weight)
}

// AsOf is the name of the task's day in every contract.
const AsOf = "as_of"

// asOf makes the task's day a value that expressions can name, so that no contract writes it a second time.
func (p *parser) asOf() (derive.Def, bool) {
	d, ok := derive.ParseDay(p.task.AsOf)
	if !ok {
		return derive.Def{}, false
	}
	return derive.Def{Name: AsOf, Expr: derive.Constant(derive.DateOf(d), "the day of the request", p.c.node), Node: p.c.node}, true
}

// order reads the rules of order that a task may add.
func (p *parser) order(n *bench.Node) {
	if n == nil {
		return
	}
	f := bench.NewFields(n)
	p.c.ReadbackFirst = f.Bool("readback_before_answer", false)
	p.c.MessageFirst = f.Bool("message_before_answer", false)
	p.fail(f.Done())
}

func (p *parser) mapping(n *bench.Node, each func(k, v *bench.Node)) {
	if n == nil {
		return
	}
	if n.Kind != bench.Map {
		p.fail(n.Errorf("a mapping of names is wanted here, and this is %s", n.Kind))
		return
	}
	for i, k := range n.Keys {
		each(k, n.Values[i])
	}
}

func (p *parser) list(n *bench.Node, each func(v *bench.Node)) {
	if n == nil {
		return
	}
	if n.Kind != bench.List {
		p.fail(n.Errorf("a list is wanted here, and this is %s", n.Kind))
		return
	}
	for _, v := range n.Values {
		each(v)
	}
}

// name checks a name that others refer to.
func (p *parser) name(n *bench.Node, s string) {
	for i, r := range s {
		if r == '_' || r == '-' && i > 0 || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || i > 0 && '0' <= r && r <= '9' {
			continue
		}
		p.fail(n.Errorf("the name %q: a name is letters, digits, _ and -, and begins with a letter", s))
		return
	}
	if s == "chosen" || s == AsOf || s == "" {
		p.fail(n.Errorf("the name %q is taken; choose another", s))
	}
}

// id reads the id of a criterion.
func (p *parser) id(f *bench.Fields, n *bench.Node) string {
	id := f.NeedText("id")
	if v := n.Get("id"); v != nil && id != "" {
		p.name(v, id)
	}
	return id
}

// keepWeight reads the weight of a criterion that has a place of its own.
func (p *parser) keepWeight(f *bench.Fields, rule string) {
	if w := f.Node("weight"); w != nil {
		p.setWeight(w, rule)
	}
}

func (p *parser) setWeight(n *bench.Node, rule string) {
	r, ok := exact.Rat(n.Text)
	if n.Kind != bench.Scalar || !ok || r.Sign() < 0 {
		p.fail(n.Errorf("a weight is a number from 0 up"))
		return
	}
	p.c.weights[rule] = r
}

func (p *parser) weight(k, v *bench.Node) {
	rules := p.c.rules()
	if !slices.Contains(rules, k.Text) {
		p.fail(k.Errorf("there is no criterion %q%s", k.Text, bench.Nearest(k.Text, rules)))
		return
	}
	p.setWeight(v, k.Text)
}

// args reads arguments: names, or pointers where they begin with /, with literals, {value: NAME} or predicates.
func (p *parser) args(n *bench.Node) []Arg {
	if n == nil {
		return nil
	}
	if n.Kind != bench.Map {
		p.fail(n.Errorf("a mapping of arguments is wanted here, and this is %s", n.Kind))
		return nil
	}
	var out []Arg
	for i, k := range n.Keys {
		at := pointer.Pointer{{Name: k.Text}}
		if strings.HasPrefix(k.Text, "/") {
			parsed, err := pointer.Parse(k.Text)
			if err != nil {
				p.fail(k.Errorf("%s", err))
				continue
			}
			at = parsed
		}
		want, err := parsePredicate(n.Values[i])
		if p.fail(err) {
			continue
		}
		out = append(out, Arg{At: at, Want: want})
	}
	return out
}

// result reads pointers into a result with what they must reach.
func (p *parser) result(n *bench.Node) []Arg {
	if n == nil {
		return nil
	}
	if n.Kind != bench.Map {
		p.fail(n.Errorf("a mapping of pointers (/lots/*/status) is wanted here, and this is %s", n.Kind))
		return nil
	}
	var out []Arg
	for i, k := range n.Keys {
		at, err := pointer.Parse(k.Text)
		if err != nil {
			p.fail(k.Errorf("%s", err))
			continue
		}
		want, err := parsePredicate(n.Values[i])
		if p.fail(err) {
			continue
		}
		out = append(out, Arg{At: at, Want: want})
	}
	return out
}

// pins reads columns with what they must hold.
func (p *parser) pins(n *bench.Node) []Pin {
	if n == nil {
		return nil
	}
	if n.Kind != bench.Map {
		p.fail(n.Errorf("a mapping of columns is wanted here, and this is %s", n.Kind))
		return nil
	}
	var out []Pin
	for i, k := range n.Keys {
		want, err := parsePredicate(n.Values[i])
		if p.fail(err) {
			continue
		}
		out = append(out, Pin{Column: k.Text, Want: want})
	}
	return out
}
