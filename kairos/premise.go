package kairos

import (
	"maps"
	"sort"
	"strconv"
	"strings"
)

// premise is a registered premise: members, definitions, and the premise that it derives from.
type premise struct {
	name    string
	members map[string]Expr
	defs    map[string]*Binding
	base    *premise
	depth   int // how many bases there are, one behind the other
}

// find looks a definition up here and then in the bases, and says which premise holds it.
func (p *premise) find(word string) (*Binding, *premise) {
	for q := p; q != nil; q = q.base {
		if d, ok := q.defs[word]; ok {
			return d, q
		}
	}
	return nil, nil
}

func (p *premise) has(word string) bool {
	d, _ := p.find(word)
	return d != nil
}

// word is the name of one of its definitions as source of data and in messages.
func (p *premise) word(name string) string {
	if p.name == "" {
		return name // of an anonymous preamble
	}
	return p.name + "." + name
}

// copyMembers adds the members of a premise to vals, those of its bases first.
func copyMembers(vals map[string]Expr, p *premise) {
	if p.base != nil {
		copyMembers(vals, p.base)
	}
	maps.Copy(vals, p.members)
}

// members are the members in force, as an immutable map. Equal maps are one pointer within an evaluation, so that a
// pointer serves as the key of what was computed under them.
type members struct {
	vals map[string]Expr
	over map[*premise]*members // overlays that were made
}

// scope is where names are looked up: the premise in force, or nil, and the members in force.
type scope struct {
	premise *premise
	members *members
	// words are the values of names that were looked up in this scope.
	words map[string]value
	// bodies are what was compiled in this scope.
	bodies map[*Binding]*body
}

func (m *members) has(key string) bool { _, ok := m.vals[key]; return ok }

// text gives a member as text: a name or a string as it is, anything else in a form of its own.
func (m *members) text(key string) string { return memberText(m.vals[key]) }

func memberText(e Expr) string {
	switch e := e.(type) {
	case nil:
		return ""
	case *NameRef:
		return e.Name
	case *StringLit:
		return e.Value
	case *NumberLit:
		return e.Text
	case *DateLit:
		return dateText(e)
	}
	return ""
}

// dateText writes a date literal the shortest way.
func dateText(d *DateLit) string {
	s := pad(d.Year, 4) + "-" + pad(d.Month, 2) + "-" + pad(d.Day, 2)
	if !d.HasTime {
		return s
	}
	sec := d.Time / 1000
	s += "T" + pad(int(sec/3600), 2) + ":" + pad(int(sec/60%60), 2)
	if sec%60 != 0 || d.Time%1000 != 0 {
		s += ":" + pad(int(sec%60), 2)
	}
	if ms := d.Time % 1000; ms != 0 {
		s += "." + pad(int(ms), 3)
	}
	return s
}

func pad(n, width int) string {
	s := strconv.Itoa(n)
	for len(s) < width {
		s = "0" + s
	}
	return s
}

// intern gives the one pointer for a map of members.
func (ev *evaluation) intern(vals map[string]Expr) *members {
	keys := make([]string, 0, len(vals))
	for k := range vals {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var b strings.Builder
	for _, k := range keys {
		b.WriteString(k)
		b.WriteByte(0)
		switch vals[k].(type) {
		case *StringLit:
			b.WriteByte('"')
		case *DateLit, *NumberLit:
			b.WriteByte('#')
		}
		b.WriteString(memberText(vals[k]))
		b.WriteByte(0)
	}
	key := b.String()
	if m, ok := ev.memberSets[key]; ok {
		return m
	}
	m := &members{vals: vals}
	ev.memberSets[key] = m
	return m
}

// overlay lays the members of a premise and its bases over those in force: what the defining premise declares wins, and
// what it does not declare comes from the user.
func (ev *evaluation) overlay(m *members, root *premise) *members {
	if o, ok := m.over[root]; ok {
		return o
	}
	var chain []*premise
	declares := false
	for p := root; p != nil; p = p.base {
		chain = append(chain, p)
		declares = declares || len(p.members) > 0
	}
	o := m
	if declares {
		vals := make(map[string]Expr, len(m.vals)+4)
		for k, v := range m.vals {
			vals[k] = v
		}
		for i := len(chain) - 1; i >= 0; i-- {
			for k, v := range chain[i].members {
				vals[k] = v
			}
		}
		o = ev.intern(vals)
	}
	if m.over == nil {
		m.over = map[*premise]*members{}
	}
	m.over[root] = o
	return o
}

// scopeOf gives the one scope of a premise and members.
func (ev *evaluation) scopeOf(p *premise, m *members) *scope {
	key := scopeKey{p, m}
	if s, ok := ev.scopes[key]; ok {
		return s
	}
	s := &scope{premise: p, members: m}
	ev.scopes[key] = s
	return s
}

type scopeKey struct {
	premise *premise
	members *members
}

// coreWords cannot be bound.
var coreWords = map[string]bool{
	"within": true, "segmentBy": true, "first": true, "nth": true, "last": true, "roll": true, "shift": true, "snapTo": true,
	"rebase": true, "filter": true, "stride": true, "strideBy": true, "take": true, "takeLast": true, "everyDay": true,
	"everyInstant": true, "chronos": true, "grid": true, "span": true, "split": true, "cycle": true, "ordinalIn": true,
	"epochOrdinal": true, "coincides": true, "external": true,
}

// register makes a premise of its definition, known by its name from here on.
func (ev *evaluation) register(st *PremiseDef) error {
	p, err := ev.premiseOf(st)
	if err != nil {
		return err
	}
	ev.premises[p.name] = p
	return nil
}

// premiseOf makes a premise of its definition. Order of checks as the statement is read: words, base, stages, zone, epoch.
func (ev *evaluation) premiseOf(st *PremiseDef) (*premise, error) {
	p := &premise{name: st.Name, members: map[string]Expr{}, defs: map[string]*Binding{}}
	for _, m := range st.Members {
		p.members[m.Key] = m.Value
	}
	var order []*Binding
	for _, d := range st.Defs {
		if coreWords[d.Name] {
			return nil, fail(d.NameSpan, "premise.core-word", d.Name)
		}
		p.defs[d.Name] = d
		order = append(order, d)
		ev.collectLabels(d.Value)
	}
	if st.Base != "" {
		base, ok := ev.premises[st.Base]
		if !ok {
			return nil, fail(st.BaseSpan, "premise.undefined", st.Base, nearest(st.Base, ev.premiseNames()), aside{})
		}
		p.base, p.depth = base, base.depth+1
		if most := ev.opts.Limits.Depth; most > 0 && p.depth > most {
			return nil, fail(st.BaseSpan, "limit.depth", most)
		}
		for _, stage := range st.Stages {
			if stage.Name != "rephase" {
				return nil, fail(stage.Span, "premise.stage-unsupported", stage.Name)
			}
			d, err := rephase(base, stage)
			if err != nil {
				return nil, err
			}
			p.defs[d.Name] = d
			order = append(order, d)
		}
	}
	if !declaresZone(p) {
		for _, d := range order {
			if hasDateTable(d.Value) {
				return nil, fail(d.NameSpan, "premise.tz-required", p.name, d.Name)
			}
		}
	}
	if e, ok := p.members["epoch"]; ok {
		date, isDate := e.(*DateLit)
		ok := isDate
		if ok {
			at, err := ev.anchorDate(date, ev.runZone)
			ok = err == nil && at == ev.epoch
		}
		if !ok {
			return nil, fail(e.Span(), "premise.epoch-unsupported")
		}
	}
	return p, nil
}

func declaresZone(p *premise) bool {
	for ; p != nil; p = p.base {
		if _, ok := p.members["tz"]; ok {
			return true
		}
	}
	return false
}

func (ev *evaluation) premiseNames() []string {
	names := make([]string, 0, len(ev.premises))
	for n := range ev.premises {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// rephase gives the definition that moves the start of the base's window W by d units: W = U span k phase: (φ+d) mod k.
func rephase(base *premise, stage Stage) (*Binding, error) {
	var delta Expr
	var word, unit *NameRef
	for _, a := range stage.Args {
		switch a.Name {
		case "":
			delta = a.Value
		case "on":
			word, _ = a.Value.(*NameRef)
		case "unit":
			unit, _ = a.Value.(*NameRef)
		}
	}
	var d float64
	if delta != nil {
		var err error
		if d, err = constNumber(delta); err != nil {
			return nil, err
		}
	}
	if delta == nil || word == nil || unit == nil {
		return nil, fail(stage.Span, "rephase.args")
	}
	def, _ := base.find(word.Name)
	if def == nil {
		return nil, fail(word.span, "rephase.no-window", word.Name, base.name)
	}
	g, ok := def.Value.(*Generate)
	if !ok || g.Word != "span" || g.Operand.Name != unit.Name {
		return nil, fail(word.span, "rephase.shape", word.Name, unit.Name)
	}
	fn, ok := g.Arg.(*Lambda)
	var k *NumberLit
	if ok {
		k, ok = fn.Body.(*NumberLit)
	}
	if !ok {
		return nil, fail(word.span, "rephase.k-not-const", word.Name)
	}
	phase := 0.0
	named := []Arg{}
	for _, a := range g.Named {
		switch a.Name {
		case "phase":
			var err error
			if phase, err = constNumber(a.Value); err != nil {
				return nil, err
			}
		case "label":
			named = append(named, a)
		}
	}
	at := node{span: stage.Span}
	named = append(named, Arg{Span: stage.Span, Name: "phase", Value: &NumberLit{node: at, Value: modulo(phase+d, k.Value)}})
	return &Binding{Span: stage.Span, NameSpan: word.span, Name: word.Name, Value: &Generate{node: at,
		Operand: &NameRef{node: node{span: unit.span}, Name: unit.Name}, Word: "span", Arg: g.Arg, Named: named}}, nil
}

// constNumber reads a number that is written out, with or without a minus sign.
func constNumber(e Expr) (float64, error) {
	switch e := e.(type) {
	case *NumberLit:
		return e.Value, nil
	case *Unary:
		if e.Op == "-" || e.Op == "+" {
			v, err := constNumber(e.X)
			if e.Op == "-" {
				v = -v
			}
			return v, err
		}
	}
	return 0, fail(e.Span(), "rephase.const")
}
